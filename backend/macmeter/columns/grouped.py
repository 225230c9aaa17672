"""A lot taken apart: the machines, flags and samples of all groups at once.

The rows of a part lie by owner and value, so that those of a group only have to be taken out, and
each machine's median stands in their middle. The part with most rows is taken apart; what the
others add, the newest runs, finds its place there machine by machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.lot import Lot
from macmeter.columns.machines import ByGroup, Machines, begin_cells
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Floats, Small
from macmeter.columns.some import Some
from macmeter.compiled.cells import Cells
from macmeter.compiled.loops import gather

T = TypeVar("T")
_NONE = np.zeros(0, dtype=np.int64)


class Grouped:
    """G groups of a lot's rows, some of which may have none."""

    def __init__(
        self, lot: Lot, parts: Sequence[Some], count: int, given: Ints | None = None
    ) -> None:
        self.lot, self.parts, self.count = lot, parts, count
        self._given = given
        self._counted: dict[object, Any] = {}
        self.main = int(np.argmax([len(some) for some in parts])) if parts else 0

    @classmethod
    def of_rows(cls, lot: Lot, rows: Ints) -> Grouped:
        """One group of these rows, which are ordered by owner and value."""
        parts, first = [], 0
        for part in lot.parts:
            end = first + len(part.rows)
            at = np.sort(rows[(rows >= first) & (rows < end)] - first)
            parts.append(Some(part, at))
            first = end
        return cls(lot, parts, 1, rows)

    def runs(self, group: int) -> Ints:
        """By row in any order, its run's number among all."""
        own: list[Ints] = [_NONE]
        for some in self.parts:
            runs = some.part.rows.run.take(some.of_group(group))
            own.append(runs + np.int64(some.part.first_run))
        return np.concatenate(own)

    def rows_of(self, group: int, owners: Bools, setups: Bools) -> Ints:
        """As `rows`, of these owners and setups: by number whether it is one of them."""
        if self._given is not None:
            rows = self._given.compress(setups[self.lot.of_runs("setup", self._given)])
            return rows.compress(owners[self.lot.of_runs("owner", rows)])
        own: list[Ints] = []
        for some, part, first in zip(self.parts, self.lot.parts, self.lot.first_rows, strict=True):
            rows = some.of_group(group)
            if not setups.all():
                rows = rows.take(np.flatnonzero(gather(setups, part.of_runs("setup", rows))))
            theirs = np.flatnonzero(gather(owners, part.of_runs("owner", rows)))
            own.append(rows.take(theirs) + np.int64(first))
        main = own.pop(self.main)
        others: Ints = np.concatenate([_NONE, *own])
        if not len(others):
            return main
        by = (self.lot.values(others), self.lot.of_runs("owner", others))
        return _inserted(self.lot, main, others.take(np.lexsort(by)))

    def kept(self, count: Callable[[Grouped], T]) -> T:
        """What was counted of all groups, once."""
        if count not in self._counted:
            self._counted[count] = count(self)
        found: T = self._counted[count]
        return found

    def let_go(self) -> None:
        """What was looked up by row or machine, as soon as nobody needs it: of a million rows it
        is megabytes.
        """
        for name in ("_others", "_by_group", "_places", "ends"):
            self.__dict__.pop(name, None)
        self._counted.clear()
        for some in self.parts:
            some.let_go()

    def rows(self, group: int) -> Ints:
        """Its rows' places in the lot, by owner and value."""
        if self._given is not None:
            return self._given
        main, others = self._taken_apart(group)
        return _inserted(self.lot, main, others) if len(others) else main

    def values(self, group: int) -> Floats:
        """Of its rows, by owner and value."""
        if self._given is not None:
            return self.lot.values(self._given)
        main, others = self._taken_apart(group)
        if not len(others):
            return self.lot.values(main)
        return _interleaved(*_found_places(self.lot, main, others))

    def members(self, group: int, owners: Small) -> tuple[Floats, Small]:
        """Of its rows in any order the value and the place of the owner among `owners`."""
        if self._given is not None:
            values, own = [self.lot.values(self._given)], [self.lot.of_runs("owner", self._given)]
        else:
            values, own = [], []
            for some in self.parts:
                rows = some.of_group(group)
                values.append(some.part.rows.values.take(rows))
                own.append(some.part.of_runs("owner", rows))
        self._places[owners] = np.arange(len(owners))
        return np.concatenate(values), gather(self._places, np.concatenate(own))

    @cached_property
    def _places(self) -> Small:
        """By owner its place among those of the group that was looked at last, if it is there."""
        return np.empty(2 * len(self.lot.view.names.machines), dtype=np.int32)

    def _taken_apart(self, group: int) -> tuple[Ints, Ints]:
        """The rows of the largest part, and those of all others; both by owner and value."""
        main = self.parts[self.main].of_group(group)
        main = main + np.int64(self.lot.first_rows[self.main])
        if self._others is None:
            return main, _NONE
        first, last = self._others.ends[group : group + 2]
        return main, self._others.rows[first:last]

    @cached_property
    def _others(self) -> _Others | None:
        return _Others.of(self)

    @property
    def is_of_parts(self) -> bool:
        """Whether it has all rows of its parts that are in a group."""
        return self._given is None and bool(self.parts)

    @cached_property
    def _by_group(self) -> ByGroup:
        if self.is_of_parts:
            begun = self._counted.get(begin_machines)
            return ByGroup.of_parts(self.parts, self.count, begun)
        rows = self._given if self._given is not None else _NONE
        lot = self.lot
        return ByGroup.of_rows(lot.of_runs("owner", rows), lot.values(rows), lot.drives(rows))

    @property
    def machines(self) -> Machines:
        """Of one group after another."""
        return self._by_group.machines

    @cached_property
    def ends(self) -> list[int]:
        """Where the machines of each group begin, and where the last end: G + 1."""
        found: list[int] = self._by_group.ends.tolist()
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """The rows of each group."""
        if self._given is not None:
            return [len(self._given)]
        found = np.zeros(self.count, dtype=np.int64)
        for some in self.parts:
            found += some.sizes
        return found.tolist()


