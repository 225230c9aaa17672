"""The groups of an answer before any statistics: whose values, how many, with which flags.

A group's rows are arrays, ordered by machine and value, so that twenty thousand machines cost no
more than their values' sorting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.columns.by_group import (
    flags_by_group,
    most_runs_by_group,
    named_by_group,
    named_setups_by_group,
    several_drives_by_group,
)
from macmeter.columns.first_runs import begin_first_runs, first_runs_by_group
from macmeter.columns.grouped import Grouped, begin_machines
from macmeter.columns.lot import Lot, Setting
from macmeter.columns.machines import Machines
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Floats, Small
from macmeter.columns.tallies import (
    begin_samples,
    samples_by_group,
    setups_by_group,
    spreads_by_group,
)
from macmeter.columns.view import Part, View
from macmeter.queries.cost import require_few_groups
from macmeter.queries.mixes import Values, open_determinants, stated
from macmeter.queries.question import Question
from macmeter.queries.splitting import Divided, Key, distinct
from macmeter.reading.moment import Reading
from macmeter.stats.clusters import Clusters
from macmeter.stats.figures import Figures, figures, figures_of_groups
from macmeter.stats.spread import Spread
from macmeter.terms import Term, Value


@dataclass(frozen=True, eq=False)
class Group:
    """Results of one metric that belong to one figure: R rows by machine, U machines.

    What is unspecified is a machine of its own, even where other runs name the same: it may have
    been another one.
    """

    grouped: Grouped
    number: int
    """Which of the groups."""
    by: tuple[str, ...] = ()
    """What it is grouped by: no part of its settings."""

    @classmethod
    def of_rows(cls, lot: Lot, rows: Ints, by: tuple[str, ...]) -> Group:
        """Of these places in the lot, by owner and value."""
        return cls(Grouped.of_rows(lot, rows), 0, by)

    def __len__(self) -> int:
        return self.grouped.sizes[self.number]

    def let_go(self) -> None:
        """What was read of its rows, as soon as nobody needs it: of a million it is megabytes."""
        for name in ("values", "runs", "owners", "rows", "_known", "cells", "clusters"):
            self.__dict__.pop(name, None)
        self.grouped.let_go()

    @property
    def lot(self) -> Lot:
        return self.grouped.lot

    @property
    def view(self) -> View:
        return self.lot.view

    @cached_property
    def rows(self) -> Ints:
        """Their places in the lot."""
        return self.grouped.rows(self.number)

    @cached_property
    def values(self) -> Floats:
        return self.grouped.values(self.number)

    @cached_property
    def runs(self) -> Ints:
        return self.lot.runs(self.rows)

    @cached_property
    def owners(self) -> Small:
        return self.of_runs("owner")

    @property
    def machines(self) -> Small:
        """By row, the number of its machine."""
        return self.owners >> 1

    @property
    def unspecified(self) -> Bools:
        return (self.owners & 1).astype(bool)

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the columns' arrays of runs."""
        return self.lot.of_runs(name, self.rows)

    @property
    def setup_numbers(self) -> Ints:
        """By row."""
        return self.of_runs("setup")

    @cached_property
    def cells(self) -> Machines:
        """Its machines, in the order of its rows."""
        ends = self.grouped.ends
        return self.grouped.machines.only(slice(ends[self.number], ends[self.number + 1]))

    @cached_property
    def clusters(self) -> Clusters:
        """Each machine's values, ascending."""
        # Without the group itself: as a circle they would stay in memory until it is looked for.
        grouped, number, cells = self.grouped, self.number, self.cells
        return Clusters(
            lambda: grouped.values(number),
            cells.sizes.astype(np.int64),
            cells.medians,
            lambda: grouped.members(number, cells.owner),
        )

    def figures(self, weight: str) -> Figures:
        """Over its machines, or over its runs with `weight="run"`."""
        if weight == "run":
            return figures(self.clusters, weight)
        found = self.grouped.kept(_figures_by_group)[self.number]
        assert found is not None
        return found

    @property
    def machine_values(self) -> Floats:
        """The median of each machine's values."""
        return self.cells.medians

    @property
    def machine_numbers(self) -> Ints:
        return self.cells.owner >> 1

    @property
    def machine_count(self) -> int:
        """Without what is unspecified."""
        return self.grouped.kept(named_by_group)[self.number]

    @cached_property
    def distinct_runs(self) -> Ints:
        """One run may have several results here, where a parameter was left open."""
        runs = self.grouped.runs(self.number)
        return runs if self.lot.is_of_one_series else distinct([runs])

    @property
    def run_count(self) -> int:
        return len(self) if self.lot.is_of_one_series else len(self.distinct_runs)

    @property
    def first_run_ids(self) -> list[bytes]:
        """The first of its runs' ids, in their order."""
        return self.grouped.kept(first_runs_by_group)[self.number]

    @property
    def most_runs_of_a_machine(self) -> int:
        if self.lot.is_of_one_series:
            return self.grouped.kept(most_runs_by_group)[self.number]
        owners, _ = np.unique(np.stack([self.owners, self.runs]), axis=1)
        return int(np.bincount(owners).max())

    def only(self, mask: Bools) -> Group:
        """The rows where `mask` is true."""
        return Group.of_rows(self.lot, self.rows[mask], self.by)

    def of_owners(self, owners: Bools, setups: Bools) -> Group:
        """Its rows of these owners and setups: by number whether it is one of them."""
        return Group.of_rows(self.lot, self.grouped.rows_of(self.number, owners, setups), self.by)

    @property
    def known(self) -> Group:
        """Without machines that the source does not name: they can't be anybody's pair."""
        return self if self._known is None else self._known

    @cached_property
    def _known(self) -> Group | None:
        """None where all are named: a group that had itself would stay in memory."""
        named = self.grouped.kept(named_setups_by_group)[self.number]
        if all(named):
            return None
        if not any(named):
            return self.of_rows(self.lot, np.zeros(0, dtype=np.int64), self.by)
        return self.only(~self.unspecified)

    @cached_property
    def pooled(self) -> Values:
        """The values of each determinant in this figure."""
        return stated(self.lot.values_of(self.setups_of_series, self.by))

    @property
    def settings(self) -> Iterable[Setting]:
        return (
            self.lot.setting(setup, series, self.by)
            for series, setups in self.setups_of_series
            for setup in setups.tolist()
        )

    @cached_property
    def setups_of_series(self) -> Sequence[tuple[int, Ints]]:
        """The setups that it has rows of, ascending, in each series."""
        found = [
            (series, setups[ends[self.number] : ends[self.number + 1]])
            for series, setups, ends in self.grouped.kept(setups_by_group)
        ]
        return [(series, setups) for series, setups in found if len(setups)]

    @property
    def derivations(self) -> set[int]:
        """The versions by which its figures were derived."""
        codes, versions = self.view.names.setup_values("derivation_version")
        if len(versions) == 1:
            return {*versions} if len(self) else set()
        having = {code for _, setups in self.setups_of_series for code in codes[setups].tolist()}
        return {versions[code] for code in having}

    @property
    def machines_of_several_drives(self) -> Ints:
        """The machines whose value combines several drives."""
        return self.grouped.kept(several_drives_by_group)[self.number]

    @property
    def flags(self) -> Counter[str]:
        """How many of its runs carry each code."""
        if self.lot.is_of_one_series:
            return self.grouped.kept(flags_by_group)[self.number]
        codes = self.lot.flags(self.rows)
        flagged = np.flatnonzero(codes)
        if not len(flagged):
            return Counter()
        names = self.view.names.flags.things
        pairs = np.unique(np.stack([self.runs[flagged], codes[flagged]]), axis=1)
        carried = {(run, code) for run, number in pairs.T.tolist() for code in names[number]}
        return Counter(code for _, code in carried)

    @property
    def spread(self) -> Spread | None:
        """Of all its samples together."""
        return self.grouped.kept(spreads_by_group)[self.number]

    @property
    def sample_count(self) -> int:
        found: int = self.grouped.kept(samples_by_group)[self.number]
        return found


