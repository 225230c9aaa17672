"""Processes that run as long as the server and are restarted when they end, and the signals that
stop it.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from macmeter.embedded import EmbeddedError, EmbeddedPostgres
from macmeter.platform.processes.process import Process
from macmeter.platform.telemetry.logs import print_log_line

RETRY_SECONDS = 5.0
# More than this isn't chance, and the server stops.
MAX_STARTS_A_MINUTE = 60
POLL_SECONDS = 0.5
# More restarts than this won't help.
MAX_RESTARTS = 5
RESTART_WINDOW_SECONDS = 300.0

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SupervisedProcess:
    """A process that calls `function`, restarted when it ends; `name` is for operators."""

    def __init__(
        self, name: str, function: Callable[..., object], *arguments: Any, pause: float = 0.0
    ) -> None:
        """Start the process; restart it `pause` seconds after it ends."""
        self.gave_up = False
        self._name = name
        self._call = (function, *arguments)
        self._pause = pause
        self._process: Process | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name=name, daemon=True)
        self._thread.start()

    def begin_stop(self) -> None:
        """Ask the process to end, by SIGTERM, and don't restart it."""
        self._stopping.set()
        if self._process is not None:
            self._process.terminate()

    def stop(self, seconds: float) -> None:
        """Stop the process and wait; after `seconds`, kill it."""
        self.begin_stop()
        self._thread.join(seconds)
        if self._process is not None:
            self._process.kill()
        self._thread.join()

    def _supervise(self) -> None:
        starts: list[float] = []
        while not self._stopping.is_set():
            now = time.monotonic()
            starts = [*(start for start in starts if now - start < 60), now]
            if len(starts) > MAX_STARTS_A_MINUTE:
                print_log_line(f"{self._name} has ended {len(starts)} times within a minute")
                self.gave_up = True
                os.kill(os.getpid(), signal.SIGTERM)
                return
            pause = self._pause
            try:
                self._run()
            except OSError as error:
                print_log_line(f"{self._name} can't be started: {error}")
                pause = RETRY_SECONDS
            self._stopping.wait(pause)

    def _run(self) -> None:
        process = Process(self._name, *self._call)
        process.start()
        self._process = process
        if self._stopping.is_set():  # the stop came before the process started
            process.terminate()
        process.join()


@contextmanager
def running(*processes: SupervisedProcess, seconds: float) -> Iterator[None]:
    """Stop these processes when the `with` block ends; `seconds` is the time for all."""
    try:
        yield
    finally:
        end = time.monotonic() + seconds
        for process in processes:
            process.begin_stop()
        for process in processes:
            process.stop(max(end - time.monotonic(), 0))


class Stopped(SystemExit):
    """Raised in the main thread by a signal, so that a slow startup ends too."""


class StopSignals:
    """Signal handler: the first signal requests a stop, later ones are ignored."""

    stopping = False

    def receive(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Handle a signal. Must not take a lock, which the main thread might hold."""
        if not self.stopping:
            self.stopping = True
            raise Stopped(0)

    def wait(self) -> None:
        """Block the main thread until a signal requests a stop."""
        with suppress(Stopped):
            while True:
                time.sleep(POLL_SECONDS)


@contextmanager
def stop_signals() -> Iterator[StopSignals]:
    """Handle stop signals for the `with` block."""
    signals = StopSignals()
    previous = {number: signal.signal(number, signals.receive) for number in STOP_SIGNALS}
    try:
        yield signals
    finally:
        for number, handler in previous.items():
            # The final steps after a stop request must not be interrupted either.
            signal.signal(number, signal.SIG_IGN if signals.stopping else handler)


def stop_with_parent() -> None:
    """Shut the server down cleanly when the process that started it (`make`) has ended."""
    parent = os.getppid()

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent-watch", daemon=True).start()


class PostgresWatch:
    """Watcher that restarts PostgreSQL when it ends, and gives up if that doesn't help.

    Once `is_server_stopping` returns True, PostgreSQL's end is expected: a service manager signals
    every process.
    """

    def __init__(self, postgres: EmbeddedPostgres, is_server_stopping: Callable[[], bool]) -> None:
        self.postgres = postgres
        self.is_server_stopping = is_server_stopping
        self.gave_up = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="postgres-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching, because PostgreSQL will be stopped."""
        self._stopping.set()
        self._thread.join()

    def _watch(self) -> None:
        restarts: list[float] = []
        while not self._stopping.is_set():
            if not self.postgres.wait(POLL_SECONDS) or self._stopping.is_set():
                continue
            if self.is_server_stopping():
                return
            now = time.monotonic()
            restarts = [*(past for past in restarts if now - past < RESTART_WINDOW_SECONDS), now]
            try:
                if len(restarts) > MAX_RESTARTS:
                    raise EmbeddedError(f"PostgreSQL has ended {len(restarts)} times")
                print_log_line("PostgreSQL has ended by itself: starting it again")
                self.postgres.restart()
            except EmbeddedError as error:
                print_log_line(str(error))
                self.gave_up = True
                os.kill(os.getpid(), signal.SIGTERM)
                return
