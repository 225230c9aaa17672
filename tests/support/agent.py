"""The agent's real binary, with its own home."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def build() -> str:
    """Build the agent as `make agent` does, and return the command that runs it here."""
    process = subprocess.run(
        [str(ROOT / "tools" / "agent-build")], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr[-2000:]
    return process.stdout.splitlines()[-1]


class Agent:
    """One machine's agent: its identity, configuration and spool live in `home`."""

    def __init__(self, command: str, home: Path) -> None:
        self.command = command
        self.environment = os.environ | {"MACMETER_HOME": str(home), "NO_COLOR": "1"}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command that must succeed."""
        run = subprocess.run(
            [self.command, *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{arguments}: {run.returncode}\n{run.stdout}{run.stderr}"
        return run
