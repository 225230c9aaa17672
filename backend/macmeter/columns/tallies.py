"""How many rows and samples of each group there are, by flags, setups and steps: all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

import numpy as np

from macmeter.columns.coded import occurring
from macmeter.columns.grouped import Grouped
from macmeter.columns.names import Ints
from macmeter.columns.owned import Tally, tallied
from macmeter.columns.segment import Bools, Cells
from macmeter.columns.some import Some
from macmeter.compiled import loops
from macmeter.compiled.beside import begin_many
from macmeter.compiled.cells import count_machines
from macmeter.compiled.loops import gather
from macmeter.stats.spread import Counts, Spread, spreads_of

# Groups times steps that are counted in one table.
_MOST_COUNTED = 2**22


def rows_by_flags(grouped: Grouped) -> Ints:
    """By group and number of flags, how many rows carry them."""
    width = len(grouped.lot.view.names.flags)
    table = np.zeros((grouped.count + 1, width), dtype=np.int64)
    for some in grouped.parts:
        tally, rest = _known(some)
        if tally is not None and some.by_setup is not None:
            number = some.by_setup[tally.setup] * width + tally.flags
            counted = np.bincount(number, weights=tally.rows, minlength=table.size)
            table += counted.astype(np.int64).reshape(table.shape)
        if rest is not None:
            loops.count_codes(rest.given, np.ascontiguousarray(rest.part.rows.flags), table)
    return table[: grouped.count]


def machines_by_group(grouped: Grouped) -> list[int]:
    """How many machines each group has, without what is unspecified."""
    found = count_machines([some.of_owners for some in grouped.parts], grouped.count)
    listed: list[int] = found.tolist()
    return listed


def samples_by_group(grouped: Grouped) -> list[int]:
    """How many samples each group has."""
    if (count := grouped.lot.count) is not None:
        return [size * count for size in grouped.sizes]
    table = np.zeros(grouped.count + 1, dtype=np.int64)
    for some in grouped.parts:
        tally, rest = _known(some)
        if tally is not None and some.by_setup is not None:
            samples = np.bincount(
                some.by_setup[tally.setup], weights=tally.samples, minlength=len(table)
            )
            table += samples.astype(np.int64)
        if rest is not None:
            loops.sum_counts(rest.given, np.ascontiguousarray(rest.part.rows.counts), table)
    listed: list[int] = table[: grouped.count].tolist()
    return listed


def setups_by_group(grouped: Grouped) -> list[tuple[int, Ints, Ints]]:
    """By series, ascending: the setups of each group, ascending, and where each group's begin."""
    setups = max(len(grouped.lot.view.names.setups), 1)
    of_series: dict[int, list[Ints]] = {}
    for some in grouped.parts:
        numbers = _setups_of_groups(some, grouped.count, setups)
        of_series.setdefault(some.part.series, []).append(numbers)
    found: list[tuple[int, Ints, Ints]] = []
    for series, listed in sorted(of_series.items()):
        numbers = listed[0] if len(listed) == 1 else occurring(np.concatenate(listed))
        ends = np.searchsorted(numbers, np.arange(grouped.count + 1) * setups)
        found.append((series, numbers % setups, ends))
    return found


def _setups_of_groups(some: Some, groups: int, setups: int) -> Ints:
    """Each group's number times `setups` plus that of a setup that it has, ascending."""
    if some.by_setup is not None and some.at is None:
        having = some.part.setups
        return occurring(some.by_setup[having] * setups + having)
    if groups * setups > 4 * len(some):
        return np.unique(some.groups.astype(np.int64) * setups + some.of_runs("setup"))
    table = np.zeros((groups + 1, setups), dtype=np.uint8)
    codes = np.ascontiguousarray(some.part.segment.runs.setup)
    loops.mark_codes(some.given, codes, table)
    return np.flatnonzero(table[:groups].view(bool))


def spreads_by_group(grouped: Grouped) -> list[Spread | None]:
    """Of all samples of each group together."""
    counted = grouped.kept(begin_samples)
    if counted is None:
        return [None] * grouped.count
    return [spread for table in counted.tables() for spread in spreads_of(counted.least, table)]


def begin_samples(grouped: Grouped) -> _Counted | None:
    """How many samples of each group there are at each step; None where nothing is sampled."""
    steps = [of for some in grouped.parts for of in _steps(some)]
    return _Counted(steps, grouped.count) if steps else None


