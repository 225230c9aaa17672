"""The cost of a million runs, and whether answers are still as fast as with few.

`make bench ONLY=million` generates the runs and imports them, which takes most of its time; with
MILLION_DIR they are kept there for the next time. RUNS=100000 measures with fewer. The same
questions are asked with 2,000 runs first, and each figure is reported next to that. References are
our own limits.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from macmeter.embedded import EmbeddedPostgres, Running, find_running
from macmeter.platform.database import migrate
from support.commands import COMMAND, environment
from support.live_server import LiveServer

from load.asked import Asked, questions
from load.beside import Health, Uploads, memory_of
from load.figure import Figure, figure, percentile
from load.fleet import Fleet
from load.readers import readers

ROOT = Path(__file__).resolve().parents[2]
FEW = 2_000
MANY = 1_000_000
# Runs per file, so that an interrupted import resumes at a file's beginning.
FILE_RUNS = 50_000
UPLOADS_A_SECOND = 50
CACHED = 60
_WARMING = 40
FRESH = 40
LONGEST_SECONDS = 900.0
# Seconds; for the mix of all questions three times those with few runs, if that is more.
LIMITS = {
    "answer": 0.12,
    "answer.file_size": 0.4,
    "facets": 0.12,
    "compare": 0.25,
    "lists": 0.05,
    "picture": 0.25,
    "mix": 0.12,
}

Seconds = dict[str, list[float]]


def figures() -> Iterator[Figure]:
    """Yield the figures for RUNS runs, each as soon as it is known."""
    runs = int(os.environ.get("RUNS") or MANY)
    with tempfile.TemporaryDirectory(prefix=".bench-million-", dir=ROOT) as directory:
        few = _few(Path(directory) / "few")
        folder = os.environ.get("MILLION_DIR")
        data = Path(folder) / str(runs) if folder else Path(directory) / "many"
        yield from filled(data, runs)
        yield from _measured(data, runs, few)


def _few(data: Path) -> Seconds:
    """Time of the questions with few runs, under the same uploads."""
    for _ in filled(data, FEW):
        pass
    with LiveServer(data, WORKERS="") as server:
        until_answered(server, FEW)
        uploads = Uploads(server, Fleet(FEW), UPLOADS_A_SECOND)
        _open_fleets(data)
        with uploads:
            return _asked_warm(server, questions(Fleet(FEW)))


def filled(data: Path, runs: int) -> Iterator[Figure]:
    """Import what is missing; a marker file shows a filled directory."""
    marker = data / "filled"
    if marker.exists():
        return
    data.mkdir(parents=True, exist_ok=True)
    data.chmod(0o755)
    start = time.perf_counter()
    with EmbeddedPostgres(data) as postgres:
        migrate(postgres.url())
        _import(postgres.url(), runs)
        seconds = time.perf_counter() - start
    marker.write_text(f"{runs}\n")
    if runs != FEW:
        yield figure("import.rate", runs / seconds, "runs/s", 800, runs)


def _import(url: str, runs: int) -> None:
    """Generate each part while it is imported: neither is kept."""
    for first in range(0, runs, FILE_RUNS):
        last = min(first + FILE_RUNS, runs)
        making = [sys.executable, "-m", "load.fleet", str(runs), str(first), str(last)]
        with subprocess.Popen(making, stdout=subprocess.PIPE) as generator:
            line = [COMMAND, "import", "--public", "-"]
            taking = subprocess.run(
                line, env=environment(url), stdin=generator.stdout, capture_output=True, check=False
            )
        if generator.returncode or taking.returncode:
            raise RuntimeError(f"import ended with {taking.returncode}: {taking.stderr!r}")
        print(f"  {last:,} of {runs:,} runs are there", flush=True)


def _stored(data: Path) -> tuple[int, int]:
    """Number of stored runs, including later uploads; the database's size in bytes."""
    with running_in(data).connect("macmeter") as connection:
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")
        query = "SELECT count(*), pg_database_size(current_database()) FROM runs"
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def running_in(data: Path) -> Running:
    running = find_running(data)
    assert running is not None
    return running


def _measured(data: Path, runs: int, few: Seconds) -> Iterator[Figure]:
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(data / "dataset")
    server = LiveServer(data, WORKERS="")
    try:
        start = time.perf_counter()
        server.start()
        until_answered(server, runs)
        yield figure("dataset.rebuild", time.perf_counter() - start, "s", 240, 1)
        stored, size = _stored(data)
        yield figure("bytes.run", size / stored, "B", 6 * 1024, stored)
        yield figure(
            "dataset.bytes.run", _bytes_below(data / "dataset") / stored, "B", 2048, stored
        )
        server.stop()
        start = time.perf_counter()
        server.start()
        until_answered(server, runs)
        yield figure("restart.ready", time.perf_counter() - start, "s", 10, 1)
        yield from _beside_uploads(server, runs, few)
    finally:
        server.stop()


