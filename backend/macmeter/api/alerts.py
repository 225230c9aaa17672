"""Alerts of all fleets that the reader may see."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.scope import Asker
from macmeter.access.seen_fleets import seen_fleet, seen_fleet_ids
from macmeter.alerts import acting, shapes
from macmeter.api import schemas
from macmeter.api.dependencies import Person, Reader, ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.atom import MEDIA_TYPE
from macmeter.plain_text import SEEN

router = Router(prefix="/api/v1/alerts", tags=["alerts"])
feed = Router(tags=["alerts"])


class Comment(schemas.Input):
    """A word on an alert."""

    text: Annotated[str, schemas.lines(2000), SEEN]


class AlertsParameters(schemas.Input):
    fleet: str | None = Field(None, max_length=200, description="of this fleet, by id or name")
    state: shapes.State | None = None
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("", responses=schemas.refusals(404))
async def get_alerts(
    part: ServerPart, reader: Reader, asked: Annotated[AlertsParameters, Query()]
) -> shapes.Alerts:
    """Those of all fleets that whoever asks is in, or of one of them; the newest first."""
    async with part.reading.connect() as connection:
        return await _found(connection, reader, asked)


async def _found(
    connection: AsyncConnection, reader: Asker | None, asked: AlertsParameters
) -> shapes.Alerts:
    fleet_ids = seen_fleet_ids(reader)
    if asked.fleet is not None:
        fleet_ids = frozenset([(await seen_fleet(connection, reader, asked.fleet)).fleet_id])
    return await acting.alerts_page(connection, fleet_ids, asked.state, asked.limit, asked.offset)


@feed.get(
    "/api/v1/alerts.atom",
    response_class=Response,
    responses=schemas.sends(MEDIA_TYPE) | schemas.refusals(404),
)
async def get_alerts_feed(
    request: Request,
    part: ServerPart,
    reader: Reader,
    asked: Annotated[AlertsParameters, Query()],
) -> Response:
    """The same as an Atom feed, for programs with a token of their person's."""
    async with part.reading.connect() as connection:
        found = await _found(connection, reader, asked)
    told = acting.atom(found["items"], public_address(request, part), datetime.now(UTC))
    return Response(told, media_type=MEDIA_TYPE, headers={"Cache-Control": "private, no-cache"})


@router.get("/{alert_id}")
async def get_alert(alert_id: uuid.UUID, part: ServerPart, reader: Reader) -> shapes.Alert:
    """One alert, with the machines that it concerns."""
    async with part.reading.connect() as connection:
        return await acting.one_alert(connection, alert_id, seen_fleet_ids(reader))


@router.put("/{alert_id}/acknowledgement", status_code=204)
async def put_acknowledgement(alert_id: uuid.UUID, part: ServerPart, by: Person) -> None:
    """Say that somebody looks after it: it asks for no more attention until there is news in it."""
    async with part.writing.begin() as connection:
        fleet_id = await acting.acknowledge(connection, alert_id, by, datetime.now(UTC))
        await note(connection, by, "alert.acknowledge", fleet_id, alert=str(alert_id))


@router.delete("/{alert_id}/acknowledgement", status_code=204)
async def delete_acknowledgement(alert_id: uuid.UUID, part: ServerPart, by: Person) -> None:
    """Reopen it."""
    async with part.writing.begin() as connection:
        fleet_id = await acting.reopen(connection, alert_id, by)
        await note(connection, by, "alert.reopen", fleet_id, alert=str(alert_id))


@router.post("/{alert_id}/comments", status_code=204)
async def post_comment(alert_id: uuid.UUID, body: Comment, part: ServerPart, by: Person) -> None:
    """Write a comment below it."""
    async with part.writing.begin() as connection:
        fleet_id = await acting.comment(connection, alert_id, by, body.text)
        await note(connection, by, "alert.comment", fleet_id, alert=str(alert_id))
