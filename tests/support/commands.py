"""The server's own commands, as an operator gives them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from support.documents import Document, encoded
from support.live_server import COMMAND


def command(database_url: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What `macmeter-server ARGUMENTS` said of that database, and how it ended."""
    return subprocess.run(
        [COMMAND, *arguments],
        env=environment(database_url, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def begun(
    database_url: str, *arguments: str, stdin: int | None = None, **more: str
) -> subprocess.Popen[str]:
    """The same, still running."""
    return subprocess.Popen(
        [COMMAND, *arguments],
        env=environment(database_url, **more),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def environment(database_url: str, **more: str) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": database_url, **more}


def ndjson(path: Path, documents: Iterable[Document | bytes]) -> Path:
    """A file with a document a line."""
    lines: Sequence[bytes] = [d if isinstance(d, bytes) else encoded(d) for d in documents]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
