"""PostgreSQL's data directory: making it, and telling one that this server can't open."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from macmeter.embedded.account import Account
from macmeter.embedded.binaries import major_version
from macmeter.embedded.errors import EmbeddedError
from macmeter.embedded.layout import Layout
from macmeter.embedded.tuning import Durability

SUPERUSER = "postgres"


def ready_cluster(
    layout: Layout,
    seen: str,
    binaries: Path,
    account: Account,
    durability: Durability,
    descriptors: tuple[int, ...],
) -> None:
    """Makes the cluster where there is none; refuses one of another major version.

    `seen` is the server directory's name as `account` reaches it, through `descriptors`.
    """
    version = layout.cluster / "PG_VERSION"
    major = major_version(binaries)
    if version.exists():
        made_by = version.read_text().strip()
        if made_by != str(major):
            raise EmbeddedError(
                f"{layout.cluster} was made by PostgreSQL {made_by}, this is {major}: dump it with "
                f"the old programs and restore it into a new DATA_DIR (docs/operating.md)"
            )
        return
    # Under another name until it is whole: a half-made cluster is never mistaken for one.
    half_made = layout.cluster.with_name("cluster.new")
    shutil.rmtree(half_made, ignore_errors=True)
    command = [
        str(binaries / "initdb"),
        f"--pgdata={seen}/{half_made.name}",
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
        pass_fds=descriptors,
        **account.popen,
    )
    if done.returncode:
        raise EmbeddedError(f"initdb failed in {layout.directory}:\n{done.stdout}{done.stderr}")
    half_made.rename(layout.cluster)


def environment() -> dict[str, str]:
    """All that PostgreSQL's programs inherit: PG* variables of the caller must not steer them."""
    return {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "TZ": "UTC"}


def clear_stale_pid(layout: Layout) -> None:
    """Removes a postmaster.pid whose process is not PostgreSQL.

    Called with the running lock held, so no server of ours is left. PostgreSQL itself trusts any
    live process of its account, and after a restart of the machine the number may be another's.
    A server that somebody started by hand is left alone: PostgreSQL then refuses, rightly.
    """
    pid_file = layout.cluster / "postmaster.pid"
    try:
        pid = pid_file.read_text().split("\n", 1)[0].strip()
    except FileNotFoundError:
        return
    if not pid.isdecimal():
        return
    try:
        name = subprocess.run(
            ["ps", "-p", pid, "-o", "comm="],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
    except FileNotFoundError:  # no `ps` here: PostgreSQL's own judgement has to do
        return
    if name and Path(name).name != "postgres":
        pid_file.unlink()
