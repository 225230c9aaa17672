"""kill -9 of the server's processes while clients upload, and what came of it."""

from __future__ import annotations

import contextlib
import random
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from macmeter.embedded import find_running

from support.documents import disk_run, encoded
from support.live_server import LiveServer

CLIENTS = 4
# Between two kills: long enough that all clients are answered again.
UPLOADS_BETWEEN = 40
GIVE_UP_SECONDS = 120.0


@dataclass(frozen=True)
class Outcome:
    """What came of a server that was killed `kills` times under load."""

    kills: int
    acknowledged: int
    lost: int
    """Acknowledged with 200 or 201, and not stored."""
    doubled: int
    """Stored more often than once."""


class Client(threading.Thread):
    """A machine that uploads one run after the other, each until it is acknowledged."""

    def __init__(self, server: LiveServer, token: str, seed: int) -> None:
        super().__init__(name=f"client-{seed}", daemon=True)
        self.server, self.token = server, token
        self.chance = random.Random(seed)
        self.machine = disk_run()["machine"]["id"]
        self.acknowledged: list[str] = []
        self.ending = threading.Event()

    def run(self) -> None:
        while not self.ending.is_set():
            document = disk_run(machine=self.machine, write=self.chance.uniform(4e9, 6e9))
            while not self._uploaded(document["id"], encoded(document)):
                if self.ending.wait(0.05):
                    return
            self.acknowledged.append(document["id"])

    def _uploaded(self, run_id: str, content: bytes) -> bool:
        request = urllib.request.Request(
            f"{self.server.url}/api/v1/runs/{run_id}",
            data=content,
            method="PUT",
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status in (200, 201)
        return False


def postmaster(server: LiveServer) -> list[psutil.Process]:
    """PostgreSQL's first process."""
    pid_file = server.data_dir / "postgres" / "cluster" / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess, ValueError):
        return [psutil.Process(int(pid_file.read_text().split("\n")[0]))]
    return []


def supervisor(server: LiveServer) -> list[psutil.Process]:
    """The process that `macmeter-server serve` is."""
    assert server.process is not None
    return [psutil.Process(server.process.pid)]


def workers(server: LiveServer) -> list[psutil.Process]:
    """The processes that answer requests."""
    children = supervisor(server)[0].children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def everything(server: LiveServer) -> list[psutil.Process]:
    """The server and all that it started, as when a machine's memory runs out."""
    first = supervisor(server)[0]
    return [first, *first.children(recursive=True)]


TARGETS: list[Callable[[LiveServer], list[psutil.Process]]] = [
    postmaster,
    everything,
    workers,
    supervisor,
]


def kill_under_load(data_dir: Path, kills: int, **environment: str) -> Outcome:
    """Kills the targets in turn, `kills` times in all, each while every client uploads."""
    server = LiveServer(data_dir, **{"WORKERS": "2"} | environment)
    with server:
        clients = [Client(server, server.token(), seed) for seed in range(CLIENTS)]
        for client in clients:
            client.start()
        for index in range(kills):
            wait_for_uploads(clients, server)
            target = TARGETS[index % len(TARGETS)]
            for process in target(server):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            if target in (everything, supervisor):
                server.kill()
                server.start()
        wait_for_uploads(clients, server)
        for client in clients:
            client.ending.set()
        for client in clients:
            client.join(GIVE_UP_SECONDS)
        acknowledged = {run_id for client in clients for run_id in client.acknowledged}
        stored = stored_runs(server)
        lost = acknowledged - set(stored)
        return Outcome(kills, len(acknowledged), len(lost), len(stored) - len(set(stored)))


def wait_for_uploads(clients: list[Client], server: LiveServer) -> None:
    """Returns once so many more runs were acknowledged; an AssertionError when they are not."""
    before = sum(len(client.acknowledged) for client in clients)
    end = time.monotonic() + GIVE_UP_SECONDS
    while sum(len(client.acknowledged) for client in clients) < before + UPLOADS_BETWEEN:
        assert time.monotonic() < end, f"no uploads after a kill:\n{server.log.read_text()[-4000:]}"
        time.sleep(0.02)


def stored_runs(server: LiveServer) -> list[str]:
    """The ids of all measured runs whose document is there too."""
    running = find_running(server.data_dir)
    assert running is not None
    with running.connect("macmeter") as connection:
        rows = connection.execute(
            "SELECT run_id::text FROM runs JOIN documents USING (machine_id, run_id)"
            " WHERE source = 'measured'"
        )
        return [str(row[0]) for row in rows]
