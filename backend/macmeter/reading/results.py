"""The results of single runs, and what articles print of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import and_, func, select

from macmeter.access.visibility import visible
from macmeter.answers.answer import Key as Values
from macmeter.models import PublishedFigure, Result, Run, Series
from macmeter.reading.filters import matches
from macmeter.reading.keys import Key, is_of, keyed
from macmeter.reading.moment import Moment
from macmeter.terms import Term


class StoredResult(NamedTuple):
    """One series of a run."""

    metric: str
    parameters: Values
    flags: list[str] | None
    printed: str | None
    qualifier: str | None


class Range(NamedTuple):
    """A run's lowest and highest median of a metric; `printed` is one of what is printed."""

    run_id: uuid.UUID
    metric: str
    low: float
    high: float
    results: int
    printed: str | None


class Printed(NamedTuple):
    """A ratio or range as an article prints it."""

    run_id: uuid.UUID
    kind: str
    metric: str
    parameters: Values
    value: float | None
    low: float | None
    high: float | None
    of: Values | None
    to: Values | None
    qualifier: str | None
    printed: str


_OF_RUN = and_(Run.machine_id == Result.machine_id, Run.run_id == Result.run_id)
_PRINTED_OF_RUN = and_(
    Run.machine_id == PublishedFigure.machine_id, Run.run_id == PublishedFigure.run_id
)


async def results_of(moment: Moment, run: Key) -> list[StoredResult]:
    """All results of a run."""
    query = (
        select(Series.metric, Series.parameters)
        .add_columns(Result.flags, Result.printed, Result.qualifier)
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, _OF_RUN)
        .where(Result.machine_id == run[0], Result.run_id == run[1], visible(moment.scope))
    )
    return [StoredResult._make(row) for row in await moment.connection.execute(query)]


async def medians_of(
    moment: Moment, run: Key, metric: str, of_samples: Iterable[Term]
) -> list[float]:
    """The medians of a run's results of a metric whose parameters match."""
    query = (
        select(Result.median)
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, _OF_RUN)
        .where(Result.machine_id == run[0], Result.run_id == run[1], visible(moment.scope))
        .where(Series.metric == metric, matches(of_samples))
    )
    return list((await moment.connection.execute(query)).scalars())


async def ranges_of(moment: Moment, runs: Sequence[Key]) -> list[Range]:
    """From its lowest result to its highest, each metric of each of these runs."""
    among = keyed(runs)
    query = (
        select(
            Result.run_id,
            Series.metric,
            func.min(Result.median),
            func.max(Result.median),
            func.count(),
            func.min(Result.printed),
        )
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, _OF_RUN)
        .join(among, is_of(among, Result) & is_of(among, Run))
        .where(visible(moment.scope))
        .group_by(Result.run_id, Series.metric)
    )
    return [Range._make(row) for row in await moment.connection.execute(query)]


async def printed_of(moment: Moment, runs: Sequence[Key]) -> list[Printed]:
    """The ratios and ranges that are printed of these runs, in their articles' order."""
    figure, among = PublishedFigure, keyed(runs)
    query = (
        select(*(getattr(figure, name) for name in Printed._fields))
        .join(Run, _PRINTED_OF_RUN)
        .join(among, is_of(among, figure) & is_of(among, Run))
        .where(visible(moment.scope))
        .order_by(figure.position)
    )
    return [Printed._make(row) for row in await moment.connection.execute(query)]
