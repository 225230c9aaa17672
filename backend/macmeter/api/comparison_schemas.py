"""Saved comparisons as they are sent: with their address, and the figure that describes them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from macmeter.answers.answer import Answer, QuestionTold
from macmeter.answers.comparisons import ComputedDifferently, Link, OwnComparison
from macmeter.answers.exact import Exact
from macmeter.answers.sides import Compared, SidesTold
from macmeter.figures.changes import ChangeTold
from macmeter.figures.figure import Figure


class _Saved(Link):
    """`figure` describes `answer`, in today's words; the hash is of the answer alone.

    `computed_differently` is what was redefined after `derivation_version` of the answer.
    """

    url: str
    live_hash: str
    changed: bool
    change: NotRequired[ChangeTold]
    computed_differently: list[ComputedDifferently]
    figure: Figure


class SavedAnswer(Exact, _Saved):
    kind: Literal["question"]
    question: QuestionTold
    answer: Answer


class SavedSides(Exact, _Saved):
    kind: Literal["sides"]
    question: SidesTold
    answer: Compared


class NewAnswer(SavedAnswer):
    """`owner_secret` is shown this once."""

    owner_secret: str


class NewSides(SavedSides):
    """`owner_secret` is shown this once."""

    owner_secret: str


Comparison = Annotated[SavedAnswer | SavedSides, Field(discriminator="kind")]
SavedComparison = Annotated[NewAnswer | NewSides, Field(discriminator="kind")]


class OwnComparisons(Exact):
    items: list[OwnComparison]


class OEmbed(Exact):
    """oembed.com, 1.0."""

    version: Literal["1.0"]
    type: Literal["rich"]
    title: str
    provider_name: str
    provider_url: str
    html: str
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int
    cache_age: int
