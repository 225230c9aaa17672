"""A worker process: the application in Granian's server, ending with the supervisor."""

import asyncio
import os
import resource
import signal
from pathlib import Path

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from macmeter.platform.processes.memory import collect_rarely
from macmeter.platform.processes.process import end_with_starter
from macmeter.platform.settings import Settings
from macmeter.platform.telemetry import counters, logs, traces
from macmeter.platform.telemetry.counters import Counters

# Maximum time from connecting, or from the end of the previous request, to the end of a request's
# headers, including the wait for the first byte.
HEADER_SECONDS = 10
# Per worker: an idle connection takes about 10 KB. Further ones wait in the kernel's queue.
MOST_CONNECTIONS = 4096
BACKLOG = 4096
# Other descriptors: data set files, PostgreSQL, pipes, pictures.
_OTHER_DESCRIPTORS = 512
_FEWEST_CONNECTIONS = 128


def allow_descriptors() -> None:
    """Raise this process's limit of open files to what its workers need, if permitted.

    Shells and service managers set 1,024 where 500,000 are allowed, or 256.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST_CONNECTIONS + _OTHER_DESCRIPTORS
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def connections_of_worker() -> int:
    """Return the maximum number of connections: fewer if there aren't enough descriptors."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(_FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, soft - _OTHER_DESCRIPTORS))


def http1() -> HTTP1Settings:
    """Return Granian's HTTP/1 settings. If it checked for HTTP/2, which no client uses without TLS,
    it would wait for a first byte forever.
    """
    return HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000)


def work(settings: Settings, counts: Path, number: int) -> None:
    """Answer requests until SIGTERM; worker `number` counts in its row of the file `counts`."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who stops the workers in order
    end_with_starter()
    counters.use(Counters(settings.workers, counts, number))
    traces.begin()
    uvloop.run(_answer(settings))
    traces.end()


async def _answer(settings: Settings) -> None:
    from macmeter.server.main import create_app  # a slow import that only workers need

    app = create_app(settings)
    collect_rarely()
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
        log_level=LogLevels.error,  # skips the warning that embedding Granian is experimental
        log_dictconfig=logs.configuration(),
    )

    def stop() -> None:
        # Granian waits for every response, but the streams of open pages never end by themselves.
        app.state.server.notifications.end()
        server.stop()  # type: ignore[no-untyped-call]

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    await server.serve()
