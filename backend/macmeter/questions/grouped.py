"""All results of one metric under some filters, divided into groups: one question for all of them.

Everything is asked for all groups of a metric at once, when somebody first wants it.

What a group pools that is unlike are the determinants of its metric with several values in it. A
setting is one value of each determinant that a question leaves open. Only what is stated counts,
except for the dimensions of which nothing stated is a value of its own.
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
from macmeter.results.dataset.found import SPLIT, Found
from macmeter.results.dataset.relations import month_text
from macmeter.results.dataset.setups import RESULTS, Results, dense
from macmeter.results.dataset.single import values_in_time
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.summing import numbered, occurring
from macmeter.schemas.answer import Mix

T = TypeVar("T")
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Key:
    """What tells a group from another: the asked dimensions, and what never mixes."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


class Grouped:
    """All results of one metric under some filters, by group: G groups of M machines in all."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._kept: dict[Hashable, Any] = {}
        self._values: dict[int, Floats] = {}
        self._in_time: dict[int, Columns] = {}
        self._determinants: dict[str, list[set[Any]]] = {}
        every = found.machines()
        group, self.figures = _numbered([every[name] for name in found.figure])
        self._numbers = {of: number for number, of in enumerate(self.figures)}
        order = np.lexsort((every["owner"], every["unspecified"], group))
        self.machines: Columns = {name: of[order] for name, of in every.items()}
        """By group, those that are named first, and by their numbers."""
        of_group, is_named = group[order], ~self.machines["unspecified"].astype(bool)
        count = len(self.figures)
        sizes = np.bincount(of_group, minlength=count)
        self.ends = [0, *np.cumsum(sizes).tolist()]
        self.named = np.bincount(of_group[is_named], minlength=count).tolist()
        """How many of each group's machines are named."""

    def kept(self, make: Callable[[Grouped], T], key: Hashable = None) -> T:
        """What `make` finds, found once; with a key where what it finds depends on more."""
        key = key or make
        if key not in self._kept:
            self._kept[key] = make(self)
        found: T = self._kept[key]
        return found

    def determinants(self, name: str) -> list[set[Any]]:
        """Values of a determinant of runs by side of a group; after a sign those of any dimension
        of setups, and of "label:*" all labels.
        """
        if name in self._determinants:
            return self._determinants[name]
        data, (sides, places, _) = self.found.snapshot, self.kept(setups_of)
        if name.startswith("=") or name == ANY_LABEL:
            codes, values = data.values("labels" if name == ANY_LABEL else name[1:])
        else:
            codes, values = data.setups.determinants(name)
        listed: list[set[Any]] = [set() for _ in range(2 * len(self.figures))]
        pairs = occurring(sides * len(values) + codes[places], len(listed) * len(values))
        for pair in pairs.tolist():
            side, code = divmod(pair, len(values))
            listed[side].add(values[code])
        self._determinants[name] = listed
        return listed

    def split(self, every: Columns) -> dict[int, Columns]:
        """Rows by group."""
        of_group, figures = _numbered([every[name] for name in self.found.figure])
        order = np.argsort(of_group, kind="stable")
        ends = np.cumsum(np.bincount(of_group, minlength=len(figures)))
        parts = np.split(order, ends[:-1])
        return {
            self.number(figure): {name: of[part] for name, of in every.items()}
            for figure, part in zip(figures, parts, strict=True)
        }

    def read_values(self, groups: Iterable[int]) -> None:
        """Read the values of these groups, with one question."""
        missing = [number for number in groups if number not in self._values]
        if not missing:
            return
        every = self.found.values([self.figures[number] for number in missing])
        of_group, figures = _numbered([every[name] for name in self.found.figure])
        ends = np.cumsum(np.bincount(of_group, minlength=len(figures)))
        for figure, values in zip(figures, np.split(every["value"], ends[:-1]), strict=True):
            self._values[self.number(figure)] = values

    def read_in_time(self, groups: Iterable[int]) -> None:
        """Read the values of these groups from the first run to the last, with one question."""
        missing = [number for number in groups if number not in self._in_time]
        if missing:
            every = values_in_time(self.found, [self.figures[number] for number in missing])
            self._in_time |= self.split(every)

    def in_time(self, number: int, machine: int) -> Floats:
        """The values of the group's machine at that place, from the first run to the last."""
        self.read_in_time([number])
        of_group = self._in_time[number]
        is_own = of_group["owner"] == self.machines["owner"][machine]
        is_own &= of_group["unspecified"] == self.machines["unspecified"][machine]
        found: Floats = of_group["value"][is_own]
        return found

    def values_of(self, number: int, start: int, end: int) -> Floats:
        """A group's values of the machines between these places, by machine and size."""
        self.read_values([number])
        first = self.ends[number]
        ends = np.cumsum(self.machines["results"][first:end])
        before = int(ends[start - first - 1]) if start > first else 0
        return self._values[number][before : int(ends[-1]) if len(ends) else 0]

    def sides(self, every: Columns) -> Ints:
        """The number of each row's side: of its group, what is named or what is not."""
        of_rows, figures = _numbered([every[name] for name in self.found.figure])
        numbers: Ints = np.fromiter(map(self.number, figures), np.int64)[of_rows]
        return 2 * numbers + every["unspecified"]

    def number(self, figure: Sequence[int]) -> int:
        return self._numbers[tuple(figure)]

    def by_side(self, rows: Iterable[tuple[Any, ...]]) -> dict[int, list[Any]]:
        """What follows a figure and `unspecified` in rows, by the number of its group's side."""
        width = len(self.found.figure)
        found: dict[int, list[Any]] = {}
        for row in rows:
            side = 2 * self.number(row[:width]) + row[width]
            found.setdefault(side, []).append(row[width + 1 :])
        return found

    def keys(self) -> list[Key]:
        """The key of each group."""
        found = self.found
        kinds = {number: found.kind(number) for number in {figure[1] for figure in self.figures}}
        parts = [*found.parts]
        of_samples = [name for name in found.by if catalog.is_of_sample(name)]
        machines = {}
        if "machine" in found.by:
            place = found.figure.index("machine")
            machines = found.snapshot.machine_ids(
                {figure[place] for figure in self.figures}, found.asked_scope
            )
        listed = []
        for figure in self.figures:
            of = dict(zip(found.figure, figure, strict=True))
            values = {**kinds[of["kind"]], **dict(zip(of_samples, parts[of["part"]], strict=True))}
            if "month" in of:
                values["month"] = month_text(of["month"]) if of["month"] else None
            if "machine" in of:
                values["machine"] = str(machines[of["machine"]])
            by = tuple(values[name] for name in found.by)
            published, method, version = (values[name] for name in SPLIT)
            assert isinstance(method, str)
            assert isinstance(version, int)
            listed.append(Key(by, bool(published), method, version))
        return listed


