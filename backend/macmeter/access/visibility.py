"""The one place that decides which runs a reader may see. No query of runs without it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, or_

from macmeter.access.tokens import DEVICE, Bearer
from macmeter.models import Machine, Run

PUBLIC = "public"

# A signed-out reader, a shared link, a crawler.
ANYBODY: Bearer | None = None


def visible(reader: Bearer | None) -> ColumnElement[bool]:
    """The condition on `runs` under which `reader` may see a run."""
    public = Run.visibility == PUBLIC
    if reader is None:
        return public
    if reader.scope == DEVICE:
        own = exists().where(
            and_(
                Machine.machine_id == Run.machine_id,
                Machine.bound_token_id == reader.token_id,
            )
        )
        return or_(public, own)
    return or_(public, Run.fleet_id == reader.fleet_id)


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
