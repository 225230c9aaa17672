"""Kernel locks that decide what may run, rather than pid files.

`owner.lock` is held by the supervising process: its holder may start PostgreSQL. `running.lock` is
inherited by every PostgreSQL process: whoever gets it knows that none is left, even if the last
owner was just killed and its server is still writing its checkpoint.

A PostgreSQL that was killed leaves lock files behind, which block the next one. They are cleared
with the running lock held: no server that we started is left. PostgreSQL trusts any live process
whose pid is in its lock files. That may be a killed server that nobody has reaped yet, one that the
kernel is still tearing down, or, after a reboot, any process. A server that somebody started by
hand is left alone: PostgreSQL then refuses, rightly.
"""

import contextlib
import fcntl
import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from macmeter.embedded.cluster import SOCKET_NAME, EmbeddedError, InUseError, Layout

POLL_SECONDS = 0.02
# A brief owner (`make token`) finishes in about a second.
BRIEF_OWNER_SECONDS = 20.0


@dataclass(frozen=True)
class Owner:
    """Holder of the owner lock, as written into it."""

    pid: int
    socket: str
    purpose: str
    brief: bool

    def __str__(self) -> str:
        return f"process {self.pid} ({self.purpose})"


class Lock:
    """File with an exclusive flock, released when closed or when every holder has ended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def take(self, seconds: float = 0.0) -> bool:
        """Return True once the lock is held, False if it is still another's after `seconds`."""
        end = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= end:
                    return False
                time.sleep(POLL_SECONDS)
            else:
                return True

    def write(self, owner: Owner) -> None:
        """Record who holds it."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, json.dumps(asdict(owner)).encode(), 0)

    def close(self) -> None:
        os.close(self.descriptor)


def take_ownership(path: Path, owner: Owner) -> Lock:
    """Take the owner lock and record `owner`. Wait for a brief owner, never for a lasting one."""
    lock = Lock(path)
    end = time.monotonic() + BRIEF_OWNER_SECONDS
    # A check by `current_owner` holds the lock for an instant, which isn't ownership.
    while not lock.take(seconds=0.25):
        holder = read_owner(path)
        if holder is None or not holder.brief or time.monotonic() > end:
            lock.close()
            raise InUseError(f"{path.parent} is in use by {holder or 'another process'}")
    lock.write(owner)
    return lock


def current_owner(path: Path) -> Owner | None:
    """Return the server's current owner, or None."""
    if not path.exists():
        return None
    lock = Lock(path)
    try:
        return None if lock.take() else read_owner(path)
    finally:
        lock.close()


def read_owner(path: Path) -> Owner | None:
    """Read the lock file. Return None while its holder has not written it yet."""
    try:
        return Owner(**json.loads(path.read_text()))
    except (ValueError, TypeError):
        return None


def take_running_lock(path: Path, seconds: float, stop: Callable[[], None]) -> Lock:
    """Take the running lock, once every process of an earlier PostgreSQL has ended.

    `stop` asks it to end, if there is one. Raise EmbeddedError after `seconds`.
    """
    lock = Lock(path)
    if lock.take():
        return lock
    stop()
    if not lock.take(seconds):
        lock.close()
        raise EmbeddedError(
            f"an earlier PostgreSQL of {path.parent} has not ended after {seconds:.0f} s"
        )
    return lock


# Freeing some gigabytes of shared memory takes well under a second.
ENDING_SECONDS = 10.0


def clear_stale_locks(layout: Layout) -> None:
    """Remove PostgreSQL's lock files if their process is gone or isn't a server of `layout`."""
    for lock_file in (
        layout.cluster / "postmaster.pid",
        layout.socket / f"{SOCKET_NAME}.lock",
    ):
        pid = _pid_in(lock_file)
        if pid is not None and not _is_own_server(layout, pid):
            lock_file.unlink(missing_ok=True)


def ask_to_stop(layout: Layout) -> None:
    """Ask the server of this cluster to stop, if one runs. Only the directory's owner may call
    this.

    It may have outlived its owner and its watcher, or have missed an earlier request while it
    started. A server that is already stopping isn't disturbed.
    """
    pid = _pid_in(layout.cluster / "postmaster.pid")
    if pid is not None and _is_live_postgres(layout.cluster, pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)


def _pid_in(lock_file: Path) -> int | None:
    try:
        pid = lock_file.read_text().split("\n", 1)[0].strip()
    except FileNotFoundError:
        return None
    return int(pid) if pid.isdecimal() else None


def _is_own_server(layout: Layout, pid: int) -> bool:
    """Return whether `pid` is a PostgreSQL of this cluster, after waiting for an ending one."""
    end = time.monotonic() + ENDING_SECONDS
    while _is_live_postgres(layout.cluster, pid):
        if time.monotonic() > end:
            return True
        time.sleep(POLL_SECONDS)
    return False


def _is_live_postgres(cluster: Path, pid: int) -> bool:
    """Return whether `pid` is a live PostgreSQL in `cluster`. True if that can't be known."""
    try:
        process = psutil.Process(pid)
        if process.name() != "postgres" or process.status() == psutil.STATUS_ZOMBIE:
            return False
        return Path(process.cwd()).samefile(cluster)
    except psutil.NoSuchProcess:
        return False
    except (psutil.AccessDenied, OSError):
        return True
