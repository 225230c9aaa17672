"""Sending of alerts: webhooks one by one, mails together for each person.

Recipients are isolated: a delivery is recorded before the next is sent, and failures affect one
recipient only.
"""

import asyncio
import uuid
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import Json, catalog
from macmeter.accounts.quota import spend_alert_mail
from macmeter.alerts.alert import machines_of
from macmeter.alerts.deliveries import (
    MAIL,
    WEBHOOK,
    Due,
    forget_old,
    postpone,
    record,
    take_due,
)
from macmeter.alerts.schemas import FoundEffect
from macmeter.alerts.webhooks import post
from macmeter.alerts.words import (
    alert_lines,
    change_words,
    group_line,
    headline,
    names_in_words,
    page_of,
)
from macmeter.charts.numbers import counted
from macmeter.platform import mail
from macmeter.platform.database_errors import concerns_all
from macmeter.platform.isolation import Isolated
from macmeter.platform.mail import MailError
from macmeter.platform.outbound import OutboundThreads
from macmeter.platform.plain_text import unlinked
from macmeter.platform.settings import Settings

# Concurrent requests at most. Those that failed before may hang, so they have their own threads.
_WEBHOOKS = OutboundThreads("webhooks", 24)
_RETRIED = OutboundThreads("webhooks-again", 8)
_MAILS = OutboundThreads("alert-mails", 8)
# While the database is away, recording a delivery is retried: nobody gets it twice.
_RECORD_RETRY_SECONDS = 2.0
_RECORD_ATTEMPTS = 60


class Sender:
    """Background sender of what is due: a recipient that hangs delays no other."""

    def __init__(self, writing: AsyncEngine, settings: Settings) -> None:
        self._writing, self._settings = writing, settings
        self._under_way: dict[uuid.UUID, asyncio.Task[None]] = {}

    async def begin(self, now: datetime) -> int:
        """Start sending all that is due. Return the number of deliveries."""
        async with self._writing.begin() as connection:
            due = await take_due(connection, now, busy=self._under_way)
            await forget_old(connection, now)
        by_recipient: dict[uuid.UUID, list[Due]] = {}
        for delivery in due:
            by_recipient.setdefault(delivery.recipient_id, []).append(delivery)
        for recipient_id, deliveries in by_recipient.items():
            send = self._mail if deliveries[0].url is None else self._call
            self._start(recipient_id, send(deliveries, now))
        return len(due)

    async def end(self) -> None:
        """Wait until nothing is being sent."""
        await asyncio.gather(*self._under_way.values())

    def _start(self, recipient_id: uuid.UUID, sending: Coroutine[Any, Any, None]) -> None:
        task = self._under_way[recipient_id] = asyncio.create_task(sending)
        task.add_done_callback(lambda _: self._under_way.pop(recipient_id))

    async def _call(self, deliveries: list[Due], now: datetime) -> None:
        """Call a webhook, one delivery after another."""
        for due in deliveries:
            isolated = Isolated(WEBHOOK)
            with isolated.item(due.delivery_id):
                body = body_of(due, self._settings.public_url)
                threads = _WEBHOOKS if due.tries == 1 else _RETRIED
                private = self._settings.webhooks_private
                await threads.wait(post, due.url, due.secret or "", body, private=private)
            await self._record([due], isolated, now)

    async def _mail(self, deliveries: list[Due], now: datetime) -> None:
        """Mail a person once. An alert that can't be put into words, or isn't theirs to know any
        more, fails without the others. After too many mails in this hour they wait for the next.
        """
        worded, sent = Isolated(MAIL), Isolated(MAIL)
        sendable, paragraphs = list[Due](), list[list[str]]()
        for due in deliveries:
            with worded.item(due.delivery_id):
                paragraphs.append(_mail_lines(due, self._settings.public_url))
                sendable.append(due)
        if sendable and await self._postpone_if_over_quota(sendable, now):
            deliveries = [due for due in deliveries if due not in sendable]
        elif sendable:
            with sent.item(sendable[0].delivery_id):
                await _MAILS.wait(_send_mail, sendable[0], paragraphs, self._settings)
        for reason in sent.failed.values():
            worded.failed |= {str(due.delivery_id): reason for due in sendable}
        await self._record(deliveries, worded, now)

    async def _postpone_if_over_quota(self, deliveries: Sequence[Due], now: datetime) -> bool:
        """Count a mail. Return whether it is one too many, after postponing the deliveries."""
        async with self._writing.begin() as connection:
            person_id, to = deliveries[0].recipient_id, deliveries[0].mail_to or ""
            wait = await spend_alert_mail(connection, self._settings, person_id, to, now)
            if wait is not None:
                await postpone(connection, deliveries, now + wait)
        return wait is not None

    async def _record(self, deliveries: list[Due], isolated: Isolated, now: datetime) -> None:
        for remaining in reversed(range(_RECORD_ATTEMPTS)):
            try:
                await self._record_once(deliveries, isolated, now)
                return
            except Exception as error:
                if not remaining or not concerns_all(error):
                    raise
                await asyncio.sleep(_RECORD_RETRY_SECONDS)

    async def _record_once(self, deliveries: list[Due], isolated: Isolated, now: datetime) -> None:
        async with self._writing.begin() as connection:
            for due in deliveries:
                await record(connection, due, isolated.failed.get(str(due.delivery_id)), now)


