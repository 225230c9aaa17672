"""What the loops in C do, on arrays: typed, checked, and with the results made here.

A run's label is a whole number; that of one that is not chosen is `beyond`, and all others are
below it. An owner whose runs have several labels has the label `beyond + 1`. The columns' rows name
their runs, lie by owner, and ascend by value within each.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from ctypes import byref
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.compiled import beside, declared
from macmeter.compiled.declared import address, compiled

Labels = NDArray[np.unsignedinteger]
Small = NDArray[np.int32]
Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# With fewer elements numpy gathers or sorts them before a loop is called.
_FEW = 2_048
ID_BYTES = 16
NOWHERE = np.iinfo(np.int64).min
"""In place of where a table begins: there is none."""


def small(numbers: NDArray[Any]) -> Small:
    """Whole numbers as the loops read them; they may lie in fewer bytes."""
    return np.ascontiguousarray(numbers, dtype=np.int32)


def gather(array: NDArray[Any], at: NDArray[Any]) -> NDArray[Any]:
    """`array.take(at)`, of places that are there."""
    if len(at) < _FEW or not array.flags.c_contiguous:
        return array.take(at)  # also of what is kept once for all
    at = at if at.dtype == np.int64 else small(at)
    found = np.empty(len(at), dtype=array.dtype)
    wide = int(at.dtype == np.int64)
    compiled.gather(address(array), array.itemsize, address(at), wide, len(at), address(found))
    return found


class Owners(NamedTuple):
    """M owners of runs or rows."""

    numbers: Small
    """Ascending."""
    starts: NDArray[np.signedinteger]
    """Where each one's begin, and where the last end: M + 1."""


def label_runs(
    coded: tuple[Labels, NDArray[np.uint32]] | None, mask: Bools | None, beyond: int, owners: Owners
) -> tuple[Labels, Labels]:
    """By run its label, and by number of an owner that of all its runs.

    `coded` are by run a code, and by code the label; without them all have the label 0. `mask` says
    of which runs that holds.
    """
    kind = np.min_scalar_type(beyond + 1)
    runs = int(owners.starts[-1])
    labels = np.empty(runs, dtype=kind)
    of_owners = np.full(int(owners.numbers.max(initial=-1)) + 1, beyond, dtype=kind)
    codes = numbers = None
    width = 1
    if coded is not None:
        width = coded[0].itemsize
        codes, numbers = address(coded[0]), address(coded[1], np.uint32)
    compiled.label_runs(
        *(width, labels.itemsize, codes, numbers),
        *(None if mask is None else address(mask, np.bool_), beyond),
        *(address(owners.numbers, np.int32), address(owners.starts, np.int64), len(owners.numbers)),
        *(address(labels), address(of_owners)),
    )
    return labels, of_owners


def count_rows(labels: Labels, run: Small, beyond: int) -> Ints:
    """How many rows there are of each label."""
    tables = np.zeros((4, beyond + 1), dtype=np.int64)
    own = (labels.itemsize, address(labels), address(run, np.int32), len(run))
    compiled.count_rows(*own, beyond + 1, address(tables))
    found: Ints = tables.sum(axis=0)[:beyond]
    return found


class Some(NamedTuple):
    """Rows with the labels of their runs: those at some places, or all."""

    labels: Labels
    run: Small
    places: Ints | None

    def given(self) -> tuple[int | None, ...]:
        """As C takes it."""
        return (
            *(self.labels.itemsize, address(self.labels), address(self.run, np.int32)),
            None if self.places is None else address(self.places, np.int64),
            len(self.run) if self.places is None else len(self.places),
        )


def count_codes(some: Some, codes: Ints, table: NDArray[np.int64]) -> None:
    """Adds how many of these rows of each label have each code, which are by row, to the table: a
    line for each label, also beyond.
    """
    compiled.count_codes(*some.given(), *_coded(codes), table.shape[1], address(table, np.int64))


