"""Response time of /healthz under excessive requests, against our own limit.

On a live server with generated runs: two clients repeat each request, and /healthz is asked every
10 ms meanwhile. The figure is the worst request's 99th percentile. Clients are killed when the time
is up, whatever they still wait for: each kind takes SECONDS and a moment.
"""

from __future__ import annotations

import json
import multiprocessing
import socket
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from macmeter.embedded import find_running
from support.documents import disk_run
from support.live_server import LiveServer

from load import generated

LIMIT = 0.100
RUNS = 1_000
SECONDS = 4.0
CLIENTS = 2
SPEED = "metric=disk.write_speed"
LARGE = 8 * 2**20 - 4096
RUN_ID = "00000000-0000-4000-8000-000000000000"
Ask = Callable[[httpx.Client], object]

ASKED = {
    "picture of 12,800 groups": f"chart.svg?{SPEED}&by=machine&by=storage&by=file_size",
    "answer of 768 groups": f"answer?{SPEED}&by=chip&by=storage&by=file_size",
    "picture of 768 groups": f"chart.png?{SPEED}&by=chip&by=storage&by=file_size",
    "Theil-Sen": f"answer?{SPEED}&by=file_size&by=machine&where=storage:usb4&fit=theil_sen"
    "&where=file_size:..20000000",
    "relative": f"answer?{SPEED}&by=storage&by=file_size&relative_to=storage:internal",
    "four sides": "compare?"
    + "&".join(f"metric=disk.write_speed@file_size:{size}" for size in generated.FILE_SIZES[:8])
    + "".join(f"&side={n}:storage:{kind}" for n, kind in enumerate(generated.STORAGE, start=1)),
    "facets": "facets?metric=disk.write_speed",
    "corpus": "corpus.csv",
}


def figures() -> list[dict[str, Any]]:
    """`healthz.p99` in seconds: the worst over all requests."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            generated.load(running.url(), RUNS)
            token = server.token(scope="fleet")
            _measured(server, "nothing", _nothing)
            waits = [_measured(server, *kind) for kind in _kinds(server, token)]
    worst = max(float(np.percentile(seconds, 99)) for seconds in waits)
    n = sum(len(seconds) for seconds in waits)
    figure = {"name": "healthz.p99", "value": worst, "unit": "s", "reference": LIMIT}
    return [{**figure, "ratio": worst / LIMIT, "n": n}]


def _kinds(server: LiveServer, token: str) -> Iterator[tuple[str, Ask]]:
    for name, path in ASKED.items():
        yield name, _get(path)
    for name, content in documents().items():
        yield name, _put(content, token)
    yield "300 MB comparison", _post_without_end
    yield "201 event streams", _deaf(server.port, "events", 201)
    yield "corpus, nothing read", _deaf(server.port, "corpus.csv", 3)


def _measured(server: LiveServer, name: str, ask: Ask) -> list[float]:
    """Measure the seconds of each /healthz, and print them at once."""
    count, seconds = _waits(server, ask)
    print(_line(name, count, seconds), flush=True)
    return seconds


def documents() -> dict[str, bytes]:
    """Documents of up to 8 MB that are expensive to read."""
    run = disk_run(id=RUN_ID)
    start = json.dumps(run)[:-1]
    numbers = ",".join(["1"] * (LARGE // 2))
    traced = ",".join(f'[{n},"P0",1e9,0.5]' for n in range(200_000))
    columns = '["t","cluster","frequency","active_residency"]'
    series = [
        {"metric": "disk.write_speed", "parameters": {"file_size": size}, "values": [1e9]}
        for size in range(1, 3001)
    ]
    return {
        "600,000 keys": json.dumps(dict.fromkeys(map(str, range(600_000)), 1)).encode(),
        "8 MB of {}": f"[{','.join(['{}'] * (LARGE // 3))}]".encode(),
        "8 MB of numbers": f'{start},"tool":{{"name":"x","x":[{numbers}]}}}}'.encode(),
        "200,000 rows": (
            f'{start},"traces":[{{"kind":"cpu","columns":{columns},"rows":[{traced}]}}]}}'.encode()
        ),
        "3,000 series": json.dumps(disk_run(id=RUN_ID, series=series)).encode(),
        "1,000 series": json.dumps(disk_run(id=RUN_ID, series=series[:1000])).encode(),
    }


def _line(name: str, count: int, seconds: list[float]) -> str:
    p99 = float(np.percentile(seconds, 99))
    return f"  {name:<26} {count:>4} asked   p99 {p99 * 1000:6.1f} ms  n {len(seconds)}"


def _nothing(_client: httpx.Client) -> None:
    """Send nothing: the baseline of /healthz, with whatever else runs on this machine."""
    time.sleep(SECONDS)


def _post_without_end(client: httpx.Client) -> None:
    """Send a body that is cut off as soon as it passes its limit."""
    with suppress(httpx.TransportError):
        client.post("/api/v1/comparisons", content=(b"x" * 2**20 for _ in range(300)))


def _deaf(port: int, path: str, count: int) -> Ask:
    """Open connections that send a request and never read, for a second."""

    def ask(_client: httpx.Client) -> None:
        with ExitStack() as stack, suppress(OSError):
            for _ in range(count):
                connection = stack.enter_context(socket.socket())
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", port))
                connection.sendall(
                    f"GET /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
                )
            time.sleep(1)

    return ask


def _get(path: str) -> Ask:
    return lambda client: client.get(f"/api/v1/{path}")


def _put(content: bytes, token: str) -> Ask:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def put(client: httpx.Client) -> object:
        run_id = str(uuid.uuid4())
        body = content.replace(RUN_ID.encode(), run_id.encode())
        return client.put(f"/api/v1/runs/{run_id}", content=body, headers=headers)

    return put


def _waits(server: LiveServer, ask: Ask) -> tuple[int, list[float]]:
    """Count the responses, and the seconds of each /healthz meanwhile."""
    # Clients run in their own processes, so that their work can't delay the watch.
    context = multiprocessing.get_context("fork")
    answers = context.Value("i", 0)
    clients = [context.Process(target=_ask, args=(server, ask, answers)) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    seconds = []
    end = time.monotonic() + SECONDS
    with httpx.Client(base_url=server.url, timeout=120) as watch:
        while time.monotonic() < end:
            start = time.perf_counter()
            watch.get("/healthz").raise_for_status()
            seconds.append(time.perf_counter() - start)
            time.sleep(0.01)
    for client in clients:
        client.terminate()
        client.join()
    # A killed client may have held its lock.
    return answers.get_obj().value, seconds


def _ask(server: LiveServer, ask: Ask, answers: Any) -> None:
    end = time.monotonic() + SECONDS
    with httpx.Client(base_url=server.url, timeout=120) as client:
        while time.monotonic() < end:
            ask(client)
            with answers.get_lock():
                answers.value += 1
