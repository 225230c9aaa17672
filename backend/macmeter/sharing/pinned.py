"""The runs that a frozen answer rests on: how many, their digest, and which it must not outlive.

A comparison keeps its answer and not the ids of a million runs. What is asked finds them again;
that they are the same, their digest tells.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

import numpy as np

from macmeter.queries.behind import runs_of
from macmeter.queries.grouped import Key
from macmeter.queries.groups import Group, groups_of
from macmeter.queries.question import Question
from macmeter.reading.chosen import withdrawn_of
from macmeter.reading.moment import Reading
from macmeter.sharing.behind import Behind, behind
from macmeter.terms import Term

# Fewer machines behind a figure and it would still speak of a deleted run.
KEPT_MACHINES = 3


@dataclass(frozen=True)
class FrozenMetric:
    """One metric of a frozen answer: its groups, and what they are divided by."""

    metric: str
    question: Question
    reference: Question | None = None
    across_machines: bool = False
    """Whether a pair is of two machines: a guest and its host."""
    fixed: tuple[Term, ...] = ()
    side: int = 0
    """Which cell of sides it is: the parameters of its row, and the side's number."""


@dataclass(frozen=True)
class Pinned:
    """`told_of` are the ids of runs behind figures of few machines, ascending; `behind` are the
    fleets' machines behind each.
    """

    runs: int
    sha256: bytes
    told_of: list[uuid.UUID]
    behind: list[Behind]


def pinned(
    reading: Reading,
    metrics: Iterable[FrozenMetric],
    few_pairs: Callable[[FrozenMetric, Key], bool],
    number_of: Callable[[FrozenMetric, Key], int | None],
) -> Pinned:
    """What a frozen answer rests on; `few_pairs` says whether a group's ratio is of few pairs, and
    `number_of` which of the answer's figures it is.
    """
    every: list[str] = []
    told_of: list[str] = []
    whose: list[Behind] = []
    below = count(-1, -1)
    for one in metrics:
        groups = groups_of(reading, one.question)
        reference = one.reference
        references = groups_of(reading, reference) if reference else {}
        for group in (*groups.values(), *references.values()):
            every.append(runs_of([group]))
            if group.machine_count < KEPT_MACHINES:
                told_of.append(runs_of([group]))
        for group in references.values():
            whose += behind(next(below), group)
        for key, group in groups.items():
            number = number_of(one, key)
            if number is not None:
                whose += behind(number, group)
            if few_pairs(one, key):
                told_of += _of_pairs(group, list(references.values()), one.across_machines)
    ids = _distinct(reading, every)
    return Pinned(
        runs=len(ids),
        sha256=hashlib.sha256(b"".join(run_id.bytes for run_id in ids)).digest(),
        told_of=_distinct(reading, told_of),
        behind=whose,
    )


def _of_pairs(group: Group, references: Sequence[Group], across: bool) -> Iterator[str]:
    """The runs of machines that are on both sides."""
    for reference in references:
        shared = np.intersect1d(group.machine_numbers, reference.machine_numbers).tolist()
        for side in (group, reference):
            yield runs_of([side], machines=None if across else shared)


def _distinct(reading: Reading, statements: Sequence[str]) -> list[uuid.UUID]:
    """The ids of the runs that these find, ascending."""
    if not statements:
        return []
    every = " UNION ".join(statements)
    return [run_id for (run_id,) in reading.data.rows(f"{every} ORDER BY run_id")]


async def set_aside_since(
    reading: Reading, metrics: Iterable[FrozenMetric], saved_at: datetime
) -> set[uuid.UUID]:
    """The runs that were counted when it was saved, and are withdrawn now.

    Found by what they are today: one that a later derivation has given another storage, say, is
    not found under the former one.
    """
    found: set[uuid.UUID] = set()
    for one in metrics:
        for question in filter(None, (one.question, one.reference)):
            found |= await withdrawn_of(
                reading, one.metric, question.where, saved_at, question.flagged
            )
    return found
