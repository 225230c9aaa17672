"""Fleets: making, changing and deleting them, and who is in them.

`{fleet}` is a fleet's id or its name. To people without access, a fleet doesn't exist.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from fastapi import Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from macmeter.access.people import Member, Role, require_change
from macmeter.access.tokens import Visibility
from macmeter.api import schemas
from macmeter.api.dependencies import Person, Server, ServerPart
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.errors import Problem, invalid
from macmeter.fleets import fleets, people, shapes
from macmeter.fleets.names import Name

router = Router(prefix="/api/v1/fleets", tags=["fleets"])


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewFleet(_Body):
    name: Name


class FleetChanges(_Body):
    """What is absent stays. Going public needs consent to the licence; only an admin of the server
    says that a fleet is verified.
    """

    name: Name | None = None
    visibility: Visibility | None = None
    consent: bool = False
    verified: bool | None = None


class Deletion(_Body):
    """`name` confirms which; `runs` says what happens to its runs."""

    name: str = Field(description="the fleet's name, to confirm")
    runs: Literal["delete", "publish", "move"]
    to: str | None = Field(None, description="the fleet that runs and machines move to")
    consent: bool = Field(False, description="to the licence, for publish")


class RoleInFleet(_Body):
    role: Role


@router.get("", response_model=shapes.Fleets, responses=schemas.refusals(401, 403))
async def get_fleets(part: ServerPart, person: Person) -> Response:
    """One's own fleets, by name."""
    async with part.writing.connect() as connection:
        items = await fleets.fleets_of(connection, person)
    may_create = person.may_change and _may_create(person, part)
    return json_response({"items": items, "may_create": may_create})


@router.post(
    "",
    status_code=201,
    response_model=shapes.FleetTold,
    responses=schemas.refusals(400, 401, 403, 409, 422),
)
async def post_fleet(body: NewFleet, part: ServerPart, person: Person) -> Response:
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
        told = {
            "id": str(fleet_id),
            "name": body.name,
            "visibility": "private",
            "verified": False,
            "role": "admin",
            "machines": 0,
            "people": 1,
        }
        told["created_at"] = await fleets.created_at(connection, fleet_id)
    return json_response(told, 201)


def _may_create(person: Member, part: Server) -> bool:
    """A token for one fleet makes no other."""
    by_anybody = part.settings.fleets_by_anybody and not person.in_one_fleet
    return person.server_admin or by_anybody


@router.get(
    "/{fleet}", response_model=shapes.FleetTold, responses=schemas.refusals(401, 403, 404, 422)
)
async def get_fleet(fleet: str, part: ServerPart, person: Person) -> Response:
    """A fleet, and what one is in it."""
    place = person.place(fleet)
    async with part.writing.connect() as connection:
        return json_response(await fleets.one_fleet(connection, person, place))


@router.patch("/{fleet}", status_code=204, responses=schemas.refusals(400, 401, 403, 404, 409, 422))
async def patch_fleet(fleet: str, body: FleetChanges, part: ServerPart, person: Person) -> Response:
    """Rename a fleet, choose who reads it, or vouch for it."""
    place = person.changed(fleet)
    changes = fleets.Changes(body.name, body.visibility, body.consent, body.verified)
    async with part.writing.begin() as connection:
        await fleets.change(connection, place, changes, person)
    return Response(status_code=204)


@router.delete(
    "/{fleet}",
    response_model=shapes.Deleted,
    responses=schemas.refusals(401, 403, 404, 422),
)
async def delete_fleet(
    fleet: str, asked: Annotated[Deletion, Query()], part: ServerPart, person: Person
) -> Response:
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
    return json_response({"runs": counted})


@router.get(
    "/{fleet}/members",
    response_model=shapes.Members,
    responses=schemas.refusals(401, 403, 404, 422),
)
async def get_members(fleet: str, part: ServerPart, person: Person) -> Response:
    """Who is in a fleet."""
    place = person.place(fleet)
    async with part.writing.connect() as connection:
        return json_response({"items": await people.people_in(connection, place)})


@router.put(
    "/{fleet}/members/{person_id}",
    status_code=204,
    responses=schemas.refusals(400, 401, 403, 404, 409, 422),
)
async def put_role(
    fleet: str, person_id: uuid.UUID, body: RoleInFleet, part: ServerPart, person: Person
) -> Response:
    """Make somebody in a fleet its admin or a viewer."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await people.set_role(connection, place, person_id, body.role, person)
    return Response(status_code=204)


@router.delete(
    "/{fleet}/members/{person_id}",
    status_code=204,
    responses=schemas.refusals(401, 403, 404, 409, 422),
)
async def delete_member(
    fleet: str, person_id: uuid.UUID, part: ServerPart, person: Person
) -> Response:
    """Remove somebody from a fleet, or leave it."""
    place = person.place(fleet)
    if person_id == person.person_id:
        require_change(person)
    else:
        place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await people.remove(connection, place, person_id, person)
    return Response(status_code=204)
