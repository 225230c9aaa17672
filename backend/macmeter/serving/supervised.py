"""Processes that last as long as the server: whichever ends by itself is replaced."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from macmeter.observing.logs import say
from macmeter.processes.process import Process

RETRY_SECONDS = 5.0
# Above it they don't end by chance, and the server ends with them.
MOST_REPLACED_A_MINUTE = 60


class Supervised:
    """One process that calls `function`, and its successors; `name` is for operators."""

    def __init__(
        self, name: str, function: Callable[..., object], *arguments: Any, pause: float = 0.0
    ) -> None:
        """A successor is started `pause` seconds after the end of the one before."""
        self.gave_up = False
        self._does = (name, function, *arguments)
        self._pause = pause
        self._process: Process | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name=name, daemon=True)
        self._thread.start()

    def begin_stop(self) -> None:
        """Asks the process to end, as an operator would; there is no successor."""
        self._stopping.set()
        if self._process is not None:
            self._process.terminate()

    def stop(self, seconds: float) -> None:
        """Returns when it has ended. One that is still busy after so many seconds is killed."""
        self.begin_stop()
        self._thread.join(seconds)
        if self._process is not None:
            self._process.kill()
        self._thread.join()

    def _supervise(self) -> None:
        starts: list[float] = []
        while not self._stopping.is_set():
            now = time.monotonic()
            starts = [*(then for then in starts if now - then < 60), now]
            if len(starts) > MOST_REPLACED_A_MINUTE:
                say(f"{self._does[0]} has ended {len(starts)} times within a minute")
                self.gave_up = True
                os.kill(os.getpid(), signal.SIGTERM)
                return
            pause = self._pause
            try:
                self._run()
            except OSError as error:
                say(f"{self._does[0]} can't be started: {error}")
                pause = RETRY_SECONDS
            self._stopping.wait(pause)

    def _run(self) -> None:
        process = Process(*self._does)
        process.start()
        self._process = process
        if self._stopping.is_set():  # before there was a process to be asked
            process.terminate()
        process.join()


@contextmanager
def running(*supervised: Supervised, seconds: float) -> Iterator[None]:
    """While entered they run; all have so many seconds together to stop."""
    try:
        yield
    finally:
        end = time.monotonic() + seconds
        for one in supervised:
            one.begin_stop()
        for one in supervised:
            one.stop(max(end - time.monotonic(), 0))
