"""Runs and machines that a frozen answer depends on.

Stored are the number of its runs, their digest, and the ids of those whose deletion also removes
figures. So are the fleets' machines behind each figure, which are updated when they move. A
comparison doesn't store the ids of a million runs: its question finds them again, and the digest
shows whether they are the same.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Text, cast, delete, insert, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.visibility import PUBLIC
from macmeter.catalog.terms import Term
from macmeter.models import ComparisonMachines, Fleet, Machine
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Group, groups_of
from macmeter.questions.question import Question
from macmeter.questions.run_counter import runs_of
from macmeter.results.context import Reading
from macmeter.results.dataset.properties import machines_of_fleets
from macmeter.results.matching_runs import withdrawn_of

# With fewer machines, a figure would still reveal a deleted run.
KEPT_MACHINES = 3
# With more machines of a fleet behind a figure, only their number is stored.
_MAX_NAMED_MACHINES = 24
# Figure number of the fleets and machines that the question itself names.
IN_QUESTION = -(2**31)


@dataclass(frozen=True)
class FrozenMetric:
    """One metric of a frozen answer: its groups, and their references."""

    metric: str
    question: Question
    reference: Question | None = None
    across_machines: bool = False
    """Whether a pair is of two machines: a guest and its host."""
    fixed: tuple[Term, ...] = ()
    side: int = 0
    """Number of the side, for a cell of sides; `fixed` are the parameters of its row."""


@dataclass(frozen=True)
class PinnedRuns:
    """What a frozen answer depends on."""

    runs: int
    """Number of runs."""
    sha256: bytes
    """Digest of the runs' ids."""
    revealed: list[uuid.UUID]
    """Sorted ids of the runs behind figures of few machines."""
    machines: list[FigureMachines]
    """Machines of fleets behind each figure."""


def pinned_runs(
    reading: Reading,
    metrics: Iterable[FrozenMetric],
    figure_of: Callable[[FrozenMetric, Key], int | None],
    few_pair_figures: Collection[int],
) -> PinnedRuns:
    """Return what a frozen answer depends on; `figure_of` maps a group to its figure, and
    `few_pair_figures` are figures with ratios of few pairs.
    """
    statements: list[str] = []
    revealed: list[str] = []
    machines: list[FigureMachines] = []
    # References have negative numbers, because they are not figures of their own.
    reference_numbers = count(-1, -1)
    for metric in metrics:
        groups = groups_of(reading, metric.question)
        reference = metric.reference
        references = groups_of(reading, reference) if reference else {}
        for group in (*groups.values(), *references.values()):
            statements.append(runs_of([group]))
            if group.machine_count < KEPT_MACHINES:
                revealed.append(runs_of([group]))
        for group in references.values():
            machines += fleet_machines(next(reference_numbers), group)
        for key, group in groups.items():
            number = figure_of(metric, key)
            if number is not None:
                machines += fleet_machines(number, group)
            if number in few_pair_figures:
                revealed += _pair_runs(group, list(references.values()), metric.across_machines)
    ids = _distinct(reading, statements)
    return PinnedRuns(
        runs=len(ids),
        sha256=hashlib.sha256(b"".join(run_id.bytes for run_id in ids)).digest(),
        revealed=_distinct(reading, revealed),
        machines=machines,
    )


def _pair_runs(group: Group, references: Sequence[Group], across_machines: bool) -> Iterator[str]:
    """Yield queries for the runs of machines that are in both the group and a reference."""
    for reference in references:
        shared = np.intersect1d(group.machine_numbers, reference.machine_numbers).tolist()
        for side in (group, reference):
            yield runs_of([side], machines=None if across_machines else shared)


def _distinct(reading: Reading, statements: Sequence[str]) -> list[uuid.UUID]:
    """Return the sorted ids of the runs that these queries find."""
    if not statements:
        return []
    union = " UNION ".join(statements)
    return [run_id for (run_id,) in reading.data.rows(f"{union} ORDER BY run_id")]


