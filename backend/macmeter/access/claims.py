"""Claiming a Mac: whoever opens the link that its agent requested becomes its owner.

A machine has one owner: a fleet, a person, or nobody yet. The link is requested with the machine's
own token, so somebody at that Mac meant it.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.links import CLAIM, LASTS, new_secret
from macmeter.access.people import Member
from macmeter.access.rights import claimed_by
from macmeter.access.tokens import DEVICE, Bearer, secret_hash
from macmeter.errors import Problem, not_found
from macmeter.models import Machine, OneTimeLink


def require_device(bearer: Bearer) -> None:
    """403 for a token that isn't a device's."""
    if bearer.scope != DEVICE:
        detail = "Send the Mac's own token. Only the Mac can ask for its link."
        raise Problem(403, "not_a_device", "Not a Mac's token", detail)


async def make_link(
    connection: AsyncConnection, machine_id: uuid.UUID, now: datetime
) -> tuple[str, datetime]:
    """The secret of a link to claim a machine, and when it expires.

    The links that it had before end. 409 for a machine that has an owner.
    """
    await require_free(connection, machine_id)
    await end_links(connection, machine_id)
    secret, expires_at = new_secret(), now + LASTS[CLAIM]
    await connection.execute(
        insert(OneTimeLink).values(
            link_id=uuid.uuid4(),
            secret_sha256=secret_hash(secret),
            purpose=CLAIM,
            machine_id=machine_id,
            created_at=now,
            expires_at=expires_at,
        )
    )
    return secret, expires_at


async def claim(connection: AsyncConnection, machine_id: uuid.UUID, person_id: uuid.UUID) -> None:
    """Within the transaction that uses the link up; 409 where somebody else was quicker."""
    machine = await require_free(connection, machine_id, person_id)
    if machine.claimed_by is None:
        # A name that somebody gave it before is theirs.
        await connection.execute(
            update(Machine)
            .where(Machine.machine_id == machine_id)
            .values(claimed_by=person_id, name=None)
        )


async def let_go(connection: AsyncConnection, machine_id: uuid.UUID, by: Member) -> None:
    """Nobody's again; 404 where it isn't theirs."""
    theirs = (
        update(Machine)
        .where(Machine.machine_id == machine_id, claimed_by(by))
        .values(claimed_by=None, name=None)
    )
    if not (await connection.execute(theirs)).rowcount:
        raise not_found("Mac of yours")


async def end_links(connection: AsyncConnection, machine_id: uuid.UUID) -> None:
    """Those that nobody has used."""
    await connection.execute(
        delete(OneTimeLink).where(
            OneTimeLink.machine_id == machine_id,
            OneTimeLink.purpose == CLAIM,
            OneTimeLink.used_at.is_(None),
        )
    )


async def require_free(
    connection: AsyncConnection, machine_id: uuid.UUID, person_id: uuid.UUID | None = None
) -> Any:
    """Its row, locked; 409 where a fleet has it, or somebody who isn't `person_id`."""
    query = select(Machine.fleet_id, Machine.claimed_by).where(Machine.machine_id == machine_id)
    machine = (await connection.execute(query.with_for_update())).one()
    if machine.fleet_id is not None:
        raise _refused(
            "machine_of_fleet",
            "This Mac belongs to a fleet, and its admins manage it. Only a Mac without a fleet can "
            "be claimed.",
        )
    if machine.claimed_by not in (None, person_id):
        raise _refused(
            "machine_claimed",
            "Somebody else has claimed this Mac. They can release it on their page My Macs.",
        )
    return machine


def _refused(code: str, detail: str) -> Problem:
    return Problem(409, code, "Can't be claimed", detail)
