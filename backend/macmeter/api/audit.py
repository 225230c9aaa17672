"""The audit log, to read and to download."""

from __future__ import annotations

import csv
import io
import uuid
from typing import Annotated

import orjson
from fastapi import Query
from fastapi.responses import Response
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.routing import Router
from macmeter.errors import Problem
from macmeter.fleets import shapes
from macmeter.models import Act, Fleet
from macmeter.queries.export import cell

router = Router(prefix="/api/v1", tags=["audit"])

MOST_EXPORTED = 100_000
_REFUSED = schemas.refusals(404)


class AuditParameters(schemas.Input):
    fleet: str | None = Field(None, description="its id or name; without it, the whole server")
    before: int | None = Field(None, ge=0, le=2**63 - 1, description="acts before this one")
    limit: int = Field(100, ge=1, le=1000)


class ExportParameters(schemas.Input):
    fleet: str | None = Field(None, description="its id or name; without it, the whole server")


@router.get("/audit", responses=_REFUSED)
async def get_audit(
    part: ServerPart, person: Person, asked: Annotated[AuditParameters, Query()]
) -> shapes.Acts:
    """What was done in a fleet that one administers, newest first."""
    fleet_id = _whose(person, asked.fleet)
    async with part.writing.connect() as connection:
        items = await _acts(connection, fleet_id, asked.limit + 1, asked.before)
    shown = items[: asked.limit]
    following = shown[-1]["id"] if len(items) > asked.limit else None
    return {"items": shown, "next": following}


@router.get(
    "/audit.csv",
    response_class=Response,
    responses=schemas.sends("text/csv") | _REFUSED,
)
async def get_audit_csv(
    part: ServerPart, person: Person, asked: Annotated[ExportParameters, Query()]
) -> Response:
    """The newest 100,000 acts as CSV."""
    fleet_id = _whose(person, asked.fleet)
    async with part.writing.connect() as connection:
        items = await _acts(connection, fleet_id, MOST_EXPORTED)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(("id", "at", "action", "by", "fleet", "details"))
    for act in items:
        details = orjson.dumps(act["details"]).decode()
        values = (act["id"], act["at"], act["action"], act["by"], act["fleet"], details)
        writer.writerow([cell(value) for value in values])
    return _file(text.getvalue().encode(), "text/csv; charset=utf-8", "csv")


@router.get(
    "/audit.ndjson",
    response_class=Response,
    responses=schemas.sends("application/x-ndjson") | _REFUSED,
)
async def get_audit_ndjson(
    part: ServerPart, person: Person, asked: Annotated[ExportParameters, Query()]
) -> Response:
    """The newest 100,000 acts, an object a line."""
    fleet_id = _whose(person, asked.fleet)
    async with part.writing.connect() as connection:
        items = await _acts(connection, fleet_id, MOST_EXPORTED)
    lines = b"".join(orjson.dumps(act) + b"\n" for act in items)
    return _file(lines, "application/x-ndjson", "ndjson")


def _whose(person: Member, fleet: str | None) -> uuid.UUID | None:
    """The fleet whose acts may be read; None for all of the server's."""
    if fleet is None:
        if not person.server_admin:
            detail = (
                "Name a fleet with ?fleet=NAME. Only an admin of the server can read the whole log."
            )
            raise Problem(403, "not_server_admin", "Not the server's admin", detail)
        return None
    return person.administered(fleet).fleet_id


async def _acts(
    connection: AsyncConnection,
    fleet_id: uuid.UUID | None,
    limit: int,
    before: int | None = None,
) -> list[shapes.Act]:
    query = select(Act, Fleet.name.label("fleet")).outerjoin(Fleet, Fleet.fleet_id == Act.fleet_id)
    if fleet_id is not None:
        query = query.where(Act.fleet_id == fleet_id)
    if before is not None:
        query = query.where(Act.act_id < before)
    rows = await connection.execute(query.order_by(Act.act_id.desc()).limit(limit))
    return [
        {
            "id": row.act_id,
            "at": row.at.isoformat(),
            "action": row.action,
            "by": row.by,
            "fleet": row.fleet,
            "details": row.details,
        }
        for row in rows
    ]


def _file(content: bytes, media_type: str, ending: str) -> Response:
    return Response(
        content,
        media_type=media_type,
        headers={
            "Content-Disposition": f'attachment; filename="macmeter-audit.{ending}"',
            "Cache-Control": "no-store",
        },
    )
