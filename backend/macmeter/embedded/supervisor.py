"""Supervisor of the embedded PostgreSQL: start it, stop it, and say how to reach it."""

import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from macmeter.embedded.cluster import (
    SUPERUSER,
    Account,
    EmbeddedError,
    Layout,
    ReachablePath,
    account_for,
    environment,
    find_binaries,
    make_private,
    ready_cluster,
)
from macmeter.embedded.locks import (
    Lock,
    Owner,
    ask_to_stop,
    clear_stale_locks,
    current_owner,
    take_ownership,
    take_running_lock,
)
from macmeter.embedded.tuning import Durability, server_settings
from macmeter.embedded.watcher import watched_command
from macmeter.platform.telemetry.logs import print_log_line

# Name of the application's role, which isn't a superuser, and of its database.
APPLICATION = "macmeter"
# Recovery of a full max_wal_size takes seconds; a shutdown's checkpoint on a slow disk longer.
START_SECONDS = 600.0
STOP_SECONDS = 120.0
# A server that missed the first request to stop handles signals by then; most have stopped.
HEARD_SECONDS = 2.0
POLL_SECONDS = 0.02
LOG_TAIL_LINES = 15
# A restored cluster replays what was archived since; until then nothing can be written.
_RECOVERING = (
    "SELECT pg_is_in_recovery(),"
    " CASE WHEN pg_is_in_recovery() THEN pg_get_wal_replay_pause_state() END"
)


