"""The change log: every write to runs is logged, and no follower misses any."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from macmeter.platform import changelog, database
from macmeter.platform.changelog import Change
from macmeter.runs.published import load_into
from macmeter.runs.rederive import rederive_runs
from macmeter.server.maintenance import prune_changes
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from support.documents import disk_run, encoded
from support.server import Server
from support.thorough import some

REASON = {"reason": "The lid was closed."}
# Everything about a run that an answer could depend on.
STATE = text("""
    SELECT runs.run_id, md5(concat(runs::text, (
        SELECT string_agg(r::text, ',') FROM run_results AS r
        WHERE (r.machine_id, r.run_id) = (runs.machine_id, runs.run_id)
    ), (
        SELECT string_agg(f::text, ',' ORDER BY position) FROM published_figures f
        WHERE (f.machine_id, f.run_id) = (runs.machine_id, runs.run_id)
    ))) AS digest FROM runs
""")


@pytest.fixture
async def engine(server: Server) -> AsyncIterator[AsyncEngine]:
    engine = database.engine(server.database_url)
    yield engine
    await engine.dispose()


class FellBehindError(Exception):
    """The log no longer has entries that this follower hadn't read."""


class Follower:
    """Follower that reads the log like the data set: everything the last snapshot did not see."""

    def __init__(self, engine: AsyncEngine, log_id: uuid.UUID, snapshot: str) -> None:
        self.engine = engine.execution_options(isolation_level="REPEATABLE READ")
        self.log_id, self.snapshot = log_id, snapshot

    @classmethod
    async def begun(cls, engine: AsyncEngine) -> Follower:
        follower = cls(engine, uuid.UUID(int=0), "")
        async with follower.engine.connect() as connection:
            log = await changelog.find_log(connection)
        follower.log_id, follower.snapshot = log.log_id, log.snapshot
        return follower

    async def read(self) -> list[Change]:
        async with self.engine.connect() as connection:
            log = await changelog.find_log(connection)
            if log.log_id != self.log_id or log.misses(self.snapshot):
                raise FellBehindError
            changes = await changelog.changes_since(connection, self.snapshot)
            behind = await changelog.behind(connection, self.snapshot)
        assert behind.changes == len(changes)
        self.snapshot = log.snapshot
        return changes


def kinds(changes: list[Change]) -> list[str]:
    return [change.kind for change in changes]


async def states(engine: AsyncEngine) -> dict[uuid.UUID, str]:
    async with engine.connect() as connection:
        return {row.run_id: row.digest for row in await connection.execute(STATE)}


async def execute(engine: AsyncEngine, statement: str) -> None:
    async with engine.begin() as connection:
        await connection.execute(text(statement))


class Operations:
    """Every possible change to runs, each with the kind that the log must give it."""

    def __init__(self, server: Server, engine: AsyncEngine, dice: random.Random) -> None:
        self.server, self.engine, self.dice = server, engine, dice
        self.token = server.token("fleet")
        self.runs: list[str] = []
        self.withdrawn: set[str] = set()

    async def ask(self, method: str, path: str, status: int, **options: Any) -> None:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        response = await self.server.client.request(
            method, f"/api/v1/runs/{path}", headers=headers, **options
        )
        assert response.status_code == status, response.text

    async def put(self) -> str:
        document = disk_run(write=[self.dice.uniform(1e9, 7e9) for _ in range(3)])
        assert (await self.server.put(document, self.token)).status_code == 201
        self.runs.append(document["id"])
        return "stored"

    async def put_again_or_refused(self) -> str:
        document = disk_run()
        assert (await self.server.put(document, self.token)).status_code == 201
        assert (await self.server.put(document, self.token)).status_code == 200
        assert (await self.server.put({**document, "state": "incomplete"}, self.token)).is_error
        self.runs.append(document["id"])
        return "stored"

    async def batch(self) -> str:
        documents = [disk_run() for _ in range(4)]
        lines = b"\n".join([*map(encoded, documents), b"{}"])
        ndjson = {"Content-Type": "application/x-ndjson"}
        await self.ask("POST", "batch", 200, content=lines, headers=ndjson)
        self.runs += [document["id"] for document in documents]
        return "stored"

    async def withdraw(self) -> str:
        run = self.dice.choice(self.runs)
        await self.ask("PUT", f"{run}/withdrawal", 204, json=REASON)
        self.withdrawn.add(run)
        return "withdrawn"

    async def reinstate(self) -> str | None:
        if not self.withdrawn:
            return None
        await self.ask("DELETE", f"{self.withdrawn.pop()}/withdrawal", 204)
        return "reinstated"

    async def delete(self) -> str:
        run = self.runs.pop(self.dice.randrange(len(self.runs)))
        self.withdrawn.discard(run)
        await self.ask("DELETE", run, 204)
        return "deleted"

    async def rederive(self) -> str:
        await rederive_runs(self.engine, all_runs=True)
        return "rederived"

    async def open_the_fleet(self) -> str:
        await execute(
            self.engine,
            "UPDATE runs SET visibility = CASE visibility WHEN 'public' THEN 'private'"
            " ELSE 'public' END WHERE fleet_id IS NOT NULL",
        )
        return "moved"

    async def load_published(self) -> str | None:
        new = (await load_into(self.engine)).new
        return "stored" if new else None


