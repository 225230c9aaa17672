"""Saved comparisons: a question with its frozen answer, under a short link."""

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import rfc8785
from sqlalchemy import Row, delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import mark_of_fleets
from macmeter.accounts.tokens import secret_hash
from macmeter.accounts.visibility import ANYBODY
from macmeter.catalog import redefined_since
from macmeter.charts.sentence import sentence_of
from macmeter.comparisons import kinds, stored
from macmeter.comparisons.kinds import KINDS, Key, Kind, Observed
from macmeter.comparisons.narrowed import names_hidden, narrowed, of_several, shown_of
from macmeter.comparisons.pinned import (
    PinnedRuns,
    named_in_questions,
    pinned_runs,
    store_machines,
    withdrawn_since,
)
from macmeter.comparisons.stored import Owner, Shared, closed
from macmeter.models import RETENTION, Comparison
from macmeter.platform.errors import Problem, not_found
from macmeter.questions.question import Question, parse_query
from macmeter.questions.statement import VersionFiles, render_statement, version_for
from macmeter.results.context import Reading, begin_reading
from macmeter.results.dataset import versions
from macmeter.results.runs import how_many_exist, withdrawn_among
from macmeter.schemas import comparisons as shapes
from macmeter.schemas.comparisons import FrozenAnswer
from macmeter.schemas.runs import WithdrawnRun
from macmeter.schemas.sides import compares_sides


def content_hash(format_: int, question: str, frozen: FrozenAnswer) -> bytes:
    """Return the SHA-256 of the RFC 8785 form of format, question and answer without `as_of`."""
    content = {k: v for k, v in frozen.items() if k != "as_of"}
    hashed = {"format": format_, "question": question, "answer": content}
    # The library's type for JSON excludes TypedDict.
    return hashlib.sha256(rfc8785.dumps(cast(Any, hashed))).digest()


def canonical(query: str) -> str:
    """Return the question in the stored form; 422 names what can't be parsed."""
    return KINDS[kinds.format_of(query)].canonical(query)


@dataclass(frozen=True)
class Frozen:
    """An answer to be saved, and the runs it depends on."""

    format: int
    question: str
    answer: FrozenAnswer
    content_sha256: bytes
    pinned: PinnedRuns
    sharing: Shared | None = None
    dataset_version: str | None = None


@dataclass(frozen=True)
class Shown:
    """A stored comparison and the answer that its link shows now, without `withheld` figures."""

    row: Row[Any]
    answer: Any
    withheld: int = 0


@dataclass(frozen=True)
class ComparisonDetails:
    """What is saved with a frozen answer: title, note, whether its link is private, and owner."""

    title: str | None = None
    note: str | None = None
    private: bool = False
    made_by: uuid.UUID | None = None


def questions(query: str) -> list[Question]:
    """Return all questions of a query, by metric and side, with their references."""
    metrics = KINDS[kinds.format_of(query)].metrics(query)
    return [q for metric in metrics for q in (metric.question, metric.reference) if q is not None]


async def freeze(
    connection: AsyncConnection, question: str, sharing: Shared | None, now: datetime
) -> Frozen:
    """Freeze what the public may read now, or may read of these fleets; 422 if that is nothing."""
    format_ = kinds.format_of(question)
    kind = KINDS[format_]
    query = kind.canonical(question)
    frozen = await _compute_answer(connection, kind, query, sharing, now)
    if kinds.is_empty(frozen):
        raise Problem(422, "empty_answer", "Nothing to save", _empty_detail(sharing))
    reading = await begin_reading(connection, sharing.by if sharing else ANYBODY)
    figures = enumerate(kinds.figures_of(frozen))
    few_pairs = {number for number, figure in figures if kinds.is_of_few_pairs(figure)}
    pinned = pinned_runs(reading, kind.metrics(query), kind.number_of(frozen), few_pairs)
    version = None
    if sharing is None and kind.name == "question":
        version = await version_for(reading, parse_query(query), now)
    hashed = content_hash(format_, query, frozen)
    return Frozen(format_, query, frozen, hashed, pinned, sharing, version)


def _empty_detail(sharing: Shared | None) -> str:
    if sharing is None:
        return "No public run matches. Remove a filter."
    return f"No figure here covers {sharing.fewest_machines} machines or more."


async def _compute_answer(
    connection: AsyncConnection, kind: Kind[Any], query: str, sharing: Shared | None, now: datetime
) -> FrozenAnswer:
    answer: FrozenAnswer = await kind.compute(
        connection, query, sharing.by if sharing else ANYBODY, now
    )
    return of_several(answer, sharing.fewest_machines) if sharing else answer


