"""Fleets and their people. Callers check who may change them: see accounts/people.py."""

import re
import uuid
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError
from sqlalchemy import and_, delete, exists, func, insert, null, or_, select, true, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts.audit import RunAct, change_runs, note
from macmeter.accounts.people import (
    ADMIN,
    VIEWER,
    FleetAccess,
    Group,
    Member,
    Role,
    require_another_admin,
    where_of,
)
from macmeter.accounts.visibility import PUBLIC, among
from macmeter.alerts.groups import group_of
from macmeter.alerts.machines import in_use
from macmeter.comparisons.deleting import delete_runs
from macmeter.comparisons.pinned import move_fleet_machines
from macmeter.fleets.retention import lock, spare
from macmeter.fleets.schemas import FleetResponse, PersonInFleet
from macmeter.models import Fleet, Machine, Membership, Person, Run, Token
from macmeter.platform.database import as_json
from macmeter.platform.errors import FieldError, Problem, invalid, not_found
from macmeter.platform.plain_text import VISIBLE, legible
from macmeter.platform.release import LICENCE

Fate = Literal["delete", "publish", "move"]
"""Fate of the runs of a fleet that is deleted."""


async def fleets_of(
    connection: AsyncConnection, accesses: Iterable[FleetAccess]
) -> list[FleetResponse]:
    """Return these fleets, by name, with the person's role and the number of machines and people
    that they see.
    """
    by_id = {access.fleet_id: access for access in accesses}
    limits = {
        fleet_id: access.machine_ids
        for fleet_id, access in by_id.items()
        if access.machine_ids is not None
    }
    visible = among(Machine.machine_id, frozenset().union(*limits.values()))
    in_fleet = and_(in_use(Fleet.fleet_id), or_(Fleet.fleet_id.not_in(limits), visible))
    machines = select(func.count()).select_from(Machine).where(in_fleet).scalar_subquery()
    people = select(func.count()).where(Membership.fleet_id == Fleet.fleet_id).scalar_subquery()
    query = select(
        *(Fleet.fleet_id.label("id"), Fleet.name, Fleet.visibility, Fleet.created_at),
        Fleet.verified_at.is_not(None).label("verified"),
        *(machines.label("machines"), people.label("people")),
    )
    rows = await connection.execute(query.where(Fleet.fleet_id.in_(by_id)).order_by(Fleet.name))
    # Viewers who are limited to a group see only themselves.
    visible_people = {fleet_id: {"people": 1} for fleet_id in limits}
    return [
        as_json(
            row,
            role=by_id[row.id].role,
            where=by_id[row.id].where,
            **visible_people.get(row.id, {}),
        )
        for row in rows
    ]


async def create(connection: AsyncConnection, name: str, by: Member | None) -> uuid.UUID:
    """Create a private fleet with `by` as its admin. Raise 409 if the name is taken."""
    fleet_id = uuid.uuid4()
    await _require_free(connection, name, fleet_id)
    statement = postgresql.insert(Fleet).values(fleet_id=fleet_id, name=name, visibility="private")
    result = await connection.execute(statement.on_conflict_do_nothing().returning(Fleet.fleet_id))
    if result.one_or_none() is None:
        raise _name_taken(name)
    if by is not None:
        membership = {"fleet_id": fleet_id, "person_id": by.person_id, "role": ADMIN}
        await connection.execute(insert(Membership).values(membership))
    await note(connection, by, "fleet.create", fleet_id, name=name)
    return fleet_id


class Changes(NamedTuple):
    """Changes to a fleet; None stays as it is. `consent` is to the licence of public runs."""

    name: str | None
    visibility: str | None
    consent: bool
    verified: bool | None


async def change(
    connection: AsyncConnection, access: FleetAccess, changes: Changes, by: Member
) -> None:
    """Rename a fleet, set its visibility or vouch for it.

    Raise 422 for publishing without consent.
    """
    name, visibility, consent, verified = changes
    if verified is not None and not by.server_admin:
        raise Problem(
            403,
            "not_server_admin",
            "Not the server's admin",
            "Only an admin of this server says that a fleet is verified.",
            [FieldError("/verified", "not_server_admin", "Leave it out, or ask an admin.")],
        )
    # The trust of its runs changes with it, including those that are being stored.
    await lock(connection, access.fleet_id, alone=verified is not None)
    is_fleet = Fleet.fleet_id == access.fleet_id
    fleet = update(Fleet).where(is_fleet)
    query = select(Fleet.name, Fleet.visibility, Fleet.verified_at).where(is_fleet)
    before = (await connection.execute(query)).one()
    if name is not None and name != before.name:
        await _require_free(connection, name, access.fleet_id)
        await connection.execute(fleet.values(name=name))
        await note(connection, by, "fleet.rename", access.fleet_id, before=before.name, after=name)
    if visibility not in (None, before.visibility):
        details = {"before": before.visibility, "after": visibility}
        if visibility == PUBLIC:
            require_consent(consent)
            details["licence"] = LICENCE["name"]
        await connection.execute(fleet.values(visibility=visibility))
        await note(connection, by, "fleet.visibility", access.fleet_id, **details)
    if verified not in (None, before.verified_at is not None):
        await connection.execute(fleet.values(verified_at=func.now() if verified else None))
        await note(connection, by, "fleet.verify", access.fleet_id, verified=verified)


