"""Limits on every request: the size and pace of bodies, slow readers, guessed links.

A body may have `DEFAULT_BYTES`, unless its reader allows more before the first byte (`allow_body`).
One that declares itself larger is refused unread; one that turns out to be larger is refused at the
first byte too many. Bodies are also refused, for a moment, while a worker holds too many bytes of
all requests together.

Links that exist open for everybody, including guessers: an office has one address.
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

# Largest part that has to be taken in time. Larger ones are divided.
_PART_BYTES = 32 * 1024


class _Gone(BaseException):
    """Signal that ends the response from within. Not an Exception, which a handler might answer."""


class SlowReaders:
    def __init__(self, app: ASGIApp, seconds: float) -> None:
        """End a stream if nothing was taken for `seconds`.

        A response that comes whole isn't limited.
        """
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
# Bodies that a worker holds at once, decompressed: eight of the largest documents, or thousands of
# usual ones.
HELD_BYTES = 64 * 1024 * 1024
# Maximum time between two parts of a body; a slower line is dead. After this time in all, a body
# needs this rate: a byte now and then would hold its connection for years.
STALLED_SECONDS = 60.0
LEAST_RATE = 1_000
# A refused body is read on for a moment and discarded: many clients look at the response only once
# they have sent what they had at hand.
_LINGER_BYTES = 1024 * 1024
_LINGER_SECONDS = 2.0
_KEY = "macmeter.body"


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


def patience(waited: float, received: int) -> float:
    """Seconds that the next part may take, after so many for so many bytes."""
    return min(STALLED_SECONDS, STALLED_SECONDS + received / LEAST_RATE - waited)


def allow_body(request: Request, limit: int, *, held: bool = True) -> None:
    """Allow this request a body of `limit` bytes as sent. Call it before reading.

    Without `held`, the caller releases each part before it reads the next.
    """
    body: _Body = request.scope[_KEY]
    body.limit, body.is_held = limit, held


def hold(request: Request, count: int) -> None:
    """Count bytes that are held until the request ends, as when a body was decompressed.

    Raise 503 if all requests together would hold too many.
    """
    body: _Body = request.scope[_KEY]
    body.hold(count)


class _Room:
    """Rest of HELD_BYTES."""

    def __init__(self) -> None:
        self.left = HELD_BYTES


class BoundedBodies:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._room = _Room()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(scope, receive, self._room)
        try:
            await self._app({**scope, _KEY: body}, body.receive, send)
        finally:
            body.release()
        if body.refused:
            await body.linger()


class _Body:
    """Body of one request on its way in."""

    def __init__(self, scope: Scope, receive: Receive, room: _Room) -> None:
        length = Headers(scope=scope).get("content-length", "")
        self._declared = int(length) if length.isdecimal() else 0
        self._receive = receive
        self._room = room
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
            async with asyncio.timeout(patience(self._waited, self._received)):
                message = await self._receive()
        except TimeoutError:
            detail = (
                f"No part of the body arrived for {STALLED_SECONDS:.0f} seconds, or fewer than "
                f"{LEAST_RATE:,} bytes a second. Send it again."
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
        if count > self._room.left:
            raise self._refuse(_full())
        self._room.left -= count
        self._held += count

    def release(self) -> None:
        self._room.left += self._held
        self._held = 0

    def _refuse(self, problem: BodyRefused) -> BodyRefused:
        self.refused = True
        problem.headers["Connection"] = "close"
        return problem

    async def linger(self) -> None:
        """Read on after the response, within narrow bounds."""
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


class Guesses:
    def __init__(self, app: ASGIApp, limit: int, proxies: int) -> None:
        """Answer 429 instead of a 404 that is one too many in an hour."""
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
