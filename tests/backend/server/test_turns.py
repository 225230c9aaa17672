"""Connections that one address may hold, and readers that read nothing: real server and sockets."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from support.documents import disk_run
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded

TOO_LONG = 300.0
CORPUS = "/api/v1/corpus.csv"
EVENTS = "/api/v1/events"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server behind a proxy, with a corpus larger than any socket's buffers."""
    settings = {
        "PROXIES": "1",
        "DOWNLOADS": "4",
        "DOWNLOADS_PER_ADDRESS": "3",
        "LIVE_PAGES": "12",
        "LIVE_PAGES_PER_ADDRESS": "5",
        "SLOW_READER_SECONDS": "3",
    }
    with ForkedServer(seeded(tmp_path_factory.mktemp("turns")), **settings) as server:
        token = server.token("device")
        machine = disk_run()["machine"]["id"]
        labels = {f"label {number}": "x" * 250 for number in range(64)}
        runs = [disk_run(machine=machine, labels=labels) for _ in range(300)]
        response = server.ask(
            "/api/v1/runs/batch",
            "POST",
            content="\n".join(json.dumps(run) for run in runs),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
        )
        assert {json.loads(line)["status"] for line in response.text.splitlines()} == {201}
        yield server


@contextmanager
def deaf(server: LiveServer, path: str, seen_from: str) -> Iterator[socket.socket]:
    """A connection that sends a request and never reads."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {seen_from}\r\n\r\n"
        connection.sendall(head.encode())
        yield connection


@contextmanager
def held(server: LiveServer, path: str, seen_from: str) -> Iterator[socket.socket]:
    """An accepted connection that reads no further. The first try may be refused, as places of
    closed connections are released with a delay.
    """
    end = time.monotonic() + TOO_LONG
    while True:
        with deaf(server, path, seen_from) as connection:
            connection.settimeout(TOO_LONG)
            if connection.recv(12, socket.MSG_WAITALL) == b"HTTP/1.1 200":
                yield connection
                return
        assert time.monotonic() < end
        time.sleep(0.1)


def status(server: LiveServer, path: str, seen_from: str, **headers: str) -> int:
    """Status of the response, without reading its body."""
    headers["X-Forwarded-For"] = seen_from
    with server.stream(path, **headers) as response:
        if response.status_code in (429, 503):
            assert int(response.headers["Retry-After"]) > 0
        return response.status_code


def becomes(expected: int, server: LiveServer, path: str, seen_from: str, **headers: str) -> bool:
    """Return whether the status becomes `expected`: places are released shortly after their
    connection is closed.
    """
    end = time.monotonic() + TOO_LONG
    while (actual := status(server, path, seen_from, **headers)) != expected:
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    return actual == expected


def whole(connection: socket.socket) -> bool:
    """Return whether the rest of this connection's response is complete."""
    connection.settimeout(TOO_LONG)
    received = b""
    while part := connection.recv(1 << 20):
        received = received[-100:] + part
    return received.endswith(b"\r\n0\r\n\r\n")


@pytest.mark.thorough
def test_readers_that_read_nothing_close_the_corpus_to_nobody(server: LiveServer) -> None:
    with ExitStack() as readers:
        readings = [readers.enter_context(held(server, CORPUS, "192.0.2.1")) for _ in range(3)]
        assert becomes(429, server, CORPUS, "192.0.2.1")
        assert status(server, CORPUS, "192.0.2.2") == 200
        token = f"Bearer {server.token()}"
        assert becomes(200, server, CORPUS, "192.0.2.1", Authorization=token)
        # Released, though they still hold their connections.
        assert becomes(200, server, CORPUS, "192.0.2.1")
        # At least the one that lost its place has no file that looks whole. On a busy machine
        # another may not have been cut yet, and continues as it is read.
        assert not all(whole(connection) for connection in readings)
    assert "Traceback" not in server.log.read_text()


def test_201_streams_of_one_address_leave_room_for_others(server: LiveServer) -> None:
    with ExitStack() as pages:
        for _ in range(201):
            pages.enter_context(deaf(server, EVENTS, "192.0.2.1"))
        assert becomes(429, server, EVENTS, "192.0.2.1")
        assert status(server, EVENTS, "192.0.2.2") == 200
        token = f"Bearer {server.token()}"
        assert status(server, EVENTS, "192.0.2.1", Authorization=token) == 200
    # Closed connections release their places.
    assert becomes(200, server, EVENTS, "192.0.2.1")


@pytest.mark.parametrize(
    "forged",
    ["198.51.100.7, 192.0.2.9", "unknown, 192.0.2.9", ", 192.0.2.9", "127.0.0.1,192.0.2.9"],
)
def test_what_a_client_writes_into_x_forwarded_for_is_not_believed(
    server: LiveServer, forged: str
) -> None:
    with ExitStack() as pages:
        for _ in range(5):
            pages.enter_context(held(server, EVENTS, "192.0.2.9"))
        assert becomes(429, server, EVENTS, "192.0.2.9")
        assert status(server, EVENTS, forged) == 429
        assert status(server, EVENTS, "192.0.2.9, 192.0.2.10") == 200
    assert becomes(200, server, EVENTS, "192.0.2.9")


def test_all_of_an_ipv6_network_is_one_address(server: LiveServer) -> None:
    with ExitStack() as pages:
        for host in range(5):
            pages.enter_context(held(server, EVENTS, f"2001:db8::{host + 1}"))
        assert becomes(429, server, EVENTS, "2001:db8::ffff")
        assert status(server, EVENTS, "2001:db8:0:1::1") == 200
