"""Enrolment of machines; a fleet's secrets, devices, and machine ids that several Macs share."""

import re
import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Depends, Header, Query, Request
from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints

from macmeter.accounts.one_time_links import is_for_one_mac
from macmeter.fleets import devices, merging, schemas
from macmeter.fleets.enrolment import Applicant, Enrolled, enrol
from macmeter.fleets.machines import MachineName
from macmeter.fleets.refused_enrolments import note_refused
from macmeter.fleets.schemas import Enrolment
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Input, one_line
from macmeter.runs.accept import fleets_only
from macmeter.server.dependencies import (
    CurrentServer,
    Person,
    bearer_secret,
    public_address,
    spend_quota,
)
from macmeter.server.http.hosts import client_address
from macmeter.server.http.routing import Router, refusals

agents = Router(prefix="/api/v1", tags=["enrolment"])
router = Router(prefix="/api/v1/fleets/{fleet}", tags=["fleets"])

DisplayName = Annotated[str, one_line(60), VISIBLE]


class AskedSecret(Input):
    """A new secret.

    Without a quota any number of machines can enrol, without an end at any time.
    """

    name: DisplayName
    quota: int | None = Field(None, ge=1, le=1_000_000)
    expires_at: AwareDatetime | None = None


class AskedUploader(Input):
    name: DisplayName


class Settled(Input):
    """Decision on a shared id: one Mac that lost its token, or several Macs."""

    are: Literal["one", "several"]


class DevicesParameters(Input):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/secrets")
async def get_secrets(fleet: str, server: CurrentServer, person: Person) -> schemas.Secrets:
    """List a fleet's enrolment secrets, newest first: their names, not their text."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        return {"items": await devices.secrets_of(connection, access)}


@router.post("/secrets", status_code=201)
async def post_secret(
    fleet: str, body: AskedSecret, request: Request, server: CurrentServer, person: Person
) -> schemas.NewSecret:
    """Create an enrolment secret. It is shown only here."""
    access = person.changeable_fleet(fleet)
    if body.expires_at is not None and body.expires_at <= datetime.now(UTC):
        raise invalid("/expires_at", "expires_at has passed. Choose a later time.")
    async with server.writing.begin() as connection:
        created, secret = await devices.create_secret(
            connection, access, by=person, **body.model_dump()
        )
    command = f"macmeter enroll --server {public_address(request, server)} --secret {secret}"
    return {**created, "secret": secret, "command": command}


@router.delete("/secrets/{secret_id}", status_code=204)
async def delete_secret(
    fleet: str, secret_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Revoke an enrolment secret. Machines that have enrolled with it stay enrolled."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await devices.revoke_secret(connection, access, secret_id, person)


@router.get("/devices")
async def get_devices(
    fleet: str, server: CurrentServer, person: Person, query: Annotated[DevicesParameters, Query()]
) -> schemas.Devices:
    """List the tokens of a fleet's machines and uploaders, newest first, with their last use."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        return await devices.devices_of(connection, access, query.limit, query.offset)


@router.post("/uploaders", status_code=201)
async def post_uploader(
    fleet: str, body: AskedUploader, server: CurrentServer, person: Person
) -> schemas.NewUploader:
    """Create a token that writes runs of all machines of the fleet. It is shown only here."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        return await devices.create_uploader(connection, access, body.name, person)


@router.post("/devices/{token_id}/rotation", status_code=204)
async def post_rotation(
    fleet: str, token_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Revoke a device's token. A Mac that has the secret enrols again with its next upload."""
    await _revoke(fleet, token_id, server, person, bar_machine=False)


