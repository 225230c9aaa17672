"""Fleets: making, changing and deleting them, who is in them, and links that hold their runs.

`{fleet}` is a fleet's id or its name. To people without access, a fleet doesn't exist.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import Field

from macmeter.access.people import ADMIN, Member, Role, require_change
from macmeter.access.tokens import Visibility
from macmeter.api import schemas
from macmeter.api.dependencies import Person, Server, ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.errors import Problem, invalid
from macmeter.fleets import fleets, links, shapes
from macmeter.fleets.fleets import Name

router = Router(prefix="/api/v1/fleets", tags=["fleets"])


class NewFleet(schemas.Input):
    name: Name


class FleetChanges(schemas.Input):
    """What is absent stays. Going public needs consent to the licence; only an admin of the server
    says that a fleet is verified.
    """

    name: Name | None = None
    visibility: Visibility | None = None
    consent: bool = False
    verified: bool | None = None


class Deletion(schemas.Input):
    """`name` confirms which; `runs` says what happens to its runs."""

    name: str = Field(description="the fleet's name, to confirm")
    runs: Literal["delete", "publish", "move"]
    to: str | None = Field(None, description="the fleet that runs and machines move to")
    consent: bool = Field(False, description="to the licence, for publish")


class RoleInFleet(schemas.Input):
    role: Role


@router.get("")
async def get_fleets(part: ServerPart, person: Person) -> shapes.Fleets:
    """One's own fleets, by name."""
    async with part.writing.connect() as connection:
        items = await fleets.fleets_of(connection, person.roles)
    may_create = person.may_change and _may_create(person, part)
    return {"items": items, "may_create": may_create}


@router.post("", status_code=201, responses=schemas.refusals(409))
async def post_fleet(body: NewFleet, part: ServerPart, person: Person) -> shapes.FleetTold:
    """Create a private fleet and be its admin."""
    require_change(person)
    if not _may_create(person, part):
        raise Problem(
            403,
            "not_server_admin",
            "Not the server's admin",
            "Only an admin of this server can create fleets. FLEETS_BY_ANYBODY=1 allows "
            "everybody to.",
        )
    async with part.writing.begin() as connection:
        fleet_id = await fleets.create(connection, body.name, person)
        (made,) = await fleets.fleets_of(connection, {fleet_id: ADMIN})
    return made


def _may_create(person: Member, part: Server) -> bool:
    """A token for one fleet makes no other."""
    by_anybody = part.settings.fleets_by_anybody and not person.in_one_fleet
    return person.server_admin or by_anybody


@router.get("/{fleet}")
async def get_fleet(fleet: str, part: ServerPart, person: Person) -> shapes.FleetTold:
    """A fleet, and what one is in it."""
    place = person.place(fleet)
    async with part.writing.connect() as connection:
        (found,) = await fleets.fleets_of(connection, {place.fleet_id: place.role})
    return found


@router.patch("/{fleet}", status_code=204, responses=schemas.refusals(409))
async def patch_fleet(fleet: str, body: FleetChanges, part: ServerPart, person: Person) -> None:
    """Rename a fleet, choose who reads it, or vouch for it."""
    place = person.changed(fleet)
    changes = fleets.Changes(body.name, body.visibility, body.consent, body.verified)
    async with part.writing.begin() as connection:
        await fleets.change(connection, place, changes, person)


@router.delete("/{fleet}")
async def delete_fleet(
    fleet: str, asked: Annotated[Deletion, Query()], part: ServerPart, person: Person
) -> shapes.Deleted:
    """Delete a fleet: its runs are deleted, published, or move to another fleet of one's own."""
    place = person.changed(fleet)
    if asked.name != place.fleet_name:
        raise invalid("?name", "To confirm, repeat the fleet's exact name.", "not_confirmed")
    if (asked.to is None) is (asked.runs == "move"):
        raise invalid(
            "?to", "to names the fleet that runs move to. Send it with runs=move, and only then."
        )
    to = person.changed(asked.to) if asked.to is not None else None
    if to == place:
        raise invalid("?to", "to must be another fleet: the runs are already in this one.")
    if asked.runs == "publish":
        fleets.require_consent(asked.consent)
    async with part.writing.begin() as connection:
        counted = await fleets.remove(connection, place, asked.runs, person, to=to)
    return {"runs": counted}


@router.get("/{fleet}/members")
async def get_members(fleet: str, part: ServerPart, person: Person) -> shapes.Members:
    """Who is in a fleet."""
    place = person.place(fleet)
    async with part.writing.connect() as connection:
        return {"items": await fleets.people_in(connection, place)}


@router.put("/{fleet}/members/{person_id}", status_code=204, responses=schemas.refusals(409))
async def put_role(
    fleet: str, person_id: uuid.UUID, body: RoleInFleet, part: ServerPart, person: Person
) -> None:
    """Make somebody in a fleet its admin or a viewer."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await fleets.set_role(connection, place, person_id, body.role, person)


@router.delete("/{fleet}/members/{person_id}", status_code=204, responses=schemas.refusals(409))
async def delete_member(fleet: str, person_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Remove somebody from a fleet, or leave it."""
    place = person.place(fleet)
    if person_id == person.person_id:
        require_change(person)
    else:
        place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await fleets.remove_member(connection, place, person_id, person)


@router.get("/{fleet}/links")
async def get_fleet_links(
    fleet: str, request: Request, part: ServerPart, person: Person
) -> shapes.FleetLinks:
    """The newest 200 links whose figures rest on runs of the fleet, and what they show now."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return {"items": await links.links_of(connection, place, public_address(request, part))}


@router.delete("/{fleet}/links/{link_id}/ids", status_code=204)
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
