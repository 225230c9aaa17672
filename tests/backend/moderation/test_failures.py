"""Failures of single items, as the server's administrators see them."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from macmeter.models import AlertDelivery, AlertWebhook, Failure
from sqlalchemy import insert
from support import people
from support.databases import transaction
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

NOW = datetime.now(UTC).replace(microsecond=0)


async def test_admins_see_each_item_with_its_reason_and_the_metrics_count_them(
    server: Server,
) -> None:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    alert_id, hook = people.make_alert(url, fleet_id), uuid.uuid4()
    failed = {"work": "alerts", "item": str(fleet_id), "reason": "KeyError: 'x'", "attempts": 3}
    times = {"first_at": NOW, "last_at": NOW, "retry_at": NOW + timedelta(minutes=4)}
    run, compared, deleted = disk_run(), disk_run(), str(uuid.uuid4())
    key = f"{compared['machine']['id']}/{compared['id']}"
    delivery = {"alert_id": alert_id, "webhook_id": hook, "problem": "The answer was status 500"}
    with transaction(url) as connection:
        connection.execute(insert(Failure).values(**failed, **times))
        for work, item in (("outliers", key), ("retention", deleted), ("documents", run["id"])):
            row = {"work": work, "item": item, "reason": "broken", "attempts": 1}
            connection.execute(insert(Failure).values(**row, **times))
        row = {"webhook_id": hook, "fleet_id": fleet_id, "url": "http://x.example", "secret": "s"}
        connection.execute(insert(AlertWebhook).values(**row))
        for tries, minutes in ((2, 30), (1, 5)):
            due_at = NOW + timedelta(minutes=minutes)
            values = {"delivery_id": uuid.uuid4(), "tries": tries, "due_at": due_at, **delivery}
            connection.execute(insert(AlertDelivery).values(**values))

    root = await people.sign_in(url, people.make_person(url, "Root", server_admin=True))
    failures = (await server.client.get("/api/v1/failures", headers=root)).json()["items"]
    members = ("of", "item", "name", "reason", "attempts")
    by_work = {failure["work"]: tuple(failure[name] for name in members) for failure in failures}
    assert by_work == {
        "alerts": ("fleet", str(fleet_id), "acme", "KeyError: 'x'", 3),
        "documents": ("run", run["id"], None, "broken", 1),
        "outliers": ("run", compared["id"], None, "broken", 1),
        "retention": ("fleet", deleted, None, "broken", 1),
        "webhook": ("fleet", str(fleet_id), "acme", "The answer was status 500", 2),
    }
    retried = {failure["work"]: failure["retry_at"] for failure in failures}
    assert retried["documents"] is None, "it is read when somebody asks for it"
    assert datetime.fromisoformat(retried["webhook"]) == NOW + timedelta(minutes=5)
    metrics = (await server.client.get("/metrics")).text
    for work, count in (("alerts", 1), ("documents", 1), ("webhook", 2), ("mail", 0)):
        assert f'macmeter_failing_items{{work="{work}"}} {count}\n' in metrics


async def test_it_says_how_many_there_are_beyond_what_it_shows(server: Server) -> None:
    url = server.database_url
    alert_id = people.make_alert(url, fleet_id := people.make_fleet(url, "acme"))
    times = {"first_at": NOW, "last_at": NOW, "retry_at": NOW}
    hook = {"webhook_id": uuid.uuid4(), "fleet_id": fleet_id, "url": "http://x", "secret": "s"}
    delivery = {"alert_id": alert_id, "webhook_id": hook["webhook_id"], "due_at": NOW, "tries": 1}
    with transaction(url) as connection:
        connection.execute(insert(AlertWebhook).values(**hook))
        newer = {"work": "of a newer version", "item": "x", "reason": "x", "attempts": 1}
        connection.execute(insert(Failure).values(**newer, **times))
        for number in range(203):
            failure = {"work": "documents", "item": str(uuid.uuid4()), "reason": "x", "attempts": 1}
            connection.execute(insert(Failure).values(**failure, **times))
            delivery_row = {"delivery_id": uuid.uuid4(), "problem": f"status {number}", **delivery}
            connection.execute(insert(AlertDelivery).values(**delivery_row))
    root = await people.sign_in(url, people.make_person(url, "Root", server_admin=True))
    failures = (await server.client.get("/api/v1/failures", headers=root)).json()
    assert (len(failures["items"]), failures["total"]) == (400, 406)
