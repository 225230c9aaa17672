"""Runs that an answer leaves out: for a doubt, or since they were withdrawn."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Select, func, not_

from macmeter.dataset.found import Found
from macmeter.dataset.runs import newest_doubted
from macmeter.dataset.setups import RESULTS, Results
from macmeter.models import Result, Run
from macmeter.reading.filters import results_of, standing
from macmeter.reading.keys import Key
from macmeter.reading.moment import Reading
from macmeter.terms import Term


class Doubted(NamedTuple):
    """The newest runs, and of their results that are left out all flags, each run's own too; and
    how many runs there are.
    """

    newest: dict[Key, frozenset[str]]
    total: int


def doubted(reading: Reading, metrics: Iterable[str], terms: Sequence[Term], most: int) -> Doubted:
    """The runs of which a result of these metrics is doubted; withdrawn ones are another matter."""
    asked = [
        Found(reading.data, metric, (), tuple(terms), reading.scope, doubts=True)
        for metric in metrics
    ]
    rows = newest_doubted(asked, most)
    codes, values = reading.data.setups.values(RESULTS)
    series = {number for found in asked for number in found.series}
    newest: dict[Key, frozenset[str]] = {}
    for machine_id, run_id, setup, _ in rows:
        (place,) = reading.data.setups.places(np.array([setup])).tolist()
        results: Results = values[codes[place]]
        newest[machine_id, run_id] = results.all_flags(results.doubted & series)
    return Doubted(newest, rows[0][3] if rows else 0)


async def how_many_withdrawn(reading: Reading, metric: str, terms: Sequence[Term]) -> int:
    """Runs with results of this metric."""
    if not reading.data.aside.has_withdrawn:
        return 0
    counted = _withdrawn(reading, metric, terms).add_columns(func.count(Run.run_id.distinct()))
    return await reading.connection.scalar(counted) or 0


async def withdrawn_of(
    reading: Reading, metric: str, terms: Sequence[Term], saved_at: datetime, flagged: str
) -> set[uuid.UUID]:
    """Those that were there before; without doubtful results unless these are `flagged`."""
    query = _withdrawn(reading, metric, terms).add_columns(Run.run_id)
    query = query.where(Run.received_at <= saved_at)
    if flagged == "exclude":
        query = query.where(not_(Result.doubtful))
    return {*(await reading.connection.execute(query)).scalars()}


def _withdrawn(reading: Reading, metric: str, terms: Sequence[Term]) -> Select[Any]:
    """SELECT (nothing yet) FROM the results of this metric that were withdrawn."""
    query = results_of([metric], terms, reading.scope.asked(terms))
    return query.where(not_(standing()))
