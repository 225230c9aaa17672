"""A segment: so many runs and their results as arrays, made once and never changed.

Runs are ordered by owner, and the rows of each series by owner and value: the median of a machine
is in the middle of its rows, and grouping them by anything only takes them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import Ints
from macmeter.columns.recent import Recent
from macmeter.compiled.loops import Owners, count_chosen, find_ids, small

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Small = NDArray[np.int32]

RUN_ID = np.dtype("V16")
# What one question asks for again and again, and the next one probably, too.
_CHOSEN = 16
_CODED = 14
_COUNTED = 160


@dataclass(frozen=True)
class Counted:
    """What rows are found to have, whatever is asked: M owners, K pairs of a setup and flags."""

    owner: Small
    """Ascending."""
    starts: Small
    """Where the rows of each owner begin, and where the last end: M + 1."""
    medians: Floats
    least: Small
    """Of each owner the least code of a drive that is stated, else beyond all; and the greatest."""
    greatest: Small
    setup: Ints
    flags: Ints
    rows: Ints
    """With that setup and those flags; and how many samples they have."""
    samples: Ints
    runs: NDArray[np.uint8]
    """A bit for each run of the segment: whether it has a row."""


@dataclass(frozen=True)
class Rows:
    """Results of one series, ordered by owner and value: R rows."""

    run: Small
    """Their runs' places in the segment."""
    values: Floats
    flags: Small
    counts: NDArray[np.uint16]
    samples: NDArray[np.int16]
    """Of all rows, one after another, `counts` of each; in steps of their logarithm."""
    counted: Counted | None = None
    """Where that was written down with them."""

    def __len__(self) -> int:
        return len(self.run)

    @property
    def count(self) -> int | None:
        """How many samples each row has, where all have as many."""
        if not len(self):
            return 0
        if self.counts.strides == (0,):
            return int(self.counts[0])
        return None

    @cached_property
    def starts(self) -> Ints:
        """Where each row's samples begin, and where the last end."""
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    def samples_of(self, rows: NDArray[Any]) -> NDArray[np.int16]:
        """All samples of these rows, one row after another."""
        found: NDArray[np.int16]
        if (count := self.count) is not None:
            found = self.samples.reshape(len(self), count)[rows].ravel()
        else:
            found = self.samples[expand(self.starts[rows], self.counts[rows])]
        return found


@dataclass(frozen=True)
class Cells:
    """A series' clean rows by setup, of which there are K; and how often each step occurs among
    their samples, where that was counted.
    """

    setup: Small
    """Ascending."""
    rows: Small
    starts: NDArray[np.int64]
    """Where the steps of each setup begin, and where the last end: K + 1."""
    steps: NDArray[np.int16]
    """Ascending in each setup."""
    counts: Small


@dataclass(frozen=True)
class Column:
    """One series: what answers count, and apart what is doubted or withdrawn."""

    clean: Rows
    aside: Rows
    cells: Cells | None = None
    """Of the clean rows, where there are many."""


@dataclass(frozen=True)
class Runs:
    """The segment's runs, ordered by owner and setup: N of each."""

    owner: Small
    """Two for each machine, see `owner_of`."""
    setup: Small
    month: Small
    device: Small
    host: Small
    flags: Small
    withdrawn: Bools
    run_id: NDArray[Any]
    by_id: Small
    """Their places in the order of their ids."""
    received: NDArray[np.int64]
    """Microseconds since 1970."""

    def __len__(self) -> int:
        return len(self.setup)

    @property
    def machine(self) -> Small:
        return self.owner >> 1


def owner_of(machine: int, unspecified: bool) -> int:
    """What is unspecified is a machine of its own, even where other runs name the same."""
    return 2 * machine + unspecified


class Kinds(NamedTuple):
    """The runs of one owner with one setup, which lie together: L kinds of runs."""

    owner: Small
    setup: Small
    starts: Ints
    """Where each one's begin among the segment's."""

    def counts(self, mask: Bools | None, runs: int) -> Ints:
        """How many of each there are among those of `mask`; None for all of so many runs."""
        if mask is None:
            return np.diff(self.starts, append=runs)
        return count_chosen(mask, self.starts)