def begin_machines(grouped: Grouped) -> Future[Cells] | None:
    """For whoever wants its machines later."""
    return begin_cells(grouped.parts, grouped.count) if grouped.is_of_parts else None


@dataclass(frozen=True, eq=False)
class _Others:
    """The rows of the smaller parts by group, owner and value."""

    rows: Ints
    """Of the lot."""
    ends: Ints
    """Where those of each group begin, and where the last end."""

    @classmethod
    def of(cls, grouped: Grouped) -> _Others | None:
        """None where there is but one part."""
        listed = []
        first = 0
        for number, (some, part) in enumerate(zip(grouped.parts, grouped.lot.parts, strict=True)):
            if number != grouped.main:
                values = some.only(part.rows.values)
                listed.append((some.rows + first, some.groups, some.of_runs("owner"), values))
            first += len(part.rows)
        if not listed:
            return None
        rows, group, owner, value = map(np.concatenate, zip(*listed, strict=True))
        order = np.lexsort((value, owner, group))
        ends = np.searchsorted(group[order], np.arange(grouped.count + 1))
        return cls(rows[order], ends)


def _inserted(lot: Lot, order: Ints, others: Ints) -> Ints:
    """`order` with `others`, both by owner and value, in their places among it."""
    return _interleaved(_found_places(lot, order, others)[0], order, others)


def _found_places(lot: Lot, order: Ints, others: Ints) -> tuple[Ints, Floats, Floats]:
    """The places of `others` when both are together; and the values of both."""
    owners, values = lot.of_runs("owner", order), lot.values(order)
    wanted, added = lot.of_runs("owner", others), lot.values(others)
    low = np.searchsorted(owners, wanted, side="left")
    high = np.searchsorted(owners, wanted, side="right")
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        less = (low < high) & (values[np.minimum(middle, len(order) - 1)] < added)
        low, high = np.where(less, middle + 1, low), np.where(less, high, middle)
    return low + np.arange(len(others)), values, added


def _interleaved(places: Ints, some: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """`some` with `others` at these places of what comes of it."""
    found = np.empty(len(some) + len(others), dtype=some.dtype)
    is_other = np.zeros(len(found), dtype=bool)
    is_other[places] = True
    found[places] = others
    found[~is_other] = some
    return found
