"""Selections of runs: newest first in pages without gaps or repeats, counted, or grouped by common
values; and those that an answer leaves out.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Select, func, literal, not_, select, tuple_

from macmeter import catalog
from macmeter.accounts.visibility import visible
from macmeter.catalog.terms import Op, Term, Value
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.models import Document, Result, Run
from macmeter.results.context import ReadContext, Reading
from macmeter.results.dataset.runs import Runs, newest_doubted
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.setups import RESULTS, Results
from macmeter.results.dataset.snapshot import matching_setups
from macmeter.results.filters import Key, key_table, matches, not_withdrawn, results_of, same_run

_MICROSECONDS = func.extract("epoch", Run.received_at) * 1_000_000


class ListPosition(NamedTuple):
    """Position in a list: time received, and id as a tie-breaker."""

    received_at: datetime
    id: uuid.UUID


def matching_runs(
    reading: Reading, terms: Sequence[Term], setup_terms: Sequence[Term] = ()
) -> Runs:
    """Return the readable runs that match `terms`, without withdrawn ones, and whose setups match
    `setup_terms` as well, even on a dimension of `terms`.
    """
    having = matching_setups(reading.data, setup_terms) if setup_terms else None
    return Runs(reading.data, tuple(terms), reading.scope, having)


async def newest_matching(
    reading: Reading, terms: Sequence[Term], limit: int, after: ListPosition | None = None
) -> tuple[list[Key], int]:
    """Return up to `limit` readable runs that match, newest first, from after the position on, and
    the number of all. Includes withdrawn runs.
    """
    matching = matching_runs(reading, terms)
    total, rows = matching.count(), matching.newest(limit, after)
    withdrawn = select(_MICROSECONDS, Run.run_id, Run.machine_id).where(
        not_(not_withdrawn()), visible(reading.scope.asked(terms)), matches(terms)
    )
    counted = select(func.count()).select_from(withdrawn.subquery())
    total += await reading.connection.scalar(counted) or 0
    if after is not None:
        position = tuple_(literal(after.received_at), literal(after.id))
        withdrawn = withdrawn.where(tuple_(Run.received_at, Run.run_id) < position)
    newest = withdrawn.order_by(Run.received_at.desc(), Run.run_id.desc()).limit(limit)
    rows += [tuple(row) for row in await reading.connection.execute(newest)]
    rows.sort(key=lambda row: (int(row[0]), row[1]), reverse=True)
    return [(machine_id, run_id) for _, run_id, machine_id in rows[:limit]], total


class Combination(NamedTuple):
    """A combination of values with its numbers of runs and named machines."""

    values: tuple[Value, ...]
    runs: int
    machines: int


def combinations(
    reading: Reading,
    names: Sequence[str],
    terms: Sequence[Term] = (),
    unstated: Collection[str] = (),
) -> list[Combination]:
    """Return the combinations of values of readable runs; only `unstated` ones may be absent."""
    rows = matching_runs(reading, terms).combinations(names, unstated)
    return [Combination(tuple(values), runs, machines) for *values, runs, machines in rows]


class SourceCount(NamedTuple):
    """Runs of one source, of which `outdated` need rederiving."""

    source: str
    runs: int
    outdated: int


async def runs_by_source(context: ReadContext) -> list[SourceCount]:
    outdated = Run.derivation_version < DERIVATION_VERSION
    query = (
        select(Run.source, func.count(), func.count().filter(outdated))
        .where(visible(context.scope))
        .group_by(Run.source)
        .order_by(Run.source)
    )
    return [SourceCount._make(row) for row in await context.connection.execute(query)]


class DatasetSize(NamedTuple):
    """Numbers of readable runs with results, without withdrawn ones, and of their results."""

    runs: int
    results: int


def dataset_size(reading: Reading) -> DatasetSize:
    return DatasetSize._make(matching_runs(reading, ()).size())


async def count_missing_from_dataset(reading: Reading, terms: Sequence[Term] = ()) -> int:
    """Count matching runs that are missing from the data set because they can't be read."""
    may_be_read = visible(reading.scope.asked(terms))
    stored = select(func.count()).where(may_be_read, not_withdrawn(), matches(terms))
    count = await reading.connection.scalar(stored) or 0
    return count - matching_runs(reading, terms).count()


