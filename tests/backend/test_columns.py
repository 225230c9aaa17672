"""Columns say what the tables say: kept up to date, read from files and made from nothing."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from macmeter.columns import batch, current, files, merging
from macmeter.columns.writer import Writer
from macmeter.database import normalise, reading_engine
from macmeter.errors import Problem
from macmeter.queries.answer import answer
from macmeter.queries.facets import facets
from macmeter.queries.machines import list_machines
from macmeter.queries.question import Question, parse_query, terms_of_runs
from macmeter.queries.runs import doubted_runs, list_runs
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection
from support import oracle
from support.documents import Document, by_file_size, disk_run
from support.server import Server

QUESTIONS = (
    "metric=disk.write_average",
    "metric=disk.write_average&by=storage",
    "metric=disk.write_average&by=chip&by=encryption&where=storage:usb4&where=storage:internal",
    "metric=disk.write_average&by=storage&where=chip!:Apple M1&weight=run",
    "metric=disk.write_average&by=os_version&flagged=include",
    "metric=disk.write_average&by=machine&where=month:2026-11",
    "metric=disk.write_average&by=month&by=label:rack",
    "metric=disk.write_average&by=fleet&by=power_source",
    "metric=disk.write_average&by=storage&by=encryption&relative_to=encryption:none",
    "metric=disk.write_average&by=chip&where=storage:&where=storage:internal",
    "metric=disk.write_speed&by=file_size&by=storage",
    "metric=disk.write_speed&by=chip&where=file_size:2000000",
    "metric=disk.write_speed&by=file_size&by=encryption&relative_to=encryption:none",
    "metric=disk.read_average&by=virtual&by=via&where=os_major:26..27",
)
MACHINES = [str(uuid.UUID(int=number)) for number in range(1, 13)]


def made_up(dice: random.Random) -> Document:
    """A run of one of a dozen machines, in one of many setups."""
    sizes = dice.sample([2_000_000, 20_000_000, 2_000_000_000], dice.randint(0, 3))
    series = [
        {
            "metric": "disk.write_average",
            "values": [dice.choice([1e9, 2e9, dice.uniform(1e9, 9e9)])],
        },
        {"metric": "disk.read_average", "values": [dice.uniform(1e9, 9e9) for _ in range(3)]},
        *by_file_size({size: [dice.uniform(1e9, 9e9)] for size in sizes}),
    ]
    storage = dice.choice(["internal", "usb4", "thunderbolt3"])
    target = {"storage": storage, "encryption": dice.choice(["none", "filevault"])}
    if storage != "internal" and dice.random() < 0.5:
        target |= {"device_id": dice.choice("ab"), "via": dice.choice(["a dock", "a hub"])}
    environment: Document = {
        "os_version": dice.choice(["15.6", "26.3", "26.4"]),
        "power_source": dice.choice(["ac", "battery"]),
    }
    if dice.random() < 0.2:
        environment["virtual_machine"] = {"vcpus": 4, "host_machine_id": MACHINES[0]}
    return disk_run(
        machine=dice.choice(MACHINES),
        chip=dice.choice(["Apple M1", "Apple M4", "Apple M4 Pro"]),
        target=target,
        environment=environment,
        labels={"rack": dice.choice("xyz")} if dice.random() < 0.3 else None,
        series=series,
        state=dice.choice(["complete", "complete", "complete", "incomplete"]),
        started_at=dice.choice(["2026-10-05T10:00:00Z", "2026-11-20T10:00:00Z"]),
    )


class Random:
    """What happens to runs, at random, by the ways in which it happens to them."""

    def __init__(self, server: Server, seed: int) -> None:
        self._server, self._dice = server, random.Random(seed)
        self._token = server.token("fleet")
        self._runs: list[str] = []
        self._withdrawn: set[str] = set()
        server_fleets = "UPDATE fleets SET visibility = 'public'"
        self.execute(server_fleets)

    def execute(self, statement: str, **values: Any) -> None:
        engine = create_engine(normalise(self._server.database_url))
        with engine.begin() as connection:
            connection.execute(text(statement), values)
        engine.dispose()

    async def step(self) -> None:
        kinds = [self._store] * 8 + [self._delete, self._withdraw, self._reinstate]
        kinds += [self._move, self._open_or_close]
        await self._dice.choice(kinds)()

    async def _store(self) -> None:
        run = made_up(self._dice)
        response = await self._server.put(run, self._token)
        assert response.status_code == 201, response.text
        self._runs.append(run["id"])

    async def _delete(self) -> None:
        if self._runs:
            run_id = self._runs.pop(self._dice.randrange(len(self._runs)))
            self._withdrawn.discard(run_id)
            await self._ask("DELETE", f"runs/{run_id}")

    async def _withdraw(self) -> None:
        if self._runs:
            run_id = self._dice.choice(self._runs)
            self._withdrawn.add(run_id)
            await self._ask("PUT", f"runs/{run_id}/withdrawal", json={"reason": "it was failing"})

    async def _reinstate(self) -> None:
        if self._withdrawn:
            await self._ask("DELETE", f"runs/{self._withdrawn.pop()}/withdrawal")

    async def _move(self) -> None:
        """Makes a run public by itself, or its fleet's."""
        if self._runs:
            visibility = self._dice.choice(["private", "public"])
            run_id = self._dice.choice(self._runs)
            statement = "UPDATE runs SET visibility = :visibility WHERE run_id = :run_id"
            self.execute(statement, visibility=visibility, run_id=run_id)

    async def _open_or_close(self) -> None:
        """The fleet shows its runs to everybody, or to nobody else."""
        visibility = self._dice.choice(["private", "public"])
        self.execute("UPDATE fleets SET visibility = :visibility", visibility=visibility)

    async def _ask(self, method: str, path: str, **of: Any) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        address = f"/api/v1/{path}"
        response = await self._server.client.request(method, address, headers=headers, **of)
        assert response.status_code in (200, 204), response.text


