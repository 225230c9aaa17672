"""Enrolments that a fleet refused, for its admins: a Mac with a revoked secret in its profile shows
that only to its own user.
"""

import contextlib
import uuid
from datetime import datetime

from sqlalchemy import Text, cast, delete, func, literal, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.people import FleetAccess
from macmeter.accounts.tokens import secret_hash
from macmeter.fleets import schemas
from macmeter.models import EnrolmentSecret, Machine, RefusedEnrolment
from macmeter.platform.database import as_json
from macmeter.platform.errors import Problem

# Limited, since whoever has an old secret can make up any number of ids.
MAX_MACHINES_OF_FLEET = 1000


async def note_refused(
    engine: AsyncEngine, secret: str, machine_id: uuid.UUID, problem: Problem, now: datetime
) -> None:
    """Count a refusal for the fleet whose secret was used, if any, even if that secret has ended.

    Errors of the database are suppressed.
    """
    count = select(func.count()).where(RefusedEnrolment.fleet_id == EnrolmentSecret.fleet_id)
    values = select(
        EnrolmentSecret.fleet_id,
        literal(machine_id, RefusedEnrolment.machine_id.type),
        cast(literal(problem.code), Text),
        EnrolmentSecret.name,
        literal(1),
        *(literal(now, RefusedEnrolment.last_at.type),) * 2,
    ).where(
        EnrolmentSecret.secret_sha256 == secret_hash(secret),
        count.scalar_subquery() < MAX_MACHINES_OF_FLEET,
    )
    columns = ("fleet_id", "machine_id", "code", "secret", "times", "first_at", "last_at")
    statement = postgresql.insert(RefusedEnrolment).from_select(columns, values)
    latest = {name: statement.excluded[name] for name in ("code", "secret", "last_at")}
    upsert = statement.on_conflict_do_update(
        index_elements=["fleet_id", "machine_id"],
        set_={**latest, "times": RefusedEnrolment.times + 1},
    )
    with contextlib.suppress(SQLAlchemyError):
        async with engine.begin() as connection:
            await connection.execute(upsert)


async def forget_refused(
    connection: AsyncConnection, fleet_id: uuid.UUID, machine_id: uuid.UUID
) -> None:
    """Forget refusals of a machine that has enrolled."""
    is_own = (RefusedEnrolment.fleet_id == fleet_id) & (RefusedEnrolment.machine_id == machine_id)
    await connection.execute(delete(RefusedEnrolment).where(is_own))


async def refused_of(
    connection: AsyncConnection, access: FleetAccess
) -> list[schemas.RefusedEnrolment]:
    """Return the machines that a fleet last refused, latest first."""
    name = select(Machine.name).where(
        Machine.machine_id == RefusedEnrolment.machine_id, Machine.fleet_id == access.fleet_id
    )
    query = (
        select(
            *(RefusedEnrolment.machine_id, RefusedEnrolment.code, RefusedEnrolment.secret),
            *(RefusedEnrolment.times, RefusedEnrolment.first_at, RefusedEnrolment.last_at),
            name.scalar_subquery().label("name"),
        )
        .where(RefusedEnrolment.fleet_id == access.fleet_id)
        .order_by(RefusedEnrolment.last_at.desc(), RefusedEnrolment.machine_id)
        .limit(100)
    )
    return [as_json(row) for row in await connection.execute(query)]
