"""Where published figures come from: every article, every figure, and how it is used."""

from __future__ import annotations

from typing import cast

from macmeter.answers.exact import Exact
from macmeter.api.routing import Router
from macmeter.ingest.published import sources

router = Router(prefix="/api/v1/sources", tags=["answers"])


class SourceFigure(Exact):
    """A printed figure and how it is used; `run` if it is stored, otherwise usually a reason."""

    row: str
    what: str
    printed: str
    qualifier: str | None
    disposition: str
    metric: str | None
    run: str | None
    flags: list[str]
    reason: str | None
    see: list[str]


class Source(Exact):
    article: str
    title: str
    author: str | None
    publisher: str
    published: str | None
    dated: str
    """The same as pages print it."""
    note: str | None
    figures: list[SourceFigure]
    cautions: list[str]
    """Of the stored ones: "3 may have read from the cache"."""


class DispositionTold(Exact):
    """How a printed figure can be used; answers count only stored ones."""

    name: str
    stored: bool
    rows: int
    meaning: str


class Sources(Exact):
    dispositions: list[DispositionTold]
    articles: list[Source]


@router.get("")
async def get_sources() -> Sources:
    """The articles that published figures are taken from, with every figure that they print."""
    return cast(Sources, sources())
