"""Responses: JSON and CSV, their ETag, 304 for clients that already have one, and gzip.

Only responses to GET are compressed, unless a proxy in front does it, and never event streams or
what is compressed already. None of them has both the reader's input and a secret, whose length
compression would reveal (BREACH): the secrets of new comparisons are in responses to POST.
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

# Headers that a 304 leaves out, as it has no body.
_BODY_HEADERS = ("content-length", "content-type", "content-encoding", "content-disposition")


def tag_of(content: bytes) -> str:
    """Return a weak ETag, since compression may change the bytes on the way."""
    return f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'


def is_known(if_none_match: str, tag: str) -> bool:
    """Return whether the client's tags name this one, weak or not."""
    tags = {written.strip().removeprefix("W/") for written in if_none_match.split(",")}
    return not tags.isdisjoint({tag.removeprefix("W/"), "*"})


class Conditional:
    """Middleware that adds an ETag to a whole response without one, unless `no-store`, and sends
    304.

    The tag is computed from the response alone. Nothing is remembered of other responses, which may
    be another reader's, so there is no Last-Modified.
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
        # Outside the API, responses without Cache-Control are for monitoring, which needs fresh
        # ones.
        default = "" if scope["path"].startswith("/api/") else "no-store"
        if start["status"] != 200 or "no-store" in headers.get("cache-control", default):
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
    left = [(name, value) for name, value in headers if name.decode().lower() not in _BODY_HEADERS]
    return {**start, "status": 304, "headers": left}


_SMALLEST_BYTES = 1000
_LEVEL = 6
# Somebody waits for answers: ISA-L takes a fourteenth of the time, for a seventh more bytes.
_LEVEL_OF_ANSWERS = 2
_COMPRESSED_TYPES = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/vnd.apache.parquet")


class Gzip:
    """Middleware that compresses responses to GET for clients that accept gzip."""

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
            GZipResponder(
                self._app, _SMALLEST_BYTES, _LEVEL, exclude_content_types=_COMPRESSED_TYPES
            )
            if packs
            else IdentityResponder(
                self._app, _SMALLEST_BYTES, exclude_content_types=_COMPRESSED_TYPES
            )
        )
        await responder(scope, receive, send_weakened if packs else send)


def gzipped(body: bytes) -> bytes | None:
    """Compress an answer; None if it is so small that `Gzip` leaves it as it is."""
    return (
        igzip.compress(body, _LEVEL_OF_ANSWERS, mtime=0) if len(body) >= _SMALLEST_BYTES else None
    )


def _weaken_tag(headers: MutableHeaders) -> None:
    """Weaken the tag of a compressed response: a strong one would promise the same bytes."""
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
    """Return a JSON response that browsers revalidate on every load: a run stored a moment ago must
    show.

    The tag leaves `as_of` out, since the time of a question doesn't change its answer.
    """
    as_of, untimed = None, content
    if is_dataclass(content) and not isinstance(content, type):
        content = {member.name: getattr(content, member.name) for member in fields(content)}
    if isinstance(content, dict) and content.get("as_of"):
        as_of = content["as_of"]
        untimed = {name: value for name, value in content.items() if name != "as_of"}
    body = untimed_body = orjson.dumps(untimed)
    if as_of and untimed:
        # Avoids serialising all of it again: an answer may be megabytes.
        body = orjson.dumps({"as_of": as_of})[:-1] + b"," + untimed_body[1:]
    headers = {"Cache-Control": "no-store"}
    if status_code == 200:
        headers = {"Cache-Control": "no-cache", "ETag": tag_of(untimed_body)}
    return ReadyResponse(
        body, status_code=status_code, media_type="application/json", headers=headers
    )


class ReadyResponse(Response):
    """Response that is compressed once for everybody who gets it from the cache, where it takes a
    tenth of the room then.
    """

    gzipped: bytes | None = None

    def compress(self) -> None:
        """Replace the body by `gzipped`. Its length and tag stay in the headers."""
        body = bytes(self.body)
        self.gzipped = gzipped(body)
        if self.gzipped is not None:
            MutableHeaders(raw=self.raw_headers).setdefault("ETag", tag_of(body))
            self.body = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.gzipped is None:
            await super().__call__(scope, receive, send)
            return
        headers, body = MutableHeaders(raw=[*self.raw_headers]), self.gzipped
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
    """Stream that holds something, such as a slot, and gives it back however it ends: clients may
    just disconnect.
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
