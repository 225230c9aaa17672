"""Enrolling a machine, in a fleet or by itself, as the agent asks for it."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Header, Request
from pydantic import StringConstraints

from macmeter.access import machine_secrets
from macmeter.access.enrolment import Applicant, Enrolled, enrol
from macmeter.api import schemas
from macmeter.api.credentials import bearer_secret
from macmeter.api.dependencies import ServerPart, spend_quota
from macmeter.api.edge.addresses import client_address
from macmeter.api.routing import Router
from macmeter.errors import Problem
from macmeter.fleets.shapes import Enrolment
from macmeter.ingest.accept import fleets_only

router = Router(prefix="/api/v1", tags=["enrolment"])


class Enrol(schemas.Input):
    """A fleet's secret or one for this machine alone, and who enrols with it. Without a fleet's the
    machine's runs are public.
    """

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    machine_id: uuid.UUID


async def present_token(request: Request) -> str | None:
    """The token that the machine has already, if any."""
    return bearer_secret(request)


PresentToken = Annotated[str | None, Depends(present_token)]


@router.post("/enroll", status_code=201, responses=schemas.refusals(403, 409, 429))
async def post_enroll(
    body: Enrol,
    request: Request,
    part: ServerPart,
    present: PresentToken,
    proof: Annotated[
        str | None,
        Header(
            alias="Macmeter-Proof",
            pattern=r"^[0-9a-f]{64}$",
            description="what the agent makes from its key for this server, kept as a hash",
        ),
    ] = None,
) -> Enrolment:
    """A token of this machine's own, for a fleet's secret or for public runs. What it had before is
    revoked.

    A machine that has a token shows it, which proves that it is the same one. One that lost it
    shows the proof that it sent before, or a secret that its owner made for it:
    `POST /machines/{machine_id}/secret`.
    """
    applicant = Applicant(body.secret, body.machine_id, present, proof)
    alone = body.secret is None or machine_secrets.is_one(body.secret)
    if alone and not part.settings.public_uploads:
        raise fleets_only("/secret")
    if body.secret is None:
        address = client_address(request, part.proxies)
        await spend_quota(request, part, address, "enrolments", part.settings.quota_enrolments)

    async def work() -> Enrolled | Problem:
        async with part.writing.begin() as connection:
            return await enrol(connection, applicant, datetime.now(UTC))

    try:
        enrolled = await part.herds.enrol(applicant, work)
    except Problem as problem:
        if problem.code == "secret_unknown":
            # Nobody guesses one; whoever tries is stopped all the same. Good ones are never slowed.
            address = client_address(request, part.proxies)
            await spend_quota(request, part, address, "secrets", part.settings.quota_guesses)
        raise
    return {
        "token": enrolled.token,
        "fleet": enrolled.fleet_name,
        "visibility": enrolled.visibility,
        "machine_id": str(applicant.machine_id),
    }
