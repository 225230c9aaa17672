#!/usr/bin/env python3
"""Every test of the project, and what they need from the machine."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import check
import psutil
from browser import find_headless
from stages import BIN, ROOT, Stage, npm, run_stages

WORKERS = os.environ.get("TEST_WORKERS", "2")
# A process of these tests waits for servers and disks more than half of the time.
BACKEND_WORKERS = os.environ.get("TEST_WORKERS", str(2 * (os.cpu_count() or 1)))
# Where Linux keeps files in memory, and how much of it is needed.
MEMORY = Path("/dev/shm")  # noqa: S108 - under a name of our own
ROOM = 8 * 2**30
OWN_MEMORY = MEMORY / f"macmeter-tests-{hashlib.sha256(bytes(ROOT)).hexdigest()[:8]}"
# Tests fill the cores: a connection to PostgreSQL may take longer than servers allow.
PATIENT = {"PGCONNECT_TIMEOUT": "30"}
# COVERAGE=1: count the lines that each part's tests run; tools/covered.py sums them up.
COVERAGE = bool(os.environ.get("COVERAGE"))


def is_roomy() -> bool:
    """Whether the files that tests of servers write fit into memory."""
    return (
        MEMORY.is_dir()
        and shutil.disk_usage(MEMORY).free > ROOM
        and psutil.virtual_memory().available > ROOM
    )


def in_memory(name: str) -> list[str]:
    """Options that make tests write to memory, if it fits: they copy and drop thousands of
    databases, and durability doesn't matter. Not for tests that measure disks.
    """
    if not is_roomy():
        return []
    return [f"--basetemp={OWN_MEMORY / name}", "-o", "tmp_path_retention_policy=failed"]


def pytest(
    name: str, *arguments: str, workers: str = WORKERS, environment: dict[str, str] | None = None
) -> Stage:
    """Stage of Python tests. A file's tests share servers and results, so they share a process."""
    command = [str(BIN / "pytest"), "--quiet", "--durations=12", "--durations-min=5"]
    command += ["-p", "no:cacheprovider"]  # no second tries from the cache
    if "tests/contract" not in arguments:
        command += ["-p", "no:schemathesis"]  # every process would import it, and none uses it
    return Stage(
        name,
        [*command, "-n", workers, "--dist", "loadfile", *arguments],
        # Processes fill the cores: threads of one beside each other would only wait for them.
        environment={"OPENBLAS_NUM_THREADS": "1"} | PATIENT | (environment or {}),
    )


def parts() -> dict[str, list[Stage]]:
    """The parts of `make test ONLY=…`, which are the jobs of CI.

    Each pytest process imports the server, and the contract's Schemathesis as well: few do.
    """
    python = ["tests/backend", "tests/docs", "tests/load", "tests/tools"]
    covered = ["--cov=macmeter", "--cov-report=json:build/coverage.json"] if COVERAGE else []
    browser = {"CHROMIUM": find_headless()} | PATIENT
    return {
        "lint": check.STAGES,
        "frontend": [
            Stage("Frontend: units", [*npm("test"), *(["--", "--coverage"] if COVERAGE else [])])
        ],
        "backend": [
            # In the order of tests/conftest.py, rather than files with many tests first.
            pytest(
                "Backend",
                "--no-loadscope-reorder",
                *in_memory("backend"),
                *covered,
                *python,
                workers=BACKEND_WORKERS,
            ),
        ],
        "agent": [
            Stage(
                "Agent", ["tools/swift", "test", *(["--enable-code-coverage"] if COVERAGE else [])]
            ),
            Stage("Agent: arm64 loops", ["tools/kernels"]),
            pytest("Whole path: agent to server", "tests/e2e", environment=browser),
        ],
        "browser": [Stage("Whole path: browser", npm("e2e"), environment=browser)],
        "contract": [pytest("Contract", *in_memory("contract"), "tests/contract", workers="0")],
    }


def lanes(stages: dict[str, list[Stage]]) -> list[list[Stage]]:
    """Three lanes: one computes, the others often wait for disks, pages and servers.

    The stages that build or run the agent are one lane, because they share the build folder.
    """
    together = (("lint", "frontend", "backend"), ("agent",), ("browser", "contract"))
    return [[stage for name in lane for stage in stages[name]] for lane in together]


if __name__ == "__main__":
    all_stages, only = parts(), sys.argv[1:]
    if unknown := set(only) - all_stages.keys():
        sys.exit(f"ONLY={' '.join(unknown)}: choose from {', '.join(all_stages)}")
    shutil.rmtree(OWN_MEMORY, ignore_errors=True)
    if is_roomy():
        OWN_MEMORY.mkdir(mode=0o700)
    try:
        failures = run_stages(*([all_stages[name] for name in only] or lanes(all_stages)))
    finally:
        shutil.rmtree(OWN_MEMORY, ignore_errors=True)
    sys.exit(min(failures, 1))