@asynccontextmanager
async def snapshot(server: Server, columns: Path | None = None) -> AsyncIterator[AsyncConnection]:
    engine = reading_engine(server.database_url, pool_size=1)
    own = engine.execution_options(isolation_level="REPEATABLE READ", columns=columns)
    async with own.connect() as connection:
        yield connection
    await engine.dispose()


async def compare_with_tables(connection: AsyncConnection) -> None:
    """Every question, figure by figure."""
    for query in QUESTIONS:
        question = parse_query(query)
        found = await answer(connection, question, None, datetime.now(UTC))
        (metric,) = question.metrics
        expected = await oracle.groups(connection, question, metric, None)
        (result,) = found["results"]
        keys = [_key(question, group) for group in result["groups"]]
        assert sorted(keys, key=repr) == sorted(expected, key=repr), query
        for key, group in zip(keys, result["groups"], strict=True):
            _compare(query, group, expected[key])
        excluded = await oracle.excluded(connection, question, metric, None)
        counted = {one["reason"]: one["runs"] for one in result["excluded"]}
        counted.pop("machine_unstated", None)
        assert counted == excluded, query


def _key(question: Question, group: dict[str, Any]) -> oracle.Key:
    by = (group["key"][name] for name in question.by)
    return (*by, group["published"], group["method"], group["method_version"])


def _compare(query: str, group: dict[str, Any], expected: dict[str, Any]) -> None:
    for name in ("machines", "runs", "samples"):
        assert group[name] == expected[name], (query, name)
    for name in ("min", "max", *(name for name, _ in oracle.SHARES)):
        assert group[name] == pytest.approx(expected[name], rel=1e-12), (query, name)
    assert {flag["code"]: flag["runs"] for flag in group["flags"]} == expected["flags"], query
    assert {mix["dimension"]: mix["count"] for mix in group["mixes"]} == expected["mixes"], query
    if "pairs" in expected:
        assert group["ratio"]["pairs"] == expected["pairs"], query
        assert group["ratio"]["value"] == pytest.approx(expected["ratio"], rel=1e-12), query


async def compare_facets(connection: AsyncConnection) -> None:
    for metrics in ((), ("disk.write_average",)):
        terms = parse_query(
            "metric=disk.write_average&where=storage:usb4&where=chip!:Apple M1"
        ).where
        found = await facets(connection, metrics, terms, "exclude", None)
        for dimension in found["dimensions"]:
            name = dimension["name"]
            others = tuple(term for term in terms if term.dimension != name)
            expected = await oracle.facet(connection, name, others, next(iter(metrics), None))
            counted = {one["value"]: (one["runs"], one["machines"]) for one in dimension["values"]}
            assert counted == expected, name


