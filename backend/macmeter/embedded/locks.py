"""Two locks of the kernel's decide what may run; no pid file does.

`owner.lock` is held by the supervising process: whoever holds it may start PostgreSQL.
`running.lock` is inherited by every PostgreSQL process: whoever gets it knows that none is left,
also when the last owner was killed a moment ago and its server is still writing its checkpoint.

A PostgreSQL that was killed leaves lock files behind, which the next one would stumble over. They
are cleared with the running lock held: no server that we started is left. PostgreSQL trusts any
live process whose number its lock files hold. That may be a killed server which nobody has reaped
yet, one that the kernel is still taking apart, or, after a restart of the machine, anybody. A
server that somebody started by hand is left alone: PostgreSQL then refuses, rightly.
"""

from __future__ import annotations

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
# A brief owner (`make token`) is done in about a second.
BRIEF_OWNER_SECONDS = 20.0


@dataclass(frozen=True)
class Owner:
    """Who holds the owner lock, as written into it."""

    pid: int
    socket: str
    purpose: str
    brief: bool

    def __str__(self) -> str:
        return f"process {self.pid} ({self.purpose})"


class Lock:
    """A file with an exclusive flock, given up when closed or when every holder has ended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def take(self, seconds: float = 0.0) -> bool:
        """True once the lock is held; False when it is still another's after `seconds`."""
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
        """Says who holds it."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, json.dumps(asdict(owner)).encode(), 0)

    def close(self) -> None:
        os.close(self.descriptor)


def take_ownership(path: Path, owner: Owner) -> Lock:
    """The owner lock, written with `owner`. Waits for a brief owner, never for a lasting one."""
    lock = Lock(path)
    end = time.monotonic() + BRIEF_OWNER_SECONDS
    # A look by `current_owner` holds the lock for an instant: that isn't an owner.
    while not lock.take(seconds=0.25):
        holder = read_owner(path)
        if holder is None or not holder.brief or time.monotonic() > end:
            lock.close()
            raise InUseError(f"{path.parent} is in use by {holder or 'another process'}")
    lock.write(owner)
    return lock


def current_owner(path: Path) -> Owner | None:
    """Who owns the server now, or None."""
    if not path.exists():
        return None
    lock = Lock(path)
    try:
        return None if lock.take() else read_owner(path)
    finally:
        lock.close()


def read_owner(path: Path) -> Owner | None:
    """What the lock file says; None while its holder has not written it yet."""
    try:
        return Owner(**json.loads(path.read_text()))
    except (ValueError, TypeError):
        return None


def wait_until_none_runs(path: Path, seconds: float, stop: Callable[[], None]) -> Lock:
    """The running lock, once every process of an earlier PostgreSQL has ended; `stop` asks it to,
    should there be one.
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
    """Removes PostgreSQL's lock files if their process is gone or isn't a server of `layout`."""
    for lock_file in (
        layout.cluster / "postmaster.pid",
        layout.socket / f"{SOCKET_NAME}.lock",
    ):
        pid = _pid_in(lock_file)
        if pid is not None and not _serves(layout, pid):
            lock_file.unlink(missing_ok=True)


def ask_to_stop(layout: Layout) -> None:
    """Asks the server of this cluster to stop, should one run: for the owner of the directory.

    It may have lost an earlier owner and all who watched it, or have been asked before it heard
    anything. One that is stopping already takes no harm.
    """
    pid = _pid_in(layout.cluster / "postmaster.pid")
    if pid is not None and _runs(layout.cluster, pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)


def _pid_in(lock_file: Path) -> int | None:
    try:
        pid = lock_file.read_text().split("\n", 1)[0].strip()
    except FileNotFoundError:
        return None
    return int(pid) if pid.isdecimal() else None


def _serves(layout: Layout, pid: int) -> bool:
    """Whether `pid` is a PostgreSQL of this cluster that is not just ending."""
    end = time.monotonic() + ENDING_SECONDS
    while _runs(layout.cluster, pid):
        if time.monotonic() > end:
            return True
        time.sleep(POLL_SECONDS)
    return False


def _runs(cluster: Path, pid: int) -> bool:
    """Whether `pid` is a live PostgreSQL that works in `cluster`, as far as the system tells."""
    try:
        process = psutil.Process(pid)
        if process.name() != "postgres" or process.status() == psutil.STATUS_ZOMBIE:
            return False
        return Path(process.cwd()).samefile(cluster)
    except psutil.NoSuchProcess:
        return False
    except (psutil.AccessDenied, OSError):
        return True
