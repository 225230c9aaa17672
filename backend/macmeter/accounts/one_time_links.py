"""Links and secrets that work once: to become the first admin, join a fleet, claim a Mac, or enrol
one again.

A link's secret is in the fragment of its address, so it is in no log and no Referer. The page sends
it in the body of a request.
"""

import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from macmeter import Json
from macmeter.accounts.people import ADMIN, Group, Member, Role
from macmeter.accounts.rights import claimed_by
from macmeter.accounts.tokens import DEVICE, TokenPrincipal, secret_hash
from macmeter.models import Fleet, Machine, Membership, OneTimeLink, Person
from macmeter.platform.errors import Problem, not_found

Purpose = Literal["first_admin", "invitation", "claim"]
FIRST_ADMIN: Purpose = "first_admin"
INVITATION: Purpose = "invitation"
CLAIM: Purpose = "claim"
# A secret that an agent sends, not a link.
ENROLMENT = "enrolment"
PREFIX, ENROLMENT_PREFIX = "mml_", "mme_"
# Pages that open the links.
PATHS = {FIRST_ADMIN: "/invitations", INVITATION: "/invitations", CLAIM: "/claim"}
LIFETIMES = {
    FIRST_ADMIN: timedelta(days=1),
    INVITATION: timedelta(days=7),
    CLAIM: timedelta(hours=1),
    ENROLMENT: timedelta(days=1),
}


class Link(NamedTuple):
    """A valid link."""

    link_id: uuid.UUID
    purpose: Purpose
    fleet_id: uuid.UUID | None
    fleet_name: str | None
    role: Role | None
    limited_to: Group | None
    email: str | None
    made_by: str | None
    """The person's name."""
    machine_id: uuid.UUID | None
    """The machine to claim."""
    expires_at: datetime
    counts_as_invited: bool
    """Whether opening it counts as being invited: not for a claim, nor if the sender was never
    invited to this server themselves.
    """


def address_of(site: str, secret: str, purpose: Purpose = INVITATION) -> str:
    """Address of a link. `site` has no trailing slash."""
    return f"{site}{PATHS[purpose]}#{secret}"


def _new(purpose: str, now: datetime, **values: Any) -> tuple[Json, str]:
    """Columns of a new link, and its secret."""
    secret = (ENROLMENT_PREFIX if purpose == ENROLMENT else PREFIX) + secrets.token_urlsafe(32)
    # Without microseconds, since people read it.
    expires_at = now.replace(microsecond=0) + LIFETIMES[purpose]
    base = {"link_id": uuid.uuid4(), "created_at": now, "expires_at": expires_at}
    return {**base, "purpose": purpose, "secret_sha256": secret_hash(secret), **values}, secret


# --- the first admin


def has_admin(connection: Connection) -> bool:
    return bool(connection.scalar(select(exists().where(Person.server_admin))))


def make_admin_link(connection: Connection) -> str:
    """Create a link for the first admin and return its secret. The first that is used ends all.

    Whoever runs the server may make one at any time, also to get back in.
    """
    now = datetime.now(UTC)
    values, secret = _new(FIRST_ADMIN, now)
    expired = (OneTimeLink.purpose == FIRST_ADMIN) & (OneTimeLink.expires_at <= now)
    connection.execute(delete(OneTimeLink).where(expired))
    connection.execute(insert(OneTimeLink).values(values))
    return secret


# --- invitations


@dataclass(frozen=True)
class Invitation:
    """An invitation to a fleet, or without one to administer the server."""

    fleet_id: uuid.UUID | None
    role: str
    email: str | None = None
    """Address to mail it to, if any."""
    limited_to: Group | None = None


async def invite(
    connection: AsyncConnection, invitation: Invitation, by: uuid.UUID, now: datetime
) -> tuple[uuid.UUID, str]:
    """Create an invitation. Return the id and the secret of its link."""
    values, secret = _new(INVITATION, now, made_by=by, **vars(invitation))
    await connection.execute(insert(OneTimeLink).values(values))
    return values["link_id"], secret


_Sender = aliased(Person)


