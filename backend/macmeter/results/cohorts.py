"""Values of machines similar to a run's own, result by result."""

import math
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import select

from macmeter import catalog
from macmeter.accounts.visibility import PUBLIC, visible
from macmeter.catalog import ANY_LABEL
from macmeter.catalog.terms import Op, Term
from macmeter.models import Result, Run, Series
from macmeter.results.context import Reading
from macmeter.results.dataset.loading import objects
from macmeter.results.dataset.properties import values_with_new
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import Bools, Ints
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.dataset.sql import machine_number
from macmeter.results.filters import Key, key_table, not_withdrawn, same_run
from macmeter.statistics.outliers import certainly_usual_bounds
from macmeter.statistics.summary import Array, medians_of

# Properties that comparable runs share, whatever the metric.
_ALWAYS = ("source", "method", "method_version", "unspecified")


class PublicResult(NamedTuple):
    """One series of a run that belongs to no fleet."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    series: int
    metric: str
    median: float
    flags: list[str]
    """Flags of the run and of the result."""


class _Medians(NamedTuple):
    """One median per machine, as logarithms."""

    machine: Ints
    value: Array

    def without(self, machine: int | None) -> Array:
        values: Array = self.value[self.machine != machine]
        return values


async def public_results(
    reading: Reading, keys: Sequence[Key], since: datetime
) -> list[PublicResult]:
    """Return undoubted public results that Macs outside fleets measured in these runs.

    Only runs received since then: a merge of machines stores older ones again.
    """
    among = key_table(keys)
    query = (
        select(Result.machine_id, Result.run_id, Result.series_id)
        .add_columns(Series.metric, Result.median, Run.flags, Result.flags.label("of_result"))
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, same_run(Result))
        .join(among, same_run(among.c, Result) & same_run(among.c))
        .where(visible(reading.scope), not_withdrawn(), Run.visibility == PUBLIC)
        .where(Run.source == "measured", Result.doubtful.is_(False), Run.received_at >= since)
        .order_by(Result.machine_id, Result.run_id, Result.series_id)
    )
    return [
        PublicResult(
            machine_id=row.machine_id,
            run_id=row.run_id,
            series=row.series_id,
            metric=row.metric,
            median=row.median,
            flags=[*row.flags, *(row.of_result or ())],
        )
        for row in await reading.connection.execute(query)
    ]


class Cohort:
    """Values of one series among similar machines: logarithms of their medians."""

    def __init__(self, machine: Ints, value: Array, is_new: Bools, min_machines: int) -> None:
        """Take results that are all above 0."""
        old = ~is_new.astype(bool)
        self._min_machines = min_machines
        self._all = _medians(machine, value)
        self._before = _medians(machine[old], value[old])

    @cached_property
    def certainly_usual_bounds(self) -> tuple[float, float]:
        """Bounds within which no value is an outlier, whichever its machine; else inf and -inf."""
        if len(self._before.value) <= self._min_machines:
            return math.inf, -math.inf
        return certainly_usual_bounds(self._before.value)

    def others(self, machine: int | None) -> Array:
        """Return the values of machines other than this one."""
        before = self._before.without(machine)
        return before if len(before) >= self._min_machines else self._all.without(machine)


class Cohorts:
    """Values of similar machines at one moment; each cohort is read once.

    `new` runs are compared with earlier ones, so that many that arrive together don't vouch for
    each other; if there are too few earlier ones, with all.
    """

    def __init__(self, reading: Reading, new: Sequence[Key], min_machines: int) -> None:
        self._data, self._scope = reading.data, reading.scope
        self._new = self._data.register({"run_id": objects(str(run_id) for _, run_id in new)})
        rows = self._data.setups_of(self._new, self._scope)
        indices = self._data.setups.indices_of(
            np.array([setup for _, setup in rows], dtype=np.int64)
        )
        self._setup_of = {row[0]: index for row, index in zip(rows, indices.tolist(), strict=True)}
        self._min_machines = min_machines
        self._terms: dict[tuple[str, int], tuple[Term, ...]] = {}
        self._cache: dict[tuple[str, tuple[Term, ...]], dict[int, Cohort]] = {}

    def of(self, result: PublicResult) -> Cohort | None:
        """Return the result's cohort; None if the data set doesn't have the run."""
        setup = self._setup_of.get(result.run_id)
        if setup is None:
            return None
        terms = self._terms.get((result.metric, setup))
        if terms is None:
            filters = tuple(_comparable_filters(self._data, result.metric, setup))
            terms = self._terms[result.metric, setup] = filters
        cohorts = self._cache.get((result.metric, terms))
        if cohorts is None:
            cohorts = self._cache[result.metric, terms] = self._read(result.metric, terms)
        return cohorts.get(result.series)

    def others(self, cohort: Cohort, result: PublicResult) -> Array:
        """Return the logarithms of similar machines' medians, without the run's own machine."""
        return cohort.others(machine_number(result.machine_id))

    def _read(self, metric: str, terms: tuple[Term, ...]) -> dict[int, Cohort]:
        selection = Selection(self._data, metric, (), terms, self._scope)
        rows = values_with_new(selection, self._new)
        series, starts = np.unique(rows["series"], return_index=True)
        columns = (np.split(rows[name], starts[1:]) for name in ("machine", "value", "is_new"))
        return {
            number: Cohort(machine, value, is_new, self._min_machines)
            for number, machine, value, is_new in zip(series.tolist(), *columns, strict=False)
        }


def _comparable_filters(data: Snapshot, metric: str, setup: int) -> Iterator[Term]:
    """Yield filters for runs that are comparable with those of this setup."""
    for name in (*_ALWAYS, *catalog.METRICS[metric].circumstances):
        condition, expected = catalog.DETERMINES_WHERE.get(name, (None, None))
        if condition is None or _value(data, condition, setup) == expected:
            stated = "labels" if name == ANY_LABEL else name
            yield Term(stated, Op.IS, _value(data, stated, setup))


def _value(data: Snapshot, name: str, setup: int) -> Any:
    codes, values = data.setups.values(name)
    return values[codes[setup]]


def _medians(machine: Ints, value: Array) -> _Medians:
    order = np.lexsort((value, machine))
    starts = np.flatnonzero(np.diff(machine[order], prepend=-1))
    sizes = np.diff(starts, append=len(machine))
    medians = np.log(medians_of(value[order], starts, sizes))
    return _Medians(machine[order][starts], medians)
