"""Groups of an answer before any statistics: values, counts and flags.

Data is read lazily, for all groups of a metric at once.
"""

from __future__ import annotations

import math
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, LABEL_PREFIX, Trait
from macmeter.catalog.terms import Value
from macmeter.questions.cost import require_few_groups, require_few_results
from macmeter.questions.grouped import (
    Floats,
    Grouped,
    Ints,
    Key,
    Values,
    open_determinants,
    results_of,
    stated,
    sums_of,
)
from macmeter.questions.question import Question
from macmeter.results.context import Reading
from macmeter.results.dataset.on_cluster import on_cluster_if_large
from macmeter.results.dataset.properties import MAX_LINKED_RUNS, first_runs, results_of_articles
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import Results
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import GroupStatistics, figures, figures_of_groups
from macmeter.statistics.run_intervals import FEWEST_RUNS
from macmeter.statistics.summary import Spread, rounded

Bools = NDArray[np.bool_]
# Dimensions whose values are reported even if no figure mixes them.
_WATCHED = catalog.having(Trait.WATCHED)


@dataclass(frozen=True, eq=False)
class Group:
    """The results behind one figure: a range of the machines of all groups, ordered by number.

    Named machines are one half of it and unspecified ones the other. An unspecified machine is
    separate even if named runs have its id: it may be another one.
    """

    grouped: Grouped
    number: int
    """Index of the group."""
    start: int
    """First of its machines among those of all groups; `end` follows the last."""
    end: int

    @classmethod
    def whole(cls, grouped: Grouped, number: int) -> Group:
        return cls(grouped, number, *grouped.ends[number : number + 2])

    def __len__(self) -> int:
        """Return the number of results."""
        return int(self._column("results").sum())

    @property
    def named(self) -> Group:
        """The named machines; unspecified ones can't be paired."""
        return replace(self, end=min(self.end, self._first_unspecified))

    @property
    def unspecified(self) -> Group:
        return replace(self, start=max(self.start, self._first_unspecified))

    def of_machine(self, number: int) -> Group:
        """Return the part of that machine, if named."""
        named = self.named
        index = named.start + int(np.searchsorted(named.machine_numbers, number))
        exists = index < named.end and self.grouped.machines["owner"][index] == number
        return replace(self, start=index, end=index + exists)

    @property
    def _first_unspecified(self) -> int:
        first: int = self.grouped.ends[self.number] + self.grouped.named_counts[self.number]
        return first

    @property
    def has_halves(self) -> tuple[bool, bool]:
        """Whether it has named machines, and unspecified ones."""
        first = self._first_unspecified
        return self.start < min(self.end, first), max(self.start, first) < self.end

    @cached_property
    def half_numbers(self) -> list[int]:
        """Numbers of its halves among those of all groups."""
        return [
            2 * self.number + half for half, is_present in enumerate(self.has_halves) if is_present
        ]

    def _column(self, name: str) -> NDArray[Any]:
        column: NDArray[Any] = self.grouped.machines[name]
        return column[self.start : self.end]

    def _rows_of(self, make: Callable[[Grouped], dict[int, list[Any]]]) -> list[Any]:
        """Return the rows of `make`, which are by half, for its own halves."""
        rows_by_half = self.grouped.cached(make)
        return [row for half in self.half_numbers for row in rows_by_half.get(half, ())]

    @property
    def machine_values(self) -> Floats:
        """Median of each machine's values."""
        return self._column("value")

    @property
    def machine_numbers(self) -> Ints:
        return self._column("owner")

    @property
    def models(self) -> Ints:
        """Number of each machine's model, below 0 if unknown."""
        return self._column("model")

    @property
    def machine_count(self) -> int:
        """Number of named machines."""
        return max(min(self.end, self._first_unspecified) - self.start, 0)

    @property
    def machine_ids(self) -> dict[int, uuid.UUID]:
        """Ids of machines by number."""
        selection = self.grouped.selection
        return selection.snapshot.machine_ids(self.machine_numbers.tolist(), selection.needed_scope)

    @cached_property
    def clusters(self) -> Clusters:
        """Each machine's values, ascending."""
        results = self._column("results").astype(np.int64)
        # Doesn't capture `self`: only the GC would free that cycle.
        values = partial(self.grouped.values_of, self.number, self.start, self.end)
        read_in_order = partial(self.grouped.values_in_time_order, self.number, self.start)
        return Clusters(values, results, self.machine_values, self.models, read_in_order)

    @property
    def values(self) -> Floats:
        """Values in the order of machines, ascending within each."""
        return self.grouped.values_of(self.number, self.start, self.end)

    def figures(self, weight: str) -> GroupStatistics:
        """Return figures over machines, or over runs with `weight="run"`."""
        if weight == "run":
            self.grouped.read_values(range(len(self.grouped.figure_ids)))
            return figures(self.clusters, weight)
        return self._machine_figures

    @cached_property
    def _machine_figures(self) -> GroupStatistics:
        first, last = self.grouped.ends[self.number : self.number + 2]
        for make, end in ((_figures_by_group, last), (_figures_of_named, self._first_unspecified)):
            if (self.start, self.end) == (first, end):
                result = self.grouped.cached(make)[self.number]
                assert result is not None
                return result
        return figures(self.clusters, "machine")

    @property
    def run_count(self) -> int:
        return int(self._column("runs").sum())

    @property
    def most_runs_of_a_machine(self) -> int:
        return int(self._column("runs").max(initial=0))

    @property
    def sample_count(self) -> int:
        return int(self._sum("samples"))

    @property
    def machines_of_several_drives(self) -> Ints:
        """Machines whose value combines several drives."""
        several: Ints = self.machine_numbers[self._column("several").astype(bool)]
        return several

    @property
    def first_run_ids(self) -> list[uuid.UUID]:
        """The first ids of its runs, ascending; empty if a machine has more runs than the limit."""
        if self.most_runs_of_a_machine > MAX_LINKED_RUNS:
            return []
        return sorted(run for (ids,) in self._rows_of(_first_runs) for run in ids)[:MAX_LINKED_RUNS]

    @property
    def digest(self) -> list[int]:
        """Digest of its set of results."""
        digests = self.grouped.cached(_digests)
        return [digests[half] for half in self.half_numbers if half in digests]

    @cached_property
    def flags(self) -> Counter[str]:
        """Number of its runs with each flag."""
        counts: Counter[str] = Counter()
        for results, count in self._results_with_counts:
            series = self._series_among(results)
            for code in results.all_flags(series):
                # All runs of a setup have results of the same series.
                counts[code] += count // len(series)
        return counts

    @property
    def _results_with_counts(self) -> list[tuple[Results, int]]:
        """Kinds of its runs, each with its number of results."""
        results_by_half = self.grouped.cached(results_of)
        return [entry for half in self.half_numbers for entry in results_by_half[half]]

    def _series_among(self, results: Results) -> frozenset[int]:
        selection = self.grouped.selection
        return selection.among(
            results, selection.series_of(self.grouped.figure_ids[self.number][0])
        )

    @property
    def spread(self) -> Spread | None:
        """Spread of samples within runs: the means of the runs' own percentiles, and the pooled
        deviation. If each run has only one sample, the spread of machines' values, or of the runs
        of a single machine.
        """
        machines = self.end - self.start
        if several := self._sum("several"):
            low, high = self._sum("low") / several, self._sum("high") / several
            deviation = math.sqrt(self._sum("squares") / several)
        elif machines > 1:
            machine_figures = self.figures("machine")
            low, high = machine_figures.p10, machine_figures.p90
            deviation = float(np.std(self.machine_values, ddof=1))
        elif len(self) > 1:
            self.grouped.cached(_read_single_machines)
            low, high = np.percentile(self.values, [10, 90]).tolist()
            deviation = float(np.std(self.values, ddof=1))
        else:
            return None
        return Spread(rounded(low), rounded(high), rounded(deviation), self.sample_count)

    def _sum(self, name: str) -> float:
        sums = self.grouped.cached(sums_of)[name]
        return sum(sums[half] for half in self.half_numbers)

    @cached_property
    def pooled(self) -> Values:
        """Values of each determinant and label in this figure; None only if absence is a value."""
        return stated(self.determinant_values)

    @property
    def determinant_values(self) -> Values:
        """Values of each determinant and label in this figure, with None for "not stated"."""
        stated_values: Values = {}
        for name in open_determinants(self.grouped.selection.metric, self.grouped.selection.by):
            if catalog.is_of_sample(name):
                series = {
                    n
                    for results, _ in self._results_with_counts
                    for n in self._series_among(results)
                }
                by_number = self.grouped.selection.series
                stated_values[name] = {by_number[number].parameter(name) for number in series}
                continue
            values = self._values_of(name)
            if name != ANY_LABEL:
                stated_values[name] = values
                continue
            for key, value in sorted(pair for labels in values for pair in labels):
                if (label := LABEL_PREFIX + key) not in self.grouped.selection.by:
                    stated_values.setdefault(label, set()).add(value)
        return stated_values

    def _values_of(self, name: str) -> set[Any]:
        """Return the values of a determinant of runs, or with "=NAME" those of any dimension."""
        values_by_half = self.grouped.determinants(name)
        if len(self.half_numbers) == 1:
            return values_by_half[self.half_numbers[0]]
        return set().union(*(values_by_half[half] for half in self.half_numbers))

    @property
    def watched_values(self) -> dict[str, list[Value]]:
        """Values of the watched dimensions in its results; null (not stated) is last."""
        return {
            name: sorted(self._values_of(f"={name}"), key=lambda value: (value is None, value))
            for name in _WATCHED
        }

    @property
    def is_published(self) -> bool:
        """Whether its figures are printed ones: no group mixes them with measured ones."""
        return "published" in self._values_of("=source")

    @property
    def results_of_articles(self) -> list[Any]:
        """Machine id, run id and series of each published result."""
        return self._rows_of(_results_of_articles)

    @property
    def derivations(self) -> set[int]:
        """Derivation versions of its figures."""
        return self._values_of("=derivation_version")


