"""Alerts of the fleets that the reader may see, and where a fleet's alerts are sent."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import note
from macmeter.accounts.people import Member, require_change
from macmeter.accounts.quota import spend_webhook
from macmeter.accounts.scope import (
    Principal,
    SeenFleet,
    require_admin,
    seen_fleet,
    seen_fleets,
    seen_part,
)
from macmeter.alerts import actions, deliveries, destinations, schemas, sending
from macmeter.alerts.groups import group_of, group_seen
from macmeter.alerts.webhooks import post, require_public
from macmeter.platform.atom import MEDIA_TYPE
from macmeter.platform.errors import invalid
from macmeter.platform.isolation import Isolated
from macmeter.platform.outbound import OutboundThreads
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Input, several_lines
from macmeter.server.dependencies import CurrentServer, Person, Reader, Server, public_address
from macmeter.server.http.routing import Router, refusals, sends

router = Router(prefix="/api/v1", tags=["alerts"])


class Comment(Input):
    """A comment on an alert."""

    text: Annotated[str, several_lines(2000), VISIBLE]


class MuteAsked(Input):
    """A mute, and the reason for those who wonder later."""

    days: int = Field(ge=1, le=365, description="for so many days from now")
    why: Annotated[str, several_lines(500), VISIBLE]


class OwnerAsked(Input):
    person_id: uuid.UUID = Field(description="a member of the alert's fleet")


GROUP = Field("", max_length=500, description="for a group of Macs: label:KEY:VALUE")


class AlertsParameters(Input):
    fleet: str | None = Field(None, max_length=200, description="of this fleet, by id or name")
    where: str = Field(
        "", max_length=500, description="of a group of the fleet's Macs: label:KEY:VALUE"
    )
    state: schemas.State | None = None
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/alerts", responses=refusals(404))
async def get_alerts(
    server: CurrentServer, reader: Reader, query: Annotated[AlertsParameters, Query()]
) -> schemas.Alerts:
    """List the alerts of all your fleets, or of one of them, newest first."""
    async with server.reading.connect() as connection:
        return await _alerts_page(connection, reader, query)


async def _alerts_page(
    connection: AsyncConnection, reader: Principal | None, parameters: AlertsParameters
) -> schemas.Alerts:
    scope: actions.VisibleMachines = seen_fleets(reader)
    group = group_of(parameters.where)
    if parameters.fleet is not None:
        fleet = await seen_part(connection, reader, parameters.fleet)
        scope = {fleet.fleet_id: fleet.machine_ids}
        group = group_seen(fleet, parameters.where)
        if fleet.machine_ids is not None:
            group = None  # there are no others, so nothing is said about how many are in it
    elif group is not None:
        raise invalid("?where", "Say which fleet the group is in: fleet=NAME.", "no_fleet")
    query = actions.AlertQuery(parameters.state, group, parameters.limit, parameters.offset)
    return await actions.alerts_page(connection, scope, query)


@router.get("/alerts.atom", response_class=Response, responses=sends(MEDIA_TYPE) | refusals(404))
async def get_alerts_feed(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    query: Annotated[AlertsParameters, Query()],
) -> Response:
    """Return the same as an Atom feed, for programs with a person's token."""
    async with server.reading.connect() as connection:
        page = await _alerts_page(connection, reader, query)
    feed = actions.atom_feed(page["items"], public_address(request, server), datetime.now(UTC))
    return Response(feed, media_type=MEDIA_TYPE, headers={"Cache-Control": "private, no-cache"})


@router.get("/alerts/{alert_id}")
async def get_alert(alert_id: uuid.UUID, server: CurrentServer, reader: Reader) -> schemas.Alert:
    """Return one alert, with the machines that it concerns."""
    async with server.reading.connect() as connection:
        return await actions.one_alert(connection, alert_id, seen_fleets(reader))


