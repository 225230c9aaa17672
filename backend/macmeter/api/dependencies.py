"""What endpoints ask for: the server's parts, and whom the request speaks for."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.access import quota, tokens
from macmeter.access.tokens import Bearer
from macmeter.access.turns import Turns
from macmeter.api.edge.addresses import client_address
from macmeter.api.edge.headers import add_header
from macmeter.api.jobs import Questions
from macmeter.arrivals.listen import Arrivals
from macmeter.errors import Problem
from macmeter.ingest.accept import Acceptor
from macmeter.reading.arrivals import Clock


@dataclass(frozen=True)
class Quotas:
    """Uses an hour by one address."""

    comparisons: int
    doubts: int


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
    quotas: Quotas
    # In front of this server, each adding the address it was asked from.
    proxies: int
    public_url: str | None
    # Of an invented fleet: see api/edge/demo.py.
    demo: bool
    frontend: Path
    # Where columns are written, if anywhere, and how far they may be behind.
    columns: Path | None
    columns_lag_seconds: float | None


async def server(request: Request) -> Server:
    # Not a plain function: FastAPI would run it in a thread, several times a request.
    return cast(Server, request.app.state.server)


ServerPart = Annotated[Server, Depends(server)]


def bearer_secret(request: Request) -> str | None:
    """The secret of `Authorization: Bearer …`; 401 for any other scheme."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise tokens.unauthorised("Send the token as Authorization: Bearer TOKEN.")
    return secret.strip()


async def reader(request: Request, part: ServerPart) -> Bearer | None:
    """Whom the request reads for; None is the public."""
    secret = bearer_secret(request)
    if secret is None:
        return None
    async with part.reading.connect() as connection:
        return await tokens.find(connection, secret, datetime.now(UTC))


async def writer(request: Request, part: ServerPart) -> Bearer:
    """Whom the request writes for; 401 without a token."""
    secret = bearer_secret(request)
    if secret is None:
        raise tokens.unauthorised("Send a token: Authorization: Bearer TOKEN.")
    # One statement needs no transaction: that spares two round trips with every upload.
    alone = part.writing.execution_options(isolation_level="AUTOCOMMIT")
    async with alone.connect() as connection:
        return await tokens.find(connection, secret, datetime.now(UTC))


async def uploader(request: Request, part: ServerPart) -> Bearer:
    """Whom an upload is written for; 401 without a token. Storing it asks whether it still is."""
    secret = bearer_secret(request)
    if secret is None:
        raise tokens.unauthorised("Send a token: Authorization: Bearer TOKEN.")
    return await part.acceptor.bearer(secret)


Reader = Annotated[Bearer | None, Depends(reader)]
WriterToken = Annotated[Bearer, Depends(writer)]
UploaderToken = Annotated[Bearer, Depends(uploader)]


def public_address(request: Request, part: Server) -> str:
    """The address that links carry, without a slash at its end."""
    return (part.public_url or str(request.base_url)).rstrip("/")


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
    """The address whose limits count; None for whoever shows a token that is good.

    An office of thousands of Macs has one address: its agents and uploaders differ by
    their tokens.
    """
    if "authorization" in request.headers:
        with contextlib.suppress(Problem):
            if await reader(request, part) is not None:
                return None
    return client_address(request, part.proxies)


LimitedAddress = Annotated[str | None, Depends(limited_address)]
