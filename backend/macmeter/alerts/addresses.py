"""A fleet's own mail addresses, such as a team's, which get alerts once they are confirmed."""

import secrets
import uuid
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.tokens import secret_hash
from macmeter.alerts import schemas
from macmeter.alerts.groups import Group, where_of
from macmeter.models import AlertAddress, Fleet
from macmeter.platform.database import as_json
from macmeter.platform.errors import Problem, not_found

MOST_ADDRESSES = 10
# A mail that asks for confirmation can be answered for so long.
LIFETIME = timedelta(days=7)
_PREFIX = "mma_"


async def addresses_of(
    connection: AsyncConnection, fleet_id: uuid.UUID
) -> list[schemas.AlertAddress]:
    query = (
        select(AlertAddress.address_id.label("id"), AlertAddress.email)
        .add_columns(AlertAddress.created_at, AlertAddress.confirmed_at)
        .add_columns(AlertAddress.group_where.label("where"))
        .where(AlertAddress.fleet_id == fleet_id)
        .order_by(AlertAddress.email, AlertAddress.group_where)
    )
    return [as_json(row) for row in await connection.execute(query)]


async def add_address(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    email: str,
    now: datetime,
    group: Group | None = None,
) -> tuple[uuid.UUID, str]:
    """Add an address for a fleet's alerts or a group's, or ask again to confirm it.

    Return its id and the secret to confirm it with. Raise 409 if it is confirmed, or if the fleet
    has too many.
    """
    group_where = where_of(group)
    is_same = (AlertAddress.email == email) & (AlertAddress.group_where == group_where)
    query = select(func.count()).where(AlertAddress.fleet_id == fleet_id, ~is_same)
    if (await connection.scalar(query) or 0) >= MOST_ADDRESSES:
        detail = f"A fleet can have at most {MOST_ADDRESSES} addresses. Delete one first."
        raise Problem(409, "too_many_addresses", "Too many addresses", detail)
    secret = _PREFIX + secrets.token_urlsafe(32)
    values = {"secret_sha256": secret_hash(secret), "created_at": now}
    new = postgresql.insert(AlertAddress).values(
        address_id=uuid.uuid4(), fleet_id=fleet_id, email=email, group_where=group_where, **values
    )
    statement = new.on_conflict_do_update(
        index_elements=["fleet_id", "email", "group_where"],
        set_=values,
        where=AlertAddress.confirmed_at.is_(None),
    ).returning(AlertAddress.address_id)
    address_id = await connection.scalar(statement)
    if address_id is None:
        detail = f"{email} is confirmed already."
        raise Problem(409, "already_confirmed", "Already confirmed", detail)
    return address_id, secret


async def delete_address(
    connection: AsyncConnection, fleet_id: uuid.UUID, address_id: uuid.UUID
) -> None:
    condition = (AlertAddress.address_id == address_id) & (AlertAddress.fleet_id == fleet_id)
    if not (await connection.execute(delete(AlertAddress).where(condition))).rowcount:
        raise not_found("address")


async def confirm(
    connection: AsyncConnection, secret: str, now: datetime
) -> schemas.ConfirmedAddress:
    """Confirm an address by the secret mailed to it.

    Raise 404 if nobody asks for this any more.
    """
    is_pending = (AlertAddress.secret_sha256 == secret_hash(secret)) & (
        AlertAddress.created_at > now - LIFETIME
    )
    columns = (AlertAddress.fleet_id, AlertAddress.email)
    first = func.coalesce(AlertAddress.confirmed_at, now)
    query = update(AlertAddress).where(is_pending).values(confirmed_at=first).returning(*columns)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        detail = "This link is unknown or older than 7 days. Ask an admin of the fleet for another."
        raise Problem(404, "link_unknown", "Unknown link", detail)
    name = await connection.scalar(select(Fleet.name).where(Fleet.fleet_id == row.fleet_id))
    return {"fleet": str(name), "email": row.email}
