"""Runs that sampled power, whose documents have the traces that no result keeps."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sqlalchemy import and_, select

from macmeter import catalog
from macmeter.access.visibility import visible
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.columns.view import View
from macmeter.models import Document, Run
from macmeter.reading.keys import is_of, keyed
from macmeter.reading.moment import Reading
from macmeter.reading.order import chosen_runs, newest_first
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
    view = reading.view
    numbers = _of_power(view, chosen_runs(reading, terms))
    trusted = numbers if flagged == "include" else numbers[~_doubted(view, numbers)]
    received, ids = view.of_runs("received")[trusted], view.of_runs("run_id")[trusted]
    shown = trusted[newest_first(received, ids.take, most)]
    keys = [
        (view.machine_id(machine), uuid.UUID(bytes=run_id))
        for machine, run_id in zip(
            view.of_runs("machine")[shown].tolist(), view.run_ids(shown), strict=True
        )
    ]
    among = keyed(keys)
    query = (
        select(Run.machine_id, Run.run_id, Run.chip, Run.power_mode, Document.size)
        .join(Document, and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id))
        .join(among, is_of(among, Run))
        .where(visible(reading.scope))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
    )
    rows = await reading.connection.execute(query)
    newest = [SampledRun._make(row) for row in rows]
    return Sampled(newest, len(trusted), len(numbers) - len(trusted))


def _of_power(view: View, numbers: Ints) -> Ints:
    """Those that sampled power themselves and were not withdrawn."""
    setups = view.of_runs("setup")[numbers]
    found = ~view.of_runs("withdrawn")[numbers]
    for term in _POWER:
        codes, values = view.values(term.dimension)
        holds = [(value == term.value) == (term.op is Op.IS) for value in values]
        found &= np.array(holds, dtype=bool)[codes][setups]
    chosen: Ints = numbers[found]
    return chosen


def _doubted(view: View, numbers: Ints) -> Bools:
    doubts = [any(map(catalog.is_doubt, flags)) for flags in view.names.flags.things]
    found: Bools = np.array(doubts, dtype=bool)[view.of_runs("flags")[numbers]]
    return found
