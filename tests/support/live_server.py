"""The real server in a process of its own, started by the command that `make serve` runs."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import psutil
from macmeter.embedded import find_running
from macmeter.platform.processes import template

from support.commands import COMMAND, forking, run_command
from support.databases import token
from support.forked import Forked

START_SECONDS = 300.0
STOP_SECONDS = 120.0
ANSWER_SECONDS = 300.0
# For servers without TLS: httpx would read all certificates of this machine for every request.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# What many tests send goes by one address.
UNLIMITED = {"QUOTA_MACHINE_UPLOADS": "1000000", "QUOTA_UPLOADS": "1000000"}
# Below those that systems hand out to whoever connects: none of them is taken between the look and
# the server's start.
PORTS = range(10_240, 20_000)


class LiveServer:
    """A server on a free port. Entering starts it and waits until it says it is ready."""

    forks = False

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.log = data_dir / "server.log"
        self.environment = os.environ | {"DATA_DIR": str(data_dir), "PORT": str(self.port)}
        # Most tests need no second one, which takes time to start; WORKERS="" gives the default.
        self.environment["WORKERS"] = "1"
        # Tests can wait: a refusal for slowness would only show that their machine is busy.
        self.environment |= {"PATIENCE": "20", **UNLIMITED} | environment
        self.process: subprocess.Popen[str] | Forked | None = None
        self._session: int | None = None

    @property
    def url(self) -> str:
        """http://127.0.0.1:PORT, without a closing slash."""
        return f"http://127.0.0.1:{self.port}"

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

    def ask(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        """What it answers, however long a busy machine takes."""
        address = f"{self.url}{path}"
        return httpx.request(method, address, timeout=ANSWER_SECONDS, verify=NO_TLS, **options)

    def stream(self, path: str, **headers: str) -> AbstractContextManager[httpx.Response]:
        """Its answer while it comes."""
        address, patience = f"{self.url}{path}", ANSWER_SECONDS
        return httpx.stream("GET", address, headers=headers, timeout=patience, verify=NO_TLS)

    def start(self) -> None:
        """Returns when the server has said that it is ready."""
        self.launch()
        assert self.process is not None
        too_late = threading.Timer(START_SECONDS, self.process.kill)
        too_late.start()
        try:
            assert self.process.stdout is not None
            for line in self.process.stdout:
                if "is ready" in line:  # the address printed is PUBLIC_URL where that is set
                    return
        finally:
            too_late.cancel()
        self.process.wait()
        raise AssertionError(f"the server did not get ready:\n{self.log.read_text()}")

    def launch(self) -> None:
        """Starts it and returns at once."""
        arguments = ["serve", "--with-parent"]
        with self.log.open("a") as log:
            if self.forks and template.FORKS:
                self.process = forking().begin(arguments, self.environment, log)
            else:
                self.process = subprocess.Popen(
                    [COMMAND, *arguments],
                    env=self.environment,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    start_new_session=True,
                )
        self._session = self.process.pid

    def wait(self, seconds: float) -> int | None:
        """The exit status of a server that somebody else stopped; None while it still runs."""
        assert self.process is not None
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._forget()
        return status

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Stops it as Ctrl-C (SIGINT) or a service manager (SIGTERM) would; its exit status."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        status = self.process.wait(STOP_SECONDS)
        self._forget()
        return status

    def kill(self) -> None:
        """kill -9 of the server's main process alone; what it started has to notice."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
            self._forget()

    def admin_link(self) -> str:
        """The way to become its first admin, which a new server prints when it is ready."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        link = re.search(r"/invitations#mml_\S+", line)
        assert link is not None, line
        return link[0]

    def token(self, scope: str = "device") -> str:
        """A fresh token of the running server."""
        return token(self.database_url, scope)

    def printed_token(self, scope: str = "device") -> str:
        """The same as `make token` prints it, also where the server is stopped."""
        done = run_command(self.environment, "token", "--scope", scope)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[-1]

    @property
    def database_url(self) -> str:
        """Of the running server."""
        if url := self.environment.get("DATABASE_URL"):
            return url
        running = find_running(self.data_dir)
        assert running is not None
        return running.url()

    def processes(self, name: str) -> list[psutil.Process]:
        """Those of its processes that go by this name and still run, whoever their parent is."""
        found = []
        for process in psutil.process_iter():
            # One that was killed is gone at any moment.
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
                if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                    found += [process] * (os.getsid(process.pid) == self._session)
        return found

    def workers(self) -> list[psutil.Process]:
        """The processes that answer requests."""
        return self.processes("macmeter-worker")

    def _forget(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


class ForkedServer(LiveServer):
    """The same, started without the imports, which are most of what a start costs."""

    forks = True

    def launch(self) -> None:
        # Executed, it imports for longer than those of a killed server take to end.
        end = time.monotonic() + STOP_SECONDS
        while self.forks and not is_free(self.port) and time.monotonic() < end:
            time.sleep(0.02)
        super().launch()

    @contextlib.contextmanager
    def executed(self) -> Iterator[None]:
        """What is started meanwhile is executed after all."""
        self.forks = False
        try:
            yield
        finally:
            self.forks = True


def free_port() -> int:
    """A port of the loopback address that nothing listens on now."""
    while True:
        if is_free(port := random.choice(PORTS)):
            return port


def is_free(port: int) -> bool:
    """Whether nothing listens on this port of the loopback address."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False
