"""Runs: facts of each, the list with the newest first, and recent arrivals.

`received_at` is the start of a transaction, so an earlier one may commit later: to find recent
runs, go back a little each time and skip those already seen.
"""

import asyncio
import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    ARRAY,
    Select,
    Uuid,
    and_,
    any_,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import catalog
from macmeter.accounts.scope import COMMONS, Macs, Scope
from macmeter.accounts.visibility import visible
from macmeter.catalog.terms import Filters, Term
from macmeter.models import Document, Result, Run, RunId, Series
from macmeter.results.context import ReadContext, Reading
from macmeter.results.filters import Key, in_answers, key_table, matches, not_withdrawn, same_run
from macmeter.results.matching_runs import ListPosition, newest_matching
from macmeter.schemas.answer import Citation
from macmeter.schemas.runs import Source, WithdrawnBy


class NamedRun(NamedTuple):
    """A run named by a saved comparison: its machine and fleet, and whether it is public."""

    run_id: uuid.UUID
    machine_id: uuid.UUID
    fleet_id: uuid.UUID | None
    is_public: bool


class StoredRun(NamedTuple):
    """Facts about a run for lists."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    received_at: datetime
    suite: str
    source: Source
    method: str
    method_version: int
    started_at: datetime | None
    finished_at: datetime | None
    model: str | None
    chip: str | None
    unspecified: bool
    os_version: str | None
    storage: str | None
    device: str | None
    via: str | None
    encryption: str | None
    image_format: str | None
    virtual: bool
    flags: list[str]
    withdrawn_at: datetime | None
    withdrawn_by: WithdrawnBy | None
    withdrawn_reason: str | None
    citation: Citation | None
    labels: dict[str, str]

    @property
    def position(self) -> ListPosition:
        return ListPosition(self.received_at, self.run_id)

    @property
    def key(self) -> Key:
        return self.machine_id, self.run_id


class StoredDocument(NamedTuple):
    """A run's uploaded document; compressed, and its original `size` in bytes."""

    sha256: bytes
    size: int
    compressed: bytes


class Withdrawn(NamedTuple):
    """A run that was withdrawn."""

    run_id: uuid.UUID
    at: datetime
    by: WithdrawnBy
    reason: str


COLUMNS = [getattr(Run, name) for name in StoredRun._fields]


async def newest(
    reading: Reading, terms: Sequence[Term], most: int, after: ListPosition | None
) -> tuple[list[StoredRun], int]:
    """Return the newest runs that match, after the previous page's last, and the total number."""
    keys, total = await newest_matching(reading, terms, most, after)
    return await in_order(reading, keys), total


async def in_order(reading: Reading, keys: Sequence[Key]) -> list[StoredRun]:
    """Return these runs in order; all must exist and be readable."""
    among = key_table(keys)
    query = select(*COLUMNS).join(among, same_run(among.c)).where(visible(reading.scope))
    rows = map(StoredRun._make, await reading.connection.execute(query))
    runs = {run.key: run for run in rows}
    return [runs[key] for key in keys]


async def fleet_that_must_be_named(
    context: ReadContext, scope: Scope, *, machine_id: uuid.UUID, run_id: uuid.UUID | None = None
) -> str | None:
    """Return the fleet that questions have to name to include a machine's runs, or one of them,
    unless they are public: of several that the reader has, the one with most of them.
    """
    if not scope.if_named:
        return None
    names = {key.fleet_id if isinstance(key, Macs) else key: name for name, key in scope.if_named}
    readable, public = (visible(each) for each in (scope, COMMONS))
    query = (
        select(Run.fleet_id)
        .where(Run.machine_id == machine_id, Run.fleet_id.in_(names))
        .where(readable, ~public)
        .where(Run.run_id == run_id if run_id is not None else true())
        .group_by(Run.fleet_id)
        .order_by(func.count().desc(), Run.fleet_id)
        .limit(1)
    )
    fleet_id = await context.connection.scalar(query)
    return names[fleet_id] if fleet_id is not None else None


async def with_id(context: ReadContext, run_id: uuid.UUID) -> StoredRun | None:
    """Return the run; None both for a missing run and for an unreadable one."""
    query = of_id(select(*COLUMNS), run_id, context.scope)
    row = (await context.connection.execute(query)).one_or_none()
    return StoredRun._make(row) if row is not None else None


def of_id(query: Select[Any], run_id: uuid.UUID, scope: Scope) -> Select[Any]:
    """Restrict `query` to the run with this id, if it is in scope."""
    return query.join(RunId, same_run(RunId)).where(RunId.run_id == run_id, visible(scope))


