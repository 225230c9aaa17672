"""Hourly quotas of writes, and limits of concurrent long requests.

Requests without an account are counted by address, Macs without a fleet also by Mac, and people by
their invitations and mail.

Addresses are hashed under a key that is made each day and thrown away with it: what is stored
reveals neither an address nor whether two days saw the same one.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.tokens import TokenPrincipal
from macmeter.models import QuotaKey, QuotaUse
from macmeter.platform.errors import Problem
from macmeter.platform.settings import Settings

# One IPv6 subscriber has all addresses with the same first half.
_PREFIXES = {4: 32, 6: 64}
# Blocks that one customer of a provider may have.
_BLOCKS = {4: 24, 6: 48}
WINDOW_SECONDS = 3600
MOST_LEASED = 100


@dataclass(frozen=True)
class Use:
    """One counted use. `wait` is in seconds, until the count starts again."""

    limit: int
    left: int
    wait: int
    subject: str = "address"
    """Name of what is limited, for messages."""

    @property
    def headers(self) -> dict[str, str]:
        """Fields of the IETF's RateLimit draft."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.left)),
            "RateLimit-Reset": str(self.wait),
            "RateLimit-Policy": f"{self.limit};w={WINDOW_SECONDS}",
        }

    @property
    def minutes(self) -> str:
        """Time until the count starts again, such as "16 minutes"."""
        minutes = self.wait // 60 + 1
        return f"{minutes} minute{'' if minutes == 1 else 's'}"

    @property
    def refusal(self) -> Problem | None:
        """Refusal, as 429 with Retry-After, of a use that was one too many; otherwise None."""
        limit = f"One {self.subject} can do this {self.limit} times per hour."
        return self.refusal_with("Too many requests", f"{limit} Try again in {self.minutes}.")

    def refusal_with(self, title: str, detail: str) -> Problem | None:
        """`refusal` with the caller's own text."""
        if self.left >= 0:
            return None
        return Problem(429, "quota", title, detail, headers={"Retry-After": str(self.wait)})


async def spend(
    connection: AsyncConnection, kind: str, address: str, limit: int, now: datetime
) -> Use:
    """Count one use by an address, of `limit` in this hour."""
    return await count(connection, kind, network(address), limit, now)


async def count(
    connection: AsyncConnection, kind: str, who: bytes, limit: int, now: datetime
) -> Use:
    """Count one use by anything other than an address."""
    return await _count(connection, _Quota(kind, who, limit), 1, now)


class _Quota(NamedTuple):
    kind: str
    who: bytes
    limit: int


async def _count(connection: AsyncConnection, quota: _Quota, amount: int, now: datetime) -> Use:
    hour, client = _hour(now), await _client(connection, quota.who, now)
    use = postgresql.insert(QuotaUse).values(hour=hour, kind=quota.kind, client=client, uses=amount)
    upsert = use.on_conflict_do_update(
        index_elements=["hour", "kind", "client"], set_={"uses": QuotaUse.uses + amount}
    ).returning(QuotaUse.uses)
    uses = (await connection.execute(upsert)).scalar_one()
    if uses == amount:
        await connection.execute(delete(QuotaUse).where(QuotaUse.hour < hour))
    wait = int((hour + timedelta(seconds=WINDOW_SECONDS) - now).total_seconds()) + 1
    return Use(quota.limit, quota.limit - uses, wait)


