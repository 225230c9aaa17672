"""Delivery of alerts: recipients, retries, and giving up."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import Select, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.names import names_in
from macmeter.accounts.people import Member
from macmeter.alerts.alert import News, machines_of
from macmeter.alerts.groups import Group, group_of, members_of
from macmeter.models import (
    Alert,
    AlertAddress,
    AlertDelivery,
    AlertMail,
    AlertWebhook,
    Fleet,
    Membership,
    Person,
)

MAIL, WEBHOOK = "mail", "webhook"
AT_ONCE, DIGEST = "at_once", "digest"
# Time of the daily digest, UTC.
_DIGEST_AT = time(6, tzinfo=UTC)
# Pauses before each retry. After the last one the delivery is given up.
_AGAIN = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 1440))
# Lease of a sender, whose process may end before it is done. The retry's pause applies where it is
# longer, since this delivery may be what ends the process.
_LEASE = timedelta(minutes=5)
_AT_A_TIME = 100
# Deliveries to one webhook per batch: it may be slow, and the lease is for all of them.
_OF_ONE = 5
_GIVEN_UP = "The server ended each time while it was sending this"
_KEPT = timedelta(days=30)


@dataclass(frozen=True)
class Due:
    """An alert to be sent to a webhook, or mailed to somebody."""

    delivery_id: uuid.UUID
    tries: int
    alert: Any
    fleet_name: str
    url: str | None
    secret: str | None
    mail_to: str | None
    is_team: bool
    """Whether `mail_to` is the fleet's own."""
    recipient_id: uuid.UUID
    """The webhook, the person or the address."""
    names: tuple[str, ...] = ()
    """Names of the alert's Macs, for somebody of the fleet."""
    group: Group | None = None
    """Group that the recipient is limited to: `names` are of its Macs."""
    group_macs: int = 0
    """Number of the alert's Macs in that group."""
    given_by: str | None = None
    """Who made the recipient its owner, if it is sent for that."""


_RECIPIENT = func.coalesce(
    AlertDelivery.webhook_id, AlertDelivery.person_id, AlertDelivery.address_id
)

_GROUP = func.coalesce(
    AlertWebhook.group_where, AlertAddress.group_where, AlertMail.group_where, ""
)


async def queue(
    connection: AsyncConnection, fleet_id: uuid.UUID, news: Sequence[News], now: datetime
) -> None:
    """Queue news for everybody who subscribed to a fleet's alerts, or to those of a group in it.

    An alert that already waits for its first attempt is sent once, as it is then.
    """
    if not news:
        return
    waiting = select(AlertDelivery.alert_id, _RECIPIENT).where(
        AlertDelivery.alert_id.in_([item.alert_id for item in news]),
        AlertDelivery.due_at.is_not(None),
        AlertDelivery.tries == 0,
    )
    already = {(alert_id, recipient) for alert_id, recipient in await connection.execute(waiting)}
    recipients = await _recipients(connection, fleet_id, now)
    groups = await members_of(connection, fleet_id, {item.group_where for item in recipients})
    rows = [
        {
            **_NOBODY,
            "delivery_id": uuid.uuid4(),
            "alert_id": item.alert_id,
            recipient.kind: recipient.recipient_id,
            "due_at": recipient.due_at,
        }
        for item in news
        for recipient in recipients
        if (item.alert_id, recipient.recipient_id) not in already
        if (item.is_for(groups[where]) if (where := recipient.group_where) else item.is_for_all)
    ]
    if rows:
        await connection.execute(insert(AlertDelivery), rows)


_NOBODY: dict[str, Any] = {"webhook_id": None, "address_id": None, "person_id": None}


class _Recipient(NamedTuple):
    kind: Literal["webhook_id", "address_id", "person_id"]
    recipient_id: uuid.UUID
    due_at: datetime
    group_where: str
    """Filter of the group that it is limited to; empty for the whole fleet."""


async def _recipients(
    connection: AsyncConnection, fleet_id: uuid.UUID, now: datetime
) -> list[_Recipient]:
    webhooks = select(AlertWebhook.webhook_id, AlertWebhook.group_where).where(
        AlertWebhook.fleet_id == fleet_id
    )
    teams = select(AlertAddress.address_id, AlertAddress.group_where).where(
        AlertAddress.fleet_id == fleet_id, AlertAddress.confirmed_at.is_not(None)
    )
    people = select(AlertMail.person_id, AlertMail.group_where, AlertMail.how).where(
        AlertMail.fleet_id == fleet_id
    )
    recipients = [
        *(_Recipient("webhook_id", one, now, of) for one, of in await connection.execute(webhooks)),
        *(_Recipient("address_id", one, now, of) for one, of in await connection.execute(teams)),
    ]
    for person_id, where, how in await connection.execute(people):
        due_at = now if how == AT_ONCE else next_digest(now)
        recipients.append(_Recipient("person_id", person_id, due_at, where))
    return recipients


