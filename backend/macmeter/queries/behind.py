"""The distinct runs behind an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from macmeter.dataset import several
from macmeter.dataset.several import distinct_runs, named_runs
from macmeter.dataset.snapshot import Snapshot
from macmeter.queries.groups import Group


class Behind:
    """Statements of which each finds some of the runs."""

    def __init__(self, data: Snapshot) -> None:
        self._data = data
        self._statements: list[str] = []
        self._counted: int | None = None
        """How many the only statement finds, where that is known without asking."""

    def __len__(self) -> int:
        if len(self._statements) <= 1 and self._counted is not None:
            return self._counted
        if not self._statements:
            return 0
        return distinct_runs(self._data, self._statements)

    def add(self, run_ids: Iterable[object]) -> None:
        if named := named_runs(run_ids):
            self._statements.append(named)

    def add_groups(self, groups: Iterable[Group]) -> None:
        """All groups of one question, of which some may be without what is unspecified."""
        groups = list(groups)
        if groups:
            found = groups[0].grouped.found
            if not self._statements and found.is_of_one_series and len(found.parts) == 1:
                self._counted = sum(group.run_count for group in groups)
            self._statements.append(runs_of(groups))


def runs_of(groups: Sequence[Group], machines: Collection[int] | None = None) -> str:
    """The statement that finds the runs of these groups of one question; only of these machines."""
    figures: dict[tuple[bool, bool], list[tuple[int, ...]]] = {}
    for group in groups:
        figures.setdefault(group.sides, []).append(group.grouped.figures[group.number])
    return several.runs_of(groups[0].grouped.found, figures, machines)
