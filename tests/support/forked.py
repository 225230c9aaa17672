"""`macmeter-server` as a fork of a process that has already imported its modules.

Otherwise most of the time of a server's start or a command goes into imports. Real execution is
tested too: by `support.commands.begun`, by `LiveServer` and by `make serve` for the browser tests.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from macmeter.platform.processes.memory import exempt_from_gc

# Format of a request's length, of the new process's id, and of its exit status.
NUMBER = struct.Struct(">q")
MODULES = (
    "alembic.command",
    "alembic.config",
    "macmeter.server.worker",
    "macmeter.server.main",
    "macmeter.server.backup.verifying",
    "macmeter.fleets.devices",
    "macmeter.moderation.withdraw",
    "macmeter.results.dataset.writer",
    "macmeter.server.serve",
    "macmeter.runs.transfer.dataset",
    "macmeter.runs.transfer.exporting",
    "macmeter.runs.transfer.importing",
)


class Forked:
    """A forked process with the part of Popen's interface that tests use."""

    def __init__(self, control: socket.socket, stdout: IO[str] | None = None) -> None:
        self._control = control
        self.pid = _number(control)
        self.stdout = stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._control], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("macmeter-server", timeout or 0)
            self.returncode = _number(self._control)
            self._control.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forking:
    """The process that others are forked from."""

    def __init__(self) -> None:
        self._asks, hears = socket.socketpair()
        self._turn = threading.Lock()
        with hears:
            # -P: the modules beside this one must not shadow others.
            command = [sys.executable, "-P", __file__, str(hears.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[hears.fileno()])

    def run(
        self, arguments: list[str], environment: dict[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Do the same as `subprocess.run`, for `macmeter-server` with these arguments."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            forked = self._begin(arguments, environment, (out, err))
            try:
                status = forked.wait(timeout)
            except subprocess.TimeoutExpired:
                forked.kill()
                raise
            return subprocess.CompletedProcess(arguments, status, _written(out), _written(err))

    def begin(self, arguments: list[str], environment: dict[str, str], log: IO[Any]) -> Forked:
        """Do the same as `Popen`, in its own session and with a pipe from its standard output."""
        end, out_end = os.pipe()
        with os.fdopen(out_end, "wb") as out:
            forked = self._begin(arguments, environment, (out, log), session=True)
        forked.stdout = os.fdopen(end)
        return forked

    def _begin(
        self,
        arguments: list[str],
        environment: dict[str, str],
        outputs: tuple[IO[Any], IO[Any]],
        *,
        session: bool = False,
    ) -> Forked:
        request = Asked(arguments, environment, str(Path.cwd()), session)
        frame = json.dumps(asdict(request)).encode()
        control, its = socket.socketpair()
        with its, self._turn:
            descriptors = [*(output.fileno() for output in outputs), its.fileno()]
            socket.send_fds(self._asks, [NUMBER.pack(len(frame))], descriptors)
            self._asks.sendall(frame)
        return Forked(control)

    def end(self) -> None:
        self._asks.close()
        self._process.wait()


@dataclass(frozen=True)
class Asked:
    """The request for a new process."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    session: bool


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _received(connection: socket.socket, count: int) -> bytes:
    """Receive `count` bytes; fewer if the other side has ended."""
    content = b""
    while len(content) < count and (part := connection.recv(count - len(content))):
        content += part
    return content


def _number(connection: socket.socket) -> int:
    number: int = NUMBER.unpack(_received(connection, NUMBER.size))[0]
    return number


def fork_until_closed(hears: socket.socket) -> None:
    """Serve requests until the other end of `hears` is closed; never return in forked processes."""
    wakes, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([hears.fileno(), wakes], [], [])
        if wakes in ready:
            os.read(wakes, 1024)
        if hears.fileno() in ready:
            header, descriptors, _, _ = socket.recv_fds(hears, NUMBER.size, 3)
            if not header:
                return
            request = Asked(**json.loads(_received(hears, NUMBER.unpack(header)[0])))
            if not (pid := os.fork()):
                for open_socket in (hears, *running.values()):
                    open_socket.close()
                _become(request, descriptors)
            for descriptor in descriptors[:2]:
                os.close(descriptor)
            running[pid] = socket.socket(fileno=descriptors[2])
            running[pid].sendall(NUMBER.pack(pid))
        _tell_ends(running)


def _tell_ends(running: dict[int, socket.socket]) -> None:
    """Report the exit statuses of ended processes to those who asked for them."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with running.pop(pid) as control, contextlib.suppress(OSError):  # nobody waits for it
            control.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _become(request: Asked, descriptors: list[int]) -> None:
    """Run the new process to its end."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for target, source in zip((1, 2), descriptors, strict=False):
            os.dup2(source, target)
        for descriptor in descriptors:
            os.close(descriptor)
        if request.session:
            os.setsid()
        os.chdir(request.folder)
        os.environ.clear()
        os.environ.update(request.environment)
        sys.argv = ["macmeter-server", *request.arguments]
        status = _status_of(request.arguments)
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _status_of(arguments: list[str]) -> int:
    """Run the command and return the status that the interpreter would exit with."""
    from macmeter.server.cli import main

    try:
        main(arguments)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    # As the command line sets it, before NumPy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with exempt_from_gc():
        for module in MODULES:
            importlib.import_module(module)
    fork_until_closed(socket.socket(fileno=int(sys.argv[1])))
