"""The migration that packs results: from every schema with runs, during uploads."""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from macmeter.documents.derive import DerivedRun, derive
from macmeter.documents.parse import parse
from macmeter.platform.database import migrate, normalise
from macmeter.server.backup.comparing import compare
from psycopg.types.json import Jsonb
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from support.documents import by_file_size, disk_run

LONG = 300.0
RELEASED = ["0001", "0002", "0003", "0004", "0005"]
MACHINE = str(uuid.UUID(int=1))
_LATER = datetime(9000, 1, 1, tzinfo=UTC)


@pytest.fixture
def engine(empty_database_url: str) -> Iterator[Engine]:
    engine = create_engine(normalise(empty_database_url))
    yield engine
    engine.dispose()


def columns_of_runs(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("runs")}


def stored_as_before(
    connection: Connection, document: dict[str, Any], columns: set[str] | None = None
) -> DerivedRun:
    """Store a run like versions with a row of `results` for each result."""
    content = orjson.dumps(document)
    run = derive(*parse(content, now=_LATER))
    key = {"machine_id": run.machine_id, "run_id": run.run_id}
    columns = columns or columns_of_runs(connection)
    row = {k: Jsonb(v) if isinstance(v, dict) else v for k, v in run.columns.items()}
    row = {k: v for k, v in row.items() if k in columns} | key | {"visibility": "public"}
    connection.execute(
        text("INSERT INTO machines (machine_id) VALUES (:machine_id) ON CONFLICT DO NOTHING"), key
    )
    connection.execute(
        text("INSERT INTO run_ids (run_id, machine_id) VALUES (:run_id, :machine_id)"), key
    )
    insert(connection, "runs", row)
    insert(
        connection,
        "documents",
        key
        | {
            "sha256": hashlib.sha256(content).digest(),
            "size": len(content),
            "deflated": zlib.compress(content),
        },
    )
    write_results(connection, run)
    return run


def write_results(connection: Connection, run: DerivedRun) -> None:
    for result in run.results:
        series = connection.scalar(
            text(
                "INSERT INTO series (metric, parameters) VALUES (:metric, :parameters)"
                " ON CONFLICT (metric, parameters) DO UPDATE SET metric = excluded.metric"
                " RETURNING series_id"
            ),
            {"metric": result.metric, "parameters": Jsonb(result.parameters)},
        )
        row = result._asdict() | {"machine_id": run.machine_id, "run_id": run.run_id}
        del row["metric"], row["parameters"]
        insert(connection, "results", row | {"series_id": series})


def insert(connection: Connection, table: str, row: dict[str, Any]) -> None:
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)  # noqa: S608


def documents() -> list[dict[str, Any]]:
    """One document of every kind that is packed differently."""
    return [
        disk_run(write=[7e9, 7.2e9, 6.9e9]),
        disk_run(write=6e9, state="incomplete"),
        disk_run(series=by_file_size({10**6 * 2**i: [1e9 + i, 2e9] for i in range(8)})),
        disk_run(series=[]),
        disk_run(
            series=[
                {
                    "metric": "disk.read_average",
                    "values": [6.1e9],
                    "printed": ["6.1 GB/s"],
                    "qualifier": "about",
                },
                # Faster than the link: only that result is doubtful.
                {"metric": "disk.write_average", "values": [9e12]},
            ],
            target={"storage": "usb3", "link_speed": 5e9},
        ),
    ]


def everything(connection: Connection) -> list[Any]:
    """Rows of `results` as readers see them, in both schemas."""
    columns = {c["name"] for c in inspect(connection).get_columns("results")}
    n = "n" if "n" in columns else "cardinality(samples)"
    query = f"""
        SELECT machine_id, run_id, metric, parameters, doubtful, median, {n}, flags, printed,
            qualifier
        FROM results JOIN series USING (series_id) ORDER BY run_id, series_id
    """  # noqa: S608
    return [tuple(row) for row in connection.execute(text(query))]


