"""What the runs of a fleet's machines say about them, for the list of its devices."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Machine, Run, Token


async def kinds_of(connection: AsyncConnection, machine_id: uuid.UUID) -> tuple[set[str], set[str]]:
    """The chips and the models that a machine's runs name: one of each, or none."""
    named = select(Run.chip, Run.model).where(Run.machine_id == machine_id).distinct()
    rows = (await connection.execute(named)).all()
    return {row.chip for row in rows if row.chip}, {row.model for row in rows if row.model}


def last_upload() -> ScalarSelect[Any]:
    """When the token's newest run was received."""
    newest = select(func.max(Run.received_at)).where(
        Run.machine_id == Machine.machine_id, Run.token_id == Token.token_id
    )
    return newest.correlate(Machine, Token).scalar_subquery()


def last_chip() -> ScalarSelect[Any]:
    """The chip that the machine's newest run names."""
    named = select(Run.chip).where(
        Run.machine_id == Machine.machine_id, Run.chip.is_not(None), Run.fleet_id == Token.fleet_id
    )
    newest = named.order_by(Run.received_at.desc()).limit(1)
    return newest.correlate(Machine, Token).scalar_subquery()


def runs_given() -> ScalarSelect[Any]:
    """How many runs a merged machine has given to the id that the same Mac has now."""
    theirs = (Run.machine_id == Machine.merged_into) & (Run.uploaded_as == Machine.machine_id)
    return select(func.count()).select_from(Run).where(theirs).correlate(Machine).scalar_subquery()