async def remove(
    connection: AsyncConnection,
    access: FleetAccess,
    runs: Fate,
    by: Member | None,
    *,
    to: FleetAccess | None = None,
) -> int:
    """Delete a fleet, completely or not at all. Return how many runs that concerned.

    Nothing is uploaded to it until the transaction ends. Its devices' tokens end, unless its
    machines and runs move `to` another fleet, where they go on.
    """
    await lock(connection, access.fleet_id, alone=True)
    in_fleet, tokens = Run.fleet_id == access.fleet_id, Token.fleet_id == access.fleet_id
    machines = update(Machine).where(Machine.fleet_id == access.fleet_id)
    act_details = {"fleet": access.fleet_name}
    if runs != "delete":
        await spare(connection, in_fleet, RunAct("run.reinstate", by, act_details))
    if to is not None:
        await lock(connection, to.fleet_id)
        await connection.execute(machines.values(fleet_id=to.fleet_id))
        await move_fleet_machines(connection, access.fleet_id, to.fleet_id)
        await connection.execute(update(Token).where(tokens).values(fleet_id=to.fleet_id))
        act = RunAct("run.move", by, {"from": access.fleet_name, "to": to.fleet_name})
        count = await change_runs(connection, in_fleet, {"fleet_id": to.fleet_id}, act)
    else:
        token_values = {"revoked_at": func.coalesce(Token.revoked_at, func.now()), "fleet_id": None}
        await connection.execute(update(Token).where(tokens).values(**token_values))
        if by is not None and runs == "publish":
            # Machines that can't prove themselves, or were barred, go to whoever publishes their
            # runs.
            unproven = Machine.bound_token_id.is_(None) | Machine.barred_at.is_not(None)
            await connection.execute(machines.where(unproven).values(claimed_by=by.person_id))
        barred_at = Machine.barred_at if runs == "publish" else None
        # Names and labels were the fleet's to know, and nobody is left to bring a retired Mac back.
        cleared = dict.fromkeys(("fleet_id", "name", "labels", "retired_by"))
        await connection.execute(machines.values(barred_at=barred_at, **cleared))
        if runs == "delete":
            count = await delete_runs(connection, in_fleet, RunAct("run.delete", by, act_details))
        else:
            changes = {"fleet_id": None, "visibility": PUBLIC}
            await move_fleet_machines(connection, access.fleet_id, None)
            act = RunAct("run.publish", by, act_details)
            count = await change_runs(connection, in_fleet, changes, act)
    await connection.execute(delete(Fleet).where(Fleet.fleet_id == access.fleet_id))
    details = {"name": access.fleet_name, "runs": runs, "counted": count}
    if to is not None:
        details["to"] = to.fleet_name
    await note(connection, by, "fleet.delete", access.fleet_id, **details)
    return count


def require_consent(consent: bool) -> None:
    """Raise 422 unless somebody has agreed to what publishing means."""
    if not consent:
        detail = (
            "Anyone could read these runs, and copies can't be taken back. "
            f"Send consent: true if you agree. {LICENCE['text']}"
        )
        errors = [FieldError("/consent", "consent_needed", detail)]
        title = "Consent needed"
        raise Problem(422, "consent_needed", title, detail, errors, extra={"licence": LICENCE})


async def _require_free(connection: AsyncConnection, name: str, fleet_id: uuid.UUID) -> None:
    """Raise 409 if another fleet has the name, ignoring case: "studio" equals "Studio"."""
    is_taken = (func.lower(Fleet.name) == func.lower(name)) & (Fleet.fleet_id != fleet_id)
    if await connection.scalar(select(exists().where(is_taken))):
        # Hides the other one's spelling: it may be somebody's private fleet.
        raise _name_taken(name)


def _name_taken(name: str) -> Problem:
    problem = invalid("/name", f"A fleet is already called {name}. Choose another name.")
    problem.status, problem.code, problem.title = 409, "name_taken", "Name taken"
    return problem


# Excludes what divides an address, or a question's terms.
_NAME_PATTERN = r"^[^/\\?#:!\x00-\x1f\x7f]*$"


def _require_name(name: str) -> str:
    """Return a name that an address and a question can carry, and that isn't mistaken for an id."""
    try:
        uuid.UUID(name)
    except ValueError:
        pass
    else:
        raise PydanticCustomError("id_as_name", "This looks like an id. Choose a name")
    if not re.fullmatch(_NAME_PATTERN, name):
        raise PydanticCustomError("divided_name", "A name can't have / \\ ? # : or ! in it")
    if legible(name) != name or name in (".", "..", "new"):
        raise PydanticCustomError("no_name", "Choose another name")
    return name


Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=60),
    Field(json_schema_extra={"pattern": _NAME_PATTERN}),
    VISIBLE,
    AfterValidator(_require_name),
]


