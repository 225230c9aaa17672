"""Where a fleet's alerts go: its webhooks, and its members' own mail. Team addresses are in
`addresses`.
"""

import secrets
import uuid

from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member
from macmeter.alerts import schemas
from macmeter.alerts.groups import Group, where_of
from macmeter.alerts.webhooks import parse_address
from macmeter.models import AlertDelivery, AlertMail, AlertWebhook, Person
from macmeter.platform.database import as_json
from macmeter.platform.errors import Problem, not_found
from macmeter.platform.schema import Exact

OFF: schemas.MailFrequency = "off"
MOST_WEBHOOKS = 10


class Webhook(Exact):
    """A webhook. `problem` is why the last delivery did not arrive."""

    id: str
    url: str
    where: str
    """Filter of the group that it is limited to; empty for the whole fleet."""
    created_at: str
    last_sent_at: str | None
    problem: str | None


class Webhooks(Exact):
    items: list[Webhook]


class NewWebhook(Exact):
    """A new webhook. Its `secret` is shown only here."""

    id: str
    url: str
    secret: str


class Tested(Exact):
    arrived: bool
    problem: str | None


async def webhooks_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[Webhook]:
    """Return a fleet's webhooks with the result of the last delivery, and without their secrets."""
    last_delivery = (
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
        select(AlertWebhook.webhook_id.label("id"), AlertWebhook.url, AlertWebhook.created_at)
        .add_columns(AlertWebhook.group_where.label("where"))
        .add_columns(last_delivery.c.sent_at.label("last_sent_at"), last_delivery.c.problem)
        .outerjoin(last_delivery, last_delivery.c.webhook_id == AlertWebhook.webhook_id)
        .where(AlertWebhook.fleet_id == fleet_id)
        .order_by(AlertWebhook.created_at, AlertWebhook.webhook_id)
    )
    return [as_json(row) for row in await connection.execute(query)]


async def add_webhook(
    connection: AsyncConnection, fleet_id: uuid.UUID, url: str, group: Group | None = None
) -> NewWebhook:
    """Add a webhook, for a whole fleet or a group in it. Its `secret` is shown only here.

    Raise 422 for an invalid address, and 409 if the fleet has too many.
    """
    parse_address(url)
    query = select(func.count()).where(AlertWebhook.fleet_id == fleet_id)
    if (await connection.scalar(query) or 0) >= MOST_WEBHOOKS:
        detail = f"A fleet can have at most {MOST_WEBHOOKS} webhooks. Delete one first."
        raise Problem(409, "too_many_webhooks", "Too many webhooks", detail)
    webhook_id, secret = uuid.uuid4(), secrets.token_urlsafe(32)
    values = {"webhook_id": webhook_id, "fleet_id": fleet_id, "url": url, "secret": secret}
    values["group_where"] = where_of(group)
    await connection.execute(insert(AlertWebhook).values(values))
    return {"id": str(webhook_id), "url": url, "secret": secret}


async def address_and_secret(
    connection: AsyncConnection, fleet_id: uuid.UUID, webhook_id: uuid.UUID
) -> tuple[str, str]:
    """Return a webhook's address and secret. Raise 404 if the fleet has no such webhook."""
    condition = (AlertWebhook.webhook_id == webhook_id) & (AlertWebhook.fleet_id == fleet_id)
    query = select(AlertWebhook.url, AlertWebhook.secret).where(condition)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("webhook")
    return row.url, row.secret


async def delete_webhook(
    connection: AsyncConnection, fleet_id: uuid.UUID, webhook_id: uuid.UUID
) -> None:
    await address_and_secret(connection, fleet_id, webhook_id)
    await connection.execute(delete(AlertWebhook).where(AlertWebhook.webhook_id == webhook_id))


async def mail_setting_of(
    connection: AsyncConnection, fleet_id: uuid.UUID, member: Member
) -> schemas.AlertMail:
    """Return a person's setting for mail about a fleet's alerts, and their address."""
    condition = (AlertMail.person_id == Person.person_id) & (AlertMail.fleet_id == fleet_id)
    how = func.coalesce(AlertMail.how, OFF).label("how")
    where = func.coalesce(AlertMail.group_where, "").label("where")
    query = select(how, where, Person.email).outerjoin(AlertMail, condition)
    row = (await connection.execute(query.where(Person.person_id == member.person_id))).one()
    setting: schemas.AlertMail = as_json(row)
    return setting


async def set_mail_setting(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    member: Member,
    how: str,
    group: Group | None = None,
) -> None:
    """Set how a person gets a fleet's alerts by mail, or those of a group in it."""
    if how == OFF:
        condition = (AlertMail.fleet_id == fleet_id) & (AlertMail.person_id == member.person_id)
        await connection.execute(delete(AlertMail).where(condition))
        return
    if (await mail_setting_of(connection, fleet_id, member))["email"] is None:
        detail = "Your account has no email address. Add one on the page You."
        raise Problem(409, "no_email", "No email address", detail)
    key = {"fleet_id": fleet_id, "person_id": member.person_id}
    values = {"how": how, "group_where": where_of(group)}
    statement = postgresql.insert(AlertMail).values(**values, **key)
    await connection.execute(statement.on_conflict_do_update(index_elements=key, set_=values))
