"""Saved comparisons: an answer, or sides beside one another, as it was frozen under a link."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from macmeter.platform.schema import Exact
from macmeter.schemas.answer import Answer, QuestionTold
from macmeter.schemas.runs import WithdrawnRun
from macmeter.schemas.sides import Compared, SidesTold

Kept = Answer | Compared
OpenState = Literal["active", "paused", "revoked", "expired"]
State = OpenState | Literal["tombstone"]


class Change(TypedDict):
    """How many figures differ from the frozen ones, and the ratio of medians furthest from 1.

    `groups` are groups or cells of sides; `published` are ratios and ranges that articles print.
    Both are 0 where the same figures have other runs behind them.
    """

    groups: int
    published: int
    largest: float | None


class Link(TypedDict):
    """What is said of a comparison, whichever kind it is.

    `fewest_machines` is of a private fleet: figures of fewer machines are left out. `runs_hash` is
    the SHA-256 of the ids of all runs that it rests on, 16 bytes each, ascending. So many figures
    are `withheld` because a fleet is no longer public; `content_hash` is still that of all.
    """

    slug: str
    private: bool
    fewest_machines: int | None
    title: str | None
    note: str | None
    state: OpenState
    created_at: str
    expires_at: str | None
    format: int
    content_hash: str
    runs: int
    runs_hash: str
    withdrawn: list[WithdrawnRun]
    withheld: int


class FrozenComparison(Link):
    """`question` and `answer` are both of the `kind`."""

    kind: str
    question: QuestionTold | SidesTold
    answer: Kept


class ComputedDifferently(Exact):
    """From this derivation on, what its figures mean: `text` says it in a sentence."""

    derivation_version: int
    text: str


class OpenedComparison(FrozenComparison):
    """Beside today's answer; no `change` where its figures are the same.

    `computed_differently` is what was redefined after `derivation_version` of the answer.
    """

    live_hash: str
    changed: bool
    change: Change | None
    computed_differently: list[ComputedDifferently]


class ShownComparison(FrozenComparison):
    """A comparison as readers get it, without today's answer: `mark` says whose private figures it
    has.
    """

    mark: str | None


class OwnComparison(Exact):
    """One that a person made or adopted; `of_fleet` where it shows a private fleet."""

    slug: str
    title: str | None
    note: str | None
    private: bool
    of_fleet: bool
    state: State
    created_at: str
    expires_at: str | None
    runs: int
