"""The data set on disk: Parquet files that are written once, and a manifest that names them.

Everything here can be rebuilt from PostgreSQL, so whatever is not exactly as it was written is
thrown away: files that are missing, cut, changed or swapped, of another database or version.

    ROOT/<log>-<database>/manifest.json           which files, up to which snapshot
                          public/results-….parquet, runs-….parquet, setups-….parquet
                          private/…               runs of no fleet, for their machine's own token
                          <fleet>/…               a fleet's own runs
                          building.duckdb         what was read so far, where all is read
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.platform.changelog import Log, behind, find_log
from macmeter.platform.errors import Problem
from macmeter.results.dataset.loading import Key
from macmeter.results.dataset.relations import RELATIONS

MANIFEST = "manifest.json"
PUBLIC, PRIVATE = "public", "private"
# Another one reads nothing of what is there: raise the number where the same columns mean something
# else.
FORMAT = f"1 {hashlib.sha256(repr(RELATIONS).encode()).hexdigest()[:16]}"
_OWNER_ONLY = 0o700


class DamagedError(ValueError):
    """A file is not as it was written."""


class Stamp(NamedTuple):
    """A file that has another one has to be looked at again."""

    inode: int
    modified: int
    sha256: str


class File(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the manifest says of one."""

    relation: str
    name: str
    rows: int
    bytes: int
    sha256: str
    least: int | None = None
    """Of results: no series is before this one, or after the other."""
    greatest: int | None = None
    inode: int = 0
    """As it was written: a file that still has these was looked at by whoever wrote it."""
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
    """Where they are few the numbers of all, and of some that were here: whoever looks for a run
    of another one need not open the files.
    """

    def of(self, relation: str) -> list[File]:
        return [file for file in self.files if file.relation == relation]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """The runs that the same readers may see."""

    scope: str
    """PUBLIC, PRIVATE or the id of a fleet."""
    public: bool
    """Whether everybody may read it now, as far as the manifest knows."""
    sets: tuple[Set, ...]
    """The largest first."""
    root: str = ""

    @property
    def runs(self) -> int:
        """Those that are gone are counted until their files are written again."""
        return sum(one.runs for one in self.sets)

    @property
    def results(self) -> int:
        return sum(one.results for one in self.sets)

    def files(self, relation: str) -> list[Path]:
        """Where the rows of this relation are."""
        return [self.path(file) for one in self.sets for file in one.of(relation)]

    def path(self, file: File) -> Path:
        return Path(self.root, self.scope, file.name)


class Gone(msgspec.Struct, frozen=True):
    """A run whose rows in files say nothing any more; as it is now it is in none."""

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
    snapshot: str
    """Up to which everything was read: see changelog.py."""
    made_at: datetime

    def is_of(self, directory: Path) -> bool:
        """Whether this version wrote it, of this database."""
        own = directory_of(directory.parent, self.log_id, self.database)
        return self.format == FORMAT and own == directory


class Manifest(_Head, frozen=True, kw_only=True):
    """What is there."""

    parts: tuple[Part, ...]
    pending: tuple[Gone, ...] = ()
    """Runs that were changed, moved, withdrawn or deleted while their rows lie in files that are
    too large to be written again at once. Readers hide these rows, and read from PostgreSQL which
    of these runs are still there: as if they had changed after the snapshot.
    """
    leaving: dict[str, datetime] = {}
    """Files that an earlier manifest named, since when none does: somebody may be reading them."""

    @property
    def gone(self) -> list[uuid.UUID]:
        """The ids of runs whose rows in files are to be hidden."""
        return [one.run_id for one in self.pending]

    def names(self) -> set[str]:
        """The names of all files, below the directory."""
        return {
            f"{part.scope}/{file.name}"
            for part in self.parts
            for of in part.sets
            for file in of.files
        }


def nothing(log: Log, before: Manifest | None = None) -> Manifest:
    """What there is in the beginning; files of an earlier manifest stay for a while."""
    return Manifest(
        format=FORMAT,
        log_id=log.log_id,
        database=log.database,
        snapshot=log.snapshot,
        made_at=datetime.now(UTC),
        parts=(),
        leaving=before.leaving if before is not None else {},
    )


class _Sealed(msgspec.Struct, frozen=True):
    """A manifest on disk, with the sum of its own bytes."""

    sha256: str
    manifest: msgspec.Raw


_SEALED = msgspec.json.Decoder(_Sealed)
_DECODER, _HEAD = msgspec.json.Decoder(Manifest), msgspec.json.Decoder(_Head)


# What this process has found to be as it was written: contents are looked at once.
_checked: dict[Path, dict[Path, Stamp]] = {}


def can_follow(log: Log, snapshot: str) -> bool:
    """Whether the log leads from that snapshot to this transaction's."""
    return log.sees(snapshot) and not log.misses(snapshot)


def directory_of(root: Path, log_id: uuid.UUID, database: int) -> Path:
    """Where the files of that database are."""
    return root / f"{log_id}-{database}"


