"""The links that hold a fleet's runs, and taking the ids of its runs out of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request

from macmeter.api.dependencies import Person, ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.fleets import links, shapes

router = Router(prefix="/api/v1/fleets/{fleet}/links", tags=["fleets"])


@router.get("")
async def get_fleet_links(
    fleet: str, request: Request, part: ServerPart, person: Person
) -> shapes.FleetLinks:
    """The newest 200 links whose figures rest on runs of the fleet, and what they show now."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return {"items": await links.links_of(connection, place, public_address(request, part))}


@router.delete("/{link_id}/ids", status_code=204)
async def delete_link_ids(
    fleet: str,
    link_id: Annotated[str, Path(max_length=64)],
    part: ServerPart,
    person: Person,
) -> None:
    """Take the ids of the fleet's runs out of a link, for good. Figures of several Macs stay."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await links.take_ids_out(connection, place, link_id, person)
