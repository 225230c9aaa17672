"""How often somebody without an account may write something: counted by the hour, by address.

The address is hashed under a key that is made anew each day and thrown away with it: what is
stored tells nobody's address, and not that two days saw the same one.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.errors import Problem
from macmeter.models import QuotaKey, QuotaUse

# Whoever has one IPv6 address has all that share its first half.
_IPV6_PREFIX = 64


async def spend(
    connection: AsyncConnection, kind: str, address: str, limit: int, now: datetime
) -> None:
    """Count one use; 429 with Retry-After once there were `limit` in this hour."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    client = hmac.digest(await _key(connection, now), network(address), hashlib.sha256)[:16]
    use = postgresql.insert(QuotaUse).values(hour=hour, kind=kind, client=client, uses=1)
    counted = use.on_conflict_do_update(
        index_elements=["hour", "kind", "client"], set_={"uses": QuotaUse.uses + 1}
    ).returning(QuotaUse.uses)
    uses = (await connection.execute(counted)).scalar_one()
    if uses == 1:
        await connection.execute(delete(QuotaUse).where(QuotaUse.hour < hour))
    if uses > limit:
        wait = int((hour + timedelta(hours=1) - now).total_seconds()) + 1
        raise Problem(
            429,
            "quota",
            "Too many",
            f"From one address {limit} an hour are taken. Try again in {wait // 60 + 1} minutes.",
            headers={"Retry-After": str(wait)},
        )


async def _key(connection: AsyncConnection, now: datetime) -> bytes:
    """The day's key, the same in all processes; the first use of a day makes it."""
    today = select(QuotaKey.key).where(QuotaKey.day == now.date())
    key = await connection.scalar(today)
    if key is None:
        made = postgresql.insert(QuotaKey).values(day=now.date(), key=secrets.token_bytes(32))
        await connection.execute(made.on_conflict_do_nothing())
        await connection.execute(delete(QuotaKey).where(QuotaKey.day < now.date()))
        key = (await connection.execute(today)).scalar_one()
    return key


def network(address: str) -> bytes:
    """Who an address stands for: itself, or all of an IPv6 network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        # Of a socket file, or of a proxy that sends something else: all of these together.
        return b"unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return parsed.ipv4_mapped.packed
        return parsed.packed[: _IPV6_PREFIX // 8]
    return parsed.packed
