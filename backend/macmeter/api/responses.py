"""Answers as HTTP responses: JSON, and CSV to be saved."""

from __future__ import annotations

import gzip
from collections.abc import AsyncGenerator, Callable
from dataclasses import fields, is_dataclass
from typing import Any

import orjson
from fastapi.responses import Response, StreamingResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Receive, Scope, Send

from macmeter.api.edge.conditional import tag_of
from macmeter.api.edge.packing import packed, takes_gzip


def json_response(content: Any, status_code: int = 200) -> Response:
    """Requested again on every load, as a run stored a moment ago must show; 304 where none was.

    The time of a question doesn't change its answer: the tag leaves `as_of` out.
    """
    as_of, lasting = None, content
    if is_dataclass(content) and not isinstance(content, type):
        content = {one.name: getattr(content, one.name) for one in fields(content)}
    if isinstance(content, dict) and content.get("as_of"):
        as_of = content["as_of"]
        lasting = {name: value for name, value in content.items() if name != "as_of"}
    body = timeless = orjson.dumps(lasting)
    if as_of and lasting:
        # Not all written once more: an answer may be megabytes.
        body = orjson.dumps({"as_of": as_of})[:-1] + b"," + timeless[1:]
    headers = {"Cache-Control": "no-store"}
    if status_code == 200:
        headers = {"Cache-Control": "no-cache", "ETag": tag_of(timeless)}
    return ReadyResponse(
        body, status_code=status_code, media_type="application/json", headers=headers
    )


class ReadyResponse(Response):
    """May have its body packed: once, for all who are sent it while it is kept, in a tenth of the
    room.
    """

    packed: bytes | None = None

    def pack(self) -> None:
        """The body is in `packed` from then on; its length and tag stay in the headers."""
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
    """A stream that holds something, a turn for one, and gives it back however it ends: its reader
    may just go.
    """

    def __init__(
        self, content: AsyncGenerator[bytes], give_back: Callable[[], None], **told: Any
    ) -> None:
        super().__init__(content, **told)
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
