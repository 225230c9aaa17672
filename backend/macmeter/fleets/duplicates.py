"""Macs that a fleet knows by two ids: those that were merged, and those that look as if erased."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from macmeter.access.people import Place
from macmeter.alerts.machines import settings_of, silent_since
from macmeter.fleets.shapes import KnownMac, LikelyMerge, Merged
from macmeter.models import FleetMachine, Machine
from macmeter.reading.owning import runs_given
from macmeter.terms import machine_name

# An erased Mac comes back within so long, and is asked about for as long again.
_AWAY = timedelta(days=30)
_MOST = 50


async def likely_of(connection: AsyncConnection, place: Place, now: datetime) -> list[LikelyMerge]:
    """Pairs of ids: one fell silent, and the only new one of the same model and chip came then.

    Where several Macs of a model came or went, nobody can tell which is which: nothing is said.
    """
    former, present = aliased(FleetMachine), aliased(FleetMachine)
    left, came = aliased(Machine), aliased(Machine)
    silent = silent_since(await settings_of(connection, place.fleet_id), now)
    alike = (present.fleet_id == former.fleet_id) & (present.model == former.model)
    columns = [
        column.label(f"{which}_{name}")
        for which, of, machine in (("former", former, left), ("present", present, came))
        for name, column in (
            *((name, getattr(of, name)) for name in ("machine_id", "model", "chip", "runs")),
            *(("last_at", of.received_at), ("name", machine.name)),
            ("first_at", machine.first_seen_at),
        )
    ]
    pairs = (
        select(
            *columns,
            func.count().over(partition_by=former.machine_id).label("came"),
            func.count().over(partition_by=present.machine_id).label("went"),
        )
        .join(left, left.machine_id == former.machine_id)
        .join(present, alike & (present.chip == former.chip))
        .where(present.machine_id != former.machine_id)
        .join(came, came.machine_id == present.machine_id)
        # Virtual machines come and go by the dozen.
        .where(former.fleet_id == place.fleet_id, ~former.virtual, ~present.virtual)
        .where(former.received_at < silent)
        .where(left.retired_at.is_(None), came.retired_at.is_(None))
        .where(came.first_seen_at > now - 2 * _AWAY)
        .where(came.first_seen_at.between(former.received_at, former.received_at + _AWAY))
        .subquery()
    )
    query = select(pairs).where(pairs.c.came == 1, pairs.c.went == 1)
    rows = await connection.execute(query.order_by(pairs.c.present_first_at.desc()).limit(_MOST))
    return [{"former": _mac(row, "former"), "present": _mac(row, "present")} for row in rows]


def _mac(row: Any, which: str) -> KnownMac:
    of = {name.removeprefix(f"{which}_"): value for name, value in row._mapping.items()}
    return {
        "id": str(of["machine_id"]),
        "title": of["name"] or of["model"] or machine_name(of["machine_id"]),
        "chip": of["chip"],
        "runs": of["runs"],
        "first_at": of["first_at"].isoformat(),
        "last_at": of["last_at"].isoformat(),
    }


async def merged_of(connection: AsyncConnection, place: Place) -> list[Merged]:
    """Each id that was merged into another, the last one first."""
    into = aliased(Machine)
    query = (
        select(
            *(Machine.machine_id, Machine.merged_into, Machine.retired_at),
            *(into.name, FleetMachine.model, FleetMachine.chip),
            runs_given().label("runs"),
        )
        .join(into, into.machine_id == Machine.merged_into)
        .outerjoin(
            FleetMachine,
            (FleetMachine.machine_id == Machine.merged_into)
            & (FleetMachine.fleet_id == Machine.fleet_id),
        )
        .where(Machine.fleet_id == place.fleet_id)
        .order_by(Machine.retired_at.desc().nulls_last(), Machine.machine_id)
    )
    return [
        {
            "machine_id": str(row.machine_id),
            "into": str(row.merged_into),
            "title": row.name or row.model or machine_name(row.merged_into),
            "chip": row.chip,
            "runs": row.runs,
            "at": row.retired_at.isoformat() if row.retired_at else None,
        }
        for row in await connection.execute(query)
    ]
