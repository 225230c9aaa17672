"""Rebuilding of results, flags and dimensions from the documents, after derivation has changed."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.documents.compression import uncompressed
from macmeter.documents.derive import DERIVATION_VERSION, DerivedRun, derive
from macmeter.documents.parse import parse_stored
from macmeter.models import Document, PublishedFigure, Run, RunResults
from macmeter.platform import database
from macmeter.platform.isolation import DOCUMENTS, Isolated, record, settle
from macmeter.platform.progress import Progress, number_of
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import write_derived

# Runs per transaction: enough to share its commit, few enough that no upload waits a second.
BATCH = 50
# Key of the advisory lock: only one process at a time rederives a database.
_LOCK_ID = 0x7EDE71
_BEFORE_ALL = uuid.UUID(int=0)

_HAS_DOCUMENT = exists().where(
    Document.machine_id == Run.machine_id,
    Document.run_id == Run.run_id,
    Document.compressed.is_not(None),
)
# Runs of which a fleet's retention has kept only the medians have no document and stay as they are.
OUTDATED = (Run.derivation_version < DERIVATION_VERSION) & _HAS_DOCUMENT

Key = tuple[uuid.UUID, uuid.UUID]


class AlreadyRederiving(Exception):
    """Another process is rederiving this database's results."""


@dataclass
class Rederived:
    """Number of runs that were rebuilt, and the reasons why others weren't, by run id."""

    rebuilt: int = 0
    refused: dict[str, str] = field(default_factory=dict)


def any_outdated(url: str) -> bool:
    """Return whether runs of an older derivation are stored."""
    with database.begun(url) as connection:
        return bool(connection.scalar(select(exists().where(OUTDATED))))


def rederive(url: str) -> None:
    """Rebuild outdated runs in the database at `url`, with progress on stderr."""
    bar = Progress("rederive", "runs")

    async def run() -> Rederived:
        engine = database.engine(url)
        try:
            return await rederive_runs(engine, lambda done, total: bar.show(done, done / total))
        finally:
            await engine.dispose()

    try:
        done = asyncio.run(run())
    except AlreadyRederiving:
        bar.say("another process is rederiving this database's runs; left to it")
        return
    for run_id, reason in done.refused.items():
        bar.say(f"left as it was: run {run_id}: {reason}")
    bar.say(f"{number_of(done.rebuilt, 'run')} rederived")


async def rederive_runs(
    engine: AsyncEngine,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    *,
    all_runs: bool = False,
) -> Rederived:
    """Rebuild the runs of older derivations (or all), one batch per transaction.

    It can be stopped at any moment and resumes where it was. The server may run meanwhile: its
    answers say when they mix derivations. A run whose document can't be read keeps its old
    derivation, is recorded as a failure, and delays no other. Raise AlreadyRederiving if another
    process is doing this.
    """
    condition = _HAS_DOCUMENT if all_runs else OUTDATED
    numbers = SeriesNumbers()
    done = Rederived()
    async with _exclusive_connection(engine) as connection:
        total = await connection.scalar(select(func.count()).select_from(Run).where(condition)) or 0
        count, last = 0, (_BEFORE_ALL, _BEFORE_ALL)
        while keys := await _keys_after(connection, last, condition):
            done.rebuilt += await _rebuild(engine, numbers, keys, done.refused)
            count, last = count + len(keys), keys[-1]
            progress(count, max(count, total))
    return done


@asynccontextmanager
async def _exclusive_connection(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        if not await connection.scalar(select(func.pg_try_advisory_lock(_LOCK_ID))):
            raise AlreadyRederiving
        try:
            yield connection
        finally:
            await connection.execute(select(func.pg_advisory_unlock(_LOCK_ID)))


async def _keys_after(
    connection: AsyncConnection, last: Key, condition: ColumnElement[bool]
) -> list[Key]:
    """Return the keys of the next batch, in the order of the primary key."""
    key = (Run.machine_id, Run.run_id)
    rows = await connection.execute(
        select(*key).where(condition, tuple_(*key) > tuple_(*last)).order_by(*key).limit(BATCH)
    )
    return [(row.machine_id, row.run_id) for row in rows]


async def _rebuild(
    engine: AsyncEngine, numbers: SeriesNumbers, keys: list[Key], refused: dict[str, str]
) -> int:
    """Rebuild a batch.

    Return how many runs were rebuilt, and add why others were not to `refused`.
    """
    rebuilt, isolated = [], Isolated(DOCUMENTS, quiet=True)
    async with engine.begin() as connection:
        # Locked, so that a run deleted meanwhile stays deleted.
        locked = select(Run.run_id).where(_has_key(Run, keys)).order_by(Run.machine_id, Run.run_id)
        await connection.execute(locked.with_for_update())
        documents = await connection.execute(
            select(Document.machine_id, Document.run_id, Document.compressed).where(
                _has_key(Document, keys)
            )
        )
        for machine_id, run_id, stored in documents.all():
            if stored is None:
                continue  # emptied since
            with isolated.item(run_id):
                run = derive(*parse_stored(uncompressed(stored)))
                # The document of a machine that was merged names another one.
                run = replace(run, machine_id=machine_id)
                series = await numbers.of(engine, run.results)
                async with connection.begin_nested():
                    await _replace(connection, run, series)
                rebuilt.append(run_id)
        await settle(connection, DOCUMENTS, rebuilt)
        await record(connection, DOCUMENTS, isolated.failed, datetime.now(UTC))
    refused |= isolated.failed
    return len(rebuilt)


async def _replace(connection: AsyncConnection, run: DerivedRun, series: list[int]) -> None:
    key = [(run.machine_id, run.run_id)]
    await connection.execute(delete(RunResults).where(_has_key(RunResults, key)))
    await connection.execute(delete(PublishedFigure).where(_has_key(PublishedFigure, key)))
    await connection.execute(
        update(Run).where(_has_key(Run, key)).values(**run.columns, stated_labels=None)
    )
    await write_derived(connection, run, series)


def _has_key(model: Any, keys: list[Key]) -> ColumnElement[bool]:
    return tuple_(model.machine_id, model.run_id).in_(keys)
