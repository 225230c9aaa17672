"""Endpoints for admins: all accounts, what fails, and the audit log."""

import csv
import io
import uuid
from typing import Annotated, Literal

import orjson
from fastapi import Query
from fastapi.responses import Response
from pydantic import Field
from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import service
from macmeter.accounts.audit import NAMES_OF_LEAVING_MACHINES
from macmeter.accounts.names import Names, names_of_fleet
from macmeter.accounts.people import Member, require_change
from macmeter.alerts import deliveries
from macmeter.fleets import schemas
from macmeter.models import Act, Fleet
from macmeter.platform import isolation
from macmeter.platform.errors import Problem
from macmeter.platform.schema import Exact, Input
from macmeter.questions.export import cell
from macmeter.server.dependencies import CurrentServer, Person, require_server_admin
from macmeter.server.http.routing import Router, refusals, sends

router = Router(prefix="/api/v1")


class PeopleParameters(Input):
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000)


class PersonChanges(Input):
    server_admin: bool


class People(Exact):
    items: list[service.PersonListed]
    total: int


@router.get("/people", tags=["account"])
async def get_people(
    query: Annotated[PeopleParameters, Query()], server: CurrentServer, person: Person
) -> People:
    """List everybody with an account, their fleets, and when they were last active."""
    require_server_admin(person, "see all accounts")
    async with server.writing.connect() as connection:
        items, total = await service.list_people(connection, query.limit, query.offset)
    return {"items": items, "total": total}


@router.patch("/people/{person_id}", tags=["account"], status_code=204, responses=refusals(409))
async def patch_person(
    person_id: uuid.UUID, body: PersonChanges, server: CurrentServer, person: Person
) -> None:
    """Make somebody an admin of the server, or no longer. At least one always remains."""
    require_server_admin(person, "see all accounts")
    require_change(person)
    async with server.writing.begin() as connection:
        await service.set_server_admin(connection, person_id, body.server_admin, person)


@router.delete("/people/{person_id}", tags=["account"], status_code=204, responses=refusals(409))
async def delete_person(person_id: uuid.UUID, server: CurrentServer, person: Person) -> None:
    """Delete somebody's account. Refused for the last admin of a fleet or of the server."""
    require_server_admin(person, "see all accounts")
    require_change(person)
    async with server.writing.begin() as connection:
        await service.remove_other(connection, person_id, person)


_MOST = 200


class FailingItem(Exact):
    """Work that failed for an item, and why. `of` says what `item` is an id of.

    `name` is the fleet's; null if the item is not a fleet, or was deleted.
    """

    work: str
    of: Literal["run", "fleet"]
    item: str
    name: str | None
    reason: str
    attempts: int
    last_at: str | None
    retry_at: str | None


class Failures(Exact):
    """The newest failures, and their `total` number."""

    items: list[FailingItem]
    total: int


_ITEM_KINDS: dict[str, Literal["run", "fleet"]] = {
    isolation.DOCUMENTS: "run",
    isolation.OUTLIERS: "run",
    isolation.ALERTS: "fleet",
    isolation.RETENTION: "fleet",
}


@router.get("/failures", tags=["operation"])
async def get_failures(server: CurrentServer, person: Person) -> Failures:
    """List what fails: unreadable runs, fleets whose alerts fail, undelivered mails and webhooks.

    Returns the newest 200 of what fails here, the next 200 to be sent again, and the total.
    """
    require_server_admin(person, "see what fails")
    async with server.writing.connect() as connection:
        failing = await isolation.failing(connection, _MOST)
        undelivered = await deliveries.undelivered(connection, _MOST)
        total = await isolation.how_many_in_all(connection)
        total += await deliveries.how_many_undelivered(connection)
        ids = [failure.item for failure in failing] + [str(item.fleet_id) for item in undelivered]
        names = await _names_of_fleets(connection, ids)
    items: list[FailingItem] = [
        {
            "work": failure.work,
            "of": _ITEM_KINDS[failure.work],
            # An item of the work "outliers" is a Mac's id and a run's.
            "item": failure.item.rpartition("/")[2],
            "name": names.get(failure.item),
            "reason": failure.reason,
            "attempts": failure.attempts,
            "last_at": failure.last_at.isoformat(),
            "retry_at": failure.retry_at.isoformat() if failure.work in isolation.RETRIED else None,
        }
        for failure in failing
    ]
    items += [
        {
            "work": item.work,
            "of": "fleet",
            "item": str(item.fleet_id),
            "name": names.get(str(item.fleet_id)),
            "reason": item.problem,
            "attempts": item.tries,
            "last_at": None,
            "retry_at": item.due_at.isoformat(),
        }
        for item in undelivered
    ]
    return {"items": items, "total": total}