async def withdrawn_since(
    reading: Reading, metrics: Iterable[FrozenMetric], saved_at: datetime
) -> set[uuid.UUID]:
    """Return the runs that were counted at `saved_at` and are withdrawn now.

    Runs are matched by their present values: one that a later derivation changed, for example its
    storage, isn't found.
    """
    run_ids: set[uuid.UUID] = set()
    for metric in metrics:
        for question in filter(None, (metric.question, metric.reference)):
            run_ids |= await withdrawn_of(
                reading, metric.metric, question.where, saved_at, question.flagged
            )
    return run_ids


# --- machines behind each figure


class FigureMachines(NamedTuple):
    """Machines of one fleet behind one figure, of `total` there; with ids if they are few."""

    figure: int
    fleet_id: uuid.UUID
    machine_id: uuid.UUID | None
    machines: int
    total: int


def fleet_machines(figure: int, group: Group) -> Iterator[FigureMachines]:
    """Yield the machines of fleets in a group, by fleet; nothing if none is in a fleet."""
    selection, total = group.grouped.selection, group.machine_count
    fleets: dict[uuid.UUID, list[int]] = {}
    for fleet_id, number in machines_of_fleets(selection, group.grouped.figure_ids[group.number]):
        fleets.setdefault(fleet_id, []).append(number)
    for fleet_id, numbers in fleets.items():
        if len(numbers) > _MAX_NAMED_MACHINES:
            yield FigureMachines(figure, fleet_id, None, len(numbers), total)
        else:
            machine_ids = selection.snapshot.machine_ids(numbers, selection.needed_scope)
            for number in numbers:
                yield FigureMachines(figure, fleet_id, machine_ids[number], 1, total)


async def named_in_questions(
    connection: AsyncConnection, questions: Iterable[Question], *, public: bool = True
) -> list[FigureMachines]:
    """Return the public (or non-public) fleets, and machines of such fleets, that questions include
    or exclude.
    """
    terms = [term for question in questions for term in (*question.where, *question.relative_to)]
    names, machine_ids = (
        {str(term.value) for term in terms if term.dimension == dimension}
        for dimension in ("fleet", "machine")
    )
    if not names and not machine_ids:
        return []
    scope = Fleet.visibility == PUBLIC if public else Fleet.visibility != PUBLIC
    fleets = select(Fleet.fleet_id, null().label("machine_id")).where(Fleet.name.in_(names), scope)
    machines = select(Machine.fleet_id, Machine.machine_id).join(
        Fleet, Fleet.fleet_id == Machine.fleet_id
    )
    machines = machines.where(cast(Machine.machine_id, Text).in_(machine_ids), scope)
    rows = [*await connection.execute(fleets), *await connection.execute(machines)]
    return [FigureMachines(IN_QUESTION, row.fleet_id, row.machine_id, 0, 0) for row in rows]


async def store_machines(
    connection: AsyncConnection, slug: str, rows: Sequence[FigureMachines]
) -> None:
    """Store the machines behind figures of the comparison with this slug."""
    if rows:
        values = [{"slug": slug, **row._asdict()} for row in rows]
        await connection.execute(insert(ComparisonMachines), values)


async def move_fleet_machines(
    connection: AsyncConnection, fleet_id: uuid.UUID, to: uuid.UUID | None
) -> None:
    """Record that a fleet's machines moved to another fleet, or with None that they left fleets."""
    matching = ComparisonMachines.fleet_id == fleet_id
    if to is None:
        await connection.execute(delete(ComparisonMachines).where(matching))
    else:
        await connection.execute(update(ComparisonMachines).where(matching).values(fleet_id=to))


async def move_machines(
    connection: AsyncConnection, condition: ColumnElement[bool], to: uuid.UUID
) -> None:
    """Record that the machines that match `condition` moved to another fleet."""
    same_machine = ComparisonMachines.machine_id == Machine.machine_id
    statement = update(ComparisonMachines).where(same_machine, condition)
    await connection.execute(statement.values(fleet_id=to))
