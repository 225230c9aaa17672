"""`macmeter-server rederive`: all derived data can be rebuilt from the documents."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from macmeter.documents.compression import compressed
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.models import Document, Run, RunId
from macmeter.platform import database
from macmeter.runs.published import load_into
from macmeter.runs.rederive import rederive, rederive_runs
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine
from support.documents import by_file_size, disk_run, encoded
from support.server import Server

WRITE = "metric=disk.write_average"
QUESTIONS = [
    f"answer?{WRITE}&metric=disk.read_average&by=storage&by=encryption&by=virtual",
    f"answer?{WRITE}&by=encryption&relative_to=encryption:none&flagged=include",
    f"answer?{WRITE}&by=label:bay&where=chip_family:M4&weight=run",
    "answer?metric=disk.read_speed&by=file_size&by=chip&by=month",
    "answer.csv?metric=disk.read_average&by=article&by=os_version",
    "facets?metric=disk.write_average",
    "runs?limit=200",
]
# Damage that a broken derivation, or a careless hand, may do to derived rows.
CORRUPTION = """
    UPDATE runs SET derivation_version = 0, storage = 'nowhere', encryption = NULL,
        flags = '{}', labels = '{}', chip = NULL, chip_family = 'M0', virtual = NOT virtual,
        unspecified = NOT unspecified, month = '1984-01', os_version = NULL,
        method = 'none', method_version = 9, started_at = NULL, host_machine_id = NULL;
    UPDATE run_results SET series = series[2:] || 9999,
        medians = array_fill(1::float8, ARRAY[cardinality(series)]),
        counts = array_fill(1, ARRAY[cardinality(series)]),
        doubtful = array_fill(true, ARRAY[cardinality(series)]),
        steps = convert_to(repeat('xx', cardinality(series)), 'UTF8'),
        said = jsonb_build_object(
            coalesce(series[2], 0),
            '{"flags": ["rosetta"], "printed": "1 B/s", "qualifier": "exactly"}'::jsonb
        )
        WHERE cardinality(series) > 0;
    DELETE FROM run_results WHERE run_id::text < '8';
    UPDATE published_figures SET value = 1, low = NULL, printed = '1' WHERE position = 0;
