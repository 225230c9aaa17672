"""Decides which runs are in a scope. Every query of runs uses it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, false, or_, select, true

from macmeter.access.people import Member
from macmeter.access.scope import Asker, Scope
from macmeter.access.tokens import DEVICE
from macmeter.models import Fleet, Machine, Run

PUBLIC = "public"
# Of a run in a fleet: whoever reads the fleet reads it, and everybody while the fleet is public.
PRIVATE = "private"

# A signed-out reader, a shared link, a crawler.
ANYBODY: Asker | None = None


def visible(scope: Scope) -> ColumnElement[bool]:
    """The condition on `runs` under which a run is in `scope`.

    The commons are what is public by itself and what belongs to a fleet that is public now.
    """
    public_fleets = select(Fleet.fleet_id).where(Fleet.visibility == PUBLIC)
    readable = [Run.visibility == PUBLIC, Run.fleet_id.in_(public_fleets)]
    if scope.every_fleet:
        readable.append(Run.fleet_id.in_(scope.every_fleet))
    if scope.machine_id is not None:
        readable.append(Run.machine_id == scope.machine_id)
    return or_(*readable)


def may_delete(reader: Asker) -> ColumnElement[bool]:
    """The condition on `runs` under which `reader` may delete a run: its owner or its fleet's."""
    if isinstance(reader, Member):
        return _may_delete(reader)
    if reader.scope == DEVICE:
        return exists().where(
            and_(
                Machine.machine_id == Run.machine_id,
                Machine.bound_token_id == reader.token_id,
            )
        )
    return Run.fleet_id == reader.fleet_id


def _may_delete(member: Member) -> ColumnElement[bool]:
    if not member.may_change:
        return false()
    if member.server_admin:
        return true()
    claimed = exists().where(
        and_(Machine.machine_id == Run.machine_id, Machine.claimed_by == member.person_id)
    )
    return or_(Run.fleet_id.in_(member.administers), and_(Run.fleet_id.is_(None), claimed))
