#!/usr/bin/env python3
"""Regenerate every derived file; `check.py` reports stale ones among the committed."""

import sys

from stages import BIN, Stage, npm, run_stages

PYTHON = str(BIN / "python")
# Writes the files; with --check it only compares.
EXPORTS = [PYTHON, "tools/exports.py"]
NAME = "contract, schemas, published figures"
# Made where it is needed, and not committed.
CLIENT = Stage("Types of the API's client", npm("generate", "codegen"), quiet=True)


def write() -> list[Stage]:
    """Stages that regenerate the files."""
    return [Stage(f"Generated: {NAME}", EXPORTS, quiet=True), CLIENT]


def compare() -> list[Stage]:
    """Stages that fail when a committed file is not what would be made now."""
    return [Stage(f"Generated: {NAME}", [*EXPORTS, "--check"], quiet=True)]


if __name__ == "__main__":
    sys.exit(min(run_stages(write()), 1))
