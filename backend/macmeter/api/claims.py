"""People's own Macs: the link to claim one, the list, and releasing one."""

from __future__ import annotations

import logging
import uuid
from datetime import UTC, datetime

from fastapi import Request
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import audit, claims, quota
from macmeter.access.binding import require_bound
from macmeter.access.links import CLAIM, address_of
from macmeter.access.people import require_change
from macmeter.access.rights import claimed_by
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart, WriterToken, public_address
from macmeter.api.routing import Router
from macmeter.errors import Problem
from macmeter.fleets import shapes
from macmeter.models import Machine

log = logging.getLogger("macmeter")
router = Router(prefix="/api/v1", tags=["machines"])
_PATH = "/machines/{machine_id}/claim"
# Links an hour for one Mac.
MOST_LINKS = 10


@router.post(_PATH, status_code=201, responses=schemas.refusals(409, 429))
async def ask_for_claim(
    machine_id: uuid.UUID, request: Request, part: ServerPart, bearer: WriterToken
) -> shapes.ClaimLink:
    """A link by which a person claims this Mac, asked for with its own token. It works once, and
    those before it no longer do.
    """
    now = datetime.now(UTC)
    claims.require_device(bearer)
    async with part.writing.begin() as connection:
        await require_bound(connection, machine_id, bearer)
        refusal = await _one_more(connection, machine_id, now)
        if refusal is None:
            secret, expires_at = await claims.make_link(connection, machine_id, now)
            await audit.note(connection, bearer, "claim.ask", machine_id=str(machine_id))
    # After the commit: what is refused counts too.
    if refusal is not None:
        fields = {"machine": str(machine_id)}
        log.warning("claim links refused", extra={"fields": fields})
        raise refusal
    link = address_of(public_address(request, part), secret, CLAIM)
    return {"link": link, "expires_at": expires_at.isoformat()}


async def _one_more(
    connection: AsyncConnection, machine_id: uuid.UUID, now: datetime
) -> Problem | None:
    use = await quota.count(connection, "claims", machine_id.bytes, MOST_LINKS, now)
    if use.left >= 0:
        return None
    detail = (
        f"A Mac gets {MOST_LINKS} links per hour. Open the last one, or try again in {use.minutes}."
    )
    return Problem(429, "quota", "Too many", detail, headers={"Retry-After": str(use.wait)})


@router.delete(_PATH, status_code=204)
async def let_machine_go(machine_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Let a Mac of one's own go: its runs stay, and somebody else may claim it."""
    require_change(person)
    async with part.writing.begin() as connection:
        await claims.let_go(connection, machine_id, person)
        await audit.note(connection, person, "machine.unclaim", machine_id=str(machine_id))


@router.get("/account/machines")
async def list_own_machines(part: ServerPart, person: Person) -> shapes.OwnMachines:
    """The Macs that one has claimed, those that are used first, by name."""
    theirs = (
        select(Machine.machine_id, Machine.name, Machine.retired_at)
        .where(claimed_by(person))
        .order_by(Machine.retired_at.is_not(None), Machine.name.nulls_last(), Machine.first_seen_at)
    )
    async with part.writing.connect() as connection:
        rows = (await connection.execute(theirs)).all()
    return {
        "items": [
            {
                "id": str(row.machine_id),
                "name": row.name,
                "retired_at": row.retired_at.isoformat() if row.retired_at else None,
            }
            for row in rows
        ]
    }
