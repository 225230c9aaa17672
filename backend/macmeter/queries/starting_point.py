"""Where to begin: the asked question with everything fixed that its groups would mix.

What an answer to "write speed by storage" pools first of all is chips. Each determinant of which a
group has several values is fixed to the one that most machines have, so that the answer has figures
of one thing each and still of many machines. No group is given up for it where that can be helped:
one that has nothing of that value keeps its own, so that guests stay beside their hosts and drives
beside the disk images whose format is fixed.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
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


# Metric, the values it is grouped by, whether it is published, method and version.
Group = tuple[Any, ...]


@dataclass(frozen=True)
class _Measured:
    """That a machine measured something in a setting, in one of the answer's groups."""

    group: Group
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
        names = {one["dimension"] for one in found}
        fixed = [one for one in fixed if one["dimension"] not in names] + found
        kept = [term for term in question.where if term.dimension not in names]
        new = [Term(one["dimension"], Op.IS, one["value"]) for one in found]
        before = question.canonical
        question = replace(question, where=tuple(sorted([*kept, *new], key=str)))
        if question.canonical == before:
            break
    return {"canonical": question.canonical, "fixed": fixed}


def _fix(question: Question, measured: list[_Measured]) -> list[Json]:
    """What to fix, by what is known of each setting: a determinant that matters under a condition
    filters more than can be seen here, so it is asked again what is mixed then.
    """
    fixed: list[Json] = []
    while name := next((n for n in _mixed(question, measured) if not _is_fixed(n, fixed)), None):
        chosen = _chosen(question, measured, name)
        fixed += [
            {"dimension": name, "value": value, "machines": machines}
            for value, machines in chosen.items()
        ]
        measured = [found for found in measured if found.setting.get(name) in chosen]
    return fixed


def _is_fixed(name: str, fixed: list[Json]) -> bool:
    return any(one["dimension"] == name for one in fixed)


def _is_published(group: Group) -> bool:
    return bool(group[-3])


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
        # What it ran on settles most of how: threads fill the tiers of one chip alike.
        for name in sorted(catalog.METRICS[metric].determinants, key=catalog.is_of_sample):
            if name == ANY_LABEL:
                labels = sorted(label for label in mixed if label.startswith(LABEL_PREFIX))
                yield from filter(askable, labels)
            elif name in mixed:
                yield name


def _chosen(question: Question, measured: list[_Measured], name: str) -> dict[Value, int]:
    """The values to fix, with the machines that have each: never two that one group has both of.

    The one that most machines have comes first, and what is to be divided by last.
    """
    reference = {term.value for term in question.relative_to if term.dimension == name}
    having: dict[Value, set[uuid.UUID | None]] = defaultdict(set)
    groups: dict[Value, set[Group]] = defaultdict(set)
    for found in measured:
        for value in values_of([found.setting]).get(name, ()):
            having[value].add(found.machine_id)
            groups[value].add(found.group)
    machines = {value: len(ids - {None}) for value, ids in having.items()}
    chosen: dict[Value, int] = {}
    kept: set[Group] = set()
    for value in sorted(
        having, key=lambda value: (value in reference, -machines[value], print_value(value))
    ):
        both = kept & groups[value]
        new = groups[value] - kept
        # Where an article mixes what nobody measured so, its figures do, before Macs' are gone.
        if not both or (all(map(_is_published, both)) and not all(map(_is_published, new))):
            chosen[value] = machines[value]
            kept |= groups[value]
    # A group of which nothing is stated would be gone: what is not stated stays, too.
    stating = {group for of_value in groups.values() for group in of_value}
    silent = {found.machine_id for found in measured if found.group not in stating}
    if silent and name not in DETERMINES_WHERE:
        chosen[None] = len(silent - {None})
    return chosen
