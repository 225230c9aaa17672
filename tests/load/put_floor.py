"""Acknowledged, durable uploads per second, relative to PostgreSQL's own floor in the same run.

The floor is one transaction per run on the same cluster: its row with the deflated document, and
COPY of one array per series; no HTTP, no checking, no flags. Both have a process for each client,
and everything they send is prepared before the clock starts: this measures libpq and sockets, not
our own Python.
"""

from __future__ import annotations

import itertools
import multiprocessing
import socket
import struct
import tempfile
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from macmeter.embedded import Running, find_running
from psycopg import pq
from support.live_server import LiveServer

from load import generated

SECONDS = 4.0
ROUNDS = 3
# Requests that each client prepares, more than any round sends, made from DIFFERENT runs.
READY = {1: 3_000, 8: 1_500}
DIFFERENT = 400
LINES = 100
FLOOR_TABLES = """
    CREATE SCHEMA floor;
    CREATE TABLE floor.runs (run_id uuid PRIMARY KEY, machine_id uuid, document bytea);
    CREATE TABLE floor.results (run_id uuid, series_id int, samples float8[],
                                PRIMARY KEY (run_id, series_id));
"""
_COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
_FLOAT8 = 701

Send = Callable[[], None]
# Prepares what a client sends, in its own process, before the clock starts.
Sender = Callable[[int, int], Iterator[Send]]


def figures() -> list[dict[str, Any]]:
    """`put.N/floor` for 1 and 8 clients, and one's batches: runs per second, with the floor's."""
    all_figures = []
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory), WORKERS="") as server:
            running = find_running(Path(directory))
            assert running is not None
            with running.connect("macmeter") as connection:
                connection.autocommit = True
                connection.execute(FLOOR_TABLES)
            runs = Runs()
            upload = Uploads(runs, server.port, server.token("fleet"))
            for send in upload(0, generated.MACHINES):
                send()  # a machine's first run binds it, which is not measured
            batch = Batches(runs, server.port, upload.token)
            floor = Floor(runs, running)
            for clients in READY:
                rates: dict[str, list[float]] = {"put": [], "floor": []}
                for _ in range(ROUNDS):
                    rates["put"].append(rate(upload, clients))
                    rates["floor"].append(rate(floor, clients))
                all_figures.append(figure(f"put.{clients}/floor", rates))
                if clients == 1:
                    batch_rates = [LINES * rate(batch, 1) for _ in range(ROUNDS)]
                    all_figures.append(figure("batch/floor", rates | {"put": batch_rates}))
    return all_figures


def figure(name: str, rates: dict[str, list[float]]) -> dict[str, Any]:
    """Figure of the best rounds on both sides."""
    our_rate, floor_rate = max(rates["put"]), max(rates["floor"])
    return {
        "name": name,
        "value": our_rate,
        "unit": "runs/s",
        "reference": floor_rate,
        "ratio": our_rate / floor_rate,
        "n": len(rates["put"]),
    }


class Runs:
    """An unlimited number of upload bodies that differ in their ids."""

    def __init__(self) -> None:
        self._documents = list(generated.documents(DIFFERENT, first=1_000_000))
        self._encoded = [generated.encoded(document) for document in self._documents]

    def made(self, count: int) -> Iterator[tuple[uuid.UUID, dict[str, Any], bytes]]:
        """Run id, document (with another id) and its bytes."""
        documents = itertools.cycle(zip(self._documents, self._encoded, strict=True))
        for document, content in itertools.islice(documents, count):
            run_id = uuid.uuid4()
            yield run_id, document, content.replace(document["id"].encode(), str(run_id).encode())


