"""Starts everything in order, says when it is ready, and stops it in the reverse order."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from granian.constants import HTTPModes, Interfaces, Loops
from granian.log import LogLevels
from granian.server.mp import MPServer

from macmeter.access.links import address_of
from macmeter.embedded import EmbeddedPostgres
from macmeter.errors import ServeError
from macmeter.observing import logs, traces
from macmeter.observing.tally import Tally
from macmeter.processes.process import Process, has_template
from macmeter.processes.template import Template
from macmeter.serving.connections import (
    BACKLOG,
    allow_descriptors,
    connections_of_worker,
    http1,
)
from macmeter.serving.prepare import prepared, remove_columns
from macmeter.serving.signals import StopSignals
from macmeter.serving.upkeep import (
    kept_up_to_date_meanwhile,
    rederived_meanwhile,
)
from macmeter.serving.watch import PostgresWatch, stop_with_parent
from macmeter.serving.worker import load_application
from macmeter.settings import Settings

# What each process of the server needs, or most of them: imported once for all.
PRELOADED = ("macmeter.main", "macmeter.serving.upkeep", "granian._loops")
READY_POLL_SECONDS = 0.02
# Above it they don't end by chance, and the server ends with them.
MOST_RESPAWNED_A_MINUTE = 60
# A worker that is still busy after this when asked to stop is killed; its transaction rolls back.
WORKER_STOP_SECONDS = 5


class Workers(MPServer):
    """Granian's workers, which stop when our signals say so."""

    def __init__(self, signals: StopSignals, **options: Any) -> None:
        super().__init__(**options)
        self._signals = signals
        self._tally = Tally(self.workers)
        self._respawned: list[float] = []
        signals.on_stop(self.stop)

    def _spawn_worker(self, idx: Any, target: Any, callback_loader: Any, *more: Any) -> Any:
        """Each worker counts in its own row, which is its successor's when it is killed."""
        own = partial(callback_loader, self._tally.of_worker(idx))
        worker = super()._spawn_worker(idx, target, own, *more)
        if has_template():
            # Granian's own would import everything again.
            given = worker.inner
            worker.inner = Process("macmeter-worker", given._target, *given._args)
        return worker

    def _respawn_workers(self, workers: Sequence[int], *given: Any, **more: Any) -> None:
        """Whoever was killed has a successor, however soon after the last one, and whoever ended
        while another was begun. Granian gives up at a second end within seconds, and may miss one.
        """
        super()._respawn_workers(workers, *given, **more)
        now = time.monotonic()
        recent = [at for at in self._respawned if now - at < 60]
        self._respawned = recent + [now] * len(workers)
        if len(self._respawned) <= MOST_RESPAWNED_A_MINUTE:
            self.respawned_wrks.clear()
        ended = [place for place, worker in enumerate(self.wrks) if not worker.inner.is_alive()]
        self.interrupt_children += [one for one in ended if one not in self.interrupt_children]
        if self.interrupt_children:
            self.main_loop_interrupt.set()

    # Granian installs these two as handlers when it starts.
    def signal_handler_interrupt(self, *_: Any) -> None:
        self._signals.receive()

    def signal_handler_reload(self, *_: Any) -> None:
        self._signals.receive()

    def stop(self) -> None:
        """Ends `serve`. Takes a lock: never to be called by a signal's handler."""
        self.interrupt_signal = True
        self.main_loop_interrupt.set()


def serve(settings: Settings, *, with_parent: bool = False) -> None:
    """Serves until a signal, or, `with_parent`, until the starting process has ended."""
    allow_descriptors()  # of processes that are forked from here, too
    with StopSignals() as signals, Template(PRELOADED):
        if with_parent:
            stop_with_parent()
        check_port(settings)
        try:
            traces.require()
        except traces.NotInstalledError as missing:
            raise ServeError(str(missing)) from None
        with served_database(settings, signals) as url:
            found = prepared(settings, url)
            link = found.admin_secret and address_of(site_address(settings), found.admin_secret)
            dataset = (settings.dataset_dir or settings.data_dir / "dataset").resolve()
            remove_columns(settings.data_dir / "columns", dataset)
            served = settings.model_copy(
                update={"database_url": url, "demo": found.is_demo, "dataset_dir": dataset}
            )
            with (
                rederived_meanwhile(url) if found.is_outdated else contextlib.nullcontext(),
                kept_up_to_date_meanwhile(served, url, dataset),
            ):
                answer(served, signals, admin_link=link)


@contextlib.contextmanager
def served_database(settings: Settings, signals: StopSignals) -> Iterator[str]:
    """Yields DATABASE_URL, or the address of the embedded server that runs meanwhile."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    with EmbeddedPostgres(settings.data_dir, purpose="macmeter-server serve") as postgres:
        watch = PostgresWatch(postgres, stopping=lambda: signals.stopping)
        try:
            yield postgres.url()
        finally:
            watch.close()
    if watch.gave_up:
        raise ServeError(f"PostgreSQL kept ending, see {postgres.layout.log}")


def answer(settings: Settings, signals: StopSignals, admin_link: str | None = None) -> None:
    """Runs the workers until a signal asks for the end. Prints `admin_link` once they answer."""
    # One forked from here would inherit our pipes and locks, and so outlive us with PostgreSQL.
    multiprocessing.set_start_method("spawn", force=True)
    server = Workers(
        signals,
        target="macmeter.main",  # shown in logs; load_application makes the application
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        workers=settings.workers,
        websockets=False,
        http=HTTPModes.http1,
        http1_settings=http1(),
        backlog=BACKLOG,
        backpressure=connections_of_worker(),
        log_level=LogLevels.warning,
        log_dictconfig=logs.configuration(),
        respawn_failed_workers=True,
        workers_kill_timeout=WORKER_STOP_SECONDS,
    )
    arguments = (settings, admin_link)
    threading.Thread(target=announce, args=arguments, name="announce", daemon=True).start()
    try:
        server.serve(target_loader=partial(load_application, settings), wrap_loader=False)
    except SystemExit:
        # Workers that got the same signal end before being stopped, which Granian calls a fault.
        if not signals.stopping:
            raise


def announce(settings: Settings, admin_link: str | None) -> None:
    """Prints the address once the server answers there, and not before."""
    address = own_address(settings)
    while True:
        with (
            contextlib.suppress(OSError),  # nobody listens yet, or not ready: an HTTPError
            urllib.request.urlopen(f"{address}/readyz", timeout=5),
        ):
            break
        time.sleep(READY_POLL_SECONDS)
    about = " (a demo)" if settings.demo else ""
    print(f"Macmeter is ready: {settings.public_url or address}{about}", flush=True)
    if admin_link is not None:
        print(
            f"To become this server's admin, open this link today (it works once): {admin_link}",
            flush=True,
        )


def own_address(settings: Settings) -> str:
    """Where this machine reaches the server; every address means the loopback one too."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def site_address(settings: Settings) -> str:
    """Of links for this machine's browser: by its name, since passkeys are bound to names."""
    address = settings.public_url or own_address(settings)
    return re.sub(r"//(127\.0\.0\.1|\[::1\])(?=:|$)", "//localhost", address)


def check_port(settings: Settings) -> None:
    """Raises ServeError when something listens there already.

    Workers share the port by SO_REUSEPORT: without this look a second server would silently
    answer every other request.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as taken:
            where = f"{settings.host}:{settings.port}"
            if taken.errno == errno.EADDRINUSE:
                raise ServeError(
                    f"{where} is in use by another program: stop it, or choose a port with PORT=…"
                ) from taken
            raise ServeError(f"{where}: {taken.strerror}") from taken
