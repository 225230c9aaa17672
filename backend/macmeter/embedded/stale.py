"""What a PostgreSQL that was killed leaves behind, and the next one would stumble over.

Locks are cleared with the running lock held: no server that we started is left. PostgreSQL trusts
any live process whose number its lock files hold. That may be a killed server which nobody has
reaped yet, one that the kernel is still taking apart, or, after a restart of the machine, anybody.
A server that somebody started by hand is left alone: PostgreSQL then refuses, rightly.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import psutil

from macmeter.embedded.layout import SOCKET_NAME, Layout

# Freeing some gigabytes of shared memory takes well under a second.
ENDING_SECONDS = 10.0
POLL_SECONDS = 0.05


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
