"""Segments and names on disk, beside a manifest that names them: written once, read by mapping.

Everything here can be rebuilt from PostgreSQL, so whatever is not exactly as it was written is
thrown away: files that are missing, cut or changed, of another database or another version.

    columns/<log>-<database>/manifest.json   which files, up to which snapshot
                             building.json   the same while they are made, and how far that went
                             NUMBER.names    names, and then which runs are alive
                             NUMBER.segment  arrays one after another, then where each lies
"""

from __future__ import annotations

import json
import mmap
import os
import stat
import struct
import uuid
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from macmeter.columns import name_blocks
from macmeter.columns.batch import Key
from macmeter.columns.name_blocks import NO_THINGS, Things, digest_of
from macmeter.columns.names import SETUP, Names
from macmeter.columns.owned import arranged, counted
from macmeter.columns.segment import (
    Arranged,
    Bools,
    Cells,
    Column,
    Counted,
    Kinds,
    Rows,
    Runs,
    Segment,
)
from macmeter.errors import Problem

T = TypeVar("T", Cells, Counted)

# Another one reads nothing of what is there.
FORMAT = 6
_END = struct.Struct("<Q8s")
_MAGIC = b"columns1"
_ALIGNED = 64
_OWNER_ONLY = 0o700
MANIFEST, _BUILDING = "manifest.json", "building.json"
_OF_ROWS = [one.name for one in fields(Rows) if one.name != "counted"]


class DamagedError(Problem):
    """Files are not as they were written. They have been removed and are being rebuilt."""

    def __init__(self, path: Path, why: str) -> None:
        detail = "The files that answers come from were damaged and are being rebuilt."
        super().__init__(503, "columns_building", "Being rebuilt", detail)
        self.headers["Retry-After"] = "5"
        self.log = f"{path}: {why}"


@dataclass(frozen=True)
class Written:
    """What a manifest says."""

    snapshot: str
    """Up to which everything was read."""
    names: Names
    segments: list[Segment]
    alive: list[Bools]
    files: list[str]
    after: Key | None = None
    """The last run that was read, where there are more."""
    things: Things = NO_THINGS
    """The names as they are in the file."""


@dataclass(frozen=True)
class Known:
    """What was read before, and needn't be again."""

    segments: Mapping[str, Segment] = field(default_factory=dict)
    """By the names of their files."""
    things: Things = NO_THINGS


_NOTHING = Known()


def directory_of(root: Path, log_id: uuid.UUID, database: int) -> Path:
    """Where the columns of that database are."""
    return root / f"{log_id}-{database}"


def close_to_others(root: Path) -> None:
    """Take what older versions wrote from the machine's other accounts."""
    for manifest in root.glob(f"*/{MANIFEST}"):
        directory = manifest.parent
        if stat.S_IMODE(directory.stat().st_mode) != _OWNER_ONLY:
            directory.chmod(_OWNER_ONLY)
            for file in directory.iterdir():
                file.chmod(0o600)


def stamp(directory: Path) -> tuple[int, int] | None:
    """Changes with every manifest; None without one."""
    try:
        found = (directory / MANIFEST).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def snapshot_of(directory: Path) -> str | None:
    """Up to which everything is there; None where there is nothing that can be read."""
    try:
        manifest = json.loads((directory / MANIFEST).read_bytes())
        return str(manifest["snapshot"]) if _is_ours(manifest) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read(directory: Path, known: Known = _NOTHING) -> Written | None:
    """What is there and whole; nothing where it is of another format."""
    return _read(directory, MANIFEST, known)


def read_building(directory: Path) -> Written | None:
    """What was made before whoever made it was ended."""
    return _read(directory, _BUILDING, _NOTHING)


