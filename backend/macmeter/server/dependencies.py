"""Dependencies of endpoints: parts of the server, and the principal of a request."""

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.responses import Response
from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts import quota, sessions, tokens
from macmeter.accounts.oidc import Issuer
from macmeter.accounts.people import Member, require_change
from macmeter.accounts.quota import ConcurrencyLimiter, UploadLimits
from macmeter.accounts.rotation import in_use
from macmeter.accounts.scope import Principal
from macmeter.accounts.sessions import SignedIn
from macmeter.accounts.tokens import PERSON, PREFIX, TokenPrincipal
from macmeter.fleets.enrolment_throttle import EnrolmentThrottle
from macmeter.platform.errors import Problem
from macmeter.platform.notifications import Notifications
from macmeter.platform.settings import Settings
from macmeter.questions.statement import VersionFiles
from macmeter.results.runs import Clock
from macmeter.runs.accept import IngestService
from macmeter.server.http.headers import add_header
from macmeter.server.http.hosts import client_address
from macmeter.server.jobs import Questions

SESSION = "macmeter"
_SAFE = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True)
class Credential:
    """Credential of a request: at most one of both, since a token takes precedence."""

    token: str | None = None
    session: str | None = None

    async def principal(self, connection: AsyncConnection, now: datetime) -> Principal | None:
        """Return the principal.

        Raise 401 for an invalid token. An ended session is the public's.
        """
        if self.token is not None:
            return await of_token(connection, self.token, now)
        if self.session is not None:
            session = await sessions.find(connection, self.session, now)
            return session.member if session else None
        return None


async def of_token(connection: AsyncConnection, secret: str, now: datetime) -> Principal:
    """Return the principal of a token. Raise 401 if it is invalid."""
    if secret.startswith(PREFIX[PERSON]):
        return await tokens.find_member(connection, secret, now)
    return await tokens.find(connection, secret, now)


def credential_of(request: Request) -> Credential:
    token = bearer_secret(request)
    if token is not None:
        return Credential(token=token)
    return Credential(session=request.cookies.get(cookie_name(request)))


def bearer_secret(request: Request) -> str | None:
    """Return the secret of `Authorization: Bearer …`. Raise 401 for any other scheme."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise tokens.unauthorised("Send the token as Authorization: Bearer TOKEN.")
    return secret.strip()


def is_https(request: Request) -> bool:
    """Return whether the browser uses HTTPS: see server/http/hosts.py."""
    return request.url.scheme == "https"


def cookie_name(request: Request, plain: str = SESSION) -> str:
    """Return a cookie's name. With __Host- and HTTPS, browsers let only this very host set it."""
    return f"__Host-{plain}" if is_https(request) else plain


def keep_cookie(
    response: Response, request: Request, secret: str, lasts: timedelta, plain: str = SESSION
) -> None:
    """Set a cookie that scripts can't read and other sites can't use."""
    name, seconds, https = (
        cookie_name(request, plain),
        int(lasts.total_seconds()),
        is_https(request),
    )
    response.set_cookie(name, secret, seconds, secure=https, httponly=True, samesite="lax")


def drop_session(response: Response, request: Request) -> None:
    response.delete_cookie(
        cookie_name(request), path="/", secure=is_https(request), httponly=True, samesite="lax"
    )


def require_own_page(request: Request) -> None:
    """Raise 403 for a change that another site's page requests, with a cookie or without.

    Browsers say where a request comes from, and pages can't change that.
    """
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        is_own = site in ("same-origin", "none")
    else:
        # On plain HTTP, except for localhost, browsers send Origin with unsafe methods.
        is_own = _origin(request.headers.get("origin")) in _own_origins(request)
    if not is_own:
        detail = (
            "Only this server's own pages can do this with a cookie. Programs send a token "
            "instead. If this is such a page, its operator has to set PUBLIC_URL to its address."
        )
        raise Problem(403, "other_site", "Request from another site", detail)


_Origin = tuple[str, str, int | None]
_PORTS = {"http": 80, "https": 443}


def _own_origins(request: Request) -> set[_Origin | None]:
    public_url: str | None = request.app.state.server.settings.public_url
    requested = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return {_origin(requested), _origin(public_url)} - {None}


def _origin(url: str | None) -> _Origin | None:
    """Scheme, host and port, or None if there are none, as in `null`."""
    try:
        parts = urlsplit(url or "")
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


@dataclass(frozen=True)
class Server:
    """Parts that live as long as the process. `reading` may be a replica."""

    writing: AsyncEngine
    reading: AsyncEngine
    questions: Questions
    ingest: IngestService
    notifications: Notifications
    clock: Clock
    pages: ConcurrencyLimiter
    downloads: ConcurrencyLimiter
    throttle: EnrolmentThrottle
    uploads: UploadLimits
    settings: Settings
    # The organisation's own sign-in, if one is set.
    issuer: Issuer | None

    @property
    def proxies(self) -> int:
        """Number of proxies in front, each of which adds its client's address."""
        return self.settings.proxies


async def server_of(request: Request) -> Server:
    # Not a plain function: FastAPI would run it in a thread, several times per request.
    return cast(Server, request.app.state.server)


CurrentServer = Annotated[Server, Depends(server_of)]


async def rows(connection: AsyncConnection, query: Executable) -> list[Any]:
    """Rows as dictionaries by column name."""
    return [dict(row) for row in (await connection.execute(query)).mappings()]


async def reader(request: Request, server: CurrentServer) -> Principal | None:
    """Return the principal that the request reads for; None is the public."""
    credential = credential_of(request)
    if credential.token is not None:
        async with server.reading.connect() as connection:
            principal = await of_token(connection, credential.token, datetime.now(UTC))
        if isinstance(principal, Member):
            async with server.writing.begin() as connection:
                await tokens.note_use_by_person(connection, credential.token, datetime.now(UTC))
        return principal
    session = await signed_in(request, server)
    return session.member if session else None


