"""Results of two groups for comparison, with their dimensions.

Results of one machine in one setup differ only in their values. They form a unit, and what is
compared is decided per unit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX, is_of_sample
from macmeter.catalog.terms import Value
from macmeter.questions.grouped import Grouped, Ints
from macmeter.questions.groups import Bools, Group
from macmeter.results.dataset.relations import month_text
from macmeter.results.dataset.snapshot import Columns
from macmeter.statistics.numbering import combination_ranks, distinct, ranks

# Dimensions that distinguish kinds of storage.
_OF_STORAGE = {name for name, d in catalog.DIMENSIONS.items() if "storage" in {name, *d.tells}}
# The values of codes, and the code of each setup or series.
_Coded = tuple[list[Any], Ints]


@dataclass(frozen=True, eq=False)
class Results:
    """Results of two groups from named machines: N rows in U units."""

    over: Group
    under: Group
    compared: frozenset[str]

    @cached_property
    def _rows(self) -> tuple[Columns, Columns]:
        return _results_of(self.over), _results_of(self.under)

    @cached_property
    def _all_rows(self) -> Columns:
        over, under = self._rows
        return {name: np.concatenate([over[name], under[name]]) for name in _NAMES}

    @cached_property
    def values(self) -> Any:
        """Value of each row."""
        return self._all_rows["value"]

    @cached_property
    def runs(self) -> Any:
        """Number of each row's run."""
        return self._all_rows["run"]

    @cached_property
    def series(self) -> Any:
        """Series of each row."""
        return self._all_rows["series"]

    @cached_property
    def prints_several(self) -> bool:
        """Whether a side has unlike printed figures, whose median nobody printed."""
        values = (rows["value"] for rows in self._rows)
        return self.over.is_published and any(len(np.unique(column)) > 1 for column in values)

    @cached_property
    def _units(self) -> tuple[Ints, Ints]:
        """An example row of each unit, and the unit of each row."""
        sides = np.repeat([1, 0], [len(rows["value"]) for rows in self._rows])
        names = ("owner", "place", "series", "month", "device", "holder")
        columns = [sides, *(self._all_rows[name] for name in names)]
        return distinct(combination_ranks(columns))

    @property
    def unit(self) -> Ints:
        """Unit of each row."""
        return self._units[1]

    def _unit_column(self, name: str) -> Any:
        return self._all_rows[name][self._units[0]]

    @cached_property
    def is_over(self) -> Bools:
        """Whether each unit belongs to `over`."""
        return self._units[0] < len(self._rows[0]["value"])

    @cached_property
    def owner(self) -> Ints:
        """Machine of each unit, numbered from 0."""
        return ranks(self._unit_column("owner"))

    @cached_property
    def model(self) -> Ints:
        """Number of each unit's model; -1 if it isn't stated."""
        values, codes = self._setup_codes("model", determines=False)
        numbers = np.array([-1 if value is None else n for n, value in enumerate(values)])
        models: Ints = numbers.astype(np.int64)[codes[self._setup]]
        return models

    @cached_property
    def drive(self) -> Ints:
        """Drive of each unit: one of a machine's, or the holder of a guest's disk."""
        return combination_ranks([self._unit_column("device"), self._unit_column("holder")])

    @cached_property
    def _setup(self) -> Ints:
        setup: Ints = self._unit_column("place")
        return setup

    @property
    def share_machines(self) -> bool:
        """Whether a machine has results on both sides."""
        shared = np.intersect1d(self.over.machine_numbers, self.under.machine_numbers)
        return bool(shared.size)

    def codes(self, name: str, *, determines: bool = False) -> Ints:
        """Return a code for each unit, equal for equal values of that dimension; with `determines`,
        a single code wherever the dimension doesn't affect the metric.
        """
        if name == "month":
            months: Ints = self._unit_column("month").astype(np.int64)
            return months
        if is_of_sample(name):
            codes: Ints = self._series_codes(name)[1][self._unit_column("series")]
            return codes
        return self._setup_codes(name, determines=determines)[1][self._setup]

    def _series_codes(self, name: str) -> _Coded:
        sides = self.over.grouped.selection.series, self.under.grouped.selection.series
        values = {n: entry.parameter(name) for side in sides for n, entry in side.items()}
        unique = list(dict.fromkeys(values.values()))
        codes = np.zeros(max(values, default=0) + 1, dtype=np.int64)
        codes[[*values]] = [unique.index(value) for value in values.values()]
        return unique, codes

    def _setup_codes(self, name: str, *, determines: bool) -> _Coded:
        """Return coded values, after mapping those that count as others."""

        def read(grouped: Grouped) -> _Coded:
            snapshot = grouped.selection.snapshot
            is_conditional = determines and name in DETERMINES_WHERE
            coded = snapshot.setups.determinants if is_conditional else snapshot.values
            codes, values = coded("labels" if name == ANY_LABEL else name)
            unique: dict[Any, int] = {}
            mapped = [unique.setdefault(self._like(name, value), len(unique)) for value in values]
            return [*unique], np.array(mapped, dtype=np.int64)[codes]

        return self.over.grouped.cached(read, ("like", name, determines, self.compared))

    def _like(self, name: str, value: Any) -> Any:
        """Return the value that this one counts as when kinds of storage are compared."""
        if name == ANY_LABEL:
            return tuple(label for label in value if LABEL_PREFIX + label[0] not in self.compared)
        dimension = catalog.DIMENSIONS.get(name)
        if dimension is None or not self.compared & _OF_STORAGE:
            return value
        return dimension.alike_across.get(value, value)

    def values_of(self, name: str, chosen: Bools) -> list[Value]:
        """Return the dimension's values in these units, as stated; None (not stated) is last."""
        if name == "month":
            months = np.unique(self.codes(name)[chosen]).tolist()
            return [month_text(month) if month else None for month in months]
        if is_of_sample(name):
            values, value_codes = self._series_codes(name)
            codes = value_codes[self._unit_column("series")]
        elif name == ANY_LABEL:
            values, value_codes = self._setup_codes(name, determines=False)
            codes = value_codes[self._setup]
        else:
            value_codes, values = self.over.grouped.selection.snapshot.values(name)
            codes = value_codes[self._setup]
        stated = {_written(values[code]) for code in np.unique(codes[chosen]).tolist()}
        return sorted(stated, key=lambda value: (value is None, value))


def _results_of(group: Group) -> Columns:
    """Return a group's results with named machines."""

    def read(grouped: Grouped) -> dict[int, Columns]:
        return grouped.split(grouped.selection.results())

    results_by_group: dict[int, Columns] = group.grouped.cached(read, "results")
    return results_by_group.get(group.number, _NOTHING)


_NAMES = ("value", "owner", "place", "series", "device", "holder", "month", "run")
_NOTHING: Columns = {
    name: np.zeros(0, dtype=np.float64 if name == "value" else np.int64) for name in _NAMES
}


def _written(value: Any) -> Value:
    """Format a value for readers; labels as a list of all that are stated."""
    if isinstance(value, tuple):
        return ", ".join(f"{name} {text}" for name, text in value) or None
    plain: Value = value
    return plain
