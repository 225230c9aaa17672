#!/usr/bin/env python3
"""Every test of the project, and what they need of the machine."""

import os
import sys

import check
from browser import find_chromium
from stages import BIN, Stage, npm, run_stages

WORKERS = os.environ.get("TEST_WORKERS", "2")


def stages() -> list[Stage]:
    """In order of how soon a failure is told."""
    browser = {"CHROMIUM": find_chromium()}
    pytest = [str(BIN / "pytest"), "--quiet", "-n", WORKERS]
    return [
        *check.STAGES,
        Stage("Frontend: units", npm("test")),
        Stage("Backend and contract", [*pytest, "tests/backend", "tests/contract"]),
        Stage("Agent", ["tools/swift", "test"]),
        Stage("Agent: arm64 loops", ["tools/kernels"]),
        Stage("Whole path: agent to server", [*pytest, "-n", "0", "tests/e2e"]),
        Stage("Whole path: browser", npm("e2e"), environment=browser),
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(stages()), 1))
