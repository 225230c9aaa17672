"""A fleet's page and its alerts: exact, sent once per cause, and to nobody else."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Alert, Doubt, EnrolmentSecret, Fleet, FleetMachine, Machine, Run
from macmeter.platform.release import VERSION
from sqlalchemy import insert, select, update
from support.contract import of_api
from support.databases import fresh_database, transaction
from support.documents import disk_run, encoded
from support.fleet_runs import Cohort, Kept, documents, some_weeks_ago, upload
from support.people import make_fleet, make_person, sign_in, uploader_of, writing
from support.server import InThisProcess, Server, serving

SLOWED = Cohort("Apple M1", 18, updated=14, week=7, after=0.9)
QUIET = Cohort("Apple M4", 14, updated=7, week=7, own={9: 0.8}, encryption="hardware")
WEEKS = 9
NAME = "northern offices"
POLICY = {"silent_days": 3, "filevault_required": True}
PAGES = ("dashboard", "machines")


@dataclass
class World:
    """A private fleet slowed by an update in its last weeks, and people who ask about it."""

    server: Server
    kept: Kept
    url: str
    fleet_id: uuid.UUID
    now: datetime
    news: list[list[str]]
    asking: dict[str, dict[str, str]]

    async def get(self, path: str, role: str = "viewer") -> Any:
        response = await self.server.client.get(path, headers=self.asking[role])
        assert response.status_code == 200, response.text
        return response.json()

    async def alert(self, kind: str = "regression") -> Any:
        (alert,) = [a for a in (await self.get("/api/v1/alerts"))["items"] if a["kind"] == kind]
        return alert


@pytest.fixture(scope="module")
async def world(cluster: EmbeddedPostgres) -> AsyncIterator[World]:
    with fresh_database(cluster) as name:
        url = cluster.url(name)
        fleet_id = make_fleet(url, NAME)
        other = make_fleet(url, "another fleet")
        secret = uploader_of(url, fleet_id)
        people = {
            "viewer": make_person(url, "Vera", roles={fleet_id: "viewer"}),
            "admin": make_person(url, "Ada", roles={fleet_id: "admin"}),
            "other": make_person(url, "Otto", roles={other: "admin"}),
        }
        asking = {role: await sign_in(url, person) for role, person in people.items()}
        asking |= {"uploader": {"Authorization": f"Bearer {secret}"}, "nobody": {}}
        begin = some_weeks_ago(WEEKS)
        async with serving(url, questions=InThisProcess()) as server, Kept(url) as refreshed:
            server.client.event_hooks = {"response": [of_api().hook_of_successes]}
            news = []
            for week in range(WEEKS):
                runs = [*documents([SLOWED, QUIET], week, begin)]
                await upload(server.client, secret, runs)
                now = begin + timedelta(days=7 * (week + 1))
                news.append([item.kind for item in await refreshed.up_to(now)])
            yield World(server, refreshed, url, fleet_id, now, news, asking)


@pytest.mark.thorough
async def test_one_alert_opens_when_the_first_days_of_the_update_are_over(world: World) -> None:
    assert world.news == [[]] * (WEEKS - 1) + [["regression"]]
    alert = await world.alert()
    assert alert["cause"] == "update 26.4"
    (effect,) = alert["detail"]["effects"]
    assert effect["metric"] == "disk.write_average"
    assert effect["cohort"] == {
        "chip": "Apple M1",
        "virtual": False,
        "storage": "internal",
        "encryption": "filevault",
    }
    assert effect["where"][0] == "chip:Apple M1"
    assert (effect["machines"], effect["of"]) == (14, 18)
    assert effect["ratio"] == pytest.approx(0.9, abs=0.015)
    assert effect["low"] < 0.9 < effect["high"] < 1
    assert set(effect["machine_ids"]) <= set(SLOWED.slowed)
    assert effect["moved"] == len(effect["machine_ids"]) >= 12
    assert effect["before"] == pytest.approx(SLOWED.speed, rel=0.03)


async def test_the_page_is_right_to_the_run(world: World) -> None:
    page = await world.get(f"/api/v1/fleets/{NAME}/dashboard")
    assert page == await world.get(f"/api/v1/fleets/{world.fleet_id}/dashboard")
    assert (page["machines"], page["runs"]) == (32, 32 * WEEKS)
    assert page["fleet"]["role"] == "viewer"
    assert {share["value"]: share["machines"] for share in page["os_versions"]} == {
        "26.4": 21,
        "26.3": 11,
    }
    assert page["alerts"] == {"open": 1, "muted": 0, "acknowledged": 0}
    assert page["health"]["alert_days"] == 28
    first = page["changes"][0]
    assert (first["told"], first["version"], first["machines"]) == (True, "26.4", 14)
    assert first["before"] == ["26.3"]
    assert [change["told"] for change in page["changes"]].count(True) == 1


async def test_who_is_unlike_its_cohort_is_named(world: World) -> None:
    page = await world.get(f"/api/v1/fleets/{NAME}/dashboard")
    (outlier,) = page["outliers"]
    assert outlier["machine_id"] == QUIET.machine(9)
    assert outlier["words"]["machine"] == f"Mac {QUIET.machine(9)[:8]}"
    with writing(world.url) as connection:
        is_quiet = Machine.machine_id == uuid.UUID(QUIET.machine(9))
        connection.execute(update(Machine).where(is_quiet).values(name="Kiosk 9"))
    (outlier,) = (await world.get(f"/api/v1/fleets/{NAME}/dashboard"))["outliers"]
    assert outlier["words"]["machine"] == "Kiosk 9"
    assert outlier["metric"] == "disk.write_average"
    assert outlier["ratio"] == pytest.approx(0.8, abs=0.03)
    assert outlier["machines"] == 14


async def test_machines_are_sorted_searched_and_paged(world: World) -> None:
    path = f"/api/v1/fleets/{NAME}/machines"
    first = await world.get(f"{path}?sort=os_version&descending=true&limit=5")
    assert first["total"] == 32
    assert [machine["os_version"] for machine in first["items"]] == ["26.4"] * 5
    matching = await world.get(f"{path}?q=m4&limit=200&sort=chip")
    assert {mac["chip"] for mac in matching["items"]} == {"Apple M4"}
    assert matching["total"] == len(matching["items"]) == 14
    first_found = matching["items"][0]
    assert (first_found["runs"], first_found["agent_version"]) == (WEEKS, "0.1.0")
    assert (first_found["encryption"], first_found["storages"]) == ("hardware", ["internal"])
    all_ids = [
        mac["id"]
        for offset in (0, 20)
        for mac in (await world.get(f"{path}?limit=20&offset={offset}&sort=runs"))["items"]
    ]
    assert len(all_ids) == len(set(all_ids)) == 32


@pytest.mark.parametrize("role", ["viewer", "admin", "uploader"])
async def test_members_and_the_uploader_see_it(world: World, role: str) -> None:
    page = await world.get(f"/api/v1/fleets/{NAME}/dashboard", role)
    assert page["fleet"]["role"] == (None if role == "uploader" else role)
    assert (await world.get("/api/v1/alerts", role))["total"] == 1


@pytest.mark.parametrize(("role", "named"), [("viewer", NAME), ("admin", NAME), ("uploader", None)])
async def test_things_say_which_fleet_questions_have_to_name(
    world: World, role: str, named: str | None
) -> None:
    machine = QUIET.machine(0)
    page = await world.get(f"/api/v1/machines/{machine}", role)
    assert page["fleet"] == named
    query = f"where=machine:{machine}" + (f"&where=fleet:{named}" if named else "")
    runs = await world.get(f"/api/v1/runs?{query}", role)
    assert runs["total"] == WEEKS
    run = await world.get(f"/api/v1/runs/{runs['items'][0]['id']}", role)
    assert run["fleet"] == named


def told(response: httpx.Response) -> dict[str, Any]:
    """A problem's fields, except its request id."""
    return {name: value for name, value in response.json().items() if name != "request_id"}


