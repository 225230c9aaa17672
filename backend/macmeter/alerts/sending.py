"""Sends what is due: webhooks one by one, mails together for each person.

Each recipient is served apart: what was sent is noted before the next is sent, and whatever fails,
fails for one alone.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.alerts import mailing
from macmeter.alerts.deliveries import (
    MAIL,
    WEBHOOK,
    Due,
    forget_old,
    note_failed,
    note_sent,
    take_due,
)
from macmeter.alerts.pages import page_of
from macmeter.alerts.webhooks import post
from macmeter.alerts.words import alert_lines, title_of
from macmeter.database_errors import concerns_all
from macmeter.isolation import Isolated
from macmeter.outward import Outward
from macmeter.settings import Settings

# So many are waited for at once. Those that failed before may hang: they have their own threads.
_WEBHOOKS = Outward("webhooks", 24)
_RETRIED = Outward("webhooks-again", 8)
_MAILS = Outward("alert-mails", 8)
# While the database is away, what was sent waits for being noted: nobody gets it twice.
_NOTE_AGAIN_SECONDS = 2.0
_NOTE_ATTEMPTS = 60


class Sender:
    """Sends what is due to each recipient, and waits for none: one that hangs delays no other."""

    def __init__(self, writing: AsyncEngine, settings: Settings) -> None:
        self._writing, self._settings = writing, settings
        self._under_way: dict[uuid.UUID, asyncio.Task[None]] = {}

    async def begin(self, now: datetime) -> int:
        """Begin with all that is due now; how many deliveries."""
        async with self._writing.begin() as connection:
            due = await take_due(connection, now, busy=self._under_way)
            await forget_old(connection, now)
        of_recipient: dict[uuid.UUID, list[Due]] = {}
        for one in due:
            of_recipient.setdefault(one.recipient_id, []).append(one)
        for recipient_id, those in of_recipient.items():
            send = self._mail if those[0].url is None else self._call
            self._start(recipient_id, send(those, now))
        return len(due)

    async def end(self) -> None:
        """Returns when nothing is under way."""
        await asyncio.gather(*self._under_way.values())

    def _start(self, recipient_id: uuid.UUID, sending: Coroutine[Any, Any, None]) -> None:
        task = self._under_way[recipient_id] = asyncio.create_task(sending)
        task.add_done_callback(lambda _: self._under_way.pop(recipient_id))

    async def _call(self, those: list[Due], now: datetime) -> None:
        """A webhook, one delivery after another."""
        for due in those:
            isolated = Isolated(WEBHOOK)
            with isolated.item(due.delivery_id):
                body = body_of(due.alert, due.fleet_name, self._settings.public_url)
                threads = _WEBHOOKS if due.tries == 1 else _RETRIED
                private = self._settings.webhooks_private
                await threads.wait(post, due.url, due.secret or "", body, private=private)
            await self._note([due], isolated, now)

    async def _mail(self, those: list[Due], now: datetime) -> None:
        """A person, in one mail; an alert that can't be put into words fails without the others."""
        worded, sent = Isolated(MAIL), Isolated(MAIL)
        parts = []
        for due in those:
            with worded.item(due.delivery_id):
                parts.append(mailing.part_of(due, self._settings.public_url))
        mailed = [due for due in those if str(due.delivery_id) not in worded.failed]
        if mailed:
            with sent.item(mailed[0].delivery_id):
                await _MAILS.wait(mailing.send, mailed[0].mail_to, parts, self._settings)
        for reason in sent.failed.values():
            worded.failed |= {str(due.delivery_id): reason for due in mailed}
        await self._note(those, worded, now)

    async def _note(self, those: list[Due], isolated: Isolated, now: datetime) -> None:
        for left in reversed(range(_NOTE_ATTEMPTS)):
            try:
                await self._note_once(those, isolated, now)
                return
            except Exception as error:
                if not left or not concerns_all(error):
                    raise
                await asyncio.sleep(_NOTE_AGAIN_SECONDS)

    async def _note_once(self, those: list[Due], isolated: Isolated, now: datetime) -> None:
        async with self._writing.begin() as connection:
            for due in those:
                problem = isolated.failed.get(str(due.delivery_id))
                if problem is None:
                    await note_sent(connection, due, now)
                else:
                    await note_failed(connection, due, problem, now)


async def send_due(writing: AsyncEngine, settings: Settings, now: datetime) -> int:
    """Send what is due now; how many deliveries were tried."""
    sender = Sender(writing, settings)
    tried = await sender.begin(now)
    await sender.end()
    return tried


def body_of(alert: Any, fleet_name: str, public_url: str | None) -> bytes:
    """The body that Slack-compatible webhooks take, with the alert itself beside the text.

    Machines are counted and not named: a chat has other members than the fleet.
    """
    title = title_of(alert.kind, alert.cause, alert.detail)
    link = page_of(fleet_name, public_url)
    said = alert_lines(alert)
    lines = [f"{fleet_name}: {title}", *said, *([link] if link else [])]
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
                "lines": said,
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
