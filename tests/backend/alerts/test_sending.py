"""Alerts on their way: by webhook, by mail at once or once a day, and as a feed."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from aiosmtpd.controller import Controller
from macmeter import database
from macmeter.alerts.alert import News
from macmeter.alerts.deliveries import next_digest, queue
from macmeter.alerts.sending import send_due
from macmeter.models import AlertDelivery, Membership, Person
from macmeter.settings import Settings
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from support.listener import Listener, listening
from support.live_server import free_port
from support.people import make_alert, make_fleet, make_person, sign_in, token_of, writing
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

NAME = "northern offices"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Inbox:
    """Takes mails, unless it has to refuse them."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], Any]] = []
        self.refuses = False

    async def handle_DATA(  # noqa: N802 - its own name
        self, server: Any, session: Any, envelope: Any
    ) -> str:
        if self.refuses:
            return "451 Try again later"
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append((envelope.rcpt_tos, mail))
        return "250 OK"


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, int]]:
    found = Inbox()
    port = free_port()
    controller = Controller(found, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield found, port
    finally:
        controller.stop()


@pytest.fixture
def settings(database_url: str, inbox: tuple[Inbox, int]) -> Settings:
    return Settings(
        database_url=database_url,
        smtp_host="127.0.0.1",
        smtp_port=inbox[1],
        smtp_security="none",
        smtp_from="macmeter@example.org",
        public_url="https://macs.example.org",
        webhooks_private=True,
    )


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = database.engine(database_url, pool_size=3)
    yield made
    await made.dispose()


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Server]:
    """One that sends into this machine, as the listener is here."""
    async with serving(database_url, webhooks_private=True) as made:
        yield made


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as made:
        yield made


