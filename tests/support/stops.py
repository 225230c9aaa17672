"""Stopping the real server in every way that operators, terminals and service managers do."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psutil

from support.live_server import LiveServer

# Time limit for a stop: clients may finish, PostgreSQL writes its checkpoint.
STOP_SECONDS = 10.0
CLEAN_END = "database system is shut down"


@dataclass(frozen=True)
class Stop:
    """One stop of a server: how it was asked, and the result."""

    way: str
    times: int
    while_starting: bool
    seconds: float
    status: int | None
    """The exit status; None if it had to be killed."""
    left: tuple[str, ...]
    """Processes that outlived it."""
    clean: bool
    """Whether PostgreSQL shut down cleanly."""

    @property
    def hung(self) -> bool:
        return self.status is None or bool(self.left)

    @property
    def in_order(self) -> bool:
        # Until Python has installed our handlers, a signal simply ends the process or interrupts
        # its imports: nothing runs yet.
        number = WAYS[self.way][1]
        statuses = {0, -number, 128 + number} if self.while_starting else {0}
        return not self.hung and self.status in statuses and self.clean


def to_process(server: LiveServer, number: signal.Signals) -> None:
    """Signal the main process, like `kill PID`."""
    os.kill(_pid(server), number)


def to_group(server: LiveServer, number: signal.Signals) -> None:
    """Signal the process group, like Ctrl-C or a closed terminal."""
    os.killpg(_pid(server), number)


def to_all(server: LiveServer, number: signal.Signals) -> None:
    """Signal every process, like a service manager does with a control group."""
    for process in [psutil.Process(_pid(server)), *_children(server)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


WAYS: dict[str, tuple[Callable[[LiveServer, signal.Signals], None], signal.Signals]] = {
    "kill": (to_process, signal.SIGTERM),
    "Ctrl-C": (to_group, signal.SIGINT),
    "terminal closed": (to_group, signal.SIGHUP),
    "group": (to_group, signal.SIGTERM),
    "control group": (to_all, signal.SIGTERM),
}


def plans(count: int, seed: int) -> Iterator[tuple[str, int, bool, float]]:
    """`count` plans: way, how many signals, whether while starting, seconds between signals."""
    chance = random.Random(seed)
    for index in range(count):
        way = list(WAYS)[index % len(WAYS)]
        yield way, 1 + index // len(WAYS) % 3, index % 4 == 3, chance.choice([0, 0.001, 0.02, 0.2])


def stop(
    server: LiveServer,
    way: str,
    times: int,
    starting: bool,
    between: float,
    limit: float = STOP_SECONDS,
) -> Stop:
    """Start `server` unless it runs, ask it to stop `times` times, and wait for its end.

    Kills what has not ended after `limit` seconds.
    """
    if starting:
        server.launch()
        time.sleep(random.Random(f"{way} {times} {between}").uniform(0.3, 1.5))
    elif server.process is None:
        server.start()
    processes = _children(server)
    send, number = WAYS[way]
    start = time.monotonic()
    for index in range(times):
        if index:
            time.sleep(between)
        with contextlib.suppress(ProcessLookupError):
            send(server, number)
    status = server.wait(limit)
    seconds = time.monotonic() - start
    _, alive = psutil.wait_procs(processes, timeout=limit if status is not None else 0)
    left = tuple(p.name() for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE)
    if status is None:
        server.kill()
    log = server.data_dir / "postgres" / "postgres.log"
    lines = log.read_text().strip().splitlines() if log.exists() else []
    return Stop(way, times, starting, seconds, status, left, not lines or CLEAN_END in lines[-1])


def _pid(server: LiveServer) -> int:
    assert server.process is not None
    return server.process.pid


def _children(server: LiveServer) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return list(psutil.Process(_pid(server)).children(recursive=True))
    return []
