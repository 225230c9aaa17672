"""Machines, chips and models: read, change, delete, and claim them."""

import logging
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlencode

import orjson
from fastapi import Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts import audit, one_time_links, quota
from macmeter.accounts.binding import require_bound
from macmeter.accounts.one_time_links import CLAIM, address_of
from macmeter.accounts.people import require_change
from macmeter.accounts.rights import claimed_by
from macmeter.charts.hardware import (
    HardwareList,
    HardwareResponse,
    TimelineResponse,
    render_hardware,
    render_hardware_list,
    render_timeline,
)
from macmeter.charts.machines import (
    MachineDetail,
    Machines,
    Percentile,
    render_machine,
    render_machines,
    render_percentile,
)
from macmeter.charts.ranks import RanksResponse, render_ranks
from macmeter.documents.compression import uncompressed
from macmeter.documents.stored import stored_document
from macmeter.fleets import machines, merging, schemas
from macmeter.fleets.machines import MachineName
from macmeter.machines.hardware import find_hardware, list_things
from macmeter.machines.queries import (
    list_machines,
    one_machine,
    percentile_of_machine,
    percentile_of_run,
)
from macmeter.machines.rank import rank_of_run
from macmeter.machines.timeline import timeline
from macmeter.machines.verdict import mac_detail
from macmeter.models import Machine
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.isolation import DOCUMENTS, Isolated
from macmeter.platform.schema import Input
from macmeter.questions.question import parse_query, parse_run_terms, refuse_unknown
from macmeter.results.machines import documents_of
from macmeter.schemas.hardware import Kind
from macmeter.server.dependencies import (
    Actor,
    CurrentServer,
    Person,
    Reader,
    WriterToken,
    public_address,
)
from macmeter.server.http.routing import Router, refusals
from macmeter.server.query_parameters import AskedFilters, FilterParameters, PageParameters

router = Router(prefix="/api/v1", tags=["machines"])

Slug = Annotated[str, Path(max_length=200, description="m4-pro, mac-mini-m4-pro, or a Mac's id")]


class MachinesParameters(PageParameters):
    q: str = Field("", max_length=200, description="words in chip, model or macOS version")


class PercentileParameters(FilterParameters):
    run: uuid.UUID | None = Field(None, description="the run to place")
    machine: uuid.UUID | None = Field(None, description="or the machine")


@router.get("/machines", response_model=Machines)
async def get_machines(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    query: Annotated[MachinesParameters, Query()],
) -> Response:
    """List machines, last measured first, with the number of their runs under the filters."""
    refuse_unknown(request.query_params, ("cursor", "limit", "q", "where"))
    if any(ord(character) < 32 for character in query.q):
        raise invalid("?q", "q can't contain control characters.", "bad_value")
    terms = parse_run_terms(query.where)
    return await server.questions.send(
        list_machines, terms, query.q, reader, query.page, tell=render_machines
    )


@router.get("/machines/{machine_id}", response_model=MachineDetail)
async def get_machine(machine_id: uuid.UUID, server: CurrentServer, reader: Reader) -> Response:
    """Return what a machine is, its macOS versions, and what it has measured."""
    now = datetime.now(UTC)
    return await server.questions.send(
        one_machine, machine_id, reader, tell=render_machine, now=now
    )


@router.get("/machines/{machine_id}/timeline", response_model=TimelineResponse)
async def get_timeline(
    machine_id: uuid.UUID, server: CurrentServer, reader: Reader, asked: AskedFilters
) -> Response:
    """Return a machine's results of 1 to 4 metrics over time, with macOS updates and changes of
    level.

    A line has only what was measured in the same way on the same thing.
    """
    if not asked.metrics:
        raise invalid("?metric", "Name 1 to 4 metrics.", "metric_count")
    return await server.questions.send(timeline, machine_id, asked, reader, tell=render_timeline)


@router.get("/percentile", response_model=Percentile, responses=refusals(404))
async def get_percentile(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    placed: Annotated[PercentileParameters, Query()],
) -> Response:
    """Return the percentile of a run or a machine among the machines that the filters describe.

    `place` is null if there are fewer than `minimum` others.
    """
    pairs = parse_qsl(request.url.query, keep_blank_values=True)
    query = [(name, value) for name, value in pairs if name not in ("machine", "run")]
    refuse_unknown([name for name, _ in query], ("flagged", "machine", "metric", "run", "where"))
    question = parse_query(urlencode(query))
    if len(question.metrics) > 1:
        raise invalid("?metric", "Name one metric.", "metric_count")
    if (placed.run is None) == (placed.machine is None):
        raise invalid(
            "?run", "Name either a run or a machine: run=ID or machine=ID.", "run_or_machine"
        )
    find, target = (
        (percentile_of_run, placed.run) if placed.run else (percentile_of_machine, placed.machine)
    )
    return await server.questions.send(find, question, target, reader, tell=render_percentile)


