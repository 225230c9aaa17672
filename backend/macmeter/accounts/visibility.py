"""The rule that decides which runs are in a scope. Every query of runs applies it."""

import uuid
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import ARRAY, ColumnElement, Uuid, and_, any_, cast, literal, or_, select
from sqlalchemy.types import NullType, TypeEngine

from macmeter.accounts.scope import Principal, Scope
from macmeter.models import Fleet, Run

PUBLIC: Final = "public"
# A fleet's run: readable by the fleet's readers, and by everybody while the fleet is public.
PRIVATE = "private"

# A signed-out reader, a shared link, a crawler.
ANYBODY: Principal | None = None


def among(column: Any, ids: frozenset[uuid.UUID]) -> ColumnElement[bool]:
    """Condition on an id for being one of these, of which there may be thousands."""
    condition: ColumnElement[bool] = column == any_(array_of(ids, Uuid()))
    return condition


def array_of(ids: frozenset[Any], kind: TypeEngine[Any]) -> ColumnElement[Any]:
    """Parameter with these ids as an array, written once for all statements: the driver takes 3 us
    for each id.
    """
    return cast(literal(_array_literal(ids), NullType()), ARRAY(kind))


@lru_cache(maxsize=64)
def _array_literal(ids: frozenset[Any]) -> str:
    return f"{{{','.join(map(str, ids))}}}"


def visible(scope: Scope) -> ColumnElement[bool]:
    """Condition on `runs` for being in `scope`.

    The commons are runs that are public themselves, and runs of fleets that are public now.
    """
    public_fleets = select(Fleet.fleet_id).where(Fleet.visibility == PUBLIC)
    readable = [Run.visibility == PUBLIC, Run.fleet_id.in_(public_fleets)]
    widest = scope.of_named_item
    if widest.fleet_ids:
        readable.append(Run.fleet_id.in_(widest.fleet_ids))
    for fleet_id, machine_ids in widest.macs:
        matches = among(Run.machine_id, machine_ids)
        readable.append(matches if fleet_id is None else and_(matches, Run.fleet_id == fleet_id))
    return or_(*readable)
