"""The server's admins judge what waits: runs that were quarantined, and runs that readers doubt."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import audit
from macmeter.access.people import Member
from macmeter.access.tokens import secret_hash
from macmeter.errors import not_found
from macmeter.models import DISMISSED, QUARANTINE, SERVER, UPHELD, Doubt
from macmeter.moderation.withdraw import reinstate, withdraw
from macmeter.reading.owning import own_run

Decision = Literal["stands", "withdrawn"]


class Reported(NamedTuple):
    """A doubt, as its reporter may know it."""

    run_id: uuid.UUID
    reason: str
    created_at: datetime
    decision: Literal["upheld", "dismissed"] | None
    answer: str | None
    decided_at: datetime | None


class Judgement(NamedTuple):
    """`answer` is the reason on the page of a run that is withdrawn, and what reporters read."""

    decision: Decision
    answer: str
    at: datetime


async def judge(
    connection: AsyncConnection, run_id: uuid.UUID, judgement: Judgement, by: Member
) -> None:
    """Decide on a run and on all that is held against it. A later judgement changes it again."""
    if judgement.decision == "withdrawn":
        await withdraw(connection, run_id, judgement.answer, by, judgement.at)
    else:
        run = await own_run(connection, run_id, by, "judges a run", lock=True)
        # What its owner has withdrawn is not for others to bring back.
        if run.withdrawn_by in (SERVER, QUARANTINE):
            await reinstate(connection, run_id, by)
    await connection.execute(
        update(Doubt)
        .where(Doubt.run_id == run_id)
        .values(
            decision=UPHELD if judgement.decision == "withdrawn" else DISMISSED,
            answer=judgement.answer,
            decided_at=judgement.at,
        )
    )
    await audit.note(connection, by, "run.judge", run=str(run_id), decision=judgement.decision)


async def reported(connection: AsyncConnection, secret: str) -> Reported:
    """The doubt of that secret; 404 for any other."""
    query = select(*(getattr(Doubt, name) for name in Reported._fields))
    row = await connection.execute(query.where(Doubt.secret_sha256 == secret_hash(secret)))
    found = row.one_or_none()
    if found is None:
        raise not_found("report")
    return Reported._make(found)