@dataclass(frozen=True)
class Arranged:
    """What a segment's runs are found to be, whatever is asked."""

    latest: Small
    """Their places, those that were received last first."""
    drive: Small
    """By run the code of its drive: see `Names.device_ids`."""
    kinds: Kinds


@dataclass(frozen=True, eq=False)
class Segment:
    runs: Runs
    columns: Mapping[int, Column]
    """By the series' number."""
    arranged: Arranged | None = None
    """Where that was written down with them."""
    chosen: Recent = field(default_factory=lambda: Recent(_CHOSEN))
    """Which runs match filters: a bit a run each."""
    coded: Recent = field(default_factory=lambda: Recent(_CODED))
    """By run its number under some dimensions: a byte or two each."""
    counted: Recent = field(default_factory=lambda: Recent(_COUNTED))
    """Of columns what does not depend on a question: some bytes an owner or setup."""

    @cached_property
    def setups(self) -> Ints:
        """Those of its runs, ascending."""
        return np.flatnonzero(np.bincount(self.runs.setup))

    @cached_property
    def setup_examples(self) -> Small:
        """For each of `setups`, one of its runs."""
        found = np.zeros(int(self.setups.max(initial=-1)) + 1, dtype=np.int32)
        found[self.runs.setup] = np.arange(len(self.runs))
        return found[self.setups]

    @cached_property
    def latest(self) -> Small:
        """The places of its runs, those that were received last first."""
        if self.arranged is not None:
            return self.arranged.latest
        return np.argsort(self.runs.received, kind="stable")[::-1].astype(np.int32)

    @cached_property
    def kinds(self) -> Kinds:
        if self.arranged is not None:
            return self.arranged.kinds
        owner, setup = self.runs.owner, self.runs.setup
        starts = begins(owner, setup)
        return Kinds(small(owner[starts]), small(setup[starts]), starts)

    @cached_property
    def owners(self) -> Owners:
        """The owners of its runs."""
        starts = begins(self.runs.owner)
        return Owners(small(self.runs.owner[starts]), np.append(starts, len(self.runs)))

    @cached_property
    def machines(self) -> tuple[Ints, Small]:
        """The machines of its runs, ascending, and where each one's begin."""
        machine = self.runs.machine
        starts = begins(machine)
        return machine[starts].astype(np.int64), starts.astype(np.int32)

    def places(self, run_ids: NDArray[Any]) -> Ints:
        """The place of each of these runs; -1 of those that are not here."""
        known = np.ascontiguousarray(self.runs.run_id)
        return find_ids(known, small(self.runs.by_id), np.ascontiguousarray(run_ids))


def order_of(run_ids: NDArray[Any]) -> Small:
    """The places of runs in the order of their ids."""
    # As PostgreSQL orders them: by their first byte first.
    halves = np.ascontiguousarray(run_ids).view(">u8").reshape(-1, 2)
    return np.lexsort((halves[:, 1], halves[:, 0])).astype(np.int32)


def begins(*arrays: NDArray[Any], ends: Ints | None = None) -> Ints:
    """Where each stretch begins that is the same in all of these arrays; none goes past `ends`."""
    new = np.ones(len(arrays[0]), dtype=bool)
    new[1:] = arrays[0][1:] != arrays[0][:-1]
    for array in arrays[1:]:
        new[1:] |= array[1:] != array[:-1]
    if ends is not None:
        new[ends[ends < len(new)]] = True
    return np.flatnonzero(new)


def expand(starts: Ints, counts: NDArray[Any]) -> Ints:
    """The numbers from each start on, `counts` of each, one after another."""
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    found: Ints = np.arange(total) + np.repeat(starts - ends + counts, counts)
    return found


def compact(array: NDArray[Any]) -> NDArray[Any]:
    """`array`, of which one element is kept where all are equal."""
    if len(array) > 1 and array.strides != (0,) and (array == array[0]).all():
        return np.broadcast_to(array[:1].copy(), array.shape).reshape(array.shape)
    return array
