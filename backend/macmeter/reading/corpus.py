"""Every public result, a line each: what the downloads hold, and where each column comes from.

Runs are read in pages by their key and not through one long query: a slow reader holds neither
a connection nor a snapshot, and a run that is stored or deleted meanwhile is in or out whole.
A run has some 50 results, so what is the run's is read and worked out once for all of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal

import orjson
from sqlalchemy import ColumnElement, Row, Text, and_, cast, func, select, true, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import catalog
from macmeter.access.scope import COMMONS
from macmeter.access.visibility import visible
from macmeter.catalog import Kind, Metric
from macmeter.documents.samples import series_key
from macmeter.documents.stored import UnreadableError, stored_samples
from macmeter.isolation import DOCUMENTS, Isolated
from macmeter.models import Document, Failure, Result, Run, RunId, Series
from macmeter.reading.filters import standing
from macmeter.reading.keys import is_of, keyed
from macmeter.stats.summary import Summary, summarise

# Names this list of columns: another meaning of a column, or one less, is another version.
VERSION = "macmeter.corpus/1"
# Some 50 results each: worth a query, and not enough to keep the event loop from others.
RUNS_AT_ONCE = 10

Value = str | float | bool | None
Line = tuple[Value, ...]
Part = tuple[str | None, str]
"""A month and a suite: all runs of both."""


@dataclass(frozen=True)
class Column:
    """`type` is text, number, boolean or time (RFC 3339, UTC)."""

    name: str
    type: Literal["text", "number", "boolean", "time"]
    unit: str | None = None
    about: str | None = None


@dataclass(frozen=True)
class OfRun(Column):
    """The same in all lines of a run."""

    value: Callable[[Row[Any]], Value] = field(kw_only=True)


@dataclass(frozen=True)
class Found:
    """One result of a run: its row, its series and the summary of its samples."""

    row: Row[Any]
    metric: Metric
    parameters: dict[str, Value]
    summary: Summary


@dataclass(frozen=True)
class OfResult(Column):
    value: Callable[[Found], Value] = field(kw_only=True)


def _of_run(name: str) -> OfRun:
    """A dimension of runs: its column of the same name."""
    dimension = catalog.DIMENSIONS[name]
    about = dimension.about or dimension.title
    return OfRun(name, dimension.kind.value, dimension.unit, about, value=attrgetter(name))


def _cited(name: str, about: str) -> OfRun:
    return OfRun(
        f"citation_{name}",
        "text",
        about=about,
        value=lambda run: (run.citation or {}).get(name),
    )


def _of_sample(name: str) -> OfResult:
    """A dimension of samples: a parameter of the series."""
    dimension = catalog.DIMENSIONS[name]

    def value(found: Found) -> Value:
        given = found.parameters.get(name)
        return given if dimension.kind is Kind.NUMBER or given is None else str(given)

    return OfResult(name, dimension.kind.value, dimension.unit, dimension.title, value=value)


def _summary(name: str, about: str) -> OfResult:
    value = attrgetter(f"summary.{name}")
    return OfResult(name, "number", "as in unit", about, value=value)


# The fleet's name is its members' business, and the machine has a column of its own.
_DIMENSIONS = [
    name
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "run" and name not in ("fleet", "machine")
]

OF_RUN: tuple[OfRun, ...] = (
    OfRun("run_id", "text", about="The run: /api/v1/runs/ID.", value=lambda run: str(run.run_id)),
    OfRun(
        "machine_id",
        "text",
        about="One Mac or VM; empty where an article does not name its machine.",
        value=lambda run: None if run.unspecified else str(run.machine_id),
    ),
    OfRun(
        "started_at",
        "time",
        about="Empty if unknown.",
        value=lambda run: run.started_at and run.started_at.isoformat(),
    ),
    OfRun(
        "received_at",
        "time",
        about="When the server received it.",
        value=lambda run: run.received_at.isoformat(),
    ),
    *map(_of_run, _DIMENSIONS),
    OfRun(
        "method_version",
        "number",
        about="Version of the method.",
        value=attrgetter("method_version"),
    ),
    OfRun(
        "labels",
        "text",
        about="A JSON object.",
        value=lambda run: orjson.dumps(run.labels, option=orjson.OPT_SORT_KEYS).decode(),
    ),
    _cited("author", "Of a published figure: the article's author."),
    _cited("title", "Of a published figure: the article's title."),
    _cited("publisher", "Of a published figure: the article's publisher."),
    _cited("published", "Of a published figure: the article's date."),
    _cited("row", "Of a published figure: where in the article it is."),
    OfRun(
        "run_flags",
        "text",
        about="Flags of the whole run, separated by spaces. /api/v1/catalog explains each.",
        value=lambda run: " ".join(run.flags),
    ),
)

OF_RESULT: tuple[OfResult, ...] = (
    OfResult(
        "metric",
        "text",
        about="The metric's name in /api/v1/catalog.",
        value=attrgetter("metric.name"),
    ),
    OfResult(
        "unit",
        "text",
        about="The unit of this row's figures, in SI base units.",
        value=attrgetter("metric.unit.value"),
    ),
    *(_of_sample(name) for name, d in catalog.DIMENSIONS.items() if d.of == "sample"),
    OfResult(
        "samples",
        "number",
        about="Number of values behind the figures.",
        value=attrgetter("summary.n"),
    ),
    _summary("mean", "Arithmetic mean."),
    _summary("min", "Smallest value."),
    _summary("p10", "10th percentile, interpolated as PostgreSQL's percentile_cont does."),
    _summary("p25", "25th percentile."),
    _summary("p50", "Median: the run's value in answers."),
    _summary("p75", "75th percentile."),
    _summary("p90", "90th percentile."),
    _summary("max", "Largest value."),
    OfResult(
        "doubtful",
        "boolean",
        about="Left out of answers unless a question includes flagged results.",
        value=attrgetter("row.doubtful"),
    ),
    OfResult(
        "flags",
        "text",
        about="Flags of this result alone.",
        value=lambda found: " ".join(found.row.flags or []),
    ),
    OfResult(
        "printed", "text", about="A published figure as printed.", value=attrgetter("row.printed")
    ),
    OfResult(
        "qualifier",
        "text",
        about="The author's reservation, such as about.",
        value=attrgetter("row.qualifier"),
    ),
)
COLUMNS: tuple[Column, ...] = (*OF_RUN, *OF_RESULT)

_RUN = [
    *(Run.machine_id, Run.run_id, Run.unspecified, Run.started_at, Run.received_at),
    *(getattr(Run, name) for name in _DIMENSIONS),
    *(Run.method_version, Run.labels, Run.flags, Run.citation),
]
_RESULT = [
    *(Result.machine_id, Result.run_id, Result.series_id, Result.doubtful, Result.flags),
    *(Result.printed, Result.qualifier),
]


@dataclass(frozen=True)
class Page:
    """Some runs with their documents and all their results, and the series that these are of, by
    number.
    """

    runs: Sequence[Row[Any]]
    documents: list[Row[Any]]
    results: list[Row[Any]]
    series: dict[int, Row[Any]]


async def pages(
    engine: AsyncEngine, isolated: Isolated, part: Part | None = None
) -> AsyncIterator[Page]:
    """All public runs, or those of a part, some at a time, in the order of their keys.

    Runs of which nothing can be read are in none, and `isolated` says why.
    """
    of_part: ColumnElement[bool] = true()
    if part is not None:
        month, suite = part
        of_part = and_(Run.month.is_not_distinct_from(month), Run.suite == suite)
    runs = (
        select(*_RUN)
        .where(visible(COMMONS), standing(), of_part)
        .order_by(Run.machine_id, Run.run_id)
        .limit(RUNS_AT_ONCE)
    )
    series: dict[int, Row[Any]] = {}
    after: tuple[Any, ...] | None = None
    while True:
        asked = runs if after is None else runs.where(tuple_(Run.machine_id, Run.run_id) > after)
        async with engine.connect() as connection:
            found = list(await connection.execute(asked))
            if not found:
                return

            async def read(runs: Sequence[Row[Any]], of: AsyncConnection = connection) -> Page:
                keys = [(run.machine_id, run.run_id) for run in runs]
                async with of.begin_nested():
                    documents = await _documents(of, keys)
                    results = await _results(of, keys)
                    await _learn(of, series, {row.series_id for row in results})
                return Page(runs, documents, results, series)

            read_pages = await isolated.together(found, read, attrgetter("run_id"))
        after = (found[-1].machine_id, found[-1].run_id)
        for page in read_pages:
            yield page


async def _documents(connection: AsyncConnection, keys: list[tuple[Any, Any]]) -> list[Row[Any]]:
    among = keyed(keys)
    query = (
        select(Document.machine_id, Document.run_id, Document.compressed)
        .join(among, is_of(among, Document))
        .where(Document.compressed.is_not(None))
    )
    return list(await connection.execute(query))


async def _results(connection: AsyncConnection, keys: list[tuple[Any, Any]]) -> list[Row[Any]]:
    among = keyed(keys)
    query = (
        select(*_RESULT)
        .join(among, is_of(among, Result))
        .order_by(Result.machine_id, Result.run_id, Result.series_id)
    )
    return list(await connection.execute(query))


async def _learn(
    connection: AsyncConnection, series: dict[int, Row[Any]], needed: Iterable[int]
) -> None:
    missing = [number for number in needed if number not in series]
    if missing:
        query = select(Series.series_id, Series.metric, Series.parameters)
        rows = await connection.execute(query.where(Series.series_id.in_(missing)))
        series.update({row.series_id: row for row in rows})


def lines(
    page: Page, isolated: Isolated, shown: Callable[[Column, Value], Any] = lambda _, value: value
) -> list[Line]:
    """A line of COLUMNS for each result, each value as `shown`.

    A run that can't be read, or shown, has no line, and `isolated` says why.
    """
    documents = {(row.machine_id, row.run_id): row.compressed for row in page.documents}
    results = {
        key: list(rows)
        for key, rows in groupby(page.results, lambda row: (row.machine_id, row.run_id))
    }
    told: list[Line] = []
    for run in page.runs:
        key = (run.machine_id, run.run_id)
        with isolated.item(run.run_id):
            # Without a document its fleet keeps its medians alone.
            if key in documents and key in results:
                samples = stored_samples(documents[key])
                found = [*_found(results[key], samples, page.series)]
                if not found:
                    raise UnreadableError("The document has none of the run's results")
                of_run = tuple(shown(column, column.value(run)) for column in OF_RUN)
                told += [
                    (*of_run, *(shown(column, column.value(one)) for column in OF_RESULT))
                    for one in found
                ]
    return told


def _found(
    rows: Sequence[Row[Any]],
    samples: Mapping[bytes, list[float]],
    of_number: Mapping[int, Row[Any]],
) -> Iterator[Found]:
    for row in rows:
        series = of_number[row.series_id]
        of_series = samples.get(series_key(series.metric, series.parameters))
        if of_series is not None:  # `macmeter-server verify` names what a document does not give
            metric = catalog.METRICS[series.metric]
            yield Found(row, metric, series.parameters, summarise(of_series))


async def unreadable_runs(connection: AsyncConnection) -> int:
    """How many public runs are known to be left out."""
    of_run = and_(RunId.machine_id == Run.machine_id, RunId.run_id == Run.run_id)
    query = (
        select(func.count())
        .select_from(Failure)
        .join(RunId, cast(RunId.run_id, Text) == Failure.item)
        .join(Run, of_run)
        .where(Failure.work == DOCUMENTS, visible(COMMONS), standing())
    )
    return await connection.scalar(query) or 0
