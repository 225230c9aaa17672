"""Where published figures come from: every article, every figure, and how it is used."""

from __future__ import annotations

from collections import Counter

from fastapi.responses import Response
from typing_extensions import TypedDict

from macmeter.answers.exact import exact
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.figures.cited import dated
from macmeter.figures.words import flag_sentence
from macmeter.ingest.published.build import document, run_id
from macmeter.ingest.published.figures import STORED, Article, Disposition, Figure, articles
from macmeter.ingest.published.table import MEANING

router = Router(prefix="/api/v1/sources", tags=["answers"])


@exact
class SourceFigure(TypedDict):
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


@exact
class Source(TypedDict):
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


@exact
class DispositionTold(TypedDict):
    """How a printed figure can be used; answers count only stored ones."""

    name: str
    stored: bool
    rows: int
    meaning: str


@exact
class Sources(TypedDict):
    dispositions: list[DispositionTold]
    articles: list[Source]


@router.get("", response_model=Sources)
async def get_sources() -> Response:
    """The articles that published figures are taken from, with every figure that they print."""
    every = articles()
    counts = Counter(figure.disposition for article in every for figure in article.figures)
    told: Sources = {
        "dispositions": [
            {
                "name": disposition,
                "stored": disposition in STORED,
                "rows": counts[disposition],
                "meaning": MEANING[disposition].replace("`", ""),
            }
            for disposition in Disposition
        ],
        "articles": [_article(article) for article in every],
    }
    return json_response(told)


def _article(article: Article) -> Source:
    figures = [_figure(article, figure) for figure in article.figures]
    flags = Counter(code for figure in figures for code in set(figure["flags"]))
    return {
        "article": article.slug,
        "title": article.title,
        "author": article.author,
        "publisher": article.publisher,
        "published": article.published,
        "dated": dated(article.published),
        "note": article.note,
        "figures": figures,
        "cautions": [
            f"{rows} {flag_sentence(code, rows)}"
            for code, rows in sorted(flags.items(), key=lambda item: (-item[1], item[0]))
        ],
    }


def _figure(article: Article, figure: Figure) -> SourceFigure:
    # The other end of a range is stored with the row that it names.
    stored = figure.disposition in STORED and figure.metric is not None
    return {
        "row": figure.row,
        "what": figure.what,
        "printed": figure.printed,
        "qualifier": figure.qualifier,
        "disposition": figure.disposition,
        "metric": figure.metric if stored else None,
        "run": str(run_id(figure.row)) if stored else None,
        "flags": [w["code"] for w in document(article, figure)["warnings"]] if stored else [],
        "reason": figure.reason,
        "see": list(figure.see),
    }
