#!/usr/bin/env python3
"""Print what CHANGELOG.md says about a release.

tools/release/notes.py [VERSION]    (the sources' own)
"""

from __future__ import annotations

import re
import sys

from project import ROOT, Refused, step, version


def main() -> None:
    release = sys.argv[1] if len(sys.argv) > 1 else version()
    print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), release))


def notes(changelog: str, release: str) -> str:
    """The section of a version without its heading."""
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if re.fullmatch(rf"\[{re.escape(release)}\] - \d{{4}}-\d\d-\d\d", heading.strip()):
            return re.split(r"^\[\S+\]: ", text, flags=re.MULTILINE)[0].strip()
    raise Refused(
        f"CHANGELOG.md has no heading `## [{release}] - YYYY-MM-DD`: rename the one of what is "
        "unreleased"
    )


if __name__ == "__main__":
    step(main)
