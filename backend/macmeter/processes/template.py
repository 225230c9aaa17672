"""The process that all others of a server are forked from.

It is forked itself from the server's first process, before that has threads, and asks nothing of
anybody afterwards: no lock can be held when it forks. If it is killed another one is executed and
goes on reading the same requests; what was forked before knows nothing of it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from macmeter.observing.logs import say
from macmeter.processes import child
from macmeter.processes.memory import staying
from macmeter.processes.process import use_template

# Where forking is sound. On macOS frameworks below NumPy have threads, which don't survive it.
FORKS = sys.platform == "linux"
NAME = "macmeter-templ"
RETRY_SECONDS = 1.0
# Signals of terminals and service managers are for the supervisor, which ends everything in order.
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Template:
    """Has a template while entered, before there are threads: later, processes are executed."""

    def __init__(self, modules: Sequence[str]) -> None:
        """`modules`: what it imports, for all."""
        self._modules = modules
        self._closing = False
        self._forks = False

    def __enter__(self) -> Self:
        self._forks = FORKS and threading.active_count() == 1
        if not self._forks:
            return self
        # Of datagrams, so that a successor finds whole requests.
        self._ask, self._hear = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._lifeline, self._life = os.pipe()
        use_template(self._ask)
        _import(self._modules)
        first = self._forked()
        threading.Thread(target=self._keep, args=[first], name="template", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._forks:
            self._closing = True
            use_template(None)
            os.close(self._life)

    def _forked(self) -> int:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
        if not (pid := os.fork()):
            os.close(self._life)
            _fork_for_ever(self._hear, self._lifeline, blocked)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return pid

    def _keep(self, first: int) -> None:
        os.waitpid(first, 0)
        given = [self._ask.fileno(), self._hear.fileno(), self._lifeline]
        command = (sys.executable, "-m", __name__, *map(str, given), *self._modules)
        while not self._closing:
            say("The template of the server's processes has ended: another one is made")
            subprocess.Popen(command, pass_fds=given).wait()
            time.sleep(RETRY_SECONDS)


def _import(modules: Sequence[str]) -> None:
    with staying():
        for module in modules:
            importlib.import_module(module)


def _fork_for_ever(hear: socket.socket, lifeline: int, mask: set[int | signal.Signals]) -> None:
    """Until the other end of `lifeline` is closed, as when the supervisor ends. Never returns."""
    for number in _STOPPING:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for what is forked here
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.setpgid(0, 0)
    child.call_oneself(NAME)
    _leave_terminal()
    try:
        while True:
            ready, _, _ = select.select([hear.fileno(), lifeline], [], [])
            if lifeline in ready:
                break
            name, descriptors, _, _ = socket.recv_fds(hear, 64, 1)
            with contextlib.suppress(OSError):  # whoever asked finds its socket closed
                if not os.fork():
                    _become(name.decode(), descriptors[0], lifeline)
            os.close(descriptors[0])
    finally:
        os._exit(0)


def _become(name: str, descriptor: int, lifeline: int) -> None:
    try:
        os.close(lifeline)
        for number in (*_STOPPING, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        child.run(name, socket.socket(fileno=descriptor))
    finally:
        os._exit(1)


def _leave_terminal() -> None:
    """Nothing is read from standard input; what anybody prints is for the log."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)


def main() -> None:
    """`python -m macmeter.processes.template ASK HEAR LIFELINE MODULE …`: a successor."""
    ask, hear, lifeline = map(int, sys.argv[1:4])
    use_template(socket.socket(fileno=ask))
    _import(sys.argv[4:])
    _fork_for_ever(socket.socket(fileno=hear), lifeline, set())


if __name__ == "__main__":
    main()
