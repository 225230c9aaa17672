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

from macmeter import catalog
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools
from macmeter.columns.view import Part
from macmeter.queries.groups import Group, groups_of
from macmeter.queries.question import Question
from macmeter.queries.splitting import Key
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
    every: list[Ints] = []
    told_of: list[Ints] = []
    whose: list[Behind] = []
    below = count(-1, -1)
    for one in metrics:
        groups = groups_of(reading, one.question, one.metric, one.question.where)
        reference = one.reference
        references = groups_of(reading, reference, one.metric, reference.where) if reference else {}
        for group in (*groups.values(), *references.values()):
            every.append(group.runs)
            if group.machine_count < KEPT_MACHINES:
                told_of.append(group.runs)
        for group in references.values():
            whose += behind(next(below), group)
        for key, group in groups.items():
            number = number_of(one, key)
            if number is not None:
                whose += behind(number, group)
            if few_pairs(one, key):
                told_of += _of_pairs(group, list(references.values()), one.across_machines)
    ids = sorted(reading.view.run_ids(_distinct(every)))
    few = sorted(reading.view.run_ids(_distinct(told_of)))
    return Pinned(
        runs=len(ids),
        sha256=hashlib.sha256(b"".join(ids)).digest(),
        told_of=[uuid.UUID(bytes=run_id) for run_id in few],
        behind=whose,
    )


def _of_pairs(group: Group, references: Sequence[Group], across: bool) -> Iterator[Ints]:
    """The runs of machines that are on both sides."""
    for reference in references:
        shared = np.intersect1d(group.machines, reference.machines)
        for side in (group, reference):
            yield side.runs if across else side.runs[np.isin(side.machines, shared)]


def _distinct(runs: Sequence[Ints]) -> Ints:
    return np.unique(np.concatenate(runs)) if runs else np.zeros(0, dtype=np.int64)


def set_aside_since(
    reading: Reading, metrics: Iterable[FrozenMetric], saved_at: datetime
) -> list[uuid.UUID]:
    """The runs that were counted when it was saved, and are withdrawn now.

    Found by what they are today: one that a later derivation has given another storage, say, is
    not found under the former one.
    """
    before = int(saved_at.timestamp() * 1e6)
    found: set[bytes] = set()
    for one in metrics:
        for question in filter(None, (one.question, one.reference)):
            parts = reading.view.parts(one.metric, question.where, reading.scope, aside=True)
            for part in (part for listed in parts.values() for part in listed):
                kept = part.of_runs("withdrawn") & (part.of_runs("received") <= before)
                if question.flagged == "exclude":
                    kept &= ~_doubted(reading, part)
                found.update(reading.view.run_ids(part.runs[kept]))
    return [uuid.UUID(bytes=run_id) for run_id in found]


def _doubted(reading: Reading, part: Part) -> Bools:
    """By row, whether it was left out of the answer anyway."""
    doubts = [any(map(catalog.is_doubt, flags)) for flags in reading.view.names.flags.things]
    doubted: Bools = np.array(doubts, dtype=bool)[part.only(part.rows.flags)]
    return doubted
