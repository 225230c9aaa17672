"""The cost of running another program, measured beside a small process of its own.

Linux counts the memory of the process that starts a program towards the program's peak. A test run
may hold hundreds of megabytes, so a bare interpreter starts the program instead.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_STARTER = """
import json, os, sys
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
unit = 1 if os.uname().sysname == "Darwin" else 1024
with open(sys.argv[1], "w") as file:
    json.dump([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit], file)
"""


@dataclass(frozen=True)
class Spent:
    """Resources that an ended program took."""

    code: int
    """Exit code, or the negative number of the signal that ended it."""
    processor: float
    """Seconds of user and system time."""
    peak_memory: int
    """Bytes."""


def spent(
    line: list[str],
    report: Path,
    environment: dict[str, str] | None = None,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stdout: IO[bytes] | int = subprocess.DEVNULL,
    stderr: IO[bytes] | int = subprocess.DEVNULL,
) -> Spent:
    """Run a program to its end; `report` is a path to use for a temporary file."""
    starter = [sys.executable, "-I", "-S", "-c", _STARTER, str(report), *line]
    subprocess.run(
        starter,
        env=environment or dict(os.environ),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        check=True,
    )
    status, processor, memory = json.loads(report.read_text())
    report.unlink()
    return Spent(os.waitstatus_to_exitcode(status), processor, memory)