@router.get("/rank", response_model=RanksResponse, responses=refusals(404))
async def get_rank(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    run: Annotated[uuid.UUID, Query(description="the run to rank")],
) -> Response:
    """Rank a run's write and read speed among public runs of other Macs of its model, else chip.

    An external drive ranks among drives on the same kind of link. Each Mac counts once.
    `percentile` is null if there are fewer than `minimum` others.
    """
    refuse_unknown(request.query_params, ("run",))
    return await server.questions.send(rank_of_run, run, reader, tell=render_ranks)


@router.get("/things/{kind}", response_model=HardwareList)
async def get_things(
    kind: Literal["chips", "models"], server: CurrentServer, reader: Reader
) -> Response:
    """List the chips or models that somebody measured, with their addresses."""
    return await server.questions.send(list_things, kind, reader, tell=render_hardware_list)


@router.get("/things/{kind}/{slug}", response_model=HardwareResponse)
async def get_thing(kind: Kind, slug: Slug, server: CurrentServer, reader: Reader) -> Response:
    """Return a chip, model or Mac, with its figures among those of others.

    A model is also found by Apple's identifier: mac16-11.
    """
    if kind == "machines":
        return await server.questions.send(mac_detail, slug, reader, tell=render_hardware)
    return await server.questions.send(find_hardware, kind, slug, reader, tell=render_hardware)


# Some documents are megabytes.
_AT_ONCE = 50


class MachineChanges(Input):
    """Changes to a machine. What is absent stays."""

    name: MachineName | None = Field(None, description="as its owners call it; empty for none")
    retired: bool | None = Field(None, description="whether nobody waits for its runs any more")
    barred: bool | None = Field(None, description="whether it may not enrol again")
    fleet: str | None = Field(None, description="the fleet that it moves to, with its runs")


@router.patch("/machines/{machine_id}", status_code=204)
async def patch_machine(
    machine_id: uuid.UUID, body: MachineChanges, server: CurrentServer, person: Person
) -> None:
    """Name a machine, retire it, revoke it, or move it to another fleet that you administer.

    A retired machine's token ends, and is good again when it comes back. A revoked machine may not
    enrol again.
    """
    require_change(person)
    to = person.changeable_fleet(body.fleet) if body.fleet is not None else None
    changes = machines.Changes(body.name, body.retired, body.barred)
    async with server.writing.begin() as connection:
        await machines.change(connection, machine_id, changes, person, to=to)


@router.post("/machines/{machine_id}/secret", status_code=201, responses=refusals(409))
async def post_machine_secret(
    machine_id: uuid.UUID, request: Request, server: CurrentServer, person: Person
) -> schemas.MachineSecret:
    """Create a secret with which a Mac that lost its token enrols again under its id.

    For its owner, or the server's admin. It works once, within a day. Earlier ones end.
    """
    require_change(person)
    async with server.writing.begin() as connection:
        secret, expires_at = await machines.make_secret(
            connection, machine_id, person, datetime.now(UTC)
        )
    address = public_address(request, server)
    return {
        "secret": secret,
        "command": f"macmeter enroll --server {address} --secret {secret}",
        "expires_at": expires_at.isoformat(),
    }


class Merge(Input):
    """Id that the same Mac has now, or is to keep."""

    into: uuid.UUID


@router.put("/machines/{machine_id}/merge", responses=refusals(409))
async def put_merge(
    machine_id: uuid.UUID, body: Merge, server: CurrentServer, person: Person
) -> schemas.MergeResult:
    """Merge two ids of one Mac, which was erased or enrolled twice.

    `into` gets all runs, and this id's token ends. Documents and saved comparisons stay as they
    are.
    """
    require_change(person)
    async with server.writing.begin() as connection:
        runs = await merging.merge(connection, machine_id, body.into, person)
    # Again, for what was being uploaded meanwhile and could not be seen.
    async with server.writing.begin() as connection:
        runs += await merging.merge(connection, machine_id, body.into, person)
    return {"runs": runs}


@router.delete("/machines/{machine_id}/merge")
async def delete_merge(
    machine_id: uuid.UUID, server: CurrentServer, person: Person
) -> schemas.MergeResult:
    """Undo a merge: this id's runs are its own again, and it may enrol."""
    require_change(person)
    async with server.writing.begin() as connection:
        runs = await merging.take_back(connection, machine_id, person)
    return {"runs": runs}


