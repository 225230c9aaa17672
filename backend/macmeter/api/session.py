"""Signing in and out, and the browsers in which one is signed in."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import audit, challenges, passkeys, passwords, sessions
from macmeter.access.people import Member, find_member
from macmeter.api import account_schemas as told
from macmeter.api import schemas
from macmeter.api.credentials import drop_session, keep_session
from macmeter.api.dependencies import Here, Server, ServerPart, signed_in
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.api.signing import (
    Attempt,
    attempted,
    begin_session,
    password_tried,
    passwords_here,
    require_passwords,
    require_site,
    site_of,
    spend_attempt,
)
from macmeter.errors import not_found
from macmeter.models import Fleet, Person, Session
from macmeter.untyped import Json

router = Router(prefix="/api/v1/session", tags=["session"])
browsers = Router(prefix="/api/v1/sessions", tags=["session"])


@router.get("", responses=schemas.refusals(401))
async def get_session(request: Request, part: ServerPart) -> told.SessionTold:
    """Who is signed in in this browser, in which fleets, and how one can sign in here."""
    found = await signed_in(request, part)
    async with part.writing.connect() as connection:
        return await told_of(connection, request, part, found.member if found else None)


async def told_of(
    connection: AsyncConnection, request: Request, part: Server, member: Member | None
) -> told.SessionTold:
    """The body of `get_session`, and of whatever begins one."""
    issuer = part.settings.oidc_issuer
    return {
        "person": await _person(connection, member) if member else None,
        "fleets": await _fleets(connection, member) if member else [],
        "ways": {
            "passkey": site_of(request, part) is not None,
            "password": passwords_here(request, part),
            "oidc": urlsplit(issuer).netloc if issuer else None,
        },
        "mail": part.settings.smtp_host is not None,
    }


async def _fleets(connection: AsyncConnection, member: Member) -> list[told.OwnFleet]:
    theirs = select(Fleet.fleet_id, Fleet.name, Fleet.visibility).where(
        Fleet.fleet_id.in_(member.fleet_ids)
    )
    return [
        {
            "id": row.fleet_id,
            "name": row.name,
            "role": member.roles[row.fleet_id],
            "visibility": row.visibility,
        }
        for row in await connection.execute(theirs.order_by(Fleet.name))
    ]


async def _person(connection: AsyncConnection, member: Member) -> told.PersonTold | None:
    row = (
        await connection.execute(select(Person).where(Person.person_id == member.person_id))
    ).one_or_none()
    if row is None:
        return None
    return {
        "id": row.person_id,
        "name": row.name,
        "email": row.email,
        "server_admin": row.server_admin,
        "has_password": row.password_hash is not None,
        "has_oidc": row.oidc_subject is not None,
    }


async def session_response(
    request: Request, part: Server, person_id: uuid.UUID, way: str
) -> Response:
    """Signs them in in this browser, and tells who they are."""
    async with part.writing.begin() as connection:
        secret = await begin_session(connection, request, person_id, way)
        member = await find_member(connection, person_id)
        content = await told_of(connection, request, part, member)
    response = json_response(content, 201)
    keep_session(response, request, secret)
    return response


@router.post(
    "/password",
    status_code=201,
    response_model=told.SessionTold,
    responses=schemas.refusals(403, 429),
)
async def sign_in_by_password(
    body: told.PasswordSignIn, request: Request, part: ServerPart
) -> Response:
    """Sign in where browsers allow no passkeys, or the operator allows passwords."""
    require_passwords(request, part)
    query = select(Person.person_id, Person.password_hash).where(Person.email == body.email)
    async with (
        attempted(Attempt(request, part, "password")),
        password_tried(part, body.email),
    ):
        async with part.writing.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if not await passwords.matches(body.password, row.password_hash if row else None):
            raise passkeys.refusal("Wrong email address or password.")
        assert row is not None
    return await session_response(request, part, row.person_id, "password")


@router.post("/passkey/options", response_model=Json, responses=schemas.refusals(403, 429))
async def ask_for_passkey(request: Request, part: ServerPart) -> Response:
    """What to hand to `navigator.credentials.get()`."""
    site = require_site(request, part)
    await spend_attempt(Attempt(request, part, "passkey"))
    async with part.writing.begin() as connection:
        asked = await passkeys.ask_for_known(connection, site, datetime.now(UTC))
    return JSONResponse(asked)


@router.post(
    "/passkey",
    status_code=201,
    response_model=told.SessionTold,
    responses=schemas.refusals(403, 429),
)
async def sign_in_by_passkey(
    body: told.PasskeyAnswer, request: Request, part: ServerPart
) -> Response:
    """Sign in with what `navigator.credentials.get()` gave."""
    site, now = require_site(request, part), datetime.now(UTC)
    async with attempted(Attempt(request, part, "passkey"), begun=1):
        answer = passkeys.read_answer(body.credential)
        async with part.writing.begin() as connection:
            # By itself: a wrong answer has used the challenge up too.
            await challenges.take(connection, passkeys.SIGN_IN, answer.challenge, now)
        async with part.writing.begin() as connection:
            person_id = await passkeys.whose(connection, site, answer, now)
    return await session_response(request, part, person_id, "passkey")


@router.delete("", status_code=204)
async def sign_out(request: Request, part: ServerPart, here: Here) -> Response:
    """Sign out in this browser."""
    async with part.writing.begin() as connection:
        await sessions.end(connection, here.member.person_id, here.session_id)
        await audit.note(connection, here.member, "session.end")
    response = Response(status_code=204)
    drop_session(response, request)
    return response


@browsers.get("", responses=schemas.refusals(403))
async def list_sessions(part: ServerPart, here: Here) -> told.Browsers:
    """The browsers in which one is signed in, last used first."""
    theirs = (
        select(Session)
        .where(Session.person_id == here.member.person_id, Session.expires_at > datetime.now(UTC))
        .order_by(Session.last_used_at.desc())
    )
    async with part.writing.connect() as connection:
        found = (await connection.execute(theirs)).all()
    return {
        "items": [
            {
                "id": row.session_id,
                "browser": row.browser,
                "created_at": row.created_at.isoformat(),
                "last_used_at": row.last_used_at.isoformat(),
                "here": row.session_id == here.session_id,
            }
            for row in found
        ]
    }


@browsers.delete("")
async def sign_out_elsewhere(part: ServerPart, here: Here) -> told.Ended:
    """Sign out everywhere but in this browser."""
    person_id = here.member.person_id
    async with part.writing.begin() as connection:
        ended = await sessions.end_all(connection, person_id, but=here.session_id)
        await audit.note(connection, here.member, "session.end_elsewhere", ended=ended)
    return {"ended": ended}


@browsers.delete("/{session_id}", status_code=204)
async def end_session(session_id: uuid.UUID, part: ServerPart, here: Here) -> None:
    """Sign out in one browser."""
    async with part.writing.begin() as connection:
        if not await sessions.end(connection, here.member.person_id, session_id):
            raise not_found("session")
        await audit.note(connection, here.member, "session.end")
