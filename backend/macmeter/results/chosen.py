"""Runs chosen among all: newest first in pages without gaps or repeats, counted, or by what they
have in common; and those that an answer leaves out.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Select, func, not_, select, tuple_
from sqlalchemy import literal as literal_of

from macmeter import catalog
from macmeter.accounts.visibility import visible
from macmeter.catalog.terms import Op, Term, Value
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.models import Document, Result, Run
from macmeter.results.context import Moment, Reading
from macmeter.results.dataset.found import Found
from macmeter.results.dataset.runs import Runs, newest_doubted
from macmeter.results.dataset.setups import RESULTS, Results
from macmeter.results.dataset.snapshot import matching_setups
from macmeter.results.filters import Key, keyed, matches, results_of, same_run, standing

_MICROSECONDS = func.extract("epoch", Run.received_at) * 1_000_000


class Place(NamedTuple):
    """Where something is in a list: when it was received, and its id among those of that moment."""

    received_at: datetime
    id: uuid.UUID


def chosen_runs(reading: Reading, terms: Sequence[Term], also: Sequence[Term] = ()) -> Runs:
    """The runs that match, and match `also`, and may be read; without those that were withdrawn."""
    having = matching_setups(reading.data, also) if also else None
    return Runs(reading.data, tuple(terms), reading.scope, having)


async def newest_chosen(
    reading: Reading, terms: Sequence[Term], most: int, after: Place | None = None
) -> tuple[list[Key], int]:
    """The `most` that were received last of the runs that match and may be read, after the one of
    the page before; and how many match in all. Those that were withdrawn are among them.
    """
    chosen = chosen_runs(reading, terms)
    total, found = chosen.count(), chosen.newest(most, after)
    withdrawn = select(_MICROSECONDS, Run.run_id, Run.machine_id).where(
        not_(standing()), visible(reading.scope.asked(terms)), matches(terms)
    )
    counted = select(func.count()).select_from(withdrawn.subquery())
    total += await reading.connection.scalar(counted) or 0
    if after is not None:
        place = tuple_(literal_of(after.received_at), literal_of(after.id))
        withdrawn = withdrawn.where(tuple_(Run.received_at, Run.run_id) < place)
    newest = withdrawn.order_by(Run.received_at.desc(), Run.run_id.desc()).limit(most)
    found += [tuple(row) for row in await reading.connection.execute(newest)]
    found.sort(key=lambda row: (int(row[0]), row[1]), reverse=True)
    return [(machine_id, run_id) for _, run_id, machine_id in found[:most]], total


class Kept(NamedTuple):
    """What runs say together of some dimensions; machines without those that nobody names."""

    values: tuple[Value, ...]
    runs: int
    machines: int


def combinations(
    reading: Reading,
    names: Sequence[str],
    terms: Sequence[Term] = (),
    unstated: Collection[str] = (),
) -> list[Kept]:
    """Each combination of values that a readable run has; only of `unstated` one may be missing."""
    rows = chosen_runs(reading, terms).combinations(names, unstated)
    return [Kept(tuple(values), runs, machines) for *values, runs, machines in rows]


class Counted(NamedTuple):
    """The runs of one source; the `outdated` wait for being rederived."""

    source: str
    runs: int
    outdated: int


async def runs_by_source(moment: Moment) -> list[Counted]:
    outdated = Run.derivation_version < DERIVATION_VERSION
    query = (
        select(Run.source, func.count(), func.count().filter(outdated))
        .where(visible(moment.scope))
        .group_by(Run.source)
        .order_by(Run.source)
    )
    return [Counted._make(row) for row in await moment.connection.execute(query)]


class Size(NamedTuple):
    """How many runs may be read, withdrawn ones apart, and how many results they have."""

    runs: int
    results: int


def size_of(reading: Reading) -> Size:
    return Size._make(chosen_runs(reading, ()).size())


async def left_out(reading: Reading, terms: Sequence[Term] = ()) -> int:
    """How many runs that match are not in the data set, as what is stored of them can't be read."""
    may_be_read = visible(reading.scope.asked(terms))
    stored = select(func.count()).where(may_be_read, standing(), matches(terms))
    found = await reading.connection.scalar(stored) or 0
    return found - chosen_runs(reading, terms).count()


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
        .join(Document, same_run(Document))
        .join(among, same_run(among.c))
        .where(visible(reading.scope))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
    )
    found = await reading.connection.execute(query)
    newest = [SampledRun._make(row) for row in found]
    return Sampled(newest, len(trusted), doubted)