def _first_runs(grouped: Grouped) -> dict[int, list[Any]]:
    groups = (Group.whole(grouped, number) for number in range(len(grouped.figure_ids)))
    few = [
        grouped.figure_ids[group.number]
        for group in groups
        if group.most_runs_of_a_machine <= MAX_LINKED_RUNS
    ]
    return grouped.by_half(first_runs(grouped.selection, few)) if few else {}


def _results_of_articles(grouped: Grouped) -> dict[int, list[Any]]:
    if not any("published" in sources for sources in grouped.determinants("=source")):
        return {}
    return grouped.by_half(results_of_articles(grouped.selection))


def _digests(grouped: Grouped) -> dict[int, int]:
    rows = grouped.selection.digests()
    return dict(zip(grouped.halves(rows).tolist(), rows["digest"].tolist(), strict=True))


def _read_single_machines(grouped: Grouped) -> bool:
    """Read the values of all groups of one machine with several results in one query."""
    groups = (Group.whole(grouped, number) for number in range(len(grouped.figure_ids)))
    grouped.read_values([each.number for each in groups if each.end - each.start == 1 < len(each)])
    return True


def _figures_by_group(grouped: Grouped) -> list[GroupStatistics | None]:
    """Return figures over machines."""
    return _figures(grouped, [Group.whole(grouped, n) for n in range(len(grouped.figure_ids))])


