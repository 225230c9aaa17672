"""Loops that run in a thread while whoever began them goes on: they hold no lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")

# With fewer rows a thread takes longer to begin than it saves.
_MANY = 200_000
# Asking the system each time would take longer than many a loop.
_CORES = os.cpu_count() or 1
# One for a loop whose result is wanted at once, one for those that are wanted later.
_THREADS = 2


def pays(rows: int) -> bool:
    """Whether a loop over so many rows is there sooner."""
    return rows >= _MANY and _CORES > 1


def begin(work: Callable[[], T]) -> Future[T]:
    """What comes of it."""
    return _threads().submit(work)


def begin_many(work: Callable[[], T], rows: int) -> Future[T]:
    """What comes of a loop over so many rows; over few it is done at once."""
    if pays(rows):
        return begin(work)
    done: Future[T] = Future()
    done.set_result(work())
    return done


def at_once(works: Sequence[Callable[[], T]], rows: int) -> list[T]:
    """What comes of each: of the first one here, of the others in threads, where rows are many."""
    if not pays(rows):
        return [work() for work in works]
    first, *others = works
    begun = [begin(work) for work in others]
    return [first(), *(one.result() for one in begun)]


@cache
def _threads() -> ThreadPoolExecutor:
    """Begun where they are needed first, which is after a process was forked."""
    return ThreadPoolExecutor(_THREADS, "macmeter-loops")
