"""Saved comparisons: a question with its answer frozen beside it, under a short link."""

from __future__ import annotations

import hashlib
import math
import secrets
import uuid
from datetime import datetime
from typing import Any

import rfc8785
from sqlalchemy import Row, Select, insert, not_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import secret_hash
from macmeter.access.visibility import ANYBODY, visible
from macmeter.errors import Problem, not_found
from macmeter.models import Comparison, Run, RunId
from macmeter.queries.answer import answer
from macmeter.queries.question import Question, parse_query
from macmeter.queries.sql import results_of, standing, undoubted

Json = dict[str, Any]

FORMAT = 1
ACTIVE, PAUSED, REVOKED, TOMBSTONE = "active", "paused", "revoked", "tombstone"
# Fewer machines behind a figure and it would still speak of a deleted run.
_KEPT_MACHINES = 3
# Held together by those who save, alone by one who deletes: whoever buries a run sees every
# comparison that rests on it.
_SAVING = text("SELECT pg_advisory_xact_lock_shared(hashtext('macmeter.comparisons'))")
_BURYING = text("SELECT pg_advisory_xact_lock(hashtext('macmeter.comparisons'))")
# Without letters and digits that are taken for one another when read aloud.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_SLUG_LENGTH = 10


def content_hash(question: str, frozen: Json) -> bytes:
    """SHA-256 of the RFC 8785 form of format, question and answer without `as_of`."""
    content = {k: v for k, v in frozen.items() if k != "as_of"}
    return hashlib.sha256(
        rfc8785.dumps({"format": FORMAT, "question": question, "answer": content})
    ).digest()


async def save(
    connection: AsyncConnection,
    question: Question,
    title: str | None,
    note: str | None,
    now: datetime,
) -> tuple[str, str]:
    """Freeze what the public may read now; the slug, and the secret that its maker keeps."""
    await connection.execute(_SAVING)
    frozen = await answer(connection, question, ANYBODY, now)
    if not any(result["groups"] or result["published"] for result in frozen["results"]):
        raise Problem(
            422,
            "empty_answer",
            "Nothing to save",
            "No public run answers this question.",
        )
    slug = "".join(secrets.choice(_ALPHABET) for _ in range(_SLUG_LENGTH))
    owner_secret = "mmo_" + secrets.token_urlsafe(24)
    await connection.execute(
        insert(Comparison).values(
            slug=slug,
            format=FORMAT,
            question=question.canonical,
            answer=frozen,
            content_sha256=content_hash(question.canonical, frozen),
            run_ids=await _run_ids(connection, question),
            title=title,
            note=note,
            state=ACTIVE,
            owner_secret_sha256=secret_hash(owner_secret),
        )
    )
    return slug, owner_secret


async def open_comparison(
    connection: AsyncConnection,
    slug: str,
    now: datetime,
    owner_secret: str | None = None,
) -> Json:
    """The comparison with its frozen answer, and whether live figures have changed since.

    410 while it is not open to readers; its owner always sees it.
    """
    row = await _opened(connection, slug, now, owner_secret)
    question = parse_query(row.question)
    live = await answer(connection, question, ANYBODY, now)
    opened = {
        **_frozen(row, now),
        "withdrawn": await _withdrawn(connection, row.run_ids),
        "live_hash": content_hash(row.question, live).hex(),
        "changed": _figures(live) != _figures(row.answer),
    }
    if opened["changed"]:
        opened["change"] = change(row.answer, live)
    return opened


async def _withdrawn(connection: AsyncConnection, run_ids: list[uuid.UUID]) -> list[Json]:
    """The runs that the frozen figures rest on and that do not stand any more."""
    query = (
        select(Run.run_id, Run.withdrawn_at, Run.withdrawn_by, Run.withdrawn_reason)
        .join(RunId, (RunId.machine_id == Run.machine_id) & (RunId.run_id == Run.run_id))
        .where(RunId.run_id.in_(run_ids), not_(standing()), visible(ANYBODY))
        .order_by(Run.withdrawn_at, Run.run_id)
    )
    return [
        {
            "run_id": str(row.run_id),
            "at": row.withdrawn_at.isoformat(),
            "by": row.withdrawn_by,
            "reason": row.withdrawn_reason,
        }
        for row in await connection.execute(query)
    ]


