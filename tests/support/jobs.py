"""Jobs for the tests of helping processes."""

from __future__ import annotations

import os
import time

from macmeter.errors import invalid


async def doubled(number: int) -> int:
    return 2 * number


async def own_pid() -> int:
    return os.getpid()


async def refuse(pointer: str) -> None:
    raise invalid(pointer, "no")


async def fail(number: int) -> float:
    return number / 0


async def take(seconds: float) -> None:
    """Holds the process meanwhile, as statistics do."""
    time.sleep(seconds)


async def end() -> None:
    os._exit(1)
