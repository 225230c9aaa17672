"""The data set on disk: Parquet files that are written once, and a manifest that names them.

Everything here can be rebuilt from PostgreSQL, so whatever differs from how it was written is
discarded: files that are missing, truncated, changed or swapped, of another database or version.

    ROOT/<log>-<database>/manifest-<epoch>.json   the files, and the snapshot they cover
                          public/results-….parquet, runs-….parquet, setups-….parquet
                          private/…               runs of no fleet, for their machine's own token
                          <fleet>/…               a fleet's own runs
                          building.duckdb         progress of a complete rebuild
    ROOT/lease.…                                  the key of the writers' lock: see lease.py

A setup is what many runs share: dimensions other than machine and month, series and flags. The
manifest of the highest epoch counts; without a lease, where only one process writes, there is one
`manifest.json`.
"""

import contextlib
import hashlib
import os
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.platform.changelog import Log, behind, find_log
from macmeter.platform.errors import Problem
from macmeter.results.dataset.loading import Key
from macmeter.results.dataset.relations import RELATIONS

MANIFEST = "manifest.json"
MANIFESTS = "manifest*.json"
_EPOCH = re.compile(r"(?:manifest-|\w+-epoch)(\d+)\b")
PUBLIC, PRIVATE = "public", "private"
# Files of another format are ignored. Raise the number when the meaning of the same columns
# changes.
FORMAT = f"1 {hashlib.sha256(repr(RELATIONS).encode()).hexdigest()[:16]}"
_OWNER_ONLY = 0o700
T = TypeVar("T")


class DamagedError(ValueError):
    """A file differs from how it was written."""


class Stamp(NamedTuple):
    """Identity of a verified file; when it changes, the file must be verified again."""

    inode: int
    modified: int
    sha256: str


class File(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file's entry in the manifest."""

    relation: str
    name: str
    rows: int
    bytes: int
    sha256: str
    least: int | None = None
    """Bounds of the series in a file of results."""
    greatest: int | None = None
    inode: int = 0
    """Inode and mtime as written: a file that still has both was verified by its writer."""
    modified: int = 0

    def may_have(self, series: int) -> bool:
        return self.least is None or self.greatest is None or self.least <= series <= self.greatest

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.inode, self.modified, self.sha256)


class Set(msgspec.Struct, frozen=True, omit_defaults=True):
    """Runs that were written together, with their results and setups."""

    runs: int
    results: int
    files: tuple[File, ...]
    machines: tuple[int, ...] = ()
    """Numbers of its machines, possibly of former ones too; empty if there are many. Lets a search
    for another machine's runs skip the files.
    """

    def of(self, relation: str) -> list[File]:
        return [file for file in self.files if file.relation == relation]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """Runs with the same readers."""

    scope: str
    """PUBLIC, PRIVATE or the id of a fleet."""
    public: bool
    """Whether everybody may read it, as of the manifest."""
    sets: tuple[Set, ...]
    """Largest first."""
    root: str = ""

    @property
    def runs(self) -> int:
        """Number of runs, including deleted ones until their files are rewritten."""
        return sum(file_set.runs for file_set in self.sets)

    @property
    def results(self) -> int:
        return sum(file_set.results for file_set in self.sets)

    def files(self, relation: str) -> list[Path]:
        """Return the files of this relation."""
        return [self.path(file) for file_set in self.sets for file in file_set.of(relation)]

    def path(self, file: File) -> Path:
        return Path(self.root, self.scope, file.name)


class StaleRun(msgspec.Struct, frozen=True):
    """A run whose rows in files are obsolete; its current state is in no file."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    since: datetime

    @property
    def key(self) -> Key:
        return self.machine_id, self.run_id


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    log_id: uuid.UUID
    database: int
    """PostgreSQL's number of the database: copies of one have the same log."""
    snapshot: str
    """Snapshot that the files cover: see changelog.py."""
    made_at: datetime

    def is_of(self, directory: Path) -> bool:
        """Whether this version wrote it, for this database."""
        expected = directory_of(directory.parent, self.log_id, self.database)
        return self.format == FORMAT and expected == directory


