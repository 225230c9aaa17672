"""In what two groups are made alike, and in what they differ all the same.

What else than the compared moves a figure is held equal: results are divided into strata that are
alike in it, and only strata that both groups share count. A dimension of which they share no value
can't be held: it is confounded with what is compared, and is named. Which ones are held follows
from who measured what, never from the values measured: no interval is the worse for the choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX, Trait, is_of_sample
from macmeter.dataset.relations import month_text
from macmeter.dataset.snapshot import Columns
from macmeter.dataset.summing import numbered
from macmeter.queries.grouped import Grouped, Ints
from macmeter.queries.groups import Bools, Group
from macmeter.stats.intervals import MINIMUM
from macmeter.stats.strata import chance_of_association, chance_of_disjoint, fewest_machines
from macmeter.terms import Value

# Where chance alone seldom divides a dimension so, it is held equal at the cost of machines, where
# it changes the metric; or named, where it can't be held. About ten are looked at: of these one
# would be named by chance in one comparison of 20.
_UNEQUAL = 0.05
_NAMED = 0.005
# What holds nothing together that must be held may cost so much of what strata can say.
_KEPT = 0.75
_ABSENCE_MEANS = (Trait.OPTIONAL, Trait.ABSENCE_COUNTS)
_KINDS_OF_STORAGE = frozenset({"storage", "device", "enclosure", "link_speed", "via"})


def differs_by_nature(name: str, compared: Collection[str]) -> bool:
    """Whether what is compared leaves no choice of `name`, or hardly any."""
    dimension = catalog.dimension(name)
    return dimension is not None and not (dimension.settles | dimension.tells).isdisjoint(compared)


def candidates(metric: str, compared: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What changes the metric, and what else may be different where a reader did not think of it:
    in the order in which it is held equal.
    """
    determinants = catalog.METRICS[metric].determinants
    others = ("model", "device", *catalog.having(Trait.WATCHED), "month")

    def open_(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            name
            for name in dict.fromkeys(names)
            if name not in compared and not differs_by_nature(name, compared)
        )

    conditional = {name: catalog.DETERMINES_WHERE.get(name) for name in determinants}
    always = [name for name, where in conditional.items() if where is None]
    must = [name for name, where in conditional.items() if not where or where[0] not in compared]
    return open_(must), open_(name for name in others if name not in always)


@dataclass(frozen=True)
class Likened:
    """N results of two groups, of which those that count are in strata of both."""

    results: Results
    strata: Ints
    """The stratum of each result; -1 where only one group has it."""
    held: tuple[str, ...]
    """What is equal within strata, of what was not equal before."""
    unlike: tuple[str, ...]
    """In what the two differ all the same."""

    @cached_property
    def counts(self) -> Bools:
        found: Bools = self.strata >= 0
        return found

    @property
    def holds_all(self) -> bool:
        """Whether it changes nothing: there is one stratum, and everything is in it."""
        return not self.strata.any()

    @property
    def count(self) -> int:
        """How many strata there are."""
        return len(np.unique(self.strata[self.counts]))

    def machines(self, *, over: bool) -> int:
        """How many machines one side has in its strata."""
        side = self.results.is_over == over
        return len(np.unique(self.results.owner[self.counts & side]))