def rate(sender: Sender, clients: int) -> float:
    """Runs per second of `clients` processes, until the first of them has sent for SECONDS."""
    context = multiprocessing.get_context("fork")
    ready, queue = context.Barrier(clients + 1), context.Queue()
    processes = [
        context.Process(target=_client, args=(sender, number, READY[clients], ready, queue))
        for number in range(clients)
    ]
    for process in processes:
        process.start()
    ready.wait(120)
    results = [queue.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    counts, seconds = zip(*results, strict=True)
    return float(sum(counts) / max(seconds))


def _client(
    sender: Sender, number: int, count: int, ready: Barrier, queue: multiprocessing.Queue[Any]
) -> None:
    sends = list(sender(number, count))
    ready.wait()
    start = time.perf_counter()
    count_sent = 0
    for send in sends:
        send()
        count_sent += 1
        if time.perf_counter() - start > SECONDS:
            break
    queue.put((count_sent, time.perf_counter() - start))


class Uploads:
    """PUT over a persistent connection, acknowledged before the next."""

    def __init__(self, runs: Runs, port: int, token: str) -> None:
        self._runs, self._port, self.token = runs, port, token

    def __call__(self, number: int, count: int) -> Iterator[Send]:
        connection = socket.create_connection(("127.0.0.1", self._port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send(request: bytes) -> None:
            connection.sendall(request)
            answer = connection.recv(65536)
            while not answer.endswith(b"}"):
                answer += connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 201 "), answer

        for run_id, _, content in self._runs.made(count):
            head = (
                f"PUT /api/v1/runs/{run_id} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
                f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(content)}\r\n\r\n"
            )
            yield partial(send, head.encode() + content)


class Batches:
    """POST of LINES runs at a time, acknowledged line by line."""

    def __init__(self, runs: Runs, port: int, token: str) -> None:
        self._runs, self._port, self._token = runs, port, token

    def __call__(self, number: int, count: int) -> Iterator[Send]:
        connection = socket.create_connection(("127.0.0.1", self._port))

        def send(request: bytes) -> None:
            connection.sendall(request)
            answer = connection.recv(65536)
            while not answer.endswith(b"\r\n0\r\n\r\n"):
                answer += connection.recv(65536)
            assert answer.count(b'"status":201') == LINES, answer

        for _ in range(count // LINES):
            body = b"\n".join(content for _, _, content in self._runs.made(LINES))
            head = (
                f"POST /api/v1/runs/batch HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
                f"Authorization: Bearer {self._token}\r\nContent-Type: application/x-ndjson\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            yield partial(send, head.encode() + body)


class Floor:
    """The least that keeps the same data: one transaction, one COPY of arrays."""

    def __init__(self, runs: Runs, running: Running) -> None:
        self._runs, self._running = runs, running

    def __call__(self, number: int, count: int) -> Iterator[Send]:
        connection = self._running.connect("macmeter")
        libpq = connection.pgconn
        begin = (
            "BEGIN; INSERT INTO floor.runs VALUES ('{}', '{}', '\\x{}'); "
            "COPY floor.results FROM STDIN (FORMAT BINARY)"
        )

        def send(statements: bytes, rows: bytes) -> None:
            # Keeps the connection alive: a garbage-collected one closes itself.
            assert not connection.closed
            results = [libpq.exec_(statements)]
            assert results[0].status == pq.ExecStatus.COPY_IN, results[0].error_message
            libpq.put_copy_data(rows)
            libpq.put_copy_end()
            while (result := libpq.get_result()) is not None:
                results.append(result)
            assert libpq.exec_(b"COMMIT").status == pq.ExecStatus.COMMAND_OK

        for run_id, document, content in self._runs.made(count):
            deflated = zlib.compress(content, 1).hex()
            statements = begin.format(run_id, document["machine"]["id"], deflated)
            rows = b"".join(_rows(run_id, document))
            yield partial(send, statements.encode(), rows)


def _rows(run_id: uuid.UUID, document: dict[str, Any]) -> Iterator[bytes]:
    """The rows of one run in COPY's binary format."""
    yield _COPY_HEAD
    for number, series in enumerate(document["series"]):
        values = series["values"]
        yield struct.pack(">hi16sii", 3, 16, run_id.bytes, 4, number)
        yield struct.pack(">iiiIii", 20 + 12 * len(values), 1, 0, _FLOAT8, len(values), 1)
        yield b"".join(struct.pack(">id", 8, value) for value in values)
    yield _COPY_END
