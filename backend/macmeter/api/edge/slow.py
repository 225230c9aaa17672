"""Disconnects clients that read nothing, because they hold what others need."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What must be taken in time; what is sent in larger parts is divided.
_PART_BYTES = 32 * 1024


class _Gone(BaseException):
    """Ends the response from within; no Exception, which somebody might want to answer."""


class SlowReaders:
    def __init__(self, app: ASGIApp, seconds: float) -> None:
        """Ends a stream of which nothing was taken for `seconds`; a response that comes whole is
        not held up by us.
        """
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
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
            # The connection breaks: half a response does not pass for a whole one.
            if not gone:
                raise


def _parts(message: Message) -> list[Message]:
    """A part of a stream in smaller ones."""
    body = message.get("body", b"")
    if len(body) <= _PART_BYTES:
        return [message]
    starts = range(0, len(body), _PART_BYTES)
    return [{**message, "body": body[start : start + _PART_BYTES]} for start in starts]
