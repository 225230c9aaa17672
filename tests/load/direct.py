"""Answers from files that were written directly, without PostgreSQL, a server or uploads.

`answer/floor` is the median time of an answer about 60,000 runs, relative to DuckDB's bare two-step
median over the same rows. `answer.p95.10000000` is for ten million results of one series: a hundred
different values of each of 100,000 runs.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import cast
from urllib.parse import urlsplit

import msgspec
from macmeter.accounts.scope import COMMONS
from macmeter.platform.changelog import Log
from macmeter.questions.answer import answer_of
from macmeter.questions.groups import selection_of
from macmeter.questions.question import parse_query
from macmeter.results.context import Reading
from macmeter.results.dataset import files, loading, spool
from macmeter.results.dataset.files import PUBLIC, Manifest, Part
from macmeter.results.dataset.mirror import Mirror
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.dataset.spool import new_rows, write_set
from sqlalchemy.ext.asyncio import AsyncConnection

from load import fleet_rows
from load.asked import questions
from load.figure import Figure, figure, percentile
from load.fleet import Fleet

ROOT = Path(__file__).resolve().parents[2]
RUNS = 60_000
OF_SERIES = 100_000
TIMES = 100
_METRIC = "disk.write_average"
_LOG = Log(uuid.UUID(int=1), "1", 1, "1:1:", 0, False, False, {}, frozenset())
_AT_ONCE = 5_000
_MORE = """
    INSERT INTO spool.results
    SELECT results.* REPLACE (uuid() AS run_id, value * (0.95 + random() / 10) AS value)
    FROM spool.results AS results, range(?)
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix=".bench-direct-", dir=ROOT) as directory:
        yield _floor(_Files(Path(directory) / "few", RUNS))


def thorough_figures() -> Iterator[Figure]:
    """Add ten million results, which take some minutes to generate."""
    yield from figures()
    with tempfile.TemporaryDirectory(prefix=".bench-direct-", dir=ROOT) as directory:
        yield _ten_million(_Files(Path(directory) / "many", OF_SERIES, TIMES))


class _Files:
    """A fleet's data set, with a new snapshot for each question."""

    def __init__(self, root: Path, runs: int, times: int = 1) -> None:
        manifest = _written(root, runs, times)
        self._mirror = Mirror(manifest.snapshot)
        self._mirror.read_files(manifest)
        self._series = fleet_rows.series()

    def reading(self) -> Reading:
        mirror = self._mirror
        data = Snapshot.begin(mirror.tables, mirror.memory, self._series, _LOG, mirror.manifest)
        return Reading(cast(AsyncConnection, None), COMMONS, data)

    def seconds(self, query: str) -> float:
        """Time of a whole answer."""
        start = time.perf_counter()
        asyncio.run(answer_of(self.reading(), parse_query(query), datetime.now(UTC)))
        return time.perf_counter() - start


def _written(root: Path, runs: int, times: int) -> Manifest:
    directory = files.directory_of(root, _LOG.log_id, _LOG.database)
    files.make_directory(directory)
    with spool.opened(directory, directory / "building.duckdb") as tables:
        for rows in fleet_rows.batches(Fleet(runs)):
            for first in range(0, len(rows), _AT_ONCE):
                loading.take(tables, rows[first : first + _AT_ONCE])
                spool.store(tables)
        if times > 1:
            (series,) = (n for n, item in fleet_rows.series().items() if item.metric == _METRIC)
            tables.execute("DELETE FROM spool.results WHERE series <> ?", [series])
            tables.execute(_MORE, [times - 1])
        part = Part(PUBLIC, True, (), str(directory))
        sets = write_set(tables, part, new_rows(tables)[PUBLIC], 0, [])
    parts = (msgspec.structs.replace(part, sets=tuple(sets)),)
    return msgspec.structs.replace(files.empty_manifest(_LOG), parts=parts)


def _asked(runs: int) -> list[str]:
    """The pages' plain questions about one metric."""
    queries = [urlsplit(path).query for kind, path in questions(Fleet(runs)) if kind == "answer"]
    return [query for query in queries if f"metric={_METRIC}&" in query]


def _floor(data_files: _Files) -> Figure:
    queries = [query for query in _asked(RUNS) if "relative_to" not in query]
    answers, floors = [], []
    for query in queries:
        data_files.seconds(query)
        answers.append(data_files.seconds(query))
        floors.append(min(_bare_seconds(data_files.reading(), query) for _ in range(3)))
    return figure("answer/floor", median(answers), "s", median(floors), len(queries))


def _bare_seconds(reading: Reading, query: str) -> float:
    """Time of the medians of groups over the medians of machines, in SQL alone."""
    question = parse_query(query)
    selection = selection_of(reading, question)
    columns = ", ".join(["kind", *(name for name in ("month",) if name in question.by)])
    statement = f"""
        SELECT {columns}, median(value) FROM (
            SELECT {columns}, machine, median(value) AS value
            {selection.subquery("FROM found")} GROUP BY ALL
        ) GROUP BY ALL
    """  # noqa: S608 - made of our own words
    start = time.perf_counter()
    reading.data.rows(statement)
    return time.perf_counter() - start


def _ten_million(data_files: _Files) -> Figure:
    queries = _asked(OF_SERIES)
    for query in queries[:5]:
        data_files.seconds(query)
    seconds = [data_files.seconds(query) for query in queries]
    p95 = percentile(seconds, 95)
    return figure(f"answer.p95.{OF_SERIES * TIMES}", p95, "s", 1.5, len(queries))
