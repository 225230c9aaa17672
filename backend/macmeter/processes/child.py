"""A process from its first step to its last: a socket tells it what to do.

The socket stays: it closes with whoever began the process, and with the process itself.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import struct
import sys
import threading
import traceback
from pathlib import Path

LENGTH = struct.Struct(">Q")
PID = struct.Struct(">q")

_starter: socket.socket | None = None


def run(name: str, control: socket.socket) -> None:
    """All of this process: what `control` tells it to do. Never returns."""
    global _starter
    status = 1
    try:
        _starter = control
        call_oneself(name)
        control.sendall(PID.pack(os.getpid()))
        if header := control.recv(LENGTH.size):  # else it is not wanted any more
            header += received(control, LENGTH.size - len(header))
            frame = received(control, LENGTH.unpack(header)[0])
            function, arguments = pickle.loads(frame)  # noqa: S301 - from who started us
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
    """So many bytes; OSError where they don't come."""
    content = bytearray()
    while len(content) < count:
        part = control.recv(count - len(content))
        if not part:
            raise ConnectionResetError("the other process has ended")
        content += part
    return bytes(content)


def starter() -> socket.socket | None:
    """The way to whoever began this process; None in one that was begun otherwise."""
    return _starter


def end_with_starter(status: int = 1) -> None:
    """From now on this process ends when whoever began it has, whatever it is doing."""
    control = _starter
    if control is None:
        return

    def wait() -> None:
        with contextlib.suppress(OSError):
            control.recv(1)
        os._exit(status)

    threading.Thread(target=wait, name="starter-watch", daemon=True).start()


def call_oneself(name: str) -> None:
    """For `ps` and `pgrep`: at most 15 characters."""
    with contextlib.suppress(OSError):  # Linux alone has it
        Path("/proc/self/comm").write_text(name)


def main() -> None:
    """`python -m macmeter.processes.child NAME DESCRIPTOR`."""
    # This module is __main__ now, and what is pickled names it otherwise.
    from macmeter.processes import child

    name, descriptor = sys.argv[1:]
    child.run(name, socket.socket(fileno=int(descriptor)))


if __name__ == "__main__":
    main()
