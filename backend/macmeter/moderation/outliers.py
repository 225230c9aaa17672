"""Outlier detection: public runs far outside what similar machines measured are quarantined.

They are compared in the background, from the change log: reading what similar machines measured
takes too long for an upload. Until then, for some seconds, answers count them.
"""

import asyncio
import math
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import catalog
from macmeter.accounts.audit import RunAct, change_runs
from macmeter.accounts.scope import COMMONS
from macmeter.catalog import Better, Severity
from macmeter.models import QUARANTINE, ChangeLog, Run
from macmeter.platform import database
from macmeter.platform.changelog import Log, behind, changes_since, find_log
from macmeter.platform.isolation import OUTLIERS, Isolated, due_again, forever, record, settle
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.results.cohorts import Cohorts, PublicResult, public_results
from macmeter.results.context import Reading
from macmeter.results.dataset.mirror import snapshot_of
from macmeter.results.filters import Key
from macmeter.statistics.outliers import FEWEST_MACHINES, UsualRange, usual_range

POLL_SECONDS = 20.0
RETRY_SECONDS = 30.0
_BATCH_SIZE = 500
_MAX_CHANGES = 20_000
# A run that is stored again long after it came is not new, and may have been judged.
_NEW_FOR = timedelta(days=1)
# One process at a time per database, across all servers.
_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(7306164)")
_JUDGED = select(ChangeLog.judged)


async def follow(url: str, dataset: Path | None) -> None:
    """Compare new runs forever, also while PostgreSQL comes and goes."""
    engine = database.reading_engine(url, pool_size=1, seconds=600)

    async def when_due() -> None:
        if await _is_due(engine, datetime.now(UTC)):
            # A subprocess, so that its memory is freed until the next time.
            await run_in_subprocess_async("macmeter-strays", compare, url, dataset)

    await forever("comparing new runs goes on", when_due, POLL_SECONDS, RETRY_SECONDS)


async def _is_due(engine: AsyncEngine, now: datetime) -> bool:
    """Return whether runs were stored since the last time, or a retry is due."""
    async with engine.connect() as connection:
        if await due_again(connection, OUTLIERS, now):
            return True
        log = await find_log(connection)
        judged_snapshot = await connection.scalar(_JUDGED)
        if judged_snapshot is None or log.misses(judged_snapshot):
            return True
        return (await behind(connection, judged_snapshot)).changes > 0


def compare(url: str, dataset: Path | None) -> None:
    """Compare runs that were stored since the last time, unless another process does."""

    async def once() -> None:
        async with (
            database.beside(url, dataset) as (reading_engine, writing_engine),
            writing_engine.begin() as connection,
            reading_engine.connect() as read_connection,
        ):
            if await connection.scalar(_TRY_LOCK):
                await _compare(read_connection, connection, datetime.now(UTC))

    asyncio.run(once())


async def _compare(
    read_connection: AsyncConnection, connection: AsyncConnection, now: datetime
) -> None:
    log = await find_log(read_connection)
    judged_snapshot = await connection.scalar(_JUDGED)
    # Older runs, and those that the log no longer has, are accepted as they are.
    keys = (
        []
        if judged_snapshot is None or log.misses(judged_snapshot)
        else await _new_runs(read_connection, judged_snapshot)
    )
    retries = [_key_of(item) for item in await due_again(connection, OUTLIERS, now)]
    keys = [*dict.fromkeys([*retries, *keys])]
    if keys:
        isolated = Isolated(OUTLIERS)
        reading = Reading(read_connection, COMMONS, await snapshot_of(read_connection))
        for key, reason in await _find_outliers(reading, keys, now - _NEW_FOR, isolated):
            with isolated.item(_item_of(key)):
                async with connection.begin_nested():
                    await _quarantine(connection, key, reason, now)
        await settle(connection, OUTLIERS, {*map(_item_of, retries)} - isolated.failed.keys())
        await record(connection, OUTLIERS, isolated.failed, now)
    await _save_judged(connection, log)


def _item_of(key: Key) -> str:
    return f"{key[0]}/{key[1]}"