async def people_in(connection: AsyncConnection, access: FleetAccess) -> list[PersonInFleet]:
    """Return the people in a fleet, by name. Email addresses are for admins."""
    email = (Person.email if access.role == ADMIN else null()).label("email")
    columns = (Person.name, email, Membership.role, Membership.since, Membership.limited_to)
    rows = await connection.execute(
        select(Person.person_id.label("id"), *columns)
        .join(Membership, Membership.person_id == Person.person_id)
        .where(Membership.fleet_id == access.fleet_id)
        .order_by(Person.name, Person.person_id)
    )
    return [with_where(as_json(row)) for row in rows]


def with_where(row: Json) -> Any:
    """Replace `limited_to` with `where`: the same group as a filter."""
    return row | {"where": where_of(row.pop("limited_to"))}


async def groups_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[str]:
    """Return the filters of the labels that admins gave to Macs: a role may be limited to each."""
    label = func.jsonb_each_text(Machine.labels).table_valued("key", "value").render_derived()
    query = select(label.c.key, label.c.value).select_from(Machine).join(label, true())
    rows = await connection.execute(query.where(Machine.fleet_id == fleet_id).distinct())
    return sorted(where_of({key: value}) for key, value in rows)


class RoleGrant(NamedTuple):
    """A role to give somebody, and the filter of the group that it is limited to, if any."""

    role: Role
    where: str


async def group_of_role(
    connection: AsyncConnection, fleet_id: uuid.UUID | None, grant: RoleGrant
) -> Group | None:
    """Parse the group that a role is limited to; None if there is none. Raise 422 for others
    than viewers, and for a label that no admin gave to a Mac: Macs don't choose their readers.
    """
    group = group_of(grant.where, "/where")
    if group is None:
        return None
    if grant.role != VIEWER:
        raise invalid("/where", "Only a viewer's role can be limited to a group.", "not_a_viewer")
    limited_to = {group.key: group.value}
    has_label = exists().where(Machine.fleet_id == fleet_id, Machine.labels.contains(limited_to))
    if not await connection.scalar(select(has_label)):
        detail = f"No Mac has {group} from an admin. Label the group's Macs on the fleet's page."
        raise invalid("/where", detail, "not_given")
    return limited_to


async def set_role(
    connection: AsyncConnection,
    access: FleetAccess,
    person_id: uuid.UUID,
    to: RoleGrant,
    by: Member,
) -> None:
    """Set a member's role. Raise 404 if they aren't in the fleet, 409 if no admin would be left."""
    before = await _role_now(connection, access, person_id, by)
    limited_to = await group_of_role(connection, access.fleet_id, to)
    if before == ADMIN and to.role != ADMIN:
        await require_another_admin(connection, access.fleet_id, without=person_id)
    statement = update(Membership).where(_is_membership(access, person_id))
    await connection.execute(statement.values(role=to.role, limited_to=limited_to))
    details = {"person": str(person_id), "before": before, "after": to.role}
    details |= {"where": to.where} if to.where else {}
    await note(connection, by, "member.role", access.fleet_id, **details)


async def remove_member(
    connection: AsyncConnection, access: FleetAccess, person_id: uuid.UUID, by: Member
) -> None:
    """Remove somebody under the rules of `set_role`. Everybody may leave."""
    if await _role_now(connection, access, person_id, by) == ADMIN:
        await require_another_admin(connection, access.fleet_id, without=person_id)
    await connection.execute(delete(Membership).where(_is_membership(access, person_id)))
    await note(connection, by, "member.remove", access.fleet_id, person=str(person_id))


async def _role_now(
    connection: AsyncConnection, access: FleetAccess, person_id: uuid.UUID, by: Member
) -> str:
    """Lock the fleet and return a member's role. Raise 403 if `by` is no longer an admin, unless
    they leave.

    Of two admins who demote each other at once, the second gets 403.
    """
    await lock(connection, access.fleet_id)
    if not by.server_admin and by.person_id != person_id:
        own_role = select(Membership.role).where(_is_membership(access, by.person_id))
        if await connection.scalar(own_role) != ADMIN:
            detail = "You are no longer an admin of this fleet."
            raise Problem(403, "not_admin", "Not an admin", detail)
    role: str | None = await connection.scalar(
        select(Membership.role).where(_is_membership(access, person_id))
    )
    if role is None:
        raise not_found("person in this fleet")
    return role


def _is_membership(access: FleetAccess, person_id: uuid.UUID) -> Any:
    return (Membership.fleet_id == access.fleet_id) & (Membership.person_id == person_id)
