"""Enrolment of a fleet's machines: secrets, tokens, and machine ids that several Macs share."""

import asyncio
import uuid
from secrets import token_urlsafe
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import note
from macmeter.accounts.people import ADMIN, FleetAccess, Member
from macmeter.accounts.rotation import successors
from macmeter.accounts.tokens import FLEET, PERSON, PREFIX, secret_hash
from macmeter.fleets import schemas, service
from macmeter.fleets.enrolment import SECRET_PREFIX
from macmeter.fleets.refused_enrolments import refused_of
from macmeter.models import Clone, EnrolmentSecret, Fleet, Machine, Token
from macmeter.platform import database
from macmeter.platform.database import as_json
from macmeter.platform.errors import not_found
from macmeter.results.ownership import last_chip, last_upload


async def devices_of(
    connection: AsyncConnection, access: FleetAccess, limit: int, offset: int
) -> schemas.Devices:
    """Return a page of a fleet's devices, their number, and the machines that could not enrol.

    Devices are valid tokens, and revoked ones of machines that an admin has barred.
    """
    query = (
        select(
            *(Token.token_id.label("id"), Token.scope, Token.created_at, Token.expires_at),
            *(Machine.machine_id, EnrolmentSecret.name.label("secret")),
            func.coalesce(Machine.name, Token.name).label("name"),
            Token.replaces.is_not(None).label("renewed"),
            Token.revoked_at.is_not(None).label("revoked"),
        )
        .outerjoin(Machine, Machine.bound_token_id == Token.token_id)
        .outerjoin(EnrolmentSecret, EnrolmentSecret.secret_id == Token.secret_id)
        .where(Token.fleet_id == access.fleet_id, Token.scope != PERSON)
        .where(Token.revoked_at.is_(None) | Machine.barred_at.is_not(None))
        # Excludes replacements that were never used.
        .where(Token.replaces.is_(None) | Token.last_used_at.is_not(None))
    )
    total = await connection.scalar(select(func.count()).select_from(query.subquery()))
    last_used = func.greatest(Token.last_used_at, last_upload())  # ignores NULL
    page = query.add_columns(last_used.label("last_used_at"), last_chip().label("chip"))
    page = page.order_by(Token.created_at.desc(), Token.token_id).limit(limit).offset(offset)
    items = [as_json(row) for row in await connection.execute(page)]
    return {"items": items, "total": total or 0, "refused": await refused_of(connection, access)}


async def create_uploader(
    connection: AsyncConnection, access: FleetAccess, name: str, by: Member
) -> schemas.NewUploader:
    """Create a token that writes and reads runs of all the fleet's machines.

    Its secret is shown once.
    """
    token_id, secret = uuid.uuid4(), PREFIX[FLEET] + token_urlsafe(32)
    values = {"token_id": token_id, "scope": FLEET, "fleet_id": access.fleet_id, "name": name}
    await connection.execute(insert(Token).values(secret_sha256=secret_hash(secret), **values))
    await note(connection, by, "uploader.make", access.fleet_id, token=str(token_id), name=name)
    return {"id": str(token_id), "name": name, "secret": secret}


async def revoke_token(
    connection: AsyncConnection,
    access: FleetAccess,
    token_id: uuid.UUID,
    by: Member,
    *,
    bar_machine: bool,
) -> None:
    """Revoke a token and its replacements.

    Its machine enrols again by itself if it has the secret, unless `bar_machine` forbids that.
    """
    token_ids = await successors(connection, token_id)
    in_fleet = Token.token_id.in_(token_ids) & (Token.fleet_id == access.fleet_id)
    statement = (
        update(Token)
        .where(in_fleet, Token.scope != PERSON)
        .values(revoked_at=func.coalesce(Token.revoked_at, func.now()))
        .returning(Token.token_id)
    )
    if await connection.scalar(statement) is None:
        raise not_found("device in this fleet")
    if bar_machine:
        is_bound = Machine.bound_token_id.in_(token_ids) & (Machine.fleet_id == access.fleet_id)
        await connection.execute(update(Machine).where(is_bound).values(barred_at=func.now()))
    action = "device.revoke" if bar_machine else "device.rotate"
    await note(connection, by, action, access.fleet_id, token=str(token_id))


