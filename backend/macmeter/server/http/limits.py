"""Limits on every request: the size and pace of bodies, slow readers, guessed links.

A body may have `DEFAULT_BYTES`, unless its endpoint allows more before it reads it (`allow_body`).
One that declares a larger size is refused unread, and one that turns out larger at the first byte
too many. Bodies are also refused while a worker holds too many bytes of all requests together.

Existing links open even for an address that guesses others: a whole office may share it.
"""

import asyncio
import contextlib
import logging
import re
import time
from collections import Counter

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.accounts.quota import network
from macmeter.platform.errors import Problem
from macmeter.server.http.hosts import client_address

# Largest part that a client has to take within the time limit. Larger ones are divided.
_PART_BYTES = 32 * 1024


class _Gone(BaseException):
    """Ends the response of a client that is gone. No Exception, which a handler might answer."""


class SlowReaders:
    """Middleware that ends a streamed response if its client took nothing for `seconds`."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = streams = False

        async def send_in_time(message: Message) -> None:
            nonlocal gone, streams
            if gone:
                raise _Gone
            streams = streams or message.get("more_body", False)
            if not streams:
                await send(message)
                return
            try:
                for part in _parts(message):
                    async with asyncio.timeout(self._seconds):
                        await send(part)
            except TimeoutError:
                gone = True
                raise _Gone from None

        try:
            await self._app(scope, receive, send_in_time)
        except BaseException:
            # Breaks the connection: half a response must not pass for a whole one.
            if not gone:
                raise


def _parts(message: Message) -> list[Message]:
    """Divide a part of a stream into smaller ones."""
    body = message.get("body", b"")
    if len(body) <= _PART_BYTES:
        return [message]
    starts = range(0, len(body), _PART_BYTES)
    return [{**message, "body": body[start : start + _PART_BYTES]} for start in starts]


DEFAULT_BYTES = 64 * 1024
# Size of all bodies that a worker holds at once, decompressed: eight of the largest documents, or
# thousands of usual ones.
HELD_BYTES = 64 * 1024 * 1024
# Maximum time between two parts of a body. A body that takes longer than this in all must also keep
# the minimum rate: a byte now and then would hold its connection for years.
STALLED_SECONDS = 60.0
MIN_BYTES_PER_SECOND = 1_000
# The rest of a refused body is read for a moment and discarded: many clients read the response only
# after they have sent what they have.
_LINGER_BYTES = 1024 * 1024
_LINGER_SECONDS = 2.0
_SCOPE_KEY = "macmeter.body"


class BodyRefused(Problem, HTTPException):  # type: ignore[misc]
    """Refusal of a body. An HTTPException as well: FastAPI turns any other into a 400."""

    def __init__(self, status: int, code: str, title: str, detail: str) -> None:
        Problem.__init__(self, status, code, title, detail)
        self.status_code = status


def too_large(limit: int) -> BodyRefused:
    detail = f"The body can have at most {limit:,} bytes."
    refused = BodyRefused(413, "too_large", "Body too large", detail)
    refused.extra["limit"] = limit
    return refused


def _full() -> BodyRefused:
    detail = (
        "This server is reading as many documents as it has memory for. Try again in 5 seconds."
    )
    refused = BodyRefused(503, "server_full", "Server full", detail)
    refused.headers["Retry-After"] = "5"
    return refused


def part_timeout(waited: float, received: int) -> float:
    """Return the seconds that the next part may take, from those waited for the bytes so far."""
    return min(STALLED_SECONDS, STALLED_SECONDS + received / MIN_BYTES_PER_SECOND - waited)


def allow_body(request: Request, limit: int, *, held: bool = True) -> None:
    """Allow this request a body of `limit` bytes as sent. Call it before reading.

    Without `held`, the caller releases each part before it reads the next.
    """
    body: _Body = request.scope[_SCOPE_KEY]
    body.limit, body.is_held = limit, held


def hold(request: Request, count: int) -> None:
    """Count bytes that are held until the request ends, as when a body was decompressed.

    Raise 503 if all requests together would hold too many.
    """
    body: _Body = request.scope[_SCOPE_KEY]
    body.hold(count)


class _Memory:
    """Memory left of HELD_BYTES, shared by all requests of a worker."""

    def __init__(self) -> None:
        self.left = HELD_BYTES


class BoundedBodies:
    """Middleware that limits the size and pace of bodies."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._memory = _Memory()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(scope, receive, self._memory)
        try:
            await self._app({**scope, _SCOPE_KEY: body}, body.receive, send)
        finally:
            body.release()
        if body.refused:
            await body.linger()


