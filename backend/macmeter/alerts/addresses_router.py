"""Endpoints for the mail addresses that get a fleet's alerts."""

import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Request
from pydantic import Field

from macmeter.accounts.audit import note
from macmeter.accounts.quota import spend_mail
from macmeter.accounts.scope import require_admin, seen_fleet
from macmeter.alerts import addresses, schemas
from macmeter.alerts.groups import group_of
from macmeter.platform import mail
from macmeter.platform.errors import Problem
from macmeter.platform.isolation import Isolated
from macmeter.platform.outbound import OutboundThreads
from macmeter.platform.plain_text import plain_name
from macmeter.platform.schema import Input
from macmeter.server.dependencies import CurrentServer, Person, public_address
from macmeter.server.http.hosts import client_address
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1", tags=["alerts"])
_MAILS = OutboundThreads("confirmations", 4)
# Page that confirms an address; the secret is in the fragment, which browsers send to nobody.
_PAGE = "/confirm-address"


class AddressAsked(Input):
    email: Annotated[str, mail.ADDRESS] = Field(max_length=mail.MAX_ADDRESS_LENGTH)
    where: str = Field("", max_length=500, description="for a group of Macs: label:KEY:VALUE")


class AddressSecret(Input):
    secret: str = Field(max_length=200)


@router.get("/fleets/{fleet}/alert-addresses")
async def get_alert_addresses(
    fleet: str, server: CurrentServer, person: Person
) -> schemas.AlertAddresses:
    """List the addresses that get a fleet's alerts."""
    async with server.reading.connect() as connection:
        access = await seen_fleet(connection, person, fleet)
        require_admin(person, access.fleet_id, "sees its addresses")
        return {"items": await addresses.addresses_of(connection, access.fleet_id)}


@router.post("/fleets/{fleet}/alert-addresses", status_code=201, responses=refusals(409, 429))
async def post_alert_address(
    fleet: str, body: AddressAsked, request: Request, server: CurrentServer, person: Person
) -> schemas.NewAlertAddress:
    """Add an address; alerts start once it is confirmed.

    Adding it again sends another mail. `mail_problem` says why the mail could not be sent.
    """
    now, settings, group = datetime.now(UTC), server.settings, group_of(body.where, "/where")
    async with server.writing.begin() as connection:
        access = await seen_fleet(connection, person, fleet)
        require_admin(person, access.fleet_id, "adds addresses")
        if settings.smtp_host is None:
            detail = "This server sends no mail: SMTP_HOST is not set."
            raise Problem(409, "no_mail", "No mail", detail)
        sender = client_address(request, server.proxies)
        refusal = await spend_mail(connection, settings, sender, body.email, now)
    if refusal is not None:
        raise refusal
    async with server.writing.begin() as connection:
        fleet_id, arguments = access.fleet_id, (body.email, now, group)
        address_id, secret = await addresses.add_address(connection, fleet_id, *arguments)
        await note(connection, person, "address.add", fleet_id, email=body.email)
    link = f"{public_address(request, server)}{_PAGE}#{secret}"
    fleet_label = f"{access.name}, {group}," if group is not None else access.name
    subject, text = _confirmation_mail(person.name, fleet_label, link)
    mails = Isolated("mail")
    with mails.item(address_id):
        await _MAILS.wait(mail.send, settings, body.email, subject, text)
    problem = mails.failed.get(str(address_id))
    return {"id": str(address_id), "email": body.email, "mail_problem": problem}


@router.delete("/fleets/{fleet}/alert-addresses/{address_id}", status_code=204)
async def delete_alert_address(
    fleet: str, address_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Delete an address, which then gets no more alerts."""
    async with server.writing.begin() as connection:
        access = await seen_fleet(connection, person, fleet)
        require_admin(person, access.fleet_id, "deletes addresses")
        await addresses.delete_address(connection, access.fleet_id, address_id)
        await note(connection, person, "address.delete", access.fleet_id, address=str(address_id))


@router.post("/alert-addresses/confirmation", responses=refusals(404))
async def confirm_alert_address(
    body: AddressSecret, server: CurrentServer
) -> schemas.ConfirmedAddress:
    """Confirm an address with the secret that was mailed to it. Nobody has to be signed in."""
    async with server.writing.begin() as connection:
        return await addresses.confirm(connection, body.secret, datetime.now(UTC))


def _confirmation_mail(admin: str, fleet: str, link: str) -> tuple[str, str]:
    """Subject and text of the mail, which the server sends and which names the admin."""
    admin, fleet = plain_name(admin), plain_name(fleet)
    text = (
        f"{admin} wants to send the alerts of the fleet {fleet} to this address. "
        f"To agree, open this link:\n\n{link}\n\n"
        f"It works for {addresses.LIFETIME.days} days. If you don't agree, ignore this mail: "
        "nothing else will come.\n"
    )
    return f"Confirm this address for alerts of {fleet}", text
