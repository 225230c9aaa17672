"""Saved comparisons: what was asked with its answer frozen beside it, under a short link."""

from __future__ import annotations

import hashlib
import math
import secrets
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import rfc8785
from sqlalchemy import Row, Select, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import secret_hash
from macmeter.access.visibility import ANYBODY
from macmeter.errors import Problem, not_found
from macmeter.models import Comparison
from macmeter.queries.sides import asks_for_sides
from macmeter.queries.splitting import Key
from macmeter.reading.moment import Reading, begin_reading
from macmeter.reading.runs import how_many_exist, withdrawn_among
from macmeter.sharing import frozen_answers, frozen_sides
from macmeter.sharing.pinned import FrozenMetric, Pinned, pinned, set_aside_since

Json = dict[str, Any]


class Kind(Protocol):
    """One of the things that can be frozen. What is asked is a query string."""

    KIND: str
    QUESTION: str
    """Under which key a frozen answer says what was asked."""

    def canonical(self, query: str) -> str: ...
    async def answered(self, connection: AsyncConnection, query: str, now: datetime) -> Json: ...
    def metrics(self, query: str) -> Iterator[FrozenMetric]: ...
    def few_pairs(self, frozen: Json) -> Callable[[FrozenMetric, Key], bool]: ...
    def is_empty(self, frozen: Json) -> bool: ...
    def figures(self, found: Json) -> Any:
        """What an answer says in numbers: another wording, derivation or interval doesn't count."""

    def medians(self, found: Json) -> dict[str, float]: ...
    def tells_of(self, frozen: Json, run_id: str) -> bool:
        """Whether a figure that rests on the run rests on too few machines to stay without it.

        Of comparisons of older versions, which name all their runs.
        """


# The format is part of a comparison's content hash: a number keeps its meaning for ever.
QUESTION, SIDES = 1, 2
KINDS: dict[int, Kind] = {QUESTION: frozen_answers, SIDES: frozen_sides}
ACTIVE, PAUSED, REVOKED, TOMBSTONE = "active", "paused", "revoked", "tombstone"
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
    """An answer to keep, and what it rests on."""

    format: int
    question: str
    answer: Json
    content_sha256: bytes
    rests_on: Pinned


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
    kept = kind.canonical(question)
    frozen = await kind.answered(connection, kept, now)
    if kind.is_empty(frozen):
        raise Problem(
            422,
            "empty_answer",
            "Nothing to save",
            "No public run answers this question.",
        )
    reading = await begin_reading(connection, ANYBODY)
    rests_on = pinned(reading, kind.metrics(kept), kind.few_pairs(frozen))
    return Frozen(format_, kept, frozen, content_hash(format_, kept, frozen), rests_on)


