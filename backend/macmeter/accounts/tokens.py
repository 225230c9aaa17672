"""Tokens: issue them and find them by their secret."""

import hashlib
import math
import secrets
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, insert, or_, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member, member_of, of_people
from macmeter.models import Fleet, Machine, Person, Token
from macmeter.platform.errors import Problem

TokenScope = Literal["device", "fleet"]
DEVICE: TokenScope = "device"
FLEET: TokenScope = "fleet"
# Readers of a fleet's runs: its members, everybody with an account, everybody.
Visibility = Literal["private", "members", "public"]
PERSON = "person"
# Scopes that the server issues itself; people create their own tokens.
SCOPES = (DEVICE, FLEET)
LOCAL_FLEET = "local"
_NOTED_EVERY = timedelta(hours=1)
PREFIX = {DEVICE: "mmd_", FLEET: "mmf_", PERSON: "mmp_"}


@dataclass(frozen=True)
class TokenPrincipal:
    """Principal of an uploading token. `fleet_visibility` is None outside a fleet."""

    token_id: uuid.UUID
    scope: TokenScope
    fleet_id: uuid.UUID | None
    fleet_name: str | None
    fleet_visibility: Visibility | None
    created_at: datetime | None = None
    replaces: uuid.UUID | None = None
    """Until its first use, the token that it replaces: see accounts/rotation.py."""

    @property
    def visibility(self) -> Visibility:
        """Visibility of the runs it writes: its fleet's, or public without a fleet."""
        return self.fleet_visibility or "public"


def secret_hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def issue(connection: Connection, scope: str = DEVICE, fleet_id: uuid.UUID | None = None) -> str:
    """Issue a token and return its secret, which can't be shown again: only its hash is stored.

    A device token writes public runs of the one machine that first uses it, which has to be new
    here. A fleet token writes runs of any machine of its fleet, by default the local one: they are
    private until the fleet says otherwise.
    """
    if scope not in SCOPES:
        raise ValueError(f"scope is one of {', '.join(SCOPES)}, not {scope}")
    secret = PREFIX[scope] + secrets.token_urlsafe(32)
    connection.execute(
        insert(Token).values(
            token_id=uuid.uuid4(),
            secret_sha256=secret_hash(secret),
            scope=scope,
            fleet_id=fleet_id or (local_fleet(connection) if scope == FLEET else None),
        )
    )
    return secret


def local_fleet(connection: Connection) -> uuid.UUID:
    """Return the id of the fleet that every server has, creating it on first use."""
    connection.execute(
        postgresql.insert(Fleet)
        .values(fleet_id=uuid.uuid4(), name=LOCAL_FLEET, visibility="private")
        .on_conflict_do_nothing()
    )
    return connection.execute(select(Fleet.fleet_id).where(Fleet.name == LOCAL_FLEET)).scalar_one()


_TOKEN = (
    select(Token.token_id, Token.scope, Token.fleet_id, Token.expires_at, Token.revoked_at)
    .add_columns(Token.created_at, Token.replaces, Token.last_used_at)
    .add_columns(Fleet.name, Fleet.visibility)
    .outerjoin(Fleet, Fleet.fleet_id == Token.fleet_id)
)
# Built once, because they run often.
_BY_SECRET = _TOKEN.where(Token.secret_sha256 == bindparam("secret_sha256"))
_BY_ID = _TOKEN.where(Token.token_id == bindparam("token_id"))


async def find(connection: AsyncConnection, secret: str, now: datetime) -> TokenPrincipal:
    """Find a token by its secret.

    Raise 401 if it is unknown, expired or revoked, 403 for a person's.
    """
    result = await connection.execute(_BY_SECRET, {"secret_sha256": secret_hash(secret)})
    return await _good(connection, result.one_or_none(), now)


async def find_again(
    connection: AsyncConnection, bearer: TokenPrincipal, now: datetime
) -> TokenPrincipal:
    """Reload a token. Raise 401 if it is no longer valid."""
    result = await connection.execute(_BY_ID, {"token_id": bearer.token_id})
    return await _good(connection, result.one_or_none(), now)


async def _good(
    connection: AsyncConnection, token: Row[Any] | None, now: datetime
) -> TokenPrincipal:
    if token is not None and token.revoked_at is not None:
        await _require_welcome(connection, token)
    row = require_good(token, now)
    if row.scope == PERSON:
        detail = "Upload runs with a Mac's or an uploader's token, not with a person's."
        raise Problem(403, "token_of_person", "A person's token", detail)
    replaces = row.replaces if row.last_used_at is None else None
    fleet = (row.fleet_id, row.name, row.visibility)
    return TokenPrincipal(row.token_id, row.scope, *fleet, row.created_at, replaces)