class _LeasedUses:
    """Uses counted in advance, in batches, to save a statement per upload.

    The limit holds across all processes. Each process may hold up to a fiftieth of it unused, at
    most MOST_LEASED, and loses it when it ends.
    """

    def __init__(self, engine: AsyncEngine, kind: str, subject: str, limit: int) -> None:
        self._engine, self._kind, self._subject, self._limit = engine, kind, subject, limit
        self._batch = max(1, min(limit // 50, MOST_LEASED))
        self._hour: datetime | None = None
        self._left: defaultdict[bytes, int] = defaultdict(int)
        # A client's uploads arrive concurrently: the first leases for those that wait.
        self._locks: defaultdict[bytes, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def spend(self, who: bytes, now: datetime) -> None:
        """Spend one use. Raise 429 if it is one too many, until the hour ends."""
        if self._hour != _hour(now):
            self._hour = _hour(now)
            self._left.clear()
            self._locks.clear()
        async with self._locks[who]:
            if not self._left[who]:
                self._left[who] = await self._lease(who, now)
            self._left[who] -= 1

    async def _lease(self, who: bytes, now: datetime) -> int:
        """Lease a batch and return its size. Raise 429 if nothing is left."""
        async with self._engine.begin() as connection:
            use = await _count(connection, _Quota(self._kind, who, self._limit), self._batch, now)
        granted = self._batch + min(use.left, 0)
        if granted <= 0:
            refusal = replace(use, subject=self._subject).refusal
            assert refusal is not None
            raise refusal
        return granted


class UploadLimits:
    """Limits of runs without a fleet, which anybody may send. A fleet has its admins."""

    def __init__(self, engine: AsyncEngine, machine: int, address: int) -> None:
        self._machines = _LeasedUses(engine, "uploads of a machine", "Mac", machine)
        self._addresses = _LeasedUses(engine, "uploads", "address", address)

    async def spend(self, bearer: TokenPrincipal, address: str, now: datetime) -> None:
        """Count an upload. Raise 429 if its Mac or its address has had too many in this hour."""
        if bearer.fleet_id is None:
            # A token belongs to one machine.
            await self._machines.spend(bearer.token_id.bytes, now)
            await self._addresses.spend(network(address), now)


async def give_back(connection: AsyncConnection, kind: str, who: bytes, now: datetime) -> None:
    """Refund a use, where only failures are limited."""
    client = await _client(connection, who, now)
    is_use = (QuotaUse.hour == _hour(now)) & (QuotaUse.kind == kind) & (QuotaUse.client == client)
    one_less = func.greatest(QuotaUse.uses - 1, 0)
    await connection.execute(update(QuotaUse).where(is_use).values(uses=one_less))


def _hour(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


async def _client(connection: AsyncConnection, who: bytes, now: datetime) -> bytes:
    return hmac.digest(await _key(connection, now), who, hashlib.sha256)[:16]


async def _key(connection: AsyncConnection, now: datetime) -> bytes:
    """The day's key, the same in all processes, created at the day's first use."""
    today = select(QuotaKey.key).where(QuotaKey.day == now.date())
    key = await connection.scalar(today)
    if key is None:
        statement = postgresql.insert(QuotaKey).values(day=now.date(), key=secrets.token_bytes(32))
        await connection.execute(statement.on_conflict_do_nothing())
        await connection.execute(delete(QuotaKey).where(QuotaKey.day < now.date()))
        key = (await connection.execute(today)).scalar_one()
    return key


def network(address: str, prefixes: Mapping[int, int] = _PREFIXES) -> bytes:
    """Network that identifies a client: IPv4 address or IPv6 /64, unless `prefixes` differ."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        # A socket file, or a proxy that sends something else: all of these together.
        return b"unknown"
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    whole = ipaddress.ip_network((parsed, prefixes[parsed.version]), strict=False)
    return whole.network_address.packed


# --- what is sent to others. Senders choose the recipient, and mail is in the operator's name, so
# invitations are limited per sender, network, recipient and server, across all processes.


async def spend_invitation(
    connection: AsyncConnection, limits: Settings, sender: uuid.UUID, now: datetime
) -> Problem | None:
    """Count an invitation. Return the refusal of one too many, to be raised after the commit."""
    use = await count(connection, "invitation", sender.bytes, limits.quota_invitations, now)
    limit = f"Invitations are limited to {use.limit} per person and hour."
    return use.refusal_with("Too many invitations", f"{limit} Try again in {use.minutes}.")


async def spend_mail(
    connection: AsyncConnection, limits: Settings, address: str, recipient: str, now: datetime
) -> Problem | None:
    """Count a mail by somebody at `address`. Return the refusal of the first limit that is
    exceeded.

    The remaining limits aren't counted then, so that one sender doesn't use up those of others.
    """
    for kind, who, limit, suffix in (
        (
            "mail from network",
            address_block(address),
            limits.quota_mails_block,
            " from your network",
        ),
        ("mail to address", mailbox(recipient), limits.quota_mails_recipient, " to this address"),
        ("mail", b"", limits.quota_mails, ""),
    ):
        use = await count(connection, kind, who, limit, now)
        sent = f"This server sends at most {use.limit} mails per hour{suffix}."
        instead = "leave out the email address and send the link yourself"
        detail = f"{sent} Try again in {use.minutes}, or {instead}."
        if (refusal := use.refusal_with("Too many mails", detail)) is not None:
            return refusal
    return None


async def spend_alert_mail(
    connection: AsyncConnection,
    limits: Settings,
    person_id: uuid.UUID,
    recipient: str,
    now: datetime,
) -> timedelta | None:
    """Count a mail with alerts to a person. Return how long to wait if it is one too many.

    Whoever triggers alerts may have stated somebody else's address as their own. So that nobody
    uses up what others get, there is no limit for the server, and a person's first mail in an hour
    is always sent.
    """
    first = await count(connection, "first alert mail", person_id.bytes, 1, now)
    who = mailbox(recipient)
    use = await count(connection, "alert mail", who, limits.quota_alert_mails, now)
    return timedelta(seconds=use.wait) if use.left < 0 and first.left < 0 else None


async def spend_webhook(
    connection: AsyncConnection, limits: Settings, sender: uuid.UUID, now: datetime
) -> Problem | None:
    """Count a webhook that a person adds or tests, wherever it is. Return the refusal of one too
    many, to be raised after the commit.
    """
    use = await count(connection, "webhook", sender.bytes, limits.quota_webhooks, now)
    limit = f"Webhooks can be added or tested {use.limit} times per person and hour."
    return use.refusal_with("Too many requests", f"{limit} Try again in {use.minutes}.")


def address_block(address: str) -> bytes:
    """Block of addresses around an address, since whoever has one often has more of it."""
    return network(address, _BLOCKS)


def mailbox(recipient: str) -> bytes:
    """Mailbox of an address: `ada+1@example.org` is Ada's as well."""
    name, _, host = recipient.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{host}".encode()


# --- long requests

_RETRY_HEADERS = {"Retry-After": "60"}


class ConcurrencyLimiter:
    """Concurrency limit in this process.

    `what` is plural, as in messages: "downloads", for example.
    """

    def __init__(self, what: str, total_limit: int, address_limit: int) -> None:
        self._what, self._total_limit, self._address_limit = what, total_limit, address_limit
        self._by_network: Counter[bytes | None] = Counter()

    def take(self, address: str | None) -> Callable[[], None]:
        """Take a slot and return the function that releases it.

        Raise 429 if this address has all it may, 503 if all are taken. The address None isn't
        limited.
        """
        what, client = self._what, network(address) if address is not None else None
        if client is not None and self._by_network[client] >= self._address_limit:
            most = f"One address can have {self._address_limit} {what} at a time."
            code, detail = what.replace(" ", "_"), f"{most} Close one, or try again later."
            raise Problem(
                429, f"too_many_{code}", f"Too many {what}", detail, headers=_RETRY_HEADERS
            )
        if self._by_network.total() >= self._total_limit:
            most = f"This server serves {self._total_limit} {what} at a time. Try again later."
            raise Problem(503, "busy", "Busy", most, headers=_RETRY_HEADERS)
        self._by_network[client] += 1
        # Releases once, however often it is called.
        stack = ExitStack()
        stack.callback(self._give_back, client)
        return stack.close

    def _give_back(self, client: bytes | None) -> None:
        self._by_network[client] -= 1
        if not self._by_network[client]:
            del self._by_network[client]