async def give(
    connection: AsyncConnection,
    alert_id: uuid.UUID,
    person_id: uuid.UUID,
    by: Member,
    now: datetime,
) -> None:
    """Mail an alert to its new owner, if that is somebody else who has an address."""
    email = select(Person.email).where(Person.person_id == person_id)
    if person_id == by.person_id or await connection.scalar(email) is None:
        return
    values = {"delivery_id": uuid.uuid4(), "alert_id": alert_id, "due_at": now}
    about = {"person_id": person_id, "given_by": by.name}
    await connection.execute(insert(AlertDelivery).values(**values, **about))


def next_digest(now: datetime) -> datetime:
    today = datetime.combine(now.astimezone(UTC).date(), _DIGEST_AT)
    return today if today > now else today + timedelta(days=1)


async def take_due(
    connection: AsyncConnection, now: datetime, busy: Collection[uuid.UUID] = ()
) -> list[Due]:
    """Lease the deliveries that are due: no other process sends them in the next minutes.

    Recipients take turns, and those that are `busy` are skipped. `mail_to` is None for people who
    have left the fleet.
    """
    in_order = func.row_number().over(partition_by=_RECIPIENT, order_by=AlertDelivery.due_at)
    is_due = (AlertDelivery.due_at <= now) & _RECIPIENT.not_in(busy)
    is_mailed = AlertDelivery.webhook_id.is_(None)
    turns = select(AlertDelivery.delivery_id, in_order.label("turn")).where(is_due).subquery()
    chosen = (
        select(AlertDelivery.delivery_id)
        .join(turns, turns.c.delivery_id == AlertDelivery.delivery_id)
        .where(AlertDelivery.due_at <= now, is_mailed | (turns.c.turn <= _OF_ONE))
        .order_by(turns.c.turn, AlertDelivery.due_at)
        .limit(_AT_A_TIME)
        .with_for_update(of=AlertDelivery, skip_locked=True)
    )
    delivery_ids = list(await connection.scalars(chosen))
    if not delivery_ids:
        return []
    is_leased = AlertDelivery.delivery_id.in_(delivery_ids)
    ended = is_leased & (AlertDelivery.tries > len(_AGAIN))
    statement = update(AlertDelivery).where(ended).values(due_at=None, problem=_GIVEN_UP)
    await connection.execute(statement)
    pauses = {tries: now + max(_LEASE, pause) for tries, pause in enumerate(_AGAIN)}
    until = case(pauses, value=AlertDelivery.tries, else_=now + _AGAIN[-1])
    lease = update(AlertDelivery).where(is_leased, AlertDelivery.due_at.is_not(None))
    await connection.execute(lease.values(due_at=until, tries=AlertDelivery.tries + 1))
    query = (
        select(
            *(AlertDelivery.delivery_id, AlertDelivery.tries, AlertWebhook.url),
            *(AlertWebhook.secret, Person.email, Person.server_admin, Membership.role),
            *(Fleet.name.label("fleet_name"), _RECIPIENT.label("recipient_id")),
            *(AlertAddress.email.label("team"), AlertAddress.confirmed_at, AlertDelivery.given_by),
            _GROUP.label("group_where"),
            *Alert.__table__.c,
        )
        .join(Alert, Alert.alert_id == AlertDelivery.alert_id)
        .join(Fleet, Fleet.fleet_id == Alert.fleet_id)
        .outerjoin(AlertWebhook, AlertWebhook.webhook_id == AlertDelivery.webhook_id)
        .outerjoin(AlertAddress, AlertAddress.address_id == AlertDelivery.address_id)
        .outerjoin(Person, Person.person_id == AlertDelivery.person_id)
        .outerjoin(
            AlertMail,
            (AlertMail.person_id == AlertDelivery.person_id)
            & (AlertMail.fleet_id == Fleet.fleet_id)
            & AlertDelivery.given_by.is_(None),
        )
        .outerjoin(
            Membership,
            (Membership.person_id == Person.person_id)
            & (Membership.fleet_id == Fleet.fleet_id)
            & Membership.limited_to.is_(None),
        )
        .where(is_leased, AlertDelivery.due_at.is_not(None))
        .order_by(Alert.opened_at, Alert.alert_id)
    )
    rows = (await connection.execute(query)).all()
    return [await _due(connection, row) for row in rows]


