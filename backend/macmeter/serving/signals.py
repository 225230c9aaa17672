"""SIGINT, SIGTERM and SIGHUP, however many come and whenever, as one request to stop in order.

A handler runs in the main thread between any two of its steps, so it may take no lock that the
main thread could hold just then: a second SIGTERM that called `Event.set` while the first was
inside it waited for itself forever. The handler here only writes a byte, which `wait` reads.
"""

from __future__ import annotations

import os
import signal
from types import FrameType, TracebackType
from typing import Any, Self

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(SystemExit):
    """Raised in the main thread by a signal that comes while the server is still starting."""


class StopSignals:
    """Takes the signals over while entered. The first asks for the stop, later ones add nothing.

    Before `wait` it raises Stopped, so that a long start ends too.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._waited_for = False
        self._read, self._write = os.pipe()
        self._before: dict[int, Any] = {}

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
        if not self._waited_for:
            raise Stopped(0)
        os.write(self._write, b".")

    def wait(self) -> None:
        """Returns, in the main thread, once a signal has asked for the stop."""
        self._waited_for = True
        os.read(self._read, 1)