async def _require_welcome(connection: AsyncConnection, token: Row[Any]) -> None:
    """Raise 401 that says who to ask if this token ended because an admin keeps its Mac out."""
    is_bound = Machine.bound_token_id.in_([token.token_id, token.replaces])
    query = select(Machine.barred_at, Machine.retired_at, Machine.retired_by).where(is_bound)
    machine = (await connection.execute(query)).first()
    if machine is not None and (kept_out := why_kept_out(*machine)):
        code, detail = kept_out
        raise unauthorised(detail, code)


def why_kept_out(
    barred_at: datetime | None, retired_at: datetime | None, retired_by: str | None
) -> tuple[str, str] | None:
    """Return a code and what to say to a Mac that an admin revoked or retired, else None."""
    if barred_at is not None:
        return (
            "machine_barred",
            "An admin of its fleet has revoked this Mac: its runs are no longer taken. Only an "
            "admin can allow it to enrol again.",
        )
    if retired_by is not None and retired_at is not None:
        day = retired_at.astimezone(UTC).date().isoformat()
        return (
            "machine_retired",
            f"{retired_by} retired this Mac on {day}: its runs are no longer taken. Ask "
            "them, or another admin of its fleet, to bring it back.",
        )
    return None


def require_good(row: Row[Any] | None, now: datetime) -> Row[Any]:
    """Return `row` of `tokens` if it is valid, or raise 401."""
    if row is None:
        raise unauthorised("This server doesn't know this token. Enrol again.", "token_unknown")
    if row.revoked_at is not None:
        raise unauthorised("This token was revoked. Enrol again.", "token_revoked")
    if row.expires_at is not None and row.expires_at <= now:
        raise unauthorised("This token has expired. Enrol again.", "token_expired")
    return row


async def note_use(connection: AsyncConnection, bearer: TokenPrincipal, now: datetime) -> None:
    """Record an uploader's use, at most once an hour. A device's last use shows in its runs."""
    if bearer.scope == FLEET:
        await _note_use(connection, Token.token_id == bearer.token_id, now)


async def _note_use(connection: AsyncConnection, which: ColumnElement[bool], now: datetime) -> None:
    long_ago = or_(Token.last_used_at.is_(None), Token.last_used_at < now - _NOTED_EVERY)
    await connection.execute(update(Token).where(which, long_ago).values(last_used_at=now))


class KnownTokens:
    """Cache of tokens found recently, so that not every upload queries for its own.

    The statement that acts on a cached token checks it again, so a token that was just revoked may
    be found here but does nothing.
    """

    def __init__(self, most: int = 10_000, seconds: float = 60.0) -> None:
        self._tokens: dict[bytes, tuple[float, TokenPrincipal]] = {}
        self._most = most
        self._seconds = seconds

    def get(self, secret: str) -> TokenPrincipal | None:
        at, bearer = self._tokens.get(secret_hash(secret), (-math.inf, None))
        return bearer if time.monotonic() - at < self._seconds else None

    def keep(self, secret: str, bearer: TokenPrincipal) -> None:
        if len(self._tokens) >= self._most:
            self._tokens.clear()
        self._tokens[secret_hash(secret)] = (time.monotonic(), bearer)

    def forget(self, token_id: uuid.UUID) -> None:
        self._tokens = {
            key: (at, bearer)
            for key, (at, bearer) in self._tokens.items()
            if bearer.token_id != token_id
        }


def unauthorised(detail: str, code: str = "token_missing") -> Problem:
    headers = {"WWW-Authenticate": 'Bearer realm="macmeter"'}
    return Problem(401, code, "Not authorised", detail, headers=headers)


# --- personal tokens, for people's own programs: limited to what their owner may read or change

READ, MANAGE = "read", "manage"
_OF_PERSON = of_people(Token.fleet_id, Token.permission, Token.expires_at, Token.revoked_at).join(
    Token, Token.person_id == Person.person_id
)


def _personal(secret: str) -> ColumnElement[bool]:
    return and_(Token.secret_sha256 == secret_hash(secret), Token.scope == PERSON)


async def find_member(connection: AsyncConnection, secret: str, now: datetime) -> Member:
    """Find the owner of a personal token. Raise 401 if it is unknown, expired or revoked."""
    result = await connection.execute(_OF_PERSON.where(_personal(secret)))
    row = require_good(result.one_or_none(), now)
    return member_of(row, only=row.fleet_id, may_change=row.permission == MANAGE)


async def note_use_by_person(connection: AsyncConnection, secret: str, now: datetime) -> None:
    """Record a personal token's use, at most once an hour."""
    await _note_use(connection, _personal(secret), now)


async def end_all_of(connection: AsyncConnection, person_id: uuid.UUID, now: datetime) -> int:
    """Revoke a person's tokens. Return how many were revoked."""
    is_valid = (Token.person_id == person_id) & (Token.scope == PERSON) & Token.revoked_at.is_(None)
    result = await connection.execute(update(Token).where(is_valid).values(revoked_at=now))
    return result.rowcount