async def _due(connection: AsyncConnection, row: Any) -> Due:
    """Build a delivery. Who may not see the fleet gets neither names nor an address."""
    mail_to, group = _mailed(row), group_of(row.group_where)
    macs = machines_of(row.detail)
    if group is not None:
        members = (await members_of(connection, row.fleet_id, [group.where]))[group.where]
        macs = [mac for mac in macs if mac in members]
    names = await names_in(connection, row.fleet_id, macs) if mail_to is not None else {}
    return Due(
        *(row.delivery_id, row.tries, row, row.fleet_name, row.url, row.secret),
        mail_to=mail_to,
        is_team=row.team is not None,
        recipient_id=row.recipient_id,
        names=tuple(names.values()),
        group=group,
        group_macs=len(macs) if group is not None else 0,
        given_by=row.given_by,
    )


def _mailed(row: Any) -> str | None:
    """Address of a team that has confirmed it, or of a person who may still see the fleet."""
    if row.team is not None:
        return str(row.team) if row.confirmed_at is not None else None
    return row.email if row.role is not None or row.server_admin else None


async def record(connection: AsyncConnection, due: Due, problem: str | None, now: datetime) -> None:
    """Record a delivery as sent, or schedule a retry: later each time, until it is given up."""
    values: dict[str, Any] = {"due_at": None, "problem": problem and problem[:500]}
    if problem is None:
        values["sent_at"] = now
    elif due.tries <= len(_AGAIN):
        values["due_at"] = now + _AGAIN[due.tries - 1]
    condition = AlertDelivery.delivery_id == due.delivery_id
    await connection.execute(update(AlertDelivery).where(condition).values(values))


async def postpone(connection: AsyncConnection, deliveries: Sequence[Due], until: datetime) -> None:
    """Take deliveries again at `until`, as if they had not been taken now."""
    condition = AlertDelivery.delivery_id.in_([due.delivery_id for due in deliveries])
    values = {"due_at": until, "tries": AlertDelivery.tries - 1}
    await connection.execute(update(AlertDelivery).where(condition).values(values))


class Undelivered(NamedTuple):
    """Deliveries of a fleet that failed with the same problem and wait for a retry."""

    work: str
    """`mail` or `webhook`."""
    fleet_id: uuid.UUID
    problem: str
    tries: int
    due_at: datetime


_WORK = case((AlertDelivery.webhook_id.is_(None), MAIL), else_=WEBHOOK)
_FAILING = AlertDelivery.due_at.is_not(None) & AlertDelivery.problem.is_not(None)


async def undelivered(connection: AsyncConnection, most: int) -> list[Undelivered]:
    """Failed deliveries, next retry first."""
    query = _failed_alike().order_by(func.min(AlertDelivery.due_at)).limit(most)
    return [Undelivered._make(row) for row in await connection.execute(query)]


async def how_many_undelivered(connection: AsyncConnection) -> int:
    """Number of groups that `undelivered` has in all."""
    query = select(func.count()).select_from(_failed_alike().subquery())
    return await connection.scalar(query) or 0


def _failed_alike() -> Select[Any]:
    """Failures by kind, fleet and problem, with the most tries and the next retry."""
    columns = (_WORK.label("work"), Alert.fleet_id, AlertDelivery.problem)
    most, next_try = func.max(AlertDelivery.tries), func.min(AlertDelivery.due_at)
    on_alert = Alert.alert_id == AlertDelivery.alert_id
    query = select(*columns, most, next_try).join(Alert, on_alert)
    return query.where(_FAILING).group_by(*columns)


async def how_many_fail(connection: AsyncConnection) -> dict[str, int]:
    """Number of failed deliveries by kind: mail and webhook."""
    query = select(_WORK, func.count()).where(_FAILING).group_by(_WORK)
    counts = {row[0]: row[1] for row in await connection.execute(query)}
    return {work: counts.get(work, 0) for work in (MAIL, WEBHOOK)}


async def forget_old(connection: AsyncConnection, now: datetime) -> None:
    """Delete finished deliveries of alerts that have not held for some weeks."""
    over = AlertDelivery.due_at.is_(None) & AlertDelivery.alert_id.in_(
        select(Alert.alert_id).where(Alert.seen_at < now - _KEPT)
    )
    await connection.execute(delete(AlertDelivery).where(over))
