"""Run named commands, one after the other or in lanes side by side, and sum them up."""

import os
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
LAST_LINES = 40  # of a failed stage, repeated below the summary


@dataclass(frozen=True)
class Stage:
    """One command run from the working copy's root. `quiet`: its output is shown if it fails."""

    name: str
    command: list[str]
    quiet: bool = False
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """Result of a stage."""

    name: str
    passed: bool
    seconds: float
    processor_seconds: float
    """Time of all child processes waited for: two lanes side by side share the cores."""
    last_lines: tuple[str, ...]


def npm(script: str, workspace: str = "frontend") -> list[str]:
    """Run a workspace's script under the Node that the workspace pins."""
    return ["npm", "run", "--silent", script, "--workspace", workspace]


def run_stages(*lanes: list[Stage]) -> int:
    """Run all stages, even after one has failed. Returns the number of failures.

    The stages of a lane run one after the other; lanes run side by side, and then every line of
    output begins with its stage's name.
    """
    interrupted = threading.Event()
    start, busy = time.monotonic(), _busy()

    def run_lane(lane: list[Stage]) -> list[Outcome]:
        return [_run(stage, len(lanes) > 1) for stage in lane if not interrupted.is_set()]

    with ThreadPoolExecutor(len(lanes)) as pool:
        running = [pool.submit(run_lane, lane) for lane in lanes]
        try:
            outcomes = [outcome for lane in running for outcome in lane.result()]
        except KeyboardInterrupt:
            interrupted.set()  # running stages were interrupted as well; no other begins
            raise
    failures = sum(not outcome.passed for outcome in outcomes)
    print()
    for outcome in outcomes:
        word = "passed" if outcome.passed else "FAILED"
        times = f"{outcome.seconds:6.1f} s  {outcome.processor_seconds:6.1f} s of processor"
        print(f"  {word}  {times}  {outcome.name}")
    total = sum(outcome.processor_seconds for outcome in outcomes)
    counts = f"{len(outcomes) - failures} passed, {failures} failed"
    # All processes of the machine: a stage's seconds omit children that weren't waited for.
    share = (_busy() - busy) / (time.monotonic() - start) / (os.cpu_count() or 1)
    print(f"\n{counts}, {total:.0f} s of processor; cores were busy {share:.0%}", flush=True)
    # Repeat what failed, for readers who have only the end of a long log.
    for outcome in outcomes:
        if not outcome.passed:
            print(f"\n── {outcome.name}: its last lines\n{''.join(outcome.last_lines)}", flush=True)
    return failures


def _busy() -> float:
    """Seconds that the machine's cores have worked so far."""
    times = psutil.cpu_times()
    return float(times.user + times.system + getattr(times, "nice", 0))


def _run(stage: Stage, beside_others: bool) -> Outcome:
    start = time.monotonic()
    if not stage.quiet:
        print(f"\n── {stage.name}", flush=True)
    prefix = f"{stage.name} │ " if beside_others else ""
    lines: list[str] = []
    last: deque[str] = deque(maxlen=LAST_LINES)
    seconds = 0.0
    try:
        with subprocess.Popen(
            stage.command,
            cwd=ROOT,
            env=os.environ | stage.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                last.append(line)
                if stage.quiet:
                    lines.append(line)
                else:
                    sys.stdout.write(prefix + line)
                    sys.stdout.flush()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = usage.ru_utime + usage.ru_stime
        passed = process.returncode == 0
    except FileNotFoundError as missing:
        passed = False
        lines.append(f"{missing.filename}: not found\n")
        last.append(lines[-1])
    if lines and not passed:
        print(f"\n── {stage.name}\n{''.join(lines)}", file=sys.stderr, flush=True)
    return Outcome(stage.name, passed, time.monotonic() - start, seconds, tuple(last))