@router.put("/alerts/{alert_id}/acknowledgement", status_code=204)
async def put_acknowledgement(alert_id: uuid.UUID, server: CurrentServer, person: Person) -> None:
    """Acknowledge an alert: it needs no more attention until there is news in it."""
    async with server.writing.begin() as connection:
        fleet_id = await actions.acknowledge(connection, alert_id, person, datetime.now(UTC))
        await note(connection, person, "alert.acknowledge", fleet_id, alert=str(alert_id))


@router.delete("/alerts/{alert_id}/acknowledgement", status_code=204)
async def delete_acknowledgement(
    alert_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Reopen an alert."""
    async with server.writing.begin() as connection:
        fleet_id = await actions.reopen(connection, alert_id, person)
        await note(connection, person, "alert.reopen", fleet_id, alert=str(alert_id))


@router.put("/alerts/{alert_id}/mute", status_code=204)
async def put_mute(
    alert_id: uuid.UUID, body: MuteAsked, server: CurrentServer, person: Person
) -> None:
    """Mute an alert: nothing about it is sent. If it still holds then, it is sent again."""
    now = datetime.now(UTC)
    async with server.writing.begin() as connection:
        until = now + timedelta(days=body.days)
        fleet_id = await actions.mute(connection, alert_id, person, body.why, until)
        details = {"alert": str(alert_id), "days": body.days, "why": body.why}
        await note(connection, person, "alert.mute", fleet_id, **details)


@router.delete("/alerts/{alert_id}/mute", status_code=204)
async def delete_mute(alert_id: uuid.UUID, server: CurrentServer, person: Person) -> None:
    """Unmute an alert."""
    async with server.writing.begin() as connection:
        fleet_id = await actions.unmute(connection, alert_id, person)
        await note(connection, person, "alert.unmute", fleet_id, alert=str(alert_id))


@router.put("/alerts/{alert_id}/owner", status_code=204)
async def put_alert_owner(
    alert_id: uuid.UUID, body: OwnerAsked, server: CurrentServer, person: Person
) -> None:
    """Assign an alert to a member of its fleet, who gets a mail if they have an address."""
    await _assign(server, alert_id, person, body.person_id)


@router.delete("/alerts/{alert_id}/owner", status_code=204)
async def delete_alert_owner(alert_id: uuid.UUID, server: CurrentServer, person: Person) -> None:
    """Assign an alert to nobody."""
    await _assign(server, alert_id, person, None)


async def _assign(
    server: Server, alert_id: uuid.UUID, by: Member, person_id: uuid.UUID | None
) -> None:
    async with server.writing.begin() as connection:
        fleet_id = await actions.assign(connection, alert_id, by, person_id)
        if person_id is not None and server.settings.smtp_host is not None:
            await deliveries.give(connection, alert_id, person_id, by, datetime.now(UTC))
        details = {"alert": str(alert_id), "person": str(person_id) if person_id else None}
        await note(connection, by, "alert.assign", fleet_id, **details)


@router.post("/alerts/{alert_id}/comments", status_code=204)
async def post_comment(
    alert_id: uuid.UUID, body: Comment, server: CurrentServer, person: Person
) -> None:
    """Comment on an alert."""
    async with server.writing.begin() as connection:
        fleet_id = await actions.comment(connection, alert_id, person, body.text)
        await note(connection, person, "alert.comment", fleet_id, alert=str(alert_id))


_WEBHOOKS = OutboundThreads("webhooks", 4)


class WebhookAsked(Input):
    url: str = Field(max_length=2000, description="https://HOST/PATH")
    where: str = GROUP


class MailAsked(Input):
    how: Literal["at_once", "digest", "off"]
    where: str = GROUP


async def _administered(server: CurrentServer, fleet: str, person: Member, does: str) -> SeenFleet:
    async with server.reading.connect() as connection:
        access = await seen_fleet(connection, person, fleet)
    require_admin(person, access.fleet_id, does)
    return access


async def _spend(server: CurrentServer, person: Member) -> None:
    """Count a look-up of, or request to, an address that a person chose. Raise 429 after many."""
    async with server.writing.begin() as connection:
        refusal = await spend_webhook(
            connection, server.settings, person.person_id, datetime.now(UTC)
        )
    if refusal is not None:
        raise refusal


@router.get("/fleets/{fleet}/webhooks")
async def get_webhooks(fleet: str, server: CurrentServer, person: Person) -> destinations.Webhooks:
    """List where a fleet's alerts are sent, and whether the last one arrived."""
    access = await _administered(server, fleet, person, "sees its webhooks")
    async with server.reading.connect() as connection:
        return {"items": await destinations.webhooks_of(connection, access.fleet_id)}


@router.post("/fleets/{fleet}/webhooks", status_code=201, responses=refusals(409, 429))
async def post_webhook(
    fleet: str, body: WebhookAsked, server: CurrentServer, person: Person
) -> destinations.NewWebhook:
    """Send a fleet's alerts to an address, signed with a secret that is shown once.

    The body is JSON with a `text` as Slack takes it. `Macmeter-Signature: t=SECONDS,v1=HEX` is the
    HMAC-SHA256 of `SECONDS.BODY` with the secret. Failed deliveries are retried for a day.
    """
    group = group_of(body.where, "/where")
    access = await _administered(server, fleet, person, "adds webhooks")
    await _spend(server, person)
    if not server.settings.webhooks_private:
        await _WEBHOOKS.wait(require_public, body.url)
    async with server.writing.begin() as connection:
        webhook = await destinations.add_webhook(connection, access.fleet_id, body.url, group)
        await note(connection, person, "webhook.add", access.fleet_id, webhook=webhook["id"])
    return webhook


@router.delete("/fleets/{fleet}/webhooks/{webhook_id}", status_code=204)
async def delete_webhook(
    fleet: str, webhook_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Stop sending alerts to an address."""
    access = await _administered(server, fleet, person, "deletes webhooks")
    async with server.writing.begin() as connection:
        await destinations.delete_webhook(connection, access.fleet_id, webhook_id)
        await note(connection, person, "webhook.delete", access.fleet_id, webhook=str(webhook_id))


@router.post("/fleets/{fleet}/webhooks/{webhook_id}/test", responses=refusals(429))
async def post_webhook_test(
    fleet: str, webhook_id: uuid.UUID, server: CurrentServer, person: Person
) -> destinations.Tested:
    """Send a test now. `problem` says why it did not arrive."""
    access = await _administered(server, fleet, person, "tests webhooks")
    await _spend(server, person)
    async with server.reading.connect() as connection:
        url, secret = await destinations.address_and_secret(connection, access.fleet_id, webhook_id)
    body = sending.trial_body(access.name, server.settings.public_url)
    tests = Isolated("webhook")
    with tests.item(webhook_id):
        await _WEBHOOKS.wait(post, url, secret, body, private=server.settings.webhooks_private)
    problem = tests.failed.get(str(webhook_id))
    return {"arrived": problem is None, "problem": problem}


@router.get("/fleets/{fleet}/alert-mail")
async def get_alert_mail(fleet: str, server: CurrentServer, person: Person) -> schemas.AlertMail:
    """Return how you get a fleet's alerts by mail, and at which address."""
    async with server.reading.connect() as connection:
        access = await seen_fleet(connection, person, fleet)
        return await destinations.mail_setting_of(connection, access.fleet_id, person)


@router.put("/fleets/{fleet}/alert-mail", status_code=204, responses=refusals(409))
async def put_alert_mail(
    fleet: str, body: MailAsked, server: CurrentServer, person: Person
) -> None:
    """Have alerts of a fleet, or of a group in it, mailed to you at once, daily, or not at all."""
    group = group_of(body.where, "/where")
    async with server.writing.begin() as connection:
        access = await seen_fleet(connection, person, fleet)
        require_change(person)
        await destinations.set_mail_setting(connection, access.fleet_id, person, body.how, group)
