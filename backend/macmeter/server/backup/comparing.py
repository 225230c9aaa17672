"""Comparison of stored runs with what their documents give, in `verify`'s processes."""

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

Key = tuple[uuid.UUID, uuid.UUID]


class Stored(NamedTuple):
    """One stored result of a run."""

    doubtful: bool
    median: float
    n: int
    steps: bytes
    flags: list[str] | None
    printed: str | None
    qualifier: str | None


Results = dict[str, Stored]


@dataclass
class Compared:
    """A compared batch: runs, runs of an older derivation, and what is wrong with which run."""

    runs: int = 0
    outdated: int = 0
    wrong: list[str] = field(default_factory=list)


async def compare(url: str, keys: list[Key]) -> Compared:
    """Compare these runs with their documents. A job for a worker process."""
    compared, runs = Compared(), Isolated("comparing")
    async with database.Databases(url, url).snapshot() as connection:
        rows = await _rows(connection, keys)
        results = await _results(connection, keys)
        figures = await _figures(connection, keys)
    for row in rows:
        compared.runs += 1
        key = (row.machine_id, row.run_id)
        with runs.item(f"run {row.run_id}"):
            for what in _differences(row, results.get(key, {}), figures.get(key, [])):
                compared.wrong.append(f"run {row.run_id}: {what}")
        compared.outdated += row.derivation_version < DERIVATION_VERSION
    compared.wrong += (f"{run}: it can't be compared: {why}" for run, why in runs.failed.items())
    return compared


async def _rows(connection: AsyncConnection, keys: list[Key]) -> list[Row[Any]]:
    same_run = and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id)
    document = (Document.sha256, Document.size, Document.compressed)
    # Nothing is left to compare if a fleet's retention has kept only the medians.
    query = select(Run, *document).join(Document, same_run & Document.compressed.is_not(None))
    return list(await connection.execute(query.where(tuple_(Run.machine_id, Run.run_id).in_(keys))))


async def _results(connection: AsyncConnection, keys: list[Key]) -> dict[Key, Results]:
    """Results by run and series."""
    key = tuple_(RunResults.machine_id, RunResults.run_id)
    rows = list(await connection.execute(select(RunResults.__table__).where(key.in_(keys))))
    numbers = {number for row in rows for number in row.series}
    query = select(Series.__table__).where(Series.series_id.in_(numbers))
    names = {
        series.series_id: _series(series.metric, series.parameters)
        for series in await connection.execute(query)
    }
    return {(row.machine_id, row.run_id): dict(_unpacked(row._mapping, names)) for row in rows}


def _unpacked(row: Mapping[Any, Any], names: dict[int, str]) -> Iterator[tuple[str, Stored]]:
    end = 0
    for index, number in enumerate(row["series"]):
        start, end = end, end + row["counts"][index] * STORED.itemsize
        words = (row["said"] or {}).get(str(number), {})
        yield (
            names.get(number, "a series without a name"),
            Stored(
                row["doubtful"] is not None and row["doubtful"][index],
                row["medians"][index],
                row["counts"][index],
                row["steps"][start:end],
                *(words.get(name) for name in WORDS),
            ),
        )


# Columns of a row that are not null.
Columns = dict[str, object]


async def _figures(connection: AsyncConnection, keys: list[Key]) -> dict[Key, list[Columns]]:
    """Printed ratios and ranges by run, without null columns."""
    key = tuple_(PublishedFigure.machine_id, PublishedFigure.run_id)
    query = select(PublishedFigure.__table__).where(key.in_(keys))
    by_run: dict[Key, list[Columns]] = {}
    for row in (await connection.execute(query.order_by(PublishedFigure.position))).mappings():
        values = {name: value for name, value in row.items() if value is not None}
        by_run.setdefault((values.pop("machine_id"), values.pop("run_id")), []).append(values)
    return by_run


def _differences(row: Row[Any], results: Results, figures: list[Columns]) -> Iterator[str]:
    """Yield what is wrong with a run according to its document."""
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
    names = {n: _series(result.metric, result.parameters) for n, result in enumerate(run.results)}
    derived = dict(_unpacked(packed(run.results, range(len(run.results))), names))
    for series in sorted(results.keys() | derived.keys()):
        if series not in derived:
            yield f"{series}: a result that its document does not give"
        elif series not in results:
            yield f"{series}: the result is missing"
        else:
            yield from _result_differences(series, results[series], derived[series])


def _result_differences(series: str, stored: Stored, derived: Stored) -> Iterator[str]:
    if stored.steps != derived.steps:
        yield f"{series}: its samples are not those of its document"
    for name in Stored._fields:
        value, expected = getattr(stored, name), getattr(derived, name)
        if name != "steps" and value != expected:
            yield f"{series}: {name} is {value!r}, by its document {expected!r}"


def _series(metric: str, parameters: dict[str, Value]) -> str:
    """Format a series as `disk.write_speed {"file_size":2000000}`."""
    text = orjson.dumps(parameters, option=orjson.OPT_SORT_KEYS).decode() if parameters else ""
    return f"{metric} {text}".strip()