class Manifest(_Head, frozen=True, kw_only=True):
    """All files of the data set."""

    parts: tuple[Part, ...]
    pending: tuple[StaleRun, ...] = ()
    """Runs that were changed, moved, withdrawn or deleted while their files are too large to be
    rewritten at once. Readers hide these rows and read the runs' current state from PostgreSQL, as
    if they had changed after the snapshot.
    """
    leaving: dict[str, datetime] = {}
    """Files that manifests no longer name, with the time since: readers may still use them."""

    @property
    def gone(self) -> list[uuid.UUID]:
        """Ids of the runs whose rows in files are hidden."""
        return [run.run_id for run in self.pending]

    def names(self) -> set[str]:
        """Return the names of all files, relative to the directory."""
        return {
            f"{part.scope}/{file.name}"
            for part in self.parts
            for file_set in part.sets
            for file in file_set.files
        }


def empty_manifest(log: Log, former: Manifest | None = None) -> Manifest:
    """Return an empty manifest; files of an earlier one stay for a while."""
    return Manifest(
        format=FORMAT,
        log_id=log.log_id,
        database=log.database,
        snapshot=log.snapshot,
        made_at=datetime.now(UTC),
        parts=(),
        leaving=former.leaving if former is not None else {},
    )


class _Sealed(msgspec.Struct, frozen=True):
    """A manifest on disk, with the checksum of its bytes."""

    sha256: str
    manifest: msgspec.Raw


_SEALED = msgspec.json.Decoder(_Sealed)
_DECODER, _HEAD = msgspec.json.Decoder(Manifest), msgspec.json.Decoder(_Head)
# Files that this process has verified, so that each is read only once.
_checked: dict[Path, dict[Path, Stamp]] = {}


def can_follow(log: Log, snapshot: str) -> bool:
    """Whether the log has all changes from that snapshot to this transaction's."""
    return log.sees(snapshot) and not log.misses(snapshot)


def directory_of(root: Path, log_id: uuid.UUID, database: int) -> Path:
    """Return the directory of that database's files."""
    return root / f"{log_id}-{database}"


def epoch_of(path: Path) -> int:
    """Return the epoch in which a file was written; 0 without a lease."""
    match = _EPOCH.match(path.name)
    return int(match[1]) if match else 0


def manifest_of(directory: Path) -> Path:
    """Return the path of the manifest that counts, or of one that doesn't exist."""
    return max(directory.glob(MANIFESTS), key=epoch_of, default=directory / MANIFEST)


def _of_newest(directory: Path, use: Callable[[Path], T]) -> T:
    """Call `use` with the manifest's path; again if it fails after another manifest came, whose
    writer removes what the former one names.
    """
    while True:
        path = manifest_of(directory)
        try:
            return use(path)
        except (OSError, ValueError):  # includes msgspec's errors
            if manifest_of(directory) == path:
                raise


def stamp(directory: Path) -> tuple[int, int] | None:
    """Return the manifest's time in nanoseconds, and its inode; None without one."""
    try:
        status = _of_newest(directory, Path.stat)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def snapshot_of(directory: Path) -> str | None:
    """Return the snapshot that the manifest covers; None without a usable one."""
    try:
        head = _HEAD.decode(_of_newest(directory, _content))
    except (OSError, ValueError):
        return None
    return head.snapshot if head.is_of(directory) else None


def _content(path: Path) -> msgspec.Raw:
    """Return the manifest's bytes; DamagedError if their checksum is wrong."""
    sealed = _SEALED.decode(path.read_bytes())
    if hashlib.sha256(sealed.manifest).hexdigest() != sealed.sha256:
        raise DamagedError(f"{path} is changed")
    return sealed.manifest


def read(directory: Path, *, deeply: bool = True) -> Manifest | None:
    """Return the manifest if all files are intact; None if nothing is usable. If anything is
    damaged, remove the manifest, so that readers stop and the writer rebuilds it.

    Without `deeply`, check only sizes; whoever reads a file must check it.
    """
    try:
        return _of_newest(directory, lambda path: _read(path, deeply))
    except (OSError, ValueError):
        discard(directory)
        return None


