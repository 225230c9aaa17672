"""Responses: JSON and CSV, their ETag, 304 for clients that already have one, and gzip.

Only responses to reads are packed, if no proxy in front does it, and never what is packed already
or streams events. None of them has both the reader's input and a secret, whose length packing would
reveal (BREACH): the secrets of new comparisons are in responses to POST.
"""

import gzip
import hashlib
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import orjson
from fastapi.responses import Response, StreamingResponse
from isal import igzip
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import (
    DEFAULT_EXCLUDED_CONTENT_TYPES,
    GZipResponder,
    IdentityResponder,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Headers without use in a 304, which has no body.
_OF_A_BODY = ("content-length", "content-type", "content-encoding", "content-disposition")


def tag_of(content: bytes) -> str:
    """Weak ETag, since packing may change the bytes on the way."""
    return f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'


def is_known(if_none_match: str, tag: str) -> bool:
    """Return whether the client's tags name this one, weak or not."""
    tags = {written.strip().removeprefix("W/") for written in if_none_match.split(",")}
    return not tags.isdisjoint({tag.removeprefix("W/"), "*"})


class Conditional:
    """Middleware that adds an ETag to a whole response without one, unless `no-store`, and sends
    304.

    The tag is made of the response alone. Nothing is remembered of other responses, which may be
    another reader's: there is no Last-Modified.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
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
        """Complete the headers. Return whether the client has the response already."""
        headers = MutableHeaders(raw=start["headers"])
        # Outside the API, responses without a word on caches are for monitoring, which needs fresh
        # ones.
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


_SMALLEST = 1000
_LEVEL = 6
# Somebody waits for answers: ISA-L takes a fourteenth of the time, for a seventh more bytes.
_LEVEL_OF_ANSWERS = 2
_PACKED_ALREADY = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/vnd.apache.parquet")


class Packing:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._app(scope, receive, send)
            return

        async def send_weakened(message: Message) -> None:
            if message["type"] == "http.response.start":
                _weaken_tag(MutableHeaders(raw=message["headers"]))
            await send(message)

        packs = takes_gzip(Headers(scope=scope))
        responder = (
            GZipResponder(self._app, _SMALLEST, _LEVEL, exclude_content_types=_PACKED_ALREADY)
            if packs
            else IdentityResponder(self._app, _SMALLEST, exclude_content_types=_PACKED_ALREADY)
        )
        await responder(scope, receive, send_weakened if packs else send)


def packed(body: bytes) -> bytes | None:
    """Pack an answer as `Packing` sends it. Return None if that leaves it as it is."""
    return igzip.compress(body, _LEVEL_OF_ANSWERS, mtime=0) if len(body) >= _SMALLEST else None


def _weaken_tag(headers: MutableHeaders) -> None:
    """Weaken the tag of a packed response, since a strong tag would promise the same bytes."""
    tag = headers.get("etag")
    if tag and not tag.startswith("W/") and "content-encoding" in headers:
        headers["ETag"] = f"W/{tag}"


def takes_gzip(headers: Headers) -> bool:
    """Return whether gzip or * is accepted, and not with a weight of zero."""
    for offer in headers.get("accept-encoding", "").split(","):
        name, _, weight = offer.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def json_response(content: Any, status_code: int = 200) -> Response:
    """JSON response, requested again on every load, as a run stored a moment ago must show.

    304 if nothing changed. The time of a question doesn't change its answer: the tag leaves `as_of`
    out.
    """
    as_of, lasting = None, content
    if is_dataclass(content) and not isinstance(content, type):
        content = {member.name: getattr(content, member.name) for member in fields(content)}
    if isinstance(content, dict) and content.get("as_of"):
        as_of = content["as_of"]
        lasting = {name: value for name, value in content.items() if name != "as_of"}
    body = timeless = orjson.dumps(lasting)
    if as_of and lasting:
        # Saves serialising all of it again: an answer may be megabytes.
        body = orjson.dumps({"as_of": as_of})[:-1] + b"," + timeless[1:]
    headers = {"Cache-Control": "no-store"}
    if status_code == 200:
        headers = {"Cache-Control": "no-cache", "ETag": tag_of(timeless)}
    return ReadyResponse(
        body, status_code=status_code, media_type="application/json", headers=headers
    )


class ReadyResponse(Response):
    """Response whose body may be packed once, for all who get it from the cache, in a tenth of the
    room.
    """

    packed: bytes | None = None

    def pack(self) -> None:
        """Pack the body into `packed`. Its length and tag stay in the headers."""
        body = bytes(self.body)
        self.packed = packed(body)
        if self.packed is not None:
            MutableHeaders(raw=self.raw_headers).setdefault("ETag", tag_of(body))
            self.body = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.packed is None:
            await super().__call__(scope, receive, send)
            return
        headers, body = MutableHeaders(raw=[*self.raw_headers]), self.packed
        if scope["method"] == "GET" and takes_gzip(Headers(scope=scope)):
            headers.add_vary_header("Accept-Encoding")
            headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(body))
        else:
            body = gzip.decompress(body)
        start = {"status": self.status_code, "headers": headers.raw}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": body})


class HeldResponse(StreamingResponse):
    """Stream that holds something, such as a slot, and gives it back however it ends.

    Readers may just disconnect.
    """

    def __init__(
        self, content: AsyncGenerator[bytes], give_back: Callable[[], None], **options: Any
    ) -> None:
        super().__init__(content, **options)
        self._content = content
        self._give_back = give_back

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            try:
                await self._content.aclose()
            finally:
                self._give_back()


def csv_response(lines: str, name: str) -> Response:
    return ReadyResponse(
        lines,
        media_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.csv"',
            "Cache-Control": "no-cache",
        },
    )


SQL = "application/sql"


def sql_response(statement: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(statement, media_type=f"{SQL}; charset=utf-8", headers=headers)
