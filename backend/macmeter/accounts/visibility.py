"""Decides which runs are in a scope. Every query of runs uses it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, or_, select

from macmeter.accounts.scope import Asker, Scope
from macmeter.models import Fleet, Run

PUBLIC: Final = "public"
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
