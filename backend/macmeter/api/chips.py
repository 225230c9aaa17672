"""Chips as data: what published articles state of them."""

from __future__ import annotations

from fastapi.responses import Response
from typing_extensions import TypedDict

from macmeter.answers.exact import exact
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.chips import CHIPS, FACTS, Chip, ChipFact
from macmeter.figures.cited import article_text
from macmeter.ingest.published.figures import Article as PublishedArticle
from macmeter.ingest.published.figures import articles

router = Router(prefix="/api/v1/chips", tags=["answers"])


@exact
class Article(TypedDict):
    article: str
    title: str
    author: str
    publisher: str
    published: str | None
    text: str
    """As a footnote cites it."""


@exact
class Chips(TypedDict):
    chips: tuple[Chip, ...]
    facts: tuple[ChipFact, ...]
    sources: list[Article]


@router.get("", response_model=Chips)
async def get_chips() -> Response:
    """Known configurations of Apple's chips, and frequencies stated of whole families."""
    cited = {*(fact.article for fact in FACTS)}.union(*(chip.sources for chip in CHIPS))
    sources = [_told(article) for article in articles() if article.slug in cited]
    told: Chips = {"chips": CHIPS, "facts": FACTS, "sources": sources}
    return json_response(told)


def _told(article: PublishedArticle) -> Article:
    author = article.author or article.publisher
    return {
        "article": article.slug,
        "title": article.title,
        "author": author,
        "publisher": article.publisher,
        "published": article.published,
        "text": article_text(author, article.title, article.publisher, article.published),
    }
