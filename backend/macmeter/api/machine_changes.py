"""Changing and deleting machines: by their owners, by admins of their fleet, and by themselves."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field, StringConstraints

from macmeter.access.people import require_change
from macmeter.api import schemas
from macmeter.api.dependencies import Actor, Person, ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.documents.compression import uncompressed
from macmeter.documents.stored import stored_document
from macmeter.fleets import machines, merging, shapes
from macmeter.isolation import DOCUMENTS, Isolated
from macmeter.reading.machines import documents_of

router = Router(prefix="/api/v1/machines", tags=["machines"])
# Of a run's documents some are megabytes.
_AT_ONCE = 50


class MachineChanges(schemas.Input):
    """What is absent stays."""

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


@router.patch("/{machine_id}", status_code=204)
async def patch_machine(
    machine_id: uuid.UUID, body: MachineChanges, part: ServerPart, person: Person
) -> None:
    """Name a machine, retire it, or move it to another fleet that one administers."""
    require_change(person)
    to = person.changed(body.fleet) if body.fleet is not None else None
    changes = machines.Changes(body.name, body.retired, body.barred, to)
    async with part.writing.begin() as connection:
        await machines.change(connection, machine_id, changes, person)


@router.post("/{machine_id}/secret", status_code=201, responses=schemas.refusals(409))
async def post_machine_secret(
    machine_id: uuid.UUID, request: Request, part: ServerPart, person: Person
) -> shapes.MachineSecret:
    """Make a secret by which a Mac that lost its token enrols again under its id, once and within a
    day: as its owner, or as the server's admin. The ones before it end.
    """
    require_change(person)
    async with part.writing.begin() as connection:
        secret, expires_at = await machines.make_secret(
            connection, machine_id, person, datetime.now(UTC)
        )
    address = public_address(request, part)
    return {
        "secret": secret,
        "command": f"macmeter enroll --server {address} --secret {secret}",
        "expires_at": expires_at.isoformat(),
    }


class Merge(schemas.Input):
    """The id that the same Mac has now, or is to keep."""

    into: uuid.UUID


@router.put("/{machine_id}/merge", responses=schemas.refusals(409))
async def put_merge(
    machine_id: uuid.UUID, body: Merge, part: ServerPart, person: Person
) -> shapes.Given:
    """Merge two ids of one Mac, which was erased or enrolled twice: `into` gets all runs, and this
    id's token ends. Documents and saved comparisons stay as they are.
    """
    require_change(person)
    async with part.writing.begin() as connection:
        runs = await merging.merge(connection, machine_id, body.into, person)
    # Once more, for what was being uploaded meanwhile and could not be seen.
    async with part.writing.begin() as connection:
        runs += await merging.merge(connection, machine_id, body.into, person)
    return {"runs": runs}


@router.delete("/{machine_id}/merge")
async def delete_merge(machine_id: uuid.UUID, part: ServerPart, person: Person) -> shapes.Given:
    """Take a merge back: this id's runs are its own again, and it may enrol."""
    require_change(person)
    async with part.writing.begin() as connection:
        runs = await merging.take_back(connection, machine_id, person)
    return {"runs": runs}


@router.get(
    "/{machine_id}/export.ndjson",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
async def export_machine(machine_id: uuid.UUID, part: ServerPart, by: Actor) -> Response:
    """All runs of a machine that is one's own, each a line with its document."""
    async with part.writing.begin() as connection:
        await machines.own_machine(connection, machine_id, by)

    async def lines() -> AsyncIterator[bytes]:
        async with part.writing.connect() as connection:
            async for row in documents_of(connection, machine_id, _AT_ONCE):
                yield _line(row)

    named = {"Content-Disposition": f'attachment; filename="machine-{machine_id}.ndjson"'}
    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=named)


def _line(row: Any) -> bytes:
    """The document as it was uploaded; null where it is not kept, or with a `problem` where it
    can't be read.
    """
    told = {
        "run_id": str(row.run_id),
        "received_at": row.received_at.isoformat(),
        "visibility": row.visibility,
        "withdrawn": row.withdrawn_reason,
        "document": None,
    }
    documents = Isolated(DOCUMENTS)
    with documents.item(row.run_id):
        if row.compressed is not None:
            told["document"] = _on_one_line(row.compressed)
    if documents.failed:
        told["problem"] = documents.failed[str(row.run_id)]
    return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


def _on_one_line(compressed: bytes) -> orjson.Fragment:
    """The document as it was uploaded; line ends occur between values only."""
    stored_document(compressed)  # what can't be read would spoil the line
    return orjson.Fragment(uncompressed(compressed).replace(b"\n", b" ").replace(b"\r", b" "))


@router.delete("/{machine_id}")
async def delete_machine(machine_id: uuid.UUID, part: ServerPart, by: Actor) -> shapes.Forgotten:
    """Delete a machine with all its runs. Asked by a fleet's device, it retires and its runs stay:
    they are the fleet's.
    """
    async with part.writing.begin() as connection:
        return await machines.forget(connection, machine_id, by)
