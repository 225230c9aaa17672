"""Reports of problems with runs, withdrawal of runs, and the admins' judgement."""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member, require_change
from macmeter.accounts.tokens import unauthorised
from macmeter.models import QUARANTINE
from macmeter.moderation.withdraw import (
    Decision,
    Judgement,
    doubt,
    judge,
    reinstate,
    reported,
    withdraw,
)
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Exact, Input, several_lines
from macmeter.results.context import begin
from macmeter.results.ownership import (
    Report,
    count_open_reports,
    doubts_of,
    doubts_of_each,
    require_own_run,
    waiting_for_review,
)
from macmeter.runs.queries import listed
from macmeter.schemas.runs import RunSummary
from macmeter.server.dependencies import (
    Actor,
    CurrentServer,
    LimitedAddress,
    Person,
    bearer_secret,
    public_address,
    require_server_admin,
    spend_quota,
)
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1", tags=["runs"])
review = Router(prefix="/api/v1/review", tags=["review"])

Text = Annotated[str, several_lines(2000, shortest=10), VISIBLE]


async def status_secret(request: Request) -> str:
    """Return the secret that a reporter was given. Raise 401 without it."""
    secret = bearer_secret(request)
    if secret is None:
        raise unauthorised("Send the status secret: Authorization: Bearer SECRET.")
    return secret


StatusSecret = Annotated[str, Depends(status_secret)]


class Reason(Input):
    """A reason, in a sentence or two."""

    reason: Text


class DoubtTaken(Exact):
    """Number of open reports of a run, and a secret that shows what happens to this one.

    The secret is shown once, for `GET /doubts/self`.
    """

    doubts: int
    status_secret: str
    status_url: str


class DoubtState(Exact):
    """State of a report, for its reporter."""

    run: str
    reason: str
    created_at: str
    state: Literal["open", "upheld", "dismissed"]
    answer: str | None
    decided_at: str | None


class Doubt(Exact):
    reason: str
    created_at: str


class DoubtsResponse(Exact):
    items: list[Doubt]


@router.post("/runs/{run_id}/doubts", status_code=201, responses=refusals(409, 429))
async def post_doubt(
    run_id: uuid.UUID,
    body: Reason,
    request: Request,
    server: CurrentServer,
    address: LimitedAddress,
) -> DoubtTaken:
    """Report a problem with a public run. Its owner and the server's admin read and judge it."""
    await spend_quota(request, server, address, "doubts", server.settings.quota_doubts)
    async with server.writing.begin() as connection:
        secret = await doubt(connection, run_id, body.reason)
        counted = await count_open_reports(connection, run_id)
    # After the #, which browsers don't send, it is in no log and no Referer.
    status_url = f"{public_address(request, server)}/reports#{secret}"
    return {"doubts": counted, "status_secret": secret, "status_url": status_url}


@router.get("/runs/{run_id}/doubts")
async def get_doubts(run_id: uuid.UUID, server: CurrentServer, by: Actor) -> DoubtsResponse:
    """List the reports of your own run, oldest first."""
    async with server.reading.connect() as connection:
        await require_own_run(connection, run_id, by, "reads what is held against it")
        doubts = await doubts_of(connection, run_id)
    return {"items": render_doubts(doubts)}


def render_doubts(doubts: Iterable[Report]) -> list[Doubt]:
    return [{"reason": row.reason, "created_at": row.created_at.isoformat()} for row in doubts]


@router.put("/runs/{run_id}/withdrawal", status_code=204)
async def put_withdrawal(run_id: uuid.UUID, body: Reason, server: CurrentServer, by: Actor) -> None:
    """Withdraw your own run: answers leave it out; its page stays and gives the reason."""
    async with server.writing.begin() as connection:
        await withdraw(connection, run_id, body.reason, by, datetime.now(UTC))


@router.delete("/runs/{run_id}/withdrawal", status_code=204)
async def delete_withdrawal(run_id: uuid.UUID, server: CurrentServer, by: Actor) -> None:
    """Reinstate a run, unless the server's admin has withdrawn it."""
    async with server.writing.begin() as connection:
        await reinstate(connection, run_id, by)


@router.get("/doubts/self", responses=refusals(404))
async def get_doubt_self(server: CurrentServer, secret: StatusSecret) -> DoubtState:
    """Return the state of a report to its reporter: `Authorization: Bearer STATUS_SECRET`."""
    async with server.reading.connect() as connection:
        report = await reported(connection, secret)
    return {
        "run": str(report.run_id),
        "reason": report.reason,
        "created_at": report.created_at.isoformat(),
        "state": report.decision or "open",
        "answer": report.answer,
        "decided_at": report.decided_at.isoformat() if report.decided_at else None,
    }


_AT_ONCE = 50


class Judged(Input):
    """A judgement. `answer` is shown on a withdrawn run's page, and to those who reported it."""

    decision: Decision
    answer: Text


class Waiting(Exact):
    """A run to be judged: why the server put it aside, and its reports."""

    run: RunSummary
    quarantined: str | None
    doubts: list[Doubt]


class Review(Exact):
    items: list[Waiting]
    total: int


@review.get("")
async def get_review(server: CurrentServer, person: Person) -> Review:
    """List the runs that wait for a judgement, longest waiting first, with their number."""
    require_server_admin(person, "judge runs")
    async with server.reading.connect() as connection:
        return await _waiting(connection, person)


@review.put("/{run_id}", status_code=204)
async def put_judgement(
    run_id: uuid.UUID, body: Judged, server: CurrentServer, person: Person
) -> None:
    """Judge a run: keep or withdraw it. Its reporters can read the answer."""
    require_server_admin(person, "judge runs")
    require_change(person)
    judgement = Judgement(body.decision, body.answer, datetime.now(UTC))
    async with server.writing.begin() as connection:
        await judge(connection, run_id, judgement, person)


async def _waiting(connection: AsyncConnection, person: Member) -> Review:
    moment = await begin(connection, person)
    runs, total = await waiting_for_review(moment, _AT_ONCE)
    doubts = await doubts_of_each(connection, [run.run_id for run in runs], waiting=True)
    items: list[Waiting] = [
        {
            "run": summary,
            "quarantined": run.withdrawn_reason if run.withdrawn_by == QUARANTINE else None,
            "doubts": render_doubts(doubts.get(run.run_id, [])),
        }
        for run, summary in zip(runs, await listed(moment, runs), strict=True)
    ]
    return {"items": items, "total": total}
