"""The groups of an answer before any statistics: whose values, how many, with which flags.

A group's rows are arrays, ordered by machine and value, so that twenty thousand machines cost no
more than their values' sorting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.columns.lot import Lot, Setting
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Floats, Small
from macmeter.columns.view import Part, View
from macmeter.queries.cost import require_few_groups
from macmeter.queries.mixes import Values, open_determinants, stated
from macmeter.queries.question import Question
from macmeter.reading.moment import Reading
from macmeter.stats.clusters import Clusters
from macmeter.stats.spread import Spread, spread_of
from macmeter.terms import Term, Value

# Groups of more runs than this are reached through the list of runs.
LINKED_RUNS = 8
# Published figures, methods and their versions never stand in one group.
_PUBLISHED = "published"
_SPLIT = (_PUBLISHED, "method", "method_version")
# Of single runs and not of their setups.
_OF_RUNS = ("machine", "month")


@dataclass(frozen=True)
class Key:
    """What tells a group from another: the asked dimensions, and what never mixes."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


@dataclass(frozen=True, eq=False)
class Group:
    """Results of one metric that stand in one figure: R rows by machine, U machines.

    What is unspecified is a machine of its own, even where other runs name the same: it may have
    been another one.
    """

    lot: Lot
    rows: Ints
    """Their places in the lot, ordered by machine and value."""
    by: tuple[str, ...] = ()
    """What it is grouped by: no part of its settings."""
    pairs: Sequence[tuple[int, int]] | None = None
    """`setups_of_series`, where that is known."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def view(self) -> View:
        return self.lot.view

    @cached_property
    def values(self) -> Floats:
        return self.lot.values[self.rows]

    @cached_property
    def runs(self) -> Ints:
        return self.lot.runs[self.rows]

    @cached_property
    def owners(self) -> Small:
        return self.lot.owners[self.rows]

    @property
    def machines(self) -> Small:
        """By row, the number of its machine."""
        return self.owners >> 1

    @property
    def unspecified(self) -> Bools:
        return (self.owners & 1).astype(bool)

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the columns' arrays of runs."""
        found: NDArray[Any] = self.lot.of_runs(name)[self.rows]
        return found

    @cached_property
    def setups(self) -> Ints:
        return self.lot.setups[self.rows]

    @cached_property
    def starts(self) -> Ints:
        """Where each machine's rows begin."""
        if not len(self.rows):
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([[0], np.flatnonzero(np.diff(self.owners)) + 1])

    @cached_property
    def clusters(self) -> Clusters:
        """Each machine's values, ascending."""
        return Clusters(self.values, np.diff(self.starts, append=len(self.rows)))

    @property
    def machine_values(self) -> Floats:
        """The median of each machine's values."""
        return self.clusters.medians

    @property
    def machine_numbers(self) -> Ints:
        return self.owners[self.starts] >> 1

    @property
    def machine_count(self) -> int:
        """Without what is unspecified."""
        return int((self.owners[self.starts] & 1 == 0).sum())

    @cached_property
    def distinct_runs(self) -> Ints:
        """One run may have several results here, where a parameter was left open."""
        return self.runs if self.lot.is_of_one_series else distinct([self.runs])

    @cached_property
    def run_ids(self) -> frozenset[bytes]:
        return frozenset(self.view.run_ids(self.distinct_runs))

    @property
    def most_runs_of_a_machine(self) -> int:
        if self.lot.is_of_one_series:
            return int(self.clusters.sizes.max())
        owners, _ = np.unique(np.stack([self.owners, self.runs]), axis=1)
        return int(np.bincount(owners).max())

    def only(self, mask: Bools) -> Group:
        """The rows where `mask` is true."""
        return Group(self.lot, self.rows[mask], self.by)

    @cached_property
    def known(self) -> Group:
        """Without machines that the source does not name: they can't be anybody's pair."""
        kinds, values = self.view.values("unspecified")
        if not any(values) or not any(values[kinds[setup]] for setup, _ in self.setups_of_series):
            return self
        return self.only(~self.unspecified)

    @cached_property
    def pooled(self) -> Values:
        """The values of each determinant that stand in this figure."""
        return pooled_by([self])

    @property
    def settings(self) -> Iterable[Setting]:
        return (self.lot.setting(setup, series, self.by) for setup, series in self.setups_of_series)

    @cached_property
    def setups_of_series(self) -> Sequence[tuple[int, int]]:
        """The pairs of a setup and a series that it has rows of."""
        if self.pairs is not None:
            return self.pairs
        return _pairs(self.lot, self.lot.setups[self.rows], self.lot.series_places[self.rows])

    def by_setting(self) -> Iterable[tuple[Setting, Group]]:
        """The rows of each setting."""
        numbers, setups = self.lot.settings(self.by)
        codes = numbers[self.setups] + len(setups) * self.lot.series_places[self.rows]
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        for rows in np.split(order, starts[1:]):
            place, number = divmod(int(codes[rows[0]]), len(setups))
            group = Group(self.lot, self.rows[rows], self.by)
            setting = self.lot.setting(int(setups[number]), self.lot.series[place], self.by)
            yield setting, group

    @property
    def derivations(self) -> set[int]:
        """The versions by which its figures were derived."""
        codes, versions = self.view.names.setup_values("derivation_version")
        return {versions[codes[setup]] for setup, _ in self.setups_of_series}

    @property
    def machines_of_several_devices(self) -> Ints:
        """The machines in whose value several devices stand."""
        ids = self.view.names.device_ids()
        if not len(self.rows) or len(ids) < 2:
            return np.zeros(0, dtype=np.int64)
        codes = ids[self.lot.devices[self.rows]]
        most = np.maximum.reduceat(codes, self.starts)
        # What is not stated is neither this device nor another one.
        least = np.minimum.reduceat(np.where(codes > 0, codes, len(ids)), self.starts)
        return self.machine_numbers[most > least]

    @property
    def flags(self) -> Counter[str]:
        """How many of its runs carry each code."""
        codes = self.lot.flags[self.rows]
        flagged = np.flatnonzero(codes)
        if not len(flagged):
            return Counter()
        names = self.view.names.flags.things
        counted: Counter[str] = Counter()
        if self.lot.is_of_one_series:
            for number, rows in enumerate(np.bincount(codes[flagged])):
                if rows:
                    counted.update(dict.fromkeys(names[number], int(rows)))
            return counted
        pairs = np.unique(np.stack([self.runs[flagged], codes[flagged]]), axis=1)
        carried = {(run, code) for run, number in pairs.T.tolist() for code in names[number]}
        return Counter(code for _, code in carried)

    @property
    def spread(self) -> Spread | None:
        """Of all its samples together."""
        return spread_of(self.lot.steps(self.rows))

    @property
    def sample_count(self) -> int:
        return int(self.lot.counts[self.rows].sum())