async def keep(
    connection: AsyncConnection, frozen: Frozen, words: Words, now: datetime
) -> tuple[Json, str] | None:
    """Write it down; as opened, and the secret that its owner keeps.

    None where a run that it tells of was deleted since: it has to be answered anew. So it has where
    `is_lost` once this is committed: whoever deletes waits for nobody who saves, and neither may
    have seen the other.
    """
    if not await _all_exist(connection, frozen.rests_on.told_of):
        return None
    slug = new_slug(words.private)
    owner_secret = "mmo_" + secrets.token_urlsafe(24)
    inserted = await connection.execute(
        insert(Comparison)
        .values(
            slug=slug,
            format=frozen.format,
            question=frozen.question,
            answer=frozen.answer,
            content_sha256=frozen.content_sha256,
            runs=frozen.rests_on.runs,
            runs_sha256=frozen.rests_on.sha256,
            told_of=frozen.rests_on.told_of,
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
    reading = await begin_reading(live_data, ANYBODY)
    before, after = (rfc8785.dumps(kind.figures(found)) for found in (row.answer, live))
    opened = {
        **_frozen(row, now),
        "withdrawn": await _withdrawn(reading, row),
        "live_hash": content_hash(row.format, row.question, live).hex(),
        "changed": before != after,
    }
    if opened["changed"]:
        opened["change"] = change(kind.medians(row.answer), kind.medians(live))
    return opened


async def then_and_now(
    connection: AsyncConnection,
    live_data: AsyncConnection,
    slug: str,
    now: datetime,
    owner_secret: str | None = None,
) -> tuple[Json, Json]:
    """The frozen answer and today's; otherwise as `open_comparison`."""
    row = await _opened(connection, slug, now, owner_secret)
    return row.answer, await KINDS[row.format].answered(live_data, row.question, now)


async def _withdrawn(reading: Reading, row: Row[Any]) -> list[Json]:
    """The runs that the frozen figures rest on and that were withdrawn since."""
    candidates = set_aside_since(reading, KINDS[row.format].metrics(row.question), row.created_at)
    found = await withdrawn_among(reading, candidates) if candidates else []
    return [
        {
            "run_id": str(run.run_id),
            "at": run.at.isoformat(),
            "by": run.by,
            "reason": run.reason,
        }
        for run in found
        if run.at > row.created_at
    ]


async def frozen_comparison(
    connection: AsyncConnection, slug: str, now: datetime, owner_secret: str | None = None
) -> Json:
    """The comparison without a look at live data: for pictures, previews and CSV."""
    row = await _opened(connection, slug, now, owner_secret)
    reading = await begin_reading(connection, ANYBODY)
    return {**_frozen(row, now), "withdrawn": await _withdrawn(reading, row)}


async def _opened(
    connection: AsyncConnection, slug: str, now: datetime, owner_secret: str | None
) -> Row[Any]:
    row = await _found(connection, slug, select(Comparison))
    state = current_state(row.state, row.expires_at, now)
    owner = owner_secret is not None and secret_hash(owner_secret) == row.owner_secret_sha256
    if row.answer is None or (state != ACTIVE and not owner):
        raise _closed(state)
    if await _is_lost(connection, row):
        raise _closed(TOMBSTONE)
    return row


async def is_lost(connection: AsyncConnection, slug: str) -> bool:
    """Whether it tells of a run that is not there any more: it must not be shown."""
    return await _is_lost(connection, await _found(connection, slug, select(Comparison)))


async def _is_lost(connection: AsyncConnection, row: Row[Any]) -> bool:
    # Those of older versions name all their runs, and outlive most of them.
    return row.names_few and not await _all_exist(connection, row.told_of)


async def discard(connection: AsyncConnection, slug: str) -> None:
    """Take away one that nobody has seen."""
    await connection.execute(delete(Comparison).where(Comparison.slug == slug))


async def _all_exist(connection: AsyncConnection, run_ids: list[uuid.UUID]) -> bool:
    return not run_ids or await how_many_exist(connection, run_ids) == len(run_ids)


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
        "question": row.answer[kind.QUESTION],
        "answer": row.answer,
        "content_hash": row.content_sha256.hex(),
        # As its figures and its picture count them; what they were divided by rests on more.
        "runs": row.answer.get("runs", row.runs),
        "runs_hash": row.runs_sha256.hex(),
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
    """With a run that is deleted: comparisons that would still tell of it become tombstones."""
    rows = await connection.execute(
        select(Comparison.slug, Comparison.format, Comparison.answer, Comparison.names_few)
        .where(Comparison.told_of.contains([run_id]), Comparison.answer.is_not(None))
        .with_for_update()
    )
    for row in rows:
        if row.names_few or KINDS[row.format].tells_of(row.answer, str(run_id)):
            await connection.execute(
                update(Comparison)
                .where(Comparison.slug == row.slug)
                .values(answer=None, told_of=[], state=TOMBSTONE)
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
    PAUSED: "Its owner paused this comparison. It may come back.",
    REVOKED: "Its owner revoked this comparison.",
    "expired": "This comparison has expired.",
    TOMBSTONE: "A run that this comparison rested on was deleted, and its figures with it.",
}


def _closed(state: str) -> Problem:
    return Problem(410, f"comparison_{state}", f"Comparison {state}", _REASONS[state])
