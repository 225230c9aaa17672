"""A process that works for a server process: `python -m macmeter.offload.process MODULE …`.

It reads jobs from its standard input, each a pickled function with its arguments, and writes what
came of them to its standard output. It ends with its input, and so with the server, whatever it is
doing. The MODULEs are imported at the start, so that the first job finds everything in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import traceback
from typing import Any, BinaryIO

from macmeter.database_errors import EXPECTED, first_line, problem_of
from macmeter.errors import Problem
from macmeter.observing import cost

LENGTH = struct.Struct(">Q")
# Whoever answers requests goes first.
_NICE = 5


def main(modules: list[str]) -> None:
    # Ctrl-C and a service manager's signal are for the server, which ends us when it is done.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    jobs, replies = _pipes()
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=[jobs, frames], daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    for module in modules:
        importlib.import_module(module)
    with asyncio.Runner() as runner:
        while True:
            reply = runner.run(_reply(frames.get()))
            replies.write(LENGTH.pack(len(reply)) + reply)
            replies.flush()


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The way in and out; what anybody prints goes to standard error from now on."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, replies


def _read(jobs: BinaryIO, frames: queue.SimpleQueue[bytes]) -> None:
    while len(header := jobs.read(LENGTH.size)) == LENGTH.size:
        frames.put(jobs.read(LENGTH.unpack(header)[0]))
    os._exit(0)


async def _reply(frame: bytes) -> bytes:
    """What the job returned, or the refusal or fault that it ended with."""
    reply: dict[str, Any]
    spent = cost.begin()
    try:
        job, arguments = pickle.loads(frame)  # noqa: S301 - from the server, who started us
        reply = {"value": await job(*arguments)}
    except Problem as problem:
        reply = {"problem": problem}
    except EXPECTED as error:
        expected = problem_of(error, reading=True)
        line = first_line(error)
        reply = {"problem": expected, "log": line} if expected else _fault()
    except Exception:
        reply = _fault()
    return pickle.dumps(reply | {"cost": spent})


def _fault() -> dict[str, Any]:
    return {"fault": traceback.format_exc()}


if __name__ == "__main__":
    main(sys.argv[1:])