def _numbered(columns: Sequence[Ints]) -> tuple[Ints, list[tuple[int, ...]]]:
    """Number the distinct rows of all columns, in order, and return what they are."""
    examples, numbers = dense(numbered(columns))
    figures = zip(*(column[examples].tolist() for column in columns), strict=True)
    return numbers, [*figures]


def results_of(grouped: Grouped) -> list[list[tuple[Results, int]]]:
    """What each group's runs have, and how many results: of named machines, and of others."""
    codes, values = grouped.found.snapshot.setups.values(RESULTS)
    sides, places, every = grouped.kept(setups_of)
    pairs, own = np.unique(sides * len(values) + codes[places], return_inverse=True)
    sums = np.bincount(own, weights=every["results"]).astype(np.int64)
    listed: list[list[tuple[Results, int]]] = [[] for _ in range(2 * len(grouped.figures))]
    for pair, count in zip(pairs.tolist(), sums.tolist(), strict=True):
        side, code = divmod(pair, len(values))
        listed[side].append((values[code], count))
    return listed


# By group's side: S numbers.
Sums = dict[str, list[float]]


def sums_of(grouped: Grouped) -> Sums:
    """What `Found.setups` counts and adds up for each group: of named machines, and of others."""
    sides, _, every = grouped.kept(setups_of)
    names = ("samples", "several", "low", "high", "squares")
    count = 2 * len(grouped.figures)
    return {
        name: np.bincount(sides, weights=every[name], minlength=count).tolist() for name in names
    }


def setups_of(grouped: Grouped) -> tuple[Ints, Ints, Columns]:
    """Rows of a group's side and a setup: the side's number, the setup's place, and what is
    counted.
    """
    every = grouped.found.setups()
    return grouped.sides(every), every["place"], every


_ABSENCE_COUNTS = frozenset(catalog.having(Trait.ABSENCE_COUNTS))
# One value of each determinant that a question leaves open.
Setting = Mapping[str, Value]
# Values by determinant, in the catalogue's order.
Values = dict[str, set[Value]]


def open_determinants(metric: str, by: Sequence[str]) -> tuple[str, ...]:
    """Those that groups by these dimensions may pool several values of."""
    return tuple(name for name in catalog.METRICS[metric].determinants if name not in by)


def values_of(settings: Iterable[Setting]) -> Values:
    """The values that count, by determinant; one without any is left out."""
    found: Values = {}
    for setting in settings:
        for name, value in setting.items():
            found.setdefault(name, set()).add(value)
    return stated(found)


def stated(values: Values) -> Values:
    """The values that count, in the same order; a determinant without any is left out."""
    found = {
        name: of_name if name in _ABSENCE_COUNTS else of_name - {None}
        for name, of_name in values.items()
    }
    return {name: of_name for name, of_name in found.items() if of_name}


def mixes_of(values: Values) -> list[Mix]:
    """`[{"dimension", "count"}]` of the determinants with several values."""
    return [
        {"dimension": name, "count": len(found)} for name, found in values.items() if len(found) > 1
    ]


def digest_of(values: Values) -> str:
    """Eight characters that are equal where the same values are pooled: a line may join those."""
    return _digest(
        tuple((name, tuple(sorted(map(_written, found)))) for name, found in sorted(values.items()))
    )


@lru_cache(maxsize=1024)
def _digest(told: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:8]


@lru_cache(maxsize=1024, typed=True)
def _written(value: Value) -> str:
    return json.dumps(value)


def in_words(mixes: Iterable[Mix]) -> str:
    """ "12 chips, 2 image formats and 2 power modes"."""
    parts = [f"{mix['count']} {_counted(mix['dimension'])}" for mix in mixes]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _counted(name: str) -> str:
    dimension = catalog.dimension(name)
    return dimension.counted if dimension else name
