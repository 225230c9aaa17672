"""Memory that was needed for a moment: C's allocator keeps it until it is asked to return it."""

from __future__ import annotations

import ctypes
import gc


def give_back() -> None:
    """Return to the system what is free; some tens of milliseconds, for when nobody waits."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc alone
    if trim is not None:
        trim(0)
