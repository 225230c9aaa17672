"""Results of single runs, and articles' printed figures."""

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select

from macmeter import catalog
from macmeter.accounts.visibility import visible
from macmeter.catalog import Trait
from macmeter.catalog.terms import Filters, Op, Term, Value
from macmeter.models import PublishedFigure, Result, Run, Series
from macmeter.results.context import ReadContext
from macmeter.results.filters import (
    Key,
    column,
    in_answers,
    key_table,
    matches,
    not_withdrawn,
    results_of,
    same_run,
)
from macmeter.schemas.answer import Citation
from macmeter.schemas.answer import Key as Values
from macmeter.schemas.runs import Source


class StoredResult(NamedTuple):
    """One series of a run."""

    metric: str
    parameters: Values
    flags: list[str] | None
    printed: str | None
    qualifier: str | None


class Range(NamedTuple):
    """A run's lowest and highest median of a metric, with an example of printed digits."""

    run_id: uuid.UUID
    metric: str
    low: float
    high: float
    results: int
    printed: str | None


class Printed(NamedTuple):
    """A ratio or range as printed in an article."""

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


async def results_of_run(moment: ReadContext, run: Key) -> list[StoredResult]:
    """Return all results of a run."""
    query = (
        select(Series.metric, Series.parameters)
        .add_columns(Result.flags, Result.printed, Result.qualifier)
        .join(Series, Series.series_id == Result.series_id)
        .join(Run, same_run(Result))
        .where(Result.machine_id == run[0], Result.run_id == run[1], visible(moment.scope))
    )
    return [StoredResult._make(row) for row in await moment.connection.execute(query)]


async def medians_of(
    moment: ReadContext, run: Key, metric: str, parameters: Iterable[Term], *, doubts: bool = True
) -> list[float]:
    """Return the medians of a run's results of a metric with matching parameters; without
    `doubts`, only those that nothing speaks against.
    """
    query = (
        results_of([metric], parameters, moment.scope)
        .where(Result.machine_id == run[0], Result.run_id == run[1])
        .add_columns(Result.median)
    )
    if not doubts:
        query = query.where(in_answers("exclude"))
    return list((await moment.connection.execute(query)).scalars())


async def ranges_of(moment: ReadContext, runs: Sequence[Key]) -> list[Range]:
    """Return the range from lowest to highest result for each metric of these runs."""
    among = key_table(runs)
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
        .join(Run, same_run(Result))
        .join(among, same_run(among.c, Result) & same_run(among.c))
        .where(visible(moment.scope))
        .group_by(Result.run_id, Series.metric)
    )
    return [Range._make(row) for row in await moment.connection.execute(query)]


async def printed_of(moment: ReadContext, runs: Sequence[Key]) -> list[Printed]:
    """Return the printed ratios and ranges of these runs, in their articles' order."""
    figure, among = PublishedFigure, key_table(runs)
    query = (
        select(*(getattr(figure, name) for name in Printed._fields))
        .join(Run, same_run(figure))
        .join(among, same_run(among.c, figure) & same_run(among.c))
        .where(visible(moment.scope))
        .order_by(figure.position)
    )
    return [Printed._make(row) for row in await moment.connection.execute(query)]


class ResultSource(NamedTuple):
    """An article's printed digits for one result, and its citation.

    `value` is in the metric's unit; `stated` has the requested dimensions, None where not stated.
    """

    value: float
    printed: str | None
    qualifier: str | None
    citation: Citation | None
    flags: list[str]
    stated: dict[str, Value]


class PrintedFigure(NamedTuple):
    """A ratio or range of a run, with the run's values of the requested dimensions."""

    figure: Printed
    by: tuple[Value, ...]
    flags: list[str]
    citation: Citation | None


async def sources_of(
    moment: ReadContext, runs: Collection[Key], series: Collection[int], names: Sequence[str]
) -> dict[tuple[bytes, int], ResultSource]:
    """Return the sources of these runs' results by run and series; `names` are dimensions."""
    among = key_table([*runs])
    query = (
        select(Run.run_id, Result.series_id, Result.median, Result.printed, Result.qualifier)
        .add_columns(Run.citation, Run.flags, Result.flags.label("own"))
        .add_columns(*(column(name).label(f"of_{name}") for name in names))
        .join(Run, same_run(Result))
        .join(Series, Series.series_id == Result.series_id)
        .join(among, same_run(among.c, Result) & same_run(among.c))
        .where(Result.series_id.in_(series), visible(moment.scope))
    )
    sources = {}
    for row in await moment.connection.execute(query):
        stated = {name: row._mapping[f"of_{name}"] for name in names}
        flags = [*row.flags, *(row.own or [])]
        values = row.median, row.printed, row.qualifier, row.citation, flags, stated
        sources[row.run_id.bytes, row.series_id] = ResultSource(*values)
    return sources


async def figures_of(
    moment: ReadContext, metric: str, terms: Sequence[Term], by: Sequence[str]
) -> list[PrintedFigure]:
    """Return the printed ratios and ranges of a metric that match."""
    figure = PublishedFigure
    query = (
        select(*(getattr(figure, name) for name in Printed._fields), Run.flags, Run.citation)
        .add_columns(*(column(name, figure.parameters) for name in by))
        .join(Run, same_run(figure))
        .where(figure.metric == metric, visible(moment.scope), not_withdrawn())
        .where(matches(terms, figure.parameters))
        .order_by(Run.run_id, figure.position)
    )
    end = len(Printed._fields)
    return [
        PrintedFigure(Printed._make(row[:end]), tuple(row[end + 2 :]), row[end], row[end + 1])
        for row in await moment.connection.execute(query)
    ]


# What a run was measured on, besides its method.
CONFIGURATION = (*catalog.having(Trait.CONFIGURATION), "device_id", "labels")


class Measurement(NamedTuple):
    """One result; `configuration` in the order of CONFIGURATION, None where not stated."""

    run_id: uuid.UUID
    at: datetime
    os_version: str | None
    metric: str
    run_flags: list[str]
    source: Source
    method: str
    method_version: int
    series_id: int
    parameters: Values
    value: float
    flags: list[str] | None
    printed: str | None
    samples: int
    configuration: tuple[Any, ...]


async def measurements_of(
    moment: ReadContext, machine_id: uuid.UUID, filters: Filters
) -> list[Measurement]:
    """Return a machine's results that match, oldest first."""
    at = func.coalesce(Run.started_at, Run.received_at)
    terms = (*filters.where, Term("machine", Op.IS, str(machine_id)))
    query = (
        results_of(filters.metrics, terms, moment.scope)
        .where(in_answers(filters.flagged))
        .add_columns(
            *(Run.run_id, at, Run.os_version, Series.metric, Run.flags, Run.source, Run.method),
            *(Run.method_version, Series.series_id, Series.parameters, Result.median),
            *(Result.flags, Result.printed, Result.n),
            *(getattr(Run, name) for name in CONFIGURATION),
        )
        .order_by(at, Run.run_id)
    )
    count = len(Measurement._fields) - 1
    return [
        Measurement._make((*row[:count], tuple(row[count:])))
        for row in await moment.connection.execute(query)
    ]
