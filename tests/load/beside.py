"""Load while questions are asked: uploads and health checks; and a server's memory."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import time
import uuid
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

import httpx
import orjson
from support.live_server import LiveServer

from load.figure import percentile
from load.fleet import BLOCK, Fleet

T = TypeVar("T")

_APART = multiprocessing.get_context("fork")
_PAUSE_SECONDS = 0.05
_OTHERS = uuid.UUID("5a2f0f0e-1c64-4c8b-9d3a-2b7a54f0c1de")
_DIFFERENT = BLOCK


class _Beside(Generic[T]):
    """Work in its own process until stopped: it shares no interpreter with the measurement."""

    def __init__(self, work: Callable[[Event], T]) -> None:
        self._work = work
        self._ending = _APART.Event()
        self._hear, self._tell = _APART.Pipe(duplex=False)
        self._process = _APART.Process(target=self._run, daemon=True)

    def _run(self) -> None:
        self._tell.send(self._work(self._ending))

    def start(self) -> None:
        self._process.start()
        self._tell.close()

    def end(self) -> T:
        """Stop it and return its result; EOFError if it failed."""
        self._ending.set()
        result: T = self._hear.recv()
        self._process.join()
        return result


class Uploads:
    """Upload of a fleet's runs under new ids, at a given rate per second."""

    def __init__(self, server: LiveServer, fleet: Fleet, rate: int) -> None:
        self._url, self._rate = server.url, rate
        self._headers = {
            "Authorization": f"Bearer {server.token('fleet')}",
            "Content-Type": "application/json",
        }
        self._documents = [*map(_of_another_machine, fleet.documents(0, _DIFFERENT))]
        self._beside = _Beside(self._send_all)
        self.failed: list[str] = []

    def __enter__(self) -> Self:
        self._beside.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.failed += self._beside.end()
        assert not self.failed, self.failed[:3]

    def machine(self, number: int) -> str:
        document = orjson.loads(self._documents[number % _DIFFERENT])
        return str(document["machine"]["id"])

    def send(self, client: httpx.Client, number: int) -> None:
        """Upload a new run."""
        content = self._documents[number % _DIFFERENT]
        old_id = str(orjson.loads(content)["id"])
        run_id = str(uuid.uuid4())
        response = client.put(
            f"{self._url}/api/v1/runs/{run_id}",
            content=content.replace(old_id.encode(), run_id.encode()),
            headers=self._headers,
        )
        if response.status_code != 201:
            self.failed.append(response.text)

    def _send_all(self, ending: Event) -> list[str]:
        start = time.monotonic()
        with httpx.Client(timeout=60) as client:
            for number in itertools.count():
                due = start + number / self._rate
                if ending.wait(max(0.0, due - time.monotonic())):
                    break
                self.send(client, number)
        return self.failed


def _of_another_machine(content: bytes) -> bytes:
    """Change the machine's id: no token may upload for a Mac that was imported without one."""
    machine_id = str(orjson.loads(content)["machine"]["id"])
    return content.replace(machine_id.encode(), str(uuid.uuid5(_OTHERS, machine_id)).encode())


class Health:
    """Response times of /healthz meanwhile."""

    def __init__(self, server: LiveServer) -> None:
        self._url = f"{server.url}/healthz"
        self.seconds: list[float] = []
        self._beside = _Beside(self._look)

    def __enter__(self) -> Self:
        self._beside.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seconds = self._beside.end()

    @property
    def p99(self) -> float:
        return percentile(self.seconds, 99)

    def _look(self, ending: Event) -> list[float]:
        durations = []
        with httpx.Client(timeout=60) as client:
            while not ending.wait(_PAUSE_SECONDS):
                start = time.perf_counter()
                client.get(self._url).raise_for_status()
                durations.append(time.perf_counter() - start)
        return durations


def memory_of(server: LiveServer) -> int:
    """Bytes of anonymous and shared memory of all its processes, each page counted once.

    Mapped files are left out: the system may drop them. So is PostgreSQL.
    """
    assert server.process is not None
    return sum(map(_memory, _processes(server.process.pid)))


def _memory(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # the process has ended
        return 0
    fields = [line.split() for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:"))]
    return sum(int(kilobytes) * 1024 for _, kilobytes, _ in fields)


def _processes(parent: int) -> list[int]:
    """The process and its descendants, except for PostgreSQL and those that ended meanwhile."""
    processes: list[int] = []
    with contextlib.suppress(OSError):
        if "postgres" in Path(f"/proc/{parent}/comm").read_text():
            return []
        processes.append(parent)
        for task in Path(f"/proc/{parent}/task").iterdir():
            for child in (task / "children").read_text().split():
                processes += _processes(int(child))
    return processes
