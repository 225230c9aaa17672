"""What a token may do, for its holder."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select

from macmeter.access.rotation import rotate
from macmeter.access.tokens import TokenScope, Visibility
from macmeter.answers.exact import Exact
from macmeter.api.dependencies import ServerPart, WriterToken
from macmeter.api.routing import Router
from macmeter.fleets.shapes import FreshToken
from macmeter.licence import LICENCE, Licence
from macmeter.models import Machine

router = Router(prefix="/api/v1/tokens", tags=["tokens"])


class TokenSelf(Exact):
    scope: TokenScope
    visibility: Visibility
    fleet: str | None
    machine_id: str | None
    licence: Licence


@router.post("/self/rotation", status_code=201)
async def rotate_token_self(part: ServerPart, bearer: WriterToken) -> FreshToken:
    """A fresh token for a Mac that shows its present one, which ends when the fresh one is first
    used. Ask again if the answer is lost: the newest one counts.
    """
    async with part.writing.begin() as connection:
        token = await rotate(connection, bearer, datetime.now(UTC))
    return {"token": token}


@router.get("/self")
async def get_token_self(part: ServerPart, bearer: WriterToken) -> TokenSelf:
    """The scope of this token, and who will see what it writes."""
    async with part.writing.connect() as connection:
        machine_id = await connection.scalar(
            select(Machine.machine_id).where(Machine.bound_token_id == bearer.token_id)
        )
    return {
        "scope": bearer.scope,
        "visibility": bearer.visibility,
        "fleet": bearer.fleet_name,
        "machine_id": str(machine_id) if machine_id else None,
        "licence": LICENCE,
    }
