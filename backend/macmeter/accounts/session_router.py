"""Sign-in and sign-out: ways at an address, limits on failures, and a person's browsers."""

import ipaddress
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import audit, challenges, passkeys, passwords, quota, schemas, sessions
from macmeter.accounts.passkeys import Site
from macmeter.accounts.people import Member, find_member
from macmeter.accounts.tokens import secret_hash
from macmeter.models import Fleet, Person, Session
from macmeter.platform.errors import Problem, not_found
from macmeter.server.dependencies import (
    CurrentServer,
    Here,
    Server,
    cookie_name,
    drop_session,
    keep_cookie,
    public_address,
    require_own_page,
    rows,
    signed_in,
)
from macmeter.server.http.hosts import client_address
from macmeter.server.http.responses import json_response
from macmeter.server.http.routing import Router, refusals

log = logging.getLogger("macmeter")
_KIND, _PASSWORDS = "sign_in", "password"


def site_of(request: Request, server: Server) -> Site | None:
    """Return the site of passkeys at this address, or None if browsers allow none.

    The host is one that this server is known by: middleware refuses others.
    """
    parts = urlsplit(public_address(request, server))
    host = parts.hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return Site(host, f"{parts.scheme}://{parts.netloc}")
    if parts.scheme != "https" or _is_number(host):
        return None
    return Site(host, f"{parts.scheme}://{parts.netloc}")


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def require_site(request: Request, server: Server) -> Site:
    site = site_of(request, server)
    if site is None:
        detail = (
            "Browsers allow passkeys only on https and on localhost. Open this server at such "
            "an address."
        )
        raise Problem(403, "no_passkeys_here", "No passkeys here", detail)
    return site


def passwords_here(request: Request, server: Server) -> bool:
    return server.settings.passwords or site_of(request, server) is None