@pytest.mark.parametrize("role", ["nobody", "other"])
async def test_for_everybody_else_there_is_no_such_fleet(world: World, role: str) -> None:
    alert = (await world.alert())["id"]
    paths = [
        *(f"/api/v1/fleets/{fleet}/{page}" for fleet in (NAME, world.fleet_id) for page in PAGES),
        f"/api/v1/alerts?fleet={NAME}",
        f"/api/v1/alerts/{alert}",
    ]
    for path in paths:
        absent = path.replace(NAME, "no such").replace(str(world.fleet_id), str(uuid.uuid4()))
        absent = absent.replace(alert, str(uuid.uuid4()))
        response = await world.server.client.get(path, headers=world.asking[role])
        unseen = await world.server.client.get(absent, headers=world.asking[role])
        assert (response.status_code, told(response)) == (404, told(unseen)), path
    listed = await world.server.client.get("/api/v1/alerts", headers=world.asking[role])
    assert listed.json() == {"items": [], "total": 0}


async def test_an_admin_acknowledges_comments_and_reopens(world: World) -> None:
    client, alert = world.server.client, await world.alert()
    path = f"/api/v1/alerts/{alert['id']}"
    comment_body = {"text": "Reported to Apple."}
    for method, to, body in (
        ("PUT", "acknowledgement", None),
        ("POST", "comments", comment_body),
        ("DELETE", "acknowledgement", None),
    ):
        statuses = [
            (await client.request(method, f"{path}/{to}", json=body, headers=headers)).status_code
            for headers in (world.asking[role] for role in ("nobody", "other", "viewer", "admin"))
        ]
        assert statuses == [401, 404, 403, 204], (method, to)
        now = await world.alert()
        if method == "PUT":
            assert (now["state"], now["acknowledged_by"]) == ("acknowledged", "Ada")
            page = await world.get(f"/api/v1/fleets/{NAME}/dashboard")
            assert page["alerts"] == {"open": 0, "muted": 0, "acknowledged": 1}
            # Another run of the same Mac isn't news, and leaves the alert acknowledged.
            again = documents([replace(QUIET, macs=1)], WEEKS - 1, some_weeks_ago(WEEKS))
            secret = world.asking["uploader"]["Authorization"].removeprefix("Bearer ")
            await upload(client, secret, [*again])
            assert not await world.kept.up_to(world.now)
            assert (await world.alert())["state"] == "acknowledged"
    alert_found = await world.alert()
    assert alert_found["state"] == "open"
    (comment,) = alert_found["comments"]
    assert (comment["by"], comment["text"]) == ("Ada", "Reported to Apple.")


