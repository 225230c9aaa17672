"""Whose machines are behind each figure of a comparison: kept with it, and true after a move."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, cast, delete, insert, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.visibility import PUBLIC
from macmeter.dataset.single import machines_of_fleets
from macmeter.models import ComparisonMachines, Fleet, Machine
from macmeter.queries.groups import Group
from macmeter.queries.question import Question

# Of a fleet with more machines behind a figure, one that moves away makes no difference to it.
_MOST_NAMED = 24
# In the place of a figure: the question itself names this fleet or machine.
IN_QUESTION = -(2**31)


class Behind(NamedTuple):
    """Machines of one fleet behind one figure, of `total` there; named where they are few."""

    figure: int
    fleet_id: uuid.UUID
    machine_id: uuid.UUID | None
    machines: int
    total: int


def behind(figure: int, group: Group) -> Iterator[Behind]:
    """The fleets' machines in a group; nothing where all of them are in no fleet."""
    found, total = group.grouped.found, group.machine_count
    fleets: dict[uuid.UUID, list[int]] = {}
    for fleet_id, number in machines_of_fleets(found, group.grouped.figures[group.number]):
        fleets.setdefault(fleet_id, []).append(number)
    for fleet_id, numbers in fleets.items():
        if len(numbers) > _MOST_NAMED:
            yield Behind(figure, fleet_id, None, len(numbers), total)
        else:
            machine_ids = found.snapshot.machine_ids(numbers, found.asked_scope)
            for number in numbers:
                yield Behind(figure, fleet_id, machine_ids[number], 1, total)


async def named_in_questions(
    connection: AsyncConnection, questions: Iterable[Question], *, public: bool = True
) -> list[Behind]:
    """The fleets that are public now, or are not, and the machines of such, that questions ask for
    or leave out.
    """
    terms = [term for one in questions for term in (*one.where, *one.relative_to)]
    names, machine_ids = (
        {str(term.value) for term in terms if term.dimension == dimension}
        for dimension in ("fleet", "machine")
    )
    if not names and not machine_ids:
        return []
    of = Fleet.visibility == PUBLIC if public else Fleet.visibility != PUBLIC
    fleets = select(Fleet.fleet_id, null().label("machine_id")).where(Fleet.name.in_(names), of)
    machines = select(Machine.fleet_id, Machine.machine_id).join(
        Fleet, Fleet.fleet_id == Machine.fleet_id
    )
    machines = machines.where(cast(Machine.machine_id, Text).in_(machine_ids), of)
    rows = [*await connection.execute(fleets), *await connection.execute(machines)]
    return [Behind(IN_QUESTION, row.fleet_id, row.machine_id, 0, 0) for row in rows]


async def keep_behind(connection: AsyncConnection, slug: str, rows: Sequence[Behind]) -> None:
    """Write them down with the comparison of that slug."""
    if rows:
        values = [{"slug": slug, **row._asdict()} for row in rows]
        await connection.execute(insert(ComparisonMachines), values)


async def follow_fleet(
    connection: AsyncConnection, fleet_id: uuid.UUID, to: uuid.UUID | None
) -> None:
    """A fleet's machines are another's now, or with None everybody's to read."""
    of_fleet = ComparisonMachines.fleet_id == fleet_id
    if to is None:
        await connection.execute(delete(ComparisonMachines).where(of_fleet))
    else:
        await connection.execute(update(ComparisonMachines).where(of_fleet).values(fleet_id=to))


async def follow_machines(
    connection: AsyncConnection, which: ColumnElement[bool], to: uuid.UUID
) -> None:
    """These machines are in another fleet now."""
    named = ComparisonMachines.machine_id == Machine.machine_id
    moved = update(ComparisonMachines).where(named, which)
    await connection.execute(moved.values(fleet_id=to))
