"""Directories for downloads that are under way: nobody else reads them, and none outlives its use.

ROOT/downloads/<random>/    locked by whoever sends what is in it
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from macmeter.dataset.files import make_directory

_BELOW = "downloads"


@contextlib.contextmanager
def directory(root: Path | None) -> Iterator[Path]:
    """A new one below `root`, or where programs put what is temporary; removed in the end."""
    if root is None:
        with tempfile.TemporaryDirectory(prefix="macmeter-") as name:
            yield Path(name)
        return
    with _locked(root) as below:
        path = below / secrets.token_hex(8)
        make_directory(path)
        lock = os.open(path, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


@contextlib.contextmanager
def _locked(root: Path) -> Iterator[Path]:
    """While nobody else makes one or removes any."""
    make_directory(root / _BELOW)
    lock = os.open(root / _BELOW, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield root / _BELOW
    finally:
        os.close(lock)


def sweep(root: Path) -> None:
    """Remove those of processes that have ended, however they did."""
    if not (root / _BELOW).exists():
        return
    with _locked(root) as below:
        for path in below.iterdir():
            lock = os.open(path, os.O_RDONLY)
            try:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