def built_runs(directory: Path) -> int:
    """How many runs are in files so far, where they are being made."""
    try:
        manifest = json.loads((directory / _BUILDING).read_bytes())
        return sum(one["runs"] for one in manifest["segments"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _read(directory: Path, kind: str, known: Known) -> Written | None:
    path = directory / kind
    try:
        manifest = json.loads(path.read_bytes())
        if not _is_ours(manifest):
            return None
        told = manifest["names"]
        content = memoryview(_content(directory / told["file"]))
        names, things = name_blocks.unpacked(content, told["blocks"], known.things)
        length, digest = told["rest"]
        alive, after = name_blocks.opened(content[len(content) - length :], digest)
        files = [one["file"] for one in manifest["segments"]]
        segments = [
            known.segments.get(one["file"]) or _mapped(directory / one["file"], one["digest"])
            for one in manifest["segments"]
        ]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, struct.error) as error:
        discard(directory)
        raise DamagedError(path, str(error)) from error
    except DamagedError:
        discard(directory)
        raise
    return Written(manifest["snapshot"], names, segments, alive, files, after, things)


def _is_ours(manifest: Mapping[str, Any]) -> bool:
    """Whether this version wrote it, or one that writes the same."""
    return manifest["format"] == FORMAT and tuple(manifest["setup"]) == SETUP


def write(directory: Path, written: Written) -> None:
    """Make a manifest of what is in files; it counts once it is there."""
    content, blocks = name_blocks.packed(written.names)
    of_rest, rest = name_blocks.closed((written.alive, written.after))
    named = f"{uuid.uuid4().hex}.names"
    with (directory / named).open("wb") as file:
        _put(file, content + of_rest)
    manifest = {
        "format": FORMAT,
        "setup": SETUP,
        "snapshot": written.snapshot,
        "names": {"file": named, "blocks": blocks, "rest": rest},
        "segments": [
            {"file": name, "digest": _footer_digest(directory / name), "runs": len(segment.runs)}
            for name, segment in zip(written.files, written.segments, strict=True)
        ],
    }
    kind = MANIFEST if written.after is None else _BUILDING
    new = directory / f"{kind}.new"
    with new.open("wb") as file:
        _put(file, json.dumps(manifest, indent=1).encode())
    new.replace(directory / kind)
    if written.after is None:
        (directory / _BUILDING).unlink(missing_ok=True)
    _remove_others(directory, {named, *written.files})


def write_segment(directory: Path, segment: Segment, names: Names) -> str:
    """The name of its file. Arrays that are equal are written once."""
    directory.mkdir(parents=True, exist_ok=True)
    name = f"{uuid.uuid4().hex}.segment"
    places: dict[str, list[Any]] = {}
    known: dict[tuple[str, str], list[Any]] = {}
    with (directory / f"{name}.new").open("wb") as file:
        for key, array, kept in _arrays(segment, names):
            content = np.ascontiguousarray(kept).view(np.uint8).data
            of_content = (digest_of(content), kept.dtype.str)
            if of_content not in known:
                file.write(b"\0" * (-file.tell() % _ALIGNED))
                known[of_content] = [file.tell(), len(kept), zlib.crc32(content), kept.dtype.str]
                file.write(content)
            places[key] = [*known[of_content], len(array)]
        footer = json.dumps(places).encode()
        file.write(footer)
        _put(file, _END.pack(len(footer), _MAGIC))
    (directory / f"{name}.new").replace(directory / name)
    return name


def _least(array: NDArray[Any]) -> NDArray[Any]:
    """One element where all are equal, and small whole numbers in as few bytes as they need."""
    kept = array[:1] if (array == array[:1]).all() else array
    if kept.dtype == np.int32 and len(kept) and kept.min() >= 0:
        for narrow in (np.uint8, np.uint16):
            if kept.max() <= np.iinfo(narrow).max:
                return kept.astype(narrow)
    return kept


def read_segment(directory: Path, name: str) -> Segment:
    """A segment just written."""
    return _mapped(directory / name, _footer_digest(directory / name))


def discard(directory: Path) -> None:
    """What is there counts no longer."""
    for kind in (MANIFEST, _BUILDING):
        (directory / kind).unlink(missing_ok=True)


def _arrays(segment: Segment, names: Names) -> Iterator[tuple[str, NDArray[Any], NDArray[Any]]]:
    """Each with what is written of it. What was worked out is written as loops read it: who looks
    at it needs no copy.
    """
    for name, array in vars(segment.runs).items():
        yield f"runs.{name}", array, _least(array)
    of_runs = arranged(segment, names)
    worked_out = {"latest": of_runs.latest, "drive": of_runs.drive, **of_runs.kinds._asdict()}
    for name, array in worked_out.items():
        yield f"runs.arranged.{name}", array, array
    for number in segment.columns:
        column = segment.columns[number]
        for kind, rows in (("clean", column.clean), ("aside", column.aside)):
            for name in _OF_ROWS:
                array = getattr(rows, name)
                yield f"{number}.{kind}.{name}", array, _least(array)
        if column.cells is not None:
            for name, array in vars(column.cells).items():
                yield f"{number}.cells.{name}", array, _least(array)
            found = counted(segment, column.clean, of_runs.drive)
            for name, array in vars(found).items():
                yield f"{number}.counted.{name}", array, array


def _mapped(path: Path, digest: str) -> Segment:
    """A segment whose arrays stay on disk until they are looked at, and are checked then."""
    content = _content(path)
    if (size := len(content)) < _END.size:
        raise DamagedError(path, "is cut")
    length, magic = _END.unpack(content[-_END.size :])
    footer = content[max(size - _END.size - length, 0) : size - _END.size]
    if magic != _MAGIC or digest_of(footer) != digest:
        raise DamagedError(path, "is cut or changed")
    file_of = _Arrays(path, content, json.loads(footer))
    runs = Runs(**{one.name: file_of[f"runs.{one.name}"] for one in fields(Runs)})
    kinds = Kinds(*(file_of[f"runs.arranged.{name}"] for name in Kinds._fields))
    found = Arranged(file_of["runs.arranged.latest"], file_of["runs.arranged.drive"], kinds)
    return Segment(runs, _Columns(file_of), found)


def _content(path: Path) -> mmap.mmap | bytes:
    """As it is on disk, without a copy in memory."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""


class _Arrays:
    """The arrays of one file by their names."""

    def __init__(self, path: Path, content: Any, places: dict[str, list[Any]]) -> None:
        self._path, self._content, self.places = path, content, places
        self._checked: dict[tuple[Any, ...], NDArray[Any]] = {}

    def __getitem__(self, key: str) -> NDArray[Any]:
        """The same array for all names under which it was written once."""
        place = tuple(self.places[key])
        if place not in self._checked:
            self._checked[place] = self._look(key)
        return self._checked[place]

    def _look(self, key: str) -> NDArray[Any]:
        start, length, checksum, dtype, count = self.places[key]
        kind = np.dtype(dtype)
        # Each process looks at a hundred megabytes for its first questions: a checksum takes a
        # tenth of the time of a digest, and finds what changed by itself as surely.
        size = length * kind.itemsize
        if zlib.crc32(memoryview(self._content)[start : start + size]) != checksum:
            discard(self._path.parent)
            raise DamagedError(self._path, f"{key} has changed")
        array = np.frombuffer(self._content, kind, length, start)
        # Of one that is everywhere the same, one element was written.
        return array if length == count else np.broadcast_to(array, (count,))


class _Columns(Mapping[int, Column]):
    """A file's columns, each read when it is asked for."""

    def __init__(self, arrays: _Arrays) -> None:
        self._arrays = arrays
        self._numbers = sorted(
            {int(key.split(".")[0]) for key in arrays.places if not key.startswith("runs.")}
        )
        self._known: dict[int, Column] = {}

    def __getitem__(self, number: int) -> Column:
        if number not in self._known:
            if f"{number}.clean.run" not in self._arrays.places:
                raise KeyError(number)
            self._known[number] = Column(
                self._rows(number, "clean", self._counted(Counted, number, "counted")),
                self._rows(number, "aside"),
                self._counted(Cells, number, "cells"),
            )
        return self._known[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _counted(self, kind: type[T], number: int, name: str) -> T | None:
        """What was counted of clean rows, where there are many."""
        names = [one.name for one in fields(kind)]
        if f"{number}.{name}.{names[0]}" not in self._arrays.places:
            return None
        return kind(**{own: self._arrays[f"{number}.{name}.{own}"] for own in names})

    def _rows(self, number: int, kind: str, counted: Counted | None = None) -> Rows:
        arrays = {name: self._arrays[f"{number}.{kind}.{name}"] for name in _OF_ROWS}
        return Rows(**arrays, counted=counted)


def _put(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _footer_digest(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(-_END.size, os.SEEK_END)
        length, _ = _END.unpack(file.read())
        file.seek(-_END.size - length, os.SEEK_END)
        return digest_of(file.read(length))


def _remove_others(directory: Path, kept: set[str]) -> None:
    """All files but these. Whoever has mapped a file keeps it."""
    for path in directory.iterdir():
        if path.name not in kept and path.suffix in (".names", ".segment", ".new"):
            path.unlink(missing_ok=True)
