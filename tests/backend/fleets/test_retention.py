"""Runs that a fleet's retention hides, restores, and deletes for good: with real links."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from macmeter.fleets import retention
from macmeter.fleets.retention import UNDOABLE
from macmeter.models import Document, Failure, Fleet, Run, RunId, Sweep
from macmeter.platform import database
from macmeter.platform.database import normalise
from macmeter.runs.rederive import any_outdated
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from support import people
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

RETENTION = "/api/v1/fleets/acme/retention"
ACME = "metric=disk.write_average&by=storage&where=fleet:acme"
ONE = "metric=disk.write_average&by=storage&where=fleet:acme&where=storage:usb4"
LATER = datetime.now(UTC) + UNDOABLE + timedelta(days=1)


class World(NamedTuple):
    """A fleet with four old internal drives, an old USB4 drive, and a new internal one."""

    server: Server
    admin: dict[str, str]
    linked: str

    async def ask(self, method: str, path: str = "", **more: Any) -> Any:
        request = self.server.client.request
        return await request(method, RETENTION + path, headers=self.admin, **more)

    async def act(self, now: datetime, *, again: bool = False) -> None:
        engine = database.engine(self.server.database_url, pool_size=1)
        await retention.once(engine, now, again=again)
        await engine.dispose()

    async def effect(self, **policy: Any) -> dict[str, Any]:
        effect: dict[str, Any] = (await self.ask("GET", "/preview", params=policy)).json()
        return effect

    async def set(self, runs: int, **policy: Any) -> None:
        response = await self.ask("PUT", json={"days": 100, "runs": runs, **policy})
        assert response.status_code == 204, response.text

    async def figures(self) -> dict[str, int]:
        """Runs that answers count, by storage."""
        answer = (await self.server.client.get(f"/api/v1/answer?{ACME}", headers=self.admin)).json()
        return {group["key"]["storage"]: group["runs"] for group in answer["results"][0]["groups"]}

    async def link(self) -> int:
        """Status of the link whose figures are of one machine."""
        response = await self.server.client.get(f"/api/v1/comparisons/{self.linked}")
        assert response.status_code != 200 or response.json()["withdrawn"] == []
        return response.status_code

    async def sweep(self) -> dict[str, Any]:
        (newest, *_) = (await self.ask("GET")).json()["sweeps"]
        return dict(newest)

    def counted(self, *of: Any) -> list[int]:
        with people.writing(self.server.database_url) as connection:
            return [connection.scalar(select(func.count()).select_from(model)) or 0 for model in of]


@pytest.fixture
async def world(server: Server) -> World:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    admin = await people.sign_in(url, people.make_person(url, "Ada", roles={fleet_id: "admin"}))
    old = (datetime.now(UTC) - timedelta(days=200)).isoformat()
    runs = [disk_run(started_at=old) for _ in range(4)]
    runs += [
        disk_run(started_at=old, storage="usb4"),
        disk_run(started_at=(datetime.now(UTC) - timedelta(hours=1)).isoformat()),
    ]
    uploader = people.uploader_of(url, fleet_id)
    for run in runs:
        assert (await server.put(run, uploader)).status_code == 201
    # Other people's old runs are not affected.
    await server.stored(disk_run(started_at=old))
    body = {"question": ONE, "shares_fleet": True, "fewest_machines": 1}
    saved = await server.client.post("/api/v1/comparisons", json=body, headers=admin)
    assert saved.status_code == 201, saved.text
    return World(server, admin, saved.json()["slug"])


ALL = {"internal": 5, "usb4": 1}


async def test_what_it_would_do_is_told_and_nothing_done(world: World) -> None:
    kept_links = {"runs": 4, "machines": 4, "links_kept": 1, "runs_kept": 1, "links_lost": 0}
    assert await world.effect(days=100) == kept_links
    lost_links = {"runs": 5, "machines": 5, "links_kept": 0, "runs_kept": 0, "links_lost": 1}
    assert await world.effect(days=100, keep_linked=False) == lost_links
    assert (await world.effect(days=100, keep="medians"))["runs"] == 5
    assert (await world.effect(days=300))["runs"] == 0
    assert await world.figures() == ALL


async def test_another_number_than_was_told_changes_nothing(world: World) -> None:
    refused = await world.ask("PUT", json={"days": 100, "runs": 3})
    assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert refused.json()["runs"] == 4
    assert (await world.ask("GET")).json() == {"policy": None, "sweeps": []}
    assert await world.figures() == ALL


async def test_old_runs_leave_answers_at_once_and_are_gone_a_week_later(world: World) -> None:
    await world.set(4)
    assert await world.figures() == {"internal": 1, "usb4": 1}
    assert await world.link() == 200
    await world.act(datetime.now(UTC))
    assert world.counted(Run, Document, RunId) == [7, 7, 7]
    await world.act(LATER)
    assert world.counted(Run, Document, RunId) == [3, 3, 3]
    assert (await world.sweep())["state"] == "done"
    assert await world.link() == 200
    refused = await world.ask("DELETE", f"/sweeps/{(await world.sweep())['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_late")
    acts = people.acts(world.server.database_url)
    assert acts[-3:] == ["retention.set", "retention.sweep", "retention.delete"]


async def test_undone_they_count_again_and_the_policy_ends(world: World) -> None:
    await world.set(4)
    undone = await world.ask("DELETE", f"/sweeps/{(await world.sweep())['id']}")
    assert undone.status_code == 204
    assert await world.figures() == ALL
    await world.act(LATER)
    assert world.counted(Run, Document) == [7, 7]
    retention = (await world.ask("GET")).json()
    assert (retention["policy"], retention["sweeps"][0]["state"]) == (None, "undone")


async def test_a_link_whose_runs_are_not_kept_goes_with_them(world: World) -> None:
    await world.set(5, keep_linked=False)
    assert await world.link() == 200
    await world.act(LATER)
    assert await world.link() == 410


async def test_the_server_acts_by_itself_once_a_day(world: World) -> None:
    await world.set(0, days=210)
    tomorrow = datetime.now(UTC) + timedelta(days=11)
    await world.act(tomorrow)
    assert await world.figures() == {"internal": 1, "usb4": 1}
    await world.act(tomorrow + timedelta(hours=1))
    assert world.counted(Sweep) == [1]


async def test_medians_stay_in_answers_when_samples_go(world: World) -> None:
    await world.set(5, keep="medians")
    await world.act(LATER)
    assert await world.figures() == ALL
    assert await world.link() == 200
    url = world.server.database_url
    with people.writing(url) as connection:
        emptied = select(Document.run_id).where(Document.compressed.is_(None))
        run_ids = list(connection.scalars(emptied))
        # It can't be derived from its document again.
        connection.execute(update(Run).where(Run.run_id.in_(run_ids)).values(derivation_version=0))
    assert len(run_ids) == 5
    assert not any_outdated(url)
    for path in ("", "/document"):
        response = await world.server.client.get(
            f"/api/v1/runs/{run_ids[0]}{path}", headers=world.admin
        )
        assert (response.status_code, response.json()["code"]) == (410, "document_not_kept")
    assert (await world.effect(days=100, keep="medians"))["runs"] == 0


async def test_one_that_its_owner_reinstates_stays(world: World) -> None:
    await world.set(4)
    with people.writing(world.server.database_url) as connection:
        run_id = connection.scalar(select(Run.run_id).where(Run.withdrawn_by == "retention"))
    path = f"/api/v1/runs/{run_id}/withdrawal"
    again = await world.server.client.delete(path, headers=world.admin)
    assert again.status_code == 204
    await world.act(LATER)
    assert await world.figures() == {"internal": 2, "usb4": 1}


async def test_killed_in_the_middle_nothing_is_half_done(world: World) -> None:
    await world.set(4)
    url = normalise(world.server.database_url)
    holding = create_async_engine(url)
    async with holding.begin() as connection:
        # Deletion gets as far as this run, and waits.
        last = select(Run.run_id).where(Run.sweep_id.is_not(None)).order_by(Run.run_id.desc())
        await connection.execute(last.limit(1).with_for_update())
        acting = asyncio.create_task(world.act(LATER))
        killed = None
        while killed is None and not acting.done():
            # PostgreSQL shows a transaction the same processes each time, unless it clears them.
            await connection.execute(text("SELECT pg_stat_clear_snapshot()"))
            killed = await connection.scalar(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                    " current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE%'"
                )
            )
            await asyncio.sleep(0.05)
        assert killed
        with pytest.raises(DBAPIError):
            await acting
    await holding.dispose()
    assert world.counted(Run, Document, RunId) == [7, 7, 7]
    assert (await world.sweep())["state"] == "undoable"
    assert await world.figures() == {"internal": 1, "usb4": 1}
    await world.act(LATER)
    assert world.counted(Run, Document, RunId) == [3, 3, 3]


async def test_a_fleet_whose_retention_fails_keeps_no_other_from_theirs(world: World) -> None:
    """A policy may have been stored by a version that knew other ones."""
    await world.set(4)
    url = world.server.database_url
    odd = [people.make_fleet(url, name) for name in ("a first", "z last")]
    with people.writing(url) as connection:
        for fleet_id in odd:
            statement = update(Fleet).where(Fleet.fleet_id == fleet_id)
            connection.execute(statement.values(settings={"retention": {"years": "two"}}))
    for now in (LATER, LATER + timedelta(minutes=1)):
        await world.act(now)
    assert (await world.sweep())["state"] == "done"
    with people.writing(url) as connection:
        failed = {row.item: row for row in connection.execute(select(Failure))}
    assert failed.keys() == {str(fleet_id) for fleet_id in odd}
    assert all(
        row.work == "retention" and "Another version" in row.reason for row in failed.values()
    )


async def test_a_fleet_that_takes_long_holds_up_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow fleet is cut short, and continues in parallel with the others."""
    monkeypatch.setattr(retention, "FIRST_SECONDS", 0.5)
    url = world.server.database_url
    settings = {"retention": {"days": 1, "keep": "nothing", "keep_linked": False}}
    fleets = [people.make_fleet(url, f"fleet {number}") for number in range(3)]
    slow, *rest = sorted(fleets)
    for fleet_id in fleets:
        uploader = people.uploader_of(url, fleet_id)
        old = disk_run(started_at="2026-01-01T00:00:00Z")
        assert (await world.server.put(old, uploader)).status_code == 201
    with people.writing(url) as connection:
        these = update(Fleet).where(Fleet.fleet_id.in_(fleets))
        connection.execute(these.values(settings=settings))

    def swept() -> set[Any]:
        with people.writing(url) as connection:
            return {*connection.scalars(select(Sweep.fleet_id))}

    now = datetime.now(UTC)
    with people.writing(url) as holding:
        holding.execute(select(Fleet).where(Fleet.fleet_id == slow).with_for_update())
        await world.act(now)
        assert swept() == {*rest}
    for soon in (now, now + timedelta(minutes=2)):
        await world.act(soon)
        assert swept() == {*rest}, "it is tried again by the other loop"
    await world.act(now, again=True)
    assert swept() == {*rest}, "not yet"
    await world.act(now + timedelta(minutes=2), again=True)
    assert swept() == {*fleets}
    assert world.counted(Failure) == [0]
