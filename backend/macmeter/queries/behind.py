"""The distinct runs behind an answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.columns.view import Part, View
from macmeter.queries.groups import Group


class Behind:
    """Whether each run of a view is behind it."""

    def __init__(self, view: View) -> None:
        self._present: Bools = np.zeros(view.first_runs[-1], dtype=bool)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._present))

    def add(self, runs: Ints) -> None:
        """Runs by their numbers."""
        self._present[runs] = True

    def add_groups(self, groups: Iterable[Group]) -> None:
        """The runs of these groups; those of one lot follow each other."""
        for lot, of_lot in itertools.groupby(groups, key=lambda group: group.lot):
            listed = list(of_lot)
            # Rows are looked up group by group only where some are of no group.
            if sum(map(len, listed)) == len(lot):
                for part in lot.parts:
                    self._add_part(part)
            else:
                for group in listed:
                    self.add(group.distinct_runs)

    def _add_part(self, part: Part) -> None:
        runs = part.having
        self._present[part.first_run : part.first_run + len(runs)] |= runs
