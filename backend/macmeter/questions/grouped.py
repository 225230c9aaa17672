"""All results of one metric under some filters, divided into groups.

Data is read lazily, for all groups of a metric at once.

A group pools unlike results if a determinant of its metric has several values in it. A setting is
one value of each determinant that a question leaves open. Only stated values count, except for
dimensions whose absence is a value of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, Trait
from macmeter.catalog.terms import Value
from macmeter.results.dataset.properties import values_in_time_order
from macmeter.results.dataset.relations import month_text
from macmeter.results.dataset.selection import SPLIT, Selection
from macmeter.results.dataset.setups import RESULTS, Results
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.summing import occurring
from macmeter.schemas.answer import Mix
from macmeter.statistics.numbering import combination_ranks, distinct

T = TypeVar("T")
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Key:
    """Identity of a group: values of the grouped dimensions, and what is never mixed."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


class Grouped:
    """All results of one metric under some filters, by group: G groups with M machines in all."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self._cache: dict[Hashable, Any] = {}
        self._values: dict[int, Floats] = {}
        self._in_time_order: dict[int, Columns] = {}
        self._determinants: dict[str, list[set[Any]]] = {}
        rows = selection.machines()
        numbers, self.figure_ids = _numbered([rows[name] for name in selection.figure_columns])
        self._numbers = {figure: number for number, figure in enumerate(self.figure_ids)}
        order = np.lexsort((rows["owner"], rows["unspecified"], numbers))
        self.machines: Columns = {name: column[order] for name, column in rows.items()}
        """Machines by group, named ones first, then by number."""
        ordered_numbers, is_named = numbers[order], ~self.machines["unspecified"].astype(bool)
        count = len(self.figure_ids)
        sizes = np.bincount(ordered_numbers, minlength=count)
        self.ends = [0, *np.cumsum(sizes).tolist()]
        self.named_counts = np.bincount(ordered_numbers[is_named], minlength=count).tolist()
        """Number of named machines in each group."""

    def cached(self, make: Callable[[Grouped], T], key: Hashable = None) -> T:
        """Return the cached result of `make`; `key` is needed if it depends on other values."""
        key = key or make
        if key not in self._cache:
            self._cache[key] = make(self)
        result: T = self._cache[key]
        return result

    def determinants(self, name: str) -> list[set[Any]]:
        """Return the values of a determinant of runs by half; "=NAME" gives any dimension of
        setups, "label:*" all labels.
        """
        if name in self._determinants:
            return self._determinants[name]
        data, (halves, setups, _) = self.selection.snapshot, self.cached(setups_of)
        if name.startswith("=") or name == ANY_LABEL:
            codes, values = data.values("labels" if name == ANY_LABEL else name[1:])
        else:
            codes, values = data.setups.determinants(name)
        listed: list[set[Any]] = [set() for _ in range(2 * len(self.figure_ids))]
        pairs = occurring(halves * len(values) + codes[setups], len(listed) * len(values))
        for pair in pairs.tolist():
            half, code = divmod(pair, len(values))
            listed[half].add(values[code])
        self._determinants[name] = listed
        return listed

    def split(self, rows: Columns) -> dict[int, Columns]:
        """Divide rows by group."""
        numbers, figures = _numbered([rows[name] for name in self.selection.figure_columns])
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=len(figures)))
        splits = np.split(order, ends[:-1])
        return {
            self.number(figure): {name: column[indices] for name, column in rows.items()}
            for figure, indices in zip(figures, splits, strict=True)
        }

    def read_values(self, groups: Iterable[int]) -> None:
        """Read the values of these groups in one query."""
        missing = [number for number in groups if number not in self._values]
        if not missing:
            return
        rows = self.selection.values([self.figure_ids[number] for number in missing])
        numbers, figures = _numbered([rows[name] for name in self.selection.figure_columns])
        ends = np.cumsum(np.bincount(numbers, minlength=len(figures)))
        for figure, values in zip(figures, np.split(rows["value"], ends[:-1]), strict=True):
            self._values[self.number(figure)] = values

    def read_in_time_order(self, groups: Iterable[int]) -> None:
        """Read the values of these groups in order of time in one query."""
        missing = [number for number in groups if number not in self._in_time_order]
        if missing:
            rows = values_in_time_order(
                self.selection, [self.figure_ids[number] for number in missing]
            )
            self._in_time_order |= self.split(rows)

    def values_in_time_order(self, number: int, machine: int) -> Floats:
        """Return the values of the group's machine at that place, in order of time."""
        self.read_in_time_order([number])
        rows = self._in_time_order[number]
        is_machine = rows["owner"] == self.machines["owner"][machine]
        is_machine &= rows["unspecified"] == self.machines["unspecified"][machine]
        values: Floats = rows["value"][is_machine]
        return values

    def values_of(self, number: int, start: int, end: int) -> Floats:
        """Return a group's values of the machines between these places, by machine and size."""
        self.read_values([number])
        first = self.ends[number]
        ends = np.cumsum(self.machines["results"][first:end])
        before = int(ends[start - first - 1]) if start > first else 0
        return self._values[number][before : int(ends[-1]) if len(ends) else 0]

    def halves(self, rows: Columns) -> Ints:
        """Return each row's half: a group's named machines are one, unspecified ones another."""
        indices, figures = _numbered([rows[name] for name in self.selection.figure_columns])
        numbers: Ints = np.fromiter(map(self.number, figures), np.int64)[indices]
        return 2 * numbers + rows["unspecified"]

    def number(self, figure: Sequence[int]) -> int:
        return self._numbers[tuple(figure)]

    def by_group(self, rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
        """Divide rows that begin with their figure by group; return what follows it."""
        width = len(self.selection.figure_columns)
        rows_by_group: dict[int, list[tuple[Any, ...]]] = {}
        for row in rows:
            rows_by_group.setdefault(self.number(row[:width]), []).append(row[width:])
        return rows_by_group

    def by_half(self, rows: Iterable[tuple[Any, ...]]) -> dict[int, list[Any]]:
        """Group rows by half; return what follows each row's figure and `unspecified`."""
        width = len(self.selection.figure_columns)
        rows_by_half: dict[int, list[Any]] = {}
        for row in rows:
            half = 2 * self.number(row[:width]) + row[width]
            rows_by_half.setdefault(half, []).append(row[width + 1 :])
        return rows_by_half

    def keys(self) -> list[Key]:
        """Return the key of each group."""
        selection = self.selection
        kinds = {
            number: selection.kind(number) for number in {figure[1] for figure in self.figure_ids}
        }
        parts = [*selection.parts]
        params = [name for name in selection.by if catalog.is_of_sample(name)]
        machines = {}
        if "machine" in selection.by:
            index = selection.figure_columns.index("machine")
            machines = selection.snapshot.machine_ids(
                {figure[index] for figure in self.figure_ids}, selection.needed_scope
            )
        listed = []
        for figure in self.figure_ids:
            ids = dict(zip(selection.figure_columns, figure, strict=True))
            values = {**kinds[ids["kind"]], **dict(zip(params, parts[ids["part"]], strict=True))}
            if "month" in ids:
                values["month"] = month_text(ids["month"]) if ids["month"] else None
            if "machine" in ids:
                values["machine"] = str(machines[ids["machine"]])
            by = tuple(values[name] for name in selection.by)
            published, method, version = (values[name] for name in SPLIT)
            assert isinstance(method, str)
            assert isinstance(version, int)
            listed.append(Key(by, bool(published), method, version))
        return listed


def _numbered(columns: Sequence[Ints]) -> tuple[Ints, list[tuple[int, ...]]]:
    """Number the distinct rows of all columns in order, and return these."""
    examples, numbers = distinct(combination_ranks(columns))
    figures = zip(*(column[examples].tolist() for column in columns), strict=True)
    return numbers, [*figures]


def results_of(grouped: Grouped) -> list[list[tuple[Results, int]]]:
    """Return, by half, kinds of runs with their number of results."""
    codes, values = grouped.selection.snapshot.setups.values(RESULTS)
    halves, setups, rows = grouped.cached(setups_of)
    pairs, indices = np.unique(halves * len(values) + codes[setups], return_inverse=True)
    sums = np.bincount(indices, weights=rows["results"]).astype(np.int64)
    listed: list[list[tuple[Results, int]]] = [[] for _ in range(2 * len(grouped.figure_ids))]
    for pair, count in zip(pairs.tolist(), sums.tolist(), strict=True):
        half, code = divmod(pair, len(values))
        listed[half].append((values[code], count))
    return listed


# Sums by column: a number for each half.
Sums = dict[str, list[float]]


def sums_of(grouped: Grouped) -> Sums:
    """Return the sums of `Selection.setups` by half."""
    halves, _, rows = grouped.cached(setups_of)
    names = ("samples", "several", "low", "high", "squares")
    count = 2 * len(grouped.figure_ids)
    return {
        name: np.bincount(halves, weights=rows[name], minlength=count).tolist() for name in names
    }


def setups_of(grouped: Grouped) -> tuple[Ints, Ints, Columns]:
    """Return rows of a half and a setup: the half's number, the setup's place, and the counts."""
    rows = grouped.selection.setups()
    return grouped.halves(rows), rows["place"], rows


_ABSENCE_COUNTS = frozenset(catalog.having(Trait.ABSENCE_COUNTS))
# One value of each determinant that a question leaves open.
Setting = Mapping[str, Value]
# Values by determinant, in catalogue order.
Values = dict[str, set[Value]]


def open_determinants(metric: str, by: Sequence[str]) -> tuple[str, ...]:
    """Return the determinants of which groups by these dimensions may pool several values."""
    return tuple(name for name in catalog.METRICS[metric].determinants if name not in by)


def values_of(settings: Iterable[Setting]) -> Values:
    """Return the values that count by determinant, without those that have none."""
    values: Values = {}
    for setting in settings:
        for name, value in setting.items():
            values.setdefault(name, set()).add(value)
    return stated(values)


def stated(values: Values) -> Values:
    """Return the values that count in the same order, without determinants that have none."""
    stated_values = {
        name: name_values if name in _ABSENCE_COUNTS else name_values - {None}
        for name, name_values in values.items()
    }
    return {name: name_values for name, name_values in stated_values.items() if name_values}


def mixes_of(values: Values) -> list[Mix]:
    """Return `[{"dimension", "count"}]` of the determinants with several values."""
    return [
        {"dimension": name, "count": len(each)} for name, each in values.items() if len(each) > 1
    ]


def digest_of(values: Values) -> str:
    """Return eight characters, equal for equal pooled values: lines may join such groups."""
    return _digest(
        tuple((name, tuple(sorted(map(_as_json, each)))) for name, each in sorted(values.items()))
    )


@lru_cache(maxsize=1024)
def _digest(values: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:8]


@lru_cache(maxsize=1024, typed=True)
def _as_json(value: Value) -> str:
    return json.dumps(value)


def format_mixes(mixes: Iterable[Mix]) -> str:
    """Format "12 chips, 2 image formats and 2 power modes"."""
    texts = [f"{mix['count']} {_counted(mix['dimension'])}" for mix in mixes]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def _counted(name: str) -> str:
    dimension = catalog.dimension(name)
    return dimension.counted if dimension else name
