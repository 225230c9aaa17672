"""Threads in which somebody else's server is waited for: one that hangs keeps no thread from what
this server does itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class Outward:
    """So many are waited for at once; others queue behind them."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def wait(self, ask: Callable[..., T], *arguments: Any, **options: Any) -> T:
        """What `ask` returns or raises, which may take its time."""
        work = partial(ask, *arguments, **options)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
