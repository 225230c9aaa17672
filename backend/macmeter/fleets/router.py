"""Fleets: create and delete them, their people, links, health, machines and retention.

`{fleet}` is a fleet's id or its name. To people without access, a fleet doesn't exist.
"""

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import Field

from macmeter.accounts.audit import note
from macmeter.accounts.people import ADMIN, FleetAccess, Member, Role, require_change
from macmeter.accounts.schemas import GROUP_FILTER
from macmeter.accounts.scope import require_admin, seen_fleet
from macmeter.accounts.tokens import Visibility
from macmeter.alerts.machines import set_policy
from macmeter.alerts.schemas import FleetPolicy
from macmeter.fleets import links, retention, schemas, sent, service
from macmeter.fleets.service import Name
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.schema import Exact, Input
from macmeter.server.dependencies import CurrentServer, Person, Reader, Server, public_address
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1/fleets", tags=["fleets"])


class NewFleet(Input):
    name: Name


class FleetChanges(Input):
    """Changes to a fleet. What is absent stays.

    Going public needs consent to the licence. Only an admin of the server can verify a fleet.
    """

    name: Name | None = None
    visibility: Visibility | None = None
    consent: bool = False
    verified: bool | None = None


class Deletion(Input):
    """Deletion of a fleet. `name` confirms which; `runs` says what happens to its runs."""

    name: str = Field(description="the fleet's name, to confirm")
    runs: Literal["delete", "publish", "move"]
    to: str | None = Field(None, description="the fleet that runs and machines move to")
    consent: bool = Field(False, description="to the licence, for publish")


class RoleInFleet(Input):
    """A role; a viewer's may be limited to the Macs to which admins gave a label."""

    role: Role
    where: str = GROUP_FILTER


@router.get("")
async def get_fleets(server: CurrentServer, person: Person) -> schemas.Fleets:
    """List your own fleets, by name."""
    async with server.writing.connect() as connection:
        items = await service.fleets_of(connection, person.fleet_access)
    may_create = person.may_change and _may_create(person, server)
    return {"items": items, "may_create": may_create}


@router.post("", status_code=201, responses=refusals(409))
async def post_fleet(
    body: NewFleet, server: CurrentServer, person: Person
) -> schemas.FleetResponse:
    """Create a private fleet and become its admin."""
    require_change(person)
    if not _may_create(person, server):
        detail = (
            "Only an admin of this server can create fleets. FLEETS_BY_ANYBODY=1 allows "
            "everybody to."
        )
        raise Problem(403, "not_server_admin", "Not the server's admin", detail)
    async with server.writing.begin() as connection:
        fleet_id = await service.create(connection, body.name, person)
        access = FleetAccess(fleet_id, body.name, ADMIN)
        (response,) = await service.fleets_of(connection, [access])
    return response


def _may_create(person: Member, server: Server) -> bool:
    """Return whether a person may create fleets. A token for one fleet can't."""
    by_anybody = server.settings.fleets_by_anybody and not person.in_one_fleet
    return person.server_admin or by_anybody


@router.get("/{fleet}")
async def get_fleet(fleet: str, server: CurrentServer, person: Person) -> schemas.FleetResponse:
    """Return a fleet, and your role in it."""
    access = person.any_access_to(fleet)
    async with server.writing.connect() as connection:
        (response,) = await service.fleets_of(connection, [access])
    return response


@router.patch("/{fleet}", status_code=204, responses=refusals(409))
async def patch_fleet(
    fleet: str, body: FleetChanges, server: CurrentServer, person: Person
) -> None:
    """Rename a fleet, choose who reads it, or verify it."""
    access = person.changeable_fleet(fleet)
    changes = service.Changes(body.name, body.visibility, body.consent, body.verified)
    async with server.writing.begin() as connection:
        await service.change(connection, access, changes, person)


@router.delete("/{fleet}")
async def delete_fleet(
    fleet: str, query: Annotated[Deletion, Query()], server: CurrentServer, person: Person
) -> schemas.Deleted:
    """Delete a fleet: its runs are deleted, published, or moved to another fleet of yours."""
    access = person.changeable_fleet(fleet)
    if query.name != access.fleet_name:
        raise invalid("?name", "To confirm, repeat the fleet's exact name.", "not_confirmed")
    if (query.to is None) is (query.runs == "move"):
        raise invalid(
            "?to", "to names the fleet that runs move to. Send it with runs=move, and only then."
        )
    to = person.changeable_fleet(query.to) if query.to is not None else None
    if to == access:
        raise invalid("?to", "to must be another fleet: the runs are already in this one.")
    if query.runs == "publish":
        service.require_consent(query.consent)
    async with server.writing.begin() as connection:
        count = await service.remove(connection, access, query.runs, person, to=to)
    return {"runs": count}


@router.get("/{fleet}/members")
async def get_members(fleet: str, server: CurrentServer, person: Person) -> schemas.Members:
    """List the members of a fleet, and for its admins the groups that a role may be limited to."""
    access = person.access_to(fleet)
    async with server.writing.connect() as connection:
        groups = (
            await service.groups_of(connection, access.fleet_id) if access.role == ADMIN else []
        )
        return {"items": await service.people_in(connection, access), "groups": groups}


@router.put("/{fleet}/members/{person_id}", status_code=204, responses=refusals(409))
async def put_role(
    fleet: str, person_id: uuid.UUID, body: RoleInFleet, server: CurrentServer, person: Person
) -> None:
    """Make a member an admin or a viewer."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        to = service.RoleGrant(body.role, body.where)
        await service.set_role(connection, access, person_id, to, person)


@router.delete("/{fleet}/members/{person_id}", status_code=204, responses=refusals(409))
async def delete_member(
    fleet: str, person_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Remove a member from a fleet, or leave it."""
    access = person.any_access_to(fleet)
    if person_id == person.person_id:
        require_change(person)
    else:
        access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await service.remove_member(connection, access, person_id, person)


