"""Make results, flags and dimensions anew from the raw documents, after derivation changed."""

from __future__ import annotations

import asyncio
import sys
import uuid
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import and_, delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import database
from macmeter.errors import Problem
from macmeter.ingest.derive import DERIVATION_VERSION, derive
from macmeter.ingest.parse import parse
from macmeter.ingest.store import SeriesNumbers, write_derived
from macmeter.models import Document, PublishedFigure, Result, Run

# Runs between two words on the progress.
_STEP = 200
# Clocks were compared when the document came; no stored time is ahead of this.
_LATER = datetime(9000, 1, 1, tzinfo=UTC)


@dataclass
class Rederived:
    """How many runs were rebuilt, and why the documents of others are refused today, by run id."""

    rebuilt: int = 0
    refused: dict[uuid.UUID, str] = field(default_factory=dict)


def rederive(url: str) -> None:
    """Rebuild what is outdated in the database at `url`, telling the progress on stderr."""

    def tell(done: int, total: int) -> None:
        print(f"rederived {done} of {total} runs", file=sys.stderr, flush=True)

    async def run() -> Rederived:
        engine = database.engine(url)
        try:
            return await rederive_runs(engine, progress=tell)
        finally:
            await engine.dispose()

    done = asyncio.run(run())
    for run_id, reason in done.refused.items():
        print(f"left as it was: run {run_id}: {reason}", file=sys.stderr)
    print(f"{done.rebuilt} run{'' if done.rebuilt == 1 else 's'} rederived", file=sys.stderr)


async def rederive_runs(
    engine: AsyncEngine,
    *,
    all_runs: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Rederived:
    """Rebuild the runs of older derivations (or all).

    Each run is a transaction of its own: it can be stopped and goes on where it was. The
    server may run meanwhile; an answer then mixes both derivations until it is done. A run
    whose document today's rules refuse keeps its old derivation and holds up no other.
    """
    outdated = and_(True) if all_runs else Run.derivation_version < DERIVATION_VERSION
    ordered = select(Run.machine_id, Run.run_id).order_by(Run.machine_id, Run.run_id)
    async with engine.connect() as connection:
        keys = (await connection.execute(ordered.where(outdated))).all()
    numbers = SeriesNumbers()
    done = Rederived()
    for count, (machine_id, run_id) in enumerate(keys, start=1):
        try:
            done.rebuilt += await _rebuild(engine, numbers, machine_id, run_id)
        except Problem as problem:
            done.refused[run_id] = problem.detail
        if count % _STEP == 0 or count == len(keys):
            progress(count, len(keys))
    return done


async def _rebuild(
    engine: AsyncEngine, numbers: SeriesNumbers, machine_id: uuid.UUID, run_id: uuid.UUID
) -> bool:
    """Whether there was a run to rebuild; a Problem when its document is refused."""

    def of(model: Any) -> Any:
        return and_(model.machine_id == machine_id, model.run_id == run_id)

    async with engine.begin() as connection:
        # Locked, so that a run deleted meanwhile stays deleted.
        await connection.execute(select(Run.run_id).where(of(Run)).with_for_update())
        deflated = await connection.scalar(select(Document.deflated).where(of(Document)))
        if deflated is None:
            return False
        run = derive(parse(zlib.decompress(deflated), now=_LATER))
        series = await numbers.of(engine, run.results)
        await connection.execute(delete(Result).where(of(Result)))
        await connection.execute(delete(PublishedFigure).where(of(PublishedFigure)))
        await connection.execute(update(Run).where(of(Run)).values(**run.columns))
        await write_derived(connection, run, series)
    return True
