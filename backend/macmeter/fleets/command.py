"""`macmeter-server fleet`: a fleet and an enrolment secret, for an operator without a browser."""

from __future__ import annotations

import asyncio
import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import database
from macmeter.access.people import ADMIN, Place
from macmeter.fleets import fleets, secrets
from macmeter.models import Fleet


def make_secret(url: str, name: str) -> str:
    """A fresh enrolment secret of the fleet of that name, which is made where there is none."""
    return asyncio.run(_make_secret(url, name))


async def _make_secret(url: str, name: str) -> str:
    engine = database.engine(url, pool_size=1)
    try:
        async with engine.begin() as connection:
            place = Place(await _fleet(connection, name), name, ADMIN)
            _, secret = await secrets.create(
                connection, place, "made on the command line", secrets.Limits(), None
            )
    finally:
        await engine.dispose()
    return secret


async def _fleet(connection: AsyncConnection, name: str) -> uuid.UUID:
    known = select(Fleet.fleet_id).where(Fleet.name == name)
    found: uuid.UUID | None = await connection.scalar(known)
    return found or await fleets.create(connection, name, None)
