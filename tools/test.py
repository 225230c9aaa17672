#!/usr/bin/env python3
"""Every test of the project, and what they need of the machine."""

import os
import sys

import check
from browser import find_headless
from stages import BIN, Stage, npm, run_stages

SERVING = "tests/backend/serving"  # starts servers again and again, and mostly waits for them
WORKERS = os.environ.get("TEST_WORKERS", "2")


def pytest(name: str, *arguments: str) -> Stage:
    """Tests of Python. Those that fail beside everything else are run once more, alone: they wait
    for real servers, and a machine that others use as well is sometimes busier than any limit.

    A file's tests run in one process, since they share its servers and what it has measured.
    """
    cache = f"cache_dir=.pytest_cache/{name.lower().replace(':', '').replace(' ', '-')}"
    command = [str(BIN / "pytest"), "--quiet", "--durations=12", "--durations-min=5", "-o", cache]
    alone = ["-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
    return Stage(
        name,
        [*command, "-n", WORKERS, "--dist", "loadfile", *arguments],
        again=[*command, *alone, *arguments],
    )


def lanes() -> list[list[Stage]]:
    """Three side by side: one computes, the others often wait for disks, pages and servers.

    What builds or runs the agent is one lane, because it shares the build folder.
    """
    python = ["tests/backend", "tests/docs", "tests/load", "tests/tools", f"--ignore={SERVING}"]
    e2e = npm("e2e")
    return [
        [
            *check.STAGES,
            Stage("Frontend: units", npm("test")),
            pytest("Backend", *python),
        ],
        [
            Stage("Agent", ["tools/swift", "test"]),
            Stage("Agent: arm64 loops", ["tools/kernels"]),
            pytest("Whole path: agent to server", "tests/e2e"),
        ],
        [
            Stage(
                "Whole path: browser",
                e2e,
                environment={"CHROMIUM": find_headless()},
                again=[*e2e, "--", "--last-failed", "--workers", "1"],
            ),
            pytest("Contract and serving", "tests/contract", SERVING),
        ],
    ]


if __name__ == "__main__":
    sys.exit(min(run_stages(*lanes()), 1))
