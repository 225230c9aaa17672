"""Compare stored runs with their documents, in the worker processes of `verify`."""

import hashlib
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Row, and_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.catalog.terms import Value
from macmeter.documents.compression import DamagedError, uncompressed
from macmeter.documents.derive import DERIVATION_VERSION, DerivedRun, derive
from macmeter.documents.packing import WORDS, packed
from macmeter.documents.parse import parse_stored
from macmeter.models import Document, PublishedFigure, Run, RunResults, Series
from macmeter.platform import database
from macmeter.platform.errors import Problem
from macmeter.platform.isolation import Isolated
from macmeter.statistics.summary import STORED

# Ids of the machine and the run.
RunKey = tuple[uuid.UUID, uuid.UUID]


class ResultFields(NamedTuple):
    """Compared fields of one result, as stored or as derived from the document."""

    doubtful: bool
    median: float
    n: int
    steps: bytes
    flags: list[str] | None
    printed: str | None
    qualifier: str | None


# Results of a run by the text of their series.
Results = dict[str, ResultFields]


@dataclass
class ComparedBatch:
    """A batch of compared runs, how many are of an older derivation, and their differences."""

    runs: int = 0
    outdated: int = 0
    differences: list[str] = field(default_factory=list)


async def compare(url: str, keys: list[RunKey]) -> ComparedBatch:
    """Compare these runs with their documents. A job for a worker process."""
    compared, isolated = ComparedBatch(), Isolated("comparing")
    async with database.Databases(url, url).snapshot() as connection:
        rows = await _fetch_runs(connection, keys)
        results = await _fetch_results(connection, keys)
        figures = await _fetch_figures(connection, keys)
    for row in rows:
        compared.runs += 1
        key = (row.machine_id, row.run_id)
        with isolated.item(f"run {row.run_id}"):
            for difference in _differences(row, results.get(key, {}), figures.get(key, [])):
                compared.differences.append(f"run {row.run_id}: {difference}")
        compared.outdated += row.derivation_version < DERIVATION_VERSION
    failed = isolated.failed.items()
    compared.differences += (f"{run}: it can't be compared: {why}" for run, why in failed)
    return compared


async def _fetch_runs(connection: AsyncConnection, keys: list[RunKey]) -> list[Row[Any]]:
    same_run = and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id)
    document = (Document.sha256, Document.size, Document.compressed)
    # Nothing is left to compare if a fleet's retention has kept only the medians.
    query = select(Run, *document).join(Document, same_run & Document.compressed.is_not(None))
    return list(await connection.execute(query.where(tuple_(Run.machine_id, Run.run_id).in_(keys))))


async def _fetch_results(connection: AsyncConnection, keys: list[RunKey]) -> dict[RunKey, Results]:
    """Fetch results by run and series."""
    key = tuple_(RunResults.machine_id, RunResults.run_id)
    rows = list(await connection.execute(select(RunResults.__table__).where(key.in_(keys))))
    series_ids = {series_id for row in rows for series_id in row.series}
    query = select(Series.__table__).where(Series.series_id.in_(series_ids))
    names = {
        series.series_id: _series_text(series.metric, series.parameters)
        for series in await connection.execute(query)
    }
    return {
        (row.machine_id, row.run_id): dict(_results_by_series(row._mapping, names)) for row in rows
    }


def _results_by_series(
    row: Mapping[Any, Any], names: dict[int, str]
) -> Iterator[tuple[str, ResultFields]]:
    end = 0
    """Yield the results of a row of `run_results`, with the text of each one's series."""
    for index, series_id in enumerate(row["series"]):
        start, end = end, end + row["counts"][index] * STORED.itemsize
        words = (row["said"] or {}).get(str(series_id), {})
        yield (
            names.get(series_id, "a series without a name"),
            ResultFields(
                row["doubtful"] is not None and row["doubtful"][index],
                row["medians"][index],
                row["counts"][index],
                row["steps"][start:end],
                *(words.get(name) for name in WORDS),
            ),
        )


# Columns of a row that are not null.
Columns = dict[str, object]


async def _fetch_figures(
    connection: AsyncConnection, keys: list[RunKey]
) -> dict[RunKey, list[Columns]]:
    """Fetch printed ratios and ranges by run, without null columns."""
    key = tuple_(PublishedFigure.machine_id, PublishedFigure.run_id)
    query = select(PublishedFigure.__table__).where(key.in_(keys))
    by_run: dict[RunKey, list[Columns]] = {}
    for row in (await connection.execute(query.order_by(PublishedFigure.position))).mappings():
        values = {name: value for name, value in row.items() if value is not None}
        by_run.setdefault((values.pop("machine_id"), values.pop("run_id")), []).append(values)
    return by_run


def _differences(row: Row[Any], results: Results, figures: list[Columns]) -> Iterator[str]:
    """Yield how a stored run differs from its document."""
    try:
        content = uncompressed(row.compressed)
    except DamagedError:
        yield "its document can't be unpacked"
        return
    if hashlib.sha256(content).digest() != row.sha256 or len(content) != row.size:
        yield "its document is not the one that was received: its SHA-256 is another"
        return
    if row.derivation_version != DERIVATION_VERSION:
        # Results of an older version; the next start of a server rederives them.
        if row.derivation_version > DERIVATION_VERSION:
            yield f"its results are of a newer version (derivation {row.derivation_version})"
        return
    try:
        run = derive(*parse_stored(content))
    except Problem as problem:
        yield f"its document can't be read: {problem.detail}"
        return
    yield from _run_differences(row, run)
    yield from _results_differences(results, run)
    expected = [{k: v for k, v in item.items() if v is not None} for item in run.published_figures]
    if figures != expected:
        yield "its printed ratios or ranges are not those of its document"


def _run_differences(row: Row[Any], run: DerivedRun) -> Iterator[str]:
    if (row.uploaded_as or row.machine_id, row.run_id) != (run.machine_id, run.run_id):
        yield f"its document is of run {run.run_id} of machine {run.machine_id}"
    for name, value in run.columns.items():
        if getattr(row, name) != value:
            yield f"{name} is {getattr(row, name)!r}, by its document {value!r}"


def _results_differences(results: Results, run: DerivedRun) -> Iterator[str]:
    names = {
        n: _series_text(result.metric, result.parameters) for n, result in enumerate(run.results)
    }
    derived = dict(_results_by_series(packed(run.results, range(len(run.results))), names))
    for series in sorted(results.keys() | derived.keys()):
        if series not in derived:
            yield f"{series}: a result that its document does not give"
        elif series not in results:
            yield f"{series}: the result is missing"
        else:
            yield from _result_differences(series, results[series], derived[series])


def _result_differences(series: str, stored: ResultFields, derived: ResultFields) -> Iterator[str]:
    if stored.steps != derived.steps:
        yield f"{series}: its samples are not those of its document"
    for name in ResultFields._fields:
        value, expected = getattr(stored, name), getattr(derived, name)
        if name != "steps" and value != expected:
            yield f"{series}: {name} is {value!r}, by its document {expected!r}"


def _series_text(metric: str, parameters: dict[str, Value]) -> str:
    """Format a series as `disk.write_speed {"file_size":2000000}`."""
    text = orjson.dumps(parameters, option=orjson.OPT_SORT_KEYS).decode() if parameters else ""
    return f"{metric} {text}".strip()
