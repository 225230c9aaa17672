"""Changes stored runs, each with its entry in the audit log: nothing else withdraws or moves them.

They are deleted in sharing/deleting.py, which also looks after saved comparisons, and given to
another id in fleets/merging.py. Both write their entries here or beside it.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.scope import Asker
from macmeter.models import Run

COMMAND_LINE = "the command line"


@dataclass(frozen=True)
class RunAct:
    """What is done to runs, and by whom; `by` and `details` are those of the audit log."""

    action: str
    by: Asker | str | None
    details: Mapping[str, Any] = field(default_factory=dict)


async def change_runs(
    connection: AsyncConnection,
    which: ColumnElement[bool],
    values: Mapping[str, Any],
    act: RunAct,
) -> int:
    """Change these runs and write it down; how many they were."""
    changed = update(Run).where(which).values(**values).returning(Run.fleet_id).cte("changed")
    counted = select(changed.c.fleet_id, func.count().label("runs")).group_by(changed.c.fleet_id)
    rows = (await connection.execute(counted)).all()
    await note_runs(connection, act, {row.fleet_id: row.runs for row in rows})
    return sum(row.runs for row in rows)


async def note_runs(
    connection: AsyncConnection, act: RunAct, runs: Mapping[uuid.UUID | None, int]
) -> None:
    """One entry for each fleet whose runs these are; None are runs outside any fleet."""
    for fleet_id, count in runs.items():
        if count:
            await note(connection, act.by, act.action, fleet_id, **act.details, runs=count)
