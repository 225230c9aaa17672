#!/usr/bin/env python3
"""Fill in the Homebrew formula for the archives of a release.

    tools/release/formula.py --address ADDRESS [--homepage URL] [--out DIR]

--address   where the release's files will be
--homepage  what the formula calls its home (the address)
--out       where the archives are and the formula goes (dist)
"""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

from project import DIST, ROOT, Refused, step, version

TEMPLATE = ROOT / "agent/Packaging/macmeter.rb"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", required=True)
    parser.add_argument("--homepage")
    parser.add_argument("--out", type=Path, default=DIST)
    options = parser.parse_args()
    archive = options.out / f"macmeter-{version()}-macos-arm64.tar.gz"
    if not archive.is_file():
        raise Refused(f"{archive} is missing: it is built on a Mac")
    filled = {
        "HOMEPAGE": options.homepage or options.address,
        "URL": f"{options.address}/{archive.name}",
        "SHA256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "VERSION": version(),
    }
    text = re.sub("@([A-Z0-9]+)@", lambda match: filled[match[1]], TEMPLATE.read_text())
    formula = options.out / "macmeter.rb"
    formula.write_text(text, encoding="utf-8")
    print(formula)


if __name__ == "__main__":
    step(main)
