"""Account management: create, list and delete accounts, and grant server admin rights."""

import uuid
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import note
from macmeter.accounts.people import (
    ADMIN,
    Member,
    Role,
    require_another_admin,
    require_another_server_admin,
)
from macmeter.models import Fleet, Membership, Passkey, Person, Session, Token
from macmeter.platform.errors import FieldError, Problem, not_found


@dataclass(frozen=True)
class Identity:
    """OpenID Connect identity. A subject is only meaningful to its issuer."""

    issuer: str
    subject: str


@dataclass(frozen=True)
class Account:
    """A new account."""

    person_id: uuid.UUID
    name: str
    email: str | None = None
    """Lower case."""
    password_hash: str | None = None
    identity: Identity | None = None
    uninvited: bool = False
    """Whether it was created to claim a Mac, or through an invitation from such an account."""


async def create(connection: AsyncConnection, account: Account) -> None:
    """Insert the account. Raise 409 if another account has its email address."""
    if account.email is not None:
        await require_unused_email(connection, account.email)
    await connection.execute(
        insert(Person).values(
            person_id=account.person_id,
            name=account.name,
            email=account.email,
            password_hash=account.password_hash,
            oidc_issuer=account.identity.issuer if account.identity else None,
            oidc_subject=account.identity.subject if account.identity else None,
            uninvited=account.uninvited,
        )
    )


async def require_unused_email(connection: AsyncConnection, email: str) -> None:
    """Raise 409 if an account has this email address."""
    if await connection.scalar(select(exists().where(Person.email == email))):
        detail = "An account has this address already. Sign in to it, then open the link again."
        field = FieldError("/account/email", "email_taken", detail)
        raise Problem(409, "email_taken", "Address in use", detail, [field])


async def require_a_way_to_sign_in(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """Raise 409 if no way to sign in is left. Call it after removing one."""
    ways = or_(
        exists().where(Passkey.person_id == Person.person_id),
        Person.password_hash.is_not(None),
        Person.oidc_subject.is_not(None),
    )
    if not await connection.scalar(select(ways).where(Person.person_id == person_id)):
        detail = "This is your only way to sign in. Add another passkey or a password first."
        raise Problem(409, "last_way_in", "Last way to sign in", detail)


async def lock(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """Lock a person's row: their ways to sign in can't change until the transaction ends."""
    await connection.execute(
        select(Person.person_id).where(Person.person_id == person_id).with_for_update()
    )


async def remove(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """Delete an account with its passkeys, sessions and tokens.

    Raise 409 for the last admin of a fleet or of the server.
    """
    await require_another_server_admin(connection, person_id)
    administered = select(Membership.fleet_id).where(
        Membership.person_id == person_id, Membership.role == ADMIN
    )
    for fleet_id in sorted((await connection.scalars(administered)).all()):
        await require_another_admin(connection, fleet_id, person_id)
    await connection.execute(delete(Person).where(Person.person_id == person_id))


# --- all accounts, for the server's admins


@dataclass(frozen=True, slots=True)
class FleetOfPerson:
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class PersonListed:
    id: str
    name: str
    email: str | None
    server_admin: bool
    fleets: list[FleetOfPerson]
    created_at: str
    last_seen_at: str | None


async def list_people(
    connection: AsyncConnection, limit: int, offset: int
) -> tuple[list[PersonListed], int]:
    """Return a page of people by name, with fleets and last activity, and the total count."""
    by_session = select(func.max(Session.last_used_at)).where(Session.person_id == Person.person_id)
    by_token = select(func.max(Token.last_used_at)).where(Token.person_id == Person.person_id)
    last_used = func.greatest(by_session.scalar_subquery(), by_token.scalar_subquery())
    fleet = func.jsonb_build_object("name", Fleet.name, "role", Membership.role)
    fleets = (
        select(func.jsonb_agg(postgresql.aggregate_order_by(fleet, Fleet.name)))
        .join(Membership, Membership.fleet_id == Fleet.fleet_id)
        .where(Membership.person_id == Person.person_id)
    )
    query = select(Person, last_used.label("seen"), fleets.scalar_subquery().label("fleets"))
    page = query.order_by(Person.name, Person.person_id).limit(limit).offset(offset)
    items = [
        PersonListed(
            id=str(row.person_id),
            name=row.name,
            email=row.email,
            server_admin=row.server_admin,
            fleets=[FleetOfPerson(**fleet) for fleet in row.fleets or ()],
            created_at=row.created_at.isoformat(),
            last_seen_at=row.seen.isoformat() if row.seen else None,
        )
        for row in await connection.execute(page)
    ]
    total = await connection.scalar(select(func.count()).select_from(Person))
    return items, total or 0


async def set_server_admin(
    connection: AsyncConnection, person_id: uuid.UUID, server_admin: bool, by: Member
) -> None:
    """Grant or revoke server admin rights. Raise 409 if the server would have no admin."""
    name = await _locked_name(connection, person_id, by)
    if not server_admin:
        await require_another_server_admin(connection, person_id)
    statement = update(Person).where(Person.person_id == person_id)
    await connection.execute(statement.values(server_admin=server_admin))
    person = str(person_id)
    await note(connection, by, "person.server_admin", person=person, name=name, after=server_admin)


async def remove_other(connection: AsyncConnection, person_id: uuid.UUID, by: Member) -> None:
    """Delete another person's account. Raise 409 for the last admin of a fleet or of the server."""
    name = await _locked_name(connection, person_id, by)
    await remove(connection, person_id)
    await note(connection, by, "person.remove", person=str(person_id), name=name)


async def _locked_name(connection: AsyncConnection, person_id: uuid.UUID, by: Member) -> str:
    """Lock both rows and return the person's name.

    Of two admins who demote each other at once, the second gets 403. Raise 404 if the person is
    gone.
    """
    query = select(Person.person_id, Person.name, Person.server_admin)
    query = query.where(Person.person_id.in_({person_id, by.person_id}))
    rows = await connection.execute(query.order_by(Person.person_id).with_for_update())
    by_id = {row.person_id: row for row in rows}
    if by.person_id not in by_id or not by_id[by.person_id].server_admin:
        raise Problem(403, "not_admin", "Not an admin", "You are no longer an admin of the server.")
    if person_id not in by_id:
        raise not_found("person")
    return str(by_id[person_id].name)
