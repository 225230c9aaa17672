"""The runs of a segment by the groups of a question, worked out once for all series of these runs.

How many rows each group has is the same for all series that have the same runs.
"""

from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.coded import Coded
from macmeter.columns.names import Ints
from macmeter.columns.owned import bits_of, drives_of, owned
from macmeter.columns.segment import Small
from macmeter.columns.view import Part
from macmeter.compiled import cells as compiled
from macmeter.compiled import loops


class Layout:
    """G groups of those runs of a segment that are chosen."""

    def __init__(
        self, part: Part, count: int, coded: Coded | None = None, numbers: Ints | None = None
    ) -> None:
        """`numbers` are the groups of codes; without them all are of one."""
        self.count, self.among = count, part.among
        self._coded, self._numbers = coded, numbers
        self._setups = len(part.names.setups)
        groups = coded.labels(numbers) if coded is not None and numbers is not None else None
        self.labels, self.of_owners = loops.label_runs(
            groups, part.among.mask, count, part.segment.owners
        )
        self._counted: list[tuple[NDArray[np.uint8], Ints]] = []
        self._cells: tuple[list[NDArray[np.uint8]], list[Layout], compiled.Cells] | None = None

    @property
    def by_setup(self) -> Ints | None:
        """By setup the group of all its runs; None where those of one may be in several."""
        if self._coded is None or self._numbers is None:
            return np.zeros(self._setups, dtype=np.int64)
        known = self._coded.by_setup
        return None if known is None else self._numbers.take(known)

    @property
    def beyond(self) -> int:
        """The label of what is in no group."""
        return self.count

    def given(self, part: Part) -> compiled.Part:
        """The part's rows with their groups."""
        known = owned(part.segment, part.rows, part.names)
        return compiled.Part(
            known.owners,
            loops.small(part.rows.run),
            np.ascontiguousarray(part.rows.values),
            drives_of(part.segment, part.names),
            known.medians,
            known.drives.least,
            known.drives.greatest,
            self.labels,
            self.of_owners,
        )

    def cells_like(self, known: Known) -> compiled.Cells | None:
        """The last cells that were made, where they are of the same runs in the same groups: of a
        lot's parts, of which this is the first one's layout.
        """
        if self._cells is None or len(self._cells[0]) != len(known.bits):
            return None
        bits, others, cells = self._cells
        same_bits = all(map(operator.is_, bits, known.bits))
        return cells if same_bits and all(map(operator.is_, others, known.layouts[1:])) else None

    def keep_cells(self, known: Known, cells: compiled.Cells) -> None:
        # Not itself: as a circle it would stay in memory until that is looked for.
        self._cells = (known.bits, known.layouts[1:], cells)

    def order(self, run: Small, sizes: Ints) -> tuple[Small, Ints]:
        """The places of rows of these runs by group, and else as they lie; and where each group's
        begin. So many does each group have.
        """
        return loops.order_rows(self.labels, loops.small(run), sizes)

    def sizes(self, part: Part) -> Ints:
        """How many of the part's rows each group has."""
        bits = bits_of(part.segment, part.rows)
        for known, found in self._counted:
            if known is bits:
                return found
        found = self.sizes_of(part.rows.run)
        self._counted.append((bits, found))
        return found

    def sizes_of(self, run: Small) -> Ints:
        """How many rows of these runs each group has."""
        return loops.count_rows(self.labels, loops.small(run), self.count)


class Known(NamedTuple):
    """Of a lot's parts the layouts, and a bit for each run of theirs that has a row."""

    layouts: list[Layout]
    bits: list[NDArray[np.uint8]]
