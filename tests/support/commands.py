"""The server's own commands, as an operator gives them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from macmeter.platform.processes import template

from support.documents import Document, encoded
from support.forked import Forking

COMMAND = str(Path(sys.executable).with_name("macmeter-server"))
SECONDS = 300


def command(database_url: str, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `macmeter-server ARGUMENTS` on that database; return its output and status."""
    return run_command(environment(database_url, **extra), *arguments)


def run_command(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it with a complete environment: forked, or executed where forking is unsound."""
    if template.CAN_FORK:
        return forking().run([*arguments], environment, SECONDS)
    return subprocess.run(
        [COMMAND, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


_forking: Forking | None = None
_turn = threading.Lock()


def forking() -> Forking:
    """Process that this process's servers and commands are forked from, started when needed."""
    global _forking
    with _turn:
        _forking = _forking or Forking()
        return _forking


def end_forking() -> None:
    global _forking
    if _forking is not None:
        _forking.end()
        _forking = None


def begun(
    database_url: str, *arguments: str, stdin: int | None = None, **extra: str
) -> subprocess.Popen[str]:
    """Start a command as an operator's shell does, without waiting for it."""
    return subprocess.Popen(
        [COMMAND, *arguments],
        env=environment(database_url, **extra),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def environment(database_url: str, **extra: str) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": database_url, **extra}


def ndjson(path: Path, documents: Iterable[Document | bytes]) -> Path:
    """Write a file with one document per line."""
    lines: Sequence[bytes] = [d if isinstance(d, bytes) else encoded(d) for d in documents]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
