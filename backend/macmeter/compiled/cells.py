"""Cells: the rows of one owner with one label, and what is known of each.

Owners with many rows are halved, and two threads look at half of them each: the loops hold no lock.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from ctypes import byref
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.compiled import beside, declared
from macmeter.compiled.declared import address, compiled
from macmeter.compiled.loops import Floats, Ints, Labels, Owners, Small


class Part(NamedTuple):
    """R rows by owner with the labels of their runs, and what is known of all rows of each owner.

    Labels are those of `label_runs`.
    """

    owners: Owners
    run: Small
    values: Floats
    drives: Small | None
    """By run the code of its drive; None where none is known."""
    medians: Floats
    least: Small
    greatest: Small
    labels: Labels
    of_owners: Labels

    @property
    def rows(self) -> int:
        """How many these owners have."""
        return int(self.owners.starts[-1]) - int(self.owners.starts[0])

    def of_owners_between(self, first: int, last: int | None) -> Part:
        """The same of those owners that lie there among all."""
        own = slice(first, len(self.owners.numbers) if last is None else last)
        of_owners = {name: getattr(self, name)[own] for name in ("medians", "least", "greatest")}
        starts = self.owners.starts[own.start : own.stop + 1]
        return self._replace(owners=Owners(self.owners.numbers[own], starts), **of_owners)

    def given(self) -> declared.Part:
        """As C takes it."""
        return declared.Part(
            len(self.owners.numbers),
            address(self.owners.numbers, np.int32),
            address(self.owners.starts, np.int32),
            address(self.run, np.int32),
            address(self.values, np.float64),
            None if self.drives is None else address(self.drives, np.int32),
            address(self.medians, np.float64),
            address(self.least, np.int32),
            address(self.greatest, np.int32),
            address(self.labels),
            address(self.of_owners, self.labels.dtype.type),
        )


class Cells(NamedTuple):
    """The rows of one owner with one label: C of them, by label and owner."""

    ends: Ints
    """Where those of each label begin, and where the last end."""
    medians: Floats
    owner: Small
    sizes: Small
    """Rows of each."""
    least: Small
    """The least code of a drive that is stated; else beyond all."""
    greatest: Small
    order: Small
    """The places of all of them by owner, and their labels and owners in that order."""
    labels: NDArray[np.uint32]
    by_owner: Small

    def given(self) -> declared.Cells:
        """As C takes them."""
        return declared.Cells(
            address(self.medians, np.float64),
            *(address(array, np.int32) for array in self[2:-2]),
            address(self.labels, np.uint32),
        )


def cells_of(parts: Sequence[Part], beyond: int, like: Cells | None = None) -> Cells:
    """Of all rows whose label is below `beyond`: those of one cell may be in several parts.

    `like` are the cells of the same runs in other rows: only medians differ.
    """
    if like is not None:
        return like._replace(medians=_medians_of(parts, beyond, like))
    works = [partial(_collected, half, beyond) for half in _halves(parts)]
    collected = beside.at_once(works, _most_rows(parts))
    ends = np.append(0, np.cumsum(sum(of.counts for of in collected)))
    owners = [of.by_owner.owner[: int(of.counts.sum())] for of in collected]
    found = _room(int(ends[-1]))._replace(ends=ends, by_owner=np.concatenate(owners))
    beside.at_once([*_arranging(collected, found)], int(ends[-1]))
    return found


def _arranging(collected: Sequence[_Collected], found: Cells) -> Iterator[Callable[[], None]]:
    """Puts the cells of each half in their places, which are those after the first half's."""
    following, first = found.ends[:-1], 0
    for by_owner, counts in collected:
        cells = int(counts.sum())
        own = found._replace(order=found.order[first:], labels=found.labels[first:])
        yield _Arranging(by_owner, cells, following.copy(), own)
        following = following + counts
        first += cells


class _Arranging:
    """Puts so many cells, which lie by owner, in their places."""

    def __init__(self, by_owner: Cells, cells: int, following: Ints, found: Cells) -> None:
        given = (byref(by_owner.given()), cells, address(following), byref(found.given()))
        self._given, self._kept = given, (by_owner, following, found)

    def __call__(self) -> None:
        compiled.arrange_cells(*self._given)


class _Collected(NamedTuple):
    """Cells as they lie by owner, and how many there are of each label."""

    by_owner: Cells
    counts: Ints


def _collected(parts: Sequence[Part], beyond: int) -> _Collected:
    work = _Work(parts, beyond)
    counts = np.zeros(beyond + 1, dtype=np.int64)
    # Room for as many as there may be, of which the system gives what is written to.
    owners = sum(len(part.owners.numbers) for part in parts)
    by_owner = _room(min(sum(part.rows for part in parts), owners * beyond))
    compiled.collect_cells(*work.given, address(counts), byref(by_owner.given()))
    return _Collected(by_owner, counts[:beyond])


