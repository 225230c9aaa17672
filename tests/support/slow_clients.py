"""Clients that hold a connection without using it, many in one thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "silent", "half sent", "slow header", "idle", "half a second", "slow body", "slow reader"
]
# A request with a long response, and one whose body the server waits for.
REQUEST = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n"
# After its response nothing comes, or half of another request.
SHORT = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BODY = (
    b"POST /api/v1/comparisons HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
)
FIRST: dict[Kind, bytes] = {
    "silent": b"",
    "half sent": REQUEST,
    "slow header": REQUEST + b"X: ",
    "idle": SHORT,
    "half a second": SHORT + REQUEST,
    "slow body": BODY,
    "slow reader": REQUEST + b"\r\n",
}
DRIPPING: tuple[Kind, ...] = ("slow header", "slow body")
DRIP_SECONDS = 1.0


@dataclass
class SlowClients:
    """Counts of what happened to their connections."""

    port: int
    opened: int = 0
    refused: int = 0
    cut: list[float] = field(default_factory=list)
    """Seconds from opening a connection until the server ended it."""

    async def hold(self, kind: Kind, again: bool) -> None:
        """Hold a connection until the server ends it; with `again`, keep opening new ones."""
        while True:
            await self._once(kind)
            if not again:
                return
            await asyncio.sleep(DRIP_SECONDS)

    async def _once(self, kind: Kind) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1024)
        except OSError:
            self.refused += 1
            return
        self.opened += 1
        try:
            writer.write(FIRST[kind])
            with contextlib.suppress(OSError):
                await self._until_cut(kind, reader, writer)
            self.cut.append(loop.time() - start)
        finally:
            writer.close()

    async def _until_cut(
        self, kind: Kind, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if kind == "slow reader":
            # Reads a little of the response now and then.
            while await reader.read(64):
                await asyncio.sleep(DRIP_SECONDS)
            return
        answer = asyncio.ensure_future(reader.read())
        while kind in DRIPPING and not answer.done():
            await asyncio.wait([answer], timeout=DRIP_SECONDS)
            writer.write(b"a")
        await answer


@contextmanager
def slow_clients(
    port: int, number: int, *kinds: Kind, again: bool = False
) -> Iterator[SlowClients]:
    """Run `number` clients of these kinds in turn; `again`: they reconnect when cut off."""
    clients = SlowClients(port)
    loop = asyncio.new_event_loop()

    async def all_of_them() -> None:
        holding = [clients.hold(kinds[n % len(kinds)], again) for n in range(number)]
        await asyncio.gather(*holding)

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(working)
        loop.run_until_complete(loop.shutdown_asyncgens())

    working = loop.create_task(all_of_them())
    thread = threading.Thread(target=run, name="slow clients", daemon=True)
    thread.start()
    try:
        yield clients
    finally:
        loop.call_soon_threadsafe(working.cancel)
        thread.join()
        loop.close()
