"""The columns of few runs, in one array of each kind: as many arrays for hundreds of series as for
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Column, Rows, Small, compact


class Pile(Mapping[int, Column]):
    """Columns are made when they are asked for, and kept: what is counted of rows is known by them.

    `kinds` of the rows ascend; those of one kind are ordered by owner and value.
    """

    def __init__(self, kinds: Ints, rows: Rows) -> None:
        self.kinds, self.rows = kinds, rows
        self._numbers: list[int] = np.unique(kinds // 2).tolist()
        self._known: dict[int, Column] = {}

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> Column:
        if number not in self._known:
            clean, aside, beyond = 2 * number, 2 * number + 1, 2 * number + 2
            begin, middle, end = np.searchsorted(self.kinds, (clean, aside, beyond)).tolist()
            if begin == end:
                raise KeyError(number)
            self._known[number] = Column(self._between(begin, middle), self._between(middle, end))
        return self._known[number]

    def _between(self, begin: int, end: int) -> Rows:
        rows = self.rows
        first, last = rows.starts[begin], rows.starts[end]
        return Rows(
            run=rows.run[begin:end],
            values=rows.values[begin:end],
            flags=compact(rows.flags[begin:end]),
            counts=compact(rows.counts[begin:end]),
            samples=rows.samples[first:last],
        )


def kinds_of(series: Ints, aside: Bools) -> Ints:
    """By row twice the number of its series, and one more of what is set aside."""
    return 2 * series.astype(np.int64) + aside


def piled(owner: Small, kinds: Ints, rows: Rows) -> Pile:
    """Of rows as they come, with the owner of each of their runs."""
    order = np.lexsort((rows.values, owner.take(rows.run), kinds))
    ordered = Rows(
        run=rows.run[order],
        values=rows.values[order],
        flags=rows.flags[order],
        counts=rows.counts[order],
        samples=rows.samples_of(order),
    )
    return Pile(kinds[order], ordered)
