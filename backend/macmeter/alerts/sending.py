"""Sends what is due: webhooks one by one, mails together for each person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.alerts import mailing
from macmeter.alerts.deliveries import Due, forget_old, note_failed, note_sent, take_due
from macmeter.alerts.pages import page_of
from macmeter.alerts.webhooks import WebhookError, post
from macmeter.alerts.words import lines_of, title_of
from macmeter.mail import MailError
from macmeter.settings import Settings

# Those that hang keep no others waiting.
_AT_ONCE = 8


async def send_due(writing: AsyncEngine, settings: Settings, now: datetime) -> int:
    """How many were tried. No transaction is open while somebody is waited for."""
    async with writing.begin() as connection:
        due = await take_due(connection, now)
        await forget_old(connection, now)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def sent(those: list[Due], send: Callable[[], None]) -> None:
        problem = None
        async with turns:
            try:
                await asyncio.to_thread(send)
            except (WebhookError, MailError) as error:
                problem = str(error)
        async with writing.begin() as connection:
            for one in those:
                if problem is None:
                    await note_sent(connection, one, now)
                else:
                    await note_failed(connection, one, problem, now)

    mails: dict[str | None, list[Due]] = {}
    jobs = []
    for one in due:
        if one.url is None:
            mails.setdefault(one.mail_to, []).append(one)
        else:
            jobs.append(sent([one], _webhook(one, settings)))
    jobs += [sent(those, mailing.of(to, those, settings)) for to, those in mails.items()]
    await asyncio.gather(*jobs)
    return len(due)


def _webhook(due: Due, settings: Settings) -> Callable[[], None]:
    body = body_of(due.alert, due.fleet_name, settings.public_url)

    def send() -> None:
        assert due.url is not None
        post(due.url, due.secret or "", body, private=settings.webhooks_private)

    return send


def body_of(alert: Any, fleet_name: str, public_url: str | None) -> bytes:
    """As Slack and what understands its webhooks take it, with the alert itself beside the text.

    Machines are counted and not named: a chat has other members than the fleet.
    """
    title = title_of(alert.kind, alert.cause, alert.detail)
    link = page_of(fleet_name, public_url)
    lines = [f"{fleet_name}: {title}", *lines_of(alert.detail), *([link] if link else [])]
    return orjson.dumps(
        {
            "text": "\n".join(lines),
            "macmeter": {
                "alert": str(alert.alert_id),
                "fleet": fleet_name,
                "kind": alert.kind,
                "cause": alert.cause,
                "opened_at": alert.opened_at.astimezone(UTC).isoformat(),
                "title": title,
                "lines": lines_of(alert.detail),
                "url": link,
            },
        }
    )


def trial_body(fleet_name: str, public_url: str | None) -> bytes:
    """What the test button sends."""
    link = page_of(fleet_name, public_url)
    text = f"{fleet_name}: a test of this webhook"
    return orjson.dumps(
        {"text": text, "macmeter": {"test": True, "fleet": fleet_name, "url": link}}
    )
