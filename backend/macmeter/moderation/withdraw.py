"""Reports of runs, their judgement, and withdrawn runs, which stay but count in no answer."""

import asyncio
import re
import secrets
import sys
import uuid
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts import audit
from macmeter.accounts.audit import COMMAND_LINE, RunAct, change_runs
from macmeter.accounts.people import Member
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import secret_hash
from macmeter.models import DISMISSED, OWNER, QUARANTINE, SERVER, UPHELD, Doubt, Run
from macmeter.platform import database
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.plain_text import is_seen
from macmeter.results.ownership import (
    ReadableRun,
    count_open_reports,
    machine_of_public_run,
    require_own_run,
)

# More reports of one run would add nothing.
MOST_DOUBTS = 100
_PREFIX = "mmq_"
_MOST_CHARACTERS = 2000
_NOTHING = {"withdrawn_at": None, "withdrawn_by": None, "withdrawn_reason": None}


async def doubt(connection: AsyncConnection, run_id: uuid.UUID, reason: str) -> str:
    """Store a reader's report of a public run. Return a secret that shows what happens to it."""
    machine_id = await machine_of_public_run(connection, run_id)
    if machine_id is None:
        raise not_found("run")
    if await count_open_reports(connection, run_id) >= MOST_DOUBTS:
        detail = f"This run already has {MOST_DOUBTS} open reports."
        raise Problem(409, "doubted_enough", "Already reported", detail)
    secret = _PREFIX + secrets.token_urlsafe(32)
    values = {"doubt_id": uuid.uuid4(), "machine_id": machine_id, "run_id": run_id}
    new = insert(Doubt).values({**values, "reason": reason, "secret_sha256": secret_hash(secret)})
    await connection.execute(new)
    return secret


async def withdraw(
    connection: AsyncConnection, run_id: uuid.UUID, reason: str, by: Principal | None, now: datetime
) -> None:
    """Withdraw a run as its owner or as the server's admin, who overrides an owner.

    `by` is None at the command line, which acts as the server's admin.
    """
    run = await _changeable(connection, run_id, by)
    withdrawn_by = SERVER if is_server_admin(by) else OWNER
    values = {"withdrawn_at": now, "withdrawn_by": withdrawn_by, "withdrawn_reason": reason}
    await _change(connection, run, run_id, values, by)


async def reinstate(connection: AsyncConnection, run_id: uuid.UUID, by: Principal | None) -> None:
    """Reinstate a withdrawn run."""
    run = await _changeable(connection, run_id, by)
    if run.withdrawn_by is not None:
        await _change(connection, run, run_id, _NOTHING, by)


async def _changeable(
    connection: AsyncConnection, run_id: uuid.UUID, by: Principal | None
) -> ReadableRun:
    """Return a run of `by`. Raise 403 if the server's admin has withdrawn it."""
    run = await require_own_run(connection, run_id, by, "withdraws a run", lock=True)
    if run.withdrawn_by in (SERVER, QUARANTINE) and not is_server_admin(by):
        detail = "The server's admin withdrew this run. Only an admin can reinstate it."
        raise Problem(403, "withdrawn_by_server", "Withdrawn by the server", detail)
    return run


def is_server_admin(by: Principal | None) -> bool:
    """Return whether this is the command line or a server admin.

    A token for one fleet is neither.
    """
    return by is None or (isinstance(by, Member) and by.server_admin)


async def _change(
    connection: AsyncConnection,
    run: ReadableRun,
    run_id: uuid.UUID,
    values: Mapping[str, Any],
    by: Principal | None,
) -> None:
    condition = (Run.machine_id == run.machine_id) & (Run.run_id == run_id)
    action = "run.withdraw" if values["withdrawn_at"] else "run.reinstate"
    act = RunAct(action, by or COMMAND_LINE, {"run": str(run_id)})
    await change_runs(connection, condition, values, act)


# --- judgement by the server's admins: runs that were quarantined, and runs that readers reported

Decision = Literal["stands", "withdrawn"]


class Reported(NamedTuple):
    """A report, as its reporter may know it."""

    run_id: uuid.UUID
    reason: str
    created_at: datetime
    decision: Literal["upheld", "dismissed"] | None
    answer: str | None
    decided_at: datetime | None


class Judgement(NamedTuple):
    """A decision. `answer` is the reason on a withdrawn run's page, and what reporters read."""

    decision: Decision
    answer: str
    at: datetime


async def judge(
    connection: AsyncConnection, run_id: uuid.UUID, judgement: Judgement, by: Member
) -> None:
    """Decide on a run and on all reports of it. A later judgement changes it again."""
    if judgement.decision == "withdrawn":
        await withdraw(connection, run_id, judgement.answer, by, judgement.at)
    else:
        run = await require_own_run(connection, run_id, by, "judges a run", lock=True)
        # Nobody else may reinstate what its owner has withdrawn.
        if run.withdrawn_by in (SERVER, QUARANTINE):
            await reinstate(connection, run_id, by)
    decision = UPHELD if judgement.decision == "withdrawn" else DISMISSED
    judged = {"decision": decision, "answer": judgement.answer, "decided_at": judgement.at}
    await connection.execute(update(Doubt).where(Doubt.run_id == run_id).values(judged))
    await audit.note(connection, by, "run.judge", run=str(run_id), decision=judgement.decision)


async def reported(connection: AsyncConnection, secret: str) -> Reported:
    """Find a report by its secret. Raise 404 if there is none."""
    query = select(*(getattr(Doubt, name) for name in Reported._fields))
    result = await connection.execute(query.where(Doubt.secret_sha256 == secret_hash(secret)))
    row = result.one_or_none()
    if row is None:
        raise not_found("report")
    return Reported._make(row)


# --- the same at the command line


def withdraw_run(url: str, run_id: uuid.UUID, reason: str) -> None:
    reason = reason.strip()
    too_long = len(reason) > _MOST_CHARACTERS
    if too_long or not is_seen(reason) or re.search("[\x00-\x08\x0b-\x1f]", reason):
        raise invalid("--reason", f"--reason must have 1 to {_MOST_CHARACTERS} characters.")
    _run(url, lambda connection: withdraw(connection, run_id, reason, None, datetime.now(UTC)))
    print(f"withdrawn: run {run_id}", file=sys.stderr)


def reinstate_run(url: str, run_id: uuid.UUID) -> None:
    _run(url, lambda connection: reinstate(connection, run_id, None))
    print(f"reinstated: run {run_id}", file=sys.stderr)


def print_doubts(url: str) -> None:
    """Print reports that nobody has judged, a line each, oldest first.

    They are untrusted text, so nothing that controls a terminal is printed.
    """

    async def tell(connection: AsyncConnection) -> None:
        query = select(Doubt.created_at, Doubt.run_id, Doubt.reason)
        query = query.where(Doubt.decision.is_(None)).order_by(Doubt.created_at)
        for row in await connection.execute(query):
            reason = "".join(c if c.isprintable() else " " for c in row.reason)
            print(f"{row.created_at:%Y-%m-%d %H:%M}  {row.run_id}  {reason}")

    _run(url, tell)


def _run(url: str, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    async def run() -> None:
        async with database.beside(url) as (_, writing), writing.begin() as connection:
            await work(connection)

    database.migrate(url)
    asyncio.run(run())
