#!/usr/bin/env python3
"""Makes every committed file that is made from another one; `check.py` tells which are stale."""

import sys

from stages import BIN, Stage, npm, run_stages

PYTHON = str(BIN / "python")
# Writes; with --check it only compares.
EXPORTS = [PYTHON, "tools/exports.py"]
NAME = "OpenAPI, schemas, published figures"


def write() -> list[Stage]:
    """Stages that regenerate the files."""
    return [
        Stage(NAME, EXPORTS, quiet=True),
        Stage("Typed client", npm("generate", "codegen"), quiet=True),
    ]


def compare() -> list[Stage]:
    """Stages that fail when a file is not what would be made now."""
    return [
        Stage(f"Generated: {NAME}", [*EXPORTS, "--check"], quiet=True),
        Stage("Generated: typed client", npm("check", "codegen"), quiet=True),
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(write()), 1))
