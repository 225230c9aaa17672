"""The link that makes a server's first admin, printed where the server runs."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, exists, insert, select

from macmeter.access.links import FIRST_ADMIN, LASTS, new_secret
from macmeter.access.tokens import secret_hash
from macmeter.models import OneTimeLink, Person


def has_admin(connection: Connection) -> bool:
    return bool(connection.scalar(select(exists().where(Person.server_admin))))


def make_admin_link(connection: Connection) -> str:
    """The secret of a new link, the only one of its kind: those made before are no longer good.

    Whoever runs the server may make one at any time, also to get back in.
    """
    now, secret = datetime.now(UTC), new_secret()
    connection.execute(delete(OneTimeLink).where(OneTimeLink.purpose == FIRST_ADMIN))
    connection.execute(
        insert(OneTimeLink).values(
            link_id=uuid.uuid4(),
            secret_sha256=secret_hash(secret),
            purpose=FIRST_ADMIN,
            created_at=now,
            expires_at=now + LASTS[FIRST_ADMIN],
        )
    )
    return secret
