"""A fleet's enrolment secrets, its devices, and machine ids that several Macs share."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart, public_address
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.errors import invalid
from macmeter.fleets import devices, duplicates, secrets, shapes
from macmeter.plain_text import SEEN

router = Router(prefix="/api/v1/fleets/{fleet}", tags=["fleets"])

Label = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$"
    ),
    SEEN,
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskedSecret(_Body):
    """Without a quota any number of machines enrols, and without an end at any time."""

    name: Label
    quota: int | None = Field(None, ge=1, le=1_000_000)
    expires_at: AwareDatetime | None = None


class AskedUploader(_Body):
    name: Label


class Settled(_Body):
    """One Mac that lost its token, or several Macs that share an id."""

    are: Literal["one", "several"]


class DevicesParameters(_Body):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get(
    "/secrets", response_model=shapes.Secrets, responses=schemas.refusals(401, 403, 404, 422)
)
async def get_secrets(fleet: str, part: ServerPart, person: Person) -> Response:
    """A fleet's enrolment secrets, newest first, by name."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return json_response({"items": await secrets.secrets_of(connection, place)})


@router.post(
    "/secrets",
    status_code=201,
    response_model=shapes.NewSecret,
    responses=schemas.refusals(400, 401, 403, 404, 422),
)
async def post_secret(
    fleet: str, body: AskedSecret, request: Request, part: ServerPart, person: Person
) -> Response:
    """Create an enrolment secret: shown here, and never again."""
    place = person.changed(fleet)
    if body.expires_at is not None and body.expires_at <= datetime.now(UTC):
        raise invalid("/expires_at", "expires_at has passed. Choose a later time.")
    limits = secrets.Limits(body.quota, body.expires_at)
    async with part.writing.begin() as connection:
        made, secret = await secrets.create(connection, place, body.name, limits, person)
    command = f"macmeter enroll --server {public_address(request, part)} --secret {secret}"
    told: shapes.NewSecret = {**made, "secret": secret, "command": command}
    return json_response(told, 201)


@router.delete(
    "/secrets/{secret_id}", status_code=204, responses=schemas.refusals(401, 403, 404, 422)
)
async def delete_secret(
    fleet: str, secret_id: uuid.UUID, part: ServerPart, person: Person
) -> Response:
    """Revoke an enrolment secret. Machines that have enrolled with it stay enrolled."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await secrets.revoke(connection, place, secret_id, person)
    return Response(status_code=204)


@router.get(
    "/devices", response_model=shapes.Devices, responses=schemas.refusals(401, 403, 404, 422)
)
async def get_devices(
    fleet: str, part: ServerPart, person: Person, asked: Annotated[DevicesParameters, Query()]
) -> Response:
    """The tokens of a fleet's machines and uploaders, newest first, and when each was last used."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        items, total = await devices.devices_of(connection, place, asked.limit, asked.offset)
    return json_response({"items": items, "total": total})


@router.post(
    "/uploaders",
    status_code=201,
    response_model=shapes.NewUploader,
    responses=schemas.refusals(400, 401, 403, 404, 422),
)
async def post_uploader(
    fleet: str, body: AskedUploader, part: ServerPart, person: Person
) -> Response:
    """Make a token that writes runs of all machines of the fleet: shown here, and never again."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        made = await devices.make_uploader(connection, place, body.name, person)
    return json_response(made, 201)


@router.post(
    "/devices/{token_id}/rotation",
    status_code=204,
    responses=schemas.refusals(401, 403, 404, 422),
)
async def post_rotation(
    fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person
) -> Response:
    """Revoke a device's token. A Mac that has the secret enrols again with its next upload."""
    return await _end(fleet, token_id, part, person, for_good=False)


@router.delete(
    "/devices/{token_id}", status_code=204, responses=schemas.refusals(401, 403, 404, 422)
)
async def delete_device(
    fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person
) -> Response:
    """Revoke a device's token, and don't let its machine enrol again."""
    return await _end(fleet, token_id, part, person, for_good=True)


async def _end(
    fleet: str, token_id: uuid.UUID, part: ServerPart, person: Person, *, for_good: bool
) -> Response:
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await devices.end(connection, place, token_id, person, for_good=for_good)
    return Response(status_code=204)


@router.get("/clones", response_model=shapes.Clones, responses=schemas.refusals(401, 403, 404, 422))
async def get_clones(fleet: str, part: ServerPart, person: Person) -> Response:
    """Machine ids that enrolled without their token: re-imaged Macs, or copies of one image."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return json_response({"items": await devices.clones_of(connection, place)})


@router.get("/merges", response_model=shapes.Merges, responses=schemas.refusals(401, 403, 404, 422))
async def get_merges(fleet: str, part: ServerPart, person: Person) -> Response:
    """Machine ids that were merged, and pairs that may be one Mac: `former` fell silent, and
    `present` is the only one of its model that came within 30 days.
    """
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        likely = await duplicates.likely_of(connection, place, datetime.now(UTC))
        merged = await duplicates.merged_of(connection, place)
    return json_response({"likely": likely, "merged": merged})


@router.put(
    "/clones/{machine_id}",
    status_code=204,
    responses=schemas.refusals(400, 401, 403, 404, 422),
)
async def put_clone(
    fleet: str, machine_id: uuid.UUID, body: Settled, part: ServerPart, person: Person
) -> Response:
    """Say what a shared id is: one Mac may enrol again; each of several gets its own id."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await devices.settle_clone(connection, place, machine_id, body.are, person)
    return Response(status_code=204)
