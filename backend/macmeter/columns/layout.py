"""The runs of a segment by the groups of a question, worked out once for all series of these runs.

The rows of a series lie by owner and value, so that those of a group only have to be taken out. How
many each owner has there is the same for all series that have the same runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import Coded, narrowest, occurring, places_among
from macmeter.columns.names import Ints
from macmeter.columns.owned import Drives, bits_of, drives_of, owned, runs_of
from macmeter.columns.segment import Bools, Small, begins, expand, gather
from macmeter.columns.view import Part

Labels = NDArray[np.unsignedinteger]

# Of so few groups it costs less to look for each one's rows than to sort them.
_FEW = 6
# And so few are counted one by one.
_FEW_COUNTED = 24
# Of more labels pairs are counted.
_IN_PAIRS = 2**17
# Where no more than this share is wanted, it costs less to take that out first.
_SPARSE = 0.5
# With no more owners times groups for each row, a table of them is counted instead of sorting.
_MOST_CELLS = 1.0


@dataclass(frozen=True, eq=False)
class Stretches:
    """C of each, ascending by group and owner: the rows of one owner in one group."""

    group: Ints
    owner: Small
    starts: Ints
    """Where each one's begin among the rows by group."""
    sizes: Ints
    drives: Drives


class Layout:
    """G groups of those runs of a segment that are chosen."""

    def __init__(
        self, part: Part, count: int, coded: Coded | None = None, numbers: Ints | None = None
    ) -> None:
        """`numbers` are the groups of codes; without them all are of one."""
        self.count, self.among = count, part.among
        self._coded, self._numbers = coded, numbers
        self._setups = len(part.names.setups)
        self._owner = part.segment.runs.owner
        self._owners = part.segment.owners
        self.labels = self._labelled(part)
        """By run its group; of one that is not chosen, a number beyond."""
        self._known: list[tuple[NDArray[np.uint8], int, Stretches]] = []
        self._counted: list[tuple[NDArray[np.uint8], Ints]] = []

    def _labelled(self, part: Part) -> Labels:
        kind = narrowest(self.count)
        if self._coded is None or self._numbers is None:
            found = np.zeros(len(part.segment.runs), dtype=kind)
        else:
            found = gather(self._numbers.astype(kind), self._coded.codes)
        if part.among.mask is not None:
            np.copyto(found, kind.type(self.count), where=~part.among.mask)
        return found

    @property
    def by_setup(self) -> Ints | None:
        """By setup the group of all its runs; None where those of one may be in several."""
        if self._coded is None or self._numbers is None:
            return np.zeros(self._setups, dtype=np.int64)
        known = self._coded.by_setup
        return None if known is None else self._numbers.take(known)

    @property
    def beyond(self) -> int:
        """The group of what is not chosen."""
        return self.count

    @property
    def several(self) -> int:
        """The group of an owner whose runs are in several."""
        return self.count + 1

    @cached_property
    def of_owners(self) -> Labels:
        """By number of an owner the group of all its runs, those not chosen among them."""
        numbers, starts = self._owners
        found = np.full(int(numbers.max(initial=0)) + 1, self.beyond, narrowest(self.several))
        if len(starts):
            least = np.minimum.reduceat(self.labels, starts)
            most = np.maximum.reduceat(self.labels, starts)
            found[numbers] = np.where(least == most, least, self.several)
        return found

    def order(self, part: Part, places: Ints | None = None) -> tuple[Ints, Ints]:
        """The places of the rows by group, and else as they lie; and where each group's begin.

        Of the rows at `places` alone, where they are given.
        """
        run = part.rows.run
        if places is None:
            return by_label(gather(self.labels, run), self.count)
        order, ends = by_label(gather(self.labels, run.take(places)), self.count)
        return places.take(order), ends

    def rows_of(self, part: Part, groups: Bools) -> tuple[Ints, Ints]:
        """The places of the rows of these groups, by group and else as they lie, and where each
        group's begin: found without a look at those of other owners.
        """
        known = owned(part.segment, part.rows, part.names)
        are_wanted = np.append(groups, False)
        wanted = occurring(self._owner.take(np.flatnonzero(are_wanted.take(self.labels))))
        at = places_among(known.owner, wanted)
        starts = known.starts.astype(np.int64)
        places = expand(starts[at], starts[at + 1] - starts[at])
        labels = self.labels.take(part.rows.run.take(places))
        inside = np.flatnonzero(are_wanted.take(labels))
        order, ends = _sorted(labels.take(inside), self.count)
        return places.take(inside.take(order)), ends

    def sizes(self, part: Part) -> Ints:
        """How many of the part's rows each group has."""
        bits = bits_of(part.segment, part.rows)
        for known, found in self._counted:
            if known is bits:
                return found
        having = runs_of(part.segment, part.rows)
        if self.count <= _FEW_COUNTED:
            of_groups = [np.count_nonzero((self.labels == of) & having) for of in range(self.count)]
            found = np.array(of_groups, dtype=np.int64)
        else:
            labels = self.labels if having.all() else self.labels.compress(having)
            found = _counted(labels, self.count)
        self._counted.append((bits, found))
        return found

    def stretches(self, part: Part, order: Ints, ends: Ints) -> Stretches:
        """Of these rows of the part, by group: the same for all series of the same runs."""
        bits = bits_of(part.segment, part.rows)
        for known, size, found in self._known:
            if known is bits and size == len(order):
                return found
        cells = len(self._owners[0]) * (self.count + 1)
        if len(order) == self.sizes(part).sum() and cells <= _MOST_CELLS * len(order):
            found = self._every_stretch(part)
        else:
            found = self._stretches(part, order, ends)
        self._known.append((bits, len(order), found))
        return found

    def _every_stretch(self, part: Part) -> Stretches:
        """Of all rows that are in a group: counted by run, as runs lie by owner, too."""
        numbers, firsts = self._owners
        width = self.count + 1
        size = len(numbers) * width
        first_cells = np.arange(len(numbers), dtype=np.int32) * width
        # Of an owner and a group, by run.
        cells = np.repeat(first_cells, np.diff(firsts, append=len(self.labels))) + self.labels
        having = runs_of(part.segment, part.rows)
        codes = drives_of(part.segment, part.names)
        if not having.all():
            runs = np.flatnonzero(having)
            cells, codes = cells.take(runs), None if codes is None else codes.take(runs)
        counted = np.bincount(cells, minlength=size).reshape(-1, width)[:, : self.count].T
        group, at = np.nonzero(counted)
        sizes = counted[group, at]
        drives = Drives.among(codes, cells, size).only(at * width + group)
        return Stretches(group, numbers[at], np.cumsum(sizes) - sizes, sizes, drives)

    def _stretches(self, part: Part, order: Ints, ends: Ints) -> Stretches:
        runs = part.rows.run.take(order)
        owner = gather(self._owner, runs)
        starts = begins(owner, ends=ends)
        codes = drives_of(part.segment, part.names)
        return Stretches(
            np.searchsorted(ends, starts, side="right") - 1,
            owner[starts],
            starts,
            np.diff(starts, append=len(owner)),
            Drives.of(None if codes is None else gather(codes, runs), starts),
        )


