"""Chips as data: what published articles state of them."""

from __future__ import annotations

from macmeter.answers.exact import Exact
from macmeter.api.routing import Router
from macmeter.chips import CHIPS, FACTS, Chip, ChipFact
from macmeter.figures.notes import article_text
from macmeter.ingest.published import sources
from macmeter.untyped import Json

router = Router(prefix="/api/v1/chips", tags=["answers"])


class Article(Exact):
    article: str
    title: str
    author: str
    publisher: str
    published: str | None
    text: str
    """As a footnote cites it."""


class Chips(Exact):
    chips: tuple[Chip, ...]
    facts: tuple[ChipFact, ...]
    sources: list[Article]


@router.get("")
async def get_chips() -> Chips:
    """Known configurations of Apple's chips, and frequencies stated of whole families."""
    cited = {*(fact.article for fact in FACTS)}.union(*(chip.sources for chip in CHIPS))
    articles = [_told(one) for one in sources()["articles"] if one["article"] in cited]
    return {"chips": CHIPS, "facts": FACTS, "sources": articles}


def _told(article: Json) -> Article:
    author = article["author"] or article["publisher"]
    title, publisher, published = (article[name] for name in ("title", "publisher", "published"))
    return {
        "article": article["article"],
        "title": title,
        "author": author,
        "publisher": publisher,
        "published": published,
        "text": article_text(author, title, publisher, published),
    }
