"""The shapes of saved comparisons, as schemas.py has the others."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from macmeter.answers.runs import WithdrawnRun
from macmeter.api.compare_schemas import Compared, SidesAsked
from macmeter.api.schemas import Answer, Question, Shape
from macmeter.figures.changes import ChangePart
from macmeter.figures.figure import Axis, Figure


class Change(Shape):
    groups: int
    largest: float | None
    text: str


class Changes(Shape):
    """Each frozen figure beside today's; `axis` is of the ratios between them."""

    axis: Axis
    parts: list[ChangePart]


class _Saved(Shape):
    slug: str
    private: bool
    url: str
    title: str | None
    note: str | None
    state: Literal["active", "paused", "revoked", "expired"]
    created_at: str
    expires_at: str | None
    format: int
    content_hash: str
    live_hash: str
    changed: bool
    change: Change | None = None
    runs: int
    fewest_machines: int | None
    """Of a private fleet: figures of fewer machines are left out. None where nothing is private."""
    runs_hash: str
    """SHA-256 of the ids of all runs that it rests on, 16 bytes each, ascending."""
    withdrawn: list[WithdrawnRun]
    figure: Figure
    """Tells of `answer`, in today's words; the hash is of the answer alone."""


class SavedAnswer(_Saved):
    kind: Literal["question"]
    question: Question
    answer: Answer


class SavedSides(_Saved):
    kind: Literal["sides"]
    question: SidesAsked
    answer: Compared


class NewAnswer(SavedAnswer):
    """`owner_secret` is shown this once."""

    owner_secret: str


class NewSides(SavedSides):
    """`owner_secret` is shown this once."""

    owner_secret: str


Comparison = Annotated[SavedAnswer | SavedSides, Field(discriminator="kind")]
SavedComparison = Annotated[NewAnswer | NewSides, Field(discriminator="kind")]


class OwnComparison(Shape):
    """One that a person made or adopted; `of_fleet` where it shows a private fleet."""

    slug: str
    title: str | None
    note: str | None
    private: bool
    of_fleet: bool
    state: Literal["active", "paused", "revoked", "expired", "tombstone"]
    created_at: str
    expires_at: str | None
    runs: int


class OwnComparisons(Shape):
    items: list[OwnComparison]


class OEmbed(Shape):
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
