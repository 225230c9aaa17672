"""Reading request bodies with a bound on what is read and what it may unpack to."""

from __future__ import annotations

from fastapi import Request

from macmeter.errors import Problem
from macmeter.ingest.read import MAX_DOCUMENT_BYTES, gunzip, too_large

# A refused body is still read up to this, so that the client gets to see why instead of
# a broken connection.
_DRAIN_BYTES = 256 * 1024 * 1024


async def read_body(request: Request, media_types: set[str], limit: int) -> bytes:
    """The body as sent, gunzipped where it says so; 413 beyond `limit`, 415 for other types."""
    problem = _refused_headers(request, media_types, limit)
    chunks: list[bytes] = []
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
        if received > limit and problem is None:
            problem, chunks = too_large(limit), []
        if received > _DRAIN_BYTES:
            break
        if problem is None:
            chunks.append(chunk)
    if problem is not None:
        raise problem
    body = b"".join(chunks)
    if request.headers.get("content-encoding", "identity").lower() == "gzip":
        return gunzip(body, limit)
    return body


def _refused_headers(request: Request, media_types: set[str], limit: int) -> Problem | None:
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type not in media_types:
        return Problem(
            415,
            "media_type",
            "Unsupported media type",
            f"Send Content-Type: {' or '.join(sorted(media_types))}.",
        )
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding not in ("identity", "gzip"):
        return Problem(
            415,
            "content_encoding",
            "Unsupported content encoding",
            f"Content-Encoding may be gzip or absent, not {encoding[:32]}.",
        )
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        return too_large(limit)
    return None


DOCUMENT_TYPES = {"application/json"}
BATCH_TYPES = {"application/x-ndjson", "application/ndjson"}
MAX_BATCH_BYTES = 8 * MAX_DOCUMENT_BYTES
