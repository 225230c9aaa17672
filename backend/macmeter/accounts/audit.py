"""The audit log: what people and tokens did, written in the transaction that did it.

Runs are changed only through this module, each change with its entry. Two modules write entries of
their own: comparisons/deleting.py deletes runs and looks after saved comparisons, and
fleets/merging.py gives runs to another id.
"""

import contextlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import Json
from macmeter.accounts.people import Member
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import TokenPrincipal
from macmeter.models import Act, Refusal, Run
from macmeter.platform.errors import Problem

SERVER, COMMAND_LINE = "the server", "the command line"
NAMES_OF_LEAVING_MACHINES = "names"
"""Key in the details of an entry about machines that leave a fleet: the names that they had, by id.
Only the fleet's own log shows them.
"""


async def note(
    connection: AsyncConnection,
    by: Principal | str | None,
    action: str,
    fleet_id: uuid.UUID | None = None,
    **details: Any,
) -> None:
    """Add an entry. `action` is a thing and what was done to it, such as `fleet.rename`.

    `by` is None for the server itself, or a text for somebody who is neither a person nor a token.
    `details` are JSON values by name, and never a secret.
    """
    values: Json = {"action": action, "fleet_id": fleet_id, "details": details}
    if isinstance(by, Member):
        values |= {"person_id": by.person_id, "by": by.name}
    elif isinstance(by, TokenPrincipal):
        name = f"{by.scope} token" + (f" of {by.fleet_name}" if by.fleet_name else "")
        values |= {"token_id": by.token_id, "by": name}
    else:
        values["by"] = by or SERVER
    await connection.execute(insert(Act).values(values))


async def add_person_to_entries(
    connection: AsyncConnection, condition: ColumnElement[bool], person_id: uuid.UUID
) -> None:
    """Add a person's id to the entries about them, so that erasing their account finds these."""
    person = func.jsonb_build_object("person", str(person_id))
    unknown = ~Act.details.has_key("person")
    values = {"details": Act.details.concat(person)}
    await connection.execute(update(Act).where(condition, unknown).values(values))


def names_address(email: str | ColumnElement[str | None]) -> ColumnElement[bool]:
    """Condition on entries that name this email address."""
    return func.lower(Act.details["email"].astext) == email


@dataclass(frozen=True)
class RunAct:
    """A change of runs. `by` and `details` are those of the audit log."""

    action: str
    by: Principal | str | None
    details: Mapping[str, Any] = field(default_factory=dict)


async def change_runs(
    connection: AsyncConnection,
    condition: ColumnElement[bool],
    values: Mapping[str, Any],
    act: RunAct,
) -> int:
    """Change these runs and write the entries. Return how many runs were changed."""
    changed = update(Run).where(condition).values(**values).returning(Run.fleet_id).cte("changed")
    query = select(changed.c.fleet_id, func.count().label("runs")).group_by(changed.c.fleet_id)
    rows = (await connection.execute(query)).all()
    await note_runs(connection, act, {row.fleet_id: row.runs for row in rows})
    return sum(row.runs for row in rows)


async def note_runs(
    connection: AsyncConnection, act: RunAct, runs: Mapping[uuid.UUID | None, int]
) -> None:
    """Write one entry per fleet that has some of these runs. None are runs outside any fleet."""
    for fleet_id, count in runs.items():
        if count:
            await note(connection, act.by, act.action, fleet_id, **act.details, runs=count)


async def count_refusal(
    engine: AsyncEngine, bearer: TokenPrincipal, problem: Problem, now: datetime
) -> None:
    """Count a refused upload of a fleet's Mac, which the fleet's members see.

    Failures of the server don't count, nor do tokens that have ended: an admin retired or revoked
    the Mac. Errors of the database are suppressed.
    """
    if bearer.fleet_id is None or problem.status == 401 or problem.status >= 500:
        return
    key = {"fleet_id": bearer.fleet_id, "token_id": bearer.token_id, "code": problem.code}
    latest = {"title": problem.title, "last_at": now}
    statement = postgresql.insert(Refusal).values({**key, **latest, "times": 1, "first_at": now})
    upsert = statement.on_conflict_do_update(
        index_elements=[*key], set_={**latest, "times": Refusal.times + 1}
    )
    with contextlib.suppress(SQLAlchemyError):
        async with engine.begin() as connection:
            await connection.execute(upsert)
