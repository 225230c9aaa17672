"""Articles have the same name wherever they are cited."""

from typing import cast

from macmeter.charts.notes import article_text, citation_text
from macmeter.schemas.answer import Citation

ARTICLE = ("Ada", "Which drive?", "The Journal", "2025-07-17")


def test_an_article_is_named_with_its_day() -> None:
    plain = article_text(*ARTICLE, prepare=str)
    assert plain == "Ada, “Which drive?”, The Journal, 17 Jul 2025"


def test_an_article_without_a_day_says_so() -> None:
    plain = article_text(*ARTICLE[:3], None, prepare=str)
    assert plain == "Ada, “Which drive?”, The Journal, undated"


def test_what_others_have_written_turns_nothing_around() -> None:
    text = article_text("אדה", *ARTICLE[1:])
    assert text == "\u2068אדה\u2069, “Which drive?”, The Journal, 17 Jul 2025"


def test_a_citation_without_a_day_is_undated() -> None:
    author, title, publisher, _ = ARTICLE
    citation = {"article": "a", "author": author, "title": title, "publisher": publisher}
    assert citation_text(cast(Citation, citation)).endswith(", undated")
