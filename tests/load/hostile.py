"""How long /healthz waits while somebody asks for too much, beside the limit we set.

Against a live server with generated runs: each request is sent again and again by two clients, and
/healthz is asked every 10 ms meanwhile. What counts is the worst request's 99th percentile.
"""

from __future__ import annotations

import json
import multiprocessing
import tempfile
import time
import uuid
from collections.abc import Callable
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
SECONDS = 6.0
CLIENTS = 2
SPEED = "metric=disk.write_speed"
LARGE = 8 * 2**20 - 4096
RUN_ID = "00000000-0000-4000-8000-000000000000"

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
            alone = _waits(server, _nothing)
            print(_line("nothing", *alone))
            waits = {name: _waits(server, _get(path)) for name, path in ASKED.items()}
            for name, content in documents().items():
                waits[name] = _waits(server, _put(content, token))
    for name, (count, seconds) in waits.items():
        print(_line(name, count, seconds))
    worst = max(float(np.percentile(seconds, 99)) for _, seconds in waits.values())
    n = sum(len(seconds) for _, seconds in waits.values())
    figure = {"name": "healthz.p99", "value": worst, "unit": "s", "reference": LIMIT}
    return [{**figure, "ratio": worst / LIMIT, "n": n}]


def documents() -> dict[str, bytes]:
    """Documents of up to 8 MB that keep whoever reads them busy."""
    run = disk_run(id=RUN_ID)
    rest = json.dumps(run)[:-1]
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
        "8 MB of numbers": f'{rest},"tool":{{"name":"x","x":[{numbers}]}}}}'.encode(),
        "200,000 rows": (
            f'{rest},"traces":[{{"kind":"cpu","columns":{columns},"rows":[{traced}]}}]}}'.encode()
        ),
        "3,000 series": json.dumps(disk_run(id=RUN_ID, series=series)).encode(),
        "1,000 series": json.dumps(disk_run(id=RUN_ID, series=series[:1000])).encode(),
    }


def _line(name: str, count: int, seconds: list[float]) -> str:
    p99 = float(np.percentile(seconds, 99))
    return f"  {name:<26} {count:>4} asked   p99 {p99 * 1000:6.1f} ms  n {len(seconds)}"


def _nothing(_client: httpx.Client) -> None:
    """What /healthz takes when nobody asks for anything: what else runs on this machine."""
    time.sleep(SECONDS)


def _get(path: str) -> Callable[[httpx.Client], object]:
    return lambda client: client.get(f"/api/v1/{path}")


def _put(content: bytes, token: str) -> Callable[[httpx.Client], object]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def put(client: httpx.Client) -> object:
        run_id = str(uuid.uuid4())
        named = content.replace(RUN_ID.encode(), run_id.encode())
        return client.put(f"/api/v1/runs/{run_id}", content=named, headers=headers)

    return put


def _waits(server: LiveServer, ask: Callable[[httpx.Client], object]) -> tuple[int, list[float]]:
    """How often it was answered, and the seconds that each /healthz took meanwhile."""
    # In processes of their own: what the clients do must not keep the watch waiting.
    apart = multiprocessing.get_context("fork")
    answered = apart.Value("i", 0)
    clients = [apart.Process(target=_ask, args=(server, ask, answered)) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    seconds = []
    end = time.monotonic() + SECONDS
    with httpx.Client(base_url=server.url, timeout=120) as watch:
        while time.monotonic() < end:
            began = time.perf_counter()
            watch.get("/healthz").raise_for_status()
            seconds.append(time.perf_counter() - began)
            time.sleep(0.01)
    for client in clients:
        client.join()
    return answered.value, seconds


def _ask(server: LiveServer, ask: Callable[[httpx.Client], object], answered: Any) -> None:
    end = time.monotonic() + SECONDS
    with httpx.Client(base_url=server.url, timeout=120) as client:
        while time.monotonic() < end:
            ask(client)
            with answered.get_lock():
                answered.value += 1