def stamp(directory: Path) -> tuple[int, int] | None:
    """Changes with every manifest; None without one."""
    try:
        found = (directory / MANIFEST).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def snapshot_of(directory: Path) -> str | None:
    """Up to which everything is there, as the manifest says; None where there is none of use."""
    try:
        head = _HEAD.decode(_content(directory))
    except (OSError, ValueError):
        return None
    return head.snapshot if head.is_of(directory) else None


def _content(directory: Path) -> msgspec.Raw:
    """The manifest's bytes; DamagedError where they have another sum."""
    sealed = _SEALED.decode((directory / MANIFEST).read_bytes())
    if hashlib.sha256(sealed.manifest).hexdigest() != sealed.sha256:
        raise DamagedError(f"{directory / MANIFEST} is changed")
    return sealed.manifest


def read(directory: Path, *, deeply: bool = True) -> Manifest | None:
    """What is there, and whole; None where nothing is of use. Where anything was harmed the
    manifest is removed, so that nobody reads on and the writer rebuilds it.

    Not `deeply` looks at sizes alone: whoever reads a file checks it.
    """
    try:
        manifest = _DECODER.decode(_content(directory))
        if not manifest.is_of(directory):
            return None
        root = str(directory)
        parts = tuple(msgspec.structs.replace(part, root=root) for part in manifest.parts)
        known = _checked.get(directory, {})
        looked = {
            part.path(file): check(
                part.path(file), file, known.get(part.path(file), file.stamp), deeply
            )
            for part in parts
            for of in part.sets
            for file in of.files
        }
    except (OSError, ValueError):  # as msgspec's are
        discard(directory)
        return None
    if deeply:
        _checked[directory] = looked
    return msgspec.structs.replace(manifest, parts=parts)


def check(path: Path, file: File, known: Stamp | None = None, deeply: bool = True) -> Stamp:
    """DamagedError where it is not as the manifest says; what was `known` is looked at no more."""
    found = path.stat()
    own = Stamp(found.st_ino, found.st_mtime_ns, file.sha256)
    is_ours = found.st_size == file.bytes
    if not is_ours or (deeply and own != known and digest_of(path) != file.sha256):
        raise DamagedError(f"{path} is cut or changed")
    return own


def digest_of(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def discard(directory: Path) -> None:
    """What is there counts no longer."""
    with contextlib.suppress(OSError):  # where nobody may write, it is of no use all the same
        (directory / MANIFEST).unlink()


def write(directory: Path, manifest: Manifest) -> None:
    """It counts once it is there."""
    parts = tuple(msgspec.structs.replace(part, root="") for part in manifest.parts)
    content = msgspec.json.encode(msgspec.structs.replace(manifest, parts=parts))
    sealed = _Sealed(hashlib.sha256(content).hexdigest(), msgspec.Raw(content))
    new = directory / f"{MANIFEST}.new"
    new.touch(0o600)
    new.write_bytes(msgspec.json.encode(sealed))
    sync(new)
    new.replace(directory / MANIFEST)
    sync(directory)


def make_directory(directory: Path) -> None:
    """That only our own account may look into."""
    directory.mkdir(_OWNER_ONLY, parents=True, exist_ok=True)


def sync(path: Path) -> None:
    """Until its content, or its names, are on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def on_disk(directory: Path) -> Iterator[str]:
    """The names of all files of parts, whoever names them."""
    return (str(path.relative_to(directory)) for path in directory.glob("*/*.parquet"))


class BuildingError(Problem):
    """503: there are no files yet, or they lack more than a question reads by itself."""

    def __init__(self) -> None:
        detail = "The server is preparing its answers. Try again in a few seconds."
        super().__init__(503, "dataset_building", "Being prepared", detail)
        self.headers["Retry-After"] = "5"


class OutrunError(BuildingError):
    """The files are of a later moment than the transaction, or gone: the next one has others."""


@dataclass(frozen=True)
class Lag:
    """What is not written down yet; None of both where nothing was ever written."""

    changes: int | None
    seconds: float | None
    """Since the oldest of these changes."""
    free_bytes: int
    """Room on the disk that they are written to."""

    def is_beyond(self, seconds: float | None) -> bool:
        """Whether it is more than an operator allows."""
        return seconds is not None and (self.seconds is None or self.seconds > seconds)


async def lag_of(connection: AsyncConnection, root: Path) -> Lag:
    """How far the data set below `root` is behind that database."""
    log = await find_log(connection)
    snapshot = snapshot_of(directory_of(root, log.log_id, log.database))
    free = _free_bytes(root)
    if snapshot is None:
        return Lag(None, None, free)
    found = await behind(connection, snapshot)
    return Lag(found.changes, found.seconds, free)


def _free_bytes(root: Path) -> int:
    existing = next(path for path in (root, *root.parents) if path.exists())
    disk = os.statvfs(existing)
    return disk.f_bavail * disk.f_frsize
