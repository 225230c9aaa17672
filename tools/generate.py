#!/usr/bin/env python3
"""Makes every committed file that is made from another one; `check.py` tells which are stale."""

import sys

from stages import BIN, Stage, npm, run_stages

PYTHON = str(BIN / "python")
# Name and the command that writes; with --check it only compares.
GENERATED = [
    ("OpenAPI and the run document's schema", [PYTHON, "-m", "macmeter.exports"]),
    ("docs/published.md", [PYTHON, "-m", "macmeter.ingest.published.table"]),
]


def write() -> list[Stage]:
    """Stages that regenerate the files."""
    return [
        *(Stage(name, command, quiet=True) for name, command in GENERATED),
        Stage("Typed client", npm("generate", "codegen"), quiet=True),
    ]


def compare() -> list[Stage]:
    """Stages that fail when a file is not what would be made now."""
    return [
        *(
            Stage(f"Generated: {name}", [*command, "--check"], quiet=True)
            for name, command in GENERATED
        ),
        Stage("Generated: typed client", npm("check", "codegen"), quiet=True),
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(write()), 1))