class _Counted:
    """A table of G groups; or several of so many that they have room, one after another."""

    def __init__(self, steps: Sequence[_Cells | _Samples], groups: int) -> None:
        self._steps, self._groups = steps, groups
        self.least = min(of.least for of in steps)
        self._width = max(of.greatest for of in steps) - self.least + 1
        self._several = max(_MOST_COUNTED // self._width, 1)
        self._first = self._begin(0)

    def tables(self) -> Iterator[Counts]:
        """A row of each group's counts, at `least` and each step after it."""
        yield self._first.result()
        for first in range(self._several, self._groups, self._several):
            yield self._begin(first).result()

    def _begin(self, first: int) -> Future[Counts]:
        last = min(first + self._several, self._groups)
        table = np.zeros((last - first) * self._width, dtype=np.int64)
        # By group where its steps are counted; also of what is in none.
        bases = np.full(self._groups + 1, loops.NOWHERE)
        bases[first:last] = np.arange(last - first) * self._width - self.least
        adding = [of.adding(table, bases) for of in self._steps]

        def count() -> Counts:
            for add in adding:
                add()
            return table.reshape(-1, self._width)

        return begin_many(count, sum(map(len, self._steps)))


@dataclass(frozen=True)
class _Cells:
    """Steps that were counted by setup."""

    cells: Cells
    groups: Ints
    """Of each setup; of one that is in none the number after the last."""

    def __len__(self) -> int:
        return len(self.cells.steps)

    @property
    def least(self) -> int:
        return int(self.cells.steps[self.cells.starts[:-1][self._having]].min())

    @property
    def greatest(self) -> int:
        return int(self.cells.steps[self.cells.starts[1:][self._having] - 1].max())

    @property
    def _having(self) -> Bools:
        """Which setups have any step: in each of them steps ascend."""
        return np.diff(self.cells.starts) > 0

    def adding(self, table: Ints, bases: Ints) -> Callable[[], None]:
        """Adds them, once it is called."""
        steps = np.ascontiguousarray(self.cells.steps)
        counts = np.ascontiguousarray(self.cells.counts)
        given = (table, bases.take(self.groups), self.cells.starts, steps, counts)
        return partial(loops.add_counts, *given)


@dataclass(frozen=True)
class _Samples:
    """Steps of single samples, of rows in part of the setups, or of all rows."""

    some: Some

    def __len__(self) -> int:
        return len(self.some)

    @property
    def least(self) -> int:
        return int(self.some.part.rows.samples.min())

    @property
    def greatest(self) -> int:
        return int(self.some.part.rows.samples.max())

    def adding(self, table: Ints, bases: Ints) -> Callable[[], None]:
        """Adds them, once it is called."""
        rows = self.some.part.rows
        starts = rows.starts if rows.count is None else rows.count
        steps = np.ascontiguousarray(rows.samples)
        given = (table, bases, self.some.given, loops.Sampled(starts, steps))
        return partial(loops.add_samples, *given)


def _steps(some: Some) -> Iterator[_Cells | _Samples]:
    part, rest = some.part, some
    cells = part.cells
    if cells is not None and len(cells.steps) and some.by_setup is not None and some.at is None:
        whole, left = _whole(some, cells.setup)
        assert some.layout is not None
        yield _Cells(cells, np.where(whole, some.by_setup[cells.setup], some.layout.beyond))
        if left is None:
            return
        rest = left
    if len(rest.part.rows.samples):
        yield _Samples(rest)


def _known(some: Some) -> tuple[Tally | None, Some | None]:
    """What was counted by setup of these rows, and the rows that are still to be counted."""
    if some.by_setup is None or some.at is not None or some.part.cells is None:
        return None, some
    tally = tallied(some.part.segment, some.part.rows)
    whole, left = _whole(some, tally.setup)
    if whole.all():
        return tally, left
    return Tally(
        tally.setup[whole], tally.flags[whole], tally.rows[whole], tally.samples[whole]
    ), left


def _whole(some: Some, setups: Ints) -> tuple[Bools, Some | None]:
    """Of which of these setups all rows are chosen; and the rows of those chosen in part."""
    part = some.part
    whole, mask = part.among.whole, part.among.mask
    left = part.among.some & ~whole
    if mask is None or not left[setups].any():
        return whole[setups], None
    runs = left.take(part.segment.runs.setup) & mask
    at = np.flatnonzero(gather(runs, part.rows.run))
    return whole[setups], Some(part, at, some.layout) if len(at) else None
