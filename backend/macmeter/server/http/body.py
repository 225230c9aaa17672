"""Read documents from a body: whole or line by line, compressed or not, up to a limit."""

import zlib
from collections.abc import AsyncIterator

from fastapi import Request
from starlette.requests import ClientDisconnect

from macmeter.documents.read import MAX_DOCUMENT_BYTES, bad_gzip, gunzip, too_large
from macmeter.platform.errors import Problem
from macmeter.server.http.limits import allow_body, hold

DOCUMENT_TYPES = {"application/json"}
BATCH_TYPES = {"application/x-ndjson", "application/ndjson"}
MAX_BATCH_BYTES = 8 * MAX_DOCUMENT_BYTES
# Bytes to decompress at a time.
_CHUNK_BYTES = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS


async def read_body(request: Request, media_types: set[str], limit: int) -> bytes:
    """Read the body, decompressed if it says so.

    Raise 413 beyond `limit`, compressed or not, and 415 for other media types.
    """
    packed = _is_packed(request, media_types)
    allow_body(request, limit)
    body = await _whole(request)
    if not packed:
        return body
    unpacked = gunzip(body, limit)
    hold(request, len(unpacked))
    return unpacked


async def _whole(request: Request) -> bytes:
    """Read the body in half the time of `request.body()`: nearly all come in one message."""
    chunks = []
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(chunks)


async def read_lines(
    request: Request, media_types: set[str], line_limit: int, limit: int
) -> AsyncIterator[bytes | None]:
    """Yield the body's lines as they arrive, with None for one of more than `line_limit` bytes.

    Holds one line at a time. Raises a Problem where the body stops being valid; the caller has the
    lines before it by then.
    """
    packed = _is_packed(request, media_types)
    allow_body(request, limit, held=False)
    chunks = _unpacked(request.stream()) if packed else request.stream()
    line, skipping, received = bytearray(), False, 0
    async for chunk in chunks:
        received += len(chunk)
        if received > limit:
            raise too_large(limit)
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            line += piece
            yield None if skipping or len(line) > line_limit else bytes(line)
            line, skipping = bytearray(), False
        line += rest
        if len(line) > line_limit:
            line, skipping = bytearray(), True
    if skipping or line:
        yield None if skipping else bytes(line)


async def _unpacked(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    reader = zlib.decompressobj(wbits=_GZIP)
    async for chunk in chunks:
        left = chunk
        while left and not reader.eof:
            try:
                piece = reader.decompress(left, _CHUNK_BYTES)
            except zlib.error as error:
                raise bad_gzip("Not gzip", f"it is not: {error}") from None
            left = reader.unconsumed_tail
            if piece:
                yield piece
        if left or reader.unused_data:
            raise bad_gzip("More than gzip", "bytes follow its end")
    if not reader.eof:
        raise bad_gzip("Truncated gzip", "it ends before its end")


def _is_packed(request: Request, media_types: set[str]) -> bool:
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type not in media_types:
        detail = f"Send Content-Type: {' or '.join(sorted(media_types))}."
        raise Problem(415, "media_type", "Unsupported media type", detail)
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding not in ("identity", "gzip"):
        detail = f"Content-Encoding must be gzip or absent, not {encoding[:32]}."
        raise Problem(415, "content_encoding", "Unsupported content encoding", detail)
    return encoding == "gzip"