def mark_codes(some: Some, codes: Ints, table: NDArray[np.uint8]) -> None:
    """Marks in the table which codes, by run, any row of each label has: a line for each label,
    also beyond.
    """
    compiled.mark_codes(*some.given(), *_coded(codes), table.shape[1], address(table, np.uint8))


def _coded(codes: Ints) -> tuple[int, int]:
    if codes.itemsize > 4:
        raise TypeError(f"codes of {codes.itemsize} bytes, where at most 4 are read")
    return codes.itemsize, address(codes)


def sum_counts(some: Some, counts: NDArray[np.uint16], sums: NDArray[np.int64]) -> None:
    """Adds to the sum of each label, also beyond, what its rows count."""
    compiled.sum_counts(*some.given(), address(counts, np.uint16), address(sums, np.int64))


def order_rows(labels: Labels, run: Small, sizes: Ints) -> tuple[Small, Ints]:
    """The places of rows by label, and else as they lie; and where each one's begin, and the last
    end. `sizes` are those of the labels.
    """
    ends = np.append(0, np.cumsum(sizes))
    found = np.empty(len(run), dtype=np.int32)
    following = ends.copy()
    width = labels.itemsize
    compiled.order_rows(
        width, address(labels), address(run, np.int32), len(run), address(following), address(found)
    )
    return found[: ends[-1]], ends


def first_runs(labels: Labels, runs: Small, having: NDArray[np.uint8], sizes: Ints) -> Small:
    """Of each label so many runs, one label after another: the first in the order of `runs` of
    those that `having` has a bit for. There must be as many.
    """
    ends = np.cumsum(sizes, dtype=np.int64)
    following = ends - sizes
    found = np.empty(int(ends[-1]), dtype=np.int32)
    own = (labels.itemsize, address(labels), address(runs, np.int32), address(having, np.uint8))
    room = (len(found), len(runs), address(following, np.int64), address(ends, np.int64))
    compiled.first_runs(*own, len(sizes), *room, address(found))
    if (following != ends).any():
        raise ValueError("there are fewer runs than are wanted")
    return found


