"""The values of every dimension under the current filters, with their counts.

A dimension that is filtered itself is counted under the others' filters only, so that its
alternatives stay visible. Runs are counted by setup and machine, which serves all dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.facets import Facet, Facets, FacetValue
from macmeter.dataset.chosen import ChosenSetups, matching_setups
from macmeter.dataset.relations import APART
from macmeter.dataset.runs import Runs
from macmeter.dataset.setups import Bools, Ints
from macmeter.dataset.snapshot import Series
from macmeter.queries.question import askable
from macmeter.reading.moment import Reading, begin_reading
from macmeter.terms import Flagged, Term, Value, matches

Counts = NDArray[np.float64]
"""Whole numbers, which numpy sums exactly as floats, far beyond any of runs."""

# Nobody chooses from a list longer than this; the count says how many there are.
MAX_VALUES = 200
MAX_LABELS = 8
# Values times machines that are counted in a table, a byte each; else pairs are sorted.
_MOST_COUNTED = 2**26
# Their filters are in the statement: a dimension of these has one of its own where it is filtered.
_FIXED = (*APART, "fleet")

RUN_DIMENSIONS = [name for name, d in catalog.DIMENSIONS.items() if d.of == "run"]


async def facets(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: Flagged,
    reader: Asker | None,
) -> Facets:
    """The values of every dimension that any run states one of.

    Counts runs; with `metrics`, those that have a result of one of them.
    """
    reading = await begin_reading(connection, reader)
    every = _Counted(reading, metrics, terms, flagged)
    filtered = {term.dimension for term in terms}
    labels = {name for name in filtered if name.startswith(catalog.LABEL_PREFIX)}
    labels |= every.labels()
    names = RUN_DIMENSIONS + _of_samples(metrics) + sorted(labels)
    dimensions = []
    for name in names:
        counted = every
        if name in filtered and name in _FIXED:
            others = tuple(term for term in terms if term.dimension != name)
            counted = _Counted(reading, metrics, others, flagged)
        listed, several = counted.values(name)
        if any(entry.value is not None for entry in listed):
            dimensions.append(Facet(name, several, listed[:MAX_VALUES]))
    return Facets(every.total, dimensions)


def _of_samples(metrics: tuple[str, ...]) -> list[str]:
    found = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that one of the metrics does not have would count nothing but gaps.
    return [name for name in (found[0] if found else ()) if all(name in of for of in found)]


class _Counted:
    """The runs under some filters, with up to one of them dropped: R rows of setup and machine."""

    def __init__(
        self, reading: Reading, metrics: tuple[str, ...], terms: tuple[Term, ...], flagged: Flagged
    ) -> None:
        self._data = data = reading.data
        self._metrics, self._terms, self._flagged = metrics, terms, flagged
        fixed = tuple(term for term in terms if term.dimension in _FIXED)
        by_name: dict[str, list[Term]] = {}
        for term in terms:
            if term not in fixed and not catalog.is_of_sample(term.dimension):
                by_name.setdefault(term.dimension, []).append(term)
        self._passing = {name: matching_setups(data, of) for name, of in by_name.items()}
        self._failing: Ints = np.zeros(len(data.setups), dtype=np.int64)
        for passes in self._passing.values():
            self._failing += ~passes
        self._runs = Runs(
            data, fixed, reading.scope, self._having(self._series()) & (self._failing <= 1)
        )
        rows = self._runs.by_setup_and_machine()
        self._setups: Ints = rows["place"]
        # From 0 on, in the order in which they are there.
        self._machines: Ints = np.cumsum(np.diff(rows["machine"], prepend=rows["machine"][:1]) != 0)
        self._machine_count = int(self._machines[-1]) + 1 if len(self._machines) else 0
        self._counts: Ints = rows["runs"]
        self._named = ~ChosenSetups(data, fixed, reading.scope).unspecified[self._setups]
        self._known: dict[bytes, tuple[Counts, tuple[Ints, Ints]]] = {}

    def _series(self, but: str | None = None) -> dict[int, Series]:
        """Those of the metrics that pass the filters of samples; `but` these of that dimension."""
        terms = [term for term in self._terms if term.dimension != but]
        of_samples = [term for term in terms if catalog.is_of_sample(term.dimension)]
        return {
            number: one
            for metric in self._metrics
            for number, one in self._data.of_metric(metric).items()
            if all(
                matches(one.parameter(name), [t for t in of_samples if t.dimension == name])
                for name in {term.dimension for term in of_samples}
            )
        }

    def _having(self, series: Iterable[int]) -> Bools:
        """By setup, whether its runs have a result of any of these; all have without metrics."""
        if not self._metrics:
            return np.ones(len(self._data.setups), dtype=bool)
        doubts = self._flagged == "include"
        return self._data.setups.having({*series}, counts=True, doubts=doubts)

    @cached_property
    def _every(self) -> Bools:
        """By setup, whether it passes all filters."""
        found: Bools = (self._failing == 0) & self._having(self._series())
        return found

    @cached_property
    def total(self) -> int:
        return int(self._counts[self._every[self._setups]].sum())

    def values(self, name: str) -> tuple[list[FacetValue], int]:
        """The values, those of most runs first, and how many there are."""
        if name == "machine":
            return self._of_machines()
        if name == "month":
            listed = self._of_months()
        elif catalog.is_of_sample(name):
            listed = self._of_samples(name)
        else:
            listed = self._of_setups(name)
        ordered = sorted(
            listed,
            key=lambda entry: (entry.value is None, -entry.runs, str(entry.value)),
        )
        return ordered, len(ordered)

    def _chosen(self, but: str) -> Bools:
        """By setup, whether it passes the others' filters."""
        passes = self._passing.get(but)
        if passes is None:
            return self._every
        found: Bools = (self._failing == ~passes) & self._having(self._series())
        return found

    def _of_setups(self, name: str) -> list[FacetValue]:
        codes, values = self._data.values(name)
        runs, machines = self._counted(codes, len(values), self._chosen(name))
        # Values with the same meaning are one: fleets without a name.
        return [
            FacetValue(values[code], int(runs[code]), int(machines[code]))
            for code in np.flatnonzero(runs).tolist()
        ]

    def _counted(self, codes: Ints, count: int, chosen: Bools) -> tuple[Ints, Ints]:
        """How many runs and machines each code of chosen setups has."""
        by_setup, having = self._by_setup(chosen)
        runs = np.bincount(codes, weights=by_setup, minlength=count).astype(np.int64)
        occurring = np.flatnonzero(runs)
        machines = np.zeros(count, dtype=np.int64)
        setups, owners = having
        if len(occurring) <= 1:  # most dimensions say the same of all runs
            machines[occurring] = self._distinct(owners)
        elif count * self._machine_count <= _MOST_COUNTED:
            seen = np.zeros(count * self._machine_count, dtype=bool)
            seen[codes[setups] * self._machine_count + owners] = True
            machines = seen.reshape(count, -1).sum(axis=1)
        else:
            pairs = np.unique(codes[setups] * self._machine_count + owners)
            machines = np.bincount(pairs // self._machine_count, minlength=count)
        return runs, machines

    def _distinct(self, machines: Ints) -> int:
        seen = np.zeros(self._machine_count, dtype=bool)
        seen[machines] = True
        return int(np.count_nonzero(seen))

    def _by_setup(self, chosen: Bools) -> tuple[Counts, tuple[Ints, Ints]]:
        """The number of runs by setup, and pairs of setup and machine that are named."""
        key = chosen.tobytes()
        if key not in self._known:
            rows = chosen[self._setups]
            counts = np.bincount(
                self._setups[rows], weights=self._counts[rows], minlength=len(chosen)
            ).astype(np.float64)
            named = rows & self._named
            self._known[key] = (counts, (self._setups[named], self._machines[named]))
        return self._known[key]

    def _of_months(self) -> list[FacetValue]:
        return [FacetValue(*row) for row in self._chosen_runs.by_month()]

    @cached_property
    def _chosen_runs(self) -> Runs:
        return Runs(self._data, self._runs.terms, self._runs.scope, self._every)

    def _of_machines(self) -> tuple[list[FacetValue], int]:
        """Of no more than are shown: there may be very many."""
        rows = self._chosen_runs.by_machine(MAX_VALUES)
        return [FacetValue(*row[:3]) for row in rows], rows[0][3] if rows else 0

    def _of_samples(self, name: str) -> list[FacetValue]:
        series_of: dict[Value, list[int]] = {}
        for number, one in self._series(but=name).items():
            series_of.setdefault(one.parameter(name), []).append(number)
        listed = []
        for value, series in series_of.items():
            chosen = (self._failing == 0) & self._having(series)
            counts, (_, owners) = self._by_setup(chosen)
            if runs := int(counts.sum()):
                listed.append(FacetValue(value, runs, self._distinct(owners)))
        return listed

    def labels(self) -> set[str]:
        """The labels that most runs of workloads have: they alone tell configurations apart."""
        if not self._metrics or any(
            catalog.METRICS[name].suite != "workload" for name in self._metrics
        ):
            return set()
        runs: dict[str, int] = {}
        codes, values = self._data.setups.values("labels")
        by_setup, _ = self._by_setup(self._every)
        counts = np.bincount(codes, weights=by_setup, minlength=len(values))
        for labels, count in zip(values, counts, strict=True):
            for key, _ in labels:
                runs[key] = runs.get(key, 0) + int(count)
        most = sorted((key for key in runs if runs[key]), key=lambda key: (-runs[key], key))
        # Of a key with these a question could not be asked.
        return {
            catalog.LABEL_PREFIX + key
            for key in most[:MAX_LABELS]
            if key and askable(catalog.LABEL_PREFIX + key)
        }
