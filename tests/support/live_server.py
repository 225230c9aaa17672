"""The real server in its own process, started by the command that `make serve` runs."""

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
# For servers without TLS: httpx would load this machine's certificates for every request.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# Tests send many uploads from one address.
UNLIMITED = {"QUOTA_MACHINE_UPLOADS": "1000000", "QUOTA_UPLOADS": "1000000"}
# Below the ephemeral ports: none of these is taken between the check and the server's start.
PORTS = range(10_240, 20_000)


class LiveServer:
    """A server on a free port. Entering starts it and waits until it is ready."""

    forks = False

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.log = data_dir / "server.log"
        self.environment = os.environ | {"DATA_DIR": str(data_dir), "PORT": str(self.port)}
        # One worker starts faster and is enough for most tests; WORKERS="" gives the default.
        self.environment["WORKERS"] = "1"
        # Tests can wait: a refusal for slowness would only show that their machine is busy.
        self.environment |= {"PATIENCE": "20", **UNLIMITED} | environment
        self.process: subprocess.Popen[str] | Forked | None = None
        self._session: int | None = None

    @property
    def url(self) -> str:
        """http://127.0.0.1:PORT, without a trailing slash."""
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
        """Send a request and wait for the response as long as a busy machine needs."""
        address = f"{self.url}{path}"
        return httpx.request(method, address, timeout=ANSWER_SECONDS, verify=NO_TLS, **options)

    def stream(self, path: str, **headers: str) -> AbstractContextManager[httpx.Response]:
        """Open a streamed response."""
        address, patience = f"{self.url}{path}", ANSWER_SECONDS
        return httpx.stream("GET", address, headers=headers, timeout=patience, verify=NO_TLS)

    def start(self) -> None:
        """Start the server and return when it is ready."""
        self.launch()
        assert self.process is not None
        too_late = threading.Timer(START_SECONDS, self.process.kill)
        too_late.start()
        try:
            assert self.process.stdout is not None
            for line in self.process.stdout:
                if "is ready" in line:  # the printed address is PUBLIC_URL if that is set
                    return
        finally:
            too_late.cancel()
        self.process.wait()
        raise AssertionError(f"the server did not get ready:\n{self.log.read_text()}")

    def launch(self) -> None:
        """Start the server and return at once."""
        arguments = ["serve", "--with-parent"]
        with self.log.open("a") as log:
            if self.forks and template.CAN_FORK:
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
        """Return the exit status of a server that somebody else stopped; None while it runs."""
        assert self.process is not None
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._forget()
        return status

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Stop it like Ctrl-C (SIGINT) or a service manager (SIGTERM); return its exit status."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        status = self.process.wait(STOP_SECONDS)
        self._forget()
        return status

    def kill(self) -> None:
        """Send kill -9 to the main process alone; its children have to notice."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
            self._forget()

    def admin_link(self) -> str:
        """Read the first administrator's link, which a new server prints when it is ready."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        link = re.search(r"/invitations#mml_\S+", line)
        assert link is not None, line
        return link[0]

    def token(self, scope: str = "device") -> str:
        """Issue a token of the running server."""
        return token(self.database_url, scope)

    def printed_token(self, scope: str = "device") -> str:
        """Return a token as `make token` prints it, even if the server is stopped."""
        process = run_command(self.environment, "token", "--scope", scope)
        assert process.returncode == 0, process.stderr
        return process.stdout.splitlines()[-1]

    @property
    def database_url(self) -> str:
        """Address of the running server's database."""
        if url := self.environment.get("DATABASE_URL"):
            return url
        running = find_running(self.data_dir)
        assert running is not None
        return running.url()

    def processes(self, name: str) -> list[psutil.Process]:
        """Its processes of this name that still run, whoever their parent is."""
        running = []
        for process in psutil.process_iter():
            # A killed process may vanish at any moment.
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
                if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                    running += [process] * (os.getsid(process.pid) == self._session)
        return running

    def workers(self) -> list[psutil.Process]:
        """The processes that answer requests."""
        return self.processes("macmeter-worker")

    def _forget(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


class ForkedServer(LiveServer):
    """A server forked without the imports, which are most of the time of a start."""

    forks = True

    def launch(self) -> None:
        # An executed server's imports give a killed one's processes time to end.
        end = time.monotonic() + STOP_SECONDS
        while self.forks and not is_free(self.port) and time.monotonic() < end:
            time.sleep(0.02)
        super().launch()

    @contextlib.contextmanager
    def executed(self) -> Iterator[None]:
        """Execute rather than fork within the context."""
        self.forks = False
        try:
            yield
        finally:
            self.forks = True


def free_port() -> int:
    """A loopback port that nothing listens on now."""
    while True:
        if is_free(port := random.choice(PORTS)):
            return port


def is_free(port: int) -> bool:
    """Return whether nothing listens on this loopback port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False
