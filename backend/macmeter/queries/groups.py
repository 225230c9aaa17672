"""The groups of an answer before any statistics: whose values, how many, with which flags.

A group's rows are arrays, ordered by machine and value, so that twenty thousand machines cost no
more than their values' sorting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
from macmeter.queries.splitting import Key, distinct, split
from macmeter.reading.moment import Reading
from macmeter.stats.clusters import Clusters
from macmeter.stats.spread import Spread, spread_of
from macmeter.terms import Term, Value

# Groups of more runs than this are reached through the list of runs.
LINKED_RUNS = 8


@dataclass(frozen=True, eq=False)
class Group:
    """Results of one metric that stand in one figure: R rows by machine, U machines.

    What is unspecified is a machine of its own, even where other runs name the same: it may have
    been another one.
    """

    lot: Lot
    places: Ints | None
    """Its rows' places in the lot, ordered by machine and value; None where it is all of them."""
    by: tuple[str, ...] = ()
    """What it is grouped by: no part of its settings."""
    setups: Sequence[tuple[int, Ints]] | None = None
    """By series the setups whose every row in the lot it has, where it has no others."""

    def __len__(self) -> int:
        return len(self.lot) if self.places is None else len(self.places)

    def let_go(self) -> None:
        """What was read of its rows: see `Lot.let_go`."""
        for name in ("values", "runs", "owners", "starts", "clusters", "rows", "known"):
            self.__dict__.pop(name, None)

    @cached_property
    def rows(self) -> Ints:
        return np.arange(len(self.lot)) if self.places is None else self.places

    def take(self, array: NDArray[Any]) -> NDArray[Any]:
        """What of an array of the lot belongs to its rows."""
        return array if self.places is None else array[self.places]

    @property
    def view(self) -> View:
        return self.lot.view

    @cached_property
    def values(self) -> Floats:
        return self.take(self.lot.values)

    @cached_property
    def runs(self) -> Ints:
        return self.take(self.lot.runs)

    @cached_property
    def owners(self) -> Small:
        return self.take(self.lot.owners)

    @property
    def machines(self) -> Small:
        """By row, the number of its machine."""
        return self.owners >> 1

    @property
    def unspecified(self) -> Bools:
        return (self.owners & 1).astype(bool)

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the columns' arrays of runs."""
        return self.take(self.lot.of_runs(name))

    @property
    def setup_numbers(self) -> Ints:
        """By row."""
        return self.take(self.lot.setups)

    @cached_property
    def starts(self) -> Ints:
        """Where each machine's rows begin."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([[0], np.flatnonzero(np.diff(self.owners)) + 1])

    @cached_property
    def clusters(self) -> Clusters:
        """Each machine's values, ascending."""
        return Clusters(self.values, np.diff(self.starts, append=len(self)))

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

    @property
    def run_count(self) -> int:
        return len(self) if self.lot.is_of_one_series else len(self.distinct_runs)

    def first_run_ids(self, most: int) -> list[bytes]:
        """So many of its runs' ids, in their order."""
        ids = self.view.of_runs("run_id")[self.distinct_runs]
        if len(ids) > most:
            starts = np.ascontiguousarray(ids).view(">u8")[::2]
            ids = ids[starts <= np.partition(starts, most - 1)[most - 1]]
        return sorted(ids.tolist())[:most]

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
        if not any(values) or not np.array(values, dtype=bool)[self._codes(kinds)].any():
            return self
        return self.only(~self.unspecified)

    @cached_property
    def pooled(self) -> Values:
        """The values of each determinant that stand in this figure."""
        return pooled_by([self])

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
        if self.setups is not None:
            return self.setups
        setups, places = self.setup_numbers, self.take(self.lot.series_places)
        found = [
            (number, np.flatnonzero(np.bincount(setups[places == place])))
            for place, number in enumerate(self.lot.series)
        ]
        return [(number, of_series) for number, of_series in found if len(of_series)]

    def _codes(self, codes: Ints) -> Ints:
        """The codes that its setups have."""
        listed = [np.zeros(0, dtype=np.int64), *(codes[of] for _, of in self.setups_of_series)]
        return np.flatnonzero(np.bincount(np.concatenate(listed)))

    def by_setting(self) -> Iterable[tuple[Setting, Group]]:
        """The rows of each setting."""
        numbers, setups = self.lot.settings(self.by)
        places = self.take(self.lot.series_places)
        codes = numbers[self.setup_numbers] + len(setups) * places
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
        return {versions[code] for code in self._codes(codes).tolist()}

    @property
    def machines_of_several_devices(self) -> Ints:
        """The machines in whose value several devices stand."""
        ids = self.view.names.device_ids()
        if not len(self) or len(ids) < 2:
            return np.zeros(0, dtype=np.int64)
        codes = ids[self.take(self.lot.devices)]
        most = np.maximum.reduceat(codes, self.starts)
        # What is not stated is neither this device nor another one.
        least = np.minimum.reduceat(np.where(codes > 0, codes, len(ids)), self.starts)
        return self.machine_numbers[most > least]

    @property
    def flags(self) -> Counter[str]:
        """How many of its runs carry each code."""
        codes = self.take(self.lot.flags)
        names = self.view.names.flags.things
        counted: Counter[str] = Counter()
        if self.lot.is_of_one_series:
            for number, rows in enumerate(np.bincount(codes).tolist()):
                if rows and number:
                    counted.update(dict.fromkeys(names[number], rows))
            return counted
        flagged = np.flatnonzero(codes)
        if not len(flagged):
            return counted
        pairs = np.unique(np.stack([self.runs[flagged], codes[flagged]]), axis=1)
        carried = {(run, code) for run, number in pairs.T.tolist() for code in names[number]}
        return Counter(code for _, code in carried)

    @property
    def spread(self) -> Spread | None:
        """Of all its samples together."""
        return spread_of(self.lot.steps(self.places, dict(self.setups) if self.setups else None))

    @property
    def sample_count(self) -> int:
        if (count := self.lot.count) is not None:
            return len(self) * count
        return int(self.take(self.lot.counts).sum())


Groups = dict[Key, Group]


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
        for key, rows, setups in split(lot, question.by, fixed):
            found[key] = Group(lot, rows, question.by, setups)
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
