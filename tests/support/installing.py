"""Accounts on which `install.sh` runs, and a server whose downloads are cut."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from macmeter.platform.release import VERSION

from support.live_server import LiveServer

PLATFORM = "linux-x86_64"
ARCHIVE = f"macmeter-{VERSION}-{PLATFORM}.tar.gz"
# Every test's system claims to be this one, whatever runs the tests.
LINUX = {"uname": "case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac"}
# All programs that the script calls, except openssl, gh and sudo.
TOOLS = (
    *("awk", "cat", "cp", "curl", "cut", "df", "dirname", "find", "grep", "gzip", "id", "mkdir"),
    *("mktemp", "mv", "rm", "rmdir", "sed", "sh", "sha256sum", "shasum", "tar"),
)


class Home:
    """An account with its own folder and some commands that answer like another system's."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shims = folder / "home", folder / "shims"
        for path in (self.folder, self.shims, folder / "tmp"):
            path.mkdir()
        self.environment = {
            "HOME": str(self.folder),
            "PATH": f"{self.shims}:{os.environ['PATH']}",
            "TMPDIR": str(folder / "tmp"),
        }
        for name, body in LINUX.items():
            self.shim(name, body)

    def shim(self, name: str, body: str) -> None:
        (self.shims / name).write_text(f"#!/bin/sh\n{body}\n")
        (self.shims / name).chmod(0o755)

    def only_tools(self) -> str:
        """Return a PATH with nothing but the programs that the script can't do without."""
        for name in TOOLS:
            if (path := shutil.which(name)) and not (self.shims / name).exists():
                (self.shims / name).symlink_to(path)
        return str(self.shims)

    def run(
        self, script: str, *arguments: str, user: int | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Pipe the script into `sh`, like the line that people copy."""
        return subprocess.run(
            ["sh", "-s", "--", *arguments],
            input=script,
            env=self.environment | environment,
            cwd="/",
            user=user if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,  # without a terminal
        )

    def install(self, server: LiveServer, *arguments: str, path: str | None = None) -> str:
        path = path or self.environment["PATH"]
        ended = self.run(server.ask("/install.sh").text, *arguments, PATH=path)
        assert ended.returncode == 0, ended.stderr
        return ended.stderr

    def refused(self, script: str, *arguments: str, user: int | None = None, **extra: str) -> str:
        """Run the script, which must fail and change nothing; return its message."""
        before = self.files()
        ended = self.run(script, *arguments, user=user, **extra)
        assert ended.returncode == 1, ended.stderr
        assert self.files() == before
        return ended.stderr

    def files(self) -> dict[str, bytes | None]:
        """All files of the account and of the folder for temporary files."""
        return {
            str(path): path.read_bytes() if path.is_file() else None
            for folder in (self.folder, Path(self.environment["TMPDIR"]))
            for path in folder.rglob("*")
        }


@contextmanager
def cutting(port: int) -> Iterator[str]:
    """Proxy a server, but send only half of each archive."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                with suppress(OSError), client, socket.create_connection(("127.0.0.1", port)) as to:
                    request = client.recv(65_536)
                    to.sendall(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
                    answer = b"".join(iter(lambda: to.recv(65_536), b""))
                    cut = len(answer) // 2 if b".tar.gz" in request.split(b"\r\n")[0] else None
                    client.sendall(answer[:cut])

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
