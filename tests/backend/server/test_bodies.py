"""Bodies of any size: refused at the first byte too many, never read whole first."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
import socket
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from macmeter.documents.read import MAX_DOCUMENT_BYTES
from macmeter.platform.settings import Settings
from macmeter.runs import router
from macmeter.server.http import limits
from macmeter.server.http.limits import DEFAULT_BYTES, HELD_BYTES
from macmeter.server.main import create_app
from support.documents import disk_run, encoded
from support.live_server import LiveServer
from support.server import Server

CHUNK = b"x" * 16_384
PATIENCE = 300.0
# Limits of documents, and of what endpoints say; every other address has the default.
MORE = {
    ("PUT", "/api/v1/runs/{run_id}"): MAX_DOCUMENT_BYTES,
    ("POST", "/api/v1/runs/batch"): 8 * MAX_DOCUMENT_BYTES,
    ("PATCH", "/api/v1/fleets/{fleet}/machines"): 1024 * 1024,
    ("POST", "/api/v1/fleets/{fleet}/machines/deletion"): 1024 * 1024,
}
TYPES = {"/api/v1/runs/batch": "application/x-ndjson"}


def writes() -> list[tuple[str, str]]:
    """Every address that accepts a body: all operations that change something."""
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    return sorted(
        (method, route.path or "")
        for route in iter_route_contexts(app.routes)
        for method in (route.methods or set()) - {"GET", "HEAD"}
    )


class Sent:
    """A body of many chunks that counts the bytes taken."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self.taken < self.size:
            self.taken += len(CHUNK)
            yield CHUNK


@pytest.mark.parametrize(("method", "path"), writes())
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
async def test_no_address_reads_more_than_it_takes(
    empty_server: Server, method: str, path: str, declared: bool
) -> None:
    limit = MORE.get((method, path), DEFAULT_BYTES)
    body = Sent(limit + 10 * 1024 * 1024)
    headers = {
        "Authorization": f"Bearer {empty_server.token()}",
        "Content-Type": TYPES.get(path, "application/json"),
    }
    if declared:
        headers["Content-Length"] = str(body.size)
    address = re.sub(r"{\w+_id}", str(uuid.uuid4()), path).replace("{slug}", "2345678923")
    client = empty_server.client
    response = await client.send(
        client.build_request(method, address, content=body, headers=headers)
    )
    # If only signed-in people may ask, a token gets 401.
    assert response.status_code in (413, 401, 403, 404, 200), response.text
    # Bytes discarded after a refusal are added.
    assert body.taken <= limit + 1024 * 1024 + 2 * len(CHUNK)
    if response.status_code == 413:
        assert response.json()["code"] == "too_large"
        assert response.json()["limit"] == limit
        assert response.headers["connection"] == "close"
    if path == "/api/v1/comparisons":
        assert response.status_code == 413


async def test_what_fits_is_taken_and_one_byte_more_is_not(server: Server) -> None:
    for over, status in ((0, 422), (1, 413)):
        body = json.dumps({"question": ""}).encode()
        body += b" " * (DEFAULT_BYTES - len(body) + over)
        json_type = {"Content-Type": "application/json"}
        response = await server.client.post("/api/v1/comparisons", content=body, headers=json_type)
        assert response.status_code == status


def batch(token: str, packed: bool = False) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
    return headers | ({"Content-Encoding": "gzip"} if packed else {})


async def sent(server: Server, content: Any, packed: bool = False) -> list[dict[str, Any]]:
    headers = batch(server.token("fleet"), packed)
    response = await server.client.post("/api/v1/runs/batch", content=content, headers=headers)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


async def in_parts(content: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("packed", [True, False])
async def test_lines_of_a_batch_are_the_same_however_they_arrive(
    server: Server, size: int, packed: bool
) -> None:
    lines = [encoded(disk_run()), b"", encoded(disk_run()) + b"\r", b"{", encoded(disk_run())]
    content = b"\n".join(lines)
    content = gzip.compress(content) if packed else content
    results = await sent(server, in_parts(content, size), packed)
    statuses = [(result["line"], result["status"]) for result in results]
    assert statuses == [(1, 201), (3, 201), (4, 400), (5, 201)]


async def test_a_line_that_is_too_long_is_refused_alone(server: Server) -> None:
    lines = [encoded(disk_run()), b" " * (MAX_DOCUMENT_BYTES + 1), encoded(disk_run())]
    results = await sent(server, b"\n".join(lines))
    assert [(result["line"], result["status"]) for result in results] == [
        (1, 201),
        (2, 413),
        (3, 201),
    ]
    assert results[1]["problem"]["code"] == "too_large"


async def test_what_was_stored_before_a_batch_passed_a_bound_is_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "MAX_BATCH_LINES", 2)
    lines = [encoded(disk_run()) for _ in range(3)]
    results = await sent(server, b"\n".join(lines))
    assert [(result["line"], result["status"]) for result in results] == [
        (1, 201),
        (2, 201),
        (3, 413),
    ]
    cut = gzip.compress(b"\n".join(lines[:2]))[:-6]
    results = await sent(server, cut, packed=True)
    assert [result["status"] for result in results] == [200, 400]
    assert results[-1]["problem"]["code"] == "bad_gzip"


