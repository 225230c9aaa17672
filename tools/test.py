#!/usr/bin/env python3
"""Every test of the project, and what they need of the machine."""

import os
import sys

import check
from browser import find_chromium
from stages import BIN, Stage, npm, run_stages

SERVE = "tests/backend/serving/test_serve.py"  # a third of the backend's time
WORKERS = os.environ.get("TEST_WORKERS", "2")


def pytest(name: str, *arguments: str) -> Stage:
    """Tests of Python. Those that fail beside everything else are run once more, alone: they wait
    for real servers, and a machine that others use as well is sometimes busier than any limit.
    """
    cache = f"cache_dir=.pytest_cache/{name.lower().replace(':', '').replace(' ', '-')}"
    command = [str(BIN / "pytest"), "--quiet", "-o", cache]
    alone = ["-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
    return Stage(
        name,
        [*command, "-n", WORKERS, *arguments],
        again=[*command, *alone, *arguments],
    )


def lanes() -> list[list[Stage]]:
    """Two that run side by side: most stages keep one core busy and wait for disks and pages.

    What builds or runs the agent is one lane, because it shares the build folder.
    """
    browser = {"CHROMIUM": find_chromium()}
    by_file = ["--dist", "loadfile"]  # tests of a file share what it has measured
    e2e = npm("e2e")
    return [
        [
            *check.STAGES,
            Stage("Frontend: units", npm("test")),
            pytest(
                "Backend",
                "tests/backend",
                "tests/docs",
                "tests/load",
                "tests/tools",
                f"--ignore={SERVE}",
            ),
            Stage(
                "Whole path: browser",
                e2e,
                environment=browser,
                again=[*e2e, "--", "--last-failed", "--workers", "1"],
            ),
        ],
        [
            Stage("Agent", ["tools/swift", "test"]),
            Stage("Agent: arm64 loops", ["tools/kernels"]),
            pytest("Whole path: agent to server", *by_file, "tests/e2e"),
            pytest("Contract", "tests/contract"),
            pytest("Backend: serve", SERVE),
        ],
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(*lanes()), 1))
