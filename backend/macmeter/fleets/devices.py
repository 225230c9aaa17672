"""The tokens of a fleet's machines and uploaders, and machine ids that several Macs share."""

from __future__ import annotations

import uuid
from secrets import token_urlsafe as new_secret
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.people import Member, Place
from macmeter.access.rotation import successors
from macmeter.access.tokens import FLEET, PERSON, PREFIX, secret_hash
from macmeter.errors import not_found
from macmeter.fleets.shapes import Clone as CloneTold
from macmeter.fleets.shapes import Device, NewUploader
from macmeter.models import Clone, EnrolmentSecret, Machine, Token
from macmeter.reading.owning import last_chip, last_upload


async def devices_of(
    connection: AsyncConnection, place: Place, limit: int, offset: int
) -> tuple[list[Device], int]:
    """Tokens that are good and those of machines that an admin has revoked; and how many."""
    of_fleet = (
        select(
            Token.token_id,
            Token.scope,
            Token.created_at,
            Token.replaces.is_not(None).label("is_renewed"),
            Token.last_used_at,
            Token.expires_at,
            Token.revoked_at,
            Machine.machine_id,
            func.coalesce(Machine.name, Token.name).label("name"),
            Machine.barred_at,
            EnrolmentSecret.name.label("secret"),
        )
        .outerjoin(Machine, Machine.bound_token_id == Token.token_id)
        .outerjoin(EnrolmentSecret, EnrolmentSecret.secret_id == Token.secret_id)
        .where(Token.fleet_id == place.fleet_id, Token.scope != PERSON)
        .where(Token.revoked_at.is_(None) | Machine.barred_at.is_not(None))
        # Not what is only to take the place of another.
        .where(Token.replaces.is_(None) | Token.last_used_at.is_not(None))
    )
    total = await connection.scalar(select(func.count()).select_from(of_fleet.subquery()))
    page = of_fleet.add_columns(last_upload().label("uploaded_at"), last_chip().label("chip"))
    page = page.order_by(Token.created_at.desc(), Token.token_id).limit(limit).offset(offset)
    return [_device(row) for row in await connection.execute(page)], total or 0


def _device(row: Any) -> Device:
    used = max(filter(None, (row.last_used_at, row.uploaded_at)), default=None)
    return {
        "id": str(row.token_id),
        "scope": row.scope,
        "machine_id": str(row.machine_id) if row.machine_id else None,
        "name": row.name,
        "chip": row.chip,
        "secret": row.secret,
        "created_at": row.created_at.isoformat(),
        "renewed": row.is_renewed,
        "last_used_at": used.isoformat() if used else None,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "revoked": row.revoked_at is not None,
    }


async def make_uploader(
    connection: AsyncConnection, place: Place, name: str, by: Member
) -> NewUploader:
    """A token that writes runs of any machine of the fleet, and reads them; its secret, once."""
    token_id, secret = uuid.uuid4(), PREFIX[FLEET] + new_secret(32)
    values = {"token_id": token_id, "scope": FLEET, "fleet_id": place.fleet_id, "name": name}
    await connection.execute(insert(Token).values(secret_sha256=secret_hash(secret), **values))
    await note(connection, by, "uploader.make", place.fleet_id, token=str(token_id), name=name)
    return {"id": str(token_id), "name": name, "secret": secret}


async def end(
    connection: AsyncConnection,
    place: Place,
    token_id: uuid.UUID,
    by: Member,
    *,
    for_good: bool,
) -> None:
    """Revoke a token, with those that took its place. Its machine enrols again by itself where it
    has the secret, unless this is `for_good`: then it may not.
    """
    all_of_it = await successors(connection, token_id)
    of_fleet = Token.token_id.in_(all_of_it) & (Token.fleet_id == place.fleet_id)
    ended = (
        update(Token)
        .where(of_fleet, Token.scope != PERSON)
        .values(revoked_at=func.coalesce(Token.revoked_at, func.now()))
        .returning(Token.token_id)
    )
    if await connection.scalar(ended) is None:
        raise not_found("device in this fleet")
    if for_good:
        of_token = Machine.bound_token_id.in_(all_of_it) & (Machine.fleet_id == place.fleet_id)
        await connection.execute(update(Machine).where(of_token).values(barred_at=func.now()))
    action = "device.revoke" if for_good else "device.rotate"
    await note(connection, by, action, place.fleet_id, token=str(token_id))


async def clones_of(connection: AsyncConnection, place: Place) -> list[CloneTold]:
    """Ids that have enrolled without their token, those that did last first."""
    rows = await connection.execute(
        select(Clone, Machine.name)
        .join(Machine, Machine.machine_id == Clone.machine_id)
        .where(Clone.fleet_id == place.fleet_id)
        .order_by(Clone.last_at.desc(), Clone.machine_id)
    )
    return [
        {
            "machine_id": str(row.machine_id),
            "name": row.name,
            "enrolments": row.enrolments,
            "first_at": row.first_at.isoformat(),
            "last_at": row.last_at.isoformat(),
            "new_ids": row.new_ids,
        }
        for row in rows
    ]


async def settle_clone(
    connection: AsyncConnection,
    place: Place,
    machine_id: uuid.UUID,
    are: Literal["one", "several"],
    by: Member,
) -> None:
    """One Mac that lost its token may enrol again; several get ids of their own, except for the one
    that has the token.
    """
    of_machine = (Clone.machine_id == machine_id) & (Clone.fleet_id == place.fleet_id)
    change = (
        delete(Clone).where(of_machine)
        if are == "one"
        else update(Clone).where(of_machine).values(new_ids=True)
    )
    if not (await connection.execute(change)).rowcount:
        raise not_found("shared machine id in this fleet")
    await note(connection, by, "clone.settle", place.fleet_id, machine_id=str(machine_id), are=are)
