"""Saved comparisons: an answer, or sides beside one another, as it was frozen under a link."""

from __future__ import annotations

from typing_extensions import TypedDict

from macmeter.answers.answer import Answer, QuestionTold
from macmeter.answers.runs import WithdrawnRun
from macmeter.answers.sides import Compared, SidesTold

Kept = Answer | Compared


class Change(TypedDict):
    """How many groups differ from the frozen ones, and the ratio of medians furthest from 1."""

    groups: int
    largest: float | None


class FrozenComparison(TypedDict):
    """`question` and `answer` are both of the `kind`; `fewest_machines` where it is of a fleet."""

    slug: str
    private: bool
    fewest_machines: int | None
    title: str | None
    note: str | None
    state: str
    created_at: str
    expires_at: str | None
    format: int
    kind: str
    question: QuestionTold | SidesTold
    answer: Kept
    content_hash: str
    runs: int
    runs_hash: str
    withdrawn: list[WithdrawnRun]


class OpenedComparison(FrozenComparison):
    """Beside today's answer; no `change` where its figures are the same."""

    live_hash: str
    changed: bool
    change: Change | None


class ShownComparison(FrozenComparison):
    """As it leaves the screen, without today's answer: `mark` says whose private figures it has."""

    mark: str | None


class OwnComparison(TypedDict):
    """One that a person made or adopted; `of_fleet` where it shows a private fleet."""

    slug: str
    title: str | None
    note: str | None
    private: bool
    of_fleet: bool
    state: str
    created_at: str
    expires_at: str | None
    runs: int
