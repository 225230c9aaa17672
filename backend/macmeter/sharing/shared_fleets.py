"""Links that show figures of a private fleet, because an admin of it has said yes.

Such a link shows figures of several machines together and names none of them. It lives only as long
as the fleet does, and as whoever made it is an admin of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import ADMIN, Member, Place, find_member
from macmeter.access.scope import named_places
from macmeter.errors import invalid
from macmeter.queries.question import Question

FEWEST_MACHINES = 5
# What would name a machine, whoever asks.
_OF_ONE = ("machine", "device")


@dataclass(frozen=True)
class Shared:
    """The fleets that a link shows, through the eyes of whoever made it."""

    by: Member
    """With the places of those fleets alone."""
    fewest_machines: int

    @property
    def fleet_ids(self) -> list[uuid.UUID]:
        return sorted(self.by.fleet_ids)


def named_by(questions: Iterable[Question], reader: Member) -> frozenset[Place]:
    """The reader's fleets, private to their members, that these questions name."""
    return named_places(reader, [question.where for question in questions])


def require_aggregates(questions: Iterable[Question]) -> None:
    """422 for a question whose answer would name machines."""
    for question in questions:
        for name in _OF_ONE:
            if name in question.by or any(term.dimension == name for term in question.where):
                raise invalid(
                    "/question",
                    f"A link to a private fleet's figures can't show single Macs: leave {name} "
                    "out.",
                    "names_machines",
                )


def shared(reader: Member, places: frozenset[Place], fewest_machines: int) -> Shared:
    """Share all these fleets as their admin; 422 for anybody else."""
    if any(place.role != ADMIN for place in places):
        raise invalid(
            "/question", "Only an admin of the fleet can share its figures.", "not_fleet_admin"
        )
    return Shared(replace(reader, server_admin=False, places=places), fewest_machines)


async def still_shared(
    connection: AsyncConnection,
    made_by: uuid.UUID | None,
    fleet_ids: Iterable[uuid.UUID],
    fewest_machines: int,
) -> Shared | None:
    """What may be shown now; None where a fleet is gone, or its owner is no longer its admin."""
    maker = await find_member(connection, made_by) if made_by is not None else None
    if maker is None or not set(fleet_ids) <= maker.administers:
        return None
    places = frozenset(place for place in maker.places if place.fleet_id in set(fleet_ids))
    return Shared(replace(maker, server_admin=False, places=places), fewest_machines)
