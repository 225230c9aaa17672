"""Delivery of alerts: by webhook, by mail at once or once a day, and as a feed.

Longer than our other files: every way out is tested with the same fleet, webhook and mail server.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from aiosmtpd.controller import Controller
from macmeter.alerts.alert import News
from macmeter.alerts.deliveries import next_digest, queue
from macmeter.alerts.sending import Sender
from macmeter.alerts.words import page_of
from macmeter.models import (
    Alert,
    AlertDelivery,
    AlertMail,
    AlertWebhook,
    Fleet,
    Machine,
    Membership,
    Person,
)
from macmeter.platform import database
from macmeter.platform.settings import Settings
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from support.contract import of_api
from support.listener import Listener, listening
from support.live_server import free_port
from support.people import make_alert, make_fleet, make_person, sign_in, token_of, writing
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

NAME = "northern offices"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def send_due(writing: AsyncEngine, settings: Settings, now: datetime) -> int:
    """Send what is due now; return the number of attempted deliveries."""
    sender = Sender(writing, settings)
    tried = await sender.begin(now)
    await sender.end()
    return tried


class Inbox:
    """Mail handler that accepts everything, unless it has to refuse it."""

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
    mailbox = Inbox()
    port = free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield mailbox, port
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
    new_engine = database.engine(database_url, pool_size=3)
    yield new_engine
    await new_engine.dispose()


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Server]:
    """A server that may send to this machine, where the listener is."""
    async with serving(database_url, webhooks_private=True) as new_server:
        yield new_server


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as new_listener:
        yield new_listener


class World:
    """A fleet with an alert, and an admin to notify."""

    def __init__(self, server: Server, engine: AsyncEngine) -> None:
        self.server, self.engine = server, engine
        url = server.database_url
        self.fleet_id = make_fleet(url, NAME)
        self.ada = make_person(url, "Ada", roles={self.fleet_id: "admin"})
        self.alert_id = make_alert(url, self.fleet_id)
        with writing(url) as connection:
            is_ada = Person.person_id == self.ada
            connection.execute(update(Person).where(is_ada).values(email="ada@example.org"))

    async def asks(self, method: str, path: str, body: Any = None) -> Any:
        headers = await sign_in(self.server.database_url, self.ada)
        path = f"/api/v1/fleets/{NAME}/{path}"
        response = await self.server.client.request(method, path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.json() if response.content else None

    async def news(self, now: datetime = NOW) -> None:
        async with self.engine.begin() as connection:
            await queue(connection, self.fleet_id, [News(self.alert_id, "silent")], now)

    def name_macs(self, name: str) -> None:
        """Give a name to the Macs that the alert is about."""
        with writing(self.server.database_url) as connection:
            (detail,) = connection.scalars(select(Alert.detail))
            rows = [
                {"machine_id": machine_id, "fleet_id": self.fleet_id, "name": name}
                for machine_id in detail["machine_ids"]
            ]
            connection.execute(insert(Machine), rows)

    def mails_to(self, email: str) -> None:
        """Add a member with this email address, unchecked."""
        url = self.server.database_url
        person_id = make_person(url, email, roles={self.fleet_id: "viewer"})
        with writing(url) as connection:
            is_person = Person.person_id == person_id
            connection.execute(update(Person).where(is_person).values(email=email))
            fields = {"fleet_id": self.fleet_id, "person_id": person_id, "how": "at_once"}
            connection.execute(insert(AlertMail).values(**fields))

    def calls(self, url: str) -> None:
        """Add a webhook with this address, unchecked."""
        with writing(self.server.database_url) as connection:
            fields = {"webhook_id": uuid.uuid4(), "fleet_id": self.fleet_id, "secret": "s"}
            connection.execute(insert(AlertWebhook).values(url=url, **fields))

    def deliveries(self) -> list[Any]:
        with writing(self.server.database_url) as connection:
            return list(connection.execute(select(AlertDelivery)))


@pytest.fixture
async def world(server: Server, engine: AsyncEngine) -> World:
    return World(server, engine)


async def test_a_webhook_is_told_once(world: World, settings: Settings, listener: Listener) -> None:
    webhook = await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    assert await send_due(world.engine, settings, NOW) == 1
    assert await send_due(world.engine, settings, NOW + timedelta(days=2)) == 0
    ((headers, body),) = listener.taken
    assert headers["macmeter-signature"].startswith("t=")
    content = json.loads(body)
    assert content["text"].splitlines() == [
        f"{NAME}: 1 Mac silent",
        f"https://macs.example.org/fleets/northern%20offices#alert-{world.alert_id}",
    ]
    assert content["macmeter"]["alert"] == str(world.alert_id)
    assert "machine_ids" not in body.decode()
    (webhook_shown,) = (await world.asks("GET", "webhooks"))["items"]
    assert (webhook_shown["id"], webhook_shown["problem"]) == (webhook["id"], None)
    assert webhook_shown["last_sent_at"]
    assert "secret" not in webhook_shown


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
    (webhook,) = (await world.asks("GET", "webhooks"))["items"]
    assert webhook["problem"] == "The answer was status 500"


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
    webhook = await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    await world.asks("DELETE", f"webhooks/{webhook['id']}")
    assert await send_due(world.engine, settings, NOW) == 0
    assert not listener.taken


async def test_mail_at_once(world: World, settings: Settings, inbox: tuple[Inbox, int]) -> None:
    off = {"how": "off", "where": "", "email": "ada@example.org"}
    assert await world.asks("GET", "alert-mail") == off
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.news()
    world.name_macs("kiosk.example")
    await send_due(world.engine, settings, NOW)
    ((to, mail),) = inbox[0].mails
    assert to == ["ada@example.org"]
    # Whoever named it may have meant to make a link.
    assert "Among them: kiosk. example" in mail.get_content()
    assert mail["Subject"] == f"{NAME}: 1 Mac silent"
    assert "https://macs.example.org/fleets/northern%20offices" in mail.get_content()


async def test_recipients_hear_that_an_alert_is_over(
    world: World, settings: Settings, inbox: tuple[Inbox, int], listener: Listener
) -> None:
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.asks("POST", "webhooks", {"url": listener.url})
    await world.news()
    # News of what still waits is the same message.
    await world.news()
    assert await send_due(world.engine, settings, NOW) == 2
    with writing(world.server.database_url) as connection:
        connection.execute(update(Alert).values(closed_at=NOW))
    await world.news()
    assert await send_due(world.engine, settings, NOW) == 2
    subjects = [mail["Subject"] for _, mail in inbox[0].mails]
    assert subjects == [f"{NAME}: 1 Mac silent", f"{NAME}: Recovered: 1 Mac silent"]
    first, last = (json.loads(body)["macmeter"] for _, body in listener.taken)
    assert (first["closed_at"], last["closed_at"]) == (None, NOW.isoformat())
    assert (first["macs"], first["effects"]) == (1, [])


async def test_a_team_gets_alerts_once_it_has_confirmed_its_address(
    database_url: str, engine: AsyncEngine, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    mails = settings.model_dump(include={"smtp_host", "smtp_port", "smtp_security", "smtp_from"})
    async with serving(database_url, **mails) as server:
        server.client.event_hooks = {"response": [of_api().hook_of_successes]}
        world = World(server, engine)
        added = await world.asks("POST", "alert-addresses", {"email": "it@example.org"})
        assert added["mail_problem"] is None
        await world.news()
        assert await send_due(engine, settings, NOW) == 0
        ((to, letter),) = inbox[0].mails
        assert (to, "Ada wants to send" in letter.get_content()) == (["it@example.org"], True)
        secret = {"secret": letter.get_content().partition("#")[2].split()[0]}
        path = "/api/v1/alert-addresses/confirmation"
        confirmed = await server.client.post(path, json=secret)
        assert confirmed.json() == {"fleet": NAME, "email": "it@example.org"}
        await world.news()
        assert await send_due(engine, settings, NOW) == 1
        to, mail = inbox[0].mails[-1]
        assert (to, mail["Subject"]) == (["it@example.org"], f"{NAME}: 1 Mac silent")
        assert "An admin of the fleet" in mail.get_content()
        await world.asks("DELETE", f"alert-addresses/{added['id']}")
        await world.news()
        assert await send_due(engine, settings, NOW) == 0
        assert (await server.client.post(path, json=secret)).status_code == 404


async def test_the_owner_of_an_alert_gets_a_mail_when_it_is_given_to_them(
    database_url: str, engine: AsyncEngine, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    mails = settings.model_dump(include={"smtp_host", "smtp_port", "smtp_security", "smtp_from"})
    async with serving(database_url, **mails) as server:
        world = World(server, engine)
        ada = await sign_in(database_url, world.ada)
        bob = make_person(database_url, "Bob", roles={world.fleet_id: "viewer"})
        no_mail = make_person(database_url, "Eve", roles={world.fleet_id: "viewer"})
        with writing(database_url) as connection:
            connection.execute(
                update(Person).where(Person.person_id == bob).values(email="bob@example.org")
            )
        path = f"/api/v1/alerts/{world.alert_id}/owner"
        # To somebody without an address, to nobody, and to oneself: these know, or can't.
        for person_id, count in ((no_mail, 0), (None, 0), (world.ada, 0), (bob, 1)):
            if person_id is None:
                response = await server.client.delete(path, headers=ada)
            else:
                body = {"person_id": str(person_id)}
                response = await server.client.put(path, json=body, headers=ada)
            assert response.status_code == 204, response.text
            assert await send_due(engine, settings, datetime.now(UTC)) == count
        ((to, mail),) = inbox[0].mails
        assert (to, mail["Subject"]) == (["bob@example.org"], f"{NAME}: 1 Mac silent")
        text = mail.get_content()
        assert "Ada made you its owner" in text
        assert f"https://macs.example.org/fleets/northern%20offices#alert-{world.alert_id}" in text
        assert "You asked for" not in text, "they didn't"


async def test_a_digest_is_one_mail_a_day(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    await world.asks("PUT", "alert-mail", {"how": "digest"})
    await world.news()
    url = world.server.database_url
    other = make_alert(url, make_fleet(url, "southern"))
    with writing(url) as connection:
        moved = update(Alert).where(Alert.alert_id == other)
        connection.execute(moved.values(fleet_id=world.fleet_id, cause="another"))
    async with world.engine.begin() as connection:
        news = [News(other, "silent"), News(world.alert_id, "silent")]
        await queue(connection, world.fleet_id, news, NOW + timedelta(hours=1))
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
    response = await world.server.client.put(path, json={"how": "digest"}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (409, "no_email")


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


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?x=0ay?=@example.org",
        "=?utf-8?q??=@b",
        "x@a..b",
        "x@" + "l" * 64 + ".org",
        "x\nBcc: y@example.org",
        "no address",
        "a@example.org, b@example.org",
    ],
)
async def test_an_address_that_no_mail_can_be_sent_to_keeps_nobody_else_from_theirs(
    world: World, settings: Settings, inbox: tuple[Inbox, int], address: str
) -> None:
    for email in ("ben@example.org", address, "cleo@example.org"):
        world.mails_to(email)
    await world.news()
    for minutes in range(0, 60, 10):
        await send_due(world.engine, settings, NOW + timedelta(minutes=minutes))
    assert sorted(to for to, _ in inbox[0].mails) == [["ben@example.org"], ["cleo@example.org"]]
    assert [delivery.problem is not None for delivery in world.deliveries()].count(True) == 1


@pytest.mark.parametrize(
    "url", ["http://a..b/x", f"http://{'l' * 64}.org/", "http://.org/", "no address", "http://[::/"]
)
async def test_a_webhook_that_can_not_be_called_keeps_no_other_from_being(
    world: World, settings: Settings, listener: Listener, url: str
) -> None:
    for address in (listener.url, url, listener.url):
        world.calls(address)
    await world.news()
    for minutes in range(0, 60, 10):
        await send_due(world.engine, settings, NOW + timedelta(minutes=minutes))
    assert len(listener.taken) == 2
    (failed,) = (delivery for delivery in world.deliveries() if delivery.sent_at is None)
    assert failed.problem
    assert failed.due_at > NOW + timedelta(hours=1), "it is tried later and later"


async def test_an_alert_without_words_keeps_no_other_from_being_told(
    world: World, settings: Settings, listener: Listener, inbox: tuple[Inbox, int]
) -> None:
    """An alert may have been stored by a version that knew other kinds."""
    world.calls(listener.url)
    world.mails_to("ben@example.org")
    odd = make_alert(world.server.database_url, make_fleet(world.server.database_url, "southern"))
    with writing(world.server.database_url) as connection:
        values = {"kind": "eclipse", "detail": {"effects": None}, "fleet_id": world.fleet_id}
        connection.execute(update(Alert).where(Alert.alert_id == odd).values(**values))
    async with world.engine.begin() as connection:
        news = [News(odd, "eclipse"), News(world.alert_id, "silent")]
        await queue(connection, world.fleet_id, news, NOW)
    for minutes in range(0, 60, 10):
        await send_due(world.engine, settings, NOW + timedelta(minutes=minutes))
    assert len(listener.taken) == 1
    ((_, mail),) = inbox[0].mails
    assert mail["Subject"] == f"{NAME}: 1 Mac silent"


async def test_a_webhook_that_hangs_delays_no_other(
    world: World, settings: Settings, listener: Listener
) -> None:
    with listening() as hanging:
        hanging.statuses = [0] * 20
        for _ in range(10):
            world.calls(hanging.url)
        for _ in range(3):
            await world.news()
        sender = Sender(world.engine, settings)
        await sender.begin(NOW)
        world.calls(listener.url)
        await world.news()
        assert await sender.begin(NOW + timedelta(minutes=1)) == 1, "those that hang are left alone"
        async with asyncio.timeout(60):
            while not listener.taken:
                await asyncio.sleep(0.05)
        hanging.over.set()
        await sender.end()


async def test_what_ends_the_server_each_time_is_given_up(
    world: World, settings: Settings, listener: Listener
) -> None:
    world.calls(listener.url)
    await world.news()
    with writing(world.server.database_url) as connection:
        connection.execute(update(AlertDelivery).values(tries=7))
    assert await send_due(world.engine, settings, NOW) == 0
    (delivery,) = world.deliveries()
    assert (delivery.due_at, listener.taken) == (None, [])
    assert "ended" in delivery.problem


async def test_a_name_adds_no_header_to_a_mail(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    world.mails_to("ben@example.org")
    with writing(world.server.database_url) as connection:
        name = "=?utf-8?q?x=0d=0aBcc:_eve@example.org=0d=0a?="
        is_fleet = Fleet.fleet_id == world.fleet_id
        connection.execute(update(Fleet).where(is_fleet).values(name=name))
    await world.news()
    await send_due(world.engine, settings, NOW)
    ((to, mail),) = inbox[0].mails
    assert to == ["ben@example.org"]
    assert mail["Bcc"] is None
    assert "eve@example. org" in mail["Subject"]


async def test_an_address_is_mailed_so_often_and_the_rest_comes_together(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    """Nobody has confirmed the address, and one mailbox may be several people's."""
    limited = settings.model_copy(update={"quota_alert_mails": 3})
    for email in ("vera@example.net", "Vera+1@example.net", "ben@example.org"):
        world.mails_to(email)
    for minute in range(5):
        await world.news(NOW + timedelta(minutes=minute))
        await send_due(world.engine, limited, NOW + timedelta(minutes=minute))
    counts = Counter(to for (to,), _ in inbox[0].mails)
    assert counts["vera@example.net"] + counts["Vera+1@example.net"] == 3
    assert counts["ben@example.org"] == 3
    # Whoever had none in this hour isn't kept from theirs by others with the same mailbox.
    world.mails_to("vera+2@example.net")
    await world.news(NOW + timedelta(minutes=6))
    await send_due(world.engine, limited, NOW + timedelta(minutes=6))
    assert [to for (to,), _ in inbox[0].mails[6:]] == ["vera+2@example.net"]
    assert {delivery.tries for delivery in world.deliveries() if delivery.sent_at is None} == {0}
    assert {delivery.problem for delivery in world.deliveries()} == {None}
    inbox[0].mails.clear()
    for minutes in (59, 61):
        await send_due(world.engine, limited, NOW + timedelta(minutes=minutes))
    assert Counter(to for (to,), _ in inbox[0].mails) == dict.fromkeys(counts, 1)
    assert all(delivery.sent_at for delivery in world.deliveries())


