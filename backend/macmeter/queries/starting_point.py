"""Where to begin: the asked question with everything fixed that its groups would mix.

What an answer to "write speed by storage" pools first of all is chips. Each determinant of which a
group has several values is fixed to the one that most machines have, one after the other in the
catalogue's order, so that the answer has figures of one thing each and still of many machines.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.catalog import ANY_LABEL, LABEL_PREFIX
from macmeter.models import Run
from macmeter.queries.mixes import (
    Setting,
    open_determinants,
    setting_columns,
    setting_of,
    values_of,
)
from macmeter.queries.question import Op, Question, Term, Value, askable, print_value
from macmeter.queries.sql import Column, column, results_of, undoubted

Json = dict[str, Any]


@dataclass(frozen=True)
class _Measured:
    """That a machine measured something in a setting, in one of the answer's groups."""

    group: tuple[Any, ...]
    machine_id: uuid.UUID | None
    setting: Setting


async def starting_point(
    connection: AsyncConnection, question: Question, reader: Bearer | None
) -> Json:
    """`{canonical, fixed: [{dimension, value, machines}]}`; nothing fixed where nothing mixes."""
    fixed: list[Json] = []
    while measured := await _measured(connection, question, reader):
        found = _fix(question, measured)
        if not found:
            break
        fixed += found
        names = {one["dimension"] for one in found}
        kept = [term for term in question.where if term.dimension not in names]
        new = [Term(one["dimension"], Op.IS, one["value"]) for one in found]
        question = replace(question, where=tuple(sorted([*kept, *new], key=str)))
    return {"canonical": question.canonical, "fixed": fixed}


def _fix(question: Question, measured: list[_Measured]) -> list[Json]:
    """What to fix, by what is known of each setting: a determinant that matters under a condition
    filters more than can be seen here, so it is asked again what is mixed then.
    """
    fixed = []
    while (name := next(_mixed(question, measured), None)) is not None:
        value, machines = _most(question, measured, name)
        fixed.append({"dimension": name, "value": value, "machines": machines})
        measured = [found for found in measured if found.setting.get(name) == value]
    return fixed


async def _measured(
    connection: AsyncConnection, question: Question, reader: Bearer | None
) -> list[_Measured]:
    return [
        found
        for metric in question.metrics
        for found in await _of_metric(connection, question.of_metric(metric), metric, reader)
    ]


async def _of_metric(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> list[_Measured]:
    keys: list[Column] = [column(name).label(f"by_{i}") for i, name in enumerate(question.by)]
    keys += [(Run.source == "published").label("published"), Run.method, Run.method_version]
    determinants = open_determinants(metric, question.by)
    listed = [*keys, Run.machine_id, Run.unspecified, *setting_columns(determinants)]
    query = (
        results_of(metric, question.where, reader)
        .where(undoubted(question.flagged))
        .add_columns(*listed)
        .group_by(*listed)
    )
    first = len(keys)
    found = [
        (
            (metric, *row[:first]),
            None if row[first + 1] else row[first],
            setting_of(determinants, row[first + 2 :], question.by),
        )
        for row in await connection.execute(query)
    ]
    # As in answers: what names no machine counts only where nothing else is.
    named = {group for group, machine_id, _ in found if machine_id is not None}
    return [_Measured(*of) for of in found if of[1] is not None or of[0] not in named]


def _mixed(question: Question, measured: list[_Measured]) -> Iterator[str]:
    """The determinants that some group mixes, in the catalogue's order."""
    groups: dict[tuple[Any, ...], list[Setting]] = defaultdict(list)
    for found in measured:
        groups[found.group].append(found.setting)
    mixed = {
        name
        for settings in groups.values()
        for name, values in values_of(settings).items()
        if len(values) > 1
    }
    for metric in question.metrics:
        for name in catalog.METRICS[metric].determinants:
            if name == ANY_LABEL:
                labels = sorted(label for label in mixed if label.startswith(LABEL_PREFIX))
                yield from filter(askable, labels)
            elif name in mixed:
                yield name


def _most(question: Question, measured: list[_Measured], name: str) -> tuple[Value, int]:
    """The value that most machines have, and how many do; not what it is to be divided by."""
    having = {
        (found.machine_id, value)
        for found in measured
        for value in values_of([found.setting]).get(name, ())
    }
    reference = {term.value for term in question.relative_to if term.dimension == name}
    machines: Counter[Value] = Counter()
    for machine_id, value in having:
        machines[value] += machine_id is not None and value not in reference
    most = min(machines, key=lambda value: (-machines[value], print_value(value)))
    return most, machines[most]