async def test_a_mute_ends_and_the_alert_is_sent_again(world: World) -> None:
    client, alert = world.server.client, await world.alert()
    path, admin = f"/api/v1/alerts/{alert['id']}/mute", world.asking["admin"]
    body = {"days": 7, "why": "Apple knows."}
    assert (await client.put(path, json=body, headers=admin)).status_code == 204
    muted = await world.alert()
    assert (muted["state"], muted["mute"]["by"], muted["mute"]["why"]) == (
        *("muted", "Ada"),
        "Apple knows.",
    )
    page = await world.get(f"/api/v1/fleets/{NAME}/dashboard")
    assert page["alerts"] == {"open": 0, "muted": 1, "acknowledged": 0}
    async with Kept(world.url) as refreshed:
        assert not await refreshed.up_to(world.now)
    with writing(world.url) as connection:
        mute = update(Alert).where(Alert.alert_id == uuid.UUID(alert["id"]))
        connection.execute(mute.values(muted_until=world.now - timedelta(minutes=1)))
    async with Kept(world.url) as refreshed:
        assert [item.kind for item in await refreshed.up_to(world.now)] == ["regression"]
    again = await world.alert()
    assert (again["state"], again["mute"]) == ("open", None)


async def test_a_member_owns_an_alert_and_nobody_else_can(world: World) -> None:
    client, alert = world.server.client, await world.alert()
    path, admin = f"/api/v1/alerts/{alert['id']}/owner", world.asking["admin"]
    members = (await world.get(f"/api/v1/fleets/{NAME}/members"))["items"]
    (vera,) = [member for member in members if member["name"] == "Vera"]
    stranger = {"person_id": str(uuid.UUID(int=1))}
    assert (await client.put(path, json=stranger, headers=admin)).status_code == 404
    body = {"person_id": vera["id"]}
    assert (await client.put(path, json=body, headers=admin)).status_code == 204
    assert (await world.alert())["owner"] == {"id": vera["id"], "name": "Vera"}
    assert (await client.delete(path, headers=admin)).status_code == 204
    assert (await world.alert())["owner"] is None


