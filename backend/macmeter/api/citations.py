"""How to cite a comparison and the articles whose figures it shows."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import Response

from macmeter.answers.comparisons import FrozenComparison
from macmeter.api import schemas
from macmeter.api.dependencies import ServerPart, public_address
from macmeter.api.routing import Router
from macmeter.database import Databases
from macmeter.figures.build import title_of
from macmeter.figures.notes import citation_text, citations_of
from macmeter.figures.numbers import counted, day
from macmeter.plain_text import safe
from macmeter.sharing.comparisons import frozen_comparison

router = Router(prefix="/api/v1/comparisons", tags=["comparisons"])


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~&])")
_BIBTEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@router.get(
    "/{slug}/citation",
    response_class=Response,
    responses=schemas.sends("text/markdown", "application/x-bibtex") | schemas.refusals(410),
)
async def get_citation(
    slug: str,
    request: Request,
    part: ServerPart,
    format_: Annotated[Literal["markdown", "bibtex"], Query(alias="format")] = "markdown",
) -> Response:
    """The comparison as a reference, with the articles whose figures it shows."""
    url = f"{public_address(request, part)}/c/{slug}"
    return await part.questions.ask(_cited, slug, datetime.now(UTC), url, format_)


async def _cited(
    databases: Databases, slug: str, now: datetime, url: str, format_: str
) -> Response:
    async with databases.latest() as connection:
        found = await frozen_comparison(connection, slug, now)
    text, media_type, name = (
        (bibtex(found, url), "application/x-bibtex", "bib")
        if format_ == "bibtex"
        else (markdown(found, url), "text/markdown", "md")
    )
    return Response(
        text,
        media_type=f"{media_type}; charset=utf-8",
        headers={
            "Content-Disposition": f'inline; filename="macmeter-{slug}.{name}"',
            "Cache-Control": "no-cache",
        },
    )


def markdown(found: FrozenComparison, url: str) -> str:
    """One paragraph for the comparison, and a list of its sources."""
    title = _plain(found["title"] or title_of(found["answer"]))
    text = (
        f"“{title}”, Macmeter, frozen {day(found['created_at'])}, "
        f"{counted(found['runs'], 'run')}, SHA-256 {found['content_hash']}. <{url}>\n"
    )
    cited = citations_of(found["answer"]).values()
    if cited:
        text += "\nWith figures printed in:\n\n"
    for citation in cited:
        text += f"- {citation_text(citation, written=_plain)}\n"
    return text


def bibtex(found: FrozenComparison, url: str) -> str:
    """An entry for the comparison, and one for each of its sources."""
    frozen = datetime.fromisoformat(found["created_at"])
    entries = [
        _entry(
            f"macmeter-{found['slug']}",
            title=_braced(found["title"] or title_of(found["answer"])),
            author="{{Macmeter}}",
            year=f"{{{frozen.year}}}",
            month=_MONTHS[frozen.month - 1],
            url=f"{{{url}}}",
            note=f"{{Frozen {day(found['created_at'])}, {counted(found['runs'], 'run')}, "
            f"SHA-256 {found['content_hash']}}}",
        )
    ]
    for article, citation in citations_of(found["answer"]).items():
        dated = citation.get("published")
        entries.append(
            _entry(
                "macmeter-source-" + re.sub(r"[^A-Za-z0-9-]", "-", article),
                title=_braced(citation["title"]),
                author=_braced(citation["author"]),
                howpublished=_braced(citation["publisher"]),
                year=f"{{{dated[:4]}}}" if dated else None,
            )
        )
    return "\n".join(entries)


def _entry(key: str, **fields: str | None) -> str:
    written = "".join(f"  {name} = {value},\n" for name, value in fields.items() if value)
    return f"@misc{{{key},\n{written}}}\n"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\1", safe(text))


def _braced(text: str) -> str:
    """Text that BibTeX keeps as it is, capitals and all."""
    return "{{" + "".join(_BIBTEX.get(letter, letter) for letter in safe(text)) + "}}"
