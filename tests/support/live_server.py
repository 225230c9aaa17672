"""The real server in a process of its own, started by the command that `make serve` runs."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import psutil

COMMAND = str(Path(sys.executable).with_name("macmeter-server"))
START_SECONDS = 300.0
STOP_SECONDS = 120.0
ANSWER_SECONDS = 300.0
# What many tests send goes by one address.
UNLIMITED = {"QUOTA_MACHINE_UPLOADS": "1000000", "QUOTA_UPLOADS": "1000000"}
# Below those that systems hand out to whoever connects: none of them is taken between the look and
# the server's start.
PORTS = range(10_240, 20_000)


class LiveServer:
    """A server on a free port. Entering starts it and waits until it says it is ready."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = free_port()
        self.log = data_dir / "server.log"
        self.environment = os.environ | {"DATA_DIR": str(data_dir), "PORT": str(self.port)}
        # Most tests need no second one, which takes time to start; WORKERS="" gives the default.
        self.environment["WORKERS"] = "1"
        # Tests can wait: a refusal for slowness would only show that their machine is busy.
        self.environment |= {"PATIENCE": "20", **UNLIMITED} | environment
        self.process: subprocess.Popen[str] | None = None

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
        return httpx.request(method, f"{self.url}{path}", timeout=ANSWER_SECONDS, **options)

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
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [COMMAND, "serve", "--with-parent"],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

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

    def token(self, scope: str = "device") -> str:
        """A fresh token, as `make token` prints it."""
        done = subprocess.run(
            [COMMAND, "token", "--scope", scope],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()[-1]

    def processes(self, name: str) -> list[psutil.Process]:
        """Those of its processes that go by this name and still run, whoever their parent is."""
        found = []
        for process in psutil.process_iter():
            # One that was killed is gone at any moment.
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                    found += [process] * (process.environ().get("PORT") == str(self.port))
        return found

    def workers(self) -> list[psutil.Process]:
        """The processes that answer requests."""
        return self.processes("macmeter-worker")

    def _forget(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


def free_port() -> int:
    """A port of the loopback address that nothing listens on now."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
