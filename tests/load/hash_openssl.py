"""SHA-256 of a cached file by the agent, relative to `openssl dgst -sha256` of the same file.

Both compute with libcrypto, so the ratio is the agent's own overhead. openssl is timed from start
to end, minus its time for an empty file.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from load.agent import alternated, built, compared, measure

BYTES = 1_000_000_000
PAIRS = 15


def figures() -> list[dict[str, Any]]:
    """`hash/openssl`: B/s while reading a cached file."""
    agent = built()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        file, empty = directory / "file", directory / "empty"
        with file.open("wb") as out:
            for _ in range(BYTES // 1_000_000):
                out.write(os.urandom(1_000_000))
        empty.touch()

        def ours() -> float:
            result = measure(
                agent, directory / "home", "hash", str(file), "--cached", "--passes", "1"
            )
            return result.values("hash.sha256_speed")[0]

        def theirs() -> float:
            started = openssl(empty)
            return BYTES / (openssl(file) - started)

        return [compared("hash/openssl", "B/s", alternated(PAIRS, ours, theirs))]


def openssl(file: Path) -> float:
    """Seconds of `openssl dgst -sha256`."""
    start = time.monotonic()
    subprocess.run(["openssl", "dgst", "-sha256", str(file)], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start