class _Body:
    """Body of one request while it arrives."""

    def __init__(self, scope: Scope, receive: Receive, memory: _Memory) -> None:
        length = Headers(scope=scope).get("content-length", "")
        self._declared = int(length) if length.isdecimal() else 0
        self._receive = receive
        self._memory = memory
        self._held = 0
        self._received = 0
        self._waited = 0.0
        self._whole = False
        self.limit = DEFAULT_BYTES
        self.is_held = True
        self.refused = False

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()
        if self._declared > self.limit:
            raise self._refuse(too_large(self.limit))
        began = time.monotonic()
        try:
            async with asyncio.timeout(part_timeout(self._waited, self._received)):
                message = await self._receive()
        except TimeoutError:
            detail = (
                f"No part of the body arrived for {STALLED_SECONDS:.0f} seconds, or fewer than "
                f"{MIN_BYTES_PER_SECOND:,} bytes a second. Send it again."
            )
            raise self._refuse(BodyRefused(408, "stalled", "Body stalled", detail)) from None
        self._waited += time.monotonic() - began
        self._received += len(message.get("body", b""))
        if self._received > self.limit:
            raise self._refuse(too_large(self.limit))
        if self.is_held:
            self.hold(len(message.get("body", b"")))
        self._whole = not message.get("more_body", False)
        return message

    def hold(self, count: int) -> None:
        if count > self._memory.left:
            raise self._refuse(_full())
        self._memory.left -= count
        self._held += count

    def release(self) -> None:
        self._memory.left += self._held
        self._held = 0

    def _refuse(self, problem: BodyRefused) -> BodyRefused:
        self.refused = True
        problem.headers["Connection"] = "close"
        return problem

    async def linger(self) -> None:
        """Read some of the rest after the response; see `_LINGER_BYTES`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                left, more = _LINGER_BYTES, True
                while left > 0 and more:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    more = message.get("more_body", False)


log = logging.getLogger("macmeter")
_LINKS = re.compile(r"/(embed/)?c/.|/api/v1/comparisons/.|/api/v1/oembed$")
_HOUR = 3600.0
# The counts restart after this many addresses in an hour.
_MOST_COUNTED = 100_000


class GuessLimiter:
    """Middleware that limits how many nonexistent links an address may open in an hour: it answers
    429 instead of 404.
    """

    def __init__(self, app: ASGIApp, limit: int, proxies: int) -> None:
        self._app = app
        self._limit = limit
        self._proxies = proxies
        self._counted: Counter[bytes] = Counter()
        self._end = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _LINKS.match(scope["path"]):
            await self._app(scope, receive, send)
            return
        refused: Problem | None = None

        async def send_counted(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 404:
                refused = self._count(Request(scope))
                if refused is not None:
                    await refused.response()(scope, receive, send)
            if refused is None:
                await send(message)

        await self._app(scope, receive, send_counted)

    def _count(self, request: Request) -> Problem | None:
        now = time.monotonic()
        if now >= self._end or len(self._counted) >= _MOST_COUNTED:
            self._counted.clear()
            self._end = now + _HOUR
        address = client_address(request, self._proxies)
        key = network(address)
        self._counted[key] += 1
        if self._counted[key] <= self._limit:
            return None
        if self._counted[key] == self._limit + 1:
            log.warning("links guessed", extra={"fields": {"of": address}})
        detail = "Too many nonexistent links were opened from this address. Try again in an hour."
        return Problem(
            429,
            "too_many_unknown_links",
            "Too many unknown links",
            detail,
            headers={"Retry-After": str(int(self._end - now) + 1)},
        )
