"""Jobs for the tests of helper processes."""

from __future__ import annotations

import os
import time

import psutil
from macmeter.platform.errors import invalid


async def doubled(number: int) -> int:
    return 2 * number


async def own_pid() -> int:
    return os.getpid()


async def refuse(pointer: str) -> None:
    raise invalid(pointer, "no")


async def fail(number: int) -> float:
    return number / 0


async def take(seconds: float) -> None:
    """Block the process, as statistics do."""
    time.sleep(seconds)


async def end() -> None:
    os._exit(1)


async def scatter(megabytes: int) -> int:
    """Allocate that many megabytes in small pieces, keep only the last, and return own memory."""
    pieces = [b"%064d" % number * 1000 for number in range(megabytes * 16)]
    _kept.append(pieces[-1])
    return own_memory()


async def memory() -> int:
    """Bytes that this process shares with no other."""
    return own_memory()


def own_memory() -> int:
    return int(psutil.Process().memory_full_info().uss)


_kept: list[bytes] = []
