"""The rule that decides which runs are in a scope. Every query of runs applies it."""

from typing import Final

from sqlalchemy import ColumnElement, or_, select

from macmeter.accounts.scope import Principal, Scope
from macmeter.models import Fleet, Run

PUBLIC: Final = "public"
# A fleet's run: readable by the fleet's readers, and by everybody while the fleet is public.
PRIVATE = "private"

# A signed-out reader, a shared link, a crawler.
ANYBODY: Principal | None = None


def visible(scope: Scope) -> ColumnElement[bool]:
    """Condition on `runs` for being in `scope`.

    The commons are runs that are public themselves, and runs of fleets that are public now.
    """
    public_fleets = select(Fleet.fleet_id).where(Fleet.visibility == PUBLIC)
    readable = [Run.visibility == PUBLIC, Run.fleet_id.in_(public_fleets)]
    if scope.every_fleet:
        readable.append(Run.fleet_id.in_(scope.every_fleet))
    if scope.machine_id is not None:
        readable.append(Run.machine_id == scope.machine_id)
    return or_(*readable)
