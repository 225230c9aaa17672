"""Accounts: made with a one-time link, and deleted by their owners."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.memberships import keep_a_server_admin, keep_an_admin
from macmeter.access.people import ADMIN
from macmeter.errors import FieldError, Problem
from macmeter.models import Membership, Passkey, Person


@dataclass(frozen=True)
class Identity:
    """Who somebody is to their organisation: a subject, which only its issuer can say."""

    issuer: str
    subject: str


@dataclass(frozen=True)
class Account:
    """A new one."""

    person_id: uuid.UUID
    name: str
    email: str | None = None
    """In lower case."""
    password_hash: str | None = None
    identity: Identity | None = None
    uninvited: bool = False
    """Made to claim a Mac, as whoever has a Mac can, or on the word of somebody like that."""


async def create(connection: AsyncConnection, account: Account) -> None:
    """409 for an email address that another account has."""
    if account.email is not None:
        await require_free(connection, account.email)
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


async def require_free(connection: AsyncConnection, email: str) -> None:
    if await connection.scalar(select(exists().where(Person.email == email))):
        said = "An account has this address already. Sign in to it, then open the link again."
        raise Problem(
            409,
            "email_taken",
            "Address in use",
            said,
            [FieldError("/account/email", "email_taken", said)],
        )


async def require_another_way(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """409 where nothing is left to sign in with, once something has been taken away."""
    left = await connection.scalar(
        select(func.count())
        .select_from(Person)
        .outerjoin(Passkey, Passkey.person_id == Person.person_id)
        .where(
            Person.person_id == person_id,
            Passkey.credential_id.is_not(None)
            | Person.password_hash.is_not(None)
            | Person.oidc_subject.is_not(None),
        )
    )
    if not left:
        raise Problem(
            409,
            "last_way_in",
            "Last way to sign in",
            "This is your only way to sign in. Add another passkey or a password first.",
        )


async def lock(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """Until the end of the transaction nobody else changes how they sign in."""
    await connection.execute(
        select(Person.person_id).where(Person.person_id == person_id).with_for_update()
    )


async def remove(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """With their passkeys, sessions and tokens; 409 for the last admin of a fleet or the server."""
    await keep_a_server_admin(connection, person_id)
    administered = select(Membership.fleet_id).where(
        Membership.person_id == person_id, Membership.role == ADMIN
    )
    for fleet_id in sorted((await connection.scalars(administered)).all()):
        await keep_an_admin(connection, fleet_id, person_id)
    await connection.execute(delete(Person).where(Person.person_id == person_id))
