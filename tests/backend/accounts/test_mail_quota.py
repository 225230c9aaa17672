"""Limits of invitations and mail: by sender, network, recipient and server."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.message import Message
from typing import Any

import httpx
import pytest
from macmeter.accounts.quota import address_block, mailbox, spend_mail
from macmeter.platform.database import engine
from macmeter.platform.settings import Settings
from support import people
from support.post_office import post_office
from support.server import Server, serving

INVITATIONS = "/api/v1/invitations"
TOO_MANY = 12


@asynccontextmanager
async def mailing(url: str, **settings: Any) -> AsyncIterator[tuple[Server, list[Message]]]:
    """A server that sends mail, and the mail it has sent."""
    with post_office() as office:
        async with serving(url, **office.settings, **settings) as server:
            yield server, office.letters


async def admin(url: str) -> dict[str, str]:
    fleet = people.make_fleet(url, f"fleet-{uuid.uuid4().hex[:6]}")
    ada = people.make_person(url, f"Ada {fleet}", roles={fleet: "admin"})
    return await people.sign_in(url, ada) | {"X-Fleet": str(fleet)}


async def invite(
    server: Server, by: dict[str, str], email: str | None, address: str = "192.0.2.1"
) -> httpx.Response:
    body = {"fleet": by["X-Fleet"], "role": "viewer", "email": email}
    headers = by | {"X-Forwarded-For": address}
    return await server.client.post(INVITATIONS, json=body, headers=headers)


async def test_one_sender_invites_so_many_however_they_race(database_url: str) -> None:
    limits = {"quota_invitations": 5, "proxies": 1}
    async with (
        mailing(database_url, **limits) as (first, letters),
        mailing(database_url, **limits) as (other, more),
    ):
        ada, bob = await admin(database_url), await admin(database_url)
        answers = await asyncio.gather(
            *(invite((first, other)[n % 2], ada, f"{n}@example.org") for n in range(TOO_MANY))
        )
        assert Counter(answer.status_code for answer in answers) == {201: 5, 429: TOO_MANY - 5}
        assert len(letters) + len(more) == 5
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert 0 < int(refused.headers["retry-after"]) <= 3601
        detail = refused.json()["detail"]
        assert "Invitations are limited to 5 per person and hour. Try again in" in detail
        # Invitations without mail count as well, and a refusal leaves no link.
        assert (await invite(first, ada, None)).status_code == 429
        listed = await first.client.get(INVITATIONS, headers=ada)
        assert len(listed.json()["items"]) == 5
        assert (await invite(first, bob, "bob@example.org")).status_code == 201


async def test_one_recipient_is_mailed_so_often_by_whomever(database_url: str) -> None:
    async with mailing(database_url, quota_mails_recipient=2, proxies=1) as (server, letters):
        senders = [await admin(database_url) for _ in range(4)]
        forms = ("vera@example.org", "Vera+1@example.org", "vera+2@EXAMPLE.org", "VERA@example.org")
        answers = [
            await invite(server, by, email, f"192.0.{n}.1")
            for n, (by, email) in enumerate(zip(senders, forms, strict=True))
        ]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
        assert "at most 2 mails per hour to this address. Try again in" in answers[2].text
        assert len(letters) == 2
        # Without mail there is a link to pass on.
        assert (await invite(server, senders[2], None)).status_code == 201
        assert (await invite(server, senders[2], "veronica@example.org")).status_code == 201


async def test_a_network_and_the_server_mail_so_often(database_url: str) -> None:
    limits = {"quota_mails_block": 3, "quota_mails": 5, "proxies": 1}
    async with mailing(database_url, **limits) as (server, letters):
        statuses = []
        for n, address in enumerate(
            (
                *("192.0.2.1", "192.0.2.77", "192.0.2.200", "192.0.2.1"),
                *("2001:db8:7::1", "2001:db8:7:1::1", "198.51.100.1"),
            )
        ):
            by = await admin(database_url)
            statuses.append((await invite(server, by, f"{n}@example.org", address)).status_code)
        # The fourth comes from the same network block as the first three; the last exceeds the
        # server's limit.
        assert statuses == [201, 201, 201, 429, 201, 201, 429]
        assert len(letters) == 5


async def test_what_one_limit_refuses_uses_up_no_other(database_url: str) -> None:
    limits = Settings(quota_mails_block=2, quota_mails_recipient=9, quota_mails=3)
    now = datetime.now(UTC)
    writing = engine(database_url)
    for address, is_refused in (
        *(("192.0.2.1", False), ("192.0.2.2", False), ("192.0.2.3", True), ("192.0.2.4", True)),
        ("198.51.100.1", False),
        ("203.0.113.1", True),
    ):
        async with writing.begin() as connection:
            refusal = await spend_mail(connection, limits, address, "a@example.org", now)
        assert (refusal is not None) is is_refused, address
    await writing.dispose()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.255", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),
        ("2001:db8:1::1", "2001:db8:1:ffff::1", True),
        ("2001:db8:1::1", "2001:db8:2::1", False),
        ("", "a socket file", True),
    ],
)
def test_neighbours_share_a_block(one: str, other: str, same: bool) -> None:
    assert (address_block(one) == address_block(other)) is same


def test_a_mailbox_has_many_addresses() -> None:
    assert mailbox("Ada+news@Example.org") == mailbox("ada@example.org") == b"ada@example.org"
    assert mailbox("ada@example.com") != mailbox("ada@example.org")


async def test_a_letter_has_no_more_of_the_sender_than_plain_names(database_url: str) -> None:
    async with mailing(database_url) as (server, letters):
        url = database_url
        name = "Win at https://evil.example/x?y=1\u202e now! www.evil.example " + "!" * 20
        fleet = people.make_fleet(url, "free-money.example <b>")
        eve = people.make_person(url, name, roles={fleet: "admin"})
        by = await people.sign_in(url, eve) | {"X-Fleet": str(fleet)}
        assert (await invite(server, by, "vera@example.org")).status_code == 201
        (letter,) = letters
        text = letter.get_payload(decode=True).decode() + str(letter["Subject"])  # type: ignore[union-attr]
        for word in ("evil.example", "https://evil", "www.evil", "<b>", "money.example", "\u202e"):
            assert word not in text, word
        assert "invites you to the fleet free-money. example b" in text