def require_passwords(request: Request, server: Server) -> None:
    if not passwords_here(request, server):
        detail = "Sign in with a passkey. The operator can allow passwords with PASSWORDS=1."
        raise Problem(403, "no_passwords_here", "No passwords here", detail)


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in, or to open a link."""

    request: Request
    server: Server
    way: str
    """Way of signing in, for the log."""

    @property
    def address(self) -> str:
        return client_address(self.request, self.server.proxies)

    def log(self, code: str) -> None:
        log.warning(
            "sign-in refused", extra={"fields": {"way": self.way, "code": code, "of": self.address}}
        )


async def spend_attempt(attempt: Attempt) -> None:
    """Count an attempt by the address.

    Raise 429 if too many have failed, 403 for other sites' pages.
    """
    require_own_page(attempt.request)
    limit, now = attempt.server.settings.quota_sign_ins, datetime.now(UTC)
    async with attempt.server.writing.begin() as connection:
        use = await quota.spend(connection, _KIND, attempt.address, limit, now)
    if use.refusal is not None:
        attempt.log("quota")
        raise use.refusal


@asynccontextmanager
async def attempted(attempt: Attempt, begun: int = 0) -> AsyncIterator[None]:
    """Limit how often the block may fail. `begun` earlier requests belong to the attempt."""
    await spend_attempt(attempt)
    try:
        yield
    except Problem as problem:
        attempt.log(problem.code)
        raise
    who = quota.network(attempt.address)
    async with attempt.server.writing.begin() as connection:
        for _ in range(1 + begun):
            await quota.give_back(connection, _KIND, who, datetime.now(UTC))


@asynccontextmanager
async def password_tried(server: Server, email: str) -> AsyncIterator[None]:
    """Limit attempts at the password of one account, from wherever they are sent."""
    who, now = email.encode(), datetime.now(UTC)
    async with server.writing.begin() as connection:
        use = await quota.count(connection, _PASSWORDS, who, server.settings.quota_passwords, now)
    wrong, instead = "Too many wrong passwords for this account.", "or sign in another way."
    refusal = use.refusal_with("Too many", f"{wrong} Try again in {use.minutes}, {instead}")
    if refusal is not None:
        raise refusal
    yield
    async with server.writing.begin() as connection:
        await quota.give_back(connection, _PASSWORDS, who, now)


async def begin_session(
    connection: AsyncConnection, request: Request, person_id: uuid.UUID, way: str
) -> str:
    """Start a session and return its secret.

    End the one that this browser had, whoever's it was.
    """
    old = request.cookies.get(cookie_name(request))
    if old is not None:
        await connection.execute(delete(Session).where(Session.secret_sha256 == secret_hash(old)))
    browser = request.headers.get("user-agent", "")
    secret = await sessions.start(connection, person_id, browser, datetime.now(UTC))
    await audit.note(connection, await find_member(connection, person_id), "session.begin", way=way)
    return secret


router = Router(prefix="/api/v1/session", tags=["session"])
browsers = Router(prefix="/api/v1/sessions", tags=["session"])


@router.get("", responses=refusals(401))
async def get_session(request: Request, server: CurrentServer) -> schemas.SessionResponse:
    """Return who is signed in in this browser, in which fleets, and the ways to sign in here."""
    session = await signed_in(request, server)
    async with server.writing.connect() as connection:
        return await render_session(
            connection, request, server, session.member if session else None
        )


async def render_session(
    connection: AsyncConnection, request: Request, server: Server, member: Member | None
) -> schemas.SessionResponse:
    """Body of `get_session`, and of the responses that start a session."""
    issuer = server.settings.oidc_issuer
    return {
        "person": await _person(connection, member) if member else None,
        "fleets": await _fleets(connection, member) if member else [],
        "ways": {
            "passkey": site_of(request, server) is not None,
            "password": passwords_here(request, server),
            "oidc": urlsplit(issuer).netloc if issuer else None,
        },
        "mail": server.settings.smtp_host is not None,
    }


async def _fleets(connection: AsyncConnection, member: Member) -> list[schemas.OwnFleet]:
    columns = (Fleet.fleet_id.label("id"), Fleet.name, Fleet.visibility)
    accesses = {access.fleet_id: access for access in member.fleet_access}
    query = select(*columns).where(Fleet.fleet_id.in_(accesses)).order_by(Fleet.name)
    return [
        row | {"role": accesses[row["id"]].role, "where": accesses[row["id"]].where}
        for row in await rows(connection, query)
    ]


async def _person(connection: AsyncConnection, member: Member) -> schemas.PersonResponse | None:
    columns = (
        Person.person_id.label("id"),
        *(Person.name, Person.email, Person.server_admin),
        Person.password_hash.is_not(None).label("has_password"),
        Person.oidc_subject.is_not(None).label("has_oidc"),
    )
    query = select(*columns).where(Person.person_id == member.person_id)
    return next(iter(await rows(connection, query)), None)


async def session_response(
    request: Request, server: Server, person_id: uuid.UUID, way: str
) -> Response:
    """Sign a person in in this browser, and return who they are."""
    async with server.writing.begin() as connection:
        secret = await begin_session(connection, request, person_id, way)
        member = await find_member(connection, person_id)
        content = await render_session(connection, request, server, member)
    response = json_response(content, 201)
    keep_cookie(response, request, secret, sessions.KEPT)
    return response


@router.post(
    "/password",
    status_code=201,
    response_model=schemas.SessionResponse,
    responses=refusals(403, 429),
)
async def sign_in_by_password(
    body: schemas.PasswordSignIn, request: Request, server: CurrentServer
) -> Response:
    """Sign in with a password, if browsers allow no passkeys or the operator allows passwords."""
    require_passwords(request, server)
    query = select(Person.person_id, Person.password_hash).where(Person.email == body.email)
    async with attempted(Attempt(request, server, "password")), password_tried(server, body.email):
        async with server.writing.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if not await passwords.matches(body.password, row.password_hash if row else None):
            raise passkeys.refusal("Wrong email address or password.")
        assert row is not None
    return await session_response(request, server, row.person_id, "password")


@router.post("/passkey/options", response_model=Json, responses=refusals(403, 429))
async def ask_for_passkey(request: Request, server: CurrentServer) -> Response:
    """Return options for `navigator.credentials.get()`."""
    site = require_site(request, server)
    await spend_attempt(Attempt(request, server, "passkey"))
    async with server.writing.begin() as connection:
        options = await passkeys.ask_for_known(connection, site, datetime.now(UTC))
    return JSONResponse(options)


@router.post(
    "/passkey",
    status_code=201,
    response_model=schemas.SessionResponse,
    responses=refusals(403, 429),
)
async def sign_in_by_passkey(
    body: schemas.PasskeyAnswer, request: Request, server: CurrentServer
) -> Response:
    """Sign in with the result of `navigator.credentials.get()`."""
    site, now = require_site(request, server), datetime.now(UTC)
    async with attempted(Attempt(request, server, "passkey"), begun=1):
        answer = passkeys.read_answer(body.credential)
        async with server.writing.begin() as connection:
            # A transaction of its own: a wrong answer uses up the challenge, too.
            await challenges.take(connection, passkeys.SIGN_IN, answer.challenge, now)
        async with server.writing.begin() as connection:
            person_id = await passkeys.verify_sign_in(connection, site, answer, now)
    return await session_response(request, server, person_id, "passkey")


@router.delete("", status_code=204)
async def sign_out(request: Request, server: CurrentServer, session: Here) -> Response:
    """Sign out in this browser."""
    async with server.writing.begin() as connection:
        await sessions.end(connection, session.member.person_id, session.session_id)
        await audit.note(connection, session.member, "session.end")
    response = Response(status_code=204)
    drop_session(response, request)
    return response


@browsers.get("", responses=refusals(403))
async def list_sessions(server: CurrentServer, here: Here) -> schemas.Browsers:
    """List the browsers in which you are signed in, last used first."""
    query = (
        select(
            Session.session_id.label("id"),
            *(Session.browser, Session.created_at, Session.last_used_at),
            (Session.session_id == here.session_id).label("here"),
        )
        .where(Session.person_id == here.member.person_id, Session.expires_at > datetime.now(UTC))
        .order_by(Session.last_used_at.desc())
    )
    async with server.writing.connect() as connection:
        return {"items": await rows(connection, query)}


@browsers.delete("")
async def sign_out_elsewhere(server: CurrentServer, session: Here) -> schemas.Ended:
    """Sign out everywhere except in this browser."""
    person_id = session.member.person_id
    async with server.writing.begin() as connection:
        ended = await sessions.end_all(connection, person_id, but=session.session_id)
        await audit.note(connection, session.member, "session.end_elsewhere", ended=ended)
    return {"ended": ended}


@browsers.delete("/{session_id}", status_code=204)
async def end_session(session_id: uuid.UUID, server: CurrentServer, session: Here) -> None:
    """Sign out in one browser."""
    async with server.writing.begin() as connection:
        if not await sessions.end(connection, session.member.person_id, session_id):
            raise not_found("session")
        await audit.note(connection, session.member, "session.end")