def _room(count: int) -> Cells:
    """For so many cells, of which nothing is known."""
    owner, sizes, least, greatest, order = (np.empty(count, dtype=np.int32) for _ in range(5))
    labels, nowhere = np.empty(count, dtype=np.uint32), np.zeros(1, dtype=np.int64)
    return Cells(nowhere, np.empty(count), owner, sizes, least, greatest, order, labels, owner)


def begin_medians(parts: Sequence[Part], beyond: int, like: Cells) -> Future[Cells]:
    """`cells_of` of cells that are known, in a thread: for whoever wants them later."""
    found = np.empty(len(like.medians))
    find = _Medians(parts, beyond, like, found)

    def work() -> Cells:
        find()
        return like._replace(medians=found)

    return beside.begin_many(work, _most_rows(parts))


def _medians_of(parts: Sequence[Part], beyond: int, cells: Cells) -> Floats:
    """By cell, in these rows."""
    found = np.empty(len(cells.medians))
    halves = _halves(parts)
    # Cells lie by owner as halves do: those of the first one before those of the second.
    last = [max(map(_last_owner, half)) for half in halves]
    ends = [0, *(np.searchsorted(cells.by_owner, last, side="right").tolist())]
    own = [
        cells._replace(order=cells.order[first:end], labels=cells.labels[first:end])
        for first, end in itertools.pairwise(ends)
    ]
    halved = zip(halves, own, strict=True)
    works = [_Medians(half, beyond, known, found) for half, known in halved]
    beside.at_once(works, _most_rows(parts))
    return found


def _most_rows(parts: Sequence[Part]) -> int:
    return max(part.rows for part in parts)


def _last_owner(part: Part) -> int:
    numbers = part.owners.numbers
    return int(numbers[-1]) if len(numbers) else -1


class _Medians:
    """Finds those of known cells in other rows; all that Python does is done before."""

    def __init__(self, parts: Sequence[Part], beyond: int, known: Cells, found: Floats) -> None:
        work = _Work([part._replace(drives=None) for part in parts], beyond)
        middles = np.empty(beyond + 1, dtype=declared.MIDDLE)
        cells = known.given()
        self._given = (*work.given, byref(cells), len(known.order), address(middles))
        self._found = address(found)
        self._kept = (work, middles, known, found)

    def __call__(self) -> None:
        compiled.find_medians(*self._given, self._found)


def _halves(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """The same by owners: about as many rows in each, or all of them together if they are few."""
    largest = max(parts, key=lambda part: part.rows)
    if not beside.pays(largest.rows):
        return [parts]
    starts = largest.owners.starts
    middle = int(np.searchsorted(starts, (int(starts[0]) + int(starts[-1])) // 2))
    owner = largest.owners.numbers[min(middle, len(starts) - 2)]
    at = [int(np.searchsorted(part.owners.numbers, owner)) for part in parts]
    return [
        [part.of_owners_between(0, place) for part, place in zip(parts, at, strict=True)],
        [part.of_owners_between(place, None) for part, place in zip(parts, at, strict=True)],
    ]


def count_machines(parts: Sequence[Part], beyond: int) -> Ints:
    """How many machines have rows of each label below `beyond`: the owners that are even."""
    work = _Work([part._replace(drives=None) for part in parts], beyond)
    found = np.zeros(beyond + 1, dtype=np.int64)
    compiled.count_machines(*work.given, address(found))
    return found[:beyond]


class _Work:
    """What the loops over cells read, and room to look at one owner after another: kept as long as
    C may write into it.
    """

    def __init__(self, parts: Sequence[Part], beyond: int) -> None:
        width = np.min_scalar_type(beyond + 1).itemsize
        assert all(part.labels.itemsize == width for part in parts)
        sizes, ends, greatest = (np.zeros(beyond + 1, dtype=np.int32) for _ in range(3))
        least = np.full(beyond + 1, np.iinfo(np.int32).max, dtype=np.int32)
        # As if all were one owner's: the system gives what is written to. One place more is written
        # than counts.
        rows = sum(part.rows for part in parts)
        labels = np.empty(min(beyond + 1, rows) + 1, dtype=np.uint32)
        of_rows, values = np.empty(rows, dtype=np.uint32), np.empty(rows)
        self._kept = (parts, sizes, ends, least, greatest, labels, of_rows, values)
        scratch = declared.Scratch(*(address(array) for array in self._kept[1:]))
        given = (declared.Part * len(parts))(*(part.given() for part in parts))
        self.given = (width, given, len(parts), beyond, byref(scratch))
