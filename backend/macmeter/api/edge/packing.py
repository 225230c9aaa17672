"""Responses packed with gzip for those who take it, where no proxy in front does.

Only what is read, and never what is packed already or flows event by event. No response to a
reader repeats the reader's words beside a secret, whose length packing would tell (BREACH): the
secrets of new comparisons answer a POST.
"""

from __future__ import annotations

from isal import igzip
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import (
    DEFAULT_EXCLUDED_CONTENT_TYPES,
    GZipResponder,
    IdentityResponder,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SMALLEST = 1000
_LEVEL = 6
# Whoever asked waits for it: of ISA-L a fourteenth of the time, for a seventh more bytes.
_LEVEL_OF_ANSWERS = 2
_PACKED_ALREADY = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/vnd.apache.parquet")


class Packing:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
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
    """An answer as `Packing` sends it; None where that leaves it as it is."""
    return igzip.compress(body, _LEVEL_OF_ANSWERS, mtime=0) if len(body) >= _SMALLEST else None


def _weaken_tag(headers: MutableHeaders) -> None:
    """The same content in other bytes has no strong tag in common."""
    tag = headers.get("etag")
    if tag and not tag.startswith("W/") and "content-encoding" in headers:
        headers["ETag"] = f"W/{tag}"


def takes_gzip(headers: Headers) -> bool:
    """Whether it has gzip or *, and not with a weight of nothing."""
    for offer in headers.get("accept-encoding", "").split(","):
        name, _, weight = offer.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
