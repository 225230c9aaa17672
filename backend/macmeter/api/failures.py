"""What fails for one of many while the others go on, for the server's admins."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import isolation
from macmeter.alerts import deliveries
from macmeter.answers.exact import Exact
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.routing import Router
from macmeter.errors import Problem
from macmeter.models import Fleet

router = Router(prefix="/api/v1/failures", tags=["operation"])
_MOST = 200


class FailingItem(Exact):
    """What was done for `item` when it failed, and why. `of` says what the item is an id of.

    `name` is the fleet's; null where the item is none, or was deleted.
    """

    work: str
    of: Literal["run", "fleet"]
    item: str
    name: str | None
    reason: str
    attempts: int
    last_at: str | None
    retry_at: str | None


class Failures(Exact):
    """`total` is how many there are; `items` are the newest of them."""

    items: list[FailingItem]
    total: int


_OF: dict[str, Literal["run", "fleet"]] = {
    isolation.DOCUMENTS: "run",
    isolation.OUTLIERS: "run",
    isolation.ALERTS: "fleet",
    isolation.RETENTION: "fleet",
}


@router.get("")
async def get_failures(part: ServerPart, person: Person) -> Failures:
    """Runs that can't be read, fleets whose alerts fail, mails and webhooks that don't arrive: the
    newest 200 of what fails here, the next 200 to be sent again, and how many there are.
    """
    if not person.server_admin:
        raise Problem(
            403,
            "not_admin",
            "Not the server's admin",
            "Only an admin of the server can see what fails.",
        )
    async with part.writing.connect() as connection:
        failing = await isolation.failing(connection, _MOST)
        undelivered = await deliveries.undelivered(connection, _MOST)
        total = await isolation.how_many_in_all(connection)
        total += await deliveries.how_many_undelivered(connection)
        ids = [one.item for one in failing] + [str(one.fleet_id) for one in undelivered]
        names = await _names_of_fleets(connection, ids)
    items: list[FailingItem] = [
        {
            "work": one.work,
            "of": _OF[one.work],
            # Runs that are compared are known by their Mac as well.
            "item": one.item.rpartition("/")[2],
            "name": names.get(one.item),
            "reason": one.reason,
            "attempts": one.attempts,
            "last_at": one.last_at.isoformat(),
            "retry_at": one.retry_at.isoformat() if one.work in isolation.RETRIED else None,
        }
        for one in failing
    ]
    items += [
        {
            "work": one.work,
            "of": "fleet",
            "item": str(one.fleet_id),
            "name": names.get(str(one.fleet_id)),
            "reason": one.problem,
            "attempts": one.tries,
            "last_at": None,
            "retry_at": one.due_at.isoformat(),
        }
        for one in undelivered
    ]
    return {"items": items, "total": total}


async def _names_of_fleets(connection: AsyncConnection, ids: list[str]) -> dict[str, str]:
    """Names by id, of those among `ids` that are fleets."""
    fleet_id = cast(Fleet.fleet_id, Text)
    rows = await connection.execute(select(fleet_id, Fleet.name).where(fleet_id.in_(ids)))
    return {row[0]: row.name for row in rows}