async def test_a_fleet_says_what_is_amiss_in_it(world: World) -> None:
    page = f"/api/v1/fleets/{NAME}"
    assert (await world.get(f"{page}/dashboard"))["health"]["no_filevault"] == 0
    for body, status in (({"silent_days": 0}, 422), (POLICY, 204)):
        answer = await world.server.client.put(
            f"{page}/policy", json={**POLICY, **body}, headers=world.asking["admin"]
        )
        assert answer.status_code == status, answer.text
    health = (await world.get(f"{page}/dashboard"))["health"]
    assert (health["no_filevault"], health["silent_days"]) == (QUIET.macs, 3)
    listed = await world.get(f"{page}/machines?only=no_filevault&limit=200")
    assert {mac["encryption"] for mac in listed["items"]} == {"hardware"}
    assert listed["total"] == QUIET.macs


async def test_settings_of_another_version_are_as_usual(world: World) -> None:
    page = f"/api/v1/fleets/{NAME}"
    for own in ({"silent_days": "soon"}, {"silent_days": 10**9}, {"least_agent": 3}, ["soon"], {}):
        with transaction(world.url) as connection:
            connection.execute(update(Fleet).where(Fleet.name == NAME).values(settings=own))
        await world.get(f"{page}/machines")
        assert (await world.get(f"{page}/dashboard"))["health"]["silent_days"] == 14


@pytest.mark.parametrize("own", [{"years": "two"}, {"days": "all"}, 7, "all"])
async def test_a_retention_policy_of_another_version_deletes_nothing_and_can_be_ended(
    world: World, own: object
) -> None:
    page, admin = f"/api/v1/fleets/{NAME}/retention", world.asking["admin"]
    with transaction(world.url) as connection:
        statement = update(Fleet).where(Fleet.name == NAME)
        connection.execute(statement.values(settings={"retention": own}))
    refused = await world.server.client.get(page, headers=admin)
    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_policy")
    assert (await world.server.client.delete(page, headers=admin)).status_code == 204
    assert (await world.get(page, "admin"))["policy"] is None


async def test_an_agent_is_out_of_date_where_the_fleet_wants_a_later_one(world: World) -> None:
    page = f"/api/v1/fleets/{NAME}"
    everyone = (await world.get(f"{page}/dashboard"))["machines"]
    # None: older than the newest that the server knows.
    for least, old in (("0.1", 0), ("0.1.0", 0), ("0.10", everyone), (None, everyone)):
        body = {**POLICY, "least_agent": least}
        answer = await world.server.client.put(
            f"{page}/policy", json=body, headers=world.asking["admin"]
        )
        assert answer.status_code == 204, answer.text
        health = (await world.get(f"{page}/dashboard"))["health"]
        assert (health["least_agent"], health["old_agent"]) == (least, old)
        (agents,) = health["agents"]
        assert agents == {"version": "0.1.0", "machines": everyone, "is_old": old > 0}


async def test_of_a_fleet_without_runs_the_newest_agent_is_the_servers(world: World) -> None:
    health = (await world.get("/api/v1/fleets/another fleet/dashboard", "other"))["health"]
    assert (health["newest_agent"], health["agents"]) == (VERSION, [])


