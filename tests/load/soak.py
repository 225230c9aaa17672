"""Twenty minutes of uploads at 70 % of the highest rate: the last take as long as the first."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray
from support.live_server import LiveServer

from load import generated
from load.put_floor import Runs, Uploads, rate

CLIENTS = 8
SHARE = 0.7
MINUTES = 20.0
# Compared: the first of these minutes with the last.
COMPARED = 5.0
ROUNDS = 3
_MANY = 10**9

Times = NDArray[np.float64]


def figures() -> list[dict[str, Any]]:
    """`soak.p50`, `soak.p99` of the last minutes beside the first, in ms, and `soak.errors`."""
    with (
        tempfile.TemporaryDirectory() as directory,
        LiveServer(Path(directory), WORKERS="") as server,
    ):
        upload = Uploads(Runs(), server.port, server.token("fleet"))
        for send in upload(0, generated.MACHINES):
            send()
        highest = max(rate(upload, CLIENTS) for _ in range(ROUNDS))
        memory = [memory_of(server)]
        times, errors = paced(upload, SHARE * highest, 60 * MINUTES)
        memory.append(memory_of(server))
    print(
        f"  {len(times):,} uploads at {SHARE * highest:.0f}/s of {highest:.0f}/s, {errors} errors; "
        f"server memory {memory[0] / 2**20:.0f} MiB, then {memory[1] / 2**20:.0f} MiB"
    )
    at, seconds = times[:, 0], times[:, 1]
    first = seconds[at < 60 * COMPARED]
    last = seconds[at >= 60 * (MINUTES - COMPARED)]
    found = [
        _figure(f"soak.p{p}", "ms", *(1000 * float(np.percentile(t, p)) for t in (last, first)))
        for p in (50, 99)
    ]
    found.append(_figure("soak.errors", "", float(errors), 0.0))
    return [{**one, "n": len(times)} for one in found]


def _figure(name: str, unit: str, value: float, reference: float) -> dict[str, Any]:
    ratio = value / reference if reference else value
    return {"name": name, "value": value, "unit": unit, "reference": reference, "ratio": ratio}


def paced(upload: Uploads, runs_a_second: float, seconds: float) -> tuple[Times, int]:
    """When each upload was sent and how long it took, in seconds; and how many were refused."""
    context = multiprocessing.get_context("fork")
    ended: multiprocessing.Queue[tuple[Times, int]] = context.Queue()
    pause = CLIENTS / runs_a_second
    processes = [
        context.Process(target=_client, args=(upload, number, pause, seconds, ended))
        for number in range(CLIENTS)
    ]
    for process in processes:
        process.start()
    found = [ended.get(timeout=seconds + 300) for _ in processes]
    for process in processes:
        process.join()
    return np.concatenate([times for times, _ in found]), sum(errors for _, errors in found)


def _client(
    upload: Uploads,
    number: int,
    pause: float,
    seconds: float,
    ended: multiprocessing.Queue[tuple[Times, int]],
) -> None:
    times: list[tuple[float, float]] = []
    errors = 0
    sends = upload(number, _MANY)
    began = time.perf_counter()
    due = pause * number / CLIENTS
    while due < seconds:
        send = next(sends)  # made before it is due
        time.sleep(max(began + due - time.perf_counter(), 0))
        sent = time.perf_counter()
        try:
            send()
        except (AssertionError, OSError):
            errors += 1
            sends = upload(number, _MANY)
        else:
            times.append((sent - began, time.perf_counter() - sent))
        due += pause
    ended.put((np.array(times).reshape(-1, 2), errors))


def memory_of(server: LiveServer) -> int:
    """Bytes of the server's own processes, PostgreSQL's apart: what is shared counts once."""
    assert server.process is not None
    first = psutil.Process(server.process.pid)
    own = [one for one in (first, *first.children(recursive=True)) if "postgres" not in one.name()]
    return sum(one.memory_full_info().pss for one in own)