async def _names_of_fleets(connection: AsyncConnection, ids: list[str]) -> dict[str, str]:
    """Names of those `ids` that are fleets, by id."""
    fleet_id = cast(Fleet.fleet_id, Text)
    rows = await connection.execute(select(fleet_id, Fleet.name).where(fleet_id.in_(ids)))
    return {row[0]: row.name for row in rows}


MOST_EXPORTED = 100_000
_REFUSED = refusals(404)


class ExportParameters(Input):
    fleet: str | None = Field(None, description="its id or name; without it, the whole server")


class AuditParameters(ExportParameters):
    before: int | None = Field(None, ge=0, le=2**63 - 1, description="acts before this one")
    limit: int = Field(100, ge=1, le=1000)


@router.get("/audit", tags=["audit"], responses=_REFUSED)
async def get_audit(
    server: CurrentServer, person: Person, query: Annotated[AuditParameters, Query()]
) -> schemas.Acts:
    """List what was done in a fleet that you administer, newest first."""
    fleet_id = _audited_fleet(person, query.fleet)
    async with server.writing.connect() as connection:
        items = await _acts(connection, fleet_id, query.limit + 1, query.before)
    page = items[: query.limit]
    following = page[-1]["id"] if len(items) > query.limit else None
    return {"items": page, "next": following}


@router.get(
    "/audit.csv", tags=["audit"], response_class=Response, responses=sends("text/csv") | _REFUSED
)
async def get_audit_csv(
    server: CurrentServer, person: Person, query: Annotated[ExportParameters, Query()]
) -> Response:
    """Export the newest 100,000 entries of the audit log as CSV."""
    fleet_id = _audited_fleet(person, query.fleet)
    async with server.writing.connect() as connection:
        items = await _acts(connection, fleet_id, MOST_EXPORTED)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(("id", "at", "action", "by", "fleet", "details", "names"))
    for act in items:
        details = orjson.dumps(act["details"]).decode()
        names = ", ".join(act["names"].values())
        values = (act["id"], act["at"], act["action"], act["by"], act["fleet"], details, names)
        writer.writerow([cell(value) for value in values])
    return _file(text.getvalue().encode(), "text/csv; charset=utf-8", "csv")


@router.get(
    "/audit.ndjson",
    tags=["audit"],
    response_class=Response,
    responses=sends("application/x-ndjson") | _REFUSED,
)
async def get_audit_ndjson(
    server: CurrentServer, person: Person, query: Annotated[ExportParameters, Query()]
) -> Response:
    """Export the newest 100,000 entries of the audit log, one object per line."""
    fleet_id = _audited_fleet(person, query.fleet)
    async with server.writing.connect() as connection:
        items = await _acts(connection, fleet_id, MOST_EXPORTED)
    lines = b"".join(orjson.dumps(act) + b"\n" for act in items)
    return _file(lines, "application/x-ndjson", "ndjson")


def _audited_fleet(person: Member, fleet: str | None) -> uuid.UUID | None:
    """Return the fleet whose audit log may be read, or None for the whole server."""
    if fleet is None:
        if not person.server_admin:
            detail = (
                "Name a fleet with ?fleet=NAME. Only an admin of the server can read the whole log."
            )
            raise Problem(403, "not_server_admin", "Not the server's admin", detail)
        return None
    return person.administered_fleet(fleet).fleet_id


async def _acts(
    connection: AsyncConnection, fleet_id: uuid.UUID | None, limit: int, before: int | None = None
) -> list[schemas.Act]:
    query = select(Act, Fleet.name.label("fleet")).outerjoin(Fleet, Fleet.fleet_id == Act.fleet_id)
    if fleet_id is not None:
        query = query.where(Act.fleet_id == fleet_id)
    if before is not None:
        query = query.where(Act.act_id < before)
    rows = await connection.execute(query.order_by(Act.act_id.desc()).limit(limit))
    names = await names_of_fleet(connection, fleet_id) if fleet_id is not None else None
    return [
        {
            "id": row.act_id,
            "at": row.at.isoformat(),
            "action": row.action,
            "by": row.by,
            "fleet": row.fleet,
            "details": {
                name: row.details[name] for name in row.details if name != NAMES_OF_LEAVING_MACHINES
            },
            "names": _names_in(row.details, names) if names is not None else {},
        }
        for row in rows
    ]


def _names_in(details: Json, names: Names) -> dict[str, str]:
    """Names of the machines that an entry is about, by id."""
    about = [details.get(name) for name in ("machine_id", "into", "from")]
    all_names = {**names, **details.get(NAMES_OF_LEAVING_MACHINES, {})}
    ids = [value for value in [*about, *details.get("machine_ids", [])] if isinstance(value, str)]
    return {machine_id: all_names[machine_id] for machine_id in ids if machine_id in all_names}


def _file(content: bytes, media_type: str, ending: str) -> Response:
    return Response(
        content,
        media_type=media_type,
        headers={
            "Content-Disposition": f'attachment; filename="macmeter-audit.{ending}"',
            "Cache-Control": "no-store",
        },
    )
