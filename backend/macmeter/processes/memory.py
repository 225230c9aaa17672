"""Memory that was needed for a moment: C's allocator keeps it until it is asked to return it."""

from __future__ import annotations

import ctypes
import gc


def give_back() -> None:
    """Return to the system what is free; some tens of milliseconds, for when nobody waits."""
    gc.collect()
    trim()


def trim() -> None:
    """The same without a look for garbage in circles: some milliseconds."""
    of_glibc = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if of_glibc is not None:
        of_glibc(0)
