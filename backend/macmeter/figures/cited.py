"""Articles in words, as footnotes, pages and citations name them."""

from __future__ import annotations

from collections.abc import Callable

from macmeter.answers.answer import Citation
from macmeter.figures.numbers import day
from macmeter.plain_text import isolated


def citation_text(citation: Citation, *, written: Callable[[str], str] = isolated) -> str:
    """A citation in the form of `article_text`."""
    who = (citation["author"], citation["title"], citation["publisher"])
    return article_text(*who, citation.get("published"), written=written)


def article_text(
    author: str,
    title: str,
    publisher: str,
    published: str | None,
    *,
    written: Callable[[str], str] = isolated,
) -> str:
    """ "Author, “Title”, Publisher, 17 Jul 2025"; `written` prepares what others have written."""
    author, title, publisher = map(written, (author, title, publisher))
    return f"{author}, “{title}”, {publisher}, {dated(published)}"


def dated(published: str | None) -> str:
    """The day of an article: "17 Jul 2025"."""
    return day(published) if published else "undated"