def _figures_of_named(grouped: Grouped) -> list[GroupStatistics | None]:
    """Return figures over named machines; None for a group without any."""
    return _figures(
        grouped, [Group.whole(grouped, n).named for n in range(len(grouped.figure_ids))]
    )


def _figures(grouped: Grouped, groups: Sequence[Group]) -> list[GroupStatistics | None]:
    sizes = [group.end - group.start for group in groups]
    alone = (number for number, size in enumerate(sizes) if size == 1)
    grouped.read_in_time_order(number for number in alone if len(groups[number]) >= FEWEST_RUNS)
    values, models = (
        np.concatenate([column[:0], *(column[group.start : group.end] for group in groups)])
        for column in (grouped.machines["value"], grouped.machines["model"])
    )
    ends = [0, *np.cumsum(sizes).tolist()]
    return figures_of_groups(values, ends, lambda number: groups[number].clusters, models)


Groups = dict[Key, Group]


def groups_of_machine(groups: Groups, number: int) -> Groups:
    """Restrict the groups to one machine, dropping those without results of it."""
    restricted = {key: group.of_machine(number) for key, group in groups.items()}
    return {key: group for key, group in restricted.items() if len(group)}


def pooled_by(groups: Iterable[Group]) -> Values:
    """Return the values of each determinant in these groups' figures."""
    pooled: Values = {}
    for group in groups:
        for name, values in group.determinant_values.items():
            pooled.setdefault(name, set()).update(values)
    return stated(pooled)


def selection_of(reading: Reading, question: Question, *, pairs: bool = False) -> Selection:
    """Return the selection for a question of one metric."""
    arguments = (question.metric, question.by, question.where, reading.scope, question.flagged)
    return on_cluster_if_large(Selection(reading.data, *arguments, pairs=pairs))


def groups_of(reading: Reading, question: Question, *, pairs: bool = False) -> Groups:
    """Return the groups of a question of one metric; `pairs` prepares for ratios."""
    selection = selection_of(reading, question, pairs=pairs)
    require_few_groups([n for n in question.by if catalog.is_of_sample(n)], [*selection.parts])
    if not selection.series:
        return {}
    if not selection.is_large:
        require_few_results(reading.data.results_in(selection.needed_scope, selection.series))
    grouped = Grouped(selection)
    keys = grouped.keys()
    require_few_groups(question.by, [key.by for key in keys])
    return {key: Group.whole(grouped, number) for number, key in enumerate(keys)}
