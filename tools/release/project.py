"""Shared parts of the release steps: the working copy, its version, and how a step refuses."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Folder where every step leaves its files and finds those of the others.
DIST = ROOT / "dist"
CHECKSUMS = "SHA256SUMS"
SIGNATURE = f"{CHECKSUMS}.sig"


class Refused(Exception):
    """A step can't go on; the message says what to do about it."""


def version() -> str:
    """Version of the release that the sources belong to."""
    source = (ROOT / "backend/macmeter/platform/release.py").read_text(encoding="utf-8")
    match = re.search(r'^VERSION = "(.+)"$', source, re.MULTILINE)
    if match is None:
        raise Refused("backend/macmeter/platform/release.py has no VERSION")
    return match[1]


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Return a command's output; raise Refused with its error output if it fails."""
    try:
        process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refused(f"{command[0]} was not found: install it") from None
    if process.returncode:
        raise Refused(f"{' '.join(map(str, command))}\n{process.stdout}{process.stderr}".rstrip())
    return process.stdout


def step(main: Callable[[], object]) -> None:
    """Run one step of a release; exit with 1 and the reason if it refuses."""
    try:
        main()
    except Refused as refused:
        sys.exit(f"{Path(sys.argv[0]).name}: {refused}")