@router.get("/{fleet}/links")
async def get_fleet_links(
    fleet: str, request: Request, server: CurrentServer, person: Person
) -> schemas.FleetLinks:
    """List the newest 200 links whose figures rest on runs of the fleet, and what they show now."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        return {"items": await links.links_of(connection, access, public_address(request, server))}


@router.delete("/{fleet}/links/{link_id}/ids", status_code=204)
async def delete_link_ids(
    fleet: str, link_id: Annotated[str, Path(max_length=64)], server: CurrentServer, person: Person
) -> None:
    """Remove the ids of the fleet's runs from a link, for good. Figures of several Macs stay."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await links.take_ids_out(connection, access, link_id, person)


@router.get("/{fleet}/sent")
async def get_fleet_sent(fleet: str, server: CurrentServer, reader: Reader) -> schemas.Sent:
    """List every field that leaves a Mac, with its meaning and an example of the fleet's own.

    The examples are of its newest run of each suite; what these runs don't state has none.
    """
    async with server.reading.connect() as connection:
        access = await seen_fleet(connection, reader, fleet)
        return await sent.sent_by(connection, access.fleet_id)


class Policy(Input):
    """Definition of problems in this fleet."""

    silent_days: int = Field(ge=1, le=365, description="without an upload a machine is silent")
    filevault_required: bool = Field(description="a Mac without FileVault is listed as a problem")
    least_agent: str | None = Field(
        None,
        max_length=20,
        pattern=r"^\d+(\.\d+){0,3}$",
        description="an older agent is out of date; null: whatever is not the newest in the fleet",
    )


@router.put("/{fleet}/policy", status_code=204)
async def put_fleet_policy(fleet: str, body: Policy, server: CurrentServer, person: Person) -> None:
    """Set what counts as a problem: a machine's silence, its agent's version, and FileVault."""
    policy: FleetPolicy = {
        "silent_days": body.silent_days,
        "filevault_required": body.filevault_required,
        "least_agent": body.least_agent,
    }
    async with server.writing.begin() as connection:
        access = await seen_fleet(connection, person, fleet)
        require_admin(person, access.fleet_id, "changes its policy")
        await set_policy(connection, access.fleet_id, policy)
        await note(connection, person, "fleet.policy", access.fleet_id, **policy)


class AskedPolicy(Input):
    """Retention policy: what to keep of older runs."""

    days: int = Field(365, ge=1, le=36_500, description="how old a run may get")
    keep: Literal["nothing", "medians"] = Field(
        "nothing", description="medians: answers stay as they are, samples and traces go"
    )
    keep_linked: bool = Field(True, description="keep runs that a link's figures use")

    def policy(self) -> retention.RetentionPolicy:
        return retention.RetentionPolicy(self.days, self.keep, self.keep_linked)


class ConfirmedPolicy(AskedPolicy):
    days: int = Field(ge=1, le=36_500, description="how old a run may get")
    runs: int = Field(ge=0, description="how many go at once, as the preview said")


class Retention(Exact):
    policy: retention.RetentionPolicy | None
    sweeps: list[schemas.Sweep]


@router.get("/{fleet}/retention", responses=refusals(409))
async def get_retention(fleet: str, server: CurrentServer, person: Person) -> Retention:
    """Return a fleet's policy, if it has one, and what was put aside by it recently."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        policy = await retention.policy_of(connection, access.fleet_id)
        sweeps = await retention.sweeps_of(connection, access.fleet_id)
    return {"policy": policy, "sweeps": sweeps}


@router.get("/{fleet}/retention/preview")
async def get_retention_preview(
    fleet: str, query: Annotated[AskedPolicy, Query()], server: CurrentServer, person: Person
) -> retention.RetentionEffect:
    """Preview what a policy would do now. Nothing is changed."""
    access = person.administered_fleet(fleet)
    async with server.writing.connect() as connection:
        return await retention.effect_of(
            connection, access.fleet_id, query.policy(), datetime.now(UTC)
        )


@router.put("/{fleet}/retention", status_code=204, responses=refusals(409))
async def put_retention(
    fleet: str, body: ConfirmedPolicy, server: CurrentServer, person: Person
) -> None:
    """Set a policy and apply it, now and then once a day.

    No answer counts the runs from now on; they are deleted after 7 days. `runs` confirms the number
    in the preview: 409 if it has changed since.
    """
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        runs = await retention.set_policy(
            connection, access, body.policy(), person, datetime.now(UTC)
        )
        retention.require_announced(runs, body.runs)


@router.delete("/{fleet}/retention", status_code=204)
async def delete_retention(fleet: str, server: CurrentServer, person: Person) -> None:
    """Keep all runs from now on. What was put aside is still deleted, unless that is undone."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await retention.set_policy(connection, access, None, person, datetime.now(UTC))


@router.delete("/{fleet}/retention/sweeps/{sweep_id}", status_code=204, responses=refusals(409))
async def delete_sweep(
    fleet: str, sweep_id: uuid.UUID, server: CurrentServer, person: Person
) -> None:
    """Undo a sweep: its runs count again, and the policy ends."""
    access = person.changeable_fleet(fleet)
    async with server.writing.begin() as connection:
        await retention.undo(connection, access, sweep_id, person, datetime.now(UTC))
