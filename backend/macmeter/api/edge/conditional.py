"""ETag of responses, and 304 for clients that already have one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What a 304 has no use for: it has no body.
_OF_A_BODY = ("content-length", "content-type", "content-encoding", "content-disposition")


def tag_of(content: bytes) -> str:
    """Weak: packing may change the bytes on the way."""
    return f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'


def is_known(if_none_match: str, tag: str) -> bool:
    """Whether the client's tags name this one, weak or not."""
    known = {one.strip().removeprefix("W/") for one in if_none_match.split(",")}
    return not known.isdisjoint({tag.removeprefix("W/"), "*"})


class Conditional:
    """A response that comes whole gets a tag where it has none; `no-store` gets nothing.

    The tag is made of the response alone. Nothing is remembered of other responses, which may be
    another reader's: there is no Last-Modified.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        unchanged = False

        async def send_conditional(message: Message) -> None:
            nonlocal start, unchanged
            if message["type"] == "http.response.start":
                start = message
            elif start is not None:
                first, start = start, None
                unchanged = self._unchanged(scope, first, message)
                await send(_not_modified(first) if unchanged else first)
                await send({"type": "http.response.body"} if unchanged else message)
            elif not unchanged:
                await send(message)

        await self._app(scope, receive, send_conditional)

    def _unchanged(self, scope: Scope, start: Message, body: Message) -> bool:
        """Whether the client has it; completes the headers."""
        headers = MutableHeaders(raw=start["headers"])
        # What says nothing of caches outside the API is for whoever watches the server: always now.
        silent = "" if scope["path"].startswith("/api/") else "no-store"
        if start["status"] != 200 or "no-store" in headers.get("cache-control", silent):
            return False
        tag = headers.get("etag")
        if tag is None:
            if body.get("more_body", False):
                return False
            tag = tag_of(body.get("body", b""))
            headers["ETag"] = tag
        sent = Headers(scope=scope).getlist("if-none-match")
        return bool(sent) and is_known(",".join(sent), tag)


def _not_modified(start: Message) -> Message:
    headers: Iterable[tuple[bytes, bytes]] = start["headers"]
    left = [(name, value) for name, value in headers if name.decode().lower() not in _OF_A_BODY]
    return {**start, "status": 304, "headers": left}
