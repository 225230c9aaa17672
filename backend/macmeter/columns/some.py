"""Rows of a part with the numbers of their groups, looked up as they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.layout import Layout
from macmeter.columns.names import Ints
from macmeter.columns.owned import owned, published_rows
from macmeter.columns.segment import Small
from macmeter.columns.view import Part
from macmeter.compiled import cells, loops
from macmeter.compiled.loops import Labels, gather


@dataclass(frozen=True, eq=False)
class Some:
    """Rows of a part at these places of the column, ascending; None where it is all of them."""

    part: Part
    at: Ints | None = None
    layout: Layout | None = None
    """Of which group a run is; None where all are of group 0."""

    def __len__(self) -> int:
        return len(self.part) if self.at is None else len(self.at)

    @property
    def places(self) -> Ints | None:
        """In the column; None where it is all of it."""
        return self.part.chosen if self.at is None else self.at

    @property
    def rows(self) -> Ints:
        """Their places in the column."""
        return np.arange(len(self.part.rows)) if self.places is None else self.places

    def only(self, array: NDArray[Any]) -> NDArray[Any]:
        """Of an array of the column's rows what belongs to these."""
        return array if self.places is None else array.take(self.places)

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
        found: Small = np.repeat(known.owners.numbers, np.diff(known.owners.starts))
        return found

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the arrays of runs."""
        return gather(getattr(self.part.segment.runs, name), self.runs)

    def let_go(self) -> None:
        for name in ("runs", "groups", "by_group", "_published"):
            self.__dict__.pop(name, None)
        self.part.let_go()

    # Groups

    @property
    def labels(self) -> Labels:
        """By run of the segment its group, or a number beyond."""
        if self.layout is None:
            return np.zeros(len(self.part.segment.runs), dtype=np.uint8)
        return self.layout.labels

    @property
    def given(self) -> loops.Some:
        """As the loops take them."""
        return loops.Some(self.labels, loops.small(self.part.rows.run), self.places)

    @property
    def of_owners(self) -> cells.Part:
        """The same by owner: all rows of the part."""
        assert self.layout is not None
        return self.layout.given(self.part)

    @cached_property
    def groups(self) -> NDArray[Any]:
        """By row."""
        if self.layout is None:
            return np.zeros(len(self), dtype=np.uint8)
        return gather(self.layout.labels, self.runs)

    @property
    def sizes(self) -> Ints:
        """How many of them each group has."""
        if self.layout is None:
            return np.array([len(self)])
        if self.at is None:
            return self.layout.sizes(self.part)
        return self.layout.sizes_of(self.runs)

    @property
    def by_setup(self) -> Ints | None:
        """By setup the group of all its rows; None where those of one may be in several."""
        if self.layout is None:
            return np.zeros(len(self.part.names.setups), dtype=np.int64)
        return self.layout.by_setup

    @cached_property
    def by_group(self) -> tuple[Small, Ints]:
        """The places of the rows by group, and else as they are; and where each group's begin."""
        assert self.layout is not None
        if self.at is None:
            return self.layout.order(self.part.rows.run, self.sizes)
        order, ends = self.layout.order(self.runs, self.sizes)
        return self.at.take(order).astype(np.int32), ends

    def of_group(self, group: int) -> Ints:
        """The places in the column of a group's rows."""
        if self.layout is None:
            return self.rows
        # Most answers ask for the rows of what is in articles, and for no others'.
        if self.at is None and "by_group" not in self.__dict__:
            published = self._published
            own = published.rows.compress(published.groups == group)
            if len(own) == self.sizes[group]:
                return own
        order, ends = self.by_group
        return order[ends[group] : ends[group + 1]]

    @cached_property
    def _published(self) -> _Published:
        assert self.layout is not None
        rows = published_rows(self.part.segment, self.part.rows, self.part.names)
        return _Published(rows, self.layout.labels.take(self.part.rows.run.take(rows)))


class _Published(NamedTuple):
    """Rows of what is in articles, ascending, which are few."""

    rows: Ints
    groups: Labels