async def test_nothing_that_people_write_is_a_link_in_a_mail(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    world.mails_to("vera@example.net")
    words = "Win at https://evil.example/x or www.evil.example, evil\uff0eexample, //evil.example"
    with writing(world.server.database_url) as connection:
        connection.execute(update(Fleet).values(name=f"{words} \u202e1"))
        detail = {"name": words, "used": 26.4, "quota": 27}
        connection.execute(update(Alert).values(kind="quota", detail=detail))
    await world.news()
    await send_due(world.engine, settings, NOW)
    ((_, mail),) = inbox[0].mails
    link = page_of(f"{words} \u202e1", settings.public_url)
    text = mail.get_content()
    assert link in text
    for text_shown in (mail["Subject"], text.replace(link, "")):
        assert "26 of 27 Macs" in text_shown
        for part in ("://", "//", "evil.", "\uff0ee", "\u202e"):
            assert part not in text_shown.replace("evil. ", "")


async def test_who_left_one_fleet_hears_of_the_others(
    world: World, settings: Settings, inbox: tuple[Inbox, int]
) -> None:
    """The alert of the fleet that they left comes first."""
    url = world.server.database_url
    other = make_fleet(url, "southern")
    later = make_alert(url, other)
    await world.asks("PUT", "alert-mail", {"how": "at_once"})
    await world.news()
    with writing(url) as connection:
        ada = {"fleet_id": other, "person_id": world.ada}
        connection.execute(insert(Membership).values(role="viewer", **ada))
        connection.execute(insert(AlertMail).values(how="at_once", **ada))
        membership = Membership.fleet_id == world.fleet_id
        connection.execute(delete(Membership).where(membership))
    async with world.engine.begin() as connection:
        await queue(connection, other, [News(later, "silent")], NOW)
    await send_due(world.engine, settings, NOW)
    ((to, mail),) = inbox[0].mails
    assert (to, mail["Subject"]) == (["ada@example.org"], "southern: 1 Mac silent")


async def test_one_person_triggers_so_many_requests_to_webhooks(
    database_url: str, listener: Listener
) -> None:
    """By adding and testing them, in all of their fleets together."""
    async with serving(database_url, webhooks_private=True, quota_webhooks=5) as server:
        fleets = [make_fleet(database_url, name) for name in ("northern", "southern")]
        admins = [
            await sign_in(
                database_url, make_person(database_url, roles=dict.fromkeys(fleets, "admin"))
            )
            for _ in "ab"
        ]

        async def ask(path: str, by: dict[str, str], **more: Any) -> Any:
            return await server.client.post(f"/api/v1/fleets/{path}", headers=by, **more)

        tests, body = [], {"url": listener.url}
        for fleet_id in fleets:
            response = await ask(f"{fleet_id}/webhooks", admins[0], json=body)
            assert response.status_code == 201, response.text
            tests.append(f"{fleet_id}/webhooks/{response.json()['id']}/test")
        statuses = [(await ask(tests[n % 2], admins[0])).status_code for n in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        refused = await ask(f"{fleets[0]}/webhooks", admins[0], json=body)
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 3601
        assert (await ask(tests[0], admins[1])).status_code == 200, "the other admin's own"
        assert len(listener.taken) == 4
