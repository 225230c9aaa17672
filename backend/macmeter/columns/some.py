"""Rows of a part with the numbers of their groups, looked up as they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import Coded, narrowest
from macmeter.columns.names import Ints
from macmeter.columns.owned import drives_of, has_several_drives, owned
from macmeter.columns.segment import Small
from macmeter.columns.view import Part

# Of so few groups it costs less to look for each one's rows than to sort them.
_FEW = 6


@dataclass(frozen=True, eq=False)
class Some:
    """The rows `at` of those that a part has chosen, ascending; None where it is all of them."""

    part: Part
    at: Ints | None = None
    coded: Coded | None = None
    """Of which group a run is; None where all are of group 0."""
    numbers: Ints | None = None
    """By code the number of its group."""

    def __len__(self) -> int:
        return len(self.part) if self.at is None else len(self.at)

    @property
    def rows(self) -> Ints:
        """Their places in the part."""
        return np.arange(len(self.part)) if self.at is None else self.at

    def only(self, array: NDArray[Any]) -> NDArray[Any]:
        """Of an array of the column's rows what belongs to these."""
        places = self.places
        return array if places is None else array.take(places)

    @cached_property
    def places(self) -> Ints | None:
        """Their places in the column; None where it is all of them."""
        if self.at is None:
            return self.part.chosen
        return self.at if self.part.chosen is None else self.part.chosen.take(self.at)

    @cached_property
    def runs(self) -> Small:
        """Their runs' places in the segment."""
        return self.only(self.part.rows.run)

    @property
    def owners(self) -> Small:
        """By row."""
        if self.places is not None:
            return self.of_runs("owner")
        known = owned(self.part.segment, self.part.rows, self.part.names)
        found: Small = np.repeat(known.owner, np.diff(known.starts))
        return found

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the arrays of runs."""
        found: NDArray[Any] = getattr(self.part.segment.runs, name).take(self.runs)
        return found

    @property
    def drives(self) -> Small | None:
        """By row the code of its drive; None where no two are known."""
        codes = drives_of(self.part.segment, self.part.names)
        return None if codes is None else codes.take(self.runs)

    def drives_at(self, places: Ints) -> Small | None:
        """The same of rows by their places in the column."""
        codes = drives_of(self.part.segment, self.part.names)
        return None if codes is None else codes.take(self.part.rows.run.take(places))

    @property
    def has_several_drives(self) -> bool:
        """Whether several drives may stand in one machine's value."""
        segment, names = self.part.segment, self.part.names
        if self.coded is None:
            return len(names.device_ids()) > 1
        return has_several_drives(segment, names, self.coded)

    def let_go(self) -> None:
        for name in ("runs", "groups", "places", "_by_group"):
            self.__dict__.pop(name, None)

    # Groups

    @cached_property
    def groups(self) -> NDArray[Any]:
        """By row."""
        if self.coded is None or self.numbers is None:
            return np.zeros(len(self), dtype=np.uint8)
        codes = self.coded.codes.take(self.runs)
        if np.array_equal(self.numbers, np.arange(len(self.numbers))):
            return codes
        return self.numbers.astype(narrowest(self.numbers.max(initial=0))).take(codes)

    @property
    def by_setup(self) -> Ints | None:
        """By setup the group of all its rows; None where those of one may be in several."""
        if self.coded is None or self.numbers is None:
            return np.zeros(len(self.part.names.setups), dtype=np.int64)
        known = self.coded.by_setup
        return None if known is None else self.numbers.take(known)

    def by_owner(self, owner: Small) -> Ints | None:
        """The groups of these owners; None where one may be in several."""
        if self.coded is None or self.numbers is None:
            return np.zeros(len(owner), dtype=np.int64)
        known = self.coded.by_owner
        return None if known is None else self.numbers.take(known.take(owner))

    def by_group(self, count: int) -> tuple[Ints, Ints]:
        """The order of the rows by group, and else as they are; and where each group's begin."""
        groups = self.groups
        if count <= _FEW:
            own = [np.flatnonzero(groups == group) for group in range(count)]
            return np.concatenate(own), np.append(0, np.cumsum([len(rows) for rows in own]))
        # Of small numbers the sort is by their digits.
        order = np.argsort(groups.astype(narrowest(count), copy=False), kind="stable")
        return order, np.append(0, np.cumsum(np.bincount(groups, minlength=count)))

    def of_group(self, group: int, count: int) -> Ints:
        """The places in the part of a group's rows."""
        if self.coded is None:
            return self.rows
        kept: tuple[Ints, Ints] | None = self.__dict__.get("_by_group")
        if kept is None:
            order, ends = self.by_group(count)
            self.__dict__["_by_group"] = kept = (order.astype(np.int32), ends)
        order, ends = kept
        return order[ends[group] : ends[group + 1]]
