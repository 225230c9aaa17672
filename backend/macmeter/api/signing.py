"""Signing in: which ways there are at an address, limits on what fails, and the session begun."""

from __future__ import annotations

import ipaddress
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from fastapi import Request
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import audit, quota, sessions
from macmeter.access.passkeys import Site
from macmeter.access.people import find_member
from macmeter.access.tokens import secret_hash
from macmeter.api.credentials import cookie_name, require_own_page
from macmeter.api.dependencies import Server, public_address
from macmeter.api.edge.addresses import client_address
from macmeter.errors import Problem
from macmeter.models import Session

log = logging.getLogger("macmeter")
_KIND, _PASSWORDS = "sign_in", "password"


def site_of(request: Request, part: Server) -> Site | None:
    """What passkeys are bound to at this address; None where browsers allow none.

    The host is one that this server is known by: the edge refuses others.
    """
    parts = urlsplit(public_address(request, part))
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


def require_site(request: Request, part: Server) -> Site:
    site = site_of(request, part)
    if site is None:
        raise Problem(
            403,
            "no_passkeys_here",
            "No passkeys here",
            "Browsers allow passkeys only on https and on localhost. Open this server at such "
            "an address.",
        )
    return site


def passwords_here(request: Request, part: Server) -> bool:
    return part.settings.passwords or site_of(request, part) is None


def require_passwords(request: Request, part: Server) -> None:
    if not passwords_here(request, part):
        raise Problem(
            403,
            "no_passwords_here",
            "No passwords here",
            "Sign in with a passkey. The operator can allow passwords with PASSWORDS=1.",
        )


@dataclass(frozen=True)
class Attempt:
    """A try to sign in, or to open a link."""

    request: Request
    part: Server
    way: str
    """Of signing in, in the log."""

    @property
    def address(self) -> str:
        return client_address(self.request, self.part.proxies)

    def log(self, code: str) -> None:
        log.warning(
            "sign-in refused", extra={"fields": {"way": self.way, "code": code, "of": self.address}}
        )


async def spend_attempt(attempt: Attempt) -> None:
    """Counts a try by the address; 429 when too many have failed. Only from own pages."""
    require_own_page(attempt.request)
    limit, now = attempt.part.settings.quota_sign_ins, datetime.now(UTC)
    async with attempt.part.writing.begin() as connection:
        use = await quota.spend(connection, _KIND, attempt.address, limit, now)
    if use.refusal is not None:
        attempt.log("quota")
        raise use.refusal


@asynccontextmanager
async def attempted(attempt: Attempt, begun: int = 0) -> AsyncIterator[None]:
    """What is done within may fail only so often; `begun` requests before belong to it."""
    await spend_attempt(attempt)
    try:
        yield
    except Problem as problem:
        attempt.log(problem.code)
        raise
    who = quota.network(attempt.address)
    async with attempt.part.writing.begin() as connection:
        for _ in range(1 + begun):
            await quota.give_back(connection, _KIND, who, datetime.now(UTC))


@asynccontextmanager
async def password_tried(part: Server, email: str) -> AsyncIterator[None]:
    """Passwords for one account are looked at only so often, from wherever they are sent."""
    who, now = email.encode(), datetime.now(UTC)
    async with part.writing.begin() as connection:
        use = await quota.count(connection, _PASSWORDS, who, part.settings.quota_passwords, now)
    if use.left < 0:
        raise Problem(
            429,
            "quota",
            "Too many",
            f"Too many wrong passwords for this account. Try again in {use.minutes}, "
            "or sign in another way.",
            headers={"Retry-After": str(use.wait)},
        )
    yield
    async with part.writing.begin() as connection:
        await quota.give_back(connection, _PASSWORDS, who, now)


async def begin_session(
    connection: AsyncConnection, request: Request, person_id: uuid.UUID, way: str
) -> str:
    """The secret of a new session. The one that this browser had, whoever's it was, has ended."""
    had = request.cookies.get(cookie_name(request))
    if had is not None:
        await connection.execute(delete(Session).where(Session.secret_sha256 == secret_hash(had)))
    browser = request.headers.get("user-agent", "")
    secret = await sessions.start(connection, person_id, browser, datetime.now(UTC))
    await audit.note(connection, await find_member(connection, person_id), "session.begin", way=way)
    return secret
