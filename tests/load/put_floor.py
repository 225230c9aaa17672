"""Acknowledged, durable uploads a second, beside PostgreSQL's own floor in the same run.

The floor is one transaction a run on the same cluster: a row of the run with its raw
document, and COPY of one array a series; no HTTP, no checking, no flags.
"""

from __future__ import annotations

import http.client
import tempfile
import threading
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from macmeter.embedded import Running, find_running
from support.live_server import LiveServer

from load import generated

SECONDS = 6.0
ROUNDS = 2
DOCUMENTS = 1_500
FLOOR_TABLES = """
    CREATE SCHEMA floor;
    CREATE TABLE floor.runs (run_id uuid PRIMARY KEY, machine_id uuid, document bytea);
    CREATE TABLE floor.results (run_id uuid, series_id int, samples float8[],
                                PRIMARY KEY (run_id, series_id));
"""


def figures() -> list[dict[str, Any]]:
    """`put.N/floor` for 1 and 8 clients: runs a second, and their ratio to the floor."""
    found = []
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            with running.connect("macmeter") as connection:
                connection.autocommit = True
                connection.execute(FLOOR_TABLES)
            token = server.token("fleet")
            fresh = _fresh_documents()
            for clients in (1, 8):
                rates: dict[str, list[float]] = {"put": [], "floor": []}
                for _ in range(ROUNDS):
                    share = DOCUMENTS // clients
                    documents = [[next(fresh) for _ in range(share)] for _ in range(clients)]
                    rates["put"].append(_rate(documents, lambda: _Uploader(server.url, token)))
                    rates["floor"].append(_rate(documents, lambda: _Floor(running)))
                put, floor = max(rates["put"]), max(rates["floor"])
                found.append(
                    {
                        "name": f"put.{clients}/floor",
                        "value": put,
                        "unit": "runs/s",
                        "reference": floor,
                        "ratio": put / floor,
                        "n": ROUNDS,
                    }
                )
    return found


def _fresh_documents() -> Iterator[dict[str, Any]]:
    for index, document in enumerate(generated.documents(1_000_000)):
        yield {**document, "id": str(uuid.UUID(int=(7 << 76) | (2 << 62) | index + 1))}


def _rate(documents: list[list[dict[str, Any]]], sender: Callable[[], Any]) -> float:
    """Runs a second of as many clients as there are lists, for at most SECONDS."""
    encoded = [[(d["id"], generated.encoded(d), d) for d in part] for part in documents]
    done = [0] * len(encoded)
    ready, go = threading.Barrier(len(encoded) + 1), time.perf_counter

    def client(number: int) -> None:
        send = sender()
        ready.wait()
        end = go() + SECONDS
        for run_id, content, document in encoded[number]:
            if go() > end:
                break
            send(run_id, content, document)
            done[number] += 1
        send.close()

    threads = [threading.Thread(target=client, args=(n,)) for n in range(len(encoded))]
    for thread in threads:
        thread.start()
    ready.wait()
    began = go()
    for thread in threads:
        thread.join()
    return sum(done) / (go() - began)


class _Uploader:
    """One client with one connection that stays open."""

    def __init__(self, url: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def __call__(self, run_id: str, content: bytes, _document: dict[str, Any]) -> None:
        self._connection.request("PUT", f"/api/v1/runs/{run_id}", content, self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 201:
            raise AssertionError(body)

    def close(self) -> None:
        self._connection.close()


class _Floor:
    """The least that keeps the same data: one transaction, one COPY of arrays."""

    def __init__(self, running: Running) -> None:
        self._connection = running.connect("macmeter")
        self._connection.autocommit = False

    def __call__(self, run_id: str, content: bytes, document: dict[str, Any]) -> None:
        run = uuid.UUID(run_id)
        with self._connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO floor.runs VALUES (%s, %s, %s)",
                (run, uuid.UUID(document["machine"]["id"]), zlib.compress(content, 1)),
            )
            with cursor.copy("COPY floor.results FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(("uuid", "int4", "float8[]"))
                for number, series in enumerate(document["series"]):
                    copy.write_row((run, number, series["values"]))
        self._connection.commit()

    def close(self) -> None:
        self._connection.close()