def by_label(labels: Labels, count: int) -> tuple[Ints, Ints]:
    """The places of labels below `count` by label and else as they are; and where each one's begin,
    and the last end.
    """
    if count <= _FEW:
        own = [np.flatnonzero(labels == label) for label in range(count)]
        return np.concatenate(own), np.append(0, np.cumsum([len(places) for places in own]))
    wanted = labels < count
    if np.count_nonzero(wanted) < _SPARSE * len(labels):
        places = np.flatnonzero(wanted)
        order, ends = _sorted(labels.take(places), count)
        return places.take(order), ends
    return _sorted(labels, count)


def _sorted(labels: Labels, count: int) -> tuple[Ints, Ints]:
    # Of small numbers the sort is by their digits.
    order = np.argsort(labels, kind="stable")
    ends = np.append(0, np.cumsum(_counted(labels, count)))
    return order[: ends[-1]], ends


def _counted(labels: Labels, count: int) -> Ints:
    """How many there are of each label below `count`."""
    if labels.dtype == np.uint8 and len(labels) > _IN_PAIRS:
        # Two at a time are half as many numbers, of which numpy makes wider ones to count them.
        rest = len(labels) % 2
        pairs = np.bincount(labels[rest:].view(np.uint16), minlength=2**16).reshape(2**8, 2**8)
        found: Ints = pairs.sum(axis=0) + pairs.sum(axis=1)
        found[labels[:rest]] += 1
        return found[:count]
    return np.bincount(labels, minlength=count)[:count]
