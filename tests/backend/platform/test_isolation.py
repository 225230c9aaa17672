"""Loops over several owners' items: one bad item doesn't affect the others."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform import database, isolation
from macmeter.platform.database import engine
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.isolation import Isolated, forever
from macmeter.runs.rederive import rederive_runs
from macmeter.runs.transfer.dataset import write_dataset
from macmeter.server.backup.verifying import verify_database
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine
from support import people
from support.commands import command
from support.databases import fresh_database
from support.documents import disk_run
from support.poison import DAMAGED, DOCUMENTS, READABLE, ROWS, UNREADABLE, poison, spoil
from support.server import Server, serving

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Planted:
    """A server with a bad run of each kind, public and a fleet's, and good ones."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.public: dict[str, str] = {}
        self.of_fleet: dict[str, str] = {}
        self.good: list[str] = []
        self.machine = disk_run()["machine"]["id"]

    async def plant(self) -> None:
        url = self.server.database_url
        self.fleet_id = people.make_fleet(url, "acme", "members")
        secret = people.uploader_of(url, self.fleet_id)
        for kind in DOCUMENTS:
            run = disk_run(agent={"version": "0.1.0"})
            await self.server.stored(run)
            fleet_run = disk_run(machine=self.machine)
            assert (await self.server.put(fleet_run, secret)).status_code == 201
            self.public[kind], self.of_fleet[kind] = run["id"], fleet_run["id"]
        for _ in range(3):
            run = disk_run()
            await self.server.stored(run)
            self.good.append(run["id"])
        for runs in (self.public, self.of_fleet):
            for kind, run_id in runs.items():
                poison(url, run_id, kind)


@pytest.fixture(scope="module")
async def planted(cluster: EmbeddedPostgres) -> AsyncIterator[Planted]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            world = Planted(server)
            await world.plant()
            yield world


def run_ids(file: Path) -> list[str]:
    with duckdb.connect() as connection:
        return [run_id for (run_id,) in connection.read_parquet(str(file))["run_id"].fetchall()]


async def test_a_download_has_the_runs_whose_documents_can_not_be_read(
    planted: Planted, tmp_path: Path
) -> None:
    """Their medians count in answers, and downloads have what answers count."""
    client = planted.server.client
    table = await client.get("/api/v1/corpus.csv")
    rows = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert {row["run_id"] for row in rows} == {*planted.good, *planted.public.values()}
    parquet = await client.get("/api/v1/corpus.parquet")
    (tmp_path / "corpus").write_bytes(parquet.content)
    assert sorted(run_ids(tmp_path / "corpus")) == sorted(row["run_id"] for row in rows)
    assert parquet.headers["macmeter-unreadable-runs"] == "0"


async def test_a_machine_s_export_has_a_line_for_each_run(planted: Planted) -> None:
    url = planted.server.database_url
    ada = await people.sign_in(url, people.make_person(url, roles={planted.fleet_id: "admin"}))
    path = f"/api/v1/machines/{planted.machine}/export.ndjson"
    export = await planted.server.client.get(path, headers=ada)
    read = [json.loads(line, parse_int=str) for line in export.text.split("\n") if line]
    lines = {line["run_id"]: line for line in read}
    assert lines.keys() == set(planted.of_fleet.values())
    for kind, run_id in planted.of_fleet.items():
        line = lines[run_id]
        assert (line["document"] is None) == ("problem" in line), kind
        assert line["document"] is not None or kind not in READABLE, line


async def test_an_export_has_all_runs_and_names_the_others(
    planted: Planted, tmp_path: Path
) -> None:
    process = command(planted.server.database_url, "export", str(tmp_path / "runs"))
    assert process.returncode == 1
    content = (tmp_path / "runs").read_bytes()
    fleet_mark = b'"fleet":{"name":"acme","visibility":"members"}'
    count = len(DOCUMENTS) - 1  # all unchanged uploads, readable or not
    assert content.count(fleet_mark) == count
    assert len(content.splitlines()) == 2 * count + len(planted.good)
    for runs in (planted.public, planted.of_fleet):
        assert f"export: run {runs[DAMAGED]}: " in process.stderr
    for run_id in planted.good:
        assert run_id.encode() in content
        assert run_id not in process.stderr


def test_a_data_set_has_these_runs_too(planted: Planted, tmp_path: Path) -> None:
    assert write_dataset(planted.server.database_url, tmp_path / "set") == 0
    files = (tmp_path / "set").glob("*/*/*.parquet")
    ids = {run_id for file in files for run_id in run_ids(file)}
    assert ids == {*planted.good, *planted.public.values()}


async def test_each_run_and_machine_has_its_page_or_says_why_not(planted: Planted) -> None:
    client = planted.server.client
    listed = (await client.get("/api/v1/runs?limit=200")).json()["items"]
    for kind, run_id in planted.public.items():
        run = await client.get(f"/api/v1/runs/{run_id}")
        allowed = (200,) if kind in READABLE else (200, 410)
        assert run.status_code in allowed, f"{kind}: {run.text}"
        document = await client.get(f"/api/v1/runs/{run_id}/document")
        assert document.status_code == (410 if kind == DAMAGED else 200), kind
        machine = next(run["machine"]["id"] for run in listed if run["id"] == run_id)
        assert (await client.get(f"/api/v1/machines/{machine}")).status_code == 200, kind
    residency = await client.get("/api/v1/residency?flagged=include")
    assert residency.status_code == 200


async def test_verifying_goes_on_and_names_each(planted: Planted) -> None:
    wrong = await asyncio.to_thread(verify_database, planted.server.database_url)
    run_ids = {line.split()[1].rstrip(":") for line in wrong}
    assert run_ids >= {planted.public[kind] for kind in (DAMAGED, "not JSON", "values are null")}
    assert not run_ids & set(planted.good)