"""


@pytest.fixture
async def engine(server: Server) -> AsyncIterator[AsyncEngine]:
    engine = database.engine(server.database_url)
    yield engine
    await engine.dispose()


async def story(server: Server) -> None:
    host, guest = str(uuid.uuid4()), str(uuid.uuid4())
    in_a_vm = {"virtual_machine": {"vcpus": 4, "host_machine_id": host}, "os_version": "26.1"}
    await server.stored(
        disk_run(machine=host, write=[7e9, 7.2e9], encryption="none"),
        disk_run(machine=host, write=6e9, labels={"bay": "1"}, state="incomplete"),
        disk_run(machine=guest, write=5e9, environment=in_a_vm),
        disk_run(storage="usb3", read=6e9, warnings=[{"code": "flush_failed"}]),
        disk_run(series=by_file_size({10**6 * 2**i: [1e9 + i] for i in range(8)})),
        disk_run(
            series=by_file_size({2_000_000: [3e9], 4_000_000: [5e9]}, metric="disk.read_speed"),
            environment={"power_source": "battery"},
        ),
    )


async def answered(server: Server) -> list[Any]:
    """Answers to the questions, without their time."""
    responses: list[Any] = []
    for question in QUESTIONS:
        response = await server.client.get(f"/api/v1/{question}")
        assert response.status_code == 200, response.text
        if question.startswith("answer.csv"):
            responses.append(response.text)
            continue
        answer = response.json()
        answer.pop("as_of", None)
        responses.append(answer)
    runs = [f"/api/v1/runs/{run['id']}" for run in responses[-1]["items"][:20]]
    return [*responses, *[(await server.client.get(run)).json() for run in runs]]


async def execute(engine: AsyncEngine, statements: str) -> None:
    async with engine.begin() as connection:
        for statement in statements.split(";"):
            if statement.strip():
                await connection.execute(text(statement))


@pytest.mark.thorough
async def test_answers_are_the_same_after_everything_derived_was_lost(
    server: Server, engine: AsyncEngine
) -> None:
    await story(server)
    await load_into(engine)
    before = await answered(server)
    await execute(engine, CORRUPTION)
    assert await answered(server) != before
    steps: list[tuple[int, int]] = []
    result = await rederive_runs(engine, progress=lambda *step: steps.append(step))
    async with engine.connect() as connection:
        runs = await connection.scalar(select(func.count()).select_from(Run))
    assert (result.rebuilt, result.refused) == (runs, {})
    assert steps[-1] == (runs, runs)
    assert await answered(server) == before
    assert (await rederive_runs(engine)).rebuilt == 0
    assert (await rederive_runs(engine, all_runs=True)).rebuilt == runs
    assert await answered(server) == before


async def test_cut_short_it_goes_on_where_it_was(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macmeter.runs.rederive.BATCH", 2)
    await server.stored(*[disk_run() for _ in range(5)])
    await execute(engine, "UPDATE runs SET derivation_version = 0, chip = 'lost'")

    def cut_short(count: int, _total: int) -> None:
        if count >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await rederive_runs(engine, progress=cut_short)
    assert (await rederive_runs(engine)).rebuilt == 3
    (group,) = await server.groups(f"{WRITE}&by=chip")
    assert group["key"]["chip"] == "Apple M4 Pro"


async def test_answers_say_when_they_mix_versions(server: Server, engine: AsyncEngine) -> None:
    old, new = disk_run(chip="Apple M1"), disk_run()
    await server.stored(old, new)
    async with engine.begin() as connection:
        outdate = update(Run).where(Run.run_id == uuid.UUID(old["id"]))
        await connection.execute(outdate.values(derivation_version=0))
    sides = f"compare?{WRITE}&side=1:chip:Apple%20M1&side=2:chip:Apple%20M4%20Pro"
    (mixed,) = (await server.answer(WRITE))["results"]
    assert mixed["derivation_versions"] == [0, DERIVATION_VERSION]
    assert mixed["notes"][0]["code"] == "older_derivation"
    (result,) = (await server.answer(f"{WRITE}&where=chip:Apple%20M4%20Pro"))["results"]
    assert "derivation_versions" not in result
    compared = (await server.client.get(f"/api/v1/{sides}")).json()
    assert compared["notes"][0]["code"] == "older_derivation"
    await rederive_runs(engine)
    (after,) = (await server.answer(WRITE))["results"]
    assert "derivation_versions" not in after
    assert "older_derivation" not in {note["code"] for note in after["notes"]}


@pytest.mark.thorough
async def test_only_one_process_rederives_a_database(server: Server, engine: AsyncEngine) -> None:
    await server.stored(disk_run())
    refused: list[bool] = []

    def second(_count: int, _total: int) -> None:
        refused.append("left to it" in said_by_command(server.database_url))

    await rederive_runs(engine, all_runs=True, progress=second)
    assert refused == [True]
    assert "0 runs rederived" in said_by_command(server.database_url)


def said_by_command(database_url: str) -> str:
    """Error output of the command, run in its own process."""
    command = "import sys; from macmeter.runs.rederive import rederive; rederive(sys.argv[1])"
    return subprocess.run(
        [sys.executable, "-c", command, database_url], capture_output=True, text=True, check=True
    ).stderr


async def test_what_the_document_does_not_say_stays(server: Server, engine: AsyncEngine) -> None:
    """The document does not decide whose run it is, who may see it and when it was received."""
    columns = select(Run.visibility, Run.fleet_id, Run.token_id, Run.received_at)
    document = disk_run()
    await server.put(document, server.token("fleet"))
    async with engine.connect() as connection:
        before = (await connection.execute(columns)).one()
    await rederive_runs(engine, all_runs=True)
    async with engine.connect() as connection:
        assert (await connection.execute(columns)).one() == before
    assert before.visibility == "private"


async def test_a_run_deleted_meanwhile_stays_deleted(server: Server, engine: AsyncEngine) -> None:
    deleted, remaining = disk_run(), disk_run()
    await server.stored(deleted, remaining)
    gone_id = uuid.UUID(deleted["id"])
    async with engine.begin() as deleting:
        await deleting.execute(delete(Run).where(Run.run_id == gone_id))
        await deleting.execute(delete(RunId).where(RunId.run_id == gone_id))
        rederiving = asyncio.create_task(rederive_runs(engine, all_runs=True))
        await until_somebody_waits(engine)
    assert (await rederiving).rebuilt == 1
    for table in ("runs", "documents", "run_results"):
        async with engine.connect() as connection:
            ids = await connection.execute(text(f"SELECT DISTINCT run_id FROM {table}"))  # noqa: S608
            assert ids.scalars().all() == [uuid.UUID(remaining["id"])], table


async def until_somebody_waits(engine: AsyncEngine) -> None:
    """Wait until a transaction is blocked by another one's lock."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    async with asyncio.timeout(300), engine.connect() as connection:
        while not await connection.scalar(waiting):
            await asyncio.sleep(0.02)


async def test_a_document_that_is_refused_today_is_left_as_it_was_and_named(
    server: Server, engine: AsyncEngine
) -> None:
    old, good = disk_run(write=5e9), disk_run(write=6e9)
    await server.stored(old, good)
    renamed = encoded(old).replace(b"disk.write_average", b"disk.write_mean")
    async with engine.begin() as connection:
        await connection.execute(
            update(Document)
            .where(Document.run_id == uuid.UUID(old["id"]))
            .values(compressed=compressed(renamed))
        )
    before = await server.groups(WRITE)
    result = await rederive_runs(engine, all_runs=True)
    assert result.rebuilt == 1
    assert list(result.refused) == [old["id"]]
    assert "disk.write_mean" in result.refused[old["id"]]
    assert await server.groups(WRITE) == before


async def test_the_command_tells_what_it_did(
    server: Server, engine: AsyncEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    await server.stored(disk_run())
    await execute(engine, "UPDATE runs SET derivation_version = 0, chip = 'lost'")
    await asyncio.to_thread(rederive, server.database_url)
    assert "1 run rederived" in capsys.readouterr().err
    (group,) = await server.groups(f"{WRITE}&by=chip")
    assert group["key"]["chip"] == "Apple M4 Pro"
