"""PostgreSQL's data directory: making it, and telling one that this server can't open."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from macmeter.embedded.account import Account
from macmeter.embedded.binaries import major_version
from macmeter.embedded.errors import EmbeddedError
from macmeter.embedded.layout import Layout
from macmeter.embedded.tuning import Durability

SUPERUSER = "postgres"


class Seen(NamedTuple):
    """The server directory as an account reaches it: its name, through these descriptors."""

    path: str
    descriptors: tuple[int, ...]


def ready_cluster(
    layout: Layout, seen: Seen, binaries: Path, account: Account, durability: Durability
) -> None:
    """Makes the cluster where there is none; refuses one of another major version."""
    version = layout.cluster / "PG_VERSION"
    major = major_version(binaries)
    if version.exists():
        made_by = version.read_text().strip()
        if made_by != str(major):
            raise EmbeddedError(
                f"{layout.cluster} was made by PostgreSQL {made_by}, this is {major}: back it up "
                f"with the old version and restore it into a new DATA_DIR (docs/operating.md)"
            )
        return
    # Under another name until it is whole: a half-made cluster is never mistaken for one.
    half_made = layout.cluster.with_name("cluster.new")
    shutil.rmtree(half_made, ignore_errors=True)
    command = [
        str(binaries / "initdb"),
        f"--pgdata={seen.path}/{half_made.name}",
        f"--username={SUPERUSER}",
        "--auth-local=trust",  # whoever can enter the socket's directory; see layout
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
    ]
    if durability == "test":
        command.append("--no-sync")
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env=environment(),
        pass_fds=seen.descriptors,
        **account.popen,
    )
    if done.returncode:
        raise EmbeddedError(f"initdb failed in {layout.directory}:\n{done.stdout}{done.stderr}")
    half_made.rename(layout.cluster)
    # Were the new name lost with the power, the next start would clear the old one away.
    sync_directory(layout.directory)


def sync_directory(directory: Path) -> None:
    """Returns when the names in `directory` are on disk: on a Mac past the drive's own cache."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        full = getattr(fcntl, "F_FULLFSYNC", None)
        if full is None:
            os.fsync(descriptor)
        else:
            fcntl.fcntl(descriptor, full)
    finally:
        os.close(descriptor)


def environment() -> dict[str, str]:
    """All that PostgreSQL's programs inherit: PG* variables of the caller must not steer them."""
    return {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "TZ": "UTC"}
