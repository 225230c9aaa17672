"""SIGINT, SIGTERM and SIGHUP, however many come and whenever, as one request to stop in order.

A handler runs in the main thread between any two of its steps, so it may take no lock that the
main thread could hold just then: a second SIGTERM that called `Event.set` while the first was
inside it waited for itself forever. The handler here only writes a byte; a thread acts on it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(SystemExit):
    """Raised in the main thread by a signal that comes while the server is still starting."""


class StopSignals:
    """Takes the signals over while entered. The first asks for the stop, later ones add nothing.

    Between `on_stop` and the end the request goes to the function given there; before, it raises
    Stopped, so that a long start ends too.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._stop: Callable[[], None] | None = None
        self._read, self._write = os.pipe()
        self._before: dict[int, signal._HANDLER] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self.receive) for number in STOPPING}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            # The last steps of a process that was asked to end are not to be cut short either.
            signal.signal(number, signal.SIG_IGN if self.stopping else handler)

    def receive(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """The handler: asks for the stop once."""
        if self.stopping:
            return
        self.stopping = True
        if self._stop is None:
            raise Stopped(0)
        os.write(self._write, b".")

    def on_stop(self, stop: Callable[[], None]) -> None:
        """From now on the request calls `stop`, in a thread that holds no locks."""

        def wait() -> None:
            os.read(self._read, 1)
            stop()

        threading.Thread(target=wait, name="stop-signals", daemon=True).start()
        self._stop = stop
