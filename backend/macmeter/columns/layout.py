"""The runs of a segment by the groups of a question, worked out once for all series of these runs.

The rows of a series lie by owner and value, so that those of a group only have to be taken out. How
many each owner has there is the same for all series that have the same runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import Coded, narrowest
from macmeter.columns.names import Ints
from macmeter.columns.owned import Drives, bits_of, drives_of, owned, runs_of
from macmeter.columns.segment import Bools, Small, expand, gather
from macmeter.columns.view import Part

Labels = NDArray[np.unsignedinteger]

# Of so few groups it costs less to look for each one's rows than to sort them.
_FEW = 6
# Where no more than this share is wanted, it costs less to take that out first.
_SPARSE = 0.5


@dataclass(frozen=True, eq=False)
class Stretches:
    """C of each, ascending by group and owner: the rows of one owner in one group."""

    group: Ints
    owner: Small
    starts: Ints
    """Where each one's begin among `runs`."""
    sizes: Ints
    drives: Drives
    runs: Small
    """By row, by group and owner, its run's place in the segment."""
    ends: Ints
    """Where the rows of each group begin, and where the last end."""

    def runs_of(self, group: int) -> Small:
        """In the order of one of the series."""
        return self.runs[self.ends[group] : self.ends[group + 1]]


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
        self.labels = self._labelled(part)
        """By run its group; of one that is not chosen, a number beyond."""
        self._known: list[tuple[NDArray[np.uint8], Stretches]] = []
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

    def by_owner(self, owner: Small) -> Ints | None:
        """The groups of these owners; None where one may be in several."""
        if self._coded is None or self._numbers is None:
            return np.zeros(len(owner), dtype=np.int64)
        known = self._coded.by_owner
        return None if known is None else self._numbers.take(known.take(owner))

    def order(self, part: Part) -> tuple[Ints, Ints]:
        """The places of the rows by group, and else as they lie; and where each group's begin."""
        rows = part.rows
        if self._owners is not None and part.cells is not None:
            known = owned(part.segment, rows, part.names)
            theirs = np.flatnonzero(self._owners[known.owner])
            starts, sizes = known.starts[:-1][theirs], np.diff(known.starts)[theirs]
            if sizes.sum() < _SPARSE * len(rows):
                places = expand(starts, sizes)
                order, ends = by_label(gather(self.labels, rows.run.take(places)), self.count)
                return places.take(order), ends
        return by_label(gather(self.labels, rows.run), self.count)

    @cached_property
    def _owners(self) -> Bools | None:
        """By number of an owner whether any of its runs is chosen; None where most runs are."""
        mask = self.among.mask
        if mask is None or np.count_nonzero(mask) > _SPARSE * len(mask):
            return None
        found = np.zeros(int(self._owner.max(initial=0)) + 1, dtype=bool)
        found[self._owner.take(np.flatnonzero(mask))] = True
        return found

    def sizes(self, part: Part) -> Ints:
        """How many of the part's rows each group has."""
        bits = bits_of(part.segment, part.rows)
        for known, found in self._counted:
            if known is bits:
                return found
        having = runs_of(part.segment, part.rows)
        labels = self.labels if having.all() else self.labels.compress(having)
        found = np.bincount(labels, minlength=self.count + 1)[: self.count]
        self._counted.append((bits, found))
        return found

    def stretches(self, part: Part, ordered: tuple[Ints, Ints] | None = None) -> Stretches:
        """Of the part's rows; of those that are `ordered` already."""
        bits = bits_of(part.segment, part.rows)
        for known, found in self._known:
            if known is bits:
                return found
        found = self._stretches(part, *(ordered or self.order(part)))
        self._known.append((bits, found))
        return found

    def _stretches(self, part: Part, order: Ints, ends: Ints) -> Stretches:
        runs = part.rows.run.take(order)
        owner = gather(self._owner, runs)
        new = np.ones(len(owner), dtype=bool)
        new[1:] = owner[1:] != owner[:-1]
        new[ends[ends < len(owner)]] = True
        starts = np.flatnonzero(new)
        codes = drives_of(part.segment, part.names)
        return Stretches(
            np.searchsorted(ends, starts, side="right") - 1,
            owner[starts],
            starts,
            np.diff(starts, append=len(owner)),
            Drives.of(None if codes is None else gather(codes, runs), starts),
            runs,
            ends,
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
    ends = np.append(0, np.cumsum(np.bincount(labels, minlength=count + 1)[:count]))
    return order[: ends[-1]], ends
