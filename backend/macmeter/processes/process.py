"""A process beside this one, as whoever begins it sees it."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from macmeter.processes.child import LENGTH, PID, received

# A template that was killed while it forked has a successor.
_ATTEMPTS = 5

_template: socket.socket | None = None


def use_template(ask: socket.socket | None) -> None:
    """From now on this process, and all that are forked of the template, ask it for others."""
    global _template
    _template = ask


def has_template() -> bool:
    return _template is not None


class Process:
    """Calls a function in a process of its own.

    `function` and its arguments are pickled.
    `control` is a socket to it for whatever the two have to say to each other.
    """

    control: socket.socket
    pid: int

    def __init__(self, name: str, function: Callable[..., object], *arguments: Any) -> None:
        """`name`: of at most 15 characters, for operators."""
        self._name, self._does = name, (function, arguments)
        self._executed: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it is there; OSError where it can't be begun."""
        for left in reversed(range(_ATTEMPTS)):
            try:
                self._begin()
            except OSError:
                if not left:
                    raise
            else:
                return

    def is_alive(self) -> bool:
        return not self._ends_within(0)

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end, or so many seconds."""
        if self._ends_within(timeout) and self._executed is not None:
            self._executed.wait()

    def terminate(self) -> None:
        """Asks for its end as an operator would."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _begin(self) -> None:
        frame = pickle.dumps(self._does)
        self.control, its = socket.socketpair()
        with its:
            if _template is None:
                self._executed = _execute(self._name, its.fileno())
            else:
                socket.send_fds(_template, [self._name.encode()], [its.fileno()])
        (self.pid,) = PID.unpack(received(self.control, PID.size))
        self.control.sendall(LENGTH.pack(len(frame)) + frame)

    def _ends_within(self, seconds: float | None) -> bool:
        """Whether its end of the socket is closed by then, as it is when it ends."""
        try:
            look = select.poll()
            look.register(self.control, select.POLLIN)
            if not look.poll(None if seconds is None else seconds * 1000):
                return False
            return not self.control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except (OSError, ValueError):  # closed, by it or by us
            return True

    def _signal(self, number: signal.Signals) -> None:
        # Where it has ended its number may be another's.
        if self.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _execute(name: str, descriptor: int) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "macmeter.processes.child", name, str(descriptor))
    # What it prints is for the log.
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=2, pass_fds=[descriptor])
