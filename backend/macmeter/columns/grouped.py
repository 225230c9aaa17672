"""A lot taken apart: the machines, flags and samples of all groups at once.

The rows of a part lie by owner and value, so that those of a group only have to be taken out, and
each machine's median stands in their middle. The part with most rows is taken apart; what the
others add, the newest runs, finds its place there machine by machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import narrowest
from macmeter.columns.lot import Lot
from macmeter.columns.names import Ints
from macmeter.columns.owned import Drives, owned
from macmeter.columns.segment import Bools, Floats, Small, gather
from macmeter.columns.some import Some
from macmeter.stats.summary import medians_of

T = TypeVar("T")
_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Machines:
    """A cell for each owner of each group, ascending by group and owner: C of each."""

    group: Ints
    owner: Small
    sizes: Ints
    """Rows of each."""
    medians: Floats
    drives: Drives

    def __len__(self) -> int:
        return len(self.group)

    def only(self, cells: slice | NDArray[Any]) -> Machines:
        arrays = (self.group[cells], self.owner[cells], self.sizes[cells], self.medians[cells])
        return Machines(*arrays, self.drives.only(cells))

    @property
    def of_several_drives(self) -> Bools:
        """Whose value combines several drives."""
        return self.drives.least < self.drives.greatest


@dataclass(frozen=True, eq=False)
class _Laid:
    """The machines of some rows, and where each one's lie."""

    machines: Machines
    values: Floats
    starts: Ints
    places: Ints | None = None
    """The rows that `starts` count among; None where it is all of them."""

    @classmethod
    def of(cls, ends: Ints, owner: Small, values: Floats, drives: Small | None) -> _Laid:
        """Of rows by group, owner and value; `ends` say where each group begins, and the end."""
        new = np.ones(len(owner), dtype=bool)
        new[1:] = owner[1:] != owner[:-1]
        new[ends[ends < len(owner)]] = True
        starts = np.flatnonzero(new)
        sizes = np.diff(starts, append=len(owner))
        machines = Machines(
            np.searchsorted(ends, starts, side="right") - 1,
            owner[starts],
            sizes,
            medians_of(values, None, starts, sizes),
            Drives.of(drives, starts),
        )
        return cls(machines, values, starts)

    def values_at(self, cells: Ints, nth: Ints) -> Floats:
        """The `nth` value of each of these cells."""
        places = self.starts[cells] + nth
        return self.values.take(places if self.places is None else self.places.take(places))


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
            if some.layout is None:
                runs = some.runs
            else:
                runs = some.layout.stretches(some.part).runs_of(group)
            own.append(runs + np.int64(some.part.first_run))
        return np.concatenate(own)

    def rows_of(self, group: int, owners: Bools, setups: Bools) -> Ints:
        """As `rows`, of these owners and setups: by number whether it is one of them."""
        if self._given is not None:
            rows = self._given.compress(setups[self.lot.of_runs("setup", self._given)])
            return rows.compress(owners[self.lot.of_runs("owner", rows)])
        own: list[Ints] = []
        for some, part, first in zip(self.parts, self.lot.parts, self.lot.first_rows, strict=True):
            rows = some.of_group(group, self.count)
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
        for name in ("_others", "machines", "ends"):
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

    def _taken_apart(self, group: int) -> tuple[Ints, Ints]:
        """The rows of the largest part, and those of all others; both by owner and value."""
        main = self.parts[self.main].of_group(group, self.count)
        main = main + np.int64(self.lot.first_rows[self.main])
        if self._others is None:
            return main, _NONE
        first, last = self._others.ends[group : group + 2]
        return main, self._others.rows[first:last]

    @cached_property
    def _others(self) -> _Others | None:
        return _Others.of(self)

    @cached_property
    def machines(self) -> Machines:
        lot = self.lot
        if self._given is not None or not self.parts:
            rows = self._given if self._given is not None else _NONE
            ends = np.array([0, len(rows)])
            owner = lot.of_runs("owner", rows)
            return _Laid.of(ends, owner, lot.values(rows), lot.drives(rows)).machines
        laid = _laid(self.parts[self.main], self.count)
        return laid.machines if self._others is None else _together(laid, self._others.laid)

    @cached_property
    def ends(self) -> list[int]:
        """Where the machines of each group begin, and where the last end: G + 1."""
        found: list[int] = np.searchsorted(self.machines.group, np.arange(self.count + 1)).tolist()
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """The rows of each group."""
        if self._given is not None:
            return [len(self._given)]
        found = np.zeros(self.count, dtype=np.int64)
        for some in self.parts:
            assert some.layout is not None
            found += some.layout.sizes(some.part)
        return found.tolist()


