"""Twenty minutes of uploads at 70 % of the highest rate: the last take as long as the first."""

from __future__ import annotations

import math
import multiprocessing
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from support.live_server import LiveServer

from load import generated
from load.beside import memory_of
from load.put_floor import Runs, Uploads, rate

CLIENTS = 8
SHARE = 0.7
MINUTES = 20.0
# The first of these minutes are compared with the last.
COMPARED = 5.0
_FIRST, _LAST = 60 * COMPARED, 60 * (MINUTES - COMPARED)
ROUNDS = 3
_LOOK_SECONDS = 5.0
_MANY = 10**9

Times = NDArray[np.float64]


def figures() -> list[dict[str, Any]]:
    """`soak.p50`, `soak.p99`: of the last minutes relative to the first, in ms; the median of the
    server's memory likewise; and `soak.errors`.
    """
    with (
        tempfile.TemporaryDirectory() as directory,
        LiveServer(Path(directory), WORKERS="") as server,
    ):
        upload = Uploads(Runs(), server.port, server.token("fleet"))
        for send in upload(0, generated.MACHINES):
            send()
        highest = max(rate(upload, CLIENTS) for _ in range(ROUNDS))
        with _Memory(server) as memory:
            times, errors = paced(upload, SHARE * highest, 60 * MINUTES)
    print(
        f"  {len(times):,} uploads at {SHARE * highest:.0f}/s of {highest:.0f}/s, {errors} errors",
        flush=True,
    )
    at, seconds = times[:, 0], times[:, 1]
    first, last = seconds[at < _FIRST], seconds[at >= _LAST]
    all_figures = [
        _figure(f"soak.p{p}", "ms", *(1000 * float(np.percentile(t, p)) for t in (last, first)))
        for p in (50, 99)
    ]
    all_figures.append(_figure("soak.memory", "B", memory.median(_LAST), memory.median(0, _FIRST)))
    all_figures.append(_figure("soak.errors", "", float(errors), 0.0))
    return [{**item, "n": len(times)} for item in all_figures]


class _Memory:
    """Sampler of a server's memory every few seconds, as it briefly needs more now and then."""

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self.held: list[tuple[float, int]] = []
        """Seconds since the beginning, and bytes."""
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, name="memory", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def median(self, start: float, end: float = math.inf) -> float:
        """Median in bytes between these times."""
        return median([size for at, size in self.held if start <= at < end])

    def _look(self) -> None:
        start = time.perf_counter()
        while not self._ending.wait(_LOOK_SECONDS):
            self.held.append((time.perf_counter() - start, memory_of(self._server)))


def _figure(name: str, unit: str, value: float, reference: float) -> dict[str, Any]:
    ratio = value / reference if reference else value
    return {"name": name, "value": value, "unit": unit, "reference": reference, "ratio": ratio}


def paced(upload: Uploads, runs_a_second: float, seconds: float) -> tuple[Times, int]:
    """Send times and durations of the uploads, in seconds; and the number refused."""
    context = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[tuple[Times, int]] = context.Queue()
    pause = CLIENTS / runs_a_second
    processes = [
        context.Process(target=_client, args=(upload, number, pause, seconds, queue))
        for number in range(CLIENTS)
    ]
    for process in processes:
        process.start()
    results = [queue.get(timeout=seconds + 300) for _ in processes]
    for process in processes:
        process.join()
    return np.concatenate([times for times, _ in results]), sum(errors for _, errors in results)


def _client(
    upload: Uploads,
    number: int,
    pause: float,
    seconds: float,
    queue: multiprocessing.Queue[tuple[Times, int]],
) -> None:
    times: list[tuple[float, float]] = []
    errors = 0
    sends = upload(number, _MANY)
    start = time.perf_counter()
    due = pause * number / CLIENTS
    while due < seconds:
        send = next(sends)  # prepared before it is due
        time.sleep(max(start + due - time.perf_counter(), 0))
        sent_at = time.perf_counter()
        try:
            send()
        except (AssertionError, OSError):
            errors += 1
            sends = upload(number, _MANY)
        else:
            times.append((sent_at - start, time.perf_counter() - sent_at))
        due += pause
    queue.put((np.array(times).reshape(-1, 2), errors))
