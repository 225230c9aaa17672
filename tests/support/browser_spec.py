"""A browser test that needs what Python has started: run as one of Playwright's, by its name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.agent import ROOT


def run_spec(name: str, results: Path, **environment: str) -> None:
    """Fails unless its one test passes; `environment` tells it what there is.

    Playwright empties its folder of results first: that of the browser's own stage, which may run
    beside this one, holds what it has under way.
    """
    command = ["npx", "playwright", "test", "-c", "playwright.config.ts", name]
    done = subprocess.run(
        [*command, "--output", str(results)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout, done.stderr, file=sys.stderr)
    assert done.returncode == 0
    assert "1 passed" in done.stdout
