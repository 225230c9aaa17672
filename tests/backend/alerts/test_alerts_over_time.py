"""Alerts over time: dated by the change, with the agent that came with it, and closed with it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from macmeter.models import Alert
from sqlalchemy import insert
from support.databases import transaction
from support.documents import Document, disk_run
from support.fleet_runs import Kept, some_weeks_ago, upload
from support.people import make_fleet, uploader_of
from support.server import Server
from support.thorough import some

MACS = 20
# Some weeks ago, so that later runs are not in the future.
TODAY = some_weeks_ago(6)
_NAMESPACE = uuid.UUID("5f3b7a0e-7a43-4f0c-9d5a-08f5a9f0b7a1")


class Mac:
    """A Mac's speed, macOS and agent as functions of the day."""

    def __init__(
        self,
        speed: Callable[[float], float] = lambda day: 1.0,
        system: Callable[[float], str] = lambda day: "26.3",
        agent: Callable[[float], str] = lambda day: "1.0",
        chip: str = "Apple M1",
    ) -> None:
        self.speed, self.system, self.agent, self.chip = speed, system, agent, chip


def step(day: float, before: Any, after: Any) -> Callable[[float], Any]:
    return lambda at: before if at < day else after


def after(day: float, speed: Callable[[float], float]) -> Callable[[float], float]:
    return lambda at: speed(at) if at >= day else 1.0


def until(day: float, speed: Callable[[float], float]) -> Callable[[float], float]:
    return lambda at: speed(at) if at < day else 1.0


