"""People, their fleets and their sessions, made in the database: for tests of what they may."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from macmeter.accounts import one_time_links, sessions, tokens
from macmeter.accounts.one_time_links import INVITATION
from macmeter.accounts.tokens import PERSON, PREFIX, secret_hash
from macmeter.models import (
    Act,
    Alert,
    EnrolmentSecret,
    Fleet,
    Membership,
    OneTimeLink,
    Person,
    Token,
)
from macmeter.platform.database import normalise
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.ext.asyncio import create_async_engine

from support.databases import transaction

# What a browser sends with what its own page asks for.
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
writing = transaction


def make_fleet(database_url: str, name: str, visibility: str = "private") -> uuid.UUID:
    fleet_id = uuid.uuid4()
    with writing(database_url) as connection:
        connection.execute(
            insert(Fleet).values(fleet_id=fleet_id, name=name, visibility=visibility)
        )
    return fleet_id


def make_alert(database_url: str, fleet_id: uuid.UUID) -> uuid.UUID:
    """An alert of a silent machine."""
    alert_id, now = uuid.uuid4(), datetime.now(UTC)
    with writing(database_url) as connection:
        connection.execute(
            insert(Alert).values(
                alert_id=alert_id,
                fleet_id=fleet_id,
                kind="silent",
                cause="silent",
                opened_at=now,
                seen_at=now,
                detail={"machine_ids": [str(uuid.uuid4())], "machines": 1},
            )
        )
    return alert_id


def uploader_of(database_url: str, fleet_id: uuid.UUID) -> str:
    """The secret of a fleet's uploader token."""
    with writing(database_url) as connection:
        return tokens.issue(connection, tokens.FLEET, fleet_id)


def make_secret(database_url: str, fleet_id: uuid.UUID, **limits: Any) -> str:
    """An enrolment secret of a fleet; `limits` are columns, such as its quota."""
    secret = f"mms_{uuid.uuid4().hex}"
    values = {"quota": None, "expires_at": None, "name": "a secret"} | limits
    with writing(database_url) as connection:
        connection.execute(
            insert(EnrolmentSecret).values(
                secret_id=uuid.uuid4(),
                fleet_id=fleet_id,
                secret_sha256=secret_hash(secret),
                **values,
            )
        )
    return secret


def make_person(
    database_url: str,
    name: str = "Ada",
    *,
    server_admin: bool = False,
    roles: dict[uuid.UUID, str] | None = None,
) -> uuid.UUID:
    """`roles` are viewer or admin, by fleet."""
    person_id = uuid.uuid4()
    with writing(database_url) as connection:
        connection.execute(
            insert(Person).values(person_id=person_id, name=name, server_admin=server_admin)
        )
        for fleet_id, role in (roles or {}).items():
            connection.execute(
                insert(Membership).values(fleet_id=fleet_id, person_id=person_id, role=role)
            )
    return person_id


async def sign_in(database_url: str, person_id: uuid.UUID) -> dict[str, str]:
    """The headers of a browser in which they are signed in."""
    engine = create_async_engine(normalise(database_url))
    async with engine.begin() as connection:
        secret = await sessions.start(connection, person_id, "a test", datetime.now(UTC))
    await engine.dispose()
    return {"Cookie": f"macmeter={secret}", **OWN_PAGE}


def token_of(
    database_url: str,
    person_id: uuid.UUID,
    permission: str,
    fleet_id: uuid.UUID | None = None,
) -> dict[str, str]:
    """The headers of a program with a person's token."""
    secret = PREFIX[PERSON] + uuid.uuid4().hex
    with writing(database_url) as connection:
        connection.execute(
            insert(Token).values(
                token_id=uuid.uuid4(),
                secret_sha256=secret_hash(secret),
                scope=PERSON,
                person_id=person_id,
                permission=permission,
                fleet_id=fleet_id,
                name="a program",
            )
        )
    return {"Authorization": f"Bearer {secret}"}


def admin_link(database_url: str) -> str:
    """The secret of a link to become the first administrator."""
    with writing(database_url) as connection:
        return one_time_links.make_admin_link(connection)


def acts(database_url: str) -> list[str]:
    """What was done, in its order."""
    with writing(database_url) as connection:
        return list(connection.scalars(select(Act.action).order_by(Act.act_id)))


def make_invitation(database_url: str, fleet: str) -> str:
    """The id of a link to join a fleet."""
    link_id = uuid.uuid4()
    with writing(database_url) as connection:
        connection.execute(
            insert(OneTimeLink).values(
                link_id=link_id,
                secret_sha256=secret_hash(str(link_id)),
                purpose=INVITATION,
                fleet_id=select(Fleet.fleet_id).where(Fleet.name == fleet).scalar_subquery(),
                role="viewer",
                expires_at=datetime.now(UTC) + timedelta(days=1),
            )
        )
    return str(link_id)


def set_email(connection: Connection, person_id: uuid.UUID, email: str) -> None:
    connection.execute(update(Person).where(Person.person_id == person_id).values(email=email))
