"""A streaming replica of an embedded PostgreSQL, created as its operator would create it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from macmeter.embedded import EmbeddedPostgres
from macmeter.embedded.cluster import account_for, environment, find_binaries
from macmeter.embedded.tuning import server_settings

PATIENCE = 120.0


class Replica:
    """A replica that runs until it is killed, promoted or not."""

    def __init__(self, primary: EmbeddedPostgres, folder: Path) -> None:
        """Copy the primary. `folder` is one that PostgreSQL's account can enter."""
        self._account = account_for(primary.layout.directory)
        self._binaries = find_binaries(self._account)
        self.socket, self.cluster = folder / "s", folder / "cluster"
        self.log = folder / "replica.log"
        folder.mkdir(exist_ok=True)
        self.socket.mkdir()
        for path in (folder, self.socket):
            self._account.own(path)
        source = f"host={primary.layout.socket} user=postgres"
        quickly = ("--checkpoint=fast", "--no-sync")
        self._run("pg_basebackup", f"--dbname={source}", "-R", "-D", self.cluster, *quickly)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and return when it answers."""
        settings = server_settings("durable") | {
            "unix_socket_directories": str(self.socket),
            "shared_buffers": "64MB",
            "fsync": "off",  # no machine crashes here, only processes
        }
        command = [str(self._binaries / "postgres"), "-D", str(self.cluster)]
        command += [f"--{name}={value}" for name, value in settings.items()]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment(),
                start_new_session=True,
                **self._account.popen,
            )
        self.until("SELECT true")

    def url(self, database: str = "macmeter") -> str:
        """Address for the application's role."""
        host = quote(str(self.socket), safe="")
        return f"postgresql+psycopg://macmeter@/{database}?host={host}&port=5432"

    def ask(self, query: str) -> Any:
        """Return the first value of a query made as the superuser."""
        with psycopg.connect(
            host=str(self.socket), user="postgres", dbname="postgres", autocommit=True
        ) as connection:
            row = connection.execute(query).fetchone()
        return row[0] if row else None

    def until(self, query: str) -> None:
        """Wait until the query returns true."""
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                if self.ask(query):
                    return
            assert time.monotonic() < end, f"{query}: {self.log.read_text()[-2000:]}"
            time.sleep(0.02)

    def catch_up(self, primary: EmbeddedPostgres) -> None:
        """Wait until it has everything that the primary has now."""
        with primary.running.connect() as connection:
            row = connection.execute("SELECT pg_current_wal_lsn()::text").fetchone()
        assert row is not None
        self.until(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'::pg_lsn")

    def promote(self) -> None:
        """Promote it and return when it accepts writes."""
        self.ask("SELECT pg_promote()")
        self.until("SELECT NOT pg_is_in_recovery()")

    def kill(self) -> None:
        """Send kill -9 to all its processes, as if its machine were gone."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _run(self, program: str, *arguments: str | Path) -> None:
        process = subprocess.run(
            [str(self._binaries / program), *map(str, arguments)],
            cwd="/",
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            **self._account.popen,
        )
        assert process.returncode == 0, process.stderr


@contextmanager
def replica_of(primary: EmbeddedPostgres) -> Iterator[Replica]:
    """A running replica in its own directory."""
    with tempfile.TemporaryDirectory(prefix="replica-") as directory:
        Path(directory).chmod(0o755)
        replica = Replica(primary, Path(directory) / "r")
        try:
            replica.start()
            yield replica
        finally:
            replica.kill()


def either(first: Path, second: Path, name: str, state: str) -> str:
    """Address of a database on two servers' sockets: connects to the first that is as wanted."""
    hosts = ",".join(quote(str(socket), safe="") for socket in (first, second))
    return f"postgresql://macmeter@{hosts}/{name}?target_session_attrs={state}"
