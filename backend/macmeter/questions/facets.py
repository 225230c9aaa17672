"""The values of every dimension under the current filters, with their counts.

A filtered dimension is counted under only the others' filters, so that its alternatives stay
visible. Runs are counted by setup and machine, which serves all dimensions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Flagged, Term, Value, matches
from macmeter.questions.question import askable
from macmeter.results.context import Reading, begin_reading
from macmeter.results.dataset.relations import PER_RUN_DIMENSIONS, month_text
from macmeter.results.dataset.runs import Runs
from macmeter.results.dataset.setups import RESULTS, Bools, Ints
from macmeter.results.dataset.snapshot import ChosenSetups, Series, matching_setups
from macmeter.schemas.facets import Facet, Facets, FacetValue

# Nobody chooses from a longer list; the total count is returned too.
MAX_VALUES = 200
MAX_LABELS = 8
# Values whose machines are counted at once.
_BITS = 64
# Filters of these are part of the statement: each, if filtered, needs a statement of its own.
_FIXED = (*PER_RUN_DIMENSIONS, "fleet")

RUN_DIMENSIONS = [name for name, d in catalog.DIMENSIONS.items() if d.of == "run"]


async def facets(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: Flagged,
    reader: Principal | None,
) -> Facets:
    """Return the values of every dimension that any run states.

    Counts runs; with `metrics`, those with a result of one of them.
    """
    reading = await begin_reading(connection, reader)
    unfiltered = _Counted(reading, metrics, terms, flagged)
    filtered = {term.dimension for term in terms}
    labels = {name for name in filtered if name.startswith(catalog.LABEL_PREFIX)}
    labels |= unfiltered.labels()
    names = RUN_DIMENSIONS + _dimensions_of_samples(metrics) + sorted(labels)
    values_by_name = {name: (listed, count) for name, listed, count in unfiltered.values(names)}
    # A private fleet that the question names is counted among the others, too.
    asked_reading = replace(reading, scope=reading.scope.asked(terms))
    for name in filtered.intersection(names, _FIXED):
        other_terms = tuple(term for term in terms if term.dimension != name)
        counted = _Counted(asked_reading, metrics, other_terms, flagged)
        ((_, listed, count),) = counted.values([name])
        values_by_name[name] = (listed, count)
    dimensions = [
        Facet(name, count, listed)
        for name, (listed, count) in values_by_name.items()
        if any(entry.value is not None for entry in listed)
    ]
    return Facets(unfiltered.total, dimensions, unfiltered.metrics())


def _dimensions_of_samples(metrics: tuple[str, ...]) -> list[str]:
    """Return the sample dimensions that all these metrics have."""
    lists = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that some metric lacks would count only gaps.
    return [name for name in (lists[0] if lists else ()) if all(name in names for names in lists)]


class _Counted:
    """Runs under some filters, of which one may be dropped: R rows by machine.

    A value of a dimension is a set of setups. Machines of all values are counted at once, as bits
    of each setup that are combined by machine.
    """

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
        self._passing = {name: matching_setups(data, filters) for name, filters in by_name.items()}
        self._failing: Ints = np.zeros(len(data.setups), dtype=np.int64)
        for passes in self._passing.values():
            self._failing += ~passes
        self._scope = reading.scope.asked(terms)
        matching = self._having(self._series()) & (self._failing <= 1)
        rows = Runs(data, fixed, reading.scope, matching).each()
        # Files have this order already, so the sort is fast.
        order = np.argsort(rows["owner"], kind="stable")
        self._setups: Ints = rows["place"][order]
        self._machines: Ints = rows["owner"][order]
        self._months: Ints = rows["month"][order]
        self._runs: Ints = np.bincount(self._setups, minlength=len(data.setups))
        """Number of runs by setup."""
        is_named = ~ChosenSetups(data, fixed, reading.scope).unspecified
        self._is_named: Bools = is_named[self._setups]

    def _series(self, ignoring: str | None = None) -> dict[int, Series]:
        """Return the metrics' series that pass filters of samples, ignoring those on `ignoring`."""
        terms = [term for term in self._terms if term.dimension != ignoring]
        sample_terms = [term for term in terms if catalog.is_of_sample(term.dimension)]
        return {
            number: series
            for metric in self._metrics
            for number, series in self._data.of_metric(metric).items()
            if all(
                matches(series.parameter(name), [t for t in sample_terms if t.dimension == name])
                for name in {term.dimension for term in sample_terms}
            )
        }

    def _having(self, series: Iterable[int]) -> Bools:
        """Whether each setup has results of any of these; always true without metrics."""
        if not self._metrics:
            return np.ones(len(self._data.setups), dtype=bool)
        doubts = self._flagged == "include"
        return self._data.setups.having({*series}, counts=True, doubts=doubts)

    @cached_property
    def _passes_all(self) -> Bools:
        """Whether each setup passes all filters."""
        passes: Bools = (self._failing == 0) & self._having(self._series())
        return passes

    @cached_property
    def total(self) -> int:
        return int(self._runs[self._passes_all].sum())

    def metrics(self) -> list[str]:
        """Return the metrics that the runs have results of, in catalogue order."""
        series, doubts = self._data.series, self._flagged == "include"
        codes, values = self._data.setups.values(RESULTS)
        having = np.unique(codes[self._passes_all & (self._runs > 0)])
        measured = {
            series[number].metric
            for code in having
            for number in values[code].among(series, counts=True, doubts=doubts)
        }
        return [name for name in catalog.METRICS if name in measured]

    def values(self, names: Sequence[str]) -> Iterator[tuple[str, list[FacetValue], int]]:
        """Yield each dimension's values, those of most runs first, and their total number."""
        by_name = {
            name: self._values_of_samples(name)
            if catalog.is_of_sample(name)
            else self._values_of_setups(name)
            for name in names
            if name not in PER_RUN_DIMENSIONS
        }
        listed = {name: sorted(rows, key=self._rank)[:MAX_VALUES] for name, rows in by_name.items()}
        all_setups = [setups for rows in listed.values() for _, setups in rows]
        is_named = self._is_named
        machines = iter(_machines_of(self._setups[is_named], self._machines[is_named], all_setups))
        for name in names:
            if name == "machine":
                yield name, *self._values_of_machines()
            elif name == "month":
                months = self._values_of_months()
                yield name, months, len(months)
            else:
                values = [
                    FacetValue(value, int(self._runs[setups].sum()), next(machines))
                    for value, setups in listed[name]
                ]
                yield name, values, len(by_name[name])

    def _rank(self, entry: tuple[Value, Ints]) -> tuple[bool, int, str]:
        value, setups = entry
        return value is None, -int(self._runs[setups].sum()), str(value)

    def _chosen(self, ignoring: str) -> Bools:
        """Whether each setup passes the other filters."""
        passes = self._passing.get(ignoring)
        if passes is None:
            return self._passes_all
        chosen: Bools = (self._failing == ~passes) & self._having(self._series())
        return chosen

    def _values_of_setups(self, name: str) -> list[tuple[Value, Ints]]:
        """Return each value that occurs, with its setups."""
        codes, values = self._data.values(name)
        chosen = np.flatnonzero(self._chosen(name) & (self._runs > 0))
        order = chosen[np.argsort(codes[chosen], kind="stable")]
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        return [(values[codes[rows[0]]], rows) for rows in np.split(order, starts[1:]) if len(rows)]

    def _values_of_samples(self, name: str) -> list[tuple[Value, Ints]]:
        by_value: dict[Value, list[int]] = {}
        for number, series in self._series(ignoring=name).items():
            by_value.setdefault(series.parameter(name), []).append(number)
        passing = (self._failing == 0) & (self._runs > 0)
        setups_by_value = {
            value: np.flatnonzero(passing & self._having(ids)) for value, ids in by_value.items()
        }
        return [(value, setups) for value, setups in setups_by_value.items() if len(setups)]

    def _values_of_months(self) -> list[FacetValue]:
        chosen = self._passes_all[self._setups]
        months, codes = np.unique(self._months[chosen], return_inverse=True)
        runs = np.bincount(codes, minlength=len(months)).tolist()
        is_named = self._is_named[chosen]
        month_codes = [np.array([code]) for code in range(len(months))]
        machines = _machines_of(codes[is_named], self._machines[chosen][is_named], month_codes)
        listed = [
            FacetValue(month_text(month) if month else None, *counts)
            for month, *counts in zip(months.tolist(), runs, machines, strict=True)
        ]
        return sorted(listed, key=lambda item: (item.value is None, -item.runs, str(item.value)))

    def _values_of_machines(self) -> tuple[list[FacetValue], int]:
        """Return facets of the machines with most runs, and the number of all machines."""
        chosen = self._passes_all[self._setups]
        numbers, starts, runs = np.unique(
            self._machines[chosen], return_index=True, return_counts=True
        )
        most = np.lexsort((numbers, -runs))[:MAX_VALUES]
        ids = self._data.machine_ids(numbers[most].tolist(), self._scope)
        have_names = (
            np.logical_or.reduceat(self._is_named[chosen], starts) if len(starts) else starts
        )
        listed = [
            FacetValue(str(ids[number]), count, int(has_name))
            for number, count, has_name in zip(
                *(column[most].tolist() for column in (numbers, runs, have_names)), strict=True
            )
        ]
        return sorted(listed, key=lambda item: (-item.runs, str(item.value))), len(numbers)

    def labels(self) -> set[str]:
        """Return the most common labels of workloads; in other suites labels identify nothing."""
        if not self._metrics or any(
            catalog.METRICS[name].suite != "workload" for name in self._metrics
        ):
            return set()
        runs: dict[str, int] = {}
        codes, values = self._data.setups.values("labels")
        passing = codes[self._passes_all]
        counts = np.bincount(passing, weights=self._runs[self._passes_all], minlength=len(values))
        for labels, count in zip(values, counts.tolist(), strict=True):
            for key, _ in labels:
                runs[key] = runs.get(key, 0) + int(count)
        most = sorted((key for key in runs if runs[key]), key=lambda key: (-runs[key], key))
        # Some keys can't be part of a question.
        return {
            catalog.LABEL_PREFIX + key
            for key in most[:MAX_LABELS]
            if key and askable(catalog.LABEL_PREFIX + key)
        }


def _machines_of(codes: Ints, machines: Ints, values: Sequence[Ints]) -> list[int]:
    """Count the machines with rows of any of each value's codes; rows are sorted by machine."""
    starts = np.flatnonzero(np.diff(machines, prepend=machines[:1] + 1))
    counts: list[int] = []
    for first in range(0, len(values), _BITS):
        batch = values[first : first + _BITS]
        highest = max(int(codes.max(initial=0)), *(int(value_codes.max()) for value_codes in batch))
        bits = np.zeros(highest + 1, dtype=np.uint64)
        for bit, value_codes in enumerate(batch):
            bits[value_codes] |= np.uint64(1 << bit)
        if len(starts):
            machine_bits = np.bitwise_or.reduceat(bits[codes], starts).view(np.uint8)
            flags = np.unpackbits(machine_bits.reshape(len(starts), -1), axis=1, bitorder="little")
            counts += flags.sum(axis=0).tolist()[: len(batch)]
        else:
            counts += [0] * len(batch)
    return counts
