"""kill -9 of the server's processes while clients upload and ask, and the damage found."""

from __future__ import annotations

import contextlib
import random
import shutil
import subprocess
import threading
import time
import urllib.request
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any

import httpx
import psutil
from sqlalchemy import text

from support.commands import COMMAND
from support.databases import transaction
from support.documents import disk_run, encoded
from support.live_server import LiveServer

CLIENTS = 4
# Most uploads between two kills: sometimes the server is still recovering from the last one.
UPLOADS_BETWEEN = 30
# Share of the kills after which an answer is awaited.
_ANSWERS_BETWEEN = 0.3
QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip&where=source:measured"
GIVE_UP_SECONDS = 300.0


@dataclass(frozen=True)
class Outcome:
    """The damage to a server that was killed `kills` times under load."""

    kills: int
    acknowledged: int
    lost: int
    """Acknowledged with 200 or 201, but not stored."""
    doubled: int
    """Stored more than once."""
    unsound: list[str]
    """Output of `macmeter-server verify`: runs that differ from their documents."""
    asked: int
    missed: int
    """Answers, and how many of them left out runs acknowledged before their `as_of`."""
    is_as_rebuilt: bool | None
    """Whether a rebuilt data set gives the same answer as the surviving one; None if not tried."""

    @property
    def harm(self) -> int:
        """All of these together: 0 without any damage."""
        wrong_dataset = self.is_as_rebuilt is False
        return self.lost + self.doubled + len(self.unsound) + self.missed + wrong_dataset


class Client(threading.Thread):
    """A machine that uploads one run after the other, retrying each until it is acknowledged.

    `apart` is the time in seconds that it waits after each.
    """

    def __init__(self, server: LiveServer, token: str, seed: int, apart: float = 0) -> None:
        super().__init__(name=f"client-{seed}", daemon=True)
        self.server, self.token, self.apart = server, token, apart
        self.chance = random.Random(seed)
        self.machine = disk_run()["machine"]["id"]
        self.acknowledged: list[str] = []
        self.times: list[float] = []
        self.ending = threading.Event()

    def run(self) -> None:
        while not self.ending.is_set():
            document = disk_run(machine=self.machine, write=self.chance.uniform(4e9, 6e9))
            while not self._uploaded(document["id"], encoded(document)):
                if self.ending.wait(0.05):
                    return
            self.acknowledged.append(document["id"])
            self.times.append(time.time())
            self.ending.wait(self.apart)

    def _uploaded(self, run_id: str, content: bytes) -> bool:
        request = urllib.request.Request(
            f"{self.server.url}/api/v1/runs/{run_id}",
            data=content,
            method="PUT",
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        # A killed server may leave half of a status line, which raises another kind of error.
        with (
            contextlib.suppress(OSError, HTTPException),
            urllib.request.urlopen(request, timeout=30) as answer,
        ):
            return answer.status in (200, 201)
        return False


class Inquirer(threading.Thread):
    """Thread that asks repeatedly: answers must have all that was acknowledged by their `as_of`."""

    def __init__(self, server: LiveServer, clients: list[Client]) -> None:
        super().__init__(name="asker", daemon=True)
        self.server, self.clients = server, clients
        self.asked = self.missed = 0
        self.ending = threading.Event()

    def run(self) -> None:
        while not self.ending.wait(0.05):
            with contextlib.suppress(httpx.TransportError):
                response = self.server.ask(QUESTION)
                if response.status_code == 200:
                    self.asked += 1
                    self.missed += self._misses(response.json())

    def wait(self) -> None:
        """Wait for another answer."""
        before, end = self.asked, time.monotonic() + GIVE_UP_SECONDS
        while self.asked == before:
            assert time.monotonic() < end, "no answer after the last kill"
            time.sleep(0.02)

    def _misses(self, answer: dict[str, Any]) -> bool:
        """Return whether it leaves out runs acknowledged before its `as_of`."""
        as_of = datetime.fromisoformat(answer["as_of"]).timestamp()
        acknowledged = sum(bisect(client.times, as_of) for client in self.clients)
        return counted(answer) < acknowledged


def counted(answer: dict[str, Any]) -> int:
    """Runs behind an answer."""
    return sum(group["runs"] for group in answer["results"][0]["groups"])


def postmaster(server: LiveServer) -> list[psutil.Process]:
    """PostgreSQL's main process."""
    pid_file = server.data_dir / "postgres" / "cluster" / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess, ValueError):
        return [psutil.Process(int(pid_file.read_text().split("\n")[0]))]
    return []


def supervisor(server: LiveServer) -> list[psutil.Process]:
    """The process of `macmeter-server serve`."""
    assert server.process is not None
    return [psutil.Process(server.process.pid)]


def workers(server: LiveServer) -> list[psutil.Process]:
    """The processes that answer requests."""
    return server.workers()


