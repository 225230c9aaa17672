"""What a cluster sums is what DuckDB sums; and a cluster that can't answer is a clear problem."""

from __future__ import annotations

import os
import socket
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from macmeter.platform import spark
from macmeter.platform.database import reading_engine
from macmeter.platform.errors import ServeError
from macmeter.platform.spark import Cluster, ClusterError
from macmeter.questions.answer import answer
from macmeter.questions.question import parse_query
from macmeter.questions.starting_point import starting_point
from macmeter.results.dataset import mirror
from macmeter.results.dataset.dialect import translate
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.dataset.writer import write_down
from sqlalchemy.ext.asyncio import AsyncConnection
from support.random_runs import QUESTIONS, Random, snapshot
from support.server import Server
from support.thorough import some

NOW = datetime(2026, 11, 28, tzinfo=UTC)
RATIOS = [
    "metric=disk.write_average&by=encryption&relative_to=encryption:none",
    "metric=disk.write_average&by=chip&relative_to=encryption:none&version=1",
    "metric=disk.write_average&by=storage&weight=run",
]


SPARK = (
    "WITH found AS (SELECT results.* EXCEPT (month), COALESCE(month, 0) AS month FROM "
    "(SELECT run_id, month, value FROM results UNION ALL "
    "SELECT run_id, month, value FROM files_0 WHERE NOT run_id IN (SELECT * FROM changed)) "
    "AS results JOIN asked_0 USING (setup)) SELECT XXHASH64(run_id) FROM found "
    "SEMI JOIN VALUES (1) AS wanted(month) USING (month) "
    "WHERE run_id = UNHEX(REPLACE('f2a0', '-', '')) AND labels['it\\'s \\\\'] IS NULL"
)


async def _answers(connection: AsyncConnection) -> list[Any]:
    questions = [*map(parse_query, (*QUESTIONS, *RATIOS))]
    answers: list[Any] = [await answer(connection, q, None, NOW) for q in questions]
    return [*answers, *[await starting_point(connection, q, None) for q in questions[:2]]]


@pytest.mark.parametrize("seed", some(range(4)))
async def test_statements_for_a_cluster_find_the_same(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    statements = []

    def here(data: Snapshot, statement: str) -> duckdb.DuckDBPyConnection:
        statements.append(statement)
        sqlglot.parse_one(translate(statement).sql, read="spark")
        return data.cursor.execute(statement)

    happening = Random(server, seed)
    for _ in range(40):
        await happening.step()
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    await engine.dispose()
    for _ in range(5):  # newer than the files
        await happening.step()
    async with snapshot(server) as connection:
        own = await connection.execution_options(dataset=tmp_path)
        expected = await _answers(own)
        remote = os.environ.get("SPARK_REMOTE")  # of `make bench ONLY=spark`
        if remote is None:
            monkeypatch.setattr(Snapshot, "_on_cluster", here)
        own = await own.execution_options(cluster=Cluster(remote or "sc://a", 0, 600))
        for actual, reference in zip(await _answers(own), expected, strict=True):
            assert actual == reference
    assert remote or len(statements) > len(expected)
    mirror.forget()


def test_a_statement_in_the_dialect_of_spark() -> None:
    found = translate("""
        WITH found AS (
            SELECT results.* EXCLUDE (month), coalesce(month, 0) AS month
            FROM (
                SELECT run_id, month, value FROM results
                UNION ALL SELECT run_id, month, value FROM read_parquet(['/a/b', '/a/c'])
                WHERE run_id NOT IN (FROM changed)
            ) AS results JOIN asked_0 USING (setup)
        )
        SELECT hash(run_id) FROM found SEMI JOIN (VALUES (1)) AS wanted(month) USING (month)
        WHERE run_id = 'f2a0'::UUID AND labels['it''s \\'] IS NULL
    """)
    assert found.files == {"files_0": (("/a/b", "/a/c"), "run_id BINARY, month INT, value DOUBLE")}
    assert found.tables == {"results", "changed", "asked_0"}
    assert found.sql == SPARK


def test_without_the_extra_a_server_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    spark.require(None)
    with pytest.raises(ServeError, match=r"not installed: .* backend/requirements-spark.txt"):
        spark.require("sc://spark.example:15002")


def _asked(address: str, seconds: float) -> str:
    """The problem's text, which comes in time."""
    began = time.monotonic()
    with pytest.raises(ClusterError) as problem:
        spark.ask(Cluster(address, 0, seconds), "SELECT 1", {}, began + seconds)
    assert time.monotonic() - began < seconds + 1
    assert problem.value.status == 503
    return problem.value.detail or ""


def test_a_cluster_that_cannot_answer_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        monkeypatch.setattr(spark, "_ask", lambda *_asked: time.sleep(3))
        assert "took more than 0.5 seconds" in _asked(f"sc://127.0.0.1:{port}", 0.5)

        def failing(*_asked: object) -> None:
            raise RuntimeError("JVM stacktrace")

        monkeypatch.setattr(spark, "_ask", failing)
        assert "it failed" in _asked(f"sc://127.0.0.1:{port}", 5)
    assert "can't be reached" in _asked(f"sc://127.0.0.1:{port}", 5)