def body_of(due: Due, public_url: str | None) -> bytes:
    """Body for Slack-compatible webhooks, with the alert itself beside the text.

    Machines are counted and not named: a chat has other members than the fleet.
    """
    alert = due.alert
    payload = {
        "alert": str(alert.alert_id),
        "fleet": due.fleet_name,
        "kind": alert.kind,
        "cause": alert.cause,
        "opened_at": alert.opened_at.astimezone(UTC).isoformat(),
        "closed_at": alert.closed_at and alert.closed_at.astimezone(UTC).isoformat(),
        "title": headline(alert),
        "lines": alert_lines(alert),
        "macs": alert.detail.get("machines"),
        "group": due.group and {"where": due.group.where, "macs": due.group_macs},
        "effects": [*map(_numbers, alert.detail.get("effects", ()))],
        "url": _link(due, public_url),
    }
    return orjson.dumps({"text": "\n".join(_lines(due, public_url)), "macmeter": payload})


def _numbers(effect: FoundEffect) -> Json:
    """Numbers of an effect. `before` and `after` are typical levels, in base units."""
    before, words = effect.get("before"), change_words(effect)
    return {
        "metric": effect["metric"],
        "title": effect["title"],
        "unit": catalog.METRICS[effect["metric"]].unit,
        "before": before,
        "after": before * effect["ratio"] if before is not None else None,
        "ratio": effect["ratio"],
        "interval": [effect["low"], effect["high"]] if effect["low"] is not None else None,
        "macs": effect["moved"],
        "of": effect["of"],
        "cohort": words["cohort"],
    }


def trial_body(fleet_name: str, public_url: str | None) -> bytes:
    """Body that the test button sends."""
    link = page_of(fleet_name, public_url)
    text = f"{fleet_name}: a test of this webhook"
    return orjson.dumps(
        {"text": text, "macmeter": {"test": True, "fleet": fleet_name, "url": link}}
    )


_FOOTER = "You asked for this fleet's alerts. Its page is where to change how they are sent."
_OWNER_FOOTER = "You get this because it is yours now."
_TEAM_FOOTER = "An admin of the fleet has these alerts sent to this address, and can end that."


def _link(due: Due, public_url: str | None) -> str | None:
    return page_of(due.fleet_name, public_url, due.alert.alert_id, due.group)


def _lines(due: Due, public_url: str | None) -> list[str]:
    """Lines of an alert: its title, its details, and a link if this server has an address."""
    link = _link(due, public_url)
    lines = [f"{due.fleet_name}: {headline(due.alert)}", *alert_lines(due.alert)]
    if due.given_by is not None:
        lines.insert(1, f"{due.given_by} made you its owner")
    if due.group is not None:
        lines.append(group_line(due.group, due.group_macs, len(machines_of(due.alert.detail))))
    return [*lines, *([link] if link else [])]


def _mail_lines(due: Due, public_url: str | None) -> list[str]:
    """`_lines` for a mail, where no name of a person or Mac becomes a link: nobody may have
    confirmed the address. Raise MailError for somebody without address or access.
    """
    if due.mail_to is None:
        raise MailError("No member of the fleet has an email address")
    link = _link(due, public_url)
    lines = _lines(due, public_url)
    if due.names:
        lines.insert(len(lines) - (link is not None), names_in_words(due.names))
    return [line if line == link else unlinked(line) for line in lines]


def _send_mail(delivery: Due, paragraphs: Sequence[list[str]], settings: Settings) -> None:
    """Send a mail to a delivery's address. Raise MailError if that is impossible."""
    if settings.smtp_host is None:
        raise MailError("This server sends no mail: SMTP_HOST is not set")
    footer = _OWNER_FOOTER if delivery.given_by is not None else _FOOTER
    if delivery.is_team:
        footer = _TEAM_FOOTER
    subject = paragraphs[0][0] if len(paragraphs) == 1 else counted(len(paragraphs), "alert")
    text = "\n\n".join([*("\n".join(lines) for lines in paragraphs), footer]) + "\n"
    mail.send(settings, delivery.mail_to or "", subject, text)
