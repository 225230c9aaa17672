"""Memory of Python processes: rarer garbage collection, and returning free memory to the system."""

import atexit
import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Number of new objects, a few megabytes, after which the GC runs.
_GC_THRESHOLD = 20_000


@contextmanager
def exempt_from_gc() -> Iterator[None]:
    """Exclude objects that are created inside the block, as by imports, from garbage collection.

    Collections take a quarter of the time of an import. Forked processes also share the memory for
    longer, because the GC writes to every object that it inspects.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


# Otherwise libraries report objects that remain at the interpreter's end as leaks.
atexit.register(gc.unfreeze)


def collect_rarely() -> None:
    """Make the GC run rarely, for processes that create thousands of objects per request.

    Nearly none of these are cyclic, and Python's default threshold interrupted each upload several
    times.
    """
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)


def collect_and_trim() -> None:
    """Run a full collection and `trim`; takes some tens of milliseconds, so only when idle."""
    gc.collect()
    trim()


def trim() -> None:
    """Return free memory that C's allocator retains to the system."""
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