class DoubtedRuns(NamedTuple):
    """The newest runs with a doubted result, and the number of all such runs."""

    newest: dict[Key, frozenset[str]]
    """Flags of each run and of its doubted results."""
    total: int


def runs_with_doubted_results(
    reading: Reading, metrics: Iterable[str], terms: Sequence[Term], limit: int
) -> DoubtedRuns:
    """Return runs with a doubted result of these metrics, without withdrawn runs."""
    selections = [
        Selection(reading.data, metric, (), tuple(terms), reading.scope, only_doubtful=True)
        for metric in metrics
    ]
    rows = newest_doubted(selections, limit)
    codes, values = reading.data.setups.values(RESULTS)
    series = {number for selection in selections for number in selection.series}
    newest: dict[Key, frozenset[str]] = {}
    for machine_id, run_id, setup, _ in rows:
        (index,) = reading.data.setups.indices_of(np.array([setup])).tolist()
        results: Results = values[codes[index]]
        newest[machine_id, run_id] = results.all_flags(results.doubted & series)
    return DoubtedRuns(newest, rows[0][3] if rows else 0)


async def how_many_withdrawn(reading: Reading, metric: str, terms: Sequence[Term]) -> int:
    """Count withdrawn runs with results of this metric."""
    if not reading.data.presence.has_withdrawn:
        return 0
    counted = _withdrawn(reading, metric, terms).add_columns(func.count(Run.run_id.distinct()))
    return await reading.connection.scalar(counted) or 0


async def withdrawn_of(
    reading: Reading, metric: str, terms: Sequence[Term], saved_at: datetime, flagged: str
) -> set[uuid.UUID]:
    """Return withdrawn runs received by `saved_at`; with doubtful results only if `flagged`."""
    query = _withdrawn(reading, metric, terms).add_columns(Run.run_id)
    query = query.where(Run.received_at <= saved_at)
    if flagged == "exclude":
        query = query.where(not_(Result.doubtful))
    return {*(await reading.connection.execute(query)).scalars()}


def _withdrawn(reading: Reading, metric: str, terms: Sequence[Term]) -> Select[Any]:
    """SELECT (no columns yet) FROM the results of this metric that were withdrawn."""
    query = results_of([metric], terms, reading.scope.asked(terms))
    return query.where(not_(not_withdrawn()))


_POWER = (Term("suite", Op.IS, "power"), Term("source", Op.NOT, "published"))


class PowerRun(NamedTuple):
    """A run of the suite power, with the size of its document in bytes."""

    machine_id: uuid.UUID
    run_id: uuid.UUID
    chip: str | None
    power_mode: str | None
    size: int


class PowerRuns(NamedTuple):
    """The newest runs of the suite power, the number counted, and of those omitted as doubtful."""

    newest: list[PowerRun]
    counted: int
    doubted: int


async def power_runs(
    reading: Reading, terms: Sequence[Term], flagged: str, limit: int
) -> PowerRuns:
    """Return the newest matching runs of the suite power, without published ones."""
    doubts = [code for code in catalog.FLAGS if catalog.is_doubt(code)]
    rows = matching_runs(reading, terms, _POWER).with_any_flag(doubts)
    doubted = sum(row[2] for row in rows) if flagged != "include" else 0
    trusted = [(row[0], row[1]) for row in rows if flagged == "include" or not row[2]]
    keys = trusted[:limit]
    among = key_table(keys)
    query = (
        select(Run.machine_id, Run.run_id, Run.chip, Run.power_mode, Document.size)
        .join(Document, same_run(Document))
        .join(among, same_run(among.c))
        .where(visible(reading.scope))
        .order_by(Run.received_at.desc(), Run.run_id.desc())
    )
    result = await reading.connection.execute(query)
    newest = [PowerRun._make(row) for row in result]
    return PowerRuns(newest, len(trusted), doubted)
