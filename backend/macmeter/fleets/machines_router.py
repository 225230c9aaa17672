"""A fleet's dashboard and its machines: listed, and many changed or deleted at once."""

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from macmeter.accounts.scope import seen_part
from macmeter.alerts import dashboard
from macmeter.alerts.groups import group_seen
from macmeter.alerts.schemas import Dashboard, FleetMachines, MachineProblem
from macmeter.documents.document import MAX_LABELS
from macmeter.fleets import machines, schemas
from macmeter.platform.errors import invalid
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Input, one_line
from macmeter.server.dependencies import CurrentServer, Person, Reader
from macmeter.server.http.routing import Router, refusals, takes_body

router = Router(prefix="/api/v1/fleets", tags=["fleets"])


class DashboardParameters(Input):
    where: str = Field("", max_length=500, description="of a group of Macs: label:KEY:VALUE")


class MachinesParameters(Input):
    """Filters and order of machines."""

    sort: Literal[dashboard.SORTS] = Field("last_upload")  # type: ignore[valid-type]
    descending: bool = False
    only: MachineProblem | Literal["retired"] | None = Field(
        None, description="those with this problem, or the retired ones"
    )
    q: str = Field(
        "",
        max_length=200,
        pattern=r"^[^\x00-\x1f]*$",
        description="words in name, model, chip, macOS, id or labels",
    )
    where: str = Field("", max_length=500, description="of a group of Macs: label:KEY:VALUE")
    machine: uuid.UUID | None = Field(None, description="this one alone, retired or not")
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/{fleet}/dashboard")
async def get_fleet_dashboard(
    fleet: str,
    server: CurrentServer,
    reader: Reader,
    query: Annotated[DashboardParameters, Query()],
) -> Dashboard:
    """Return a fleet's health, how updates of macOS changed its machines, and outliers; or those of
    a group of its machines.

    `fleet` is its id or its name. Only for its members and its uploader: to everybody else there is
    no such fleet.
    """
    async with server.reading.connect() as connection:
        access = await seen_part(connection, reader, fleet)
        group = group_seen(access, query.where)
        return await dashboard.dashboard(connection, access, group, datetime.now(UTC))


@router.get("/{fleet}/machines")
async def get_fleet_machines(
    fleet: str, server: CurrentServer, reader: Reader, query: Annotated[MachinesParameters, Query()]
) -> FleetMachines:
    """List a fleet's machines as their newest runs show them, with the problems of each."""
    async with server.reading.connect() as connection:
        access = await seen_part(connection, reader, fleet)
        group = group_seen(access, query.where)
        page = dashboard.Asked(**query.model_dump(exclude={"where"}), group=group)
        return await dashboard.machines_page(connection, access, page, datetime.now(UTC))


# Room for the changes of this many machines whatever their names, and for what undoes them.
_IN_BULK, _BULK_BYTES = 1000, 1024 * 1024


LabelValue = Annotated[str, one_line(60), VISIBLE]
# A filter names it: neither a colon in it nor a sign at its end would be part of it.
LabelKey = Annotated[LabelValue, Field(pattern="^[^:]*[^:!*]$")]


class MachineInBulk(Input):
    """Changes to one of several machines. What is absent stays.

    `labels` hold for all its runs in the fleet, over those that they state; null takes one back.
    """

    id: uuid.UUID
    name: machines.MachineName | None = None
    retired: bool | None = None
    barred: bool | None = None
    labels: dict[LabelKey, LabelValue | None] | None = Field(None, max_length=MAX_LABELS)


class BulkChanges(Input):
    """Changes to machines of a fleet, made together; `fleet` is where they move."""

    machines: list[MachineInBulk] = Field(min_length=1, max_length=_IN_BULK)
    fleet: str | None = None


@router.patch("/{fleet}/machines")
@takes_body(_BULK_BYTES)
async def patch_fleet_machines(
    fleet: str, body: BulkChanges, server: CurrentServer, person: Person
) -> schemas.BulkChange:
    """Name, label, retire, bar or move up to 1,000 machines, all or none.

    `undo` is what to send here, to `fleet`, to take that back.
    """
    access = person.changeable_fleet(fleet)
    to = person.changeable_fleet(body.fleet) if body.fleet is not None else None
    changes = {
        item.id: machines.Changes(item.name, item.retired, item.barred, item.labels)
        for item in body.machines
    }
    if len(changes) < len(body.machines):
        raise invalid("/machines", "Name each machine once.", "named_twice")
    async with server.writing.begin() as connection:
        undos = await machines.change_many(connection, access, changes, person, to=to)
    moved = to is not None and to.fleet_id != access.fleet_id
    undo: list[schemas.MachineChange] = [
        {
            "id": str(machine_id),
            "name": former.name,
            "retired": former.retired,
            "barred": former.barred,
            "labels": dict(former.labels) if former.labels is not None else None,
        }
        for machine_id in (changes if moved else undos)
        for former in (undos.get(machine_id, machines.Changes()),)
    ]
    return {
        "changed": len(undo),
        "fleet": to.fleet_name if to is not None and moved else access.fleet_name,
        "undo": {"machines": undo, "fleet": access.fleet_name if moved else None},
    }


class MachinesToDelete(Input):
    """Machines to delete with all their runs, which can't be undos."""

    machines: list[uuid.UUID] = Field(min_length=1, max_length=_IN_BULK)
    runs: int | None = Field(
        None, ge=0, description="how many runs go, as the answer without it said"
    )


@router.post("/{fleet}/machines/deletion", responses=refusals(409))
@takes_body(_BULK_BYTES)
async def post_machines_deletion(
    fleet: str, body: MachinesToDelete, server: CurrentServer, person: Person
) -> schemas.MachinesDeletion:
    """Delete up to 1,000 machines with all their runs, all or none.

    Without `runs` nothing is deleted: the answer says how many would be. With that number they are,
    or 409 if it has changed since.
    """
    access, machine_ids = person.changeable_fleet(fleet), {*body.machines}
    async with server.writing.begin() as connection:
        runs = await machines.delete_many(connection, access, machine_ids, person, body.runs)
    return {"machines": len(machine_ids), "runs": runs, "deleted": body.runs is not None}