async def save_frozen(
    connection: AsyncConnection, frozen: Frozen, details: ComparisonDetails, now: datetime
) -> tuple[shapes.OpenedComparison, str] | None:
    """Save a comparison. Return it as opened, and the owner's secret.

    Return None if one of its runs was deleted meanwhile: answer the question again. Do the same if
    `is_lost` after the commit: deleting and saving don't lock each other, so neither may have seen
    the other.
    """
    if not await _all_exist(connection, frozen.pinned.revealed):
        return None
    slug = stored.new_slug(details.private)
    owner_secret = "mmo_" + secrets.token_urlsafe(24)
    inserted = await connection.execute(
        insert(Comparison)
        .values(
            slug=slug,
            format=frozen.format,
            question=frozen.question,
            answer=frozen.answer,
            content_sha256=frozen.content_sha256,
            runs=frozen.pinned.runs,
            runs_sha256=frozen.pinned.sha256,
            told_of=frozen.pinned.revealed,
            knows_fleets=True,
            fleet_ids=frozen.sharing.fleet_ids if frozen.sharing else [],
            fewest_machines=frozen.sharing.fewest_machines if frozen.sharing else None,
            dataset_version=frozen.dataset_version,
            made_by=details.made_by,
            title=details.title,
            note=details.note,
            state=stored.ACTIVE,
            owner_secret_sha256=secret_hash(owner_secret),
        )
        .returning(Comparison)
    )
    named_machines = await named_in_questions(connection, questions(frozen.question))
    await store_machines(connection, slug, [*frozen.pinned.machines, *named_machines])
    row = inserted.one()
    opened = _frozen_response(Shown(row, row.answer), [], now)
    # The answer is moments old and counts as the live one: recomputing many sides takes a while.
    live: shapes.OpenedComparison = {
        **opened,
        "live_hash": opened["content_hash"],
        "changed": False,
        "change": None,
        "computed_differently": [],
    }
    return live, owner_secret


async def open_comparison(
    connection: AsyncConnection,
    live_connection: AsyncConnection,
    slug: str,
    now: datetime,
    owner: Owner | None = None,
) -> shapes.OpenedComparison:
    """Return the comparison with its frozen answer, and whether live figures have changed.

    410 if it isn't open to readers; its owner always sees it. The comparison is read from
    `connection`, the live answer from `live_connection`, which may be a replica.
    """
    shown, sharing = await _opened(connection, slug, now, owner)
    row, answer = shown.row, shown.answer
    kind = KINDS[row.format]
    live = await _compute_answer(live_connection, kind, row.question, sharing, now)
    reading = await begin_reading(live_connection, ANYBODY)
    change = kinds.change(kind.figures(answer), _comparable(kind, shown, live))
    return {
        **_frozen_response(shown, await _withdrawn(reading, row), now),
        "live_hash": content_hash(row.format, row.question, live).hex(),
        "changed": change is not None,
        "change": change,
        "computed_differently": _computed_differently(kind, row),
    }


def _comparable(kind: Kind[Any], shown: Shown, live: FrozenAnswer) -> dict[Key, Observed]:
    """Return live figures without those that the link hides, which aren't new."""
    figures = kind.figures(live)
    if not shown.withheld:
        return figures
    hidden = kind.figures(shown.row.answer).keys() - kind.figures(shown.answer).keys()
    return {key: figure for key, figure in figures.items() if key not in hidden}


def _computed_differently(kind: Kind[Any], row: Row[Any]) -> list[shapes.ComputedDifferently]:
    metrics = {metric.metric for metric in kind.metrics(row.question)}
    return [
        {"derivation_version": change.derivation_version, "text": change.text}
        for change in redefined_since(row.answer["derivation_version"], metrics)
    ]


async def then_and_now(
    connection: AsyncConnection,
    live_connection: AsyncConnection,
    slug: str,
    now: datetime,
    owner: Owner | None = None,
) -> tuple[FrozenAnswer, FrozenAnswer]:
    """Return the frozen answer and the live one; otherwise like `open_comparison`."""
    shown, sharing = await _opened(connection, slug, now, owner)
    kind = KINDS[shown.row.format]
    live = await _compute_answer(live_connection, kind, shown.row.question, sharing, now)
    return shown.answer, live


async def _withdrawn(reading: Reading, row: Row[Any]) -> list[WithdrawnRun]:
    """Return runs behind the frozen figures that were withdrawn since."""
    metrics = KINDS[row.format].metrics(row.question)
    runs = await withdrawn_among(reading, await withdrawn_since(reading, metrics, row.created_at))
    return [
        {"run_id": str(run.run_id), "at": run.at.isoformat(), "by": run.by, "reason": run.reason}
        for run in runs
        # Retention by a fleet casts no doubt on its runs.
        if run.at > row.created_at and run.by != RETENTION
    ]