def sender_may_invite() -> ColumnElement[bool]:
    """Condition on links: for an invitation, that its sender may still invite; true for others.

    Otherwise a removed member could come back by a link of their own.
    """
    in_fleet = exists().where(
        Membership.person_id == OneTimeLink.made_by,
        Membership.fleet_id == OneTimeLink.fleet_id,
        Membership.role == ADMIN,
    )
    on_server = exists().where(_Sender.person_id == OneTimeLink.made_by, _Sender.server_admin)
    return or_(OneTimeLink.purpose != INVITATION, in_fleet, on_server)


_LINKS = (
    select(
        *(OneTimeLink.link_id, OneTimeLink.purpose, OneTimeLink.fleet_id, Fleet.name),
        *(OneTimeLink.role, OneTimeLink.limited_to, OneTimeLink.email, Person.name),
        *(OneTimeLink.machine_id, OneTimeLink.expires_at),
        (OneTimeLink.purpose != CLAIM) & func.coalesce(~Person.uninvited, True),
        *(OneTimeLink.used_at, sender_may_invite().label("sender_may_invite")),
    )
    .outerjoin(Fleet, Fleet.fleet_id == OneTimeLink.fleet_id)
    .outerjoin(Person, Person.person_id == OneTimeLink.made_by)
    .where(OneTimeLink.purpose.in_(PATHS))
)


async def find(connection: AsyncConnection, sha256: bytes, now: datetime) -> Link:
    """Find a link by its secret's hash.

    Raise 404 if it is unknown, 410 if it was used or has expired.
    """
    query = _LINKS.where(OneTimeLink.secret_sha256 == sha256)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        detail = "This server doesn't know this link. Copy all of it, or ask for a new one."
        raise Problem(404, "link_unknown", "Unknown link", detail)
    if row.used_at is not None:
        raise _used()
    if row.expires_at <= now:
        raise _gone("link_expired", "This link has expired. Ask for a new one.")
    if not row.sender_may_invite:
        raise _void()
    return Link._make(row[: len(Link._fields)])


async def use(connection: AsyncConnection, link: Link, now: datetime) -> None:
    """Mark a link as used. Raise 410 if another request was faster."""
    query = select(sender_may_invite()).where(OneTimeLink.link_id == link.link_id)
    if await connection.scalar(query) is False:
        raise _void()
    condition = OneTimeLink.link_id == link.link_id
    if link.purpose == FIRST_ADMIN:
        # Others may be left in terminals and logs: they must not make another admin.
        condition = OneTimeLink.purpose == FIRST_ADMIN
    # The address is only for mailing the link: its user has an account, maybe with another one.
    changed = update(OneTimeLink).where(condition, OneTimeLink.used_at.is_(None))
    marked = changed.values(used_at=now, email=None).returning(OneTimeLink.link_id)
    if link.link_id not in (await connection.scalars(marked)).all():
        raise _used()


async def forget_addresses(connection: AsyncConnection, now: datetime) -> None:
    """Forget where links that have expired were mailed."""
    old = (OneTimeLink.expires_at <= now) & OneTimeLink.email.is_not(None)
    await connection.execute(update(OneTimeLink).where(old).values(email=None))


async def revoke(connection: AsyncConnection, link_id: uuid.UUID) -> None:
    await connection.execute(delete(OneTimeLink).where(OneTimeLink.link_id == link_id))


def _used() -> Problem:
    return _gone("link_used", "This link was already used. Ask for a new one.")


def _void() -> Problem:
    return _gone(
        "link_void", "Whoever sent this invitation is no longer an admin. Ask for a new one."
    )


def _gone(code: str, detail: str) -> Problem:
    return Problem(410, code, "Link no longer valid", detail)


# --- claiming a Mac: a machine belongs to a fleet, a person, or nobody yet. The link is requested
# with the machine's own token, so somebody at that Mac meant it.


def require_device(bearer: TokenPrincipal) -> None:
    """Raise 403 for a token that isn't a device's."""
    if bearer.scope != DEVICE:
        detail = "Send the Mac's own token. Only the Mac can ask for its link."
        raise Problem(403, "not_a_device", "Not a Mac's token", detail)


async def make_claim_link(
    connection: AsyncConnection, machine_id: uuid.UUID, now: datetime
) -> tuple[str, datetime]:
    """Create a link to claim a machine. Return its secret and when it expires.

    Earlier links end. Raise 409 if the machine has an owner.
    """
    await require_free(connection, machine_id)
    await end_claim_links(connection, machine_id)
    values, secret = _new(CLAIM, now, machine_id=machine_id)
    await connection.execute(insert(OneTimeLink).values(values))
    return secret, values["expires_at"]


