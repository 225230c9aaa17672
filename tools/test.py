#!/usr/bin/env python3
"""Every test of the project, and what they need of the machine."""

import os
import sys

import check
from browser import find_chromium
from stages import BIN, Stage, npm, run_stages

SERVE = "tests/backend/test_serve.py"  # a third of the backend's time
WORKERS = os.environ.get("TEST_WORKERS", "2")


def lanes() -> list[list[Stage]]:
    """Two that run side by side: most stages keep one core busy and wait for disks and pages.

    What builds or runs the agent is one lane, because it shares the build folder.
    """
    browser = {"CHROMIUM": find_chromium()}
    pytest = [str(BIN / "pytest"), "--quiet", "-n", WORKERS]
    by_file = ["--dist", "loadfile"]  # tests of a file share what it has measured
    return [
        [
            *check.STAGES,
            Stage("Frontend: units", npm("test")),
            Stage("Backend", [*pytest, "tests/backend", f"--ignore={SERVE}"]),
            Stage("Whole path: browser", npm("e2e"), environment=browser),
        ],
        [
            Stage("Agent", ["tools/swift", "test"]),
            Stage("Agent: arm64 loops", ["tools/kernels"]),
            Stage("Whole path: agent to server", [*pytest, *by_file, "tests/e2e"]),
            Stage("Contract", [*pytest, "tests/contract"]),
            Stage("Backend: serve", [*pytest, SERVE]),
        ],
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(*lanes()), 1))
