"""Threads for outbound calls: a server that hangs takes no thread from our own work."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class OutboundThreads:
    """Thread pool for outbound calls; calls beyond its size queue."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def wait(self, ask: Callable[..., T], *arguments: Any, **options: Any) -> T:
        """Return or raise what `ask` does; it may block."""
        work = partial(ask, *arguments, **options)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
