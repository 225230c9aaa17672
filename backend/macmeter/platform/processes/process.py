"""Lifecycle of a process, for its starter and for the process itself.

A control socket carries its instructions and stays open; it closes when either process ends.
"""

import asyncio
import contextlib
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

LENGTH = struct.Struct(">Q")
PID = struct.Struct(">q")

# A template that is killed during a fork gets a successor.
_ATTEMPTS = 5

_starter: socket.socket | None = None
_template: socket.socket | None = None
_HERE = threading.Lock()

T = TypeVar("T")


def run(name: str, control: socket.socket) -> None:
    """Run this process as `control` instructs. Never returns."""
    global _starter
    status = 1
    try:
        _starter = control
        set_process_name(name)
        control.sendall(PID.pack(os.getpid()))
        if control.recv(1, socket.MSG_PEEK):  # otherwise its starter has gone
            function, arguments = pickle.loads(framed(control))  # noqa: S301 - our starter's
            function(*arguments)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def received(control: socket.socket, count: int) -> bytes:
    """Read exactly `count` bytes; OSError if the socket closes first."""
    content = bytearray()
    while len(content) < count:
        chunk = control.recv(count - len(content))
        if not chunk:
            raise ConnectionResetError("the other process has ended")
        content += chunk
    return bytes(content)


def frame_of(content: object) -> bytes:
    """Pickle the content and prefix its length."""
    pickled = pickle.dumps(content)
    return LENGTH.pack(len(pickled)) + pickled


def framed(control: socket.socket) -> bytes:
    """Read a frame and return its pickled content."""
    (length,) = LENGTH.unpack(received(control, LENGTH.size))
    return received(control, length)


def starter() -> socket.socket | None:
    """Return the control socket to our starter; None if not started by this module."""
    return _starter


def end_with_starter(status: int = 1) -> None:
    """End this process as soon as its starter ends, whatever it is doing."""
    control = _starter
    if control is None:
        return

    def wait() -> None:
        with contextlib.suppress(OSError):
            control.recv(1)
        os._exit(status)

    threading.Thread(target=wait, name="starter-watch", daemon=True).start()


def set_process_name(name: str) -> None:
    """Set the process name for `ps` and `pgrep`, at most 15 characters."""
    with contextlib.suppress(OSError):  # Linux only
        Path("/proc/self/comm").write_text(name)


def use_template(ask: socket.socket | None) -> None:
    """Make this process, and all that are forked from the template, request forks through `ask`."""
    global _template
    _template = ask


def has_template() -> bool:
    return _template is not None


class Process:
    """Call of a function in a process of its own.

    `function` and its arguments are pickled. `control` is a socket for communication between the
    two.
    """

    control: socket.socket
    pid: int

    def __init__(self, name: str, function: Callable[..., object], *arguments: Any) -> None:
        """`name` is for operators, at most 15 characters."""
        self._name, self._does = name, (function, arguments)
        self._executed: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when the process has started; OSError if it can't be started."""
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
        """Wait for its end, up to `timeout` seconds."""
        if self._ends_within(timeout) and self._executed is not None:
            self._executed.wait()

    def terminate(self) -> None:
        """Request its end as an operator would."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _begin(self) -> None:
        frame = frame_of(self._does)
        self.control, its = socket.socketpair()
        with its:
            if _template is None:
                self._executed = _execute(self._name, its.fileno())
            else:
                socket.send_fds(_template, [self._name.encode()], [its.fileno()])
        (self.pid,) = PID.unpack(received(self.control, PID.size))
        self.control.sendall(frame)

    def _ends_within(self, seconds: float | None) -> bool:
        """Whether it ends within `seconds`, which closes its end of the socket."""
        try:
            look = select.poll()
            look.register(self.control, select.POLLIN)
            if not look.poll(None if seconds is None else seconds * 1000):
                return False
            return not self.control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except (OSError, ValueError):  # closed by either side
            return True

    def _signal(self, number: signal.Signals) -> None:
        # After its end, its PID may have been reused.
        if self.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _execute(name: str, descriptor: int) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "macmeter.platform.processes.process", name, str(descriptor))
    # Redirect stdout to the log.
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=2, pass_fds=[descriptor])


def run_in_subprocess(name: str, function: Callable[..., T], *arguments: Any) -> T:
    """Return or raise what `function` does in a process with our niceness; OSError if it is killed.

    Without a template, run it in this process, one call at a time: a fresh process's imports would
    cost more than it saves.
    """
    if not has_template():
        with _HERE:
            return function(*arguments)
    process = Process(name, _tell, os.nice(0), function, arguments)
    process.start()
    value, error = pickle.loads(framed(process.control))  # noqa: S301 - our own process
    process.join()
    if error is not None:
        raise error
    returned: T = value
    return returned


async def run_in_subprocess_async(name: str, function: Callable[..., T], *arguments: Any) -> T:
    """Run `run_in_subprocess` without blocking the event loop."""
    return await asyncio.to_thread(run_in_subprocess, name, function, *arguments)


def _tell(nice: int, function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    # A signal to the whole process group stops our starter, and us with it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_with_starter()
    os.nice(max(nice - os.nice(0), 0))  # we inherited the template's own
    value, problem = None, None
    try:
        value = function(*arguments)
    except Exception as error:
        error.add_note(traceback.format_exc())
        problem = error
    assert _starter is not None
    _starter.sendall(frame_of((value, problem)))


def main() -> None:
    """Run `python -m macmeter.platform.processes.process NAME DESCRIPTOR`."""
    # Pickled objects name this module, which is `__main__` here.
    from macmeter.platform.processes import process

    name, descriptor = sys.argv[1:]
    process.run(name, socket.socket(fileno=int(descriptor)))


if __name__ == "__main__":
    main()