async def test_rederiving_leaves_what_can_not_be_read_and_names_it(planted: Planted) -> None:
    writing = engine(planted.server.database_url)
    try:
        result = await rederive_runs(writing, all_runs=True)
        assert result.refused.keys() >= {planted.public[kind] for kind in UNREADABLE}
        assert not result.refused.keys() & set(planted.good)
        async with writing.connect() as connection:
            works = {f.item: f.work for f in await isolation.failing(connection, 1000)}
    finally:
        await writing.dispose()
    assert works == dict.fromkeys(result.refused, "documents")


async def test_rows_of_any_kind_keep_no_other_from_lists_and_answers(server: Server) -> None:
    good = [disk_run(write=speed * 1e9) for speed in (4, 5, 6)]
    await server.stored(*good)
    asked = "answer?metric=disk.write_average&by=storage&where=suite:disk"
    paths = (asked, "runs?limit=100", "machines", "facets?metric=disk.write_average", "corpus.csv")
    for kind in ROWS:
        bad = disk_run(write=5e9)
        await server.stored(bad)
        spoil(server.database_url, bad["id"], kind)
        page = await server.client.get(f"/api/v1/runs/{bad['id']}")
        assert page.status_code in (200, 410), f"{kind}: {page.text}"
        responses = {path: await server.client.get(f"/api/v1/{path}") for path in paths}
        assert {path: r.status_code for path, r in responses.items() if r.status_code != 200} == {}
        for run in good:
            assert run["id"] in responses["runs?limit=100"].text, kind
            assert run["id"] in responses["corpus.csv"].text, kind
        (group,) = responses[asked].json()["results"][0]["groups"]
        assert (group["median"], group["min"], group["max"]) == (5e9, 4e9, 6e9), kind


# --- what they share


@pytest.fixture
async def writing(database_url: str) -> AsyncIterator[AsyncEngine]:
    new_engine = database.engine(database_url)
    yield new_engine
    await new_engine.dispose()


def raising(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    "error",
    [
        *(KeyError("agent"), RecursionError("too deep"), MemoryError(), UnicodeError("idna")),
        *(AssertionError(), invalid("/x", "No."), psycopg.errors.CheckViolation("a row")),
        *(psycopg.errors.QueryCanceled("too long"), OSError("no way")),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_an_item_raises_ends_it_alone(error: Exception) -> None:
    isolated, finished = Isolated("a test"), []
    for item in range(3):
        with isolated.item(item):
            finished.append(item if item != 1 else raising(error))
    assert finished == [0, 2]
    assert list(isolated.failed) == ["1"]


@pytest.mark.parametrize(
    "error",
    [
        psycopg.OperationalError("the connection is lost"),
        psycopg.errors.AdminShutdown("stopping"),
        OperationalError("a statement", {}, psycopg.errors.DiskFull("full")),
        asyncio.CancelledError(),
        KeyboardInterrupt(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_is_no_item_s_fault_ends_the_loop(error: BaseException) -> None:
    isolated = Isolated("a test")
    with pytest.raises(type(error)), isolated.item(1):
        raise error
    assert not isolated.failed


async def test_of_many_at_once_those_that_fail_are_found() -> None:
    async def work(items: Sequence[int]) -> list[int]:
        if 3 in items:
            raise ValueError("three")
        return [item * 2 for item in items]

    isolated = Isolated("a test")
    assert await isolated.together([1, 2], work) == [[2, 4]]
    assert await isolated.together([1, 3, 5], work) == [[2], [10]]
    assert isolated.failed == {"3": "ValueError: three"}


async def test_it_is_later_each_time_up_to_six_hours(writing: AsyncEngine) -> None:
    now, waited = NOW, []
    for _ in range(12):
        async with writing.begin() as connection:
            await isolation.record(
                connection, isolation.OUTLIERS, {"item": "a \0 reason \ud800"}, now
            )
            (failure,) = await isolation.failing(connection, 10)
            assert await isolation.held_back(connection, isolation.OUTLIERS, now) == {"item"}
            assert await isolation.due_again(connection, isolation.OUTLIERS, failure.retry_at) == [
                "item"
            ]
        waited.append(failure.retry_at - now)
        now = failure.retry_at
    assert waited == sorted(waited)
    assert (waited[0], waited[-1]) == (timedelta(minutes=1), timedelta(hours=6))
    assert (failure.first_at, failure.attempts) == (NOW, 12)
    async with writing.begin() as connection:
        await isolation.settle(connection, isolation.OUTLIERS, ["item", "another"])
        assert await isolation.failing(connection, 10) == []


async def test_what_has_not_failed_for_long_is_forgotten(writing: AsyncEngine) -> None:
    async with writing.begin() as connection:
        await isolation.record(connection, isolation.OUTLIERS, {"old": "why"}, NOW)
        await isolation.record(
            connection, isolation.OUTLIERS, {"new": "why"}, NOW + timedelta(days=6)
        )
        await isolation.forget_old(connection, NOW + timedelta(days=8))
        assert [failure.item for failure in await isolation.failing(connection, 10)] == ["new"]


async def test_a_loop_goes_on_whatever_it_raises(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [KeyError("x"), Problem(503, "x", "X", "away"), OSError("gone")]
    finished = asyncio.Event()

    async def work() -> None:
        if errors:
            raise errors.pop()
        finished.set()

    task = asyncio.create_task(forever("a test goes on", work, 0, 0))
    await asyncio.wait_for(finished.wait(), 60)
    task.cancel()
    assert "a test goes on later: KeyError: 'x'" in capsys.readouterr().err
