"""A process that works for a server process: `work` is what it does.

It reads jobs from whoever started it, each a pickled function with its arguments, and writes back
what came of them. It ends with its starter, whatever it is doing. The modules that it is given
are imported at the start, so that the first job finds everything in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import pickle
import queue
import signal
import socket
import struct
import threading
import time
import traceback
from typing import Any, TypedDict

from macmeter.database import end_moments
from macmeter.database_errors import EXPECTED, first_line, problem_of
from macmeter.errors import Problem
from macmeter.observing import cost
from macmeter.processes import child
from macmeter.processes.memory import give_back, staying, trim

LENGTH = struct.Struct(">Q")
# Whoever answers requests goes first, and whoever follows the log long after both.
_NICE = 2
_IDLE_SECONDS = 0.5
# Where one job follows another, the allocator would keep as much as the largest of them took. All
# garbage is looked for less often: whoever comes next waits for that.
_BUSY_SECONDS = 2.0
_LONGEST_BUSY_SECONDS = 60.0
# The generation that what a job made is of, where garbage is not looked for meanwhile.
_OF_ONE_JOB = 1


def work(modules: list[str]) -> None:
    """Forever."""
    # Ctrl-C and a service manager's signal are for the server, which ends us when it is done.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    starter = child.starter()
    assert starter is not None
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=[starter, frames], daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    with staying():
        for module in modules:
            importlib.import_module(module)
    memory = _Memory()
    # Garbage is looked for after each job, when nobody waits for it any more.
    gc.disable()
    with asyncio.Runner() as runner:
        while True:
            frame = _at_once(frames)
            if frame is None:
                runner.run(end_moments())
                memory.give_back()
                frame = frames.get()
            reply = runner.run(_reply(frame))
            del frame
            starter.sendall(LENGTH.pack(len(reply)) + reply)
            del reply
            memory.after_job()


def _read(starter: socket.socket, frames: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError):
        while True:
            (length,) = LENGTH.unpack(child.received(starter, LENGTH.size))
            frames.put(child.received(starter, length))
    os._exit(0)


def _at_once(frames: queue.SimpleQueue[bytes]) -> bytes | None:
    """The next job; None where it is a while until one comes."""
    try:
        return frames.get(timeout=_IDLE_SECONDS)
    except queue.Empty:
        return None


class _Memory:
    """When it was last given back: all of it, and what the allocator knew to be free."""

    def __init__(self) -> None:
        self._given_back = self._trimmed = time.monotonic()

    def give_back(self) -> None:
        give_back()
        self._given_back = self._trimmed = time.monotonic()

    def after_job(self) -> None:
        gc.collect(_OF_ONE_JOB)
        now = time.monotonic()
        if now - self._given_back > _LONGEST_BUSY_SECONDS:
            self.give_back()
        elif now - self._trimmed > _BUSY_SECONDS:
            trim()
            self._trimmed = now


class Reply(TypedDict, total=False):
    """One of `value`, `problem` and `fault`; `log` is what operators should know of a problem."""

    value: Any
    problem: Problem
    log: str
    fault: str
    cost: cost.Cost


async def _reply(frame: bytes) -> bytes:
    """What the job returned, or the refusal or fault that it ended with."""
    reply: Reply
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
    reply["cost"] = spent
    return pickle.dumps(reply)


def _fault() -> Reply:
    return {"fault": traceback.format_exc()}
