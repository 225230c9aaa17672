"""A fleet's page: its health, what updates changed, machines unlike others, and all machines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from macmeter.access.audit import note
from macmeter.access.seen_fleets import require_admin, seen_fleet
from macmeter.alerts import dashboard, shapes
from macmeter.alerts.machines import set_policy
from macmeter.api import schemas
from macmeter.api.dependencies import Person, Reader, ServerPart
from macmeter.api.routing import Router

router = Router(prefix="/api/v1/fleets/{fleet}", tags=["fleets"])


class MachinesParameters(schemas.Input):
    """Which machines, and in which order."""

    sort: Literal[dashboard.SORTS] = Field("last_upload")  # type: ignore[valid-type]
    descending: bool = False
    only: shapes.Amiss | None = Field(None, description="those with this problem")
    q: str = Field(
        "",
        max_length=200,
        pattern=r"^[^\x00-\x1f]*$",
        description="words in name, model, chip, macOS or id",
    )
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=1_000_000)


@router.get("/dashboard")
async def get_fleet_dashboard(fleet: str, part: ServerPart, reader: Reader) -> shapes.Dashboard:
    """A fleet's health, how updates of macOS changed its machines, and outliers.

    `fleet` is its id or its name. For its members and its uploader: to everybody else there is no
    such fleet.
    """
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, reader, fleet)
        return await dashboard.dashboard(connection, seen, datetime.now(UTC))


@router.get("/machines")
async def get_fleet_machines(
    fleet: str,
    part: ServerPart,
    reader: Reader,
    asked: Annotated[MachinesParameters, Query()],
) -> shapes.FleetMachines:
    """A fleet's machines as their newest runs show them, with the problems of each."""
    wanted = dashboard.Asked(**asked.model_dump())
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, reader, fleet)
        return await dashboard.machines_page(connection, seen, wanted, datetime.now(UTC))


class Policy(schemas.Input):
    """The problems in this fleet."""

    silent_days: int = Field(ge=1, le=365, description="without an upload a machine is silent")
    filevault_required: bool = Field(description="a Mac without FileVault is listed as a problem")
    least_agent: str | None = Field(
        None,
        max_length=20,
        pattern=r"^\d+(\.\d+){0,3}$",
        description="an older agent is out of date; null: whatever is not the newest in the fleet",
    )


@router.put("/policy", status_code=204)
async def put_fleet_policy(fleet: str, body: Policy, part: ServerPart, by: Person) -> None:
    """Set what counts as a problem: a machine's silence, its agent's version, and FileVault."""
    policy: shapes.FleetPolicy = {
        "silent_days": body.silent_days,
        "filevault_required": body.filevault_required,
        "least_agent": body.least_agent,
    }
    async with part.writing.begin() as connection:
        seen = await seen_fleet(connection, by, fleet)
        require_admin(by, seen.fleet_id, "changes its policy")
        await set_policy(connection, seen.fleet_id, policy)
        await note(connection, by, "fleet.policy", seen.fleet_id, **policy)
