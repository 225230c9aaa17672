"""Start of the server's parts in order, and stop in reverse order."""

import contextlib
import errno
import socket
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from macmeter.accounts.one_time_links import address_of
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform import spark
from macmeter.platform.errors import ServeError
from macmeter.platform.processes.template import forking
from macmeter.platform.settings import Settings
from macmeter.platform.telemetry import traces
from macmeter.platform.telemetry.logs import print_log_line
from macmeter.server.addresses import note_address, own_address, site_address
from macmeter.server.installing.files import why_no_agents_offered
from macmeter.server.maintenance import STOP_SECONDS, follow, rederived_meanwhile
from macmeter.server.prepare import prepare_in_subprocess, remove_obsolete_files
from macmeter.server.supervised import (
    RETRY_SECONDS,
    PostgresWatch,
    StopSignals,
    SupervisedProcess,
    running,
    stop_signals,
    stop_with_parent,
)
from macmeter.server.worker import allow_descriptors, work

# Imported once in the template, since most of the server's processes need them.
PRELOADED = ("macmeter.server.main", "macmeter.server.maintenance")
READY_POLL_SECONDS = 0.02
# After a stop request, busy workers are killed after this time; their transactions roll back.
WORKER_STOP_SECONDS = 5


def serve(settings: Settings, *, with_parent: bool = False) -> None:
    """Serve until a stop signal; `with_parent` also stops when the process that started it ends."""
    allow_descriptors()  # inherited by forked processes
    with stop_signals() as signals, forking(PRELOADED):
        if with_parent:
            stop_with_parent()
        check_port(settings)
        traces.require()
        spark.require(settings.spark_remote)
        if (reason := why_no_agents_offered(settings)) is not None:
            print_log_line(reason)
        with served_database(settings, signals) as url:
            note_address(settings)
            prepared = prepare_in_subprocess(settings, url)
            admin_link = prepared.admin_secret and address_of(
                site_address(settings), prepared.admin_secret
            )
            dataset = (settings.dataset_dir or settings.data_dir / "dataset").resolve()
            remove_obsolete_files(settings.data_dir / "columns", dataset)
            served_settings = settings.model_copy(
                update={"database_url": url, "demo": prepared.is_demo, "dataset_dir": dataset}
            )
            follower = SupervisedProcess(
                "macmeter-follow", follow, served_settings, url, dataset, pause=RETRY_SECONDS
            )
            with (
                rederived_meanwhile(url) if prepared.is_outdated else contextlib.nullcontext(),
                running(follower, seconds=STOP_SECONDS),
            ):
                run_workers(served_settings, signals, admin_link=admin_link)


@contextlib.contextmanager
def served_database(settings: Settings, signals: StopSignals) -> Iterator[str]:
    """Yield DATABASE_URL, or the URL of an embedded PostgreSQL that runs meanwhile."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    with EmbeddedPostgres(settings.data_dir, purpose="macmeter-server serve") as postgres:
        watch = PostgresWatch(postgres, is_server_stopping=lambda: signals.stopping)
        try:
            yield postgres.url()
        finally:
            watch.close()
    if watch.gave_up:
        raise ServeError(f"PostgreSQL kept ending, see {postgres.layout.log}")


def run_workers(settings: Settings, signals: StopSignals, admin_link: str | None = None) -> None:
    """Run the workers until a stop signal. Print `admin_link` once they are ready."""
    with tempfile.NamedTemporaryFile(prefix="macmeter-counts-") as counts:
        workers = [
            SupervisedProcess("macmeter-worker", work, settings, Path(counts.name), number)
            for number in range(settings.workers)
        ]
        with running(*workers, seconds=WORKER_STOP_SECONDS):
            arguments = (settings, admin_link)
            threading.Thread(target=announce, args=arguments, name="announce", daemon=True).start()
            signals.wait()
    if any(worker.gave_up for worker in workers):
        raise ServeError("the processes that answer requests kept ending")


def announce(settings: Settings, admin_link: str | None) -> None:
    """Print the address once the server answers."""
    address = own_address(settings)
    while True:
        with (
            contextlib.suppress(OSError),  # not listening yet, or not ready: an HTTPError
            urllib.request.urlopen(f"{address}/readyz", timeout=5),
        ):
            break
        time.sleep(READY_POLL_SECONDS)
    suffix = " (a demo)" if settings.demo else ""
    print(f"Macmeter is ready: {settings.public_url or address}{suffix}", flush=True)
    if admin_link is not None:
        print(
            f"To become this server's admin, open this link today (it works once): {admin_link}",
            flush=True,
        )


def check_port(settings: Settings) -> None:
    """Raise ServeError if the port is in use.

    Workers share the port by SO_REUSEPORT: without this check a second server would silently
    answer every other request.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            address = f"{settings.host}:{settings.port}"
            if error.errno == errno.EADDRINUSE:
                raise ServeError(
                    f"{address} is in use by another program: stop it, or choose a port with PORT=…"
                ) from error
            raise ServeError(f"{address}: {error.strerror}") from error
