"""A worker process: the application in Granian's server, tied to the supervisor's life."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from macmeter.observing import logs, tally, traces
from macmeter.observing.tally import Tally
from macmeter.processes.child import end_with_starter
from macmeter.processes.memory import rarely_look_for_garbage
from macmeter.serving.connections import BACKLOG, connections_of_worker, http1
from macmeter.settings import Settings


def work(settings: Settings, counts: Path, number: int) -> None:
    """Answer requests until SIGTERM; worker `number` counts in its row of the file `counts`."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who stops the workers in order
    end_with_starter()
    tally.use(Tally(settings.workers, counts).of_worker(number))
    traces.begin()
    uvloop.run(_answer(settings))
    traces.end()


async def _answer(settings: Settings) -> None:
    from macmeter.main import create_app  # only workers pay for importing it

    app = create_app(settings)
    rarely_look_for_garbage()
    server = Server(
        app,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        websockets=False,
        http=HTTPModes.http1,
        http1_settings=http1(),
        backlog=BACKLOG,
        backpressure=connections_of_worker(),
        log_level=LogLevels.error,  # below it: that this way of running Granian is experimental
        log_dictconfig=logs.configuration(),
    )

    def stop() -> None:
        # Granian waits for every response, and the stream of an open page would not end by itself.
        app.state.server.arrivals.end()
        server.stop()  # type: ignore[no-untyped-call]

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    await server.serve()