async def frozen_comparison(connection: AsyncConnection, slug: str, now: datetime) -> Json:
    """What everybody may read of it, without a look at live data: for pictures and previews."""
    return _frozen(await _opened(connection, slug, now, None), now)


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
    return {
        "slug": row.slug,
        "title": row.title,
        "note": row.note,
        "state": current_state(row.state, row.expires_at, now),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "format": row.format,
        "question": row.answer["question"],
        "answer": row.answer,
        "content_hash": row.content_sha256.hex(),
        "runs": len(row.run_ids),
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
        select(Comparison.slug, Comparison.answer)
        .where(Comparison.run_ids.contains([run_id]), Comparison.answer.is_not(None))
        .with_for_update()
    )
    for row in rows:
        if _tells_of(row.answer, str(run_id)):
            await connection.execute(
                update(Comparison)
                .where(Comparison.slug == row.slug)
                .values(answer=None, run_ids=[], state=TOMBSTONE)
            )


def _tells_of(frozen: Json, run_id: str) -> bool:
    """Whether a figure that rests on the run rests on too few machines to stay without it."""
    groups = [group for result in frozen["results"] for group in result["groups"]]
    resting = [group for group in groups if _may_rest_on(group, run_id)]
    if any(group["machines"] < _KEPT_MACHINES for group in resting):
        return True
    # What ratios were divided by is only seen to be of enough machines where it is a group too.
    question = frozen["question"]
    references = {term["dimension"] for term in question["relative_to"]}
    return not resting or not references <= set(question["by"])


def _may_rest_on(group: Json, run_id: str) -> bool:
    """A group of few runs names them; one of many names some at most and may rest on any."""
    named = group.get("run_ids", [])
    return run_id in named or len(named) < group["runs"]


def current_state(state: str, expires_at: datetime | None, now: datetime) -> str:
    if state == ACTIVE and expires_at is not None and expires_at <= now:
        return "expired"
    return state


def change(frozen: Json, live: Json) -> Json:
    """How many groups differ from the frozen ones, and the ratio of medians furthest from 1."""
    before, after = _medians(frozen), _medians(live)
    differing = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    ratios = [after[key] / before[key] for key in differing if before.get(key) and after.get(key)]
    # Half is as far as double.
    largest = max(ratios, key=lambda ratio: abs(math.log(ratio)), default=None)
    return {"groups": len(differing), "largest": largest}


# What follows from the figures by a method that may be bettered.
_INFERRED = ("ci_low", "ci_high", "interval", "verdict")


def _figures(found: Json) -> bytes:
    """What an answer says in numbers. Another wording, derivation or interval is no change."""
    told = ("metric", "published", "fits")
    return rfc8785.dumps(
        [
            {
                **{name: result[name] for name in told},
                "groups": [_observed(group) for group in result["groups"]],
            }
            for result in found["results"]
        ]
    )


def _observed(group: Json) -> Json:
    observed = {name: value for name, value in group.items() if name not in _INFERRED}
    if "ratio" in group:
        observed["ratio"] = _observed(group["ratio"])
    return observed


def _medians(found: Json) -> dict[str, float]:
    return {
        repr(
            (
                result["metric"],
                group["key"],
                group["published"],
                group["method"],
                group["method_version"],
            )
        ): group["median"]
        for result in found["results"]
        for group in result["groups"]
    }


async def _run_ids(connection: AsyncConnection, question: Question) -> list[uuid.UUID]:
    found: set[uuid.UUID] = set()
    for metric in question.metrics:
        for terms in _asked(question):
            query = (
                results_of(metric, terms, ANYBODY)
                .where(undoubted(question.flagged))
                .add_columns(Run.run_id)
                .distinct()
            )
            found.update((await connection.execute(query)).scalars())
    return sorted(found)


def _asked(question: Question) -> list[tuple[Any, ...]]:
    """The filters of the question, and those of its reference."""
    if not question.relative_to:
        return [question.where]
    replaced = {term.dimension for term in question.relative_to}
    kept = tuple(term for term in question.where if term.dimension not in replaced)
    return [question.where, kept + question.relative_to]


_REASONS = {
    PAUSED: "Its maker has paused this comparison. It may come back.",
    REVOKED: "Its maker has withdrawn this comparison.",
    "expired": "This comparison had an end, and it has passed.",
    TOMBSTONE: "A run that this comparison rested on was deleted, and its figures with it.",
}


def _closed(state: str) -> Problem:
    return Problem(410, f"comparison_{state}", f"Comparison {state}", _REASONS[state])
