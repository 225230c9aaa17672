"""What is counted once of a column, by owner and by setup, and serves all questions after."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import Ints, Names
from macmeter.columns.segment import (
    Arranged,
    Bools,
    Counted,
    Floats,
    Rows,
    Segment,
    Small,
    begins,
)
from macmeter.compiled.loops import Owners, small
from macmeter.stats.summary import medians_of

_NONE = np.zeros(0, dtype=np.int64)
_NOT_STATED = 0
_BEYOND = np.int32(np.iinfo(np.int32).max)


@dataclass(frozen=True, eq=False)
class Drives:
    """Of stretches of rows the least and the greatest code of a drive: `Names.device_ids`.

    What is not stated is neither this drive nor another one.
    """

    least: Small
    greatest: Small

    def only(self, cells: slice | NDArray[np.generic]) -> Drives:
        return Drives(self.least[cells], self.greatest[cells])

    @classmethod
    def of(cls, codes: Small | None, starts: Ints) -> Drives:
        """Of stretches that begin at `starts`; no drive is known where there are no codes."""
        if codes is None or not len(starts):
            nothing = np.zeros(len(starts), dtype=np.int32)
            return cls(nothing + _BEYOND, nothing)
        stated = np.where(codes == _NOT_STATED, _BEYOND, codes)
        return cls(np.minimum.reduceat(stated, starts), np.maximum.reduceat(codes, starts))


@dataclass(frozen=True, eq=False)
class Owned:
    """The rows of a column by owner, ascending: M owners."""

    owners: Owners
    medians: Floats
    drives: Drives


@dataclass(frozen=True, eq=False)
class Tally:
    """The rows of a column by setup and flags."""

    setup: Ints
    flags: Ints
    rows: Ints
    samples: Ints


def _shared(segment: Segment, array: NDArray[Any]) -> NDArray[Any]:
    """The same, kept once where several columns have it: most are of the same runs."""
    content = hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).digest()
    found: NDArray[Any] = segment.counted.of((array.dtype.str, content), lambda: array)
    return found


def owned(segment: Segment, rows: Rows, names: Names) -> Owned:
    """Of rows of this segment."""
    if (known := rows.counted) is not None:
        drives = Drives(known.least, known.greatest)
        return Owned(Owners(known.owner, known.starts), known.medians, drives)

    def find() -> Owned:
        share = partial(_shared, segment)
        found = _count_owned(segment, rows, drives_of(segment, names))
        both = Drives(share(found.drives.least), share(found.drives.greatest))
        return Owned(Owners(*map(share, found.owners)), found.medians, both)

    found: Owned = segment.counted.of(("owned", id(rows)), find)
    return found


def tallied(segment: Segment, rows: Rows) -> Tally:
    """Of rows of this segment."""
    if (known := rows.counted) is not None:
        return Tally(known.setup, known.flags, known.rows, known.samples)

    def find() -> Tally:
        found = _count_tally(segment, rows)
        return Tally(*(_shared(segment, getattr(found, one.name)) for one in fields(Tally)))

    found: Tally = segment.counted.of(("tallied", id(rows)), find)
    return found


def bits_of(segment: Segment, rows: Rows) -> NDArray[np.uint8]:
    """A bit for each run of this segment that has a row: columns of the same runs share them."""
    if rows.counted is not None:
        return rows.counted.runs
    found: NDArray[np.uint8] = segment.counted.of(
        ("runs", id(rows)), lambda: _shared(segment, _count_runs(segment, rows))
    )
    return found


def counted(segment: Segment, rows: Rows, drives: Small) -> Counted:
    """All of it, to be written down; `drives` are by run: see `Arranged`."""
    own = _count_owned(segment, rows, drives)
    tally = _count_tally(segment, rows)
    return Counted(
        owner=own.owners.numbers,
        starts=small(own.owners.starts),
        medians=own.medians,
        least=own.drives.least,
        greatest=own.drives.greatest,
        setup=tally.setup,
        flags=tally.flags,
        rows=tally.rows,
        samples=tally.samples,
        runs=_count_runs(segment, rows),
    )


def _count_owned(segment: Segment, rows: Rows, codes: Small | None) -> Owned:
    owner = segment.runs.owner.take(rows.run)
    starts = begins(owner)
    medians = medians_of(rows.values, None, starts, np.diff(starts, append=len(owner)))
    drives = Drives.of(None if codes is None else codes.take(rows.run), starts)
    ends = np.append(starts, len(owner)).astype(np.int32)
    return Owned(Owners(small(owner[starts]), ends), medians, drives)


def _count_tally(segment: Segment, rows: Rows) -> Tally:
    width = int(rows.flags.max(initial=0)) + 1
    number = segment.runs.setup.take(rows.run).astype(np.int64) * width + rows.flags
    counted = np.bincount(number)
    present = np.flatnonzero(counted)
    samples = counted * (rows.count or 0)
    if rows.count is None:
        samples = np.bincount(number, weights=rows.counts).astype(np.int64)
    arrays = (present // width, present % width, counted[present])
    setup, flags, counts = (array.astype(np.int32) for array in arrays)
    return Tally(setup, flags, counts, samples[present])


def _count_runs(segment: Segment, rows: Rows) -> NDArray[np.uint8]:
    having = np.zeros(len(segment.runs), dtype=bool)
    having[rows.run] = True
    return np.packbits(having)


def runs_of(segment: Segment, rows: Rows) -> Bools:
    """By run of this segment, whether it has a row."""
    return np.unpackbits(bits_of(segment, rows), count=len(segment.runs)).view(bool)


def published_rows(segment: Segment, rows: Rows, names: Names) -> Ints:
    """The places of rows of runs that are in articles, ascending."""

    def find() -> Ints:
        runs: Ints = segment.counted.of(("published",), lambda: _published_runs(segment, names))
        owners = owned(segment, rows, names).owners
        at = np.flatnonzero(np.isin(owners.numbers, segment.runs.owner.take(runs)))
        listed = [np.arange(*owners.starts[one : one + 2]) for one in at.tolist()]
        places: Ints = np.concatenate([_NONE, *listed])
        return places.compress(np.isin(rows.run.take(places), runs))

    found: Ints = segment.counted.of(("published", id(rows)), find)
    return found


def _published_runs(segment: Segment, names: Names) -> Ints:
    codes, sources = names.setup_values("source")
    of_articles = np.array([source == "published" for source in sources], dtype=bool)[codes]
    return np.flatnonzero(of_articles.take(segment.runs.setup))


def drives_of(segment: Segment, names: Names) -> Small | None:
    """By run the code of its drive; None where no two are known."""
    if len(names.devices) < 2:
        return None
    if segment.arranged is not None:
        return segment.arranged.drive
    found: Small = segment.coded.of("drives", lambda: _codes_of_drives(segment, names))
    return found


def _codes_of_drives(segment: Segment, names: Names) -> Small:
    return names.device_ids().astype(np.int32).take(segment.runs.device)


def arranged(segment: Segment, names: Names) -> Arranged:
    """All that its runs are found to be, to be written down."""
    return Arranged(segment.latest, _codes_of_drives(segment, names), segment.kinds)
