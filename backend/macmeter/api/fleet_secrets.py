"""A fleet's enrolment secrets, its devices, and machine ids that several Macs share."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query, Request
from pydantic import AwareDatetime, Field

from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.errors import invalid
from macmeter.fleets import devices, merging, shapes
from macmeter.plain_text import SEEN

router = Router(prefix="/api/v1/fleets/{fleet}", tags=["fleets"])

Label = Annotated[str, schemas.one_line(60), SEEN]


class AskedSecret(schemas.Input):
    """Without a quota any number of machines enrols, and without an end at any time."""

    name: Label
    quota: int | None = Field(None, ge=1, le=1_000_000)
    expires_at: AwareDatetime | None = None


class AskedUploader(schemas.Input):
    name: Label


class Settled(schemas.Input):
    """One Mac that lost its token, or several Macs that share an id."""

    are: Literal["one", "several"]


class DevicesParameters(schemas.Input):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/secrets")
async def get_secrets(fleet: str, part: ServerPart, person: Person) -> shapes.Secrets:
    """A fleet's enrolment secrets, newest first, by name."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return {"items": await devices.secrets_of(connection, place)}


@router.post("/secrets", status_code=201)
async def post_secret(
    fleet: str, body: AskedSecret, request: Request, part: ServerPart, person: Person
) -> shapes.NewSecret:
    """Create an enrolment secret: shown here, and never again."""
    place = person.changed(fleet)
    if body.expires_at is not None and body.expires_at <= datetime.now(UTC):
        raise invalid("/expires_at", "expires_at has passed. Choose a later time.")
    async with part.writing.begin() as connection:
        made, secret = await devices.create_secret(
            connection, place, by=person, **body.model_dump()
        )
    command = f"macmeter enroll --server {public_address(request, part)} --secret {secret}"
    return {**made, "secret": secret, "command": command}


@router.delete("/secrets/{secret_id}", status_code=204)
async def delete_secret(fleet: str, secret_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Revoke an enrolment secret. Machines that have enrolled with it stay enrolled."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await devices.revoke_secret(connection, place, secret_id, person)


@router.get("/devices")
async def get_devices(
    fleet: str, part: ServerPart, person: Person, asked: Annotated[DevicesParameters, Query()]
) -> shapes.Devices:
    """The tokens of a fleet's machines and uploaders, newest first, and when each was last used."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return await devices.devices_of(connection, place, asked.limit, asked.offset)


@router.post("/uploaders", status_code=201)
async def post_uploader(
    fleet: str, body: AskedUploader, part: ServerPart, person: Person
) -> shapes.NewUploader:
    """Make a token that writes runs of all machines of the fleet: shown here, and never again."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        return await devices.make_uploader(connection, place, body.name, person)


@router.post("/devices/{token_id}/rotation", status_code=204)
async def post_rotation(fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Revoke a device's token. A Mac that has the secret enrols again with its next upload."""
    await _end(fleet, token_id, part, person, for_good=False)


@router.delete("/devices/{token_id}", status_code=204)
async def delete_device(fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Revoke a device's token, and don't let its machine enrol again."""
    await _end(fleet, token_id, part, person, for_good=True)


async def _end(
    fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person, *, for_good: bool
) -> None:
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await devices.end(connection, place, token_id, person, for_good=for_good)


@router.get("/clones")
async def get_clones(fleet: str, part: ServerPart, person: Person) -> shapes.Clones:
    """Machine ids that enrolled without their token: re-imaged Macs, or copies of one image."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return {"items": await devices.clones_of(connection, place)}


@router.get("/merges")
async def get_merges(fleet: str, part: ServerPart, person: Person) -> shapes.Merges:
    """Machine ids that were merged, and pairs that may be one Mac: `former` fell silent, and
    `present` is the only one of its model that came within 30 days.
    """
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        likely = await merging.likely_of(connection, place, datetime.now(UTC))
        merged = await merging.merged_of(connection, place)
    return {"likely": likely, "merged": merged}


@router.put("/clones/{machine_id}", status_code=204)
async def put_clone(
    fleet: str, machine_id: uuid.UUID, body: Settled, part: ServerPart, person: Person
) -> None:
    """Say what a shared id is: one Mac may enrol again; each of several gets its own id."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await devices.settle_clone(connection, place, machine_id, body.are, person)
