"""All data about one person: export and erasure."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, delete, exists, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import service
from macmeter.accounts.audit import names_address, note
from macmeter.comparisons.stored import comparisons_of
from macmeter.models import (
    Act,
    Alert,
    AlertAddress,
    AlertComment,
    Comparison,
    Fleet,
    Machine,
    Membership,
    OneTimeLink,
    Passkey,
    Person,
    Session,
    Token,
)
from macmeter.platform.database import as_json

# Replaces their name: an act is still somebody's.
NOBODY = "a deleted account"


async def everything_of(connection: AsyncConnection, person_id: uuid.UUID, now: datetime) -> Json:
    """Export all data about a person, without secrets.

    Runs of their machines are exported separately.
    """

    async def rows(*columns: Any, where: Any) -> list[Json]:
        return [as_json(row) for row in await connection.execute(select(*columns).where(where))]

    (account,) = await rows(
        *(Person.person_id, Person.name, Person.email, Person.server_admin, Person.created_at),
        *(Person.oidc_issuer, Person.oidc_subject),
        where=Person.person_id == person_id,
    )
    return {
        "account": account,
        "passkeys": await rows(
            *(Passkey.name, Passkey.created_at, Passkey.last_used_at),
            where=Passkey.person_id == person_id,
        ),
        "sessions": await rows(
            *(Session.browser, Session.created_at, Session.last_used_at, Session.expires_at),
            where=Session.person_id == person_id,
        ),
        "tokens": await rows(
            *(Token.name, Token.permission, Token.created_at, Token.last_used_at),
            *(Token.expires_at, Token.revoked_at),
            where=Token.person_id == person_id,
        ),
        "fleets": await rows(
            *(Fleet.name, Membership.role, Membership.since),
            where=(Membership.person_id == person_id) & (Fleet.fleet_id == Membership.fleet_id),
        ),
        "machines": await rows(
            *(Machine.machine_id, Machine.name, Machine.first_seen_at),
            where=Machine.claimed_by == person_id,
        ),
        "comparisons": await comparisons_of(connection, person_id, now),
        "comments": await rows(
            *(AlertComment.at, AlertComment.text), where=AlertComment.person_id == person_id
        ),
        "acts": await rows(
            *(Act.at, Act.action, Act.by, Act.details), where=Act.person_id == person_id
        ),
    }


async def erase(connection: AsyncConnection, person_id: uuid.UUID) -> None:
    """Delete an account, its links, and the person's name in the log, on alerts and Macs.

    Raise 409 for the last admin of a fleet or of the server. Runs stay with their fleets.
    """
    query = select(Person.name, Person.email).where(Person.person_id == person_id)
    person = (await connection.execute(query.with_for_update())).one()
    # In fleets that they have left, too, and by their name of then.
    did = Act.person_id == person_id
    for action, by in (("acknowledge", Alert.acknowledged_by), ("mute", Alert.muted_by)):
        about = Act.details["alert"].astext == cast(Alert.alert_id, Text)
        condition = exists().where(did, Act.action == f"alert.{action}", about, Act.by == by)
        await connection.execute(update(Alert).where(condition).values({by: NOBODY}))
    details, machine = Act.details, cast(Machine.machine_id, Text)
    about = (details["machine_id"].astext == machine) | details["machine_ids"].has_key(machine)
    condition = exists().where(did, Act.action == "machine.change", about)
    condition = condition.where(Act.by == Machine.retired_by)
    await connection.execute(update(Machine).where(condition).values(retired_by=NOBODY))
    for table in (Act, AlertComment):
        by_person = table.__table__.c.person_id == person_id
        await connection.execute(update(table).where(by_person).values(by=NOBODY))
    await connection.execute(delete(Comparison).where(Comparison.made_by == person_id))
    if person.email is not None:
        to_person = OneTimeLink.email == person.email
        await connection.execute(update(OneTimeLink).where(to_person).values(email=None))
        await connection.execute(delete(AlertAddress).where(AlertAddress.email == person.email))
    await _forget_in_log(connection, person_id, person.email)
    await service.remove(connection, person_id)
    await note(connection, NOBODY, "account.erase")


async def _forget_in_log(
    connection: AsyncConnection, person_id: uuid.UUID, email: str | None
) -> None:
    """Remove a person's name and email addresses from entries about acts of others, and what they
    called their passkeys and tokens from their own.
    """
    own_acts = (Act.person_id == person_id) & Act.action.regexp_match(r"^(passkey|token)\.")
    about = Act.details["person"].astext == str(person_id)
    if email is not None:
        about |= names_address(email)
    remaining = Act.details.op("-")(postgresql.array(["name", "email"]))
    await connection.execute(update(Act).where(own_acts | about).values(details=remaining))
