"""All accounts of a server, for its admins."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import Query
from pydantic import Field

from macmeter.access import directory
from macmeter.access.people import Member, require_change
from macmeter.answers.exact import Exact
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.routing import Router
from macmeter.errors import Problem

router = Router(prefix="/api/v1/people", tags=["account"])


class PeopleParameters(schemas.Input):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


class PersonChanges(schemas.Input):
    server_admin: bool


class People(Exact):
    items: list[directory.PersonListed]
    total: int


@router.get("")
async def get_people(
    asked: Annotated[PeopleParameters, Query()], part: ServerPart, person: Person
) -> People:
    """Everybody with an account, their fleets, and when they were last here."""
    _require_admin(person)
    async with part.writing.connect() as connection:
        items, total = await directory.everybody(connection, asked.limit, asked.offset)
    return {"items": items, "total": total}


@router.patch("/{person_id}", status_code=204, responses=schemas.refusals(409))
async def patch_person(
    person_id: uuid.UUID, body: PersonChanges, part: ServerPart, person: Person
) -> None:
    """Make somebody the server's admin, or no longer. One always remains."""
    _require_admin(person)
    require_change(person)
    async with part.writing.begin() as connection:
        await directory.set_server_admin(connection, person_id, body.server_admin, person)


@router.delete("/{person_id}", status_code=204, responses=schemas.refusals(409))
async def delete_person(person_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Delete somebody's account. The last admin of a fleet, and of the server, is refused."""
    _require_admin(person)
    require_change(person)
    async with part.writing.begin() as connection:
        await directory.remove(connection, person_id, person)


def _require_admin(person: Member) -> None:
    if not person.server_admin:
        detail = "Only an admin of the server can see all accounts."
        raise Problem(403, "not_admin", "Not the server's admin", detail)