async def signed_in(request: Request, server: CurrentServer) -> SignedIn | None:
    """Return who is signed in in this browser, if anybody."""
    secret = credential_of(request).session
    if secret is None:
        return None
    # A replica may not know a session that has just begun.
    now = datetime.now(UTC)
    async with server.writing.begin() as connection:
        session = await sessions.find(connection, secret, now)
        if session is not None:
            await sessions.note_use(connection, session, now)
    return session


async def here(request: Request, server: CurrentServer) -> SignedIn:
    """Return who is signed in in this browser. Raise 401 for nobody, and for a token."""
    session = await signed_in(request, server)
    if session is None:
        raise tokens.unauthorised("Sign in first.", "signed_out")
    require_own_page(request)
    return session


async def person(request: Request, server: CurrentServer) -> Member:
    """Return the person, by session or token. Raise 401 for nobody, 403 for another token."""
    principal = await _principal(request, server)
    if isinstance(principal, Member):
        return principal
    detail = "Sign in, or use a person's token: a Mac's or an uploader's can't do this."
    raise Problem(403, "not_a_person", "Person needed", detail)


async def actor(request: Request, server: CurrentServer) -> Principal:
    """Return the principal of a change. Raise 401 for nobody, 403 for a token that only reads."""
    principal = await _principal(request, server)
    if isinstance(principal, Member):
        require_change(principal)
    return principal


async def _principal(request: Request, server: Server) -> Principal:
    credential = credential_of(request)
    if credential.session is not None:
        require_own_page(request)
    now = datetime.now(UTC)
    async with server.writing.begin() as connection:
        found = await credential.principal(connection, now)
        if isinstance(found, Member) and credential.token is not None:
            await tokens.note_use_by_person(connection, credential.token, now)
    if found is None:
        raise tokens.unauthorised("Sign in, or send a token: Authorization: Bearer TOKEN.")
    return await in_use(server.writing, found, now) if isinstance(found, TokenPrincipal) else found


def _shown_token(request: Request) -> str:
    secret = bearer_secret(request)
    if secret is None:
        raise tokens.unauthorised("Send a token: Authorization: Bearer TOKEN.")
    return secret


async def writer(request: Request, server: CurrentServer) -> TokenPrincipal:
    """Return the token of the request. Raise 401 without one, 403 for a person's."""
    secret = _shown_token(request)
    # A single statement needs no transaction, which saves two round trips per upload.
    alone = server.writing.execution_options(isolation_level="AUTOCOMMIT")
    now = datetime.now(UTC)
    async with alone.connect() as connection:
        bearer = await tokens.find(connection, secret, now)
    return await in_use(server.writing, bearer, now)


async def uploader(request: Request, server: CurrentServer) -> TokenPrincipal:
    """Return the principal of an upload. Raise 401 without a token. Storing checks it again."""
    return await server.ingest.find_bearer(_shown_token(request))


Reader = Annotated[Principal | None, Depends(reader)]
Here = Annotated[SignedIn, Depends(here)]
Person = Annotated[Member, Depends(person)]
Actor = Annotated[Principal, Depends(actor)]
WriterToken = Annotated[TokenPrincipal, Depends(writer)]
UploaderToken = Annotated[TokenPrincipal, Depends(uploader)]


def require_server_admin(person: Member, does: str) -> None:
    if not person.server_admin:
        detail = f"Only an admin of the server can {does}."
        raise Problem(403, "not_admin", "Not the server's admin", detail)


def public_address(request: Request, server: Server) -> str:
    """Address that links carry, without a trailing slash."""
    if server.settings.public_url:
        return server.settings.public_url
    scope = request.scope
    host = request.headers.get("host", "")
    return _served_at(scope["scheme"], host, scope["server"], scope.get("root_path", ""))


def files_of(request: Request, server: Server) -> VersionFiles:
    """Return where versions of the data set are. Raise 503 if there is no directory for them."""
    root = server.settings.dataset_dir
    if root is None:
        detail = "This server keeps no versions of its data set. Set DATASET_DIR to a directory."
        raise Problem(503, "no_versions", "No versions", detail)
    return VersionFiles(root, public_address(request, server))


# Working it out takes longer than checking a token.
@lru_cache(maxsize=256)
def _served_at(scheme: str, host: str, server: tuple[str, int] | None, root: str) -> str:
    headers = [(b"host", host.encode("latin-1"))]
    scope = {"type": "http", "scheme": scheme, "server": server, "headers": headers}
    return str(Request({**scope, "root_path": root}).base_url).rstrip("/")


async def spend_quota(
    request: Request, server: Server, address: str | None, kind: str, limit: int
) -> None:
    """Count a use by a limited address. Raise 429 if there were too many."""
    if address is None:
        return
    async with server.writing.begin() as connection:
        use = await quota.spend(connection, kind, address, limit, datetime.now(UTC))
    for name, value in use.headers.items():
        add_header(request, name, value)
    # Raised after the commit: refused uses count too, or trying would be free.
    if use.refusal is not None:
        raise use.refusal


async def limited_address(request: Request, server: CurrentServer) -> str | None:
    """Address whose limits count, or None for a valid token or session.

    An office of thousands of Macs has one address: its agents and uploaders differ by their tokens.
    """
    with contextlib.suppress(Problem):
        if await reader(request, server) is not None:
            return None
    return client_address(request, server.proxies)


LimitedAddress = Annotated[str | None, Depends(limited_address)]
