"""`macmeter-server verify`: check a backup, or the database itself."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import func, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Run
from macmeter.platform import database
from macmeter.platform.isolation import Isolated
from macmeter.platform.progress import Progress, number_of
from macmeter.platform.settings import available_cores
from macmeter.platform.worker_pool import Pool
from macmeter.runs.transfer.files import InputError
from macmeter.server.backup.archive import Backup
from macmeter.server.backup.comparing import ComparedBatch, RunKey, compare
from macmeter.server.backup.programs import feed, output, running
from macmeter.server.backup.restoring import check

# Modules that its worker processes import at their start.
MODULES = (compare.__module__,)
_COPY = re.compile(rb'COPY public\."?([^" ]+)"? \(.*\) FROM stdin;\n')
_PG_RESTORE_OPTIONS = ("--data-only", "--schema=public", "--file=-")


def verify_backup(path: Path) -> list[str]:
    """Return what is wrong with a backup, a line each. Raise InputError if it isn't a backup."""
    backup = Backup(path)
    progress = Progress("verify: counting rows", "MB")
    check(backup, Progress("verify: reading", "MB"))
    with (
        ThreadPoolExecutor(1) as thread,
        running("pg_restore", _PG_RESTORE_OPTIONS, takes_input=True) as restoring,
    ):
        dump = backup.dump(lambda done: progress.show(done // 1_000_000, done / backup.size))
        feeding = thread.submit(feed, restoring, dump)
        rows = _rows_by_table(output(restoring))
        feeding.result()
    progress.clear()
    stated = backup.manifest.tables
    wrong = [
        f"{table}: {number_of(rows[table], 'row')}, {stated.get(table, 0):,} by the manifest"
        for table in sorted(rows.keys() | stated.keys())
        if rows[table] != stated.get(table, 0)
    ]
    if not wrong:
        runs = number_of(stated.get("runs", 0), "run")
        progress.say(
            f"verify: {path} is whole: {runs} as of {backup.manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
        )
    return wrong


def _rows_by_table(chunks: Iterator[bytes]) -> Counter[str]:
    """Count the rows of each table's COPY in the output of pg_restore. A row never spans lines."""
    rows: Counter[str] = Counter()
    table: str | None = None
    for line in _lines(chunks):
        if table is None:
            if match := _COPY.fullmatch(line):
                table = match[1].decode()
        elif line == b"\\.\n":
            table = None
        else:
            rows[table] += 1
    return rows


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line + b"\n"


# Queries for the runs with a fault. A run has one id, one row and one document.
_FAULT_QUERIES = {
    "its id is taken, and it is not stored": """
        SELECT i.run_id FROM run_ids i LEFT JOIN runs r USING (machine_id, run_id)
        WHERE r.run_id IS NULL""",
    "its id is not taken: it could be stored twice": """
        SELECT r.run_id FROM runs r LEFT JOIN run_ids i USING (machine_id, run_id)
        WHERE i.run_id IS NULL""",
    "it has no document": """
        SELECT r.run_id FROM runs r LEFT JOIN documents d USING (machine_id, run_id)
        WHERE d.run_id IS NULL""",
    "its document has no run": """
        SELECT d.run_id FROM documents d LEFT JOIN runs r USING (machine_id, run_id)
        WHERE r.run_id IS NULL""",
}
_BATCH = 200
_JOB_SECONDS = 600.0


def verify_database(url: str) -> list[str]:
    """Return what is wrong with a database's runs, a line each. Uploads may go on meanwhile."""
    return asyncio.run(_verify_database(url))


async def _verify_database(url: str) -> list[str]:
    progress = Progress("verify", "runs")
    wrong, outdated = [], 0
    pool = Pool(available_cores(), MODULES, _JOB_SECONDS)
    engine = database.engine(url, pool_size=1)
    try:
        async with engine.connect() as connection:
            await _require_current(connection)
            # Sequential scans of everything take long.
            await connection.execute(text("SET statement_timeout = 0"))
            for fault, query in _FAULT_QUERIES.items():
                wrong += [
                    f"run {row.run_id}: {fault}" for row in await connection.execute(text(query))
                ]
            total = await connection.scalar(select(func.count()).select_from(Run)) or 0
            done = 0
            async for compared in _compare_all(pool, url, connection):
                done += compared.runs
                outdated += compared.outdated
                wrong += compared.differences
                progress.show(done, min(1.0, done / max(1, total)))
    finally:
        await engine.dispose()
        await pool.close()
    progress.say(f"verify: {number_of(done, 'run')} compared with their documents")
    if outdated:
        progress.say(
            f"verify: results of {number_of(outdated, 'run')} are of an older version and were not "
            "compared; `macmeter-server rederive` updates them"
        )
    return wrong


async def _require_current(connection: AsyncConnection) -> None:
    revision = await connection.run_sync(database.current_revision)
    if revision != database.newest_revision():
        state = f"is of schema {revision}" if revision else "holds nothing of Macmeter's"
        raise InputError(
            f"the database {state}; this version needs {database.newest_revision()}: "
            "see macmeter-server migrate."
        )


async def _compare_all(
    pool: Pool, url: str, connection: AsyncConnection
) -> AsyncIterator[ComparedBatch]:
    """Compare all runs in the order of their keys, one batch per process at a time."""

    async def compare_batch(keys: Sequence[RunKey]) -> ComparedBatch:
        return await pool.run(compare, url, list(keys))

    async def compare_isolated(keys: list[RunKey]) -> ComparedBatch:
        """Compare a batch, and each run by itself if the process did not survive all of them."""
        isolated, total = Isolated("comparing"), ComparedBatch()
        for outcome in await isolated.together(keys, compare_batch, lambda key: f"run {key[1]}"):
            total.runs += outcome.runs
            total.outdated += outcome.outdated
            total.differences += outcome.differences
        total.differences += (f"{run}: {why}" for run, why in isolated.failed.items())
        return total

    tasks: set[asyncio.Task[ComparedBatch]] = set()
    async for keys in _key_batches(connection):
        tasks.add(asyncio.create_task(compare_isolated(keys)))
        if len(tasks) == pool.size:
            done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    for remaining in asyncio.as_completed(tasks):
        yield await remaining


async def _key_batches(connection: AsyncConnection) -> AsyncIterator[list[RunKey]]:
    key = (Run.machine_id, Run.run_id)
    query = select(*key).order_by(*key).limit(_BATCH)
    after = query
    while rows := (await connection.execute(after)).all():
        keys = [(row.machine_id, row.run_id) for row in rows]
        yield keys
        after = query.where(tuple_(*key) > tuple_(*keys[-1]))
