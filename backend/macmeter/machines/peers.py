"""Peers of a Mac, which it is compared with: Macs with its chip, VMs apart from others, measured
by the same method on the same kind of storage.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.catalog.terms import Op, Term
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Group, Groups, groups_of
from macmeter.questions.question import Question
from macmeter.results.context import Reading
from macmeter.results.dataset.sql import machine_number
from macmeter.schemas.machines import Line, MachineFacts, OnVersion
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.summary import Array, percentile

# More marks on a strip aren't visible.
_MOST_SHOWN = 100
# Disk images of other formats or states differ as much as other kinds of storage.
_SHARED_BY_PEERS = (*catalog.having(Trait.LIKE_WITH_LIKE), "image_format", "image_state")


@dataclass(frozen=True)
class Mac:
    """A Mac as a reader sees it. `alike` selects its peers: its chip, and whether it is a VM."""

    reading: Reading
    id: uuid.UUID
    alike: tuple[Term, ...]

    @classmethod
    def of(cls, reading: Reading, facts: MachineFacts) -> "Mac":
        terms = [Term("virtual", Op.IS, facts["virtual"])]
        if facts["chip"] is not None:
            terms.append(Term("chip", Op.IS, facts["chip"]))
        return cls(reading, uuid.UUID(facts["id"]), tuple(terms))

    @property
    def number(self) -> int:
        return machine_number(self.id)

    def others(self, group: Group | None) -> Array:
        """Return the others' values in a group, ascending."""
        return np.sort([*self.by_machine(group).values()]) if group else np.zeros(0)

    def by_machine(self, group: Group | None) -> dict[int, float]:
        """Return the others' values in a group by their numbers."""
        if group is None:
            return {}
        numbers, values = group.named.machine_numbers, group.named.machine_values
        by_number = dict(zip(numbers.tolist(), values.tolist(), strict=True))
        by_number.pop(self.number, None)
        return by_number


def narrowed_to_line(question: Question, line: Line) -> Question:
    """Narrow a question to the line's parameters, and to the conditions that its peers share."""
    stated = line.parameters | {name: line.configuration.get(name) for name in _SHARED_BY_PEERS}
    terms = [
        Term(name, Op.IS, value)
        for name, value in stated.items()
        if isinstance(value, (str, int, float))
    ]
    replaced = {term.dimension for term in terms}
    remaining = (term for term in question.where if term.dimension not in replaced)
    return replace(question, where=tuple(sorted([*remaining, *terms], key=str)))


def groups_by_version(mac: Mac, question: Question) -> Groups:
    """Return a question's groups by macOS version."""
    return groups_of(mac.reading, replace(question, by=("os_version",)))


def peers_on_versions(mac: Mac, line: Line) -> Iterator[OnVersion]:
    """Yield the line's peers on each of its versions of macOS."""
    groups = groups_by_version(mac, narrowed_to_line(Question((line.metric,), (), mac.alike), line))
    key = Key((), False, line.method, line.method_version)
    for version in dict.fromkeys(point.os_version for point in line.points):
        others = mac.others(groups.get(replace(key, by=(version,))))
        if version is None or not len(others):
            continue
        low, middle, high = (percentile(others, share) for share in (0.1, 0.5, 0.9))
        is_enough = len(others) >= MINIMUM
        band = (low, high) if is_enough else (None, None)
        yield OnVersion(version, len(others), band[0], middle, band[1])


def sample_of(values: Array) -> list[float]:
    """Return these ascending values; if they are many, an even sample of them."""
    if len(values) > _MOST_SHOWN:
        values = values[np.linspace(0, len(values) - 1, _MOST_SHOWN).round().astype(int)]
    sample: list[float] = values.tolist()
    return sample
