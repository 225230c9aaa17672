"""Making, changing and deleting fleets. Whether somebody may is asked before: access/people.py."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.people import ADMIN, Member, Place
from macmeter.access.run_changes import RunAct, change_runs
from macmeter.access.visibility import PUBLIC
from macmeter.errors import FieldError, Problem, invalid
from macmeter.fleets.retention import spare
from macmeter.fleets.shapes import FleetTold
from macmeter.licence import LICENCE
from macmeter.models import Fleet, Machine, Membership, Run, Token
from macmeter.sharing.behind import follow_fleet
from macmeter.sharing.deleting import delete_runs

Fate = Literal["delete", "publish", "move"]
"""What happens to the runs of a fleet that is deleted."""


@dataclass(frozen=True)
class Changes:
    """Changes to a fleet; None stays as it is."""

    name: str | None = None
    visibility: str | None = None
    consent: bool = False
    """To the licence that public runs are under."""
    verified: bool | None = None


def described(member: Member) -> Any:
    """Selects the fleets that somebody is in, by name, with how much is in them."""
    machines = select(func.count()).where(Machine.fleet_id == Fleet.fleet_id).scalar_subquery()
    people = select(func.count()).where(Membership.fleet_id == Fleet.fleet_id).scalar_subquery()
    return (
        select(Fleet, machines.label("machines"), people.label("people"))
        .where(Fleet.fleet_id.in_(member.fleet_ids))
        .order_by(Fleet.name)
    )


async def fleets_of(connection: AsyncConnection, member: Member) -> list[FleetTold]:
    return [_told(row, member) for row in await connection.execute(described(member))]


async def one_fleet(connection: AsyncConnection, member: Member, place: Place) -> FleetTold:
    query = described(member).where(Fleet.fleet_id == place.fleet_id)
    return _told((await connection.execute(query)).one(), member)


def _told(row: Any, member: Member) -> FleetTold:
    return {
        "id": str(row.fleet_id),
        "name": row.name,
        "visibility": row.visibility,
        "verified": row.verified_at is not None,
        "role": member.roles[row.fleet_id],
        "created_at": row.created_at.isoformat(),
        "machines": row.machines,
        "people": row.people,
    }


async def create(connection: AsyncConnection, name: str, by: Member | None) -> uuid.UUID:
    """A private fleet, whose maker is its admin; 409 where the name is taken."""
    fleet_id = uuid.uuid4()
    await _require_free(connection, name, fleet_id)
    made = postgresql.insert(Fleet).values(fleet_id=fleet_id, name=name, visibility="private")
    found = await connection.execute(made.on_conflict_do_nothing().returning(Fleet.fleet_id))
    if found.one_or_none() is None:
        raise _name_taken(name)
    if by is not None:
        await connection.execute(
            insert(Membership).values(fleet_id=fleet_id, person_id=by.person_id, role=ADMIN)
        )
    await note(connection, by, "fleet.create", fleet_id, name=name)
    return fleet_id


async def created_at(connection: AsyncConnection, fleet_id: uuid.UUID) -> str:
    at: datetime = (
        await connection.execute(select(Fleet.created_at).where(Fleet.fleet_id == fleet_id))
    ).scalar_one()
    return at.isoformat()


async def change(
    connection: AsyncConnection, place: Place, changes: Changes, by: Member | None
) -> None:
    """Rename it, show it to others, to everybody only with consent, or vouch for it."""
    if changes.verified is not None:
        _require_server_admin(by)
    # Its runs change with what is thought of it, those included that are being stored.
    await lock(connection, place, alone=changes.verified is not None)
    fleet = update(Fleet).where(Fleet.fleet_id == place.fleet_id)
    before = (
        await connection.execute(
            select(Fleet.name, Fleet.visibility, Fleet.verified_at).where(
                Fleet.fleet_id == place.fleet_id
            )
        )
    ).one()
    if changes.name is not None and changes.name != before.name:
        await _require_free(connection, changes.name, place.fleet_id)
        await connection.execute(fleet.values(name=changes.name))
        await note(
            connection, by, "fleet.rename", place.fleet_id, before=before.name, after=changes.name
        )
    if changes.visibility is not None and changes.visibility != before.visibility:
        agreed = {}
        if changes.visibility == PUBLIC:
            require_consent(changes.consent)
            agreed = {"licence": LICENCE["name"]}
        await connection.execute(fleet.values(visibility=changes.visibility))
        told = {"before": before.visibility, "after": changes.visibility, **agreed}
        await note(connection, by, "fleet.visibility", place.fleet_id, **told)
    if changes.verified is not None and changes.verified != (before.verified_at is not None):
        await connection.execute(fleet.values(verified_at=func.now() if changes.verified else None))
        await note(connection, by, "fleet.verify", place.fleet_id, verified=changes.verified)


def _require_server_admin(by: Member | None) -> None:
    if by is not None and not by.server_admin:
        raise Problem(
            403,
            "not_server_admin",
            "Not the server's admin",
            "Only an admin of this server says that a fleet is verified.",
            [FieldError("/verified", "not_server_admin", "Leave it out, or ask an admin.")],
        )


async def remove(
    connection: AsyncConnection,
    place: Place,
    runs: Fate,
    by: Member | None,
    *,
    to: Place | None = None,
) -> int:
    """Delete it, all of it or nothing; how many runs that concerned.

    From here to the end of the transaction nothing is uploaded to it. Its devices' tokens end, but
    where its machines and runs move `to` another fleet: there they go on.
    """
    await lock(connection, place, alone=True)
    of_fleet, tokens = Run.fleet_id == place.fleet_id, Token.fleet_id == place.fleet_id
    machines = update(Machine).where(Machine.fleet_id == place.fleet_id)
    fate = {"fleet": place.fleet_name}
    if runs != "delete":
        await spare(connection, of_fleet, RunAct("run.reinstate", by, fate))
    if to is not None:
        await lock(connection, to)
        await connection.execute(machines.values(fleet_id=to.fleet_id))
        await follow_fleet(connection, place.fleet_id, to.fleet_id)
        await connection.execute(update(Token).where(tokens).values(fleet_id=to.fleet_id))
        act = RunAct("run.move", by, {"from": place.fleet_name, "to": to.fleet_name})
        counted = await change_runs(connection, of_fleet, {"fleet_id": to.fleet_id}, act)
    else:
        ended = {"revoked_at": func.coalesce(Token.revoked_at, func.now()), "fleet_id": None}
        await connection.execute(update(Token).where(tokens).values(**ended))
        if by is not None and runs == "publish":
            # What can't prove itself, or was shut out, is answered for by whoever publishes it.
            unproven = Machine.bound_token_id.is_(None) | Machine.barred_at.is_not(None)
            await connection.execute(machines.where(unproven).values(claimed_by=by.person_id))
        barred_at = Machine.barred_at if runs == "publish" else None
        await connection.execute(machines.values(fleet_id=None, barred_at=barred_at))
        if runs == "delete":
            counted = await delete_runs(connection, of_fleet, RunAct("run.delete", by, fate))
        else:
            shown = {"fleet_id": None, "visibility": PUBLIC}
            await follow_fleet(connection, place.fleet_id, None)
            act = RunAct("run.publish", by, fate)
            counted = await change_runs(connection, of_fleet, shown, act)
    await connection.execute(delete(Fleet).where(Fleet.fleet_id == place.fleet_id))
    where = {"to": to.fleet_name} if to is not None else {}
    told = {"name": place.fleet_name, "runs": runs, "counted": counted, **where}
    await note(connection, by, "fleet.delete", place.fleet_id, **told)
    return counted


async def lock(connection: AsyncConnection, place: Place, *, alone: bool = False) -> None:
    """Until the transaction ends nobody else changes it; `alone`, nobody uploads to it either.

    404 where it has gone meanwhile.
    """
    query = select(Fleet.fleet_id).where(Fleet.fleet_id == place.fleet_id)
    query = query.with_for_update(key_share=not alone)
    if await connection.scalar(query) is None:
        raise Problem(404, "not_found", "Not found", "This fleet was just deleted.")


def require_consent(given: bool) -> None:
    """422 unless somebody has agreed to what publishing means."""
    if not given:
        detail = (
            "Anyone could read these runs, and copies can't be taken back. "
            f"Send consent: true if you agree. {LICENCE['text']}"
        )
        raise Problem(
            422,
            "consent_needed",
            "Consent needed",
            detail,
            [FieldError("/consent", "consent_needed", detail)],
            extra={"licence": LICENCE},
        )


async def _require_free(connection: AsyncConnection, name: str, fleet_id: uuid.UUID) -> None:
    """409 where another fleet is called so, in whatever letters: "studio" passes for "Studio"."""
    alike = (func.lower(Fleet.name) == func.lower(name)) & (Fleet.fleet_id != fleet_id)
    if await connection.scalar(select(exists().where(alike))):
        # Not as the other is spelled: that may be somebody's private fleet.
        raise _name_taken(name)


def _name_taken(name: str) -> Problem:
    problem = invalid("/name", f"A fleet is already called {name}. Choose another name.")
    problem.status, problem.code, problem.title = 409, "name_taken", "Name taken"
    return problem
