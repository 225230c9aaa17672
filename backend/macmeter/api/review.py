"""What waits for the server's admins to judge, and their judgement."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member, require_change
from macmeter.answers.exact import Exact
from macmeter.answers.runs import RunSummary
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.doubts import Doubt, Text, told_doubts
from macmeter.api.routing import Router
from macmeter.errors import Problem
from macmeter.models import QUARANTINE
from macmeter.moderation.review import Decision, Judgement, judge
from macmeter.queries.runs import listed
from macmeter.reading.moment import begin
from macmeter.reading.owning import doubts_of_each, waiting_for_review

router = Router(prefix="/api/v1/review", tags=["review"])
_AT_ONCE = 50


class Judged(schemas.Input):
    """`answer` is shown on a withdrawn run's page, and to whoever reported a problem with it."""

    decision: Decision
    answer: Text


class Waiting(Exact):
    """A run to be judged: why the server put it aside, and what readers hold against it."""

    run: RunSummary
    quarantined: str | None
    doubts: list[Doubt]


class Review(Exact):
    items: list[Waiting]
    total: int


@router.get("")
async def get_review(part: ServerPart, person: Person) -> Review:
    """The runs that wait for a judgement, those longest here first, and how many there are."""
    _require_admin(person)
    async with part.reading.connect() as connection:
        return await _waiting(connection, person)


@router.put("/{run_id}", status_code=204)
async def put_judgement(run_id: uuid.UUID, body: Judged, part: ServerPart, person: Person) -> None:
    """Judge a run: keep or withdraw it. Whoever reported a problem reads the answer."""
    _require_admin(person)
    require_change(person)
    judgement = Judgement(body.decision, body.answer, datetime.now(UTC))
    async with part.writing.begin() as connection:
        await judge(connection, run_id, judgement, person)


async def _waiting(connection: AsyncConnection, person: Member) -> Review:
    moment = await begin(connection, person)
    runs, total = await waiting_for_review(moment, _AT_ONCE)
    doubts = await doubts_of_each(connection, [run.run_id for run in runs], waiting=True)
    items: list[Waiting] = [
        {
            "run": told,
            "quarantined": run.withdrawn_reason if run.withdrawn_by == QUARANTINE else None,
            "doubts": told_doubts(doubts.get(run.run_id, [])),
        }
        for run, told in zip(runs, await listed(moment, runs), strict=True)
    ]
    return {"items": items, "total": total}


def _require_admin(person: Member) -> None:
    if not person.server_admin:
        raise Problem(
            403,
            "not_admin",
            "Not the server's admin",
            "Only an admin of the server can judge runs.",
        )