class World:
    """A fleet with an alert, and an admin who wants to hear of it."""

    def __init__(self, server: Server, engine: AsyncEngine) -> None:
        self.server, self.engine = server, engine
        url = server.database_url
        self.fleet_id = make_fleet(url, NAME)
        self.ada = make_person(url, "Ada", roles={self.fleet_id: "admin"})
        self.alert_id = make_alert(url, self.fleet_id)
        with writing(url) as connection:
            own = Person.person_id == self.ada
            connection.execute(update(Person).where(own).values(email="ada@example.org"))

    async def asks(self, method: str, path: str, body: Any = None) -> Any:
        headers = await sign_in(self.server.database_url, self.ada)
        path = f"/api/v1/fleets/{NAME}/{path}"
        response = await self.server.client.request(method, path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.json() if response.content else None

    async def news(self, now: datetime = NOW) -> None:
        async with self.engine.begin() as connection:
            await queue(connection, self.fleet_id, [News(self.alert_id, "silent")], now)

    def deliveries(self) -> list[Any]:
        with writing(self.server.database_url) as connection:
            return list(connection.execute(select(AlertDelivery)))


@pytest.fixture
async def world(server: Server, engine: AsyncEngine) -> World:
    return World(server, engine)


async def test_a_webhook_is_told_once(world: World, settings: Settings, listener: Listener) -> None:
    made = await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    assert await send_due(world.engine, settings, NOW) == 1
    assert await send_due(world.engine, settings, NOW + timedelta(days=2)) == 0
    ((headers, body),) = listener.taken
    assert headers["macmeter-signature"].startswith("t=")
    told = json.loads(body)
    assert told["text"].splitlines() == [
        f"{NAME}: 1 Mac silent",
        "https://macs.example.org/fleets/northern%20offices",
    ]
    assert told["macmeter"]["alert"] == str(world.alert_id)
    assert "machine_ids" not in body.decode()
    (shown,) = (await world.asks("GET", "webhooks"))["items"]
    assert (shown["id"], shown["problem"]) == (made["id"], None)
    assert shown["last_sent_at"]
    assert "secret" not in shown


async def test_what_does_not_arrive_is_tried_later_and_later_and_given_up(
    world: World, settings: Settings, listener: Listener
) -> None:
    await world.asks("POST", "webhooks", {"url": listener.url})
    listener.statuses = [500] * 20
    await world.news()
    now, waited = NOW, []
    for _ in range(7):
        assert await send_due(world.engine, settings, now) == 1
        (delivery,) = world.deliveries()
        assert delivery.problem == "The answer was status 500"
        if delivery.due_at is None:
            break
        assert await send_due(world.engine, settings, delivery.due_at - timedelta(seconds=1)) == 0
        waited.append(delivery.due_at - now)
        now = delivery.due_at
    assert waited == sorted(waited)
    assert len(waited) == 6
    assert len(listener.taken) == 7
    (shown,) = (await world.asks("GET", "webhooks"))["items"]
    assert shown["problem"] == "The answer was status 500"


async def test_a_webhook_added_while_private_addresses_were_allowed_is_sent_nothing_later(
    world: World, settings: Settings, listener: Listener
) -> None:
    await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    await send_due(world.engine, settings.model_copy(update={"webhooks_private": False}), NOW)
    assert "private network" in world.deliveries()[0].problem
    assert not listener.taken


async def test_a_deleted_webhook_hears_nothing(
    world: World, settings: Settings, listener: Listener
) -> None:
    made = await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    await world.asks("DELETE", f"webhooks/{made['id']}")
    assert await send_due(world.engine, settings, NOW) == 0
    assert not listener.taken


async def test_mail_at_once(world: World, settings: Settings, inbox: tuple[Inbox, int]) -> None:
    assert await world.asks("GET", "alert-mail") == {"how": "off", "email": "ada@example.org"}
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.news()
    await send_due(world.engine, settings, NOW)
    ((to, mail),) = inbox[0].mails
    assert to == ["ada@example.org"]
    assert mail["Subject"] == f"{NAME}: 1 Mac silent"
    assert "https://macs.example.org/fleets/northern%20offices" in mail.get_content()


async def test_a_digest_is_one_mail_a_day(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    await world.asks("PUT", "alert-mail", {"how": "digest"})
    await world.news()
    await world.news(NOW + timedelta(hours=1))
    assert await send_due(world.engine, settings, NOW + timedelta(hours=2)) == 0
    assert await send_due(world.engine, settings, next_digest(NOW)) == 2
    ((_, mail),) = inbox[0].mails
    assert mail["Subject"] == "2 alerts"


async def test_a_mail_server_that_is_down_loses_nothing(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.news()
    inbox[0].refuses = True
    await send_due(world.engine, settings, NOW)
    assert not inbox[0].mails
    (delivery,) = world.deliveries()
    assert "did not take the mail" in delivery.problem
    inbox[0].refuses = False
    await send_due(world.engine, settings, delivery.due_at)
    assert len(inbox[0].mails) == 1


async def test_who_left_the_fleet_is_told_nothing_more(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.news()
    with writing(world.server.database_url) as connection:
        connection.execute(delete(Membership).where(Membership.person_id == world.ada))
    await send_due(world.engine, settings, NOW)
    assert not inbox[0].mails


async def test_without_an_address_there_is_no_mail_to_ask_for(world: World) -> None:
    with writing(world.server.database_url) as connection:
        connection.execute(update(Person).values(email=None))
    headers = await sign_in(world.server.database_url, world.ada)
    path = f"/api/v1/fleets/{NAME}/alert-mail"
    asked = await world.server.client.put(path, json={"how": "digest"}, headers=headers)
    assert (asked.status_code, asked.json()["code"]) == (409, "no_email")


async def test_alerts_are_a_feed_for_members_alone(world: World) -> None:
    client, url = world.server.client, world.server.database_url
    token = token_of(url, world.ada, "read")
    feed = await client.get("/api/v1/alerts.atom", headers=token)
    assert feed.headers["content-type"].startswith("application/atom+xml")
    atom = "{http://www.w3.org/2005/Atom}"
    (entry,) = ET.fromstring(feed.content).findall(f"{atom}entry")  # noqa: S314 - our own
    assert entry.findtext(f"{atom}title") == f"{NAME}: 1 Mac silent"
    stranger = token_of(url, make_person(url, "Otto"), "read")
    for headers in ({}, stranger):
        other = await client.get("/api/v1/alerts.atom", headers=headers)
        assert NAME.encode() not in other.content
        assert str(uuid.UUID(str(world.alert_id))).encode() not in other.content