@dataclass(frozen=True, eq=False)
class Results:
    """The results of two groups whose machines are named: N rows."""

    over: Group
    under: Group
    compared: frozenset[str]
    _codes: dict[tuple[str, bool], tuple[Ints, list[Any]]] = field(default_factory=dict)

    @cached_property
    def _rows(self) -> tuple[Columns, Columns]:
        return results_of(self.over), results_of(self.under)

    def _both(self, name: str) -> Any:
        over, under = self._rows
        return np.concatenate([over[name], under[name]])

    @cached_property
    def is_over(self) -> Bools:
        sizes = [len(rows["value"]) for rows in self._rows]
        return np.repeat([True, False], sizes)

    @cached_property
    def owner(self) -> Ints:
        owner: Ints = self._both("owner")
        return owner

    @property
    def share_machines(self) -> bool:
        """Whether a machine has results on both sides."""
        both = np.intersect1d(self.over.machine_numbers, self.under.machine_numbers)
        return bool(both.size)

    @cached_property
    def values(self) -> Any:
        return self._both("value")

    @cached_property
    def runs(self) -> Any:
        """A number for each run."""
        return self._both("run")

    @cached_property
    def _place(self) -> Ints:
        place: Ints = self._both("place")
        return place

    @cached_property
    def drive(self) -> Ints:
        """A number for each drive: of a machine that has several, of what holds a guest's disk."""
        return numbered([self._both("device"), self._both("holder")])

    def codes(self, name: str, *, determines: bool = False) -> Ints:
        """By result a code, the same where that dimension has the same value; with `determines`
        one code wherever it does not change the metric.
        """
        return self._coded(name, determines=determines)[0]

    def _coded(self, name: str, *, determines: bool) -> tuple[Ints, list[Any]]:
        key = (name, determines and name in DETERMINES_WHERE)
        if key not in self._codes:
            self._codes[key] = self._read(*key)
        return self._codes[key]

    def _read(self, name: str, determines: bool) -> tuple[Ints, list[Any]]:
        if name == "month":
            months: Ints = self._both("month").astype(np.int64)
            return months, []
        found = self.over.grouped.found
        if is_of_sample(name):
            series = self._both("series")
            every = {**found.series, **self.under.grouped.found.series}
            known: dict[Value, int] = {}
            of = {n: known.setdefault(one.parameter(name), len(known)) for n, one in every.items()}
            lookup = np.zeros(max(of, default=0) + 1, dtype=np.int64)
            lookup[[*of]] = [*of.values()]
            return lookup[series], [*known]
        snapshot = found.snapshot
        coded = snapshot.setups.determinants if determines else snapshot.values
        codes, values = coded("labels" if name == ANY_LABEL else name)
        like = [self._like(name, value) for value in values]
        numbers: dict[Any, int] = {}
        own = np.array([numbers.setdefault(of, len(numbers)) for of in like], dtype=np.int64)
        return own[codes][self._place], [*numbers]

    def _like(self, name: str, value: Any) -> Any:
        """What a value counts as: another one where kinds of storage are compared."""
        if name == ANY_LABEL:
            return tuple(of for of in value if LABEL_PREFIX + of[0] not in self.compared)
        dimension = catalog.DIMENSIONS.get(name)
        if dimension is None or not self.compared & _KINDS_OF_STORAGE:
            return value
        return dimension.alike_across.get(value, value)

    def values_of(self, name: str, chosen: Bools) -> list[Value]:
        """The values of a dimension among these results; None, last: not stated."""
        if name == "month":
            months = np.unique(self.codes(name)[chosen]).tolist()
            return [month_text(month) if month else None for month in months]
        if is_of_sample(name) or name == ANY_LABEL:
            codes, values = self._coded(name, determines=False)
        else:
            # As stated, whatever it counts as.
            of_setups, values = self.over.grouped.found.snapshot.values(name)
            codes = of_setups[self._place]
        told = {_written(values[code]) for code in np.unique(codes[chosen]).tolist()}
        return sorted(told, key=lambda value: (value is None, value))

    def likened(self, base: Ints, must: Iterable[str], may: Iterable[str]) -> Likened:
        """Within strata that `base` numbers, as alike as can be: in what `must` be held where the
        two share it at all, and in what `may` be where that costs little.
        """
        return _Likening(self, base).run(must, may)