async def test_a_batch_that_unpacks_to_too_much_is_refused(server: Server) -> None:
    bomb = gzip.compress(b" " * (200 * 1024 * 1024))
    headers = batch(server.token("fleet"), packed=True)
    response = await server.client.post("/api/v1/runs/batch", content=bomb, headers=headers)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_a_body_that_drips_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STALLED_SECONDS", 0.2)
    monkeypatch.setattr(limits, "MIN_BYTES_PER_SECOND", 1_000_000)

    async def dripping() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b" "
            await asyncio.sleep(0.01)

    headers = {"Content-Type": "application/json"}
    refused = await server.client.post("/api/v1/comparisons", content=dripping(), headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (408, "stalled")
    assert refused.headers["connection"] == "close"


def test_a_slow_line_has_time_for_the_largest_body() -> None:
    assert limits.part_timeout(0, 0) == 60
    assert limits.part_timeout(50, 0) == 10
    assert limits.part_timeout(60, 1_000) == 1
    # 8 MB at 16 KB a second, with full patience throughout.
    received = [16_000 * second for second in range(500)]
    assert {limits.part_timeout(second, size) for second, size in enumerate(received)} == {60}
    # A byte a second.
    assert limits.part_timeout(61, 61) < 0


def memory(server: LiveServer) -> int:
    return sum(process.memory_info().rss for process in server.workers())


@pytest.mark.parametrize("chunked", [True, False])
def test_300_mb_are_refused_at_once_and_cost_no_memory(
    live_server: LiveServer, chunked: bool
) -> None:
    total, before, sent = 300 * 1024 * 1024, memory(live_server), 0
    framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {total}"
    part = f"{len(CHUNK):x}\r\n".encode() + CHUNK + b"\r\n" if chunked else CHUNK
    with socket.create_connection(("127.0.0.1", live_server.port), timeout=300) as connection:
        head = f"POST /api/v1/comparisons HTTP/1.1\r\nHost: 127.0.0.1\r\n{framing}\r\n"
        connection.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n")
        try:
            while sent < total:
                connection.sendall(part)
                sent += len(CHUNK)
        except OSError:
            pass  # the server closed the connection, as it should
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")
    # Kernel buffers hold some of it.
    assert sent < 32 * 1024 * 1024
    assert memory(live_server) - before < 32 * 1024 * 1024


def test_a_body_that_breaks_off_is_no_fault_of_the_server(live_server: LiveServer) -> None:
    token, run, log_size = live_server.token(), disk_run(), len(live_server.log.read_text())
    with socket.create_connection(("127.0.0.1", live_server.port), timeout=300) as connection:
        head = (
            f"PUT /api/v1/runs/{run['id']} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {token}\r\n\r\n{{"
        )
        connection.sendall(head.encode())
    assert live_server.ask("/readyz").status_code == 200
    assert "Traceback" not in live_server.log.read_text()[log_size:]


def test_bodies_on_their_way_take_no_more_than_their_room(live_server: LiveServer) -> None:
    token = live_server.token()
    size = MAX_DOCUMENT_BYTES - 1
    head = (
        "PUT /api/v1/runs/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {size + 1}\r\n\r\n"
    )

    def upload() -> httpx.Response:
        run = disk_run()
        bearer = {"Authorization": f"Bearer {token}"}
        return live_server.ask(f"/api/v1/runs/{run['id']}", "PUT", json=run, headers=bearer)

    with ExitStack() as unfinished:
        refused = None
        for _ in range(4 * HELD_BYTES // size):  # several workers take them in turn
            connection = socket.create_connection(("127.0.0.1", live_server.port), PATIENCE)
            unfinished.enter_context(connection)
            connection.sendall(head.format(uuid.uuid4()).encode())
            # A refused connection is closed during sending.
            with contextlib.suppress(OSError):
                connection.sendall(b" " * size)
        end = time.monotonic() + PATIENCE
        while refused is None and time.monotonic() < end:
            answer = upload()
            refused = answer if answer.status_code == 503 else None
        assert refused is not None
        assert refused.json()["code"] == "server_full"
        assert int(refused.headers["Retry-After"]) > 0
    # Their memory is released once the server has noticed that they are gone.
    end = time.monotonic() + PATIENCE
    while (answer := upload()).status_code == 503 and time.monotonic() < end:
        time.sleep(0.1)
    assert answer.status_code in (201, 403), answer.text