def _read(path: Path, deeply: bool) -> Manifest | None:
    directory = path.parent
    manifest = _DECODER.decode(_content(path))
    if not manifest.is_of(directory):
        return None
    root = str(directory)
    parts = tuple(msgspec.structs.replace(part, root=root) for part in manifest.parts)
    stamps = _checked.get(directory, {})
    checked = {
        part.path(file): check(
            part.path(file), file, stamps.get(part.path(file), file.stamp), deeply
        )
        for part in parts
        for file_set in part.sets
        for file in file_set.files
    }
    if deeply:
        _checked[directory] = checked
    return msgspec.structs.replace(manifest, parts=parts)


def check(path: Path, file: File, verified: Stamp | None = None, deeply: bool = True) -> Stamp:
    """Raise DamagedError if a file isn't as the manifest says; skip content that is `verified`."""
    status = path.stat()
    current = Stamp(status.st_ino, status.st_mtime_ns, file.sha256)
    is_same_size = status.st_size == file.bytes
    if not is_same_size or (deeply and current != verified and digest_of(path) != file.sha256):
        raise DamagedError(f"{path} is cut or changed")
    return current


def digest_of(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def discard(directory: Path) -> None:
    """Invalidate the data set by removing its manifest, and any that would count instead."""
    for path in directory.glob(MANIFESTS):
        with contextlib.suppress(OSError):  # without write access, it remains invalid anyway
            path.unlink()


def write(directory: Path, manifest: Manifest, epoch: int = 0) -> None:
    """Write the manifest atomically, which makes its files valid."""
    parts = tuple(msgspec.structs.replace(part, root="") for part in manifest.parts)
    content = msgspec.json.encode(msgspec.structs.replace(manifest, parts=parts))
    sealed = _Sealed(hashlib.sha256(content).hexdigest(), msgspec.Raw(content))
    path = directory / (f"manifest-{epoch}.json" if epoch else MANIFEST)
    new = path.with_suffix(".new")
    new.touch(0o600)
    new.write_bytes(msgspec.json.encode(sealed))
    sync(new)
    new.replace(path)
    sync(directory)
    for former in directory.glob("manifest*"):
        if epoch_of(former) < epoch:
            former.unlink(missing_ok=True)


def make_directory(directory: Path) -> None:
    """Create a directory that only our own account may read."""
    directory.mkdir(_OWNER_ONLY, parents=True, exist_ok=True)


def sync(path: Path) -> None:
    """Flush a file's content, or a directory's names, to disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def on_disk(directory: Path) -> Iterator[str]:
    """Return the names of all parts' files on disk, in the manifest or not."""
    return (str(path.relative_to(directory)) for path in directory.glob("*/*.parquet"))


class BuildingError(Problem):
    """503: there are no files yet, or they lack more changes than a question may read itself."""

    def __init__(self) -> None:
        detail = "The server is preparing its answers. Try again in a few seconds."
        super().__init__(503, "dataset_building", "Being prepared", detail)
        self.headers["Retry-After"] = "5"


class OutrunError(BuildingError):
    """The files are newer than the transaction, or gone: retry with a new transaction."""


@dataclass(frozen=True)
class Lag:
    """Lag of the files behind the database; None for both if nothing was ever written."""

    changes: int | None
    seconds: float | None
    """Age of the oldest missing change."""
    free_bytes: int
    """Free space on the files' disk."""

    def is_beyond(self, seconds: float | None) -> bool:
        """Whether it exceeds the operator's limit."""
        return seconds is not None and (self.seconds is None or self.seconds > seconds)


async def lag_of(connection: AsyncConnection, root: Path) -> Lag:
    """Return how far the data set below `root` is behind that database."""
    log = await find_log(connection)
    snapshot = snapshot_of(directory_of(root, log.log_id, log.database))
    free = _free_bytes(root)
    if snapshot is None:
        return Lag(None, None, free)
    lag = await behind(connection, snapshot)
    return Lag(lag.changes, lag.seconds, free)


def _free_bytes(root: Path) -> int:
    existing = next(path for path in (root, *root.parents) if path.exists())
    disk = os.statvfs(existing)
    return disk.f_bavail * disk.f_frsize