class _Likening:
    def __init__(self, results: Results, base: Ints) -> None:
        self.results = results
        self.strata = base
        self.held: list[str] = []
        self.unlike: list[str] = []
        self._keep_shared(base)

    def run(self, must: Iterable[str], may: Iterable[str]) -> Likened:
        self._floor = 0.0
        for name in must:
            self._look_at(name, is_needed=True)
        self._floor = _KEPT * self._information(self.strata)
        for name in may:
            self._look_at(name, is_needed=False)
        counts = self.strata >= 0
        self.strata[counts] = numbered([self.strata[counts]])
        return Likened(self.results, self.strata, tuple(self.held), tuple(self.unlike))

    def _keep_shared(self, strata: Ints) -> None:
        self.strata = np.where(self._shared(strata), strata, -1)

    def _look_at(self, name: str, *, is_needed: bool) -> None:
        counts = self.strata >= 0
        if not counts.any():
            return
        codes = self.results.codes(name, determines=is_needed)
        if name in self.unlike or len(np.unique(codes[counts])) == 1:
            return
        finer = np.full(len(codes), -1, dtype=np.int64)
        finer[counts] = numbered([self.strata[counts], codes[counts]])
        shared = self._shared(finer)
        if shared.any() and self._is_worth(name, finer, shared, is_needed=is_needed):
            self.held.append(name)
            self.strata = np.where(shared, finer, -1)
        elif not shared.any() and self._is_named(name, finer, is_needed=is_needed):
            self.unlike.append(name)

    def _is_worth(self, name: str, finer: Ints, shared: Bools, *, is_needed: bool) -> bool:
        """Whether it is held; where it is not and chance alone would hardly do, it is named."""
        if shared[self.strata >= 0].all():
            return True
        is_over, owner = self.results.is_over, self.results.owner
        fewest = fewest_machines(is_over[self.strata >= 0], owner[self.strata >= 0])
        if is_needed and fewest < MINIMUM:
            return True
        chance = self._chance_of_association(name)
        if is_needed and chance < _UNEQUAL:
            return True
        allows_interval = fewest_machines(is_over[shared], owner[shared]) >= MINIMUM
        if chance < _NAMED:
            if not allows_interval:
                self.unlike.append(name)
            return allows_interval
        kept = self._information(np.where(shared, finer, -1))
        least = max(self._floor, _KEPT * self._information(self.strata) * is_needed)
        return kept >= least and (allows_interval or fewest < MINIMUM)

    def _is_named(self, name: str, finer: Ints, *, is_needed: bool) -> bool:
        """Whether both having no value in common is more than chance; and more than silence, where
        it does not change the metric.
        """
        units = self._units(finer)
        if not (is_needed or self._is_stated(name, units)):
            return False
        is_over = self.results.is_over[units]
        if fewest_machines(is_over, self.results.owner[units]) < MINIMUM:
            return True
        share = float(is_over.mean())
        within = np.bincount(finer[units])
        overall = np.bincount(numbered([self.results.codes(name)[units]]))
        chances = [chance_of_disjoint(within[within > 0], share)]
        if not self._overlap(name, units):
            chances.append(chance_of_disjoint(overall, share))
        return min(chances) < _UNEQUAL

    def _is_stated(self, name: str, units: Ints) -> bool:
        """Whether both sides state a value, where not stating one means nothing."""
        if name == "month" or any(catalog.has(name, trait) for trait in _ABSENCE_MEANS):
            return True
        rows = np.zeros(len(self.strata), dtype=bool)
        rows[units] = True
        is_over = self.results.is_over
        sides = (self.results.values_of(name, rows & side) for side in (is_over, ~is_over))
        return all(values != [None] for values in sides)

    def _overlap(self, name: str, units: Ints) -> bool:
        codes, is_over = self.results.codes(name)[units], self.results.is_over[units]
        return bool(np.intersect1d(codes[is_over], codes[~is_over]).size)

    def _chance_of_association(self, name: str) -> float:
        finer = numbered([self.strata + 1, self.results.codes(name)])
        units = self._units(np.where(self.strata >= 0, finer, -1))
        codes, is_over = self.results.codes(name)[units], self.results.is_over[units]
        return chance_of_association(codes, self.strata[units], is_over)

    def _units(self, strata: Ints) -> Ints:
        """A row for each machine of a side in a stratum."""
        counts = np.flatnonzero(strata >= 0)
        side = self.results.is_over[counts].astype(np.int64)
        own = numbered([side, strata[counts], self.results.owner[counts]])
        return counts[np.unique(own, return_index=True)[1]]

    def _shared(self, strata: Ints) -> Bools:
        """By result, whether both sides have its stratum."""
        size = int(strata.max(initial=-1)) + 2
        is_over = self.results.is_over
        both = np.bincount(strata[is_over] + 1, minlength=size) > 0
        both &= np.bincount(strata[~is_over] + 1, minlength=size) > 0
        both[0] = False
        found: Bools = both[strata + 1]
        return found

    def _information(self, strata: Ints) -> float:
        """What strata can say of a ratio, in machines: of each n m / (n + m)."""
        units = self._units(strata)
        is_over, of = self.results.is_over[units], strata[units]
        size = int(of.max(initial=0)) + 1
        over = np.bincount(of[is_over], minlength=size)
        under = np.bincount(of[~is_over], minlength=size)
        return float((over * under / np.maximum(over + under, 1)).sum())


def results_of(group: Group) -> Columns:
    """A group's results whose machines are named."""

    def read(grouped: Grouped) -> dict[int, Columns]:
        return grouped.split(grouped.found.results())

    kept: dict[int, Columns] = group.grouped.kept(read, "results")
    return kept.get(group.number, _NOTHING)


_NAMES = ("value", "owner", "place", "series", "device", "holder", "month", "run")
_NOTHING: Columns = {
    name: np.zeros(0, dtype=np.float64 if name == "value" else np.int64) for name in _NAMES
}


def _written(value: Any) -> Value:
    """A value for readers; of labels all that are stated."""
    if isinstance(value, tuple):
        return ", ".join(f"{name} {of}" for name, of in value) or None
    found: Value = value
    return found