@router.delete("/devices/{token_id}", status_code=204)
async def delete_device(
    fleet: str, token_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Revoke a device's token, and bar its machine from enrolling again."""
    await _revoke(fleet, token_id, server, person, bar_machine=True)


async def _revoke(
    fleet: str, token_id: uuid.UUID, server: CurrentServer, person: Person, *, bar_machine: bool
) -> None:
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await devices.revoke_token(connection, access, token_id, person, bar_machine=bar_machine)


@router.get("/clones")
async def get_clones(fleet: str, server: CurrentServer, person: Person) -> schemas.Clones:
    """List machine ids that enrolled without their token: re-imaged Macs or copies of one image."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        return {"items": await devices.clones_of(connection, access)}


@router.get("/merges")
async def get_merges(fleet: str, server: CurrentServer, person: Person) -> schemas.Merges:
    """List machine ids that were merged, and pairs that may be one Mac.

    Of a pair, `former` fell silent, and `present` is the only one of its model that came within 30
    days.
    """
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        likely = await merging.likely_of(connection, access, datetime.now(UTC))
        merged = await merging.merged_of(connection, access)
    return {"likely": likely, "merged": merged}


@router.put("/clones/{machine_id}", status_code=204)
async def put_clone(
    fleet: str, machine_id: uuid.UUID, body: Settled, server: CurrentServer, person: Person
) -> None:
    """Decide what a shared id is: one Mac may enrol again; each of several gets its own id."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await devices.settle_clone(connection, access, machine_id, body.are, person)


# As MDMs write them in profiles: $COMPUTERNAME, {{name}}, %ComputerName%, ${name}.
_VARIABLE = re.compile(r"\$[A-Z_]{3,}|\$?\{\{?[^{}]+\}|%[A-Za-z_]{3,}%")


def _without_variables(name: str) -> str:
    """Return the name; empty if the MDM didn't replace a variable in it."""
    return "" if _VARIABLE.search(name) else name


class Enrol(Input):
    """A machine, and a secret of a fleet or for this machine alone.

    Without a fleet's secret, the machine's runs are public, and it has no name.
    """

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    machine_id: uuid.UUID
    name: Annotated[MachineName, AfterValidator(_without_variables)] | None = Field(
        None,
        description="for the readers of its fleet; left out if an MDM left a variable in it",
    )


async def current_token(request: Request) -> str | None:
    """Return the token that the machine already has, if any."""
    return bearer_secret(request)


CurrentToken = Annotated[str | None, Depends(current_token)]


@agents.post("/enroll", status_code=201, responses=refusals(403, 409, 429))
async def post_enroll(
    body: Enrol,
    request: Request,
    server: CurrentServer,
    current: CurrentToken,
    proof: Annotated[
        str | None,
        Header(
            alias="Macmeter-Proof",
            pattern=r"^[0-9a-f]{64}$",
            description="what the agent makes from its key for this server, kept as a hash",
        ),
    ] = None,
) -> Enrolment:
    """Enrol a machine: give it a token of its own, for a fleet's secret or for public runs.

    Its former token is revoked.

    A machine that has a token shows it, which proves that it is the same one. One that lost it
    shows the proof that it sent before, or a secret that its owner made for it: `POST
    /machines/{machine_id}/secret`.
    """
    applicant = Applicant(body.secret, body.machine_id, current, proof, body.name)
    is_outside_fleets = body.secret is None or is_for_one_mac(body.secret)
    if is_outside_fleets and not server.settings.public_uploads:
        raise fleets_only("/secret")
    if body.secret is None:
        address = client_address(request, server.proxies)
        await spend_quota(request, server, address, "enrolments", server.settings.quota_enrolments)

    async def enrol_in_transaction() -> Enrolled | Problem:
        async with server.writing.begin() as connection:
            return await enrol(connection, applicant, datetime.now(UTC))

    try:
        enrolled = await server.throttle.enrol(applicant, enrol_in_transaction)
    except Problem as problem:
        if problem.code == "secret_unknown":
            # Nobody can guess a secret, but trying is limited. Valid ones are never slowed down.
            address = client_address(request, server.proxies)
            await spend_quota(request, server, address, "secrets", server.settings.quota_guesses)
        elif body.secret is not None and problem.status == 403:
            now = datetime.now(UTC)
            await note_refused(server.writing, body.secret, body.machine_id, problem, now)
        raise
    return {
        "token": enrolled.token,
        "fleet": enrolled.fleet_name,
        "visibility": enrolled.visibility,
        "machine_id": str(applicant.machine_id),
    }
