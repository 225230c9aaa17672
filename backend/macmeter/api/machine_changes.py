"""Changing and deleting machines: by their owners, by admins of their fleet, and by themselves."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any

import orjson
from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from macmeter.access.people import require_change
from macmeter.api import fleet_schemas as shapes
from macmeter.api import schemas
from macmeter.api.dependencies import Actor, Person, ServerPart
from macmeter.api.responses import json_response
from macmeter.documents.compression import uncompressed
from macmeter.fleets import machines
from macmeter.reading.machines import documents_of

router = APIRouter(prefix="/api/v1/machines", tags=["machines"])
# Of a run's documents some are megabytes.
_AT_ONCE = 50


class MachineChanges(BaseModel):
    """What is absent stays."""

    model_config = ConfigDict(extra="forbid")

    name: (
        Annotated[
            str,
            StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$"),
        ]
        | None
    ) = Field(None, description="as its owners call it; empty for none")
    retired: bool | None = Field(None, description="whether nobody waits for its runs any more")
    barred: bool | None = Field(None, description="whether it may not enrol again")
    fleet: str | None = Field(None, description="the fleet that it moves to, with its runs")


@router.patch("/{machine_id}", status_code=204, responses=schemas.refusals(400, 401, 403, 404, 422))
async def patch_machine(
    machine_id: uuid.UUID, body: MachineChanges, part: ServerPart, person: Person
) -> Response:
    """Name a machine, retire it, or move it to another fleet that one administers."""
    require_change(person)
    to = person.changed(body.fleet) if body.fleet is not None else None
    changes = machines.Changes(body.name, body.retired, body.barred, to)
    async with part.writing.begin() as connection:
        await machines.change(connection, machine_id, changes, person)
    return Response(status_code=204)


@router.get(
    "/{machine_id}/export.ndjson",
    response_class=Response,
    responses={
        **schemas.refusals(401, 403, 404, 422),
        200: {"content": {"application/x-ndjson": {}}},
    },
)
async def export_machine(machine_id: uuid.UUID, part: ServerPart, by: Actor) -> Response:
    """All runs of a machine that is one's own, each a line with its document."""
    async with part.writing.begin() as connection:
        await machines.require_own(connection, machine_id, by)

    async def lines() -> AsyncIterator[bytes]:
        async with part.writing.connect() as connection:
            async for row in documents_of(connection, machine_id, _AT_ONCE):
                yield _line(row)

    named = {"Content-Disposition": f'attachment; filename="machine-{machine_id}.ndjson"'}
    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=named)


def _line(row: Any) -> bytes:
    document = None if row.compressed is None else orjson.loads(uncompressed(row.compressed))
    told = {
        "run_id": str(row.run_id),
        "received_at": row.received_at.isoformat(),
        "visibility": row.visibility,
        "withdrawn": row.withdrawn_reason,
        "document": document,
    }
    return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


@router.delete(
    "/{machine_id}",
    response_model=shapes.Forgotten,
    responses=schemas.refusals(401, 403, 404, 422),
)
async def delete_machine(machine_id: uuid.UUID, part: ServerPart, by: Actor) -> Response:
    """Delete a machine with all its runs. Asked by a fleet's device, it retires and its runs stay:
    they are the fleet's.
    """
    async with part.writing.begin() as connection:
        return json_response(await machines.forget(connection, machine_id, by))