@dataclass(frozen=True, eq=False)
class _Others:
    """The rows of the smaller parts by group, owner and value."""

    rows: Ints
    """Of the lot."""
    ends: Ints
    """Where those of each group begin, and where the last end."""
    laid: _Laid

    @classmethod
    def of(cls, grouped: Grouped) -> _Others | None:
        """None where there is but one part."""
        listed = []
        first = 0
        for number, (some, part) in enumerate(zip(grouped.parts, grouped.lot.parts, strict=True)):
            if number != grouped.main:
                values = some.only(part.rows.values)
                listed.append(
                    (some.rows + first, some.groups, some.of_runs("owner"), values, some.drives)
                )
            first += len(part.rows)
        if not listed:
            return None
        rows, group, owner, value = (
            np.concatenate(arrays) for arrays in [*zip(*listed, strict=True)][:4]
        )
        order = np.lexsort((value, owner, group))
        group, owner, value = group[order], owner[order], value[order]
        drives = None
        if all(of[4] is not None for of in listed):
            drives = np.concatenate([of[4] for of in listed])[order]
        ends = np.searchsorted(group, np.arange(grouped.count + 1))
        return cls(rows[order], ends, _Laid.of(ends, owner, value, drives))


def _laid(some: Some, count: int) -> _Laid:
    """The machines of a part's rows by group."""
    part, layout = some.part, some.layout
    assert layout is not None
    values = part.rows.values
    if part.among.mask is None:
        known = owned(part.segment, part.rows, part.names)
        by_owner = layout.by_owner(known.owner)
        if by_owner is not None:
            starts, sizes = known.starts[:-1].astype(np.int64), np.diff(known.starts)
            machines = Machines(by_owner, known.owner, sizes, known.medians, known.drives)
            if count > 1:
                order = np.argsort(by_owner.astype(narrowest(count)), kind="stable")
                machines, starts = machines.only(order), starts[order]
            return _Laid(machines, values, starts)
    places, ends = some.by_group(count)
    of_runs = layout.stretches(part, (places, ends))
    medians = medians_of(values, places, of_runs.starts, of_runs.sizes)
    machines = Machines(of_runs.group, of_runs.owner, of_runs.sizes, medians, of_runs.drives)
    return _Laid(machines, values, of_runs.starts, places)


def _together(laid: _Laid, others: _Laid) -> Machines:
    """The machines of both; where one has rows in both, the median of all of them."""
    one, other = laid.machines, others.machines
    keys, wanted = _keys(one), _keys(other)
    at = np.searchsorted(keys, wanted)
    shared = np.zeros(len(wanted), dtype=bool)
    if len(keys):
        shared = keys[np.minimum(at, len(keys) - 1)] == wanted
    mine, theirs = at[shared], np.flatnonzero(shared)
    sizes, medians = one.sizes.astype(np.int64), one.medians.copy()
    least, greatest = one.drives.least.copy(), one.drives.greatest.copy()
    medians[mine] = _medians(laid, mine, others, theirs)
    sizes[mine] += other.sizes[theirs]
    known = one.drives.only(mine)
    least[mine] = np.minimum(known.least, other.drives.least[theirs])
    greatest[mine] = np.maximum(known.greatest, other.drives.greatest[theirs])
    new = other.only(~shared)
    places = at[~shared]
    return Machines(
        np.insert(one.group, places, new.group),
        np.insert(one.owner, places, new.owner),
        np.insert(sizes, places, new.sizes),
        np.insert(medians, places, new.medians),
        Drives(
            np.insert(least, places, new.drives.least),
            np.insert(greatest, places, new.drives.greatest),
        ),
    )


def _keys(machines: Machines) -> Ints:
    """Ascending whole numbers for cells."""
    found: Ints = machines.group.astype(np.int64) << 32 | machines.owner
    return found


def _medians(laid: _Laid, mine: Ints, others: _Laid, theirs: Ints) -> Floats:
    """Of cells that have rows in both: those in the middle, of which no others are looked at."""
    sizes = laid.machines.sizes[mine] + others.machines.sizes[theirs]
    middle = (sizes - 1) * 0.5
    below = middle.astype(np.int64)
    lower, upper = _nth_and_next(laid, mine, others, theirs, below)
    return lower + (upper - lower) * (middle - below)


def _nth_and_next(
    laid: _Laid, mine: Ints, others: _Laid, theirs: Ints, nth: Ints
) -> tuple[Floats, Floats]:
    """The `nth` of the values of both, each of which ascend, and the next, or again the last."""
    ours, added = laid.machines.sizes[mine], others.machines.sizes[theirs]

    def of_others(places: Ints) -> Floats:
        return others.values_at(theirs, np.clip(places, 0, added - 1))

    def of_laid(places: Ints) -> Floats:
        return laid.values_at(mine, np.clip(places, 0, ours - 1))

    # How many of the first nth + 1 are the laid ones': the fewest that leave none behind.
    low, high = np.maximum(nth + 1 - added, 0), np.minimum(nth + 1, ours)
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        half = (low + high) // 2
        more = (low < high) & (of_laid(half) < of_others(nth - half))
        low, high = np.where(more, half + 1, low), np.where(more, high, np.minimum(half, high))
    left = nth + 1 - low
    found = np.maximum(
        np.where(low > 0, of_laid(low - 1), -np.inf),
        np.where(left > 0, of_others(left - 1), -np.inf),
    )
    following = np.minimum(
        np.where(low < ours, of_laid(low), np.inf), np.where(left < added, of_others(left), np.inf)
    )
    return found, np.where(np.isinf(following), found, following)


def _inserted(lot: Lot, order: Ints, others: Ints) -> Ints:
    """`order` with `others`, both by owner and value, in their places among it."""
    places, *_ = _found_places(lot, order, others)
    return _interleaved(places, order, others)


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
