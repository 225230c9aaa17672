"""Memory that stays, and memory that was needed for a moment."""

from __future__ import annotations

import atexit
import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# A few megabytes of them.
_OBJECTS = 20_000


@contextmanager
def staying() -> Iterator[None]:
    """What is made meanwhile, as by imports, is never looked at for garbage.

    Looking at it again and again takes a quarter of the time of an import. Forked processes share
    it for longer, too: collecting garbage writes to all that it looks at.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


# What a library still has when the interpreter ends it reports as a leak.
atexit.register(gc.unfreeze)


def rarely_look_for_garbage() -> None:
    """For processes that make thousands of objects for a request, nearly none of them garbage that
    has to be looked for: with Python's own threshold each upload was held up several times.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS)


def give_back() -> None:
    """Look for all garbage, and `trim`: some tens of milliseconds, for when nobody waits."""
    gc.collect()
    trim()


def trim() -> None:
    """Return to the system what is free, which C's allocator keeps until it is asked."""
    of_glibc = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if of_glibc is not None:
        of_glibc(0)
