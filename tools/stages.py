"""Runs named commands one after the other and closes with a line for each and a count."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"


@dataclass(frozen=True)
class Stage:
    """One command from the working copy's root. `quiet`: its output is shown when it fails."""

    name: str
    command: list[str]
    quiet: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def npm(script: str, workspace: str = "frontend") -> list[str]:
    """A script of a workspace, run under the Node that the workspace pins."""
    return ["npm", "run", "--silent", script, "--workspace", workspace]


def run_stages(stages: list[Stage]) -> int:
    """Runs all of them, also after one has failed. Returns the number of failures."""
    results = [(stage.name, *run_stage(stage)) for stage in stages]
    failures = sum(not passed for _, passed, _ in results)
    print()
    for name, passed, seconds in results:
        print(f"  {'passed' if passed else 'FAILED'}  {seconds:6.1f} s  {name}")
    print(f"\n{len(results) - failures} passed, {failures} failed", flush=True)
    return failures


def run_stage(stage: Stage) -> tuple[bool, float]:
    """Whether the command exited with 0, and its seconds."""
    began = time.monotonic()
    if not stage.quiet:
        print(f"\n── {stage.name}", flush=True)
    try:
        done = subprocess.run(
            stage.command,
            cwd=ROOT,
            env=os.environ | stage.environment,
            stdout=subprocess.PIPE if stage.quiet else None,
            stderr=subprocess.STDOUT if stage.quiet else None,
            text=True,
            check=False,
        )
        passed, output = done.returncode == 0, done.stdout
    except FileNotFoundError as missing:
        passed, output = False, f"{missing.filename}: not found\n"
    if output and not passed:
        print(f"\n── {stage.name}\n{output}", file=sys.stderr, flush=True)
    return passed, time.monotonic() - began
