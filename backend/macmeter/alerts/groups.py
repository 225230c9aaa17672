"""Groups of a fleet's Macs by a label, such as an office or a rack.

A group is a filter, `label:rack:B`: of the Macs whose newest run has that label. It has a page, and
recipients of alerts may be limited to it. A role may be limited to those of
its Macs that have the label from an admin.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, exists, func, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import SeenFleet
from macmeter.alerts.machines import in_use, is_newest, is_same_machine
from macmeter.alerts.schemas import LabelValues, Share
from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import Op, Term
from macmeter.models import AlertAddress, AlertMail, AlertWebhook, FleetMachine, Machine, Run
from macmeter.platform.errors import Problem, invalid
from macmeter.questions.question import parse_term
from macmeter.questions.sides import MOST_SIDES


class Group(NamedTuple):
    """Macs of a fleet whose newest run has this label."""

    key: str
    value: str

    @property
    def where(self) -> str:
        """Its filter in a question."""
        return str(Term(LABEL_PREFIX + self.key, Op.IS, self.value))

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"

    def has(self) -> ColumnElement[bool]:
        """Condition on rows with `FleetMachine`: the Mac is in the group."""
        labelled = Run.labels[self.key].astext == self.value
        return exists().where(is_newest(), labelled).correlate(FleetMachine)


def group_of(text: str, pointer: str = "?where") -> Group | None:
    """Parse a group's filter; None if it is empty, for the whole fleet. Raise 422 for others."""
    if not text:
        return None
    term = parse_term(text, pointer)
    is_label = term.dimension.startswith(LABEL_PREFIX)
    if not is_label or term.op is not Op.IS or not isinstance(term.value, str):
        detail = f'A group is one label with its value, such as label:rack:B, not "{text[:80]}".'
        raise invalid(pointer, detail, "not_a_group")
    return Group(term.dimension.removeprefix(LABEL_PREFIX), term.value)


def group_seen(access: SeenFleet, where: str) -> Group | None:
    """Parse a group's filter for a reader of the fleet. A limited role has only its own group."""
    group = group_of(where or access.where)
    if access.machine_ids is not None and where_of(group) != access.where:
        raise no_group(group)
    return group


def no_group(group: Group | None) -> Problem:
    detail = f"{group} isn't a group: too few Macs have this label, or it has too many values."
    return Problem(404, "no_group", "No such group", detail)


def where_of(group: Group | None) -> str:
    """Filter of a group, as stored: empty for the whole fleet."""
    return group.where if group is not None else ""


async def members_of(
    connection: AsyncConnection, fleet_id: uuid.UUID, wheres: Collection[str]
) -> dict[str, frozenset[str]]:
    """Ids of the Macs in each of these groups, given by their filters."""
    members = dict[str, frozenset[str]]()
    for where in wheres:
        group = group_of(where)
        if group is not None:
            query = select(FleetMachine.machine_id).join(Machine, is_same_machine())
            chosen = await connection.scalars(query.where(in_use(fleet_id), group.has()))
            members[where] = frozenset(map(str, chosen))
    return members


async def watched_groups(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[str]:
    """Filters of the groups that a recipient of alerts is limited to."""
    limited = (
        select(table.group_where).where(table.fleet_id == fleet_id, table.group_where != "")
        for table in (AlertWebhook, AlertAddress, AlertMail)
    )
    return sorted(await connection.scalars(union(*limited)))


async def labels_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[LabelValues]:
    """Values of the labels that form a few groups of Macs, by their newest runs."""
    query = (
        select(Run.labels, func.count())
        .select_from(Machine)
        .join(FleetMachine, is_same_machine())
        .join(Run, is_newest())
        .where(in_use(fleet_id))
        .group_by(Run.labels)
    )
    rows = await connection.execute(query)
    return by_label((labels, machines) for labels, machines in rows)


def by_label(labels: Iterable[tuple[Mapping[str, str] | None, int]]) -> list[LabelValues]:
    """Labels that form a few groups of Macs; others name one Mac each, or nearly, or all alike.

    `labels` are those of Macs, with the number of Macs that have just these. More groups than a
    comparison has sides could not be compared with one link.
    """
    total, counted = 0, defaultdict[str, Counter[str | None]](Counter)
    for label_set, machines in labels:
        total += machines
        for key, value in (label_set or {}).items():
            counted[key][value] += machines
    values_by_key = {key: most_frequent_first(counted[key]) for key in sorted(counted)}
    return [
        {"key": key, "values": values}
        for key, values in values_by_key.items()
        if len(values) <= MOST_SIDES and _divides([share["machines"] for share in values], total)
    ]


def _divides(sizes: Sequence[int], total: int) -> bool:
    """Whether these groups, and the Macs in none of them, have two with several Macs."""
    return sorted([*sizes, total - sum(sizes), 0])[-2] > 1


def groups_in(
    labels: Mapping[uuid.UUID, Mapping[str, str]], watched: Collection[str]
) -> dict[Group, frozenset[uuid.UUID]]:
    """Macs of each group whose changes a page shows: of labels with few values, and watched ones.

    `labels` are those of each Mac's newest run.
    """
    listed = by_label((own_labels, 1) for own_labels in labels.values())
    groups = [
        Group(label["key"], share["value"])
        for label in listed
        for share in label["values"]
        if share["value"]
    ]
    groups += [group for where in watched if (group := group_of(where)) is not None]
    return {
        group: frozenset(mac for mac, tags in labels.items() if tags.get(group.key) == group.value)
        for group in dict.fromkeys(groups)
    }


def most_frequent_first(machines: Counter[str | None]) -> list[Share]:
    """Number of machines per value."""
    ordered = sorted(machines.items(), key=lambda item: (-item[1], item[0] is None, item[0] or ""))
    return [{"value": value, "machines": number} for value, number in ordered]
