"""The machines of rows by group: how many rows each has, their median and drives.

The rows of a part lie by owner and value: of an owner whose rows are all in one group everything is
known, and those of others are taken apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.names import Ints
from macmeter.columns.owned import Drives, owned
from macmeter.columns.segment import Bools, Floats, Small, begins, expand
from macmeter.columns.some import Some
from macmeter.stats.summary import medians_of

# With more of the rows of owners in several groups it costs less to take all of them apart.
_MOST_APART = 0.5


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
class Laid:
    """The machines of some rows, and where each one's lie."""

    machines: Machines
    values: Floats
    starts: Ints
    """In the column; beyond its end among `places`."""
    places: Ints | None = None
    """In the column; None where there are no such starts."""

    @classmethod
    def of(cls, ends: Ints, owner: Small, values: Floats, drives: Small | None) -> Laid:
        """Of rows by group, owner and value; `ends` say where each group begins, and the end."""
        starts = begins(owner, ends=ends)
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
        at = self.starts[cells] + nth
        if self.places is not None:
            among = at - len(self.values)
            at = np.where(among < 0, at, self.places.take(among, mode="clip"))
        return self.values.take(at)


def laid_by_group(some: Some, count: int) -> Laid:
    """The machines of a part's rows by group."""
    part, layout = some.part, some.layout
    assert layout is not None
    values = part.rows.values
    known = owned(part.segment, part.rows, part.names)
    starts, sizes = known.starts[:-1].astype(np.int64), np.diff(known.starts)
    group = layout.of_owners.take(known.owner)
    several = np.flatnonzero(group == layout.several)
    if sizes[several].sum() > _MOST_APART * len(values):
        return _taken_apart(some, *some.by_group(count))
    # Of an owner whose runs are all in one group, everything is known.
    of_one = group < layout.beyond
    machines = Machines(group.astype(np.int64), known.owner, sizes, known.medians, known.drives)
    if not of_one.all():
        at = np.flatnonzero(of_one)
        machines, starts = machines.only(at), starts[at]
    laid = Laid(machines, values, starts)
    if len(several):
        places = expand(known.starts[:-1][several].astype(np.int64), sizes[several])
        apart = _taken_apart(some, *layout.order(part, places))
        laid = Laid(
            _both(laid.machines, apart.machines),
            values,
            np.concatenate([laid.starts, apart.starts]),
            apart.places,
        )
    if count == 1 and not len(several):
        return laid
    order = np.argsort(_keys(laid.machines), kind="stable")
    return Laid(laid.machines.only(order), values, laid.starts[order], laid.places)


def _taken_apart(some: Some, places: Ints, ends: Ints) -> Laid:
    """The machines of the rows at these places, which are by group."""
    part, layout = some.part, some.layout
    assert layout is not None
    values, found = part.rows.values, layout.stretches(part, places, ends)
    medians = medians_of(values, places, found.starts, found.sizes)
    machines = Machines(found.group, found.owner, found.sizes, medians, found.drives)
    return Laid(machines, values, found.starts + len(values), places)


def _both(one: Machines, other: Machines) -> Machines:
    """One after the other."""
    join = np.concatenate
    return Machines(
        join([one.group, other.group]),
        join([one.owner, other.owner]),
        join([one.sizes, other.sizes]),
        join([one.medians, other.medians]),
        Drives(
            join([one.drives.least, other.drives.least]),
            join([one.drives.greatest, other.drives.greatest]),
        ),
    )


def together(laid: Laid, others: Laid) -> Machines:
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


def _medians(laid: Laid, mine: Ints, others: Laid, theirs: Ints) -> Floats:
    """Of cells that have rows in both: those in the middle, of which no others are looked at."""
    sizes = laid.machines.sizes[mine] + others.machines.sizes[theirs]
    middle = (sizes - 1) * 0.5
    below = middle.astype(np.int64)
    lower, upper = _nth_and_next(laid, mine, others, theirs, below)
    return lower + (upper - lower) * (middle - below)


def _nth_and_next(
    laid: Laid, mine: Ints, others: Laid, theirs: Ints, nth: Ints
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