async def document_of(context: ReadContext, run: Key) -> StoredDocument | None:
    """Return the document of a readable run."""
    query = (
        select(Document.sha256, Document.size, Document.compressed)
        .join(Run, same_run(Document))
        .where(
            Document.compressed.is_not(None),
            Run.machine_id == run[0],
            Run.run_id == run[1],
            visible(context.scope),
        )
    )
    row = (await context.connection.execute(query)).one_or_none()
    return StoredDocument._make(row) if row is not None else None


async def document_with_id(context: ReadContext, run_id: uuid.UUID) -> bytes | None:
    """Return the stored document of the run with this id; None as for `with_id`."""
    query = of_id(select(Document.compressed).join(Run, same_run(Document)), run_id, context.scope)
    content: bytes | None = await context.connection.scalar(query)
    return content


async def withdrawn_among(context: ReadContext, run_ids: Iterable[uuid.UUID]) -> list[Withdrawn]:
    """Return the withdrawn ones of these runs, in order of withdrawal."""
    listed = literal(list(run_ids), ARRAY(Uuid))
    query = (
        select(Run.run_id, Run.withdrawn_at, Run.withdrawn_by, Run.withdrawn_reason)
        .join(RunId, same_run(RunId))
        .where(RunId.run_id == any_(listed), not_(not_withdrawn()), visible(context.scope))
        .order_by(Run.withdrawn_at, Run.run_id)
    )
    return [Withdrawn._make(row) for row in await context.connection.execute(query)]


async def how_many_exist(connection: AsyncConnection, run_ids: Sequence[uuid.UUID]) -> int:
    """Count these ids that belong to runs, readable or not."""
    listed = literal(list(run_ids), ARRAY(Uuid))
    counted = select(func.count()).select_from(RunId).where(RunId.run_id == any_(listed))
    return await connection.scalar(counted) or 0


async def named_runs(connection: AsyncConnection, run_ids: Iterable[uuid.UUID]) -> list[NamedRun]:
    """Return the existing runs, for deciding which of them a link may name."""
    query = select(Run.run_id, Run.machine_id, Run.fleet_id, visible(COMMONS))
    query = query.join(RunId, same_run(RunId)).where(RunId.run_id.in_(list(run_ids)))
    return [NamedRun._make(row) for row in await connection.execute(query)]


# Longer than a transaction that stores a run.
OVERLAP = timedelta(seconds=10)


async def arrived(
    context: ReadContext, filters: Iterable[Filters], since: datetime, limit: int
) -> list[StoredRun]:
    """Return the runs that arrived since then and match any of these filters, oldest first."""
    matching = or_(*(and_(visible(context.scope.asked(f.where)), _matches(f)) for f in filters))
    query = (
        select(*COLUMNS)
        .where(matching, Run.received_at >= since)
        .order_by(Run.received_at, Run.run_id)
        .limit(limit)
    )
    return [StoredRun._make(row) for row in await context.connection.execute(query)]


async def now_of(connection: AsyncConnection) -> datetime:
    """Return the database's time, by which runs are received."""
    now: datetime = (await connection.execute(select(func.now()))).scalar_one()
    return now


class Clock:
    """Database clock whose reads are shared by concurrent callers.

    Callers that arrive during a read share the next one, since the running one may be too early.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._asking: asyncio.Task[datetime] | None = None
        self._next: asyncio.Task[datetime] | None = None

    async def now(self) -> datetime:
        """Return the database's time, no earlier than this call."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(self._asking))
        return await asyncio.shield(self._next)

    async def _ask(self, before: asyncio.Task[datetime] | None) -> datetime:
        if before is not None:
            await asyncio.wait([before])
        self._asking, self._next = self._next, None
        async with self._engine.connect() as connection:
            return await now_of(connection)


def _matches(filters: Filters) -> Any:
    run_terms = [term for term in filters.where if not catalog.is_of_sample(term.dimension)]
    if not filters.metrics:
        return matches(run_terms)
    sample_terms = [term for term in filters.where if catalog.is_of_sample(term.dimension)]
    result = exists().where(
        and_(
            Result.machine_id == Run.machine_id,
            Result.run_id == Run.run_id,
            Result.series_id == Series.series_id,
            Series.metric.in_(filters.metrics),
            matches(sample_terms, Series.parameters),
            in_answers(filters.flagged),
        )
    )
    return and_(matches(run_terms), result)