Groups = dict[Key, Group]


def distinct(listed: Sequence[Ints]) -> Ints:
    """Each of these numbers once, ascending."""
    most = max((int(numbers.max()) for numbers in listed if len(numbers)), default=-1)
    present = np.zeros(most + 1, dtype=bool)
    for numbers in listed:
        present[numbers] = True
    return np.flatnonzero(present)


def union(groups: Sequence[Group]) -> Group:
    """One group of all their rows, which are of one lot."""
    lot, by = groups[0].lot, groups[0].by
    rows = np.concatenate([group.rows for group in groups])
    order = np.lexsort((lot.values[rows], lot.owners[rows]))
    return Group(lot, rows[order], by)


def pooled_by(groups: Iterable[Group]) -> Values:
    """The values of each determinant that stand in these groups' figures."""
    found: Values = {}
    for group in groups:
        for name, values in group.lot.values_of(group.setups_of_series, group.by).items():
            found.setdefault(name, set()).update(values)
    return stated(found)


def groups_of(reading: Reading, question: Question, metric: str, terms: Sequence[Term]) -> Groups:
    """The groups of one metric under `terms`."""
    view = reading.view
    parts = result_parts(reading, question, metric, terms)
    of_samples = [name for name in question.by if catalog.is_of_sample(name)]
    lots: dict[tuple[Value, ...], list[Part]] = {}
    for number, listed in parts.items():
        values = tuple(view.parameter(number, name) for name in of_samples)
        lots.setdefault(values, []).extend(listed)
    require_few_groups(of_samples, lots)
    found: Groups = {}
    determinants = open_determinants(metric, question.by)
    for values, listed in lots.items():
        lot = Lot(view, tuple(listed), determinants)
        fixed = dict(zip(of_samples, values, strict=True))
        for key, rows, pairs in _split(lot, question.by, fixed):
            found[key] = Group(lot, rows, question.by, pairs)
    require_few_groups(question.by, [key.by for key in found])
    return found


def rows_under(reading: Reading, question: Question, metric: str) -> set[tuple[int, int]]:
    """Run and series of each result that a question is of."""
    return {
        (run, part.series)
        for parts in result_parts(reading, question, metric, question.where).values()
        for part in parts
        for run in part.runs.tolist()
    }