def documents(macs: list[Mac], first: int, last: int) -> Iterator[Document]:
    """Runs of each Mac from one day to another; days count from today."""
    for number, mac in enumerate(macs):
        chance = Random(f"{number}")
        for run in range(120):
            at = -120 + 2 * run + chance.uniform(0, 1.9)
            noise = chance.lognormvariate(0, 0.02)
            if first <= at < last:
                yield disk_run(
                    machine=str(uuid.uuid5(_NAMESPACE, f"{number}")),
                    chip=mac.chip,
                    encryption="filevault",
                    write=3e9 * mac.speed(at) * noise,
                    read=3.6e9 * chance.lognormvariate(0, 0.02),
                    started_at=(TODAY + timedelta(days=at)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                    environment={"os_version": mac.system(at)},
                    agent={"version": mac.agent(at), "platform": "macos-arm64"},
                )


class Watched:
    """A fleet, its uploads, and its alerts as a reader sees them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.fleet_id = make_fleet(server.database_url, f"fleet {uuid.uuid4()}")
        self.secret = uploader_of(server.database_url, self.fleet_id)

    async def send(self, documents_sent: list[Document], day: int = 0) -> list[Any]:
        await upload(self.server.client, self.secret, documents_sent)
        return await self.at(day)

    async def at(self, day: int) -> list[Any]:
        """Alerts as of that day."""
        async with Kept(self.server.database_url) as refreshed:
            await refreshed.up_to(TODAY + timedelta(days=day))
        return await self.alerts()

    async def alerts(self, **parameters: str) -> list[Any]:
        headers = {"Authorization": f"Bearer {self.secret}"}
        path = "/api/v1/alerts"
        response = await self.server.client.get(path, headers=headers, params=parameters)
        assert response.status_code == 200, response.text
        return [alert for alert in response.json()["items"] if alert["kind"] == "regression"]


def days_from(at: str, day: float) -> float:
    return abs((datetime.fromisoformat(at) - TODAY) / timedelta(days=1) - day)


@pytest.mark.parametrize("order", some(["in parts", "newest first", "shuffled", "as measured"], 2))
async def test_a_new_agent_alone_is_named_and_dated_in_any_order(
    server: Server, order: str
) -> None:
    mac = Mac(step(-20, 1.0, 0.9), agent=step(-20, "1.0", "1.1"))
    fleet, runs = Watched(server), [*documents([mac] * MACS, -62, 0)]
    runs.sort(key=lambda document: document["started_at"], reverse=order == "newest first")
    if order == "shuffled":
        Random(1).shuffle(runs)
    if order == "in parts":
        for part in (0, 1):
            await fleet.send(runs[part::3])
        runs = runs[2::3]
    (alert,) = await fleet.send(runs)
    (effect,) = alert["detail"]["effects"]
    assert effect["version"] is None
    assert days_from(effect["at"], -20) <= 3
    day = effect["at"][:10]
    assert alert["title"] == f"20 Macs slower since about {day}, common to the fleet"
    assert alert["cause"] == f"at once {day}"
    assert (effect["agent_version"], alert["detail"]["agent_version"]) == ("1.1", "1.1")
    assert "Most of them got version 1.1 of the agent in the same days" in alert["lines"]


async def test_an_agent_that_came_with_an_update_is_named(server: Server) -> None:
    macs = [
        Mac(step(day, 1.0, 0.9), step(day, "26.3", "26.4"), step(day, "1.0", "1.1"))
        for day in (-25 + n for n in range(MACS))
    ]
    (alert,) = await Watched(server).send([*documents(macs, -62, 0)])
    assert alert["cause"] == "update 26.4"
    assert alert["detail"]["agent_version"] == "1.1"
    assert days_from(alert["detail"]["effects"][0]["at"], -25) <= 3


@pytest.mark.thorough
async def test_an_agent_that_is_rolled_out_slowly_is_named(server: Server) -> None:
    macs = [
        Mac(step(day, 1.0, 0.88), agent=step(day, "1.0", "1.1"))
        for day in (-24 + n / 2 for n in range(MACS))
    ]
    (alert,) = await Watched(server).send([*documents(macs, -70, 0)])
    assert alert["detail"]["agent_version"] == "1.1"


@pytest.mark.thorough
@pytest.mark.parametrize("day", some([-45, None]))
async def test_an_agent_that_came_at_another_time_is_not_named(
    server: Server, day: int | None
) -> None:
    agent = step(day, "1.0", "1.1") if day is not None else lambda at: "1.0"
    mac = Mac(step(-20, 1.0, 0.9), agent=agent)
    (alert,) = await Watched(server).send([*documents([mac] * MACS, -62, 0)])
    assert "agent_version" not in alert["detail"]
    assert not any("agent" in line for line in alert["lines"])


@pytest.mark.thorough
async def test_a_change_of_one_kind_is_not_common_to_the_fleet(server: Server) -> None:
    macs = [Mac(step(-15, 1.0, 0.9))] * 12 + [Mac(chip="Apple M4")] * 12
    (alert,) = await Watched(server).send([*documents(macs, -62, 0)])
    day = alert["detail"]["effects"][0]["at"][:10]
    assert alert["title"] == f"12 Macs slower since about {day}, updated or not"
    assert not alert["detail"]["effects"][0]["common"]


@pytest.mark.thorough
async def test_slow_first_runs_raise_no_alert(server: Server) -> None:
    updates = [-20 + n / 2 for n in range(MACS)]
    macs = [
        Mac(until(day + 2.5, step(day, 1.0, 0.9)), step(day, "26.3", "26.4")) for day in updates
    ]
    fleet = Watched(server)
    for day in range(-62, 0, 4):
        assert not await fleet.send([*documents(macs, day, day + 4)], day + 4)


@pytest.mark.thorough
async def test_figures_are_renewed_and_an_alert_whose_change_is_gone_has_passed(
    server: Server,
) -> None:
    fleet, mended = Watched(server), 5
    macs = []
    for day in (-25 + n for n in range(MACS)):
        slower = step(mended, 0.9, 0.94)
        speed = until(mended + 14, after(day, slower))
        macs.append(Mac(speed, step(day, "26.3", "26.4")))
    (opened,) = await fleet.send([*documents(macs, -62, 0)])
    assert opened["detail"]["effects"][0]["ratio"] == pytest.approx(0.9, abs=0.012)
    (alert,) = await fleet.send([*documents(macs, 0, mended + 12)], mended + 12)
    assert alert["state"] == "open"
    assert alert["id"] == opened["id"]
    assert alert["opened_at"] == opened["opened_at"]
    assert alert["detail"]["effects"][0]["ratio"] == pytest.approx(0.94, abs=0.012)
    (alert,) = await fleet.send([*documents(macs, mended + 12, mended + 34)], mended + 34)
    assert (alert["state"], alert["id"]) == ("passed", opened["id"])
    passed_on = (TODAY + timedelta(days=mended + 34)).date().isoformat()
    assert alert["lines"][0] == f"Passed on {passed_on}: as fast as before"
    assert [alert["id"] for alert in await fleet.alerts(state="passed")] == [alert["id"]]
    assert not await fleet.alerts(state="over")
    feed = await server.client.get(
        "/api/v1/alerts.atom", headers={"Authorization": f"Bearer {fleet.secret}"}
    )
    assert "State: passed" in feed.text
    assert passed_on in feed.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("chip", "speed", "state"),
    some([("M1", 0.9, "open"), ("M9", 1.0, "open"), ("M1", 1.0, "passed")]),
)
async def test_alerts_of_an_older_version_are_renewed(
    server: Server, chip: str, speed: float, state: str
) -> None:
    """They lack newer fields, and their dates are the Macs' first runs."""
    macs, fleet = [Mac(step(-10, 1.0, speed))] * MACS, Watched(server)
    await upload(server.client, fleet.secret, [*documents(macs, -90, 0)])
    where = [f"chip:Apple {chip}", "virtual:false", "storage:internal", "encryption:filevault"]
    first_run = (TODAY - timedelta(days=90)).isoformat()
    effect = {
        "metric": "disk.write_average",
        "title": "Write speed",
        "better": "higher",
        "cohort": {"chip": f"Apple {chip}"},
        "where": where,
        "matters": True,
        "ratio": 0.86,
        "low": 0.85,
        "high": 0.87,
        "machines": 20,
        "of": 20,
        "moved": 20,
        "machine_ids": [],
        "version": None,
        "at": first_run,
        "stayed": None,
        "worse": True,
    }
    detail = {"effects": [effect], "machine_ids": [], "machines": 20}
    with transaction(server.database_url) as connection:
        times = {"opened_at": TODAY - timedelta(days=2), "seen_at": TODAY}
        row = {"kind": "regression", "cause": "at once 2026-01-01", "detail": detail, **times}
        new = insert(Alert).values(alert_id=uuid.uuid4(), fleet_id=fleet.fleet_id, **row)
        connection.execute(new)
    (before,) = await fleet.alerts()
    assert (before["state"], before["detail"]["effects"][0]["at"]) == ("open", first_run)
    (alert,) = await fleet.at(0)
    assert (alert["id"], alert["state"]) == (before["id"], state)
    if speed < 1:
        (renewed,) = alert["detail"]["effects"]
        assert renewed["ratio"] == pytest.approx(speed, abs=0.012)
        assert days_from(renewed["at"], -10) <= 3
        assert alert["cause"] == f"at once {renewed['at'][:10]}"
