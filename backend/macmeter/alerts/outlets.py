"""Where a fleet's alerts are sent: its webhooks, and members who want mail."""

from __future__ import annotations

import secrets
import uuid

from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member
from macmeter.alerts.shapes import AlertMail as MailTold
from macmeter.alerts.shapes import How, NewWebhook, Webhook
from macmeter.alerts.webhooks import parse_address
from macmeter.errors import Problem, not_found
from macmeter.models import AlertDelivery, AlertMail, AlertWebhook, Person

OFF: How = "off"
MOST_WEBHOOKS = 10


async def webhooks_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[Webhook]:
    """With the result of the last delivery; the secret was shown once."""
    last = (
        select(AlertDelivery.webhook_id, AlertDelivery.sent_at, AlertDelivery.problem)
        .where(AlertDelivery.tries > 0)
        .ext(postgresql.distinct_on(AlertDelivery.webhook_id))
        .order_by(
            AlertDelivery.webhook_id,
            func.coalesce(AlertDelivery.sent_at, AlertDelivery.due_at).desc().nulls_last(),
        )
        .subquery()
    )
    query = (
        select(AlertWebhook.webhook_id, AlertWebhook.url, AlertWebhook.created_at)
        .add_columns(last.c.sent_at, last.c.problem)
        .outerjoin(last, last.c.webhook_id == AlertWebhook.webhook_id)
        .where(AlertWebhook.fleet_id == fleet_id)
        .order_by(AlertWebhook.created_at, AlertWebhook.webhook_id)
    )
    return [
        {
            "id": str(row.webhook_id),
            "url": row.url,
            "created_at": row.created_at.isoformat(),
            "last_sent_at": row.sent_at.isoformat() if row.sent_at else None,
            "problem": row.problem,
        }
        for row in await connection.execute(query)
    ]


async def add_webhook(connection: AsyncConnection, fleet_id: uuid.UUID, url: str) -> NewWebhook:
    """422 for an invalid address. Its `secret` is shown here and never again."""
    parse_address(url)
    counted = select(func.count()).where(AlertWebhook.fleet_id == fleet_id)
    if (await connection.scalar(counted) or 0) >= MOST_WEBHOOKS:
        detail = f"A fleet can have at most {MOST_WEBHOOKS} webhooks. Delete one first."
        raise Problem(409, "too_many_webhooks", "Too many webhooks", detail)
    webhook_id, secret = uuid.uuid4(), secrets.token_urlsafe(32)
    await connection.execute(
        insert(AlertWebhook).values(
            webhook_id=webhook_id, fleet_id=fleet_id, url=url, secret=secret
        )
    )
    return {"id": str(webhook_id), "url": url, "secret": secret}


async def webhook(
    connection: AsyncConnection, fleet_id: uuid.UUID, webhook_id: uuid.UUID
) -> tuple[str, str]:
    """Its address and secret."""
    query = select(AlertWebhook.url, AlertWebhook.secret).where(
        AlertWebhook.webhook_id == webhook_id, AlertWebhook.fleet_id == fleet_id
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("webhook")
    return row.url, row.secret


async def delete_webhook(
    connection: AsyncConnection, fleet_id: uuid.UUID, webhook_id: uuid.UUID
) -> None:
    await webhook(connection, fleet_id, webhook_id)
    await connection.execute(delete(AlertWebhook).where(AlertWebhook.webhook_id == webhook_id))


async def mail_of(connection: AsyncConnection, fleet_id: uuid.UUID, member: Member) -> MailTold:
    """How somebody hears of a fleet's alerts, and where."""
    how: How | None = await connection.scalar(
        select(AlertMail.how).where(
            AlertMail.fleet_id == fleet_id, AlertMail.person_id == member.person_id
        )
    )
    email = await connection.scalar(
        select(Person.email).where(Person.person_id == member.person_id)
    )
    return {"how": how or OFF, "email": email}


async def set_mail(
    connection: AsyncConnection, fleet_id: uuid.UUID, member: Member, how: str
) -> None:
    if how == OFF:
        await connection.execute(
            delete(AlertMail).where(
                AlertMail.fleet_id == fleet_id, AlertMail.person_id == member.person_id
            )
        )
        return
    if (await mail_of(connection, fleet_id, member))["email"] is None:
        detail = "Your account has no email address. Add one on the page You."
        raise Problem(409, "no_email", "No email address", detail)
    insertion = postgresql.insert(AlertMail).values(
        fleet_id=fleet_id, person_id=member.person_id, how=how
    )
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["fleet_id", "person_id"], set_={"how": how})
    )
