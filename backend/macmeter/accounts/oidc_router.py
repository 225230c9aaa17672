"""Sign-in with an organisation's account: out to its page, and back."""

import hashlib
import hmac
import secrets
import uuid
from datetime import UTC, datetime
from typing import cast
from urllib.parse import quote, urlsplit

from fastapi import Query, Request
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts import audit, challenges, oidc, one_time_links, schemas, service, sessions
from macmeter.accounts.service import Account
from macmeter.accounts.session_router import Attempt, attempted, begin_session
from macmeter.accounts.tokens import secret_hash
from macmeter.fleets.invitations_router import find_link, join, require_accounts
from macmeter.models import Person
from macmeter.platform.errors import Problem, not_found
from macmeter.server.dependencies import (
    CurrentServer,
    Server,
    cookie_name,
    keep_cookie,
    public_address,
    signed_in,
)
from macmeter.server.http.responses import json_response
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1/session/oidc", tags=["session"])
_NO_ACCOUNT, _COOKIE = "no_account", "macmeter-oidc"


def _issuer(server: Server) -> oidc.Issuer:
    if server.issuer is None:
        raise not_found("sign-in")
    return server.issuer


class SignInStart(oidc.Secrets):
    """State of a sign-in: where to go afterwards, in which browser, and for whom."""

    to: str
    browser: str
    person: str | None
    link: str | None


@router.post("", response_model=schemas.OidcAddress, responses=refusals(403, 404, 410, 429))
async def begin_oidc(body: schemas.OidcBegin, request: Request, server: CurrentServer) -> Response:
    """Return the address to send the browser to.

    Whoever is signed in connects their account instead.
    """
    issuer = _issuer(server)
    browser = secrets.token_urlsafe(32)
    async with attempted(Attempt(request, server, "oidc")):
        session = await signed_in(request, server)
        if body.link is not None:
            await find_link(server, body.link)
        state = secrets.token_bytes(32)
        address, sign_in_secrets = await issuer.begin(public_address(request, server), state)
        start: SignInStart = {
            "to": own_path(body.to),
            "browser": _digest(browser),
            "person": str(session.member.person_id) if session else None,
            "link": secret_hash(body.link).hex() if body.link is not None else None,
            **sign_in_secrets,
        }
        async with server.writing.begin() as connection:
            await challenges.store(connection, oidc.CHALLENGE, state, {**start}, datetime.now(UTC))
    response = json_response({"address": address})
    keep_cookie(response, request, browser, challenges.LIFETIME, _COOKIE)
    return response


@router.get("/return", status_code=303, responses=refusals(403, 404, 429))
async def return_from_oidc(
    request: Request,
    server: CurrentServer,
    state: str = Query(default="", max_length=200),
    code: str | None = Query(default=None, max_length=4000),
) -> Response:
    """Complete the sign-in, when the organisation's page sends the browser back."""
    try:
        return await _returned(request, server, state, code)
    except Problem as problem:
        # A person sees this in a browser, so a page explains it.
        return _redirect(f"/sign-in?refused={quote(problem.code)}")


async def _returned(request: Request, server: Server, state: str, code: str | None) -> Response:
    issuer, now = _issuer(server), datetime.now(UTC)
    attempt = Attempt(request, server, "oidc")
    try:
        async with server.writing.begin() as connection:
            details = await challenges.take(
                connection, oidc.CHALLENGE, oidc.state_bytes(state), now
            )
        begun = cast(SignInStart, details)
        digest = _digest(request.cookies.get(cookie_name(request, _COOKIE), ""))
        if not hmac.compare_digest(digest, begun["browser"]):
            detail = "This sign-in began in another browser. Start again in this one."
            raise oidc.refusal(detail, "other_browser")
        if code is None:
            raise oidc.refusal("Your organisation didn't confirm who you are. Try again.")
        login = await issuer.finish(public_address(request, server), code, begun)
        async with server.writing.begin() as connection:
            person_id = await _person(connection, server, login, begun)
            secret = await begin_session(connection, request, person_id, "oidc")
    except Problem as problem:
        attempt.log(problem.code)
        raise
    response = _redirect(begun["to"])
    keep_cookie(response, request, secret, sessions.KEPT)
    return response


async def _person(
    connection: AsyncConnection, server: Server, login: oidc.SignInResult, begun: SignInStart
) -> uuid.UUID:
    """Return the account, known by issuer and subject, never by an email address."""
    query = select(Person.person_id).where(
        Person.oidc_issuer == login.identity.issuer, Person.oidc_subject == login.identity.subject
    )
    person_id: uuid.UUID | None = await connection.scalar(query)
    link = await _link_of(connection, begun)
    if begun["person"] is not None:
        person_id = await _connected(connection, login, uuid.UUID(begun["person"]), person_id)
    elif person_id is None and link is not None:
        require_accounts(server, link)
        person_id = uuid.uuid4()
        uninvited = not link.counts_as_invited
        await service.create(
            connection, Account(person_id, login.name, login.email, None, login.identity, uninvited)
        )
    if person_id is None:
        raise Problem(403, _NO_ACCOUNT, "No account", "Ask an admin of your fleet to invite you.")
    if link is not None:
        await join(connection, link, person_id)
    return person_id


async def _link_of(connection: AsyncConnection, begun: SignInStart) -> one_time_links.Link | None:
    if begun["link"] is None:
        return None
    hashed = bytes.fromhex(begun["link"])
    return await one_time_links.find(connection, hashed, datetime.now(UTC))


async def _connected(
    connection: AsyncConnection,
    login: oidc.SignInResult,
    person_id: uuid.UUID,
    owner_id: uuid.UUID | None,
) -> uuid.UUID:
    """Add the identity to the account that was signed in when this began."""
    if owner_id not in (None, person_id):
        raise Problem(
            409, "identity_taken", "Already in use", "Another account already uses this sign-in."
        )
    await connection.execute(
        update(Person)
        .where(Person.person_id == person_id)
        .values(oidc_issuer=login.identity.issuer, oidc_subject=login.identity.subject)
    )
    await audit.note(connection, None, "account.connect", person_id=str(person_id))
    return person_id


def own_path(path: str) -> str:
    """Return a path of this server, or the first page for what might lead elsewhere."""
    parts = urlsplit(path)
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path
    if not plain or parts.scheme or parts.netloc or any(ord(character) < 33 for character in path):
        return "/"
    return quote(path, safe="/?&=%:!.,~*+-_")


def _redirect(to: str) -> Response:
    return RedirectResponse(to, 303, headers={"Referrer-Policy": "no-referrer"})


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
