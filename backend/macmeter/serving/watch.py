"""Threads that notice the end of another process and act on it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

from macmeter.embedded import EmbeddedError, EmbeddedPostgres
from macmeter.observing.logs import say

POLL_SECONDS = 0.5
# A server that ends this often is not helped by starting it once more.
MOST_RESTARTS = 5
RESTARTS_WITHIN_SECONDS = 300.0


def stop_with_parent() -> None:
    """In the supervisor: stops in order when the process that started it (`make`) has ended."""
    parent = os.getppid()

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent-watch", daemon=True).start()


class PostgresWatch:
    """Starts PostgreSQL again when it ends by itself; gives up when that does not help.

    Once `stopping` says so its end is nobody's fault: a service manager signals every process.
    """

    def __init__(self, postgres: EmbeddedPostgres, stopping: Callable[[], bool]) -> None:
        self.postgres = postgres
        self.asked_to_stop = stopping
        self.gave_up = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="postgres-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Looks away: from now on its end is wanted."""
        self._stopping.set()
        self._thread.join()

    def _watch(self) -> None:
        restarts: list[float] = []
        while not self._stopping.is_set():
            if not self.postgres.wait(POLL_SECONDS) or self._stopping.is_set():
                continue
            if self.asked_to_stop():
                return
            now = time.monotonic()
            restarts = [then for then in restarts if now - then < RESTARTS_WITHIN_SECONDS] + [now]
            try:
                if len(restarts) > MOST_RESTARTS:
                    raise EmbeddedError(f"PostgreSQL has ended {len(restarts)} times")
                say("PostgreSQL has ended by itself: starting it again")
                self.postgres.restart()
            except EmbeddedError as error:
                say(str(error))
                self.gave_up = True
                os.kill(os.getpid(), signal.SIGTERM)
                return
