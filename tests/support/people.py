"""People, their fleets and their sessions, created in the database, to test permissions."""

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

# Header that a browser adds to requests of our own pages.
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
    """Open an alert about a silent machine."""
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
    """Issue a fleet's uploader token and return its secret."""
    with writing(database_url) as connection:
        return tokens.issue(connection, tokens.FLEET, fleet_id)


def make_secret(database_url: str, fleet_id: uuid.UUID, **limits: Any) -> str:
    """Create a fleet's enrolment secret; `limits` are columns, such as its quota."""
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
    limited_to: dict[str, str] | None = None,
) -> uuid.UUID:
    """Create a person; `roles` are viewer or admin, by fleet, limited to Macs with a label."""
    person_id = uuid.uuid4()
    with writing(database_url) as connection:
        connection.execute(
            insert(Person).values(person_id=person_id, name=name, server_admin=server_admin)
        )
        for fleet_id, role in (roles or {}).items():
            connection.execute(
                insert(Membership).values(
                    fleet_id=fleet_id, person_id=person_id, role=role, limited_to=limited_to
                )
            )
    return person_id


async def sign_in(database_url: str, person_id: uuid.UUID) -> dict[str, str]:
    """Headers of a browser in which they are signed in."""
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
    """Headers of a program with a person's token."""
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
    """Secret of a link to become the first administrator."""
    with writing(database_url) as connection:
        return one_time_links.make_admin_link(connection)


def acts(database_url: str) -> list[str]:
    """Actions in the audit log, oldest first."""
    with writing(database_url) as connection:
        return list(connection.scalars(select(Act.action).order_by(Act.act_id)))


def make_invitation(database_url: str, fleet: str) -> str:
    """Create a link to join a fleet and return its id."""
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