@pytest.mark.parametrize("seed", some(range(3)))
async def test_whatever_changes_a_run_is_in_the_log(
    server: Server, engine: AsyncEngine, seed: int
) -> None:
    dice = random.Random(seed)
    operations = Operations(server, engine, dice)
    all_kinds = [
        getattr(operations, name)
        for name, function in vars(Operations).items()
        if not name.startswith("_") and name != "ask" and callable(function)
    ]
    follower = await Follower.begun(engine)
    await operations.put()
    await follower.read()
    plan = [*all_kinds, *dice.choices(all_kinds, k=12)]
    dice.shuffle(plan)
    before = await states(engine)
    for operation in plan:
        if len(operations.runs) < 2:
            await operations.batch()
        kind = await operation()
        after = await states(engine)
        changed = {run for run in before.keys() | after.keys() if before.get(run) != after.get(run)}
        changes_read = await follower.read()
        assert changed <= {change.run_id for change in changes_read}, operation.__name__
        if kind is not None:
            assert kind in kinds(changes_read), operation.__name__
        before = after


async def test_a_transaction_that_commits_late_is_not_missed(
    server: Server, engine: AsyncEngine
) -> None:
    first, second, third = disk_run(), disk_run(), disk_run()
    await server.stored(first, second, third)
    follower = await Follower.begun(engine)
    withdrawn = "UPDATE runs SET withdrawn_at = now() WHERE run_id = '{}'"
    async with engine.connect() as early, engine.connect() as late:
        await early.execute(text(withdrawn.format(first["id"])))
        await late.execute(text(withdrawn.format(second["id"])))
        # The later one commits first, which does not hide the earlier one.
        await late.commit()
        changes = await follower.read()
        await execute(engine, withdrawn.format(third["id"]))
        await early.execute(text(f"UPDATE runs SET chip = 'M0' WHERE run_id = '{first['id']}'"))  # noqa: S608
        changes += await follower.read()
        await early.commit()
    changes += await follower.read()
    ids = [str(change.run_id) for change in changes]
    assert ids == [second["id"], third["id"], first["id"], first["id"]]
    assert kinds(changes) == ["withdrawn", "withdrawn", "withdrawn", "rederived"]
    assert await follower.read() == []


async def test_who_begins_in_a_snapshot_misses_nothing_after_it(
    server: Server, engine: AsyncEngine
) -> None:
    async with engine.connect() as open_still:
        await server.stored(before := disk_run())
        later = await server.put(unseen := disk_run())
        assert later.status_code == 201
        await open_still.execute(
            text(f"UPDATE runs SET withdrawn_at = now() WHERE run_id = '{unseen['id']}'")  # noqa: S608
        )
        async with engine.connect() as building:
            await building.execution_options(isolation_level="REPEATABLE READ")
            log = await changelog.find_log(building)
            assert await not_withdrawn(building) == {before["id"], unseen["id"]}
        await open_still.commit()
    assert str((await Follower(engine, log.log_id, log.snapshot).read())[-1].run_id) == unseen["id"]


async def not_withdrawn(connection: AsyncConnection) -> set[str]:
    rows = await connection.execute(text("SELECT run_id FROM runs WHERE withdrawn_at IS NULL"))
    return set(map(str, rows.scalars()))


