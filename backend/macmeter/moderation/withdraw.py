"""Doubts about runs, and runs that are withdrawn: they stay, and answers leave them out."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime

from sqlalchemy import ColumnElement, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import COMMAND_LINE, RunAct, change_runs
from macmeter.access.people import Member
from macmeter.access.scope import Asker
from macmeter.access.tokens import secret_hash
from macmeter.errors import Problem, not_found
from macmeter.models import OWNER, QUARANTINE, SERVER, Doubt, Run
from macmeter.reading.owning import Owned, count_doubts, machine_of_public_run, own_run

# More on one run would tell nobody more.
MOST_DOUBTS = 100
_PREFIX = "mmq_"


async def doubt(connection: AsyncConnection, run_id: uuid.UUID, reason: str) -> str:
    """Keep a reader's reason to doubt a public run. The secret shows what happens to it."""
    machine_id = await machine_of_public_run(connection, run_id)
    if machine_id is None:
        raise not_found("run")
    if await count_doubts(connection, run_id) >= MOST_DOUBTS:
        raise Problem(
            409,
            "doubted_enough",
            "Already reported",
            f"This run already has {MOST_DOUBTS} open reports.",
        )
    secret = _PREFIX + secrets.token_urlsafe(32)
    await connection.execute(
        insert(Doubt).values(
            doubt_id=uuid.uuid4(),
            machine_id=machine_id,
            run_id=run_id,
            reason=reason,
            secret_sha256=secret_hash(secret),
        )
    )
    return secret


async def withdraw(
    connection: AsyncConnection, run_id: uuid.UUID, reason: str, by: Asker | None, now: datetime
) -> None:
    """Withdraw a run as its owner, or with None as the server's admin, who overrides an owner."""
    run = await _changeable(connection, run_id, by)
    whose = SERVER if is_server_admin(by) else OWNER
    values = {"withdrawn_at": now, "withdrawn_by": whose, "withdrawn_reason": reason}
    await change_runs(connection, _this(run, run_id), values, _act("run.withdraw", run_id, by))


async def reinstate(connection: AsyncConnection, run_id: uuid.UUID, by: Asker | None) -> None:
    """Reinstate a run that is withdrawn."""
    run = await _changeable(connection, run_id, by)
    nothing = {"withdrawn_at": None, "withdrawn_by": None, "withdrawn_reason": None}
    if run.withdrawn_by is not None:
        await change_runs(
            connection, _this(run, run_id), nothing, _act("run.reinstate", run_id, by)
        )


async def _changeable(connection: AsyncConnection, run_id: uuid.UUID, by: Asker | None) -> Owned:
    """A run of `by`, unless the server's admin has withdrawn it."""
    run = await own_run(connection, run_id, by, "withdraws a run", lock=True)
    if run.withdrawn_by in (SERVER, QUARANTINE) and not is_server_admin(by):
        raise Problem(
            403,
            "withdrawn_by_server",
            "Withdrawn by the server",
            "The server's admin withdrew this run. Only an admin can reinstate it.",
        )
    return run


def is_server_admin(by: Asker | None) -> bool:
    """At the command line or signed in; a token of theirs for one fleet is not."""
    return by is None or (isinstance(by, Member) and by.server_admin)


def _this(run: Owned, run_id: uuid.UUID) -> ColumnElement[bool]:
    return (Run.machine_id == run.machine_id) & (Run.run_id == run_id)


def _act(action: str, run_id: uuid.UUID, by: Asker | None) -> RunAct:
    return RunAct(action, by or COMMAND_LINE, {"run": str(run_id)})
