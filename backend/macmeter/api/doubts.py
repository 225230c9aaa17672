"""Reporting a problem with a run, withdrawing one's own run, and reinstating it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Depends, Request

from macmeter.access.tokens import unauthorised
from macmeter.answers.exact import Exact
from macmeter.api import schemas
from macmeter.api.credentials import bearer_secret
from macmeter.api.dependencies import (
    Actor,
    LimitedAddress,
    ServerPart,
    public_address,
    spend_quota,
)
from macmeter.api.routing import Router
from macmeter.moderation.review import reported
from macmeter.moderation.withdraw import doubt, reinstate, withdraw
from macmeter.plain_text import SEEN
from macmeter.reading.owning import Doubted, count_doubts, doubts_of, own_run

router = Router(prefix="/api/v1/runs", tags=["runs"])
reports = Router(prefix="/api/v1/doubts", tags=["runs"])

Text = Annotated[str, schemas.lines(2000, shortest=10), SEEN]


async def status_secret(request: Request) -> str:
    """What the reporter of a doubt was given; 401 without it."""
    secret = bearer_secret(request)
    if secret is None:
        raise unauthorised("Send the status secret: Authorization: Bearer SECRET.")
    return secret


StatusSecret = Annotated[str, Depends(status_secret)]


class Reason(schemas.Input):
    """Why, in a sentence or two."""

    reason: Text


class DoubtTaken(Exact):
    """How many doubts about a run wait to be judged, and the secret that shows what happens to this
    one: shown once, for `GET /doubts/self`.
    """

    doubts: int
    status_secret: str
    status_url: str


class DoubtState(Exact):
    """What happened to a doubt, for whoever reported it."""

    run: str
    reason: str
    created_at: str
    state: Literal["open", "upheld", "dismissed"]
    answer: str | None
    decided_at: str | None


class Doubt(Exact):
    reason: str
    created_at: str


class DoubtsTold(Exact):
    items: list[Doubt]


@router.post("/{run_id}/doubts", status_code=201, responses=schemas.refusals(409, 429))
async def post_doubt(
    run_id: uuid.UUID, body: Reason, request: Request, part: ServerPart, address: LimitedAddress
) -> DoubtTaken:
    """Report a doubt about a public run: its owner and the server's admin read and judge it."""
    await spend_quota(request, part, address, "doubts", part.settings.quota_doubts)
    async with part.writing.begin() as connection:
        secret = await doubt(connection, run_id, body.reason)
        counted = await count_doubts(connection, run_id)
    # After the #, which no browser sends: it is in no log and no Referer.
    status_url = f"{public_address(request, part)}/reports#{secret}"
    return {"doubts": counted, "status_secret": secret, "status_url": status_url}


@router.get("/{run_id}/doubts")
async def get_doubts(run_id: uuid.UUID, part: ServerPart, by: Actor) -> DoubtsTold:
    """What readers hold against a run of one's own, oldest first."""
    async with part.reading.connect() as connection:
        await own_run(connection, run_id, by, "reads what is held against it")
        found = await doubts_of(connection, run_id)
    return {"items": told_doubts(found)}


def told_doubts(found: Iterable[Doubted]) -> list[Doubt]:
    return [{"reason": one.reason, "created_at": one.created_at.isoformat()} for one in found]


@router.put("/{run_id}/withdrawal", status_code=204)
async def put_withdrawal(run_id: uuid.UUID, body: Reason, part: ServerPart, by: Actor) -> None:
    """Withdraw a run of one's own: answers leave it out, its page stays and gives the reason."""
    async with part.writing.begin() as connection:
        await withdraw(connection, run_id, body.reason, by, datetime.now(UTC))


@router.delete("/{run_id}/withdrawal", status_code=204)
async def delete_withdrawal(run_id: uuid.UUID, part: ServerPart, by: Actor) -> None:
    """Reinstate it, unless the server's admin has withdrawn it."""
    async with part.writing.begin() as connection:
        await reinstate(connection, run_id, by)


@reports.get("/self", responses=schemas.refusals(404))
async def get_doubt_self(part: ServerPart, secret: StatusSecret) -> DoubtState:
    """What happened to a doubt, for whoever reported it: `Authorization: Bearer STATUS_SECRET`."""
    async with part.reading.connect() as connection:
        found = await reported(connection, secret)
    return {
        "run": str(found.run_id),
        "reason": found.reason,
        "created_at": found.created_at.isoformat(),
        "state": found.decision or "open",
        "answer": found.answer,
        "decided_at": found.decided_at.isoformat() if found.decided_at else None,
    }
