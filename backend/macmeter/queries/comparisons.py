"""Saved comparisons: what was asked with its answer frozen beside it, under a short link."""

from __future__ import annotations

import hashlib
import math
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import rfc8785
from sqlalchemy import (
    Row,
    Select,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import COMMONS
from macmeter.access.tokens import secret_hash
from macmeter.errors import Problem, not_found
from macmeter.models import Comparison
from macmeter.queries import frozen_answers, frozen_sides
from macmeter.queries.sides import asks_for_sides
from macmeter.reading.moment import Moment
from macmeter.reading.runs import how_many_exist, withdrawn_among

Json = dict[str, Any]


class Kind(Protocol):
    """One of the things that can be frozen. What is asked is a query string."""

    KIND: str
    ASKED: str
    """Where a frozen answer says what was asked."""

    def canonical(self, query: str) -> str: ...
    async def answered(self, connection: AsyncConnection, query: str, now: datetime) -> Json: ...
    async def run_ids(self, connection: AsyncConnection, query: str) -> set[uuid.UUID]: ...
    def is_empty(self, frozen: Json) -> bool: ...
    def figures(self, found: Json) -> Any:
        """What an answer says in numbers: another wording, derivation or interval is no change."""

    def medians(self, found: Json) -> dict[str, float]: ...
    def tells_of(self, frozen: Json, run_id: str) -> bool:
        """Whether a figure that rests on the run rests on too few machines to stay without it."""


# The format stands in a comparison's content hash: a number keeps its meaning for ever.
QUESTION, SIDES = 1, 2
KINDS: dict[int, Kind] = {QUESTION: frozen_answers, SIDES: frozen_sides}
ACTIVE, PAUSED, REVOKED, TOMBSTONE = "active", "paused", "revoked", "tombstone"
# Held together by those who save, alone by one who deletes: whoever buries a run sees every
# comparison that rests on it.
_SAVING = text("SELECT pg_advisory_xact_lock_shared(hashtext('macmeter.comparisons'))")
_BURYING = text("SELECT pg_advisory_xact_lock(hashtext('macmeter.comparisons'))")
# Without letters and digits that are taken for one another when read aloud.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
# A public link is short to be read aloud. A private one is its own key: 26 of 31 letters are over
# 128 random bits, beyond any guessing. A link's length says which it is, for as long as it lives.
_PUBLIC_LENGTH, _PRIVATE_LENGTH = 10, 26


def new_slug(private: bool) -> str:
    length = _PRIVATE_LENGTH if private else _PUBLIC_LENGTH
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def is_private(slug: str) -> bool:
    """Whether the link is for those alone who were given it."""
    return len(slug) >= _PRIVATE_LENGTH


def content_hash(format_: int, question: str, frozen: Json) -> bytes:
    """SHA-256 of the RFC 8785 form of format, question and answer without `as_of`."""
    content = {k: v for k, v in frozen.items() if k != "as_of"}
    return hashlib.sha256(
        rfc8785.dumps({"format": format_, "question": question, "answer": content})
    ).digest()


def canonical(query: str) -> str:
    """What is asked, as it is kept; 422 naming what can't be read."""
    return KINDS[_format_of(query)].canonical(query)


def _format_of(query: str) -> int:
    return SIDES if asks_for_sides(query) else QUESTION


@dataclass(frozen=True)
class Frozen:
    """An answer to keep, and the runs that it rests on."""

    format: int
    asked: str
    answer: Json
    content_sha256: bytes
    run_ids: list[uuid.UUID]


@dataclass(frozen=True)
class Words:
    """What its owner says of a comparison, and whether its link is private."""

    title: str | None = None
    note: str | None = None
    private: bool = False


async def freeze(connection: AsyncConnection, question: str, now: datetime) -> Frozen:
    """What the public may read now; 422 where that is nothing."""
    format_ = _format_of(question)
    kind = KINDS[format_]
    asked = kind.canonical(question)
    frozen = await kind.answered(connection, asked, now)
    if kind.is_empty(frozen):
        raise Problem(
            422,
            "empty_answer",
            "Nothing to save",
            "No public run answers this question.",
        )
    rests_on = await kind.run_ids(connection, asked)
    content_sha256 = content_hash(format_, asked, frozen)
    return Frozen(format_, asked, frozen, content_sha256, sorted(rests_on))


async def keep(
    connection: AsyncConnection, frozen: Frozen, words: Words, now: datetime
) -> tuple[Json, str] | None:
    """Write it down; as opened, and the secret that its owner keeps.

    None where one of its runs was deleted since: it has to be answered anew.
    """
    # Held for these two statements alone: whoever deletes a run waits for it.
    await connection.execute(_SAVING)
    if await how_many_exist(connection, frozen.run_ids) != len(frozen.run_ids):
        return None
    slug = new_slug(words.private)
    owner_secret = "mmo_" + secrets.token_urlsafe(24)
    inserted = await connection.execute(
        insert(Comparison)
        .values(
            slug=slug,
            format=frozen.format,
            question=frozen.asked,
            answer=frozen.answer,
            content_sha256=frozen.content_sha256,
            run_ids=frozen.run_ids,
            title=words.title,
            note=words.note,
            state=ACTIVE,
            owner_secret_sha256=secret_hash(owner_secret),
        )
        .returning(Comparison)
    )
    told = _frozen(inserted.one(), now)
    # What was answered a moment ago is the live answer: many sides take a while to ask again.
    live = {"withdrawn": [], "live_hash": told["content_hash"], "changed": False}
    return {**told, **live}, owner_secret


async def open_comparison(
    connection: AsyncConnection,
    live_data: AsyncConnection,
    slug: str,
    now: datetime,
    owner_secret: str | None = None,
) -> Json:
    """The comparison with its frozen answer, and whether live figures have changed since.

    410 while it is not open to readers; its owner always sees it. The comparison is read from
    `connection`, today's answer from `live_data`, which may be a replica.
    """
    row = await _opened(connection, slug, now, owner_secret)
    kind = KINDS[row.format]
    live = await kind.answered(live_data, row.question, now)
    before, after = (rfc8785.dumps(kind.figures(found)) for found in (row.answer, live))
    opened = {
        **_frozen(row, now),
        "withdrawn": await _withdrawn(connection, row.run_ids),
        "live_hash": content_hash(row.format, row.question, live).hex(),
        "changed": before != after,
    }
    if opened["changed"]:
        opened["change"] = change(kind.medians(row.answer), kind.medians(live))
    return opened


async def _withdrawn(connection: AsyncConnection, run_ids: list[uuid.UUID]) -> list[Json]:
    """The runs that the frozen figures rest on and that do not stand any more."""
    found = await withdrawn_among(Moment(connection, COMMONS), run_ids)
    return [
        {
            "run_id": str(run.run_id),
            "at": run.at.isoformat(),
            "by": run.by,
            "reason": run.reason,
        }
        for run in found
    ]


async def frozen_comparison(
    connection: AsyncConnection, slug: str, now: datetime, owner_secret: str | None = None
) -> Json:
    """The comparison without a look at live data: for pictures, previews and CSV."""
    row = await _opened(connection, slug, now, owner_secret)
    return {**_frozen(row, now), "withdrawn": await _withdrawn(connection, row.run_ids)}


async def _opened(
    connection: AsyncConnection, slug: str, now: datetime, owner_secret: str | None
) -> Row[Any]:
    row = await _found(connection, slug, select(Comparison))
    state = current_state(row.state, row.expires_at, now)
    owner = owner_secret is not None and secret_hash(owner_secret) == row.owner_secret_sha256
    if row.answer is None or (state != ACTIVE and not owner):
        raise _closed(state)
    return row


def _frozen(row: Row[Any], now: datetime) -> Json:
    kind = KINDS[row.format]
    return {
        "slug": row.slug,
        "private": is_private(row.slug),
        "title": row.title,
        "note": row.note,
        "state": current_state(row.state, row.expires_at, now),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "format": row.format,
        "kind": kind.KIND,
        "question": row.answer[kind.ASKED],
        "answer": row.answer,
        "content_hash": row.content_sha256.hex(),
        # As its figures and its picture count them; what they were divided by rests on more.
        "runs": row.answer.get("runs", len(row.run_ids)),
    }


async def change_comparison(
    connection: AsyncConnection,
    slug: str,
    owner_secret: str,
    values: Json,
    now: datetime,
) -> None:
    """Change title, note, state or expiry as the owner; revoking is for good."""
    row = await _found(connection, slug, select(Comparison).with_for_update())
    if secret_hash(owner_secret) != row.owner_secret_sha256:
        raise Problem(403, "not_owner", "Not your comparison", "This is not its owner's secret.")
    if row.state in (REVOKED, TOMBSTONE):
        raise _closed(row.state)
    if values:
        await connection.execute(update(Comparison).where(Comparison.slug == slug).values(**values))


async def _found(connection: AsyncConnection, slug: str, query: Select[Any]) -> Row[Any]:
    """The comparison of that slug; 404 as well for what can't be one, such as a NUL."""
    row: Row[Any] | None = None
    if set(slug) <= set(_ALPHABET):
        found = await connection.execute(query.where(Comparison.slug == slug))
        row = found.one_or_none()
    if row is None:
        raise not_found("comparison")
    return row


async def bury(connection: AsyncConnection, run_id: uuid.UUID) -> None:
    """Before a run is deleted: comparisons that would still tell of it become tombstones."""
    await connection.execute(_BURYING)
    rows = await connection.execute(
        select(Comparison.slug, Comparison.format, Comparison.answer)
        .where(Comparison.run_ids.contains([run_id]), Comparison.answer.is_not(None))
        .with_for_update()
    )
    for row in rows:
        if KINDS[row.format].tells_of(row.answer, str(run_id)):
            await connection.execute(
                update(Comparison)
                .where(Comparison.slug == row.slug)
                .values(answer=None, run_ids=[], state=TOMBSTONE)
            )


def current_state(state: str, expires_at: datetime | None, now: datetime) -> str:
    if state == ACTIVE and expires_at is not None and expires_at <= now:
        return "expired"
    return state


def change(before: dict[str, float], after: dict[str, float]) -> Json:
    """How many groups differ from the frozen ones, and the ratio of medians furthest from 1."""
    differing = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    ratios = [after[key] / before[key] for key in differing if before.get(key) and after.get(key)]
    # Half is as far as double.
    largest = max(ratios, key=lambda ratio: abs(math.log(ratio)), default=None)
    return {"groups": len(differing), "largest": largest}


_REASONS = {
    PAUSED: "Its maker has paused this comparison. It may come back.",
    REVOKED: "Its owner revoked this comparison.",
    "expired": "This comparison has expired.",
    TOMBSTONE: "A run that this comparison rested on was deleted, and its figures with it.",
}


def _closed(state: str) -> Problem:
    return Problem(410, f"comparison_{state}", f"Comparison {state}", _REASONS[state])