async def not_as_their_documents(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        keys = [
            tuple(row) for row in connection.execute(text("SELECT machine_id, run_id FROM runs"))
        ]
    compared = await compare(engine.url.render_as_string(hide_password=False), keys)
    return compared.differences


@pytest.mark.parametrize("released", RELEASED)
async def test_results_of_every_schema_stay_as_they_are(
    empty_database_url: str, engine: Engine, released: str
) -> None:
    migrate(empty_database_url, released)
    with engine.begin() as connection:
        runs = [stored_as_before(connection, document) for document in documents()]
        before = everything(connection)
    assert len(before) == sum(len(run.results) for run in runs)
    migrate(empty_database_url)
    with engine.connect() as connection:
        assert everything(connection) == before
        assert not inspect(connection).has_table("packing")
    assert await not_as_their_documents(engine) == []


@contextmanager
def migrating(url: str) -> Iterator[list[BaseException]]:
    """Migrate in a thread; yields its errors."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            migrate(url)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield failed
    finally:
        thread.join(LONG)


def packed_so_far(engine: Engine) -> int:
    with engine.connect() as connection:
        if not inspect(connection).has_table("run_results"):
            return 0
        return int(connection.scalar(text("SELECT count(*) FROM run_results")) or 0)


def waits_for_a_lock(engine: Engine) -> bool:
    with engine.connect() as connection:
        return bool(connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))


def until(happened: Any) -> None:
    end = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def stored_in_order(engine: Engine, count: int) -> list[DerivedRun]:
    """Runs of one machine, in the order in which they are packed."""
    ids = (str(uuid.UUID(int=1000 + number)) for number in range(count))
    with engine.begin() as connection:
        columns = columns_of_runs(connection)
        return [
            stored_as_before(connection, disk_run(machine=MACHINE, id=one), columns) for one in ids
        ]


@pytest.mark.thorough
async def test_what_is_written_while_it_packs_is_packed_as_written(
    empty_database_url: str, engine: Engine
) -> None:
    migrate(empty_database_url, "0005")
    runs = stored_in_order(engine, 520)
    with engine.begin() as holding:
        # The second batch waits for this run, so the migration stays at the end of the first one.
        lock = text("SELECT FROM runs WHERE run_id = :id FOR UPDATE")
        holding.execute(lock, {"id": runs[510].run_id})
        with migrating(empty_database_url) as failed:
            until(lambda: packed_so_far(engine) == 500)
            with engine.begin() as old:
                stored_as_before(old, disk_run(machine=MACHINE, id=str(uuid.UUID(int=7))))
                old.execute(text("DELETE FROM runs WHERE run_id = :id"), {"id": runs[3].run_id})
                rederived_as_before(old, runs[4])
                rederived_as_before(old, runs[515])
            deletion = text("DELETE FROM runs WHERE run_id = :id")
            holding.execute(deletion, {"id": runs[510].run_id})
            holding.commit()
    assert failed == []
    with engine.connect() as connection:
        stored = set(connection.scalars(text("SELECT run_id FROM run_results")))
        medians = connection.scalars(
            text("SELECT medians FROM run_results WHERE run_id IN (:a, :b)"),
            {"a": runs[4].run_id, "b": runs[515].run_id},
        ).all()
    remaining = {run.run_id for run in runs} - {runs[3].run_id, runs[510].run_id}
    assert stored == remaining | {uuid.UUID(int=7)}
    assert medians == [[5.0, 5.0]] * 2


def rederived_as_before(connection: Connection, run: DerivedRun) -> None:
    key = {"run_id": run.run_id}
    connection.execute(text("UPDATE results SET median = 5 WHERE run_id = :run_id"), key)
    connection.execute(text("UPDATE runs SET derivation_version = 1 WHERE run_id = :run_id"), key)


async def test_cut_off_it_goes_on_where_it_was(empty_database_url: str, engine: Engine) -> None:
    migrate(empty_database_url, "0005")
    runs = stored_in_order(engine, 510)
    with engine.begin() as holding:
        lock = text("SELECT FROM runs WHERE run_id = :id FOR UPDATE")
        holding.execute(lock, {"id": runs[505].run_id})
        with migrating(empty_database_url) as failed:
            until(lambda: packed_so_far(engine) == 500)
            until(lambda: waits_for_a_lock(engine))
            with engine.connect() as connection:
                connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_locks"
                        " WHERE NOT granted AND pid <> pg_backend_pid()"
                    )
                )
    assert failed
    with engine.begin() as old:
        # The older version still works.
        assert len(everything(old)) == 2 * 510
        rederived_as_before(old, runs[0])
    migrate(empty_database_url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM run_results")) == 510
        first = text("SELECT medians FROM run_results WHERE run_id = :id")
        assert connection.scalar(first, {"id": runs[0].run_id}) == [5.0, 5.0]