def questions(server: LiveServer) -> list[psutil.Process]:
    """The processes that compute answers."""
    return server.processes("macmeter-answer")


def follower(server: LiveServer) -> list[psutil.Process]:
    """The change log's follower and its children, such as the writer of the data set."""
    return server.processes("macmeter-follow")


def template(server: LiveServer) -> list[psutil.Process]:
    """The process that all of these are forked from."""
    return server.processes("macmeter-templ")


def everything(server: LiveServer) -> list[psutil.Process]:
    """The server and everything it started, as when a machine runs out of memory."""
    first = supervisor(server)[0]
    return [first, *first.children(recursive=True)]


Target = Callable[[LiveServer], list[psutil.Process]]
TARGETS: list[Target] = [
    postmaster,
    everything,
    workers,
    questions,
    follower,
    template,
    supervisor,
]


def kill_under_load(
    server: LiveServer, kills: int, clients: int = CLIENTS, *, thorough: bool = False
) -> Outcome:
    """Kill each target equally often, in random order, while every client uploads.

    `thorough`: wait for an answer between some kills; at the end, compare the answer with that of a
    rebuilt data set, and every run with its document.
    """
    chance = random.Random(kills)
    with server:
        uploading = [Client(server, server.token(), seed) for seed in range(clients)]
        asking = Inquirer(server, uploading)
        threads: list[Client | Inquirer] = [*uploading, asking]
        for thread in threads:
            thread.start()
        for target in _order(kills, chance):
            wait_for_uploads(uploading, server, chance.randint(1, UPLOADS_BETWEEN))
            _kill(server, target)
            if thorough and chance.random() < _ANSWERS_BETWEEN:
                asking.wait()
        wait_for_uploads(uploading, server)
        asking.wait()
        for thread in threads:
            thread.ending.set()
        for thread in threads:
            thread.join(GIVE_UP_SECONDS)
        acknowledged = {run_id for client in uploading for run_id in client.acknowledged}
        stored = stored_runs(server)
        return Outcome(
            kills,
            len(acknowledged),
            lost=len(acknowledged - set(stored)),
            doubled=len(stored) - len(set(stored)),
            unsound=unsound(server) if thorough else [],
            asked=asking.asked,
            missed=asking.missed,
            is_as_rebuilt=is_as_rebuilt(server) if thorough else None,
        )


def _order(kills: int, chance: random.Random) -> Iterator[Target]:
    for start in range(0, kills, len(TARGETS)):
        yield from chance.sample(TARGETS, len(TARGETS))[: kills - start]


def _kill(server: LiveServer, target: Target) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in target(server):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
    if target in (everything, supervisor):
        server.kill()
        server.start()


def unsound(server: LiveServer) -> list[str]:
    """Runs that differ from their documents, including half-stored ones."""
    process = subprocess.run(
        [COMMAND, "verify"], env=server.environment, capture_output=True, text=True, check=False
    )
    return process.stdout.splitlines() or ([process.stderr] if process.returncode else [])


def is_as_rebuilt(server: LiveServer) -> bool:
    """Return whether the answer stays the same after rebuilding the data set.

    Both are as of a time after this call: an answer may be slightly old.
    """
    now = datetime.now(UTC)
    before = _answer(server, now)
    server.stop()
    shutil.rmtree(server.data_dir / "dataset")
    server.start()
    return bool(_answer(server, now) == before)


def _answer(server: LiveServer, since: datetime) -> Any:
    """The answer as of `since` or later, without its `as_of`; waits for the data set."""
    end = time.monotonic() + GIVE_UP_SECONDS
    while not _is_of(response := server.ask(QUESTION), since):
        assert time.monotonic() < end, response.text
        time.sleep(0.1)
    return {name: value for name, value in response.json().items() if name != "as_of"}


def _is_of(response: httpx.Response, since: datetime) -> bool:
    """Return whether it is an answer as of that time or later."""
    return response.status_code == 200 and datetime.fromisoformat(response.json()["as_of"]) >= since


def wait_for_uploads(
    clients: list[Client], server: LiveServer, uploads: int = UPLOADS_BETWEEN
) -> None:
    """Wait until that many more runs are acknowledged; AssertionError on timeout."""
    before = sum(len(client.acknowledged) for client in clients)
    end = time.monotonic() + GIVE_UP_SECONDS
    while sum(len(client.acknowledged) for client in clients) < before + uploads:
        assert time.monotonic() < end, f"no uploads after a kill:\n{server.log.read_text()[-4000:]}"
        time.sleep(0.02)


def stored_runs(server: LiveServer) -> list[str]:
    """The ids of all measured runs that have their document."""
    query = """
        SELECT run_id::text FROM runs JOIN documents USING (machine_id, run_id)
        WHERE source = 'measured'
    """
    with transaction(server.database_url) as connection:
        return [*connection.scalars(text(query))]
