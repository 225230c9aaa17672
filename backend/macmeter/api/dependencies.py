"""Dependencies of endpoints: parts of the server, and who the request comes from."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, cast

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.access import person_tokens, quota, sessions, tokens
from macmeter.access.herds import Herds
from macmeter.access.oidc import Issuer
from macmeter.access.people import Member, require_change
from macmeter.access.quota import UploadLimits
from macmeter.access.rotation import in_use
from macmeter.access.scope import Asker
from macmeter.access.sessions import SignedIn
from macmeter.access.tokens import Bearer
from macmeter.access.turns import Turns
from macmeter.api.credentials import (
    bearer_secret,
    credential_of,
    of_token,
    require_own_page,
)
from macmeter.api.edge.addresses import client_address
from macmeter.api.edge.headers import add_header
from macmeter.api.jobs import Questions
from macmeter.arrivals.listen import Arrivals
from macmeter.errors import Problem
from macmeter.ingest.accept import Acceptor
from macmeter.reading.runs import Clock
from macmeter.settings import Settings


@dataclass(frozen=True)
class Server:
    """The parts that live as long as the process. `reading` may be a replica."""

    writing: AsyncEngine
    reading: AsyncEngine
    questions: Questions
    acceptor: Acceptor
    arrivals: Arrivals
    clock: Clock
    pages: Turns
    downloads: Turns
    herds: Herds
    uploads: UploadLimits
    settings: Settings
    # An organisation's own sign-in, where one is set.
    issuer: Issuer | None

    @property
    def proxies(self) -> int:
        """How many are in front, each adding the address that it was asked from."""
        return self.settings.proxies


async def server(request: Request) -> Server:
    # Not a plain function: FastAPI would run it in a thread, several times a request.
    return cast(Server, request.app.state.server)


ServerPart = Annotated[Server, Depends(server)]


async def reader(request: Request, part: ServerPart) -> Asker | None:
    """Whom the request reads for; None is the public."""
    credential = credential_of(request)
    if credential.token is not None:
        async with part.reading.connect() as connection:
            asker = await of_token(connection, credential.token, datetime.now(UTC))
        if isinstance(asker, Member):
            async with part.writing.begin() as connection:
                await person_tokens.note_use(connection, credential.token, datetime.now(UTC))
        return asker
    found = await signed_in(request, part)
    return found.member if found else None


async def signed_in(request: Request, part: ServerPart) -> SignedIn | None:
    """Who is signed in in this browser, if anybody."""
    secret = credential_of(request).session
    if secret is None:
        return None
    # A replica might not know of a session that has just begun.
    now = datetime.now(UTC)
    async with part.writing.begin() as connection:
        found = await sessions.find(connection, secret, now)
        if found is not None:
            await sessions.note_use(connection, found, now)
    return found


async def here(request: Request, part: ServerPart) -> SignedIn:
    """Who is signed in in this browser; 401 for nobody, and for a token, which isn't a browser."""
    found = await signed_in(request, part)
    if found is None:
        raise tokens.unauthorised("Sign in first.", "signed_out")
    require_own_page(request)
    return found


async def person(request: Request, part: ServerPart) -> Member:
    """The person who asks, by session or by token; 401 for nobody, 403 for another token."""
    found = await _asker(request, part)
    if isinstance(found, Member):
        return found
    raise Problem(
        403,
        "not_a_person",
        "Person needed",
        "Sign in, or use a person's token: a Mac's or an uploader's can't do this.",
    )


async def actor(request: Request, part: ServerPart) -> Asker:
    """Who asks for a change, a person or a token; 401 for nobody."""
    found = await _asker(request, part)
    if isinstance(found, Member):
        require_change(found)
    return found


async def _asker(request: Request, part: Server) -> Asker:
    credential = credential_of(request)
    if credential.session is not None:
        require_own_page(request)
    now = datetime.now(UTC)
    async with part.writing.begin() as connection:
        found = await credential.asker(connection, now)
        if isinstance(found, Member) and credential.token is not None:
            await person_tokens.note_use(connection, credential.token, now)
    if found is None:
        raise tokens.unauthorised("Sign in, or send a token: Authorization: Bearer TOKEN.")
    return await in_use(part.writing, found, now) if isinstance(found, Bearer) else found


async def writer(request: Request, part: ServerPart) -> Bearer:
    """The token that the request shows; 401 without one, 403 for a person's."""
    secret = bearer_secret(request)
    if secret is None:
        raise tokens.unauthorised("Send a token: Authorization: Bearer TOKEN.")
    # One statement needs no transaction: that spares two round trips with every upload.
    alone = part.writing.execution_options(isolation_level="AUTOCOMMIT")
    now = datetime.now(UTC)
    async with alone.connect() as connection:
        bearer = await tokens.find(connection, secret, now)
    return await in_use(part.writing, bearer, now)


async def uploader(request: Request, part: ServerPart) -> Bearer:
    """Whom an upload is written for; 401 without a token. Storing it asks whether it still is."""
    secret = bearer_secret(request)
    if secret is None:
        raise tokens.unauthorised("Send a token: Authorization: Bearer TOKEN.")
    return await part.acceptor.bearer(secret)


Reader = Annotated[Asker | None, Depends(reader)]
Here = Annotated[SignedIn, Depends(here)]
Person = Annotated[Member, Depends(person)]
Actor = Annotated[Asker, Depends(actor)]
WriterToken = Annotated[Bearer, Depends(writer)]
UploaderToken = Annotated[Bearer, Depends(uploader)]


def public_address(request: Request, part: Server) -> str:
    """The address that links carry, without a slash at its end."""
    if part.settings.public_url:
        return part.settings.public_url
    scope = request.scope
    host = request.headers.get("host", "")
    return _served_at(scope["scheme"], host, scope["server"], scope.get("root_path", ""))


# To work it out takes longer than to check a token.
@lru_cache(maxsize=256)
def _served_at(scheme: str, host: str, server: tuple[str, int] | None, root: str) -> str:
    headers = [(b"host", host.encode("latin-1"))]
    scope = {"type": "http", "scheme": scheme, "server": server, "headers": headers}
    return str(Request({**scope, "root_path": root}).base_url).rstrip("/")


async def spend_quota(
    request: Request, part: Server, address: str | None, kind: str, limit: int
) -> None:
    """Counts a use by a limited address; 429 when there were too many."""
    if address is None:
        return
    async with part.writing.begin() as connection:
        use = await quota.spend(connection, kind, address, limit, datetime.now(UTC))
    for name, value in use.headers.items():
        add_header(request, name, value)
    # Raised after the commit: what is refused counts too, or trying would be free.
    if use.refusal is not None:
        raise use.refusal


async def limited_address(request: Request, part: ServerPart) -> str | None:
    """The address whose limits count; None for whoever shows a token that is good, or is signed in.

    An office of thousands of Macs has one address: its agents and uploaders differ by
    their tokens.
    """
    with contextlib.suppress(Problem):
        if await reader(request, part) is not None:
            return None
    return client_address(request, part.proxies)


LimitedAddress = Annotated[str | None, Depends(limited_address)]