@dataclass(frozen=True)
class Running:
    """Address of a running server."""

    socket: Path

    def url(self, database: str = APPLICATION) -> str:
        """SQLAlchemy's address of `database` for the application's role."""
        return self._url(APPLICATION, database)

    def admin_url(self, database: str = "postgres") -> str:
        """SQLAlchemy's address of `database` for the superuser, in tests and maintenance."""
        return self._url(SUPERUSER, database)

    def _url(self, role: str, database: str) -> str:
        host = quote(str(self.socket), safe="")
        return f"postgresql+psycopg://{role}@/{quote(database)}?host={host}&port=5432"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Connect as the superuser, committing each statement."""
        return psycopg.connect(
            host=str(self.socket),
            port=5432,
            user=SUPERUSER,
            dbname=database,
            autocommit=True,
        )


class EmbeddedPostgres:
    """PostgreSQL of one DATA_DIR, running while entered.

    `purpose` is shown to others who find the directory in use. They wait for a `brief` owner
    instead.
    """

    def __init__(
        self,
        data_dir: Path,
        durability: Durability = "durable",
        purpose: str = "macmeter-server",
        *,
        brief: bool = False,
    ) -> None:
        self.layout = Layout.of(data_dir)
        self.durability = durability
        self.purpose = purpose
        self.brief = brief
        self.running = Running(self.layout.socket)
        self._owner_lock: Lock | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline: int | None = None  # our end of the pipe that the watcher reads

    def url(self, database: str = APPLICATION) -> str:
        """See Running.url."""
        return self.running.url(database)

    def admin_url(self, database: str = "postgres") -> str:
        """See Running.admin_url."""
        return self.running.admin_url(database)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server. Return when it answers and the application's database exists.

        Raise InUseError if another process owns the directory, EmbeddedError for other failures.
        """
        account = account_for(self.layout.directory)
        self.layout.make(account)
        owner = Owner(os.getpid(), str(self.layout.socket), self.purpose, self.brief)
        self._owner_lock = take_ownership(self.layout.owner_lock, owner)
        try:
            self._launch(account)
            self._wait_until_ready()
            self._make_application_database()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Start PostgreSQL again after it ended by itself. The owner lock was kept meanwhile."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        self._launch(account_for(self.layout.directory))
        self._wait_until_ready()

    def stop(self) -> None:
        """Shut down cleanly: end sessions and write a checkpoint. No-op if stopped."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        if self._process is not None:
            if not self.wait(HEARD_SECONDS):
                ask_to_stop(self.layout)
            if not self.wait(STOP_SECONDS):
                print_log_line(
                    f"PostgreSQL has not stopped after {STOP_SECONDS:.0f} s; it goes on stopping"
                )
            self._process = None
        if self._owner_lock is not None:
            if self.layout.socket.parent != self.layout.directory:
                with contextlib.suppress(OSError):  # in use by one that is still stopping
                    self.layout.socket.rmdir()
            self._owner_lock.close()
            self._owner_lock = None

    def wait(self, seconds: float) -> bool:
        """Return True if PostgreSQL has ended within `seconds`.

        Unless stopped, only a fault ends it.
        """
        if self._process is None:
            return True
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def _launch(self, account: Account) -> None:
        layout = self.layout
        binaries = find_binaries(account)
        stop = partial(ask_to_stop, layout)
        running_lock = take_running_lock(layout.running_lock, STOP_SECONDS, stop)
        make_private(layout.socket, account)  # a former one may have removed it when it stopped
        # PostgreSQL and its children inherit the lock and the directory.
        directory = os.open(layout.directory, os.O_RDONLY | os.O_DIRECTORY)
        descriptors = (running_lock.descriptor, directory)
        try:
            path = seen_by(account, layout.directory, directory)
            reached = ReachablePath(path, descriptors)
            ready_cluster(layout, reached, binaries, account, self.durability)
            clear_stale_locks(layout)
            socket = f"{path}/socket" if layout.socket.parent == layout.directory else layout.socket
            settings = server_settings(self.durability) | {"unix_socket_directories": str(socket)}
            command = [
                str(binaries / "postgres"),
                "-D",
                f"{path}/{layout.cluster.name}",
            ]
            command += [f"--{name}={value}" for name, value in settings.items()]
            self._process, self._lifeline = launch(command, layout.log, descriptors, account)
        finally:
            os.close(directory)
            running_lock.close()

    def _wait_until_ready(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.wait(0):
                raise EmbeddedError(
                    f"PostgreSQL ended at start; {self.layout.log} closes with:\n"
                    f"{tail(self.layout.log)}"
                )
            try:
                with self.running.connect() as connection:
                    recovering = connection.execute(_RECOVERING).fetchone()
            except psycopg.OperationalError:
                time.sleep(POLL_SECONDS)
                continue
            match recovering:
                case (False, _):
                    return
                case (True, "paused"):
                    raise EmbeddedError(
                        f"PostgreSQL has recovered {self.layout.cluster} up to its target and "
                        "waits: set recovery_target_action = 'promote' in postgresql.auto.conf"
                    )
            time.sleep(POLL_SECONDS)
        raise EmbeddedError(
            f"PostgreSQL is not ready after {START_SECONDS:.0f} s, see {self.layout.log}"
        )

    def _make_application_database(self) -> None:
        """Create the role and its database if they are missing, also after an interrupted start."""
        name = sql.Identifier(APPLICATION)
        with self.running.connect() as admin:
            for missing, make in (
                ("SELECT 1 FROM pg_roles WHERE rolname = %s", "CREATE ROLE {0} LOGIN"),
                (
                    "SELECT 1 FROM pg_database WHERE datname = %s",
                    "CREATE DATABASE {0} OWNER {0}",
                ),
            ):
                if admin.execute(missing, [APPLICATION]).fetchone() is None:
                    admin.execute(sql.SQL(make).format(name))


def find_running(data_dir: Path) -> Running | None:
    """Return the server of `data_dir` that another process runs, or None."""
    owner = current_owner(Layout.of(data_dir).owner_lock)
    return Running(Path(owner.socket)) if owner else None


def seen_by(account: Account, directory: Path, descriptor: int) -> str:
    """Return the name under which `account` reaches our open `directory`.

    If only root may enter a parent directory, that is the inherited descriptor: the kernel follows
    it without checking the parents, and nothing has to be opened to others.
    """
    if account.reaches(directory):
        return str(directory)
    if Path("/proc/self/fd").is_dir():
        return f"/proc/self/fd/{descriptor}"
    raise EmbeddedError(
        f"{directory} is below a directory that only root may enter, and "
        "PostgreSQL does not run as root: choose another DATA_DIR"
    )


def launch(
    command: list[str], log: Path, descriptors: tuple[int, ...], account: Account
) -> tuple[subprocess.Popen[bytes], int]:
    """Start PostgreSQL under its watcher. It runs until the returned descriptor is closed."""
    watched_end, lifeline = os.pipe()  # close-on-exec: no other child of ours keeps it open
    try:
        with log.open("ab") as output:
            process = subprocess.Popen(
                watched_command(command),
                stdin=watched_end,
                stdout=output,
                stderr=output,
                cwd="/",
                env=environment(),
                pass_fds=descriptors,
                start_new_session=True,  # only the owner handles Ctrl-C, and stops us in order
                **account.popen,
            )
    except BaseException:
        os.close(lifeline)
        raise
    finally:
        os.close(watched_end)
    return process, lifeline


def tail(path: Path) -> str:
    """Last lines of a log."""
    return "\n".join(path.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:])
