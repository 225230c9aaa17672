"""The bound on every request body, kept while it arrives.

Whoever reads a body gets at most `DEFAULT_BYTES` of it, unless it asked for more before the first
byte (`allow_body`). What declares itself larger is refused unread; what turns out to be larger is
refused at the byte that is too many. So is, for a moment, what would be more than a worker holds of
all requests together.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.errors import Problem

DEFAULT_BYTES = 64 * 1024
# Of all bodies that a worker holds at once, unpacked: eight of the largest documents, or thousands
# of usual ones.
HELD_BYTES = 64 * 1024 * 1024
# Between two parts of a body; a line that is slower than this has gone dead. After so long in all a
# body has to have had this rate: a byte now and then would hold its connection for years.
STALLED_SECONDS = 60.0
LEAST_RATE = 1_000
# A refused body is read on for a moment and thrown away: many clients look at the answer only once
# they have sent what they had at hand.
_LINGER_BYTES = 1024 * 1024
_LINGER_SECONDS = 2.0
_KEY = "macmeter.body"


class BodyRefused(Problem, HTTPException):  # type: ignore[misc]
    """An HTTPException as well: FastAPI turns any other that a body raises into a 400."""

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
    """How many seconds the next part may take, after so many for so many bytes."""
    return min(STALLED_SECONDS, STALLED_SECONDS + received / LEAST_RATE - waited)


def allow_body(request: Request, limit: int, *, held: bool = True) -> None:
    """Raises this request's bound to `limit` bytes as sent; to be called before reading.

    Without `held` the caller lets each part go before it reads the next.
    """
    body: _Body = request.scope[_KEY]
    body.limit, body.is_held = limit, held


def hold(request: Request, count: int) -> None:
    """So many bytes more are held until the request ends, as when a body was unpacked; 503 where
    all together would be too many.
    """
    body: _Body = request.scope[_KEY]
    body.hold(count)


class _Room:
    """What is left of HELD_BYTES."""

    def __init__(self) -> None:
        self.left = HELD_BYTES


class BoundedBodies:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._room = _Room()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(scope, receive, self._room)
        try:
            await self._app({**scope, _KEY: body}, body.receive, send)
        finally:
            body.let_go()
        if body.refused:
            await body.linger()


class _Body:
    """One request's body on its way in."""

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

    def let_go(self) -> None:
        self._room.left += self._held
        self._held = 0

    def _refuse(self, problem: BodyRefused) -> BodyRefused:
        self.refused = True
        problem.headers["Connection"] = "close"
        return problem

    async def linger(self) -> None:
        """Reads on after the answer, within narrow bounds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                left, more = _LINGER_BYTES, True
                while left > 0 and more:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    more = message.get("more_body", False)
