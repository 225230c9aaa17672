"""Every article, every figure, and how it is used: the content of `/api/v1/sources`."""

from __future__ import annotations

from collections import Counter

from macmeter.charts.notes import dated
from macmeter.charts.words import flag_sentence
from macmeter.questions.router import DispositionResponse, Source, SourceFigure, Sources

from published.build import document, run_id
from published.figures import STORED, Article, Disposition, Figure, articles
from published.table import MEANING


def sources() -> Sources:
    """All articles by slug, each with its figures in the order of its rows."""
    all_articles = articles()
    counts = Counter(figure.disposition for article in all_articles for figure in article.figures)
    return {
        "dispositions": [_disposition(kind, counts[kind]) for kind in Disposition],
        "articles": [_article(article) for article in all_articles],
    }


def _disposition(disposition: Disposition, rows: int) -> DispositionResponse:
    return {
        "name": disposition,
        "stored": disposition in STORED,
        "rows": rows,
        "meaning": MEANING[disposition].replace("`", ""),
    }


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
