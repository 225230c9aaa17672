"""The machines of rows by group: how many rows each has, their median and drives."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np

from macmeter.columns.layout import Known
from macmeter.columns.names import Ints
from macmeter.columns.owned import Drives, bits_of
from macmeter.columns.segment import Bools, Floats, Small, begins
from macmeter.columns.some import Some
from macmeter.compiled.cells import Cells, begin_medians, cells_of
from macmeter.stats.summary import medians_of


@dataclass(frozen=True, eq=False)
class Machines:
    """A cell for each owner of a group, ascending by owner: C of each."""

    owner: Small
    sizes: Ints
    """Rows of each."""
    medians: Floats
    drives: Drives

    def __len__(self) -> int:
        return len(self.owner)

    def only(self, cells: slice) -> Machines:
        arrays = (self.owner[cells], self.sizes[cells], self.medians[cells])
        return Machines(*arrays, self.drives.only(cells))

    @property
    def of_several_drives(self) -> Bools:
        """Whose value combines several drives."""
        return self.drives.least < self.drives.greatest


@dataclass(frozen=True, eq=False)
class ByGroup:
    """The machines of one group after another."""

    machines: Machines
    ends: Ints
    """Where those of each group begin, and where the last end."""

    @classmethod
    def of_parts(cls, parts: Sequence[Some], count: int, begun: Future[Cells] | None) -> ByGroup:
        """Of all rows of these parts that are in a group; a machine's may lie in several parts.

        `begun`: see `begin_cells`.
        """
        known = _known(parts)
        layout = known.layouts[0]
        if begun is not None:
            found = begun.result()
        else:
            given = [some.of_owners for some in parts]
            found = cells_of(given, count, layout.cells_like(known))
        layout.keep_cells(known, found)
        drives = Drives(found.least, found.greatest)
        return cls(Machines(found.owner, found.sizes, found.medians, drives), found.ends)

    @classmethod
    def of_rows(cls, owner: Small, values: Floats, drives: Small | None) -> ByGroup:
        """Of one group's rows by owner and value."""
        starts = begins(owner)
        sizes = np.diff(starts, append=len(owner))
        medians = medians_of(values, None, starts, sizes)
        machines = Machines(owner[starts], sizes, medians, Drives.of(drives, starts))
        return cls(machines, np.array([0, len(starts)]))


def begin_cells(parts: Sequence[Some], count: int) -> Future[Cells] | None:
    """In a thread, where it is known which machines have rows in each group, and how many; else
    None, as it takes both cores.
    """
    known = _known(parts)
    like = known.layouts[0].cells_like(known)
    if like is None:
        return None
    return begin_medians([some.of_owners for some in parts], count, like)


def _known(parts: Sequence[Some]) -> Known:
    layouts = [some.layout for some in parts if some.layout is not None]
    return Known(layouts, [bits_of(some.part.segment, some.part.rows) for some in parts])
