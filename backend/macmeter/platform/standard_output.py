"""Standard output for bytes."""

from typing import BinaryIO

DESCRIPTOR = 1


def opened() -> BinaryIO:
    """Open it with a buffer: with PYTHONUNBUFFERED, Python's own has none and loses what a pipe
    doesn't accept at once.
    """
    return open(DESCRIPTOR, "wb", closefd=False)
