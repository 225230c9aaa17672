"""One call in a process of its own, which takes with it whatever memory it needed."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from macmeter.processes.child import LENGTH, end_with_starter, received, starter
from macmeter.processes.process import Process, has_template

T = TypeVar("T")

_HERE = threading.Lock()


def apart(name: str, function: Callable[..., T], *arguments: Any) -> T:
    """What `function` returns or raises; OSError where its process is killed. It gives way to
    others as much as whoever asks.

    Here and now where there is no template, one call after another: what a fresh process imports
    costs more than it saves.
    """
    if not has_template():
        with _HERE:
            return function(*arguments)
    process = Process(name, _tell, os.nice(0), function, arguments)
    process.start()
    (length,) = LENGTH.unpack(received(process.control, LENGTH.size))
    value, error = pickle.loads(received(process.control, length))  # noqa: S301 - our own process
    process.join()
    if error is not None:
        raise error
    returned: T = value
    return returned


async def apart_meanwhile(name: str, function: Callable[..., T], *arguments: Any) -> T:
    """The same, for whoever has an event loop that others use meanwhile."""
    return await asyncio.to_thread(apart, name, function, *arguments)


def _tell(nice: int, function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    # Whoever stops everything stops our starter, and us with it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_with_starter()
    os.nice(max(nice - os.nice(0), 0))  # the template's own is ours already
    value, problem = None, None
    try:
        value = function(*arguments)
    except Exception as error:
        error.add_note(traceback.format_exc())
        problem = error
    frame = pickle.dumps((value, problem))
    to = starter()
    assert to is not None
    to.sendall(LENGTH.pack(len(frame)) + frame)