async def test_refused_runs_are_counted_by_reason(world: World) -> None:
    client = world.server.client
    secret = world.asking["uploader"]["Authorization"].removeprefix("Bearer ")
    ahead = disk_run(machine=SLOWED.machine(0), started_at="2999-01-01T00:00:00Z")
    assert (await world.server.put(ahead, secret)).status_code == 422
    lines = b"\n".join([encoded(ahead), b"{}"])
    batch = {"Content-Type": "application/x-ndjson", **world.asking["uploader"]}
    await client.post("/api/v1/runs/batch", content=lines, headers=batch)
    health = (await world.get(f"/api/v1/fleets/{NAME}/dashboard"))["health"]
    counts = {item["code"]: (item["runs"], item["devices"]) for item in health["refusals"]}
    assert counts["clock_ahead"] == (2, 1)
    assert len(counts) == 2


async def test_a_secret_that_is_nearly_used_up_and_a_doubt_are_alerts(world: World) -> None:
    with writing(world.url) as connection:
        connection.execute(
            insert(EnrolmentSecret).values(
                secret_id=uuid.uuid4(),
                fleet_id=world.fleet_id,
                secret_sha256=b"a secret",
                name="Berlin",
                quota=100,
                used=90,
            )
        )
        run = connection.execute(select(Run.machine_id, Run.run_id).limit(1)).one()
        connection.execute(
            insert(Doubt).values(
                doubt_id=uuid.uuid4(), reason="It was on battery.", **run._asdict()
            )
        )
    async with Kept(world.url) as refreshed:
        assert {item.kind for item in await refreshed.up_to(world.now)} == {"quota", "doubts"}
    titles = {(await world.alert(kind))["title"] for kind in ("quota", "doubts")}
    assert titles == {
        "Enrolment secret Berlin is nearly used up: 90 of 100 Macs",
        "1 doubt waiting for a judgement",
    }
    with writing(world.url) as connection:
        connection.execute(update(EnrolmentSecret).values(revoked_at=world.now))
        connection.execute(update(Doubt).values(decision="dismissed"))
    async with Kept(world.url) as refreshed:
        over = await refreshed.up_to(world.now)
    assert {(item.kind, item.is_over) for item in over} == {("quota", True), ("doubts", True)}
    assert {(await world.alert(kind))["state"] for kind in ("quota", "doubts")} == {"over"}


async def test_silent_machines_are_one_alert_that_ends_with_their_silence(world: World) -> None:
    later = world.now + timedelta(days=30)
    async with Kept(world.url) as refreshed:
        assert [item.kind for item in await refreshed.up_to(later)] == ["silent"]
    alert = await world.alert("silent")
    assert alert["detail"]["machines"] == 32
    async with Kept(world.url) as refreshed:
        assert [(item.kind, item.is_over) for item in await refreshed.up_to(world.now)] == [
            ("silent", True)
        ]
    assert (await world.alert("silent"))["state"] == "over"


async def test_labels_that_form_a_few_groups_are_offered_for_comparison(world: World) -> None:
    page = f"/api/v1/fleets/{NAME}/dashboard"
    assert (await world.get(page))["labels"] == []
    with writing(world.url) as connection:
        newest = connection.scalars(select(FleetMachine.run_id).order_by(FleetMachine.run_id)).all()
        for number, run_id in enumerate(newest):
            # A serial number groups nothing, nor does what one Mac alone has, or what all have.
            labels = {"serial": f"C0{number}", "site": "office", "lab": "ab"[number == 0]}
            labels["rack"] = "AB"[number % 4 == 0]
            connection.execute(update(Run).where(Run.run_id == run_id).values(labels=labels))
    async with Kept(world.url) as refreshed:
        await refreshed.up_to(world.now)
    # By their labels no Mac is left of those that the alert is about: it stays as it was.
    assert (await world.alert())["detail"]["effects"][0]["machines"] == 14
    (rack,) = (await world.get(page))["labels"]
    assert rack == {
        "key": "rack",
        "values": [{"value": "A", "machines": 24}, {"value": "B", "machines": 8}],
    }
