"""Playwright tests that need what a Python test has started, run by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.agent import ROOT


def run_spec(name: str, results: Path, **environment: str) -> None:
    """Run a spec file and fail unless its one test passes; `environment` is passed to it.

    Playwright empties its folder of results first, so `results` must not be the one of the browser
    stage, which may be running.
    """
    command = ["npx", "playwright", "test", "-c", "playwright.config.ts", name]
    process = subprocess.run(
        [*command, "--output", str(results)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    print(process.stdout, process.stderr, file=sys.stderr)
    assert process.returncode == 0
    assert "1 passed" in process.stdout
