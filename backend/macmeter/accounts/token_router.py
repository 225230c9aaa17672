"""Tokens: what the one at hand may do, and tokens for people's own programs."""

import secrets
import uuid
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Select, func, insert, select, update

from macmeter.accounts import audit, schemas
from macmeter.accounts.people import Member
from macmeter.accounts.rotation import rotate
from macmeter.accounts.tokens import PERSON, PREFIX, TokenScope, Visibility, secret_hash
from macmeter.fleets.schemas import FreshToken
from macmeter.models import Machine, Token
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.release import LICENCE, Licence
from macmeter.platform.schema import Exact
from macmeter.server.dependencies import CurrentServer, Here, WriterToken, rows
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1/tokens", tags=["tokens"])


class TokenSelf(Exact):
    scope: TokenScope
    visibility: Visibility
    fleet: str | None
    machine_id: str | None
    licence: Licence


@router.post("/self/rotation", status_code=201)
async def rotate_token_self(server: CurrentServer, bearer: WriterToken) -> FreshToken:
    """Renew a Mac's token. The present one ends when the new one is first used.

    Ask again if the response is lost: the newest token counts.
    """
    async with server.writing.begin() as connection:
        token = await rotate(connection, bearer, datetime.now(UTC))
    return {"token": token}


@router.get("/self")
async def get_token_self(server: CurrentServer, bearer: WriterToken) -> TokenSelf:
    """Return the scope of this token, and who will see what it writes."""
    async with server.writing.connect() as connection:
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


MOST = 50


@router.get("", responses=refusals(403))
async def list_tokens(server: CurrentServer, session: Here) -> schemas.PersonTokens:
    """List your valid tokens, newest first."""
    async with server.writing.connect() as connection:
        items = await rows(connection, _valid_tokens(session.member))
    return {"items": [_render(row, session.member) for row in items]}


@router.post("", status_code=201, responses=refusals(404, 409))
async def make_token(
    body: schemas.TokenNew, server: CurrentServer, session: Here
) -> schemas.PersonTokenMade:
    """Create a token for a program, which can read, or change, what you can."""
    member, now = session.member, datetime.now(UTC)
    access = member.access_to(body.fleet) if body.fleet is not None else None
    if body.expires_at is not None and body.expires_at <= now:
        raise invalid("/expires_at", "expires_at has passed. Choose a later time.")
    secret = PREFIX[PERSON] + secrets.token_urlsafe(32)
    fleet_id, token_id = access.fleet_id if access else None, uuid.uuid4()
    new = insert(Token).values(
        token_id=token_id,
        scope=PERSON,
        person_id=member.person_id,
        secret_sha256=secret_hash(secret),
        fleet_id=fleet_id,
        created_at=now,
        **body.model_dump(include={"name", "permission", "expires_at"}),
    )
    async with server.writing.begin() as connection:
        query = select(func.count()).select_from(_valid_tokens(member).subquery())
        if (await connection.scalar(query) or 0) >= MOST:
            detail = f"An account can have {MOST} tokens. Revoke one first."
            raise Problem(409, "too_many_tokens", "Too many", detail)
        await connection.execute(new)
        details = {"name": body.name, "permission": body.permission}
        await audit.note(connection, member, "token.make", fleet_id, **details)
        (row,) = await rows(connection, _valid_tokens(member).where(Token.token_id == token_id))
    return {**_render(row, member), "secret": secret}


@router.delete("/{token_id}", status_code=204)
async def revoke_token(token_id: uuid.UUID, server: CurrentServer, session: Here) -> None:
    """Revoke one of your tokens, at once."""
    statement = (
        update(Token)
        .where(
            Token.token_id == token_id,
            Token.person_id == session.member.person_id,
            Token.scope == PERSON,
            Token.revoked_at.is_(None),
        )
        .values(revoked_at=datetime.now(UTC))
        .returning(Token.name)
    )
    async with server.writing.begin() as connection:
        name = await connection.scalar(statement)
        if name is None:
            raise not_found("token")
        await audit.note(connection, session.member, "token.revoke", name=name)


def _valid_tokens(member: Member) -> Select[*tuple[Any, ...]]:
    columns = (Token.name, Token.permission, Token.created_at, Token.last_used_at, Token.expires_at)
    return (
        select(Token.token_id.label("id"), Token.fleet_id, *columns)
        .where(
            Token.person_id == member.person_id,
            Token.scope == PERSON,
            Token.revoked_at.is_(None),
            func.coalesce(Token.expires_at > func.now(), True),
        )
        .order_by(Token.created_at.desc())
    )


def _render(row: dict[str, Any], member: Member) -> schemas.PersonToken:
    fleet_id = row.pop("fleet_id")
    access = next((item for item in member.fleet_access if item.fleet_id == fleet_id), None)
    fleet: schemas.PlaceResponse | None = None
    if access is not None:
        fleet = {"id": access.fleet_id, "name": access.fleet_name, "role": access.role}
    return cast(schemas.PersonToken, row | {"fleet": fleet})
