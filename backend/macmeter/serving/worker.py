"""A worker process: the application, tied to the supervisor's life."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from macmeter.observing import tally, traces
from macmeter.observing.tally import Tally
from macmeter.processes.memory import rarely_look_for_garbage
from macmeter.serving.watch import end_with_supervisor
from macmeter.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI


def load_application(settings: Settings, counts: Tally) -> FastAPI:
    """The ASGI application, called by Granian in a freshly started worker."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who stops the workers in order
    end_with_supervisor()
    tally.use(counts)
    traces.begin()
    from macmeter.main import create_app  # only workers pay for importing it

    app = create_app(settings)
    rarely_look_for_garbage()
    arrivals = app.state.server.arrivals
    arrivals.before_first = lambda: call_before_stopping(arrivals.end)
    return app


def call_before_stopping(end: Callable[[], None]) -> None:
    """Calls `end` in the running event loop as soon as this process is asked to stop.

    Granian waits for every response before it closes the application, and the stream of an
    open page would not end by itself. Its own handlers, which are in place by now, come after.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        then = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, then: signal._HANDLER = then) -> None:
            loop.call_soon_threadsafe(end)
            if callable(then):
                then(received, frame)

        signal.signal(number, handle)