def find_ids(ids: NDArray[Any], by_id: Small, wanted: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each wanted id; -1 of those that are not there. Ids have 16 bytes, and ascend in
    the order `by_id`.
    """
    if ids.itemsize != ID_BYTES or wanted.itemsize != ID_BYTES:
        raise TypeError(f"ids of {ids.itemsize} and {wanted.itemsize} bytes")
    found = np.empty(len(wanted), dtype=np.int64)
    known = (address(ids), address(by_id, np.int32), len(by_id))
    compiled.find_ids(*known, address(wanted), len(wanted), address(found))
    return found


def count_chosen(mask: Bools, starts: Ints) -> Small:
    """How many runs of each stretch are in `mask`; stretches begin at `starts`."""
    ends = np.append(starts, len(mask))
    found = np.empty(len(starts), dtype=np.int32)
    compiled.count_chosen(
        address(mask, np.bool_), address(ends, np.int64), len(starts), address(found)
    )
    return found


def mark_machines(
    codes: Small, owners: Small, mask: Bools | None, runs: Ints, machines: NDArray[np.uint8]
) -> None:
    """Counts in `runs` how many of these runs have each code, and marks in its row of `machines`
    those that are named. Of `mask` alone, where it is given.
    """
    compiled.mark_machines(
        *(address(codes, np.int32), address(owners, np.int32)),
        *(None if mask is None else address(mask, np.bool_), len(codes), machines.shape[1]),
        *(address(runs, np.int64), address(machines, np.uint8)),
    )


def add_counts(
    table: Ints, bases: Ints, starts: Ints, steps: NDArray[np.int16], counts: Ints
) -> None:
    """Adds to the table how often each step occurs, stretch by stretch; `starts` say where each one
    begins, and where the last ends. A stretch's step s is counted at its base + s. Counts may lie
    in fewer bytes.
    """
    width, counted = _coded(counts)
    compiled.add_counts(
        *(width, address(bases, np.int64), address(starts, np.int64), len(bases)),
        *(address(steps, np.int16), counted, address(table, np.int64)),
    )


class Sampled(NamedTuple):
    """The samples of a column's rows, as steps."""

    starts: Ints | int
    """Where each row's begin, and where the last end; or how many each has."""
    steps: NDArray[np.int16]


def add_samples(table: Ints, bases: Ints, some: Some, sampled: Sampled) -> None:
    """Adds to the table the samples of these rows; `bases` are by label."""
    starts = None if isinstance(sampled.starts, int) else address(sampled.starts, np.int64)
    each = sampled.starts if isinstance(sampled.starts, int) else 0
    compiled.add_samples(
        *some.given(),
        *(address(bases, np.int64), starts, each),
        *(address(sampled.steps, np.int16), address(table, np.int64)),
    )


class Spreads(NamedTuple):
    """Of G groups of samples how many there are, their 10th and 90th percentile, and deviation: 0
    of fewer than two.
    """

    samples: NDArray[np.int64]
    low: Floats
    high: Floats
    deviation: Floats


def spread_counts(counts: NDArray[np.int64], values: Floats) -> Spreads:
    """Of groups that have so many samples of each value, which ascend: a line of `counts` each."""
    groups, width = counts.shape
    found = np.empty(groups, dtype=declared.SPREAD)
    own = (address(counts, np.int64), groups, width, address(values, np.float64))
    compiled.spread_counts(*own, address(found))
    return Spreads(
        found["samples"].astype(np.int64), found["low"], found["high"], found["deviation"]
    )


def sort_values(values: Floats) -> None:
    """In place. Of the two zeros none is the lesser."""
    if len(values) < _FEW:
        values.sort()
        return
    values += 0.0
    spare = np.empty_like(values)
    compiled.sort_values(address(values, np.float64), address(spare), len(values))


def sort_stretches(values: Floats, ends: Sequence[int]) -> None:
    """In place, each between two ends."""
    stretches = [*itertools.pairwise(ends)]
    middle = bisect.bisect(ends, len(values) // 2)

    def sort(stretches: Sequence[tuple[int, int]]) -> None:
        for start, end in stretches:
            sort_values(values[start:end])

    halves = (stretches[:middle], stretches[middle:])
    beside.at_once([partial(sort, half) for half in halves], len(values))


def sort_pairs(values: Floats, numbers: Small) -> tuple[Floats, Small]:
    """Both by value and, where values are equal, by number. Numbers are 0 or more."""
    # Of the two zeros none is the lesser.
    pairs = [(values + 0.0, numbers.copy()), (np.empty(len(values)), np.empty_like(numbers))]
    given = [
        declared.Pairs(address(own, np.float64), address(of_own, np.int32)) for own, of_own in pairs
    ]
    found: tuple[Floats, Small] = pairs[compiled.sort_pairs(*map(byref, given), len(values))]
    return found


class Tails:
    """The chance of a normal value beyond so many deviations, which are evenly spaced."""

    def __init__(self, deviations: Floats, chances: Floats) -> None:
        self._kept = (deviations, chances)
        own = (address(deviations, np.float64), address(chances, np.float64))
        self.given = declared.Tails(*own, len(deviations), float(deviations[1] - deviations[0]))


FEWEST_PARTS = 9
"""The parts of a sum whose chance is computed here: with fewer, all of them are the largest."""


def chance_of_surplus(sizes: NDArray[np.int64], counts: NDArray[np.int64], tails: Tails) -> float:
    """How often the sum of `sizes - 2 * counts` is as great as it is, were each sign chance.

    The eight largest parts have every sign that they can; the others are taken together as normal.
    """
    if len(sizes) < FEWEST_PARTS:
        raise ValueError(f"{len(sizes)} parts, where at least {FEWEST_PARTS} are read")
    own = (address(sizes, np.int64), address(counts, np.int64), len(sizes))
    found: float = compiled.chance_of_surplus(*own, byref(tails.given))
    return found