def result_parts(
    reading: Reading, question: Question, metric: str, terms: Sequence[Term]
) -> dict[int, list[Part]]:
    """By series; with the doubtful ones where those are asked for."""
    view, scope = reading.view, reading.scope
    parts = view.parts(metric, terms, scope, aside=False)
    if question.flagged == "include":
        for number, aside in view.parts(metric, terms, scope, aside=True).items():
            parts.setdefault(number, []).extend(_standing(aside))
    return parts


def _standing(parts: Iterable[Part]) -> Iterable[Part]:
    """Without what is withdrawn: that is in no answer, whatever is asked."""
    for part in parts:
        standing = np.flatnonzero(~part.of_runs("withdrawn"))
        if len(standing):
            yield replace(part, chosen=standing if part.chosen is None else part.chosen[standing])


def _split(
    lot: Lot, by: tuple[str, ...], fixed: Mapping[str, Value]
) -> Iterable[tuple[Key, Ints, list[tuple[int, int]] | None]]:
    """The groups of a lot, whose rows agree in what is `fixed`: rows, and setups where known."""
    names = [name for name in (*by, *_SPLIT) if name not in fixed]
    of_setups = tuple(name for name in names if name not in _OF_RUNS)
    told: list[tuple[str, NDArray[Any], Sequence[Any]]] = []
    numbers = _numbered(lot.view, of_setups)
    codes = numbers[lot.setups]
    for name in names:
        own, values = _codes(lot, name)
        told.append((name, own, values))
        if name in _OF_RUNS:
            codes = _dense(codes.astype(np.int64) * len(values) + own)[1]
    kept, dense = _dense(codes)
    pairs: dict[int, list[tuple[int, int]]] = {}
    if len(of_setups) == len(names):
        for setup, series in _pairs(lot, lot.setups, lot.series_places):
            pairs.setdefault(int(numbers[setup]), []).append((setup, series))
    ordered = lot.ordered(dense, len(kept))
    ends = np.cumsum(np.bincount(dense, minlength=len(kept)))
    for number, start, rows in zip(
        kept.tolist(), [0, *ends[:-1]], np.split(ordered, ends[:-1]), strict=True
    ):
        one = ordered[start]
        setup = lot.setups[one]
        found = {
            **fixed,
            **{name: values[own[one if name in _OF_RUNS else setup]] for name, own, values in told},
        }
        by_values = tuple(found[name] for name in by)
        yield Key(by_values, *(found[name] for name in _SPLIT)), rows, pairs.get(number)


def _pairs(lot: Lot, setups: NDArray[Any], series_places: NDArray[Any]) -> list[tuple[int, int]]:
    """The pairs of a setup and a series that stand among these rows of a lot."""
    count = len(lot.view.names.setups)
    if lot.is_of_one_series:
        return [(setup, lot.series[0]) for setup in np.flatnonzero(np.bincount(setups)).tolist()]
    found = np.flatnonzero(np.bincount(setups + count * series_places)).tolist()
    return [(code % count, lot.series[code // count]) for code in found]


def _numbered(view: View, names: tuple[str, ...]) -> Ints:
    """By setup the number of the group that it is in, by these dimensions."""

    def number() -> Ints:
        numbers: Ints = np.zeros(len(view.names.setups), dtype=np.int64)
        for name in names:
            codes, values = _of_setups(view, name)
            if len(values) > 1:
                numbers = _dense(numbers * len(values) + codes)[1]
        return numbers.astype(np.int32)

    found: Ints = view.kept("groups", names, number)
    return found


def _codes(lot: Lot, name: str) -> tuple[NDArray[Any], Sequence[Any]]:
    """By row its code of a dimension of runs, or by setup of one of setups; and their values."""
    if name == "machine":
        return lot.owners >> 1, _Ids(lot.view)
    if name == "month":
        return lot.of_runs("month"), lot.view.names.months.things
    return _of_setups(lot.view, name)


def _of_setups(view: View, name: str) -> tuple[NDArray[Any], Sequence[Any]]:
    if name != _PUBLISHED:
        return view.values(name)
    codes, sources = view.values("source")
    is_published = np.array([source == "published" for source in sources], dtype=np.int64)
    return is_published[codes], [False, True]


class _Ids(Sequence[str]):
    """Machines' ids as questions write them, made as they are asked for."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view.names.machines)

    def __getitem__(self, number: Any) -> Any:
        return str(self._view.machine_id(number))


def _dense(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, ascending, and each row's place among them."""
    most = int(codes.max(initial=0))
    if most > 4 * len(codes) + 1024:
        kept, places = np.unique(codes, return_inverse=True)
        return kept, places
    present = np.zeros(most + 1, dtype=bool)
    present[codes] = True
    kept = np.flatnonzero(present)
    places = np.zeros(most + 1, dtype=np.int64)
    places[kept] = np.arange(len(kept))
    return kept, places[codes]
