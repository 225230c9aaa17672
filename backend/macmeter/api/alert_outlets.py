"""Where a fleet's alerts are sent: its webhooks, and members who want mail."""

from __future__ import annotations

import uuid
from typing import Literal

from pydantic import Field

from macmeter.access.audit import note
from macmeter.access.people import Member, require_change
from macmeter.access.seen_fleets import SeenFleet, require_admin, seen_fleet
from macmeter.alerts import deliveries, sending, shapes
from macmeter.alerts.webhooks import post, require_public
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.routing import Router
from macmeter.isolation import Isolated
from macmeter.outward import Outward

_OUTWARD = Outward("webhooks", 4)
router = Router(prefix="/api/v1/fleets/{fleet}", tags=["alerts"])


class WebhookAsked(schemas.Input):
    url: str = Field(max_length=2000, description="https://HOST/PATH")


class MailAsked(schemas.Input):
    how: Literal["at_once", "digest", "off"]


async def _administered(part: ServerPart, fleet: str, by: Member, does: str) -> SeenFleet:
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, by, fleet)
    require_admin(by, seen.fleet_id, does)
    return seen


@router.get("/webhooks")
async def get_webhooks(fleet: str, part: ServerPart, by: Person) -> shapes.Webhooks:
    """Where its alerts are sent, and whether the last one arrived."""
    seen = await _administered(part, fleet, by, "sees its webhooks")
    async with part.reading.connect() as connection:
        return {"items": await deliveries.webhooks_of(connection, seen.fleet_id)}


@router.post("/webhooks", status_code=201, responses=schemas.refusals(409))
async def post_webhook(
    fleet: str, body: WebhookAsked, part: ServerPart, by: Person
) -> shapes.NewWebhook:
    """Have its alerts sent there, signed with a secret that is shown once.

    The body is JSON with a `text` as Slack takes it. `Macmeter-Signature: t=SECONDS,v1=HEX` is the
    HMAC-SHA256 of `SECONDS.BODY` with the secret. What doesn't arrive is tried again for a day.
    """
    seen = await _administered(part, fleet, by, "adds webhooks")
    if not part.settings.webhooks_private:
        await _OUTWARD.wait(require_public, body.url)
    async with part.writing.begin() as connection:
        made = await deliveries.add_webhook(connection, seen.fleet_id, body.url)
        await note(connection, by, "webhook.add", seen.fleet_id, webhook=made["id"])
    return made


@router.delete("/webhooks/{webhook_id}", status_code=204)
async def delete_webhook(fleet: str, webhook_id: uuid.UUID, part: ServerPart, by: Person) -> None:
    """Send nothing there any more."""
    seen = await _administered(part, fleet, by, "deletes webhooks")
    async with part.writing.begin() as connection:
        await deliveries.delete_webhook(connection, seen.fleet_id, webhook_id)
        await note(connection, by, "webhook.delete", seen.fleet_id, webhook=str(webhook_id))


@router.post("/webhooks/{webhook_id}/test")
async def post_webhook_test(
    fleet: str, webhook_id: uuid.UUID, part: ServerPart, by: Person
) -> shapes.Tested:
    """Send a test now; `problem` says why it did not arrive."""
    seen = await _administered(part, fleet, by, "tests webhooks")
    async with part.reading.connect() as connection:
        url, secret = await deliveries.webhook(connection, seen.fleet_id, webhook_id)
    body = sending.trial_body(seen.name, part.settings.public_url)
    tests = Isolated("webhook")
    with tests.item(webhook_id):
        await _OUTWARD.wait(post, url, secret, body, private=part.settings.webhooks_private)
    problem = tests.failed.get(str(webhook_id))
    return {"arrived": problem is None, "problem": problem}


@router.get("/alert-mail")
async def get_alert_mail(fleet: str, part: ServerPart, by: Person) -> shapes.AlertMail:
    """How whoever asks hears of its alerts by mail, and at which address."""
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, by, fleet)
        return await deliveries.mail_of(connection, seen.fleet_id, by)


@router.put("/alert-mail", status_code=204, responses=schemas.refusals(409))
async def put_alert_mail(fleet: str, body: MailAsked, part: ServerPart, by: Person) -> None:
    """Have them mailed at once, once a day, or not at all."""
    async with part.writing.begin() as connection:
        seen = await seen_fleet(connection, by, fleet)
        require_change(by)
        await deliveries.set_mail(connection, seen.fleet_id, by, body.how)
