"""Saved comparisons: an answer or sides, frozen under a link."""

from typing import Literal

from typing_extensions import TypedDict

from macmeter.platform.schema import Exact
from macmeter.schemas.answer import Answer, QuestionResponse
from macmeter.schemas.runs import WithdrawnRun
from macmeter.schemas.sides import Compared, SidesQuestionResponse

FrozenAnswer = Answer | Compared
OpenState = Literal["active", "paused", "revoked", "expired"]
State = OpenState | Literal["tombstone"]


class Change(TypedDict):
    """Number of figures that differ from the frozen ones, and the ratio of medians furthest from 1.

    `groups` counts groups or cells of sides; `published` counts ratios and ranges that articles
    print. Both are 0 if the same figures come from other runs.
    """

    groups: int
    published: int
    largest: float | None


class Link(TypedDict):
    """Properties of a comparison of either kind.

    `fewest_machines` is set for a private fleet: figures of fewer machines are left out.
    `sentence` says in plain words what two sides differ by.
    `runs_hash` is the SHA-256 of the ids of all runs that it rests on, 16 bytes each, ascending.
    `withheld` counts the figures that are left out because a fleet is no longer public;
    `content_hash` is still that of all.
    """

    slug: str
    private: bool
    fewest_machines: int | None
    title: str | None
    note: str | None
    sentence: str | None
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
    """A frozen comparison. `question` and `answer` are both of the `kind`."""

    kind: str
    question: QuestionResponse | SidesQuestionResponse
    answer: FrozenAnswer


class ComputedDifferently(Exact):
    """Change in what figures mean, from this derivation on. `text` says it in a sentence."""

    derivation_version: int
    text: str


class OpenedComparison(FrozenComparison):
    """A frozen comparison beside today's answer. `change` is null if the figures are the same.

    `computed_differently` is what was redefined after the answer's `derivation_version`.
    """

    live_hash: str
    changed: bool
    change: Change | None
    computed_differently: list[ComputedDifferently]


class ShownComparison(FrozenComparison):
    """A comparison as readers get it, without today's answer. `mark` names its private fleets."""

    mark: str | None


class OwnComparison(Exact):
    """A comparison that a person made or adopted. `of_fleet` if it shows a private fleet."""

    slug: str
    title: str | None
    note: str | None
    private: bool
    of_fleet: bool
    state: State
    created_at: str
    expires_at: str | None
    runs: int