async def claim(connection: AsyncConnection, machine_id: uuid.UUID, person_id: uuid.UUID) -> None:
    """Claim a machine, in the transaction that uses the link.

    Raise 409 if somebody else was faster.
    """
    machine = await require_free(connection, machine_id, person_id)
    if machine.claimed_by is None:
        # Clears the name that somebody gave it before.
        statement = update(Machine).where(Machine.machine_id == machine_id)
        await connection.execute(statement.values(claimed_by=person_id, name=None))


async def unclaim(connection: AsyncConnection, machine_id: uuid.UUID, by: Member) -> None:
    """Release a claimed machine. Raise 404 if it isn't theirs."""
    statement = update(Machine).where(Machine.machine_id == machine_id, claimed_by(by))
    if not (await connection.execute(statement.values(claimed_by=None, name=None))).rowcount:
        raise not_found("Mac of yours")


async def end_claim_links(connection: AsyncConnection, machine_id: uuid.UUID) -> None:
    """Delete a machine's unused claim links."""
    claims = (OneTimeLink.machine_id == machine_id) & (OneTimeLink.purpose == CLAIM)
    await connection.execute(delete(OneTimeLink).where(claims, OneTimeLink.used_at.is_(None)))


async def require_free(
    connection: AsyncConnection, machine_id: uuid.UUID, person_id: uuid.UUID | None = None
) -> Any:
    """Lock a machine and return its row.

    Raise 409 if it is a fleet's, or not free for `person_id`.
    """
    query = select(Machine.fleet_id, Machine.claimed_by).where(Machine.machine_id == machine_id)
    machine = (await connection.execute(query.with_for_update())).one()
    if machine.fleet_id is not None:
        code = "machine_of_fleet"
        detail = (
            "This Mac belongs to a fleet, and its admins manage it. Only a Mac without a fleet can "
            "be claimed."
        )
    elif machine.claimed_by not in (None, person_id):
        code = "machine_claimed"
        detail = "Somebody else has claimed this Mac. They can release it on their page My Macs."
    else:
        return machine
    raise Problem(409, code, "Can't be claimed", detail)


# --- enrolling one Mac again under its id, with a secret that its owner makes when its token is
# lost: the id of a Mac outside any fleet is public and proves nothing.


def is_for_one_mac(secret: str) -> bool:
    """Whether it enrols one Mac again, and isn't a fleet's secret."""
    return secret.startswith(ENROLMENT_PREFIX)


async def make_enrolment_secret(
    connection: AsyncConnection, machine: Any, made_by: uuid.UUID, now: datetime
) -> tuple[str, datetime]:
    """Create a secret and return it with its expiry; earlier ones end.

    Raise 409 for a fleet's Mac.
    """
    if machine.fleet_id is not None:
        detail = "This Mac belongs to a fleet. Enrol it with a secret of the fleet."
        raise Problem(409, "machine_of_fleet", "Mac of a fleet", detail)
    await connection.execute(delete(OneTimeLink).where(_enrols(machine)))
    values, secret = _new(ENROLMENT, now, machine_id=machine.machine_id, made_by=made_by)
    await connection.execute(insert(OneTimeLink).values(values))
    return secret, values["expires_at"]


async def use_enrolment_secret(
    connection: AsyncConnection, secret: str, machine: Any, now: datetime
) -> bool:
    """Use up a secret for this machine.

    Return whether it was valid: the person who made it still owns the Mac, or administers the
    server.
    """
    admins = select(Person.person_id).where(Person.server_admin)
    statement = update(OneTimeLink).where(
        _enrols(machine),
        OneTimeLink.secret_sha256 == secret_hash(secret),
        OneTimeLink.used_at.is_(None),
        OneTimeLink.expires_at > now,
        (OneTimeLink.made_by == machine.claimed_by) | OneTimeLink.made_by.in_(admins),
    )
    return (await connection.execute(statement.values(used_at=now))).rowcount > 0


def _enrols(machine: Any) -> ColumnElement[bool]:
    is_machine: ColumnElement[bool] = OneTimeLink.machine_id == machine.machine_id
    return is_machine & (OneTimeLink.purpose == ENROLMENT)
