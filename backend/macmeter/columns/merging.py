"""One segment of several: column by column, so that no more than one is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import Ints
from macmeter.columns.pile import Pile, piled
from macmeter.columns.segment import (
    Bools,
    Cells,
    Column,
    Rows,
    Runs,
    Segment,
    Small,
    compact,
    expand,
    order_of,
)
from macmeter.stats.spread import ZERO

# Below it a column's samples are counted as soon as its cells.
_CELLS_FROM = 20_000
# With fewer to a step counting them when they are asked for costs less than keeping it.
_SAMPLES_A_STEP = 4
_STEPS = 2**16
# No more runs are put in a pile, or shown together.
FEW = 1_000
_Part = tuple[Segment, Bools]


def merge(parts: Sequence[_Part]) -> Segment:
    """One segment of all the runs of several that are alive."""
    runs, places = _merged_runs(parts)
    columns = [segment.columns for segment, _ in parts]
    piles = [pile for pile in columns if isinstance(pile, Pile)]
    if len(runs) <= FEW and len(piles) == len(columns):
        return Segment(runs, _one_pile(runs, piles, places))
    return Segment(runs, dict(_Merged(runs, columns, places)))


def shown(parts: Sequence[_Part]) -> Segment:
    """As `merge`, but each column is made when it is asked for: a question reads few of them."""
    found = merged(parts)
    return Segment(found.runs, _Kept(found.columns))


def merged(parts: Sequence[_Part]) -> Segment:
    """As `merge`, but each column is made when it is asked for, and not kept."""
    runs, places = _merged_runs(parts)
    return Segment(runs, _Merged(runs, [segment.columns for segment, _ in parts], places))


def _merged_runs(parts: Sequence[_Part]) -> tuple[Runs, list[Small]]:
    """And by run of each part its place among them; -1 where it is gone."""
    kept = [np.flatnonzero(alive) for _, alive in parts]

    def of_runs(name: str) -> NDArray[Any]:
        arrays = [
            getattr(segment.runs, name)[at] for (segment, _), at in zip(parts, kept, strict=True)
        ]
        return np.concatenate(arrays)

    order = np.lexsort((of_runs("setup"), of_runs("owner")))
    moved = np.empty(len(order), dtype=np.int32)
    moved[order] = np.arange(len(order), dtype=np.int32)
    places = []
    first = 0
    for (segment, _), at in zip(parts, kept, strict=True):
        to = np.full(len(segment.runs), -1, dtype=np.int32)
        to[at] = moved[first : first + len(at)]
        places.append(to)
        first += len(at)
    arrays = {one.name: of_runs(one.name)[order] for one in fields(Runs) if one.name != "by_id"}
    return Runs(**arrays, by_id=order_of(arrays["run_id"])), places


def _one_pile(runs: Runs, piles: Sequence[Pile], places: Sequence[Small]) -> Pile:
    """Of runs that have these places."""
    to = [places[pile.rows.run] for pile, places in zip(piles, places, strict=True)]
    kept = [np.flatnonzero(of_pile >= 0) for of_pile in to]

    def of(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([array[at] for array, at in zip(arrays, kept, strict=True)])

    rows = [pile.rows for pile in piles]
    every = Rows(
        run=of(to),
        values=of(one.values for one in rows),
        flags=of(one.flags for one in rows),
        counts=of(one.counts for one in rows),
        samples=np.concatenate([one.samples_of(at) for one, at in zip(rows, kept, strict=True)]),
    )
    return piled(runs.owner, of(pile.kinds for pile in piles), every)


class _Kept(Mapping[int, Column]):
    """Columns that are made when they are asked for."""

    def __init__(self, columns: Mapping[int, Column]) -> None:
        self._columns = columns
        self._known: dict[int, Column] = {}

    def __iter__(self) -> Iterator[int]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, number: int) -> Column:
        if number not in self._known:
            self._known[number] = self._columns[number]
        return self._known[number]


class _Merged(Mapping[int, Column]):
    """The columns of several segments as those of one."""

    def __init__(
        self, runs: Runs, columns: Sequence[Mapping[int, Column]], places: Sequence[Small]
    ) -> None:
        """`places` are those of each segment's runs among `runs`."""
        self._runs = runs
        self._parts = [*zip(columns, places, strict=True)]
        self._numbers = sorted({number for columns, _ in self._parts for number in columns})

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> Column:
        found = [(columns[number], to) for columns, to in self._parts if number in columns]
        if not found:
            raise KeyError(number)
        clean = _rows(self._runs, [(column.clean, to) for column, to in found])
        aside = _rows(self._runs, [(column.aside, to) for column, to in found])
        return Column(clean, aside, _cells(self._runs, clean))


def _rows(runs: Runs, parts: Sequence[tuple[Rows, NDArray[np.int32]]]) -> Rows:
    parts = [part for part in parts if len(part[0])] or parts[:1]
    if len(parts) == 1 and not len(parts[0][0]):
        return parts[0][0]
    chosen = [np.flatnonzero(to[rows.run] >= 0) for rows, to in parts]

    def of(read: Callable[[Rows], NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([read(rows)[at] for (rows, _), at in zip(parts, chosen, strict=True)])

    run = np.concatenate([to[rows.run[at]] for (rows, to), at in zip(parts, chosen, strict=True)])
    values = of(lambda rows: rows.values)
    order = by_owner(runs.owner[run], values)
    counts = of(lambda rows: rows.counts)
    samples = np.concatenate(
        [rows.samples_of(at) for (rows, _), at in zip(parts, chosen, strict=True)]
    )
    return Rows(
        run=run[order],
        values=values[order],
        flags=compact(of(lambda rows: rows.flags)[order]),
        counts=compact(counts[order]),
        samples=_in_order(samples, counts, order),
    )


def _in_order(samples: NDArray[np.int16], counts: NDArray[Any], order: Ints) -> NDArray[np.int16]:
    if len(counts) and (counts == counts[0]).all():
        return samples.reshape(len(counts), -1)[order].ravel()
    starts = np.cumsum(counts, dtype=np.int64) - counts
    return samples[expand(starts[order], counts[order])]


def by_owner(owner: NDArray[Any], values: NDArray[np.float64]) -> Ints:
    """The order of rows by owner and value; whole numbers sort ten times as fast as pairs."""
    by_value = np.argsort(values)
    width = len(values).bit_length()
    packed = (owner[by_value].astype(np.int64) << width) | np.arange(len(values))
    packed.sort()
    order: Ints = by_value[packed & ((1 << width) - 1)]
    return order


def _cells(runs: Runs, rows: Rows) -> Cells | None:
    if len(rows) < _CELLS_FROM:
        return None
    setup = runs.setup[rows.run]
    having = np.bincount(setup)
    setups = np.flatnonzero(having)
    # A number a sample, of its setup and step: as small as may be, since they are sorted.
    number = np.repeat(setup.astype(np.int64) * _STEPS, rows.counts) + rows.samples
    number -= ZERO
    number.sort()
    first = np.flatnonzero(np.diff(number, prepend=-1))
    if len(first) * _SAMPLES_A_STEP > len(number):
        first = first[:0]
    steps = number[first]
    counts = np.diff(first, append=len(number) if len(first) else np.zeros(0, dtype=np.int64))
    return Cells(
        setup=setups.astype(np.int32),
        rows=having[setups].astype(np.int32),
        starts=np.searchsorted(steps, np.append(setups, setups[-1] + 1) * _STEPS),
        steps=(steps % _STEPS + ZERO).astype(np.int16),
        counts=counts.astype(np.int32),
    )
