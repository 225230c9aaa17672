"""What machines measured that are similar to a run's own, result by result."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import and_, select

from macmeter import catalog
from macmeter.access.visibility import PUBLIC, visible
from macmeter.catalog import ANY_LABEL
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.columns.view import View
from macmeter.models import Result, Run, Series
from macmeter.reading.filters import standing
from macmeter.reading.keys import Key, is_of, keyed
from macmeter.reading.moment import Reading
from macmeter.stats.summary import Array, medians_of
from macmeter.terms import Op, Term

# What runs have in common whose figures are of one kind, whatever the metric.
_ALWAYS = ("source", "method", "method_version", "unspecified")


class PublicResult(NamedTuple):
    """One series of a run that belongs to no fleet."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    series: int
    metric: str
    median: float
    flags: list[str]
    """The run's and its own."""


class _Rows(NamedTuple):
    """The results of a series: numbers of a view, and values."""

    machine: Ints
    run: Ints
    value: Array


async def public_results(reading: Reading, keys: Sequence[Key]) -> list[PublicResult]:
    """Of these runs what a Mac measured and nothing speaks against, without any fleet's."""
    among = keyed(keys)
    query = (
        select(Result.machine_id, Result.run_id, Result.series_id)
        .add_columns(Series.metric, Result.median, Run.flags, Result.flags.label("of_result"))
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, and_(Run.machine_id == Result.machine_id, Run.run_id == Result.run_id))
        .join(among, is_of(among, Result) & is_of(among, Run))
        .where(visible(reading.scope), standing(), Run.visibility == PUBLIC)
        .where(Run.source == "measured", Result.doubtful.is_(False))
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


class Cohorts:
    """Similar machines' values at one moment, each cohort read once.

    Runs that are `new` are compared with what there was before, so that many that come together
    don't vouch for each other; with each other where that was too little.
    """

    def __init__(self, reading: Reading, new: Sequence[Key], fewest: int) -> None:
        self._reading = reading
        self._new = reading.view.numbers_of([run_id.bytes for _, run_id in new])
        self._fewest = fewest
        self._known: dict[tuple[str, tuple[Term, ...]], dict[int, _Rows]] = {}

    def others(self, result: PublicResult) -> Array | None:
        """The logarithms of similar machines' medians, without the run's own machine.

        None where the columns don't have the run.
        """
        view = self._reading.view
        numbers = view.numbers_of([result.run_id.bytes])
        if not len(numbers):
            return None
        setup = int(view.of_runs("setup")[numbers][0])
        own = view.names.machines.known(result.machine_id.bytes)
        terms = tuple(_alike(view, result.metric, setup))
        found = self._known.get((result.metric, terms))
        if found is None:
            found = self._known[result.metric, terms] = self._read(result.metric, terms)
        rows = found.get(result.series)
        if rows is None:
            return np.zeros(0)
        others = rows.machine != own
        before = _medians(rows, others & ~np.isin(rows.run, self._new))
        return before if len(before) >= self._fewest else _medians(rows, others)

    def _read(self, metric: str, terms: Sequence[Term]) -> dict[int, _Rows]:
        parts = self._reading.view.parts(metric, terms, self._reading.scope, aside=False)
        return {
            series: _Rows(
                np.concatenate([part.of_runs("machine") for part in of_series]),
                np.concatenate([part.runs for part in of_series]),
                np.concatenate([part.only(part.rows.values) for part in of_series]),
            )
            for series, of_series in parts.items()
        }


def _alike(view: View, metric: str, setup: int) -> Iterator[Term]:
    """Filters for the runs that were made as those of this setup were."""
    for name in (*_ALWAYS, *catalog.METRICS[metric].circumstances):
        other, wanted = catalog.DETERMINES_WHERE.get(name, (None, None))
        if other is None or _value(view, other, setup) == wanted:
            stated = "labels" if name == ANY_LABEL else name
            yield Term(stated, Op.IS, _value(view, stated, setup))


def _value(view: View, name: str, setup: int) -> Any:
    codes, values = view.names.setup_values(name)
    return values[codes[setup]]


def _medians(rows: _Rows, chosen: Bools) -> Array:
    """One a machine, as logarithms."""
    chosen = chosen & (rows.value > 0)
    machine, value = rows.machine[chosen], rows.value[chosen]
    order = np.lexsort((value, machine))
    starts = np.flatnonzero(np.diff(machine[order], prepend=-1))
    sizes = np.diff(starts, append=len(machine))
    medians: Array = np.log(medians_of(value[order], None, starts, sizes))
    return medians