def _beside_uploads(server: LiveServer, runs: int, few: Seconds) -> Iterator[Figure]:
    fleet = Fleet(runs)
    requests = questions(fleet)
    uploads = Uploads(server, fleet, UPLOADS_A_SECOND)
    _open_fleets(server.data_dir)
    with uploads, Health(server) as health:
        durations = _asked_warm(server, requests)
        for kind, seconds in durations.items():
            reference = LIMITS[kind]
            at_few = percentile(few[kind], 95)
            if kind == "mix":
                reference = max(reference, 3 * at_few)
            name = f"{kind}.p95" if kind != "answer" else f"answer.p95.{runs}"
            yield figure(name, percentile(seconds, 95), "s", reference, len(seconds))
            print(f"    of {FEW:,} runs: {at_few:.4f} s", flush=True)
        cached = percentile(_cached(server, requests), 95)
        yield figure("answer.cached.p95", cached, "s", 0.005, CACHED)
        yield figure("dataset.lag", percentile(_lags(server, fleet), 95), "s", 3, FRESH)
        yield figure("memory.server", memory_of(server), "B", 500e6, 1)
        answers = [path for kind, path in requests if kind == "answer"]
        yield from readers(server.url, answers)
    yield figure("million.healthz.p99", health.p99, "s", 0.05, len(health.seconds))


def _open_fleets(data: Path) -> None:
    """Make fleets' later uploads public."""
    with running_in(data).connect("macmeter") as connection:
        connection.execute("UPDATE fleets SET visibility = 'public'")


def until_answered(server: LiveServer, runs: int) -> None:
    """Wait until an answer has all runs."""
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        response = server.ask("/api/v1/answer?metric=disk.write_average&flagged=include")
        if response.status_code == 200 and response.json()["runs"] >= runs:
            return
        time.sleep(0.2)
    raise AssertionError(f"there is no answer of {runs:,} runs: {response.text[:300]}")


def _asked_warm(server: LiveServer, requests: list[Asked]) -> Seconds:
    """Measure the same after files have been read once."""
    _asked(server, requests[:_WARMING])
    return _asked(server, requests)


def _asked(server: LiveServer, requests: list[Asked]) -> Seconds:
    """Seconds of each question by its kind, and of all: the mix."""
    durations: Seconds = {}
    with httpx.Client(base_url=f"{server.url}/api/v1/", timeout=300) as client:
        for kind, path in requests:
            seconds = _seconds_of(client, path)
            for name in (kind, "mix"):
                durations.setdefault(name, []).append(seconds)
    return durations


def _seconds_of(client: httpx.Client, path: str) -> float:
    """Time until a whole response is received, without unpacking, which isn't the server's time."""
    start = time.perf_counter()
    with client.stream("GET", path) as response:
        response.raise_for_status()
        for _ in response.iter_raw():
            pass
        return time.perf_counter() - start


def _cached(server: LiveServer, requests: list[Asked]) -> list[float]:
    """Seconds of answers repeated immediately."""
    durations = []
    with httpx.Client(base_url=f"{server.url}/api/v1/", timeout=300) as client:
        paths = [path for kind, path in requests if kind == "answer"][:CACHED]
        for path in paths:
            client.get(path).raise_for_status()
            durations.append(_seconds_of(client, path))
    return durations


def _lags(server: LiveServer, fleet: Fleet) -> list[float]:
    """Seconds from an upload's acknowledgement until an answer has it."""
    path = "answer?metric=disk.write_average&flagged=include&by=machine&where=machine:{}"
    durations = []
    uploads = Uploads(server, fleet, 0)
    with httpx.Client(base_url=f"{server.url}/api/v1/", timeout=300) as client:

        def counted(machine: str) -> int:
            response = client.get(path.format(machine))
            return int(response.json()["runs"]) if response.status_code == 200 else 0

        for number in range(FRESH):
            machine = uploads.machine(number)
            before = counted(machine)
            uploads.send(client, number)
            start = time.perf_counter()
            while counted(machine) <= before:
                assert time.perf_counter() - start < LONGEST_SECONDS, uploads.failed
                time.sleep(0.02)
            durations.append(time.perf_counter() - start)
    return durations


def _bytes_below(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