def _figures_by_group(grouped: Grouped) -> list[Figures | None]:
    """Over machines; None of a group without a row."""

    def alone(number: int) -> Clusters:
        return Group(grouped, number).clusters

    return figures_of_groups(grouped.machines.medians, grouped.ends, alone)


Groups = dict[Key, Group]


def look_ahead(groups: Iterable[Group]) -> None:
    """Begin those of the loops that take longest, for whoever describes these groups soon."""
    for grouped in {group.grouped: None for group in groups}:
        grouped.kept(begin_first_runs)
        grouped.kept(begin_samples)
        grouped.kept(begin_machines)


def union(groups: Sequence[Group]) -> Group:
    """One group of all their rows, which are of one lot."""
    lot, by = groups[0].lot, groups[0].by
    rows = np.concatenate([group.rows for group in groups])
    order = np.lexsort((lot.values(rows), lot.of_runs("owner", rows)))
    return Group.of_rows(lot, rows[order], by)


def pooled_by(groups: Iterable[Group]) -> Values:
    """The values of each determinant in these groups' figures."""
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
        lot = Lot(view, tuple(listed), determinants, reading.layouts)
        fixed = dict(zip(of_samples, values, strict=True))
        divided = Divided(lot, question.by, fixed)
        for number, size in enumerate(divided.grouped.sizes):
            if size:
                found[divided.key(number)] = Group(divided.grouped, number, question.by)
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
            # A series of which all is withdrawn is none.
            if standing := [*_standing(aside)]:
                parts.setdefault(number, []).extend(standing)
    return parts


def _standing(parts: Iterable[Part]) -> Iterator[Part]:
    """Without what is withdrawn: that is in no answer, whatever is asked."""
    for part in parts:
        stand = ~part.segment.runs.withdrawn
        standing = replace(part, among=part.among.standing(part.segment, stand))
        if len(standing):
            yield standing
