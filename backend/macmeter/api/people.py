"""All accounts of a server, for its admins."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from macmeter.access import directory
from macmeter.access.people import Member, require_change
from macmeter.answers.exact import exact
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.errors import Problem

router = Router(prefix="/api/v1/people", tags=["account"])


class PeopleParameters(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


class PersonChanges(BaseModel):
    model_config = ConfigDict(extra="forbid")

    server_admin: bool


@exact
class People(TypedDict):
    items: list[directory.PersonListed]
    total: int


@router.get("", response_model=People, responses=schemas.refusals(401, 403, 422))
async def get_people(
    asked: Annotated[PeopleParameters, Query()], part: ServerPart, person: Person
) -> Response:
    """Everybody with an account, their fleets, and when they were last here."""
    _require_admin(person)
    async with part.writing.connect() as connection:
        items, total = await directory.everybody(connection, asked.limit, asked.offset)
    told: People = {"items": items, "total": total}
    return json_response(told)


@router.patch(
    "/{person_id}", status_code=204, responses=schemas.refusals(400, 401, 403, 404, 409, 422)
)
async def patch_person(
    person_id: uuid.UUID, body: PersonChanges, part: ServerPart, person: Person
) -> Response:
    """Make somebody the server's admin, or no longer. One always remains."""
    _require_admin(person)
    require_change(person)
    async with part.writing.begin() as connection:
        await directory.set_server_admin(connection, person_id, body.server_admin, person)
    return Response(status_code=204)


@router.delete("/{person_id}", status_code=204, responses=schemas.refusals(401, 403, 404, 409, 422))
async def delete_person(person_id: uuid.UUID, part: ServerPart, person: Person) -> Response:
    """Delete somebody's account. The last admin of a fleet, and of the server, is refused."""
    _require_admin(person)
    require_change(person)
    async with part.writing.begin() as connection:
        await directory.remove(connection, person_id, person)
    return Response(status_code=204)


def _require_admin(person: Member) -> None:
    if not person.server_admin:
        detail = "Only an admin of the server can see all accounts."
        raise Problem(403, "not_admin", "Not the server's admin", detail)
