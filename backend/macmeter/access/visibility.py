"""The one place that says which runs are in a scope. No query of runs without it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, or_, select

from macmeter.access.scope import Scope
from macmeter.access.tokens import DEVICE, Bearer
from macmeter.models import Fleet, Machine, Run

PUBLIC = "public"
# Of a run in a fleet: whoever reads the fleet reads it, and everybody while the fleet is public.
PRIVATE = "private"

# A signed-out reader, a shared link, a crawler.
ANYBODY: Bearer | None = None


def visible(scope: Scope) -> ColumnElement[bool]:
    """The condition on `runs` under which a run is in `scope`.

    The commons are what is public by itself and what belongs to a fleet that is public now.
    """
    public_fleets = select(Fleet.fleet_id).where(Fleet.visibility == PUBLIC)
    readable = [Run.visibility == PUBLIC, Run.fleet_id.in_(public_fleets)]
    if scope.fleet_ids:
        readable.append(Run.fleet_id.in_(scope.fleet_ids))
    if scope.machine_id is not None:
        readable.append(Run.machine_id == scope.machine_id)
    return or_(*readable)


def may_delete(reader: Bearer) -> ColumnElement[bool]:
    """The condition on `runs` under which `reader` may delete a run: its owner or its fleet's."""
    if reader.scope == DEVICE:
        return exists().where(
            and_(
                Machine.machine_id == Run.machine_id,
                Machine.bound_token_id == reader.token_id,
            )
        )
    return Run.fleet_id == reader.fleet_id
