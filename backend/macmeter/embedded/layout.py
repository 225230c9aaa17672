"""Where the embedded server keeps its things.

DATA_DIR/postgres/          the server's account only
  cluster/                  PostgreSQL's data directory
  socket/                   the only way in: 0700, no TCP
  owner.lock                held by the process that supervises it; says which
  running.lock              held by every PostgreSQL process of this cluster
  postgres.log
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from macmeter.embedded.account import Account
from macmeter.embedded.errors import EmbeddedError

SOCKET_NAME = ".s.PGSQL.5432"
# sun_path holds 108 bytes on Linux and 104 on macOS, the closing NUL among them.
LONGEST_SOCKET_PATH = 103
LARGEST_LOG = 16 * 2**20


@dataclass(frozen=True)
class Layout:
    """The paths of one data directory's server, as this process names them."""

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
        """The socket's directory: beside the cluster, or a short one when that path is too long."""
        beside = self.directory / "socket"
        if len(os.fsencode(beside / SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
            return beside
        name = hashlib.sha256(os.fsencode(self.directory)).hexdigest()[:16]
        return Path(tempfile.gettempdir()).resolve() / f"macmeter-{name}"

    def make(self, account: Account) -> None:
        """Makes what is missing, 0700 or 0600 and owned by `account`; sets a large log aside."""
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
    """A directory that only `account` (and root) may enter. Refuses one that is another's."""
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        there = directory.lstat()
        if directory.is_symlink() or there.st_uid not in (account.uid, os.geteuid()):
            raise EmbeddedError(
                f"{directory} belongs to another account (uid {there.st_uid})"
            ) from None
    directory.chmod(0o700)
    account.own(directory)
