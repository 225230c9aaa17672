"""The audit log: what people and tokens did, written in the transaction that did it."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member
from macmeter.access.scope import Asker
from macmeter.models import Act

SERVER = "the server"


async def note(
    connection: AsyncConnection,
    by: Asker | str | None,
    action: str,
    fleet_id: uuid.UUID | None = None,
    **details: Any,
) -> None:
    """`action` is a thing and what was done to it, as `fleet.rename`; None is the server itself,
    and a text is what somebody showed who is neither a person nor a token.

    `details` are JSON values by name, and never a secret.
    """
    person_id, token_id, name = None, None, SERVER
    if isinstance(by, Member):
        person_id, name = by.person_id, by.name
    elif isinstance(by, str):
        name = by
    elif by is not None:
        token_id = by.token_id
        name = f"{by.scope} token" + (f" of {by.fleet_name}" if by.fleet_name else "")
    await connection.execute(
        insert(Act).values(
            action=action,
            person_id=person_id,
            token_id=token_id,
            by=name,
            fleet_id=fleet_id,
            details=details,
        )
    )
