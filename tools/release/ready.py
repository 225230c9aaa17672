#!/usr/bin/env python3
"""Report whether a tag may be released: a line for each thing missing, and exit status 1.

    tools/release/ready.py TAG [--allow-unpinned]

The tag has to be the sources' version, CHANGELOG.md has to have a dated section for it, the commit
has to be on main, and actions and images have to be pinned. --allow-unpinned is for a fork that
can't.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import notes
import pin
from project import ROOT, Refused, run, step, version


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--allow-unpinned"]
    if len(arguments) != 1:
        raise Refused("usage: ready.py TAG [--allow-unpinned]")
    checks: list[Callable[[], object]] = [
        lambda: named(arguments[0]),
        lambda: notes.notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version()),
        on_main,
    ]
    if "--allow-unpinned" not in sys.argv:
        checks.append(pins)
    missing = [reason for check in checks if (reason := refusal(check))]
    if missing:
        raise Refused("\n".join(["not ready:", *missing]))
    print(f"{version()} is ready.")


def refusal(check: Callable[[], object]) -> str | None:
    try:
        check()
    except Refused as refused:
        return str(refused)
    return None


def named(tag: str) -> None:
    if tag != f"v{version()}":
        raise Refused(f"the tag is {tag}, and the sources are {version()}: v{version()}")


def on_main() -> None:
    """Check that the commit is on main, which may be a remote's branch. Needs the history."""
    for branch in ("origin/main", "main"):
        try:
            run("git", "rev-parse", "--verify", "--quiet", branch)
        except Refused:
            continue
        run("git", "merge-base", "--is-ancestor", "HEAD", branch)
        return
    raise Refused("there is no branch main: fetch it")


def pins() -> None:
    loose = [name for file in pin.FILES for name in pin.unpinned(file)]
    if loose:
        raise Refused("\n  ".join(["not pinned by digest (tools/release/pin.py):", *loose]))


if __name__ == "__main__":
    step(main)