async def frozen_comparison(
    connection: AsyncConnection, slug: str, now: datetime, owner: Owner | None = None
) -> shapes.ShownComparison:
    """Return the comparison without reading live data: for pictures, previews and CSV."""
    shown, sharing = await _opened(connection, slug, now, owner)
    reading = await begin_reading(connection, ANYBODY)
    return {
        **_frozen_response(shown, await _withdrawn(reading, shown.row), now),
        "mark": mark_of_fleets(sharing.by.fleet_access) if sharing else None,
    }


async def frozen_statement(
    connection: AsyncConnection, slug: str, now: datetime, owner: Owner | None, files: VersionFiles
) -> str:
    """Return the statement over the version that the comparison names; 404 if it names none."""
    shown, _ = await _opened(connection, slug, now, owner)
    name = shown.row.dataset_version
    version = versions.find(files.root, name) if name is not None else None
    if version is None:
        raise not_found("version")
    return render_statement(parse_query(shown.row.question), version, (), files.address)


async def _opened(
    connection: AsyncConnection, slug: str, now: datetime, owner: Owner | None
) -> tuple[Shown, Shared | None]:
    row = await stored.find(connection, slug)
    state = stored.current_state(row.state, row.expires_at, now)
    if row.answer is None or (state != stored.ACTIVE and not (owner and owner.owns(row))):
        raise closed(state)
    if await _is_lost(connection, row):
        raise closed(stored.TOMBSTONE)
    shown = await shown_now(connection, row)
    if shown is None:
        raise closed(stored.PRIVATE_NOW)
    if not row.fleet_ids:
        return shown, None
    sharing = await stored.still_shared(connection, row)
    if sharing is None:
        raise closed(stored.UNSHARED)
    return shown, sharing


async def shown_now(connection: AsyncConnection, row: Row[Any]) -> Shown | None:
    """Return what a comparison's link shows; None if fleets that went private leave nothing."""
    if not row.knows_fleets:
        # Older versions didn't record the fleets and machines that a question names.
        entries = await named_in_questions(connection, questions(row.question), public=False)
        if any(entry.fleet_id not in row.fleet_ids for entry in entries):
            return None
    hidden = await narrowed(connection, row)
    if not hidden:
        return Shown(row, row.answer)
    if hidden.fleets and await names_hidden(connection, questions(row.question), hidden):
        return None
    answer, withheld = shown_of(row.answer, hidden)
    if withheld and kinds.is_empty(answer):
        return None
    return Shown(row, answer, withheld)


async def is_lost(connection: AsyncConnection, slug: str) -> bool:
    """Whether a comparison would show a deleted run, and so must not be shown."""
    return await _is_lost(connection, await stored.find(connection, slug))


async def _is_lost(connection: AsyncConnection, row: Row[Any]) -> bool:
    # Comparisons from older versions name all their runs, and outlive most of them.
    return row.names_few and not await _all_exist(connection, row.told_of)


async def discard(connection: AsyncConnection, slug: str) -> None:
    """Delete a comparison that nobody has seen."""
    await connection.execute(delete(Comparison).where(Comparison.slug == slug))


async def _all_exist(connection: AsyncConnection, run_ids: list[uuid.UUID]) -> bool:
    return not run_ids or await how_many_exist(connection, run_ids) == len(run_ids)


def _frozen_response(
    shown: Shown, withdrawn: list[WithdrawnRun], now: datetime
) -> shapes.FrozenComparison:
    row, answer = shown.row, shown.answer
    kind = KINDS[row.format]
    return {
        "slug": row.slug,
        "private": stored.is_private(row.slug),
        # Shown to readers: figures of fewer machines of a private fleet are left out.
        "fewest_machines": row.fewest_machines,
        "title": row.title,
        "note": row.note,
        "sentence": sentence_of(answer) if compares_sides(answer) else None,
        # A tombstone has no figures to show.
        "state": cast(shapes.OpenState, stored.current_state(row.state, row.expires_at, now)),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "format": row.format,
        "kind": kind.name,
        "question": answer[kind.question_field],
        "answer": answer,
        "withheld": shown.withheld,
        "content_hash": row.content_sha256.hex(),
        # Without runs that are only behind references, as in its figures and picture.
        "runs": answer.get("runs", row.runs),
        "runs_hash": row.runs_sha256.hex(),
        "withdrawn": withdrawn,
    }