async def compare_lists(connection: AsyncConnection) -> None:
    """Page by page."""
    for terms in ((), terms_of_runs(["storage:usb4", "chip!:Apple M1"])):
        listed: list[dict[str, Any]] = []
        cursor, total = None, 0
        while not listed or cursor is not None:
            page = await list_runs(connection, terms, None, 7, cursor)
            listed, cursor, total = listed + page["items"], page["next"], page["total"]
            if not page["items"]:
                break
        expected = await oracle.runs(connection, terms, None)
        assert ([run["id"] for run in listed], total) == (expected, len(expected))
        found = await list_machines(connection, terms, "", None, 50, None)
        counted = [(machine["id"], machine["runs"]) for machine in found["items"]]
        assert counted == await oracle.machines(connection, terms, None)
        metric = "disk.write_average"
        left_out = await doubted_runs(connection, (metric,), terms, None, 50)
        ids = {run["id"] for run in left_out["items"]}
        assert ids == await oracle.doubted(connection, metric, terms, None)


def forget() -> None:
    """As a process that has just started."""
    current._standing.clear()


@pytest.mark.parametrize("seed", range(4))
async def test_columns_say_what_the_tables_say(server: Server, tmp_path: Path, seed: int) -> None:
    happening = Random(server, seed)
    writer = Writer(tmp_path)
    for _ in range(4):
        for _ in range(15):
            await happening.step()
        async with snapshot(server) as connection:
            await compare_with_tables(connection)  # kept up to date since the last round
            await compare_facets(connection)
            await compare_lists(connection)
        async with snapshot(server) as connection:
            forget()
            await compare_with_tables(connection)  # from nothing
        engine = reading_engine(server.database_url)
        await writer.once(engine, everything=True)
        await engine.dispose()
        await happening.step()
        async with snapshot(server, tmp_path) as connection:
            forget()
            await compare_with_tables(connection)  # from files, and what came after them
            await compare_facets(connection)
            await compare_lists(connection)


@pytest.mark.parametrize("samples_a_step", [0, 1000])
async def test_what_is_counted_by_setup_is_what_rows_say(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, samples_a_step: int
) -> None:
    monkeypatch.setattr(merging, "_CELLS_FROM", 1)
    monkeypatch.setattr(merging, "_SAMPLES_A_STEP", samples_a_step)
    happening = Random(server, 7)
    writer = Writer(tmp_path)
    engine = reading_engine(server.database_url)
    for _ in range(2):
        for _ in range(25):
            await happening.step()
        await writer.once(engine, everything=True)  # the second time all are merged
    await engine.dispose()
    for _ in range(10):
        await happening.step()  # some runs of a setup are gone or replaced
    now = datetime.now(UTC)
    for query in QUESTIONS:
        question = parse_query(query)
        forget()
        async with snapshot(server, tmp_path) as connection:
            view = await current.view_of(connection)
            assert any(column.cells for one in view.segments for column in one.columns.values())
            found = await answer(connection, question, None, now)
        forget()
        async with snapshot(server) as connection:
            expected = await answer(connection, question, None, now)
        assert found["results"] == expected["results"], query


async def written(server: Server, root: Path) -> Path:
    """The directory of this database's columns, written down."""
    engine = reading_engine(server.database_url)
    await Writer(root).once(engine, everything=True)
    await engine.dispose()
    forget()
    (directory,) = (path for path in root.iterdir() if path.is_dir())
    return directory


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def change(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), 97):
        content[place] ^= 1
    path.write_bytes(content)


def remove(path: Path) -> None:
    path.unlink()


async def test_what_is_kept_of_questions_is_bounded(server: Server) -> None:
    await server.stored(disk_run(labels={"rack": "a"}))
    async with snapshot(server) as connection:
        view = await current.view_of(connection)
        for number in range(300):
            label = f"label:rack{number}"
            asked = f"metric=disk.write_average&by={label}&where=month!:{number}"
            await answer(connection, parse_query(asked), None, datetime.now(UTC))
        assert await current.view_of(connection) is view
    kept = [len(segment.chosen) for segment in view.segments]
    assert (kept, len(view.names._codes)) == ([16], 128)