def _key_of(item: str) -> Key:
    machine_id, run_id = item.split("/")
    return uuid.UUID(machine_id), uuid.UUID(run_id)


async def _new_runs(read_connection: AsyncConnection, since: str) -> list[Key]:
    """Return the keys of new runs, except those that somebody has judged meanwhile.

    Empty after more than _MAX_CHANGES changes: whoever imports so many vouches for them.
    """
    if (await behind(read_connection, since)).changes > _MAX_CHANGES:
        return []
    changed = await changes_since(read_connection, since)
    judged = {change.run_id for change in changed if change.kind == "reinstated"}
    return [
        (change.machine_id, change.run_id)
        for change in changed
        if change.kind == "stored" and change.run_id not in judged
    ]


async def _find_outliers(
    reading: Reading, keys: Sequence[Key], since: datetime, isolated: Isolated
) -> list[tuple[Key, str]]:
    """Find outliers, with the reason. A run that can't be compared fails alone."""
    cohorts = Cohorts(reading, keys, FEWEST_MACHINES)

    async def read_batch(batch: Sequence[Key]) -> list[PublicResult]:
        async with reading.connection.begin_nested():
            return await public_results(reading, batch, since)

    outliers = []
    for start in range(0, len(keys), _BATCH_SIZE):
        batch = keys[start : start + _BATCH_SIZE]
        for results in await isolated.together(batch, read_batch, _item_of):
            for key, group in groupby(results, lambda result: (result.machine_id, result.run_id)):
                with isolated.item(_item_of(key)):
                    if (reason := next(_reasons(cohorts, group), None)) is not None:
                        outliers.append((key, reason))
    return outliers


def _reasons(cohorts: Cohorts, results: Iterator[PublicResult]) -> Iterator[str]:
    for result in results:
        cohort = cohorts.of(result) if result.median > 0 else None
        # Nearly all results lie within. Excluding a run's own machine costs a sort of all others.
        if cohort is None or _lies_within(result, cohort.certainly_usual_bounds):
            continue
        usual = usual_range(cohorts.others(cohort, result))
        if usual is not None and _is_outlier(result, usual):
            yield reason_of(result, usual)


def _lies_within(result: PublicResult, bounds: tuple[float, float]) -> bool:
    low, high = bounds
    return low <= math.log(result.median) <= high


def _is_outlier(result: PublicResult, usual: UsualRange) -> bool:
    """Return whether a result is far outside.

    A caution, such as a busy system, explains a worse one.
    """
    low, high = usual.bounds
    value = math.log(result.median)
    better = catalog.METRICS[result.metric].better
    has_caution = any(catalog.flag(code).severity is Severity.CAUTION for code in result.flags)
    if value < low:
        return not (has_caution and better is Better.HIGHER)
    return value > high and not (has_caution and better is Better.LOWER)


def reason_of(result: PublicResult, usual: UsualRange) -> str:
    """Return the reason in a sentence, for the run's owner and for whoever judges it."""
    times = result.median / math.exp(usual.median)
    low, high = math.exp(usual.low - usual.median), math.exp(usual.high - usual.median)
    return (
        f"{catalog.METRICS[result.metric].title}: {times:{',.0f' if times >= 100 else '.2g'}} "
        f"times the median of {usual.machines:,} similar Macs. "
        f"Nine in ten of them measured {low:.2f} to {high:.2f} times that median."
    )


async def _quarantine(
    connection: AsyncConnection, key: tuple[uuid.UUID, uuid.UUID], reason: str, now: datetime
) -> None:
    """Quarantine a run, unless somebody has withdrawn it meanwhile."""
    condition = (Run.machine_id == key[0]) & (Run.run_id == key[1]) & Run.withdrawn_at.is_(None)
    values = {"withdrawn_at": now, "withdrawn_by": QUARANTINE, "withdrawn_reason": reason}
    act = RunAct("run.quarantine", None, {"run": str(key[1])})
    await change_runs(connection, condition, values, act)


async def _save_judged(connection: AsyncConnection, log: Log) -> None:
    await connection.execute(
        update(ChangeLog).where(ChangeLog.log_id == log.log_id).values(judged=log.snapshot)
    )
