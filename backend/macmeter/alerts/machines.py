"""A fleet's machines as a table, updated from their runs and queried for health."""

import contextlib
import re
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, and_, cast, delete, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.alerts.schemas import FleetPolicy
from macmeter.models import EnrolmentSecret, Fleet, FleetMachine, Machine, Run
from macmeter.platform.isolation import Isolated
from macmeter.results.context import Reading
from macmeter.results.fleets import agent_versions, machines_of

# Default of `silent_days` in a fleet's settings.
SILENT_DAYS = 14
# Share of a secret's quota that raises an alert.
NEAR_QUOTA = 0.9
# Documents to read at once for their agent's version.
_BATCH_SIZE = 200
_KEY = ("fleet_id", "machine_id")


async def refresh_machines(
    reading: Reading,
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    machine_ids: Collection[uuid.UUID] | None,
    isolated_documents: Isolated,
) -> None:
    """Update the table from `reading`, for all machines of a fleet or those that changed."""
    facts = await machines_of(reading, fleet_id, machine_ids)
    own = FleetMachine.fleet_id == fleet_id
    if machine_ids is not None:
        own &= FleetMachine.machine_id.in_(machine_ids)
    columns = (FleetMachine.run_id, FleetMachine.agent_version)
    rows = await connection.execute(select(FleetMachine.machine_id, *columns).where(own))
    stored = {row.machine_id: row for row in rows}
    current_ids = {row.machine_id for row in facts}
    if gone := [machine_id for machine_id in stored if machine_id not in current_ids]:
        await connection.execute(delete(FleetMachine).where(own, FleetMachine.machine_id.in_(gone)))
    for start in range(0, len(facts), _BATCH_SIZE):
        batch = facts[start : start + _BATCH_SIZE]
        new = [
            (row.machine_id, row.run_id)
            for row in batch
            if row.machine_id not in stored or stored[row.machine_id].run_id != row.run_id
        ]
        new_ids = {machine_id for machine_id, _ in new}
        agents = await agent_versions(reading, fleet_id, new, isolated_documents) if new else {}
        values = [
            {
                **row._asdict(),
                "fleet_id": fleet_id,
                "agent_version": agents.get(row.machine_id)
                if row.machine_id in new_ids
                else stored[row.machine_id].agent_version,
            }
            for row in batch
        ]
        insert = postgresql.insert(FleetMachine).values(values)
        changed = {name: insert.excluded[name] for name in values[0] if name not in _KEY}
        await connection.execute(insert.on_conflict_do_update(index_elements=_KEY, set_=changed))


def in_use(fleet_id: Any) -> Any:
    """Condition on `machines`: in the fleet and not retired. A fleet's counts are of these."""
    return (Machine.fleet_id == fleet_id) & Machine.retired_at.is_(None)


def retired(fleet_id: uuid.UUID) -> Any:
    """Condition on `machines`: retired, and not merged into another one."""
    is_retired = Machine.retired_at.is_not(None) & Machine.merged_into.is_(None)
    return (Machine.fleet_id == fleet_id) & is_retired


def is_same_machine() -> Any:
    """Condition that joins `machines` with `fleet_machines`, the facts from their fleet's runs."""
    return and_(
        FleetMachine.machine_id == Machine.machine_id, FleetMachine.fleet_id == Machine.fleet_id
    )


async def fleet_policy_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> FleetPolicy:
    """Return the settings that decide what counts as a problem in a fleet.

    Values of another version that aren't valid here are left out.
    """
    query = select(Fleet.settings).where(Fleet.fleet_id == fleet_id)
    settings = await connection.scalar(query)
    policy: FleetPolicy = {}
    for name, value in settings.items() if isinstance(settings, dict) else ():
        with contextlib.suppress(msgspec.ValidationError):
            policy |= msgspec.convert({name: value}, FleetPolicy)
    return policy


async def set_policy(connection: AsyncConnection, fleet_id: uuid.UUID, policy: FleetPolicy) -> None:
    """Set what counts as a problem in a fleet. Its other settings stay as they are."""
    settings = Fleet.settings.op("||")(cast(policy, postgresql.JSONB))
    statement = update(Fleet).where(Fleet.fleet_id == fleet_id)
    await connection.execute(statement.values(settings=settings))


def silent_since(policy: FleetPolicy, now: datetime) -> datetime:
    """Return the time since which silent machines haven't uploaded."""
    return now - timedelta(days=policy.get("silent_days", SILENT_DAYS))


async def silent_machines(
    connection: AsyncConnection, fleet_id: uuid.UUID, policy: FleetPolicy, now: datetime
) -> list[uuid.UUID]:
    query = (
        select(FleetMachine.machine_id)
        .join(Machine, is_same_machine())
        .where(in_use(fleet_id), FleetMachine.received_at < silent_since(policy, now))
        .order_by(FleetMachine.machine_id)
    )
    return list(await connection.scalars(query))


async def secrets_near_quota(
    connection: AsyncConnection, fleet_id: uuid.UUID, now: datetime
) -> list[Row[Any]]:
    """Enrolment secrets that have nearly reached their quota."""
    query = select(
        EnrolmentSecret.secret_id, EnrolmentSecret.name, EnrolmentSecret.used, EnrolmentSecret.quota
    ).where(
        EnrolmentSecret.fleet_id == fleet_id,
        EnrolmentSecret.revoked_at.is_(None),
        EnrolmentSecret.expires_at.is_(None) | (EnrolmentSecret.expires_at > now),
        EnrolmentSecret.used >= EnrolmentSecret.quota * NEAR_QUOTA,
    )
    return list(await connection.execute(query.order_by(EnrolmentSecret.name)))


def version_order(version: str | None) -> tuple[int, ...]:
    """Sort key of a version: 0.10 comes after 0.9, an unknown one first."""
    return tuple(int(part) for part in re.findall(r"\d+", version or "")) if version else (-1,)


def is_newest() -> ColumnElement[bool]:
    """Condition for a machine's newest run."""
    same_machine = Run.machine_id == FleetMachine.machine_id
    return and_(Run.run_id == FleetMachine.run_id, same_machine)
