"""Who a request comes from: a token in a header, or a session in a cookie."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import person_tokens, sessions, tokens
from macmeter.access.scope import Asker
from macmeter.access.tokens import PERSON, PREFIX
from macmeter.errors import Problem

_SAFE = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True)
class Credential:
    """At most one of both: whoever shows a token means the token."""

    token: str | None = None
    session: str | None = None

    async def asker(self, connection: AsyncConnection, now: datetime) -> Asker | None:
        """401 for a token that isn't good. A session that has ended is the public's."""
        if self.token is not None:
            return await of_token(connection, self.token, now)
        if self.session is not None:
            found = await sessions.find(connection, self.session, now)
            return found.member if found else None
        return None


async def of_token(connection: AsyncConnection, secret: str, now: datetime) -> Asker:
    """Whom a token speaks for; 401 for one that isn't good."""
    if secret.startswith(PREFIX[PERSON]):
        return await person_tokens.find(connection, secret, now)
    return await tokens.find(connection, secret, now)


def credential_of(request: Request) -> Credential:
    token = bearer_secret(request)
    if token is not None:
        return Credential(token=token)
    return Credential(session=request.cookies.get(cookie_name(request)))


def bearer_secret(request: Request) -> str | None:
    """The secret of `Authorization: Bearer …`; 401 for any other scheme."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise tokens.unauthorised("Send the token as Authorization: Bearer TOKEN.")
    return secret.strip()


def is_https(request: Request) -> bool:
    """Whether the browser uses HTTPS: api/edge/scheme.py."""
    return request.url.scheme == "https"


def cookie_name(request: Request) -> str:
    """A browser lets only this very host set a cookie whose name begins with __Host-, by https."""
    return "__Host-macmeter" if is_https(request) else "macmeter"


def keep_session(response: Response, request: Request, secret: str) -> None:
    """For as long as the session lasts; scripts can't read it, other sites can't use it."""
    response.set_cookie(
        cookie_name(request),
        secret,
        max_age=int(sessions.KEPT.total_seconds()),
        path="/",
        secure=is_https(request),
        httponly=True,
        samesite="lax",
    )


def drop_session(response: Response, request: Request) -> None:
    response.delete_cookie(
        cookie_name(request), path="/", secure=is_https(request), httponly=True, samesite="lax"
    )


def require_own_page(request: Request) -> None:
    """403 for a change that the page of another site asks for, with a cookie or without.

    Browsers say where a request comes from, and no page can make them say anything else.
    """
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        own = site in ("same-origin", "none")
    else:
        # Plain http, except for localhost: there is Origin with whatever is not safe.
        own = _origin(request.headers.get("origin")) in _own_origins(request)
    if not own:
        raise Problem(
            403,
            "other_site",
            "Request from another site",
            "Only this server's own pages can do this with a cookie. Programs send a token "
            "instead. If this is such a page, its operator has to set PUBLIC_URL to its address.",
        )


_Origin = tuple[str, str, int | None]
_PORTS = {"http": 80, "https": 443}


def _own_origins(request: Request) -> set[_Origin | None]:
    public_url: str | None = request.app.state.server.settings.public_url
    asked = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return {_origin(asked), _origin(public_url)} - {None}


def _origin(url: str | None) -> _Origin | None:
    """Scheme, host and port; None for what has none, such as `null`."""
    try:
        parts = urlsplit(url or "")
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
