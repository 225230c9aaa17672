"""Demo marks on everything that a demo's server sends, whichever endpoint made it.

Invented figures must not be mistaken for measured ones wherever they end up: pages say it in their
title, preview and head, JSON has `demo: true`, CSV a column, every file its name, and every
response a header. Pictures can't be marked afterwards, so they are drawn with it
(charts/pictures/picture.py). Uploaded documents stay as they are, byte for byte, and only have the
header.
"""

import re
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "Macmeter-Demo"
IN_WORDS = "Demo with invented figures"
_DOCUMENT = re.compile(r"/api/v1/(runs/[^/]+/document|openapi\.json)")
_NAMED = re.compile(r'filename="macmeter(?!-demo)')


class DemoMarks:
    """Middleware that only a demo's server has."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].endswith(".html"):
            # A page that the server sends straight from its file can't be marked.
            scope = {**scope, "extensions": {}}
        await self._app(scope, receive, _Marked(scope["path"], send))


class _Marked:
    """Sender of a marked response: in parts, or whole if it is a page or has a length."""

    def __init__(self, path: str, send: Send) -> None:
        self._path, self._send = path, send
        self._mark: Callable[[bytes], bytes] | None = None
        self._whole: bytearray | None = None
        self._start: Message = {}

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._whole is not None:
            await self._collect(message)
        elif message["type"] == "http.response.body" and self._mark is not None:
            await self._send({**message, "body": self._mark(message.get("body", b""))})
        else:
            await self._send(message)

    async def _begin(self, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        headers[HEADER] = "true"
        disposition = headers.get("content-disposition")
        if disposition is not None:
            headers["content-disposition"] = _NAMED.sub('filename="macmeter-demo', disposition)
        kind = headers.get("content-type", "").split(";")[0]
        if "content-encoding" in headers or message["status"] in (204, 304):
            kind = ""
        if kind == "text/html":
            # The length is known once the page is whole.
            self._start, self._whole = message, bytearray()
            return
        if kind == "application/json" and not _DOCUMENT.fullmatch(self._path):
            self._mark = _first_member()
        elif kind == "text/csv":
            self._mark = _last_column()
        if self._mark is not None and "content-length" in headers:
            # A body with a length comes whole, and its length is set again.
            self._start, self._whole = message, bytearray()
            return
        await self._send(message)

    async def _collect(self, message: Message) -> None:
        assert self._whole is not None
        self._whole += message.get("body", b"")
        if message.get("more_body", False):
            return
        body = bytes(self._whole)
        # A response to HEAD has a length and no body.
        body = (self._mark or marked_page)(body) if body else body
        headers = MutableHeaders(scope=self._start)
        if body and "content-length" in headers:
            headers["content-length"] = str(len(body))
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": body})


def _first_member() -> Callable[[bytes], bytes]:
    """Add `demo: true` as the first member of an object.

    Lists and other values stay as they are.
    """
    begun = False

    def mark(chunk: bytes) -> bytes:
        nonlocal begun
        if begun or not chunk:
            return chunk
        begun = True
        if not chunk.startswith(b"{"):
            return chunk
        return b'{"demo":true' + (b"}" if chunk == b"{}" else b"," + chunk[1:])

    return mark


def _last_column() -> Callable[[bytes], bytes]:
    """Add a column `demo` behind the others.

    Line breaks in quoted cells don't end lines of the file.
    """
    quoted, line, held = False, 0, b""

    def mark(chunk: bytes) -> bytes:
        nonlocal quoted, line, held
        out = bytearray()
        # A line break may be divided between two chunks.
        whole = (held + chunk).removesuffix(b"\r") if chunk else held
        held = (held + chunk)[len(whole) :]
        for piece in re.split(rb'("|\r\n)', whole):
            if piece == b'"':
                quoted = not quoted
            if piece == b"\r\n" and not quoted:
                out += b",demo" if line == 0 else b",true"
                line += 1
            out += piece
        return bytes(out)

    return mark


def marked_page(page: bytes) -> bytes:
    """Mark HTML as a demo's, in its root, title and preview."""
    html = page.decode()
    html = html.replace("<html ", '<html data-demo="true" ', 1)
    html = html.replace("<title>", "<title>Demo · ", 1)
    for name in ('property="og:title"', 'property="og:description"', 'name="description"'):
        html = html.replace(f'<meta {name} content="', f'<meta {name} content="{IN_WORDS}: ', 1)
    return html.encode()
