"""Groups of a fleet's Macs: a page of theirs, and their alerts for who wants no others."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from macmeter.alerts.alert import News
from macmeter.alerts.groups import by_label
from macmeter.alerts.sending import Sender
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import AlertMail, FleetMachine, Machine, Person
from macmeter.platform import database
from macmeter.platform.settings import Settings
from sqlalchemy import delete, update
from support.contract import of_api
from support.databases import fresh_database
from support.documents import Document, disk_run
from support.fleet_runs import Kept, some_weeks_ago, upload
from support.listener import Listener, listening
from support.people import make_fleet, make_person, sign_in, uploader_of, writing
from support.server import InThisProcess, Server, serving

NAME, WEEKS, SLOW_FROM, SLOWED = "northern offices", 9, 7, 0.9
RACKS = {"A": 40, "B": 12, "C": 4}
A, B, C = (f"label:rack:{rack}" for rack in RACKS)
PLACE = f"/api/v1/fleets/{NAME}"
# A silent Mac of rack C stops uploading.
SILENT = ("C", 3)


def machine(rack: str, number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{rack} {number}"))


def runs(week: int, begin: datetime) -> Iterator[Document]:
    """One run a week of each Mac; those of rack B slow down at once, whatever their macOS."""
    for rack, macs in RACKS.items():
        for number in range(macs):
            if (rack, number) == SILENT and week > SLOW_FROM - 2:
                continue
            chance = Random(f"{rack} {number} {week}")
            slow = SLOWED if rack == "B" and week >= SLOW_FROM else 1
            at = begin + timedelta(days=7 * week, hours=chance.uniform(1, 100))
            yield disk_run(
                machine=machine(rack, number),
                chip="Apple M4",
                write=3e9 * slow * chance.lognormvariate(0, 0.015),
                read=3.5e9 * chance.lognormvariate(0, 0.015),
                started_at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                environment={"os_version": "26.3"},
                labels={"rack": rack, "asset": f"{rack}-{number}"},
                agent={"version": "0.1.0", "platform": "macos-arm64"},
            )


@dataclass
class World:
    """A private fleet in three racks of which one slows, and who hears of which."""

    server: Server
    url: str
    now: datetime
    asking: dict[str, dict[str, str]]
    listeners: dict[str, Listener]
    heard: dict[str, list[Any]] = field(default_factory=dict)

    async def get(self, path: str, role: str = "viewer", status: int = 200) -> Any:
        response = await self.server.client.get(path, headers=self.asking[role])
        assert response.status_code == status, response.text
        return response.json()

    async def alerts(self, where: str = "") -> dict[str, Any]:
        response = await self.get(f"/api/v1/alerts?fleet={NAME}&where={where}")
        return {alert["kind"]: alert for alert in response["items"]}


def fall_silent(url: str, now: datetime) -> None:
    """Say that a Mac uploaded its last runs weeks ago: tests upload everything today."""
    is_silent = FleetMachine.machine_id == uuid.UUID(machine(*SILENT))
    with writing(url) as connection:
        long_ago = now - timedelta(days=20)
        connection.execute(update(FleetMachine).where(is_silent).values(received_at=long_ago))


async def send(url: str, now: datetime) -> None:
    engine = database.engine(url, pool_size=2)
    at = "https://macs.example.org"
    sender = Sender(engine, Settings(database_url=url, public_url=at, webhooks_private=True))
    await sender.begin(now)
    await sender.end()
    await engine.dispose()


@pytest.fixture(scope="module")
async def world(cluster: EmbeddedPostgres) -> AsyncIterator[World]:
    with fresh_database(cluster) as name, listening() as every, listening() as b, listening() as c:
        url = cluster.url(name)
        fleet_id = make_fleet(url, NAME)
        people = {
            "viewer": make_person(url, "Vera", roles={fleet_id: "viewer"}),
            "admin": make_person(url, "Ada", roles={fleet_id: "admin"}),
            "other": make_person(url, "Otto"),
        }
        asking = {role: await sign_in(url, person) for role, person in people.items()}
        secret, begin = uploader_of(url, fleet_id), some_weeks_ago(WEEKS)
        service = serving(url, questions=InThisProcess(), webhooks_private=True)
        async with service as server, Kept(url) as refreshed:
            server.client.event_hooks = {"response": [of_api().hook_of_successes]}
            listeners = {"": every, B: b, C: c}
            for where, listener in listeners.items():
                body = {"url": listener.url, "where": where}
                path = f"{PLACE}/webhooks"
                added = await server.client.post(path, json=body, headers=asking["admin"])
                assert added.status_code == 201, added.text
            for week in range(WEEKS):
                await upload(server.client, secret, [*runs(week, begin)])
                now = begin + timedelta(days=7 * (week + 1))
                if week == WEEKS - 1:
                    fall_silent(url, now)
                await refreshed.up_to(now)
                await send(url, now)
            yield World(server, url, now, asking, listeners)


def test_labels_of_several_macs_form_groups() -> None:
    """An office is one before there is a second; what each Mac has alone, or all have, is none."""
    macs = [{"office": "Süd", "site": "x", "asset": "1"}, {"office": "Süd", "site": "x"}]
    assets = [{"site": "x", "asset": str(number)} for number in range(2, 5)]
    labels = by_label((mac, 1) for mac in [*macs, *assets])
    assert labels == [{"key": "office", "values": [{"value": "Süd", "machines": 2}]}]


async def test_a_group_has_a_page_of_its_own_macs(world: World) -> None:
    fleet = await world.get(f"{PLACE}/dashboard")
    assert (fleet["machines"], fleet["where"], fleet["group"]) == (sum(RACKS.values()), "", "")
    assert [label["key"] for label in fleet["labels"]] == ["rack"], "an asset tag forms no groups"
    for rack, macs in RACKS.items():
        page = await world.get(f"{PLACE}/dashboard?where=label:rack:{rack}")
        assert (page["machines"], page["group"]) == (macs, f"rack: {rack}")
        listed = await world.get(f"{PLACE}/machines?limit=200&where=label:rack:{rack}")
        assert {mac["id"] for mac in listed["items"]} == {machine(rack, n) for n in range(macs)}
        assert page["health"]["silent"] == (rack == "C")
        assert page["runs"] == sum(mac["runs"] for mac in listed["items"])
        assert all(change["cohort"]["label:rack"] == rack for change in page["changes"])
    with writing(world.url) as connection:
        first_mac = update(Machine).where(Machine.machine_id == uuid.UUID(machine("A", 0)))
        connection.execute(first_mac.values(retired_at=world.now))
    page = await world.get(f"{PLACE}/dashboard?where={A}")
    assert (page["machines"], page["retired"]) == (RACKS["A"] - 1, 1)
    assert (await world.get(f"{PLACE}/dashboard?where={B}"))["retired"] == 0
    with writing(world.url) as connection:
        connection.execute(first_mac.values(retired_at=None))


async def test_what_is_no_group_has_no_page(world: World) -> None:
    missing = await world.get(f"{PLACE}/dashboard?where=label:asset:A-0", status=404)
    assert missing["code"] == "no_group"
    for where in ("chip:Apple M4", "label:rack!:A", "label:rack", "label:rack:"):
        refused = await world.get(f"{PLACE}/dashboard?where={where}", status=422)
        assert refused["errors"][0]["pointer"] == "?where", where
    for page in ("dashboard", "machines"):
        await world.get(f"{PLACE}/{page}?where={B}", "other", status=404)
    await world.get(f"/api/v1/alerts?where={B}", status=422)
    await world.get(f"/api/v1/alerts?fleet={NAME}&where={B}", "other", status=404)


async def test_only_a_group_that_is_watched_is_looked_at_apart(world: World) -> None:
    """A fifth of the fleet slowed: the fleet as a whole did not."""
    alert = (await world.alerts())["regression"]
    (effect,) = alert["detail"]["effects"]
    assert effect["where"][-1] == B
    assert set(effect["machine_ids"]) <= {machine("B", number) for number in range(RACKS["B"])}
    assert effect["moved"] >= 10
    assert effect["ratio"] == pytest.approx(SLOWED, abs=0.015)
    assert alert["title"].endswith("updated or not")
    assert "rack: B" in alert["lines"][0]
    (group_alert,) = (await world.alerts(B)).values()
    assert group_alert["lines"][-1] == "All in rack: B"
    assert await world.alerts(A) == {}


async def test_alerts_of_a_group_have_its_macs_only(world: World) -> None:
    silent = (await world.alerts(C))["silent"]
    assert silent["detail"]["machine_ids"] == [machine(*SILENT)]
    page = await world.get(f"{PLACE}/dashboard?where={C}")
    assert page["alerts"] == {"open": 1, "muted": 0, "acknowledged": 0}
    assert (await world.get(f"{PLACE}/dashboard?where={A}"))["alerts"]["open"] == 0


async def test_who_is_limited_to_a_group_hears_of_nothing_else(world: World) -> None:
    alerts = {
        where: [json.loads(body)["macmeter"] for _, body in listener.taken]
        for where, listener in world.listeners.items()
    }
    assert {alert["kind"] for alert in alerts[""]} == {"regression", "silent"}
    assert [alert["group"] for alert in alerts[""]] == [None, None]
    (alert,) = alerts[B]
    assert (alert["kind"], alert["group"]["where"]) == ("regression", B)
    assert alert["group"]["macs"] == alert["macs"] >= 10
    assert alert["url"].startswith(f"https://macs.example.org/fleets/northern%20offices?where={B}#")
    (alert,) = alerts[C]
    assert (alert["kind"], alert["group"]) == ("silent", {"where": C, "macs": 1})


async def test_each_recipient_says_which_group_it_is_for(world: World) -> None:
    webhooks = (await world.get(f"{PLACE}/webhooks", "admin"))["items"]
    assert [webhook["where"] for webhook in webhooks] == ["", B, C]
    vera = update(Person).where(Person.name == "Vera").values(email="vera@example.org")
    with writing(world.url) as connection:
        connection.execute(vera)
    path, headers = f"{PLACE}/alert-mail", world.asking["viewer"]
    for where, status in ((B, 204), ("chip:Apple M4", 422), ("", 204)):
        body = {"how": "digest", "where": where}
        answer = await world.server.client.put(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        if status == 204:
            assert (await world.get(path))["where"] == where
    with writing(world.url) as connection:
        connection.execute(delete(AlertMail))


def test_news_reaches_a_group_once_for_each_of_its_macs_that_is_news() -> None:
    first, second, other = "one", "two", "other"
    group = frozenset({first, second})

    def news(macs: set[str], *earlier: str, is_over: bool = False, to_all: bool = True) -> News:
        macs_of_news = (frozenset(macs), frozenset(earlier))
        return News(uuid.uuid4(), "silent", is_over, to_all, *macs_of_news)

    assert news({first, other}).is_for(group)
    assert not news({other}).is_for(group)
    # Its first Mac in an alert of others, which isn't news to these.
    assert news({first, other}, other, to_all=False).is_for(group)
    # One more of a cohort that it knows of.
    assert not news({first, second}, first, to_all=False).is_for(group)
    # A Mac or a cohort of others joined, or one of its own.
    assert not news({first, other}, first).is_for(group)
    assert news({first, second}, first).is_for(group)
    assert news({first, other}, is_over=True).is_for(group)
    assert not news({other}, is_over=True).is_for(group)
