"""Worker processes of a server process: a bounded number, each with one job at a time.

Each runs `work`: it reads jobs from its starter, pickled functions with their arguments, and writes
back the results. It ends with its starter, even during a job. Its modules are imported at the
start, so that the first job doesn't wait for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import logging
import os
import pickle
import queue
import signal
import socket
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar

from macmeter.platform.database import end_moments
from macmeter.platform.database_errors import EXPECTED, first_line, problem_of
from macmeter.platform.errors import Problem, request_id, server_full, too_slow
from macmeter.platform.processes.memory import collect_and_trim, exempt_from_gc, trim
from macmeter.platform.processes.process import LENGTH, Process, frame_of, framed, starter
from macmeter.platform.telemetry import cost, counters

log = logging.getLogger("macmeter")

T = TypeVar("T")

# Twice the time of the slowest page.
JOB_SECONDS = 20.0
# Longest wait for a free process; after that, retrying later is better.
TURN_SECONDS = 10.0
MOST_WAITING = 50
_BUFFERED_BYTES = 2**20
_NAMES = {"questions": "macmeter-answer", "documents": "macmeter-reader"}

# Lower priority than request handling, but higher than the process that follows the log.
_NICE = 2
_IDLE_SECONDS = 0.5
# Between consecutive jobs the allocator would keep the memory of the largest one, so it is trimmed.
# Full collections are rarer, because the next job waits for them.
_BUSY_SECONDS = 2.0
_LONGEST_BUSY_SECONDS = 60.0
# GC generation that holds one job's objects while automatic collection is off.
_OF_ONE_JOB = 1


def work(modules: list[str]) -> None:
    """Run jobs forever."""
    # Ctrl-C and service managers' signals are for the server, which then ends us.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    control = starter()
    assert control is not None
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=[control, frames], daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    with exempt_from_gc():
        for module in modules:
            importlib.import_module(module)
    memory = _Memory()
    # The GC runs after each job, when no request waits for it.
    gc.disable()
    with asyncio.Runner() as runner:
        while True:
            frame = _at_once(frames)
            if frame is None:
                runner.run(end_moments())
                memory.collect()
                frame = frames.get()
            reply = runner.run(_reply(frame))
            del frame
            control.sendall(reply)
            del reply
            memory.after_job()


def _read(control: socket.socket, frames: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError):
        while True:
            frames.put(framed(control))
    os._exit(0)


def _at_once(frames: queue.SimpleQueue[bytes]) -> bytes | None:
    """Return the next job; None if none arrives soon."""
    try:
        return frames.get(timeout=_IDLE_SECONDS)
    except queue.Empty:
        return None


class _Memory:
    """Tracker of when memory was last fully collected, and last trimmed."""

    def __init__(self) -> None:
        self._collected_at = self._trimmed_at = time.monotonic()

    def collect(self) -> None:
        collect_and_trim()
        self._collected_at = self._trimmed_at = time.monotonic()

    def after_job(self) -> None:
        gc.collect(_OF_ONE_JOB)
        now = time.monotonic()
        if now - self._collected_at > _LONGEST_BUSY_SECONDS:
            self.collect()
        elif now - self._trimmed_at > _BUSY_SECONDS:
            trim()
            self._trimmed_at = now


class Reply(TypedDict, total=False):
    """One of `value`, `problem` and `fault`; `log` describes a problem to operators."""

    value: Any
    problem: Problem
    log: str
    fault: str
    cost: cost.Cost


async def _reply(frame: bytes) -> bytes:
    """Run the job and return its result, refusal or fault."""
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
    return frame_of(reply)


def _fault() -> Reply:
    return {"fault": traceback.format_exc()}


class FaultError(Exception):
    """A job failed unexpectedly; its traceback is the text."""


class Pool:
    """Pool of `size` processes, started when first needed and replaced when they end.

    A job is a module-level function with picklable arguments and result. After `seconds` its
    process is killed: 503 `too_slow`. If too many jobs wait, or one waits too long: 503
    `server_full`.
    """

    def __init__(
        self,
        size: int,
        modules: tuple[str, ...] = (),
        seconds: float = JOB_SECONDS,
        patience: float = 1,
        queue: str = "questions",
    ) -> None:
        """`modules` are imported by each process at its start. `patience` multiplies all times.

        Waiting jobs are counted in that `queue` of the tally.
        """
        self._queue = f'queue="{queue}"'
        self._idle = [_Worker(_NAMES[queue], modules) for _ in range(size)]
        self._workers = list(self._idle)
        self._turns = asyncio.Semaphore(size)
        self.size = size
        self._waiting = 0
        self._seconds = seconds * patience
        self._patience = patience

    async def run(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """Return the result of `job`, or raise its Problem."""
        frame = frame_of((job, arguments))
        spent, began = cost.current(), time.perf_counter()
        await self._turn()
        turn = time.perf_counter()
        spent.waited += turn - began
        worker = self._idle.pop()
        try:
            reply = await self._reply(worker, frame)
        finally:
            self._idle.append(worker)
            self._turns.release()
        spent.worked += time.perf_counter() - turn
        spent.add(reply["cost"])
        if "fault" in reply:
            raise FaultError(f"{job.__name__}:\n{reply['fault']}")
        if "problem" in reply:
            problem: Problem = reply["problem"]
            if "log" in reply:
                label = f"[{request_id.get()}] {job.__name__}"
                log.warning("%s: %d %s: %s", label, problem.status, problem.code, reply["log"])
            raise problem
        value: T = reply["value"]
        return value

    async def warm(self) -> None:
        """Start all processes, so that the first job finds one."""
        with contextlib.suppress(OSError):
            for worker in self._workers:
                await worker.started()

    async def close(self) -> None:
        await asyncio.gather(*(worker.end() for worker in self._workers))

    async def _turn(self) -> None:
        if self._waiting >= MOST_WAITING:
            raise server_full("Too many others are waiting.")
        self._waiting += 1
        counters.own().add("macmeter_queue_length", self._queue)
        try:
            async with asyncio.timeout(TURN_SECONDS * self._patience):
                await self._turns.acquire()
        except TimeoutError:
            raise server_full("Others take all the time there is.") from None
        finally:
            self._waiting -= 1
            counters.own().add("macmeter_queue_length", self._queue, -1)

    async def _reply(self, worker: _Worker, frame: bytes) -> Reply:
        try:
            async with asyncio.timeout(self._seconds):
                return await worker.ask(frame)
        except TimeoutError:
            await worker.end()
            raise too_slow(
                f"This takes more than {self._seconds:g} seconds. Add a filter, or group by fewer "
                "dimensions."
            ) from None
        except (OSError, asyncio.IncompleteReadError):
            await worker.end()
            raise server_full("The process that worked it out has ended.") from None
        except asyncio.CancelledError:
            # Its late reply would be taken for that of the next job.
            await worker.end()
            raise


class _Worker:
    """One process, with at most one job in flight."""

    def __init__(self, name: str, modules: tuple[str, ...]) -> None:
        self._name, self._modules = name, modules
        self._connected: _Connected | None = None

    async def ask(self, frame: bytes) -> Reply:
        connected = await self.started()
        connected.jobs.write(frame)
        await connected.jobs.drain()
        (length,) = LENGTH.unpack(await connected.replies.readexactly(LENGTH.size))
        reply = await connected.replies.readexactly(length)
        unpickled: Reply = pickle.loads(reply)  # noqa: S301 - from our own process
        return unpickled

    async def started(self) -> _Connected:
        if self._connected is None or self._connected.replies.at_eof():
            await self.end()
            process = Process(self._name, work, self._modules)
            await asyncio.to_thread(process.start)
            streams = await asyncio.open_connection(sock=process.control, limit=_BUFFERED_BYTES)
            self._connected = _Connected(process, *streams)
        return self._connected

    async def end(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            connected.process.kill()
            await asyncio.to_thread(connected.process.join)
            connected.jobs.close()


@dataclass(frozen=True)
class _Connected:
    process: Process
    replies: asyncio.StreamReader
    jobs: asyncio.StreamWriter
