"""Standard output for bytes."""

from __future__ import annotations

from typing import BinaryIO

DESCRIPTOR = 1


def opened() -> BinaryIO:
    """With a buffer: Python's own has none where PYTHONUNBUFFERED is set, and forgets what a pipe
    doesn't take at once.
    """
    return open(DESCRIPTOR, "wb", closefd=False)