@pytest.mark.parametrize(
    ("ours", "its", "sees"),
    [
        ("10:10:", "10:10:", True),
        ("10:12:", "10:11:", True),
        ("10:11:", "10:12:", False),
        ("10:14:10,12", "10:12:10", True),
        ("10:14:10,12", "10:12:11", False),
        ("10:14:10,12", "10:13:10", False),  # it sees 12, which is in progress here
        ("10:14:10", "10:14:10,12", True),
        ("9:20:9,10", "9:10:9", True),
    ],
)
async def test_a_snapshot_sees_another_where_all_of_that_is_committed(
    server: Server, engine: AsyncEngine, ours: str, its: str, sees: bool
) -> None:
    async with engine.connect() as connection:
        log = replace(await changelog.find_log(connection), snapshot=ours)
        assert log.sees(its) is sees
        # PostgreSQL agrees, transaction by transaction.
        query = text("""
            SELECT bool_and(pg_visible_in_snapshot(xact, CAST(:ours AS pg_snapshot)))
            FROM (SELECT number::text::xid8 FROM generate_series(1, 30) AS number) AS of (xact)
            WHERE pg_visible_in_snapshot(xact, CAST(:its AS pg_snapshot))
        """)
        assert await connection.scalar(query, {"ours": ours, "its": its}) is sees


async def test_what_is_rolled_back_is_not_in_the_log(server: Server, engine: AsyncEngine) -> None:
    await server.stored(disk_run())
    follower = await Follower.begun(engine)
    async with engine.connect() as connection:
        await connection.execute(text("DELETE FROM runs"))
        await connection.rollback()
    assert await follower.read() == []


async def test_a_changed_key_is_two_changes(server: Server, engine: AsyncEngine) -> None:
    await server.stored(document := disk_run())
    follower = await Follower.begun(engine)
    other = uuid.uuid4()
    await execute(engine, "DELETE FROM documents; DELETE FROM run_results")
    await execute(engine, f"UPDATE runs SET run_id = '{other}'")  # noqa: S608
    changes = await follower.read()
    assert [(change.kind, str(change.run_id)) for change in changes] == [
        ("deleted", document["id"]),
        ("stored", str(other)),
    ]


async def test_the_log_is_pruned_and_says_so_to_whoever_is_behind(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = await Follower.begun(engine)
    await server.stored(*[disk_run() for _ in range(5)])
    up_to_date = await Follower.begun(engine)
    await execute(engine, "UPDATE changes SET at = now() - interval '20 days'")
    await server.stored(disk_run())
    assert len(await behind.read()) == 6
    read_some = Follower(engine, behind.log_id, "1:1:")
    monkeypatch.setattr("macmeter.platform.changelog.prune.__defaults__", (timedelta(days=14), 2))
    await prune_changes(engine)
    async with engine.connect() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM changes")) == 1
    with pytest.raises(FellBehindError):
        await read_some.read()
    assert await behind.read() == []
    assert kinds(await up_to_date.read()) == ["stored"]


async def test_an_idle_reader_whose_last_change_is_pruned_is_not_behind(
    server: Server, engine: AsyncEngine
) -> None:
    reader = await Follower.begun(engine)
    await server.stored(disk_run(), disk_run())
    await reader.read()
    await execute(engine, "UPDATE changes SET at = now() - interval '20 days'")
    await prune_changes(engine)
    assert await reader.read() == []


async def test_a_restored_database_begins_a_new_log(server: Server, engine: AsyncEngine) -> None:
    adopted_again(server.database_url)
    follower = await Follower.begun(engine)
    await server.stored(disk_run())
    adopted_again(server.database_url)
    assert len(await follower.read()) == 1
    # As in a dump from another cluster that was ahead of this one by many transactions.
    await execute(engine, "UPDATE change_log SET cluster = '1/00000001', pruned_xact = '900000000'")
    await execute(engine, "UPDATE changes SET xact = '900000001'")
    adopted_again(server.database_url)
    with pytest.raises(FellBehindError):
        await follower.read()
    again = await Follower.begun(engine)
    await server.stored(disk_run())
    assert kinds(await again.read()) == ["stored"]


def adopted_again(url: str) -> None:
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        changelog.renew_if_moved(connection)
    engine.dispose()