@pytest.mark.parametrize("harm", [cut, change, remove])
@pytest.mark.parametrize("kind", ["*.segment", "*.names", "manifest.json"])
async def test_damaged_columns_are_noticed_and_never_answered_from(
    server: Server, tmp_path: Path, kind: str, harm: Callable[[Path], None]
) -> None:
    happening = Random(server, 1)
    for _ in range(10):
        await happening.step()
    directory = await written(server, tmp_path)
    (path,) = directory.glob(kind)
    harm(path)
    refused: list[Problem] = []
    async with snapshot(server, tmp_path) as connection:
        try:
            await compare_with_tables(connection)
        except Problem as problem:
            refused.append(problem)
    told = [(one.status, one.code, "Retry-After" in one.headers) for one in refused]
    assert told in ([], [(503, "columns_building", True)])
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)
    await written(server, tmp_path)
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_of_another_log_say_nothing(server: Server, tmp_path: Path) -> None:
    await server.stored(disk_run(), disk_run())
    await written(server, tmp_path)
    happening = Random(server, 1)
    # As where the database was restored: see changelog.adopt.
    happening.execute("UPDATE change_log SET log_id = gen_random_uuid()")
    happening.execute("DELETE FROM runs WHERE run_id = (SELECT run_id FROM runs LIMIT 1)")
    happening.execute("DELETE FROM changes")
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_a_writer_goes_on_with_another_log_from_nothing(
    server: Server, tmp_path: Path
) -> None:
    """As where the replica that it reads is promoted: the connection stays."""
    await server.stored(disk_run())
    writer = Writer(tmp_path)
    engine = reading_engine(server.database_url)
    await writer.once(engine)
    await server.stored(disk_run())
    happening = Random(server, 1)
    happening.execute("UPDATE change_log SET log_id = gen_random_uuid()")
    happening.execute("DELETE FROM changes")
    await writer.once(engine)
    await engine.dispose()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_that_the_log_no_longer_reaches_back_to_are_made_anew(
    server: Server, tmp_path: Path
) -> None:
    await server.stored(disk_run())
    await written(server, tmp_path)
    await server.stored(disk_run())
    happening = Random(server, 1)
    happening.execute("DELETE FROM changes")
    happening.execute("UPDATE change_log SET pruned_xact = pg_current_xact_id()")
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_more_than_can_be_read_at_once_is_waited_for(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "_MOST", 1)
    monkeypatch.setattr(current, "_WAIT_SECONDS", 0.5)
    await server.stored(disk_run(), disk_run())
    forget()
    question = parse_query("metric=disk.write_average")
    async with snapshot(server, tmp_path) as connection:
        with pytest.raises(Problem) as refused:
            await answer(connection, question, None, datetime.now(UTC))
    assert (refused.value.status, refused.value.code) == (503, "columns_building")
    await written(server, tmp_path)
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_are_made_on_from_where_their_writer_was_killed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "_AT_ONCE", 3)
    monkeypatch.setattr(current, "_KEPT_RUNS", 6)
    happening = Random(server, 5)
    while len(happening._runs) < 20:
        await happening.step()
    reads = 0

    async def read_after(*of: Any) -> list[Any]:
        nonlocal reads
        reads += 1
        if reads == 5:
            raise KeyboardInterrupt
        return await batch.read_after(*of)

    monkeypatch.setattr(current, "read_after", read_after)
    engine = reading_engine(server.database_url)
    with pytest.raises(KeyboardInterrupt):
        await Writer(tmp_path).once(engine)
    (directory,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert not (directory / "manifest.json").exists()
    assert files.built_runs(directory) == 12
    for _ in range(10):
        await happening.step()  # runs that were read change, and others lie before the last one
    writer = Writer(tmp_path)
    await writer.once(engine)
    await engine.dispose()
    assert reads < 5 + 8, "what was read is not read again"
    assert not (directory / "building.json").exists()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)
        await compare_facets(connection)


async def test_a_half_made_start_that_was_damaged_is_begun_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(*(disk_run() for _ in range(4)))
    monkeypatch.setattr(current, "_AT_ONCE", 2)
    monkeypatch.setattr(current, "_KEPT_RUNS", 2)
    monkeypatch.setattr(Writer, "_write", lambda *_: None)
    engine = reading_engine(server.database_url)
    await Writer(tmp_path).once(engine)
    monkeypatch.undo()
    (directory,) = (path for path in tmp_path.iterdir() if path.is_dir())
    cut(next(directory.glob("*.names")))
    with pytest.raises(Problem):
        await Writer(tmp_path).once(engine)
    await Writer(tmp_path).once(engine)
    await engine.dispose()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_of_more_machines_than_are_shown_those_of_most_runs_are(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macmeter.queries.facets.MAX_VALUES", 2)
    runs = dict(zip(MACHINES, [2, 1, 3, 2], strict=False))
    await server.stored(
        *(disk_run(machine=machine) for machine, count in runs.items() for _ in range(count))
    )
    async with snapshot(server) as connection:
        found = await facets(connection, ("disk.write_average",), (), "exclude", None)
    (machines,) = (one for one in found["dimensions"] if one["name"] == "machine")
    assert machines["distinct"] == 4
    listed = [(value["value"], value["runs"]) for value in machines["values"]]
    assert listed == [(MACHINES[2], 3), (MACHINES[0], 2)]
