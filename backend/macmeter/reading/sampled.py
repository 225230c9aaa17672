"""Runs that sampled power, whose documents have the traces that no result keeps."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, select

from macmeter import catalog
from macmeter.access.visibility import visible
from macmeter.models import Document, Run
from macmeter.reading.keys import is_of, keyed
from macmeter.reading.moment import Reading
from macmeter.reading.order import chosen_runs
from macmeter.terms import Op, Term

_POWER = (Term("suite", Op.IS, "power"), Term("source", Op.NOT, "published"))


class SampledRun(NamedTuple):
    """`size` is the document's, in bytes."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    chip: str | None
    power_mode: str | None
    size: int


class Sampled(NamedTuple):
    """The newest runs; how many there are, and how many more are left out for a doubt."""

    newest: list[SampledRun]
    trusted: int
    doubted: int


async def sampled_runs(reading: Reading, terms: Sequence[Term], flagged: str, most: int) -> Sampled:
    """Those that match."""
    doubts = [code for code in catalog.FLAGS if catalog.is_doubt(code)]
    rows = chosen_runs(reading, terms, _POWER).with_any_flag(doubts)
    doubted = sum(row[2] for row in rows) if flagged != "include" else 0
    trusted = [(row[0], row[1]) for row in rows if flagged == "include" or not row[2]]
    keys = trusted[:most]
    among = keyed(keys)
    query = (
        select(Run.machine_id, Run.run_id, Run.chip, Run.power_mode, Document.size)
        .join(Document, and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id))
        .join(among, is_of(among, Run))
        .where(visible(reading.scope))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
    )
    found = await reading.connection.execute(query)
    newest = [SampledRun._make(row) for row in found]
    return Sampled(newest, len(trusted), doubted)