@router.get(
    "/machines/{machine_id}/export.ndjson",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
async def export_machine(machine_id: uuid.UUID, server: CurrentServer, by: Actor) -> Response:
    """Export all runs of your own machine, each on a line with its document."""
    async with server.writing.begin() as connection:
        await machines.own_machine(connection, machine_id, by)

    async def lines() -> AsyncIterator[bytes]:
        async with server.writing.connect() as connection:
            async for row in documents_of(connection, machine_id, _AT_ONCE):
                yield _line(row)

    headers = {"Content-Disposition": f'attachment; filename="machine-{machine_id}.ndjson"'}
    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=headers)


def _line(row: Any) -> bytes:
    """Format a run with its document as it was uploaded.

    `document` is null if it is not kept, or can't be read, which `problem` then explains.
    """
    entry = {
        "run_id": str(row.run_id),
        "received_at": row.received_at.isoformat(),
        "visibility": row.visibility,
        "withdrawn": row.withdrawn_reason,
        "document": None,
    }
    documents = Isolated(DOCUMENTS)
    with documents.item(row.run_id):
        if row.compressed is not None:
            entry["document"] = _on_one_line(row.compressed)
    if documents.failed:
        entry["problem"] = documents.failed[str(row.run_id)]
    return orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE)


def _on_one_line(compressed: bytes) -> orjson.Fragment:
    """Put a document on one line. Line ends occur between values only."""
    stored_document(compressed)  # raises for what would spoil the line
    return orjson.Fragment(uncompressed(compressed).replace(b"\n", b" ").replace(b"\r", b" "))


@router.delete("/machines/{machine_id}")
async def delete_machine(
    machine_id: uuid.UUID, server: CurrentServer, by: Actor
) -> schemas.Forgotten:
    """Delete a machine with all its runs.

    Requested by a fleet's device, it retires and its runs stay: they are the fleet's.
    """
    async with server.writing.begin() as connection:
        return await machines.forget(connection, machine_id, by)


log = logging.getLogger("macmeter")
_PATH = "/machines/{machine_id}/claim"
# Links per hour for one Mac.
MOST_LINKS = 10


@router.post(_PATH, status_code=201, responses=refusals(409, 429))
async def ask_for_claim(
    machine_id: uuid.UUID, request: Request, server: CurrentServer, bearer: WriterToken
) -> schemas.ClaimLink:
    """Create a link with which a person claims this Mac, requested with the Mac's own token.

    It works once, and earlier ones end.
    """
    now = datetime.now(UTC)
    one_time_links.require_device(bearer)
    async with server.writing.begin() as connection:
        await require_bound(connection, machine_id, bearer)
        refusal = await _one_more(connection, machine_id, now)
        if refusal is None:
            secret, expires_at = await one_time_links.make_claim_link(connection, machine_id, now)
            await audit.note(connection, bearer, "claim.ask", machine_id=str(machine_id))
    # After the commit: refused requests count too.
    if refusal is not None:
        fields = {"machine": str(machine_id)}
        log.warning("claim links refused", extra={"fields": fields})
        raise refusal
    link = address_of(public_address(request, server), secret, CLAIM)
    return {"link": link, "expires_at": expires_at.isoformat()}


async def _one_more(
    connection: AsyncConnection, machine_id: uuid.UUID, now: datetime
) -> Problem | None:
    use = await quota.count(connection, "claims", machine_id.bytes, MOST_LINKS, now)
    limit = f"A Mac gets {MOST_LINKS} links per hour."
    return use.refusal_with(
        "Too many", f"{limit} Open the last one, or try again in {use.minutes}."
    )


@router.delete(_PATH, status_code=204)
async def let_machine_go(machine_id: uuid.UUID, server: CurrentServer, person: Person) -> None:
    """Release your own Mac: its runs stay, and somebody else may claim it."""
    require_change(person)
    async with server.writing.begin() as connection:
        await one_time_links.unclaim(connection, machine_id, person)
        await audit.note(connection, person, "machine.unclaim", machine_id=str(machine_id))


@router.get("/account/machines")
async def list_own_machines(server: CurrentServer, person: Person) -> schemas.OwnMachines:
    """List the Macs that you have claimed, by name, with retired ones last."""
    theirs = (
        select(Machine.machine_id, Machine.name, Machine.retired_at)
        .where(claimed_by(person))
        .order_by(Machine.retired_at.is_not(None), Machine.name.nulls_last(), Machine.first_seen_at)
    )
    async with server.writing.connect() as connection:
        rows = (await connection.execute(theirs)).all()
    return {
        "items": [
            {
                "id": str(row.machine_id),
                "name": row.name,
                "retired_at": row.retired_at.isoformat() if row.retired_at else None,
            }
            for row in rows
        ]
    }