async def clones_of(connection: AsyncConnection, access: FleetAccess) -> list[schemas.Clone]:
    """Return machine ids that enrolled again without their token, latest first."""
    columns = (Clone.machine_id, Clone.enrolments, Clone.first_at, Clone.last_at, Clone.new_ids)
    rows = await connection.execute(
        select(*columns, Machine.name)
        .join(Machine, Machine.machine_id == Clone.machine_id)
        .where(Clone.fleet_id == access.fleet_id)
        .order_by(Clone.last_at.desc(), Clone.machine_id)
    )
    return [as_json(row) for row in rows]


async def settle_clone(
    connection: AsyncConnection,
    access: FleetAccess,
    machine_id: uuid.UUID,
    macs: Literal["one", "several"],
    by: Member,
) -> None:
    """Settle whether an id that enrolled again belongs to one Mac or to several.

    One Mac, which lost its token, may enrol again. Several get ids of their own, except for the one
    that has the token.
    """
    condition = (Clone.machine_id == machine_id) & (Clone.fleet_id == access.fleet_id)
    statement = (
        delete(Clone).where(condition)
        if macs == "one"
        else update(Clone).where(condition).values(new_ids=True)
    )
    if not (await connection.execute(statement)).rowcount:
        raise not_found("shared machine id in this fleet")
    await note(
        connection, by, "clone.settle", access.fleet_id, machine_id=str(machine_id), are=macs
    )


_SECRET_COLUMNS = (
    *(EnrolmentSecret.secret_id.label("id"), EnrolmentSecret.name, EnrolmentSecret.quota),
    *(EnrolmentSecret.used, EnrolmentSecret.created_at, EnrolmentSecret.expires_at),
    EnrolmentSecret.revoked_at,
)


async def secrets_of(connection: AsyncConnection, access: FleetAccess) -> list[schemas.Secret]:
    """Return a fleet's enrolment secrets, newest first, without their text, which is not stored."""
    query = select(*_SECRET_COLUMNS).where(EnrolmentSecret.fleet_id == access.fleet_id)
    newest_first = query.order_by(EnrolmentSecret.created_at.desc(), EnrolmentSecret.secret_id)
    return [as_json(row) for row in await connection.execute(newest_first)]


async def create_secret(
    connection: AsyncConnection, access: FleetAccess, name: str, by: Member | None, **limits: Any
) -> tuple[schemas.Secret, str]:
    """Create a secret and return it; it can't be shown again.

    `limits` are `quota` and `expires_at`.
    """
    secret = SECRET_PREFIX + token_urlsafe(32)
    values = {"secret_id": uuid.uuid4(), "fleet_id": access.fleet_id, "name": name, **limits}
    statement = insert(EnrolmentSecret).values(secret_sha256=secret_hash(secret), **values)
    row = (await connection.execute(statement.returning(*_SECRET_COLUMNS))).one()
    await note(connection, by, "secret.create", access.fleet_id, name=name, quota=row.quota)
    return as_json(row), secret


async def revoke_secret(
    connection: AsyncConnection, access: FleetAccess, secret_id: uuid.UUID, by: Member
) -> None:
    """Revoke a secret. Machines that have enrolled with it stay enrolled."""
    condition = (EnrolmentSecret.secret_id == secret_id) & (
        EnrolmentSecret.fleet_id == access.fleet_id
    )
    query = (
        select(EnrolmentSecret.name, EnrolmentSecret.revoked_at).where(condition).with_for_update()
    )
    secret = (await connection.execute(query)).one_or_none()
    if secret is None:
        raise not_found("enrolment secret")
    if secret.revoked_at is None:
        await connection.execute(
            update(EnrolmentSecret).where(condition).values(revoked_at=func.now())
        )
        await note(connection, by, "secret.revoke", access.fleet_id, name=secret.name)


def create_secret_of_fleet(url: str, name: str) -> str:
    """Create an enrolment secret for the fleet of that name, creating the fleet if necessary."""
    return asyncio.run(_create_secret_of_fleet(url, name))


async def _create_secret_of_fleet(url: str, name: str) -> str:
    engine = database.engine(url, pool_size=1)
    try:
        async with engine.begin() as connection:
            access = FleetAccess(await _fleet_id(connection, name), name, ADMIN)
            _, secret = await create_secret(connection, access, "made on the command line", None)
    finally:
        await engine.dispose()
    return secret


async def _fleet_id(connection: AsyncConnection, name: str) -> uuid.UUID:
    query = select(Fleet.fleet_id).where(Fleet.name == name)
    fleet_id: uuid.UUID | None = await connection.scalar(query)
    return fleet_id or await service.create(connection, name, None)
