"""How often somebody without an account may write something: counted by the hour, by address, and
uploads of Macs without a fleet by Mac as well.

The address is hashed under a key that is made each day and thrown away with it: what is stored
reveals no address, and not whether two days saw the same one.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.access.tokens import Bearer
from macmeter.errors import Problem
from macmeter.models import QuotaKey, QuotaUse

# Whoever has one IPv6 address has all that share its first half.
_IPV6_PREFIX = 64


WINDOW_SECONDS = 3600
MOST_LEASED = 100


@dataclass(frozen=True)
class Use:
    """One use, counted. `wait` is in seconds, until the count starts again."""

    limit: int
    left: int
    wait: int
    who: str = "address"
    """What is limited, as its owner would call it."""

    @property
    def headers(self) -> dict[str, str]:
        """The fields of the IETF's RateLimit draft."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.left)),
            "RateLimit-Reset": str(self.wait),
            "RateLimit-Policy": f"{self.limit};w={WINDOW_SECONDS}",
        }

    @property
    def minutes(self) -> str:
        """ "16 minutes": until the count starts again."""
        minutes = self.wait // 60 + 1
        return f"{minutes} minute{'' if minutes == 1 else 's'}"

    @property
    def refusal(self) -> Problem | None:
        """429 with Retry-After for the use that was one too many."""
        if self.left >= 0:
            return None
        return Problem(
            429,
            "quota",
            "Too many requests",
            f"One {self.who} can do this {self.limit} times per hour. Try again in {self.minutes}.",
            headers={"Retry-After": str(self.wait)},
        )


async def spend(
    connection: AsyncConnection, kind: str, address: str, limit: int, now: datetime
) -> Use:
    """Count one use of the `limit` in this hour."""
    return await count(connection, kind, network(address), limit, now)


async def count(
    connection: AsyncConnection, kind: str, who: bytes, limit: int, now: datetime
) -> Use:
    """Count what `spend` counts, for whatever is limited besides addresses."""
    return await _count(connection, _Limited(kind, who, limit), 1, now)


class _Limited(NamedTuple):
    kind: str
    who: bytes
    limit: int


async def _count(connection: AsyncConnection, of: _Limited, several: int, now: datetime) -> Use:
    hour, client = _hour(now), await _client(connection, of.who, now)
    use = postgresql.insert(QuotaUse).values(hour=hour, kind=of.kind, client=client, uses=several)
    counted = use.on_conflict_do_update(
        index_elements=["hour", "kind", "client"], set_={"uses": QuotaUse.uses + several}
    ).returning(QuotaUse.uses)
    uses = (await connection.execute(counted)).scalar_one()
    if uses == several:
        await connection.execute(delete(QuotaUse).where(QuotaUse.hour < hour))
    wait = int((hour + timedelta(seconds=WINDOW_SECONDS) - now).total_seconds()) + 1
    return Use(of.limit, of.limit - uses, wait)


class _Leased:
    """Counts uses in advance, some at a time: one statement for each upload would be another's
    cost. No more than the limit are ever used, in whatever number of processes; up to a fiftieth of
    it, and no more than MOST_LEASED, may lie unused in each and be lost with it.
    """

    def __init__(self, engine: AsyncEngine, kind: str, who: str, limit: int) -> None:
        self._engine, self._kind, self._who, self._limit = engine, kind, who, limit
        self._several = max(1, min(limit // 50, MOST_LEASED))
        self._hour: datetime | None = None
        self._left: defaultdict[bytes, int] = defaultdict(int)
        # Uploads of one client come side by side: the first one counts for those that wait for it.
        self._turns: defaultdict[bytes, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def spend(self, who: bytes, now: datetime) -> None:
        """429 for the use that was one too many, and all after it in this hour."""
        if self._hour != _hour(now):
            self._hour = _hour(now)
            self._left.clear()
            self._turns.clear()
        async with self._turns[who]:
            if not self._left[who]:
                self._left[who] = await self._lease(who, now)
            self._left[who] -= 1

    async def _lease(self, who: bytes, now: datetime) -> int:
        """How many more uses there may be; the refusal where there may be none."""
        async with self._engine.begin() as connection:
            use = await _count(
                connection, _Limited(self._kind, who, self._limit), self._several, now
            )
        granted = self._several + min(use.left, 0)
        if granted <= 0:
            refusal = replace(use, who=self._who).refusal
            assert refusal is not None
            raise refusal
        return granted


class UploadLimits:
    """Limits of runs without a fleet, which anybody may send; a fleet has its admins."""

    def __init__(self, engine: AsyncEngine, machine: int, address: int) -> None:
        self._machines = _Leased(engine, "uploads of a machine", "Mac", machine)
        self._addresses = _Leased(engine, "uploads", "address", address)

    async def spend(self, bearer: Bearer, address: str, now: datetime) -> None:
        """Count an upload; 429 where its Mac or its address has had too many in this hour."""
        if bearer.fleet_id is None:
            # A token is one machine's.
            await self._machines.spend(bearer.token_id.bytes, now)
            await self._addresses.spend(network(address), now)


async def give_back(connection: AsyncConnection, kind: str, who: bytes, now: datetime) -> None:
    """A use that was none: only what fails is limited."""
    client = await _client(connection, who, now)
    await connection.execute(
        update(QuotaUse)
        .where(QuotaUse.hour == _hour(now), QuotaUse.kind == kind, QuotaUse.client == client)
        .values(uses=func.greatest(QuotaUse.uses - 1, 0))
    )


def _hour(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


async def _client(connection: AsyncConnection, who: bytes, now: datetime) -> bytes:
    return hmac.digest(await _key(connection, now), who, hashlib.sha256)[:16]


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
