"""Embedded comparisons: a page for iframes, oEmbed that leads to it, and citations.

The page needs no script, session or cookie, and anybody may frame it.
"""

import re
from datetime import UTC, datetime
from html import escape
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from macmeter.charts.build import figure_of, title_of
from macmeter.charts.figure import Figure
from macmeter.charts.notes import HEADINGS, alternative_of, citation_text, citations_of, figure_rows
from macmeter.charts.numbers import counted, day
from macmeter.charts.pictures.palette import THEMES, Theme, ThemeName
from macmeter.charts.pictures.picture import LAID_OUT, PREVIEW
from macmeter.charts.router import draw_frozen, frozen_in_words
from macmeter.comparisons.service import frozen_comparison
from macmeter.platform.database import Databases
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.plain_text import safe
from macmeter.platform.schema import Exact
from macmeter.schemas.comparisons import FrozenComparison, ShownComparison
from macmeter.server.dependencies import CurrentServer, public_address
from macmeter.server.http.headers import style_source
from macmeter.server.http.responses import json_response
from macmeter.server.http.routing import Router, refusals, sends

router = Router()

_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_ADDRESS = re.compile(r"/(?:embed/)?c/([^/]+)/?")
# The picture is laid out for two widths; the page switches at the turning point.
_NARROW, _TURNING_POINT = 400, 560
# Height of the text below the picture.
_BELOW = 52


@router.get("/embed/c/{slug}", include_in_schema=False)
@router.get("/embed/c/{slug}/", include_in_schema=False)
async def embedded_comparison(
    slug: str, request: Request, server: CurrentServer, theme: ThemeName | None = None
) -> HTMLResponse:
    """Return the frozen picture with its figures, in `theme` or in the reader's colour scheme."""
    address = public_address(request, server)
    try:
        html = await server.questions.ask(_page, slug, datetime.now(UTC), address, theme)
    except Problem as problem:
        body = f"<p>{escape(problem.detail)}</p>"
        return HTMLResponse(
            _html(problem.title, body, theme), status_code=problem.status, headers=_headers(theme)
        )
    return HTMLResponse(html, headers=_headers(theme))


def _headers(theme: ThemeName | None) -> dict[str, str]:
    policy = (
        f"default-src 'none'; img-src 'self'; style-src {style_source(_style(theme))}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors *"
    )
    return {"Content-Security-Policy": policy, **_HEADERS}


async def _page(
    databases: Databases, slug: str, now: datetime, address: str, theme: ThemeName | None
) -> str:
    comparison = await _read_comparison(databases, slug, now)
    figure = figure_of(comparison["answer"], comparison["runs"])
    title = comparison["title"] or figure.title
    body = (
        f"<h1>{_text(title)}</h1>"
        f"{_picture(comparison, figure, theme)}"
        f"<p>{_text(comparison['mark'] + '. ') if comparison['mark'] else ''}"
        f'Frozen on {frozen_in_words(comparison)}. <a href="{escape(address)}/c/{slug}" '
        'target="_blank" rel="noopener">Open on Macmeter</a></p>'
        f"<details><summary>Figures</summary>{_table(figure)}</details>"
    )
    return _html(title, body, theme)


class OEmbed(Exact):
    """Response of oembed.com, 1.0."""

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


class OEmbedParameters(BaseModel):
    url: str = Field(max_length=2000, description="a comparison's address")
    maxwidth: int | None = Field(None, ge=1)
    maxheight: int | None = Field(None, ge=1)
    format: Literal["json", "xml"] = "json"


class _Room(NamedTuple):
    """Width to take, maximum height, and whether this is a demo."""

    width: int
    highest: int | None
    demo: bool


@router.get(
    "/api/v1/oembed", response_model=OEmbed, responses=refusals(404, 410, 501), tags=["comparisons"]
)
async def get_oembed(
    request: Request, server: CurrentServer, query: Annotated[OEmbedParameters, Query()]
) -> Response:
    """Describe how to embed a comparison, for sites that use oEmbed (oembed.com). JSON only."""
    if query.format != "json":
        detail = "This format isn't available. Use format=json."
        raise Problem(501, "format_not_spoken", "Not implemented", detail)
    address = public_address(request, server)
    slug = _slug(query.url, address)
    room = _Room(min(query.maxwidth or LAID_OUT, LAID_OUT), query.maxheight, server.settings.demo)
    return await server.questions.ask(_embeddable, slug, datetime.now(UTC), address, room)


async def _embeddable(
    databases: Databases, slug: str, now: datetime, address: str, room: _Room
) -> Response:
    comparison = await _read_comparison(databases, slug, now)
    width = room.width
    height = _height(comparison, address, width, demo=room.demo)
    if room.highest is not None:
        height = min(height, room.highest)
    title = comparison["title"] or title_of(comparison["answer"])
    image = f"{address}/api/v1/comparisons/{slug}/chart.png"
    frame = (
        f'<iframe src="{escape(address)}/embed/c/{slug}" width="{width}" height="{height}" '
        f'title="{_text(title)}" loading="lazy" style="border:0;max-width:100%" '
        'sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>'
    )
    return json_response(
        {
            "version": "1.0",
            "type": "rich",
            "title": safe(title),
            "provider_name": "Macmeter",
            "provider_url": address,
            "html": frame,
            "width": width,
            "height": height,
            "thumbnail_url": image,
            "thumbnail_width": PREVIEW[0],
            "thumbnail_height": PREVIEW[1],
            "cache_age": 300,
        }
    )


async def _read_comparison(databases: Databases, slug: str, now: datetime) -> ShownComparison:
    async with databases.latest() as connection:
        return await frozen_comparison(connection, slug, now)


def _slug(url: str, address: str) -> str:
    """Return the slug in one of our addresses. Raise 404 for any other, as oEmbed asks."""
    try:
        page = urlsplit(url)
    except ValueError:
        raise invalid("?url", "url must be a web address.") from None
    match = _ADDRESS.fullmatch(page.path)
    if match is None or page.netloc != urlsplit(address).netloc:
        raise not_found("comparison at that address")
    return match[1]


def _height(comparison: ShownComparison, address: str, width: int, *, demo: bool) -> int:
    """Height of the page at that width. The picture has another layout if it is narrow."""
    laid_out = _NARROW if width < _TURNING_POINT else LAID_OUT
    picture = draw_frozen(comparison, address, "light", laid_out, demo=demo)
    return round(picture.height * width / laid_out) + _BELOW


def _picture(comparison: ShownComparison, figure: Figure, theme: ThemeName | None) -> str:
    """HTML of the picture, in the width and colours of the reader's window."""
    source = f"/api/v1/comparisons/{comparison['slug']}/chart.svg"

    def at(width: int, name: ThemeName) -> str:
        return f"{source}?theme={name}&amp;width={width}"

    narrow, dark = f"(max-width: {_TURNING_POINT - 1}px)", "(prefers-color-scheme: dark)"
    sources = []
    if theme is None:
        sources = [(f"{narrow} and {dark}", at(_NARROW, "dark")), (dark, at(LAID_OUT, "dark"))]
    sources.append((narrow, at(_NARROW, theme or "light")))
    chosen = "".join(f'<source media="{media}" srcset="{link}">' for media, link in sources)
    alt = _text(alternative_of(figure, comparison["title"]))
    return f'<picture>{chosen}<img src="{at(LAID_OUT, theme or "light")}" alt="{alt}"></picture>'


def _table(figure: Figure) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"

    rows = "".join(row(cells, "td") for cells in figure_rows(figure))
    return f"<table><thead>{row(HEADINGS, 'th')}</thead><tbody>{rows}</tbody></table>"


def _text(text: str) -> str:
    """Escape untrusted text: no markup, and no reordering of the text next to it."""
    return escape(safe(text))


def _html(title: str, body: str, theme: ThemeName | None) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="robots" content="noindex">'
        f"<title>{_text(title)} · Macmeter</title><style>{_style(theme)}</style></head>"
        f"<body>{body}</body></html>"
    )


def _style(theme: ThemeName | None) -> str:
    style = _colours(THEMES[theme or "light"]) + _STYLE
    if theme is None:
        style += f"@media (prefers-color-scheme:dark){{{_colours(THEMES['dark'])}}}"
    return style


def _colours(theme: Theme) -> str:
    return f":root{{--paper:{theme.paper};--ink:{theme.ink_2};--rule:{theme.rule}}}"


# The title is in the picture; the heading is for those who don't see that.
_STYLE = (
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:13px/1.5 'IBM Plex Sans',system-ui,sans-serif}"
    "img{display:block;width:100%;height:auto}"
    "h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}"
    "p,details{margin:0;padding:0 24px 6px}a{color:inherit}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:2px 16px 2px 0;text-align:left;border-bottom:1px solid var(--rule)}"
    f"@media (max-width:{_TURNING_POINT - 1}px)"
    "{p,details{padding:0 16px 6px}}"
)


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
    "/api/v1/comparisons/{slug}/citation",
    tags=["comparisons"],
    response_class=Response,
    responses=sends("text/markdown", "application/x-bibtex") | refusals(410),
)
async def get_citation(
    slug: str,
    request: Request,
    server: CurrentServer,
    format_: Annotated[Literal["markdown", "bibtex"], Query(alias="format")] = "markdown",
) -> Response:
    """Cite the comparison, with the articles whose figures it shows."""
    url = f"{public_address(request, server)}/c/{slug}"
    return await server.questions.ask(_cited, slug, datetime.now(UTC), url, format_)


async def _cited(
    databases: Databases, slug: str, now: datetime, url: str, format_: str
) -> Response:
    async with databases.latest() as connection:
        comparison = await frozen_comparison(connection, slug, now)
    text, media_type, name = (
        (bibtex(comparison, url), "application/x-bibtex", "bib")
        if format_ == "bibtex"
        else (markdown(comparison, url), "text/markdown", "md")
    )
    return Response(
        text,
        media_type=f"{media_type}; charset=utf-8",
        headers={
            "Content-Disposition": f'inline; filename="macmeter-{slug}.{name}"',
            "Cache-Control": "no-cache",
        },
    )


def markdown(comparison: FrozenComparison, url: str) -> str:
    """Paragraph for the comparison, and a list of its sources."""
    title = _plain(comparison["title"] or title_of(comparison["answer"]))
    text = (
        f"“{title}”, Macmeter, frozen {day(comparison['created_at'])}, "
        f"{counted(comparison['runs'], 'run')}, SHA-256 {comparison['content_hash']}. <{url}>\n"
    )
    cited = citations_of(comparison["answer"]).values()
    if cited:
        text += "\nWith figures printed in:\n\n"
    for citation in cited:
        text += f"- {citation_text(citation, prepare=_plain)}\n"
    return text


def bibtex(comparison: FrozenComparison, url: str) -> str:
    """Entry for the comparison, and one for each of its sources."""
    frozen = datetime.fromisoformat(comparison["created_at"])
    entries = [
        _entry(
            f"macmeter-{comparison['slug']}",
            title=_braced(comparison["title"] or title_of(comparison["answer"])),
            author="{{Macmeter}}",
            year=f"{{{frozen.year}}}",
            month=_MONTHS[frozen.month - 1],
            url=f"{{{url}}}",
            note=f"{{Frozen {day(comparison['created_at'])}, {counted(comparison['runs'], 'run')}, "
            f"SHA-256 {comparison['content_hash']}}}",
        )
    ]
    for article, citation in citations_of(comparison["answer"]).items():
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
    """Escape text, so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", safe(text))


def _braced(text: str) -> str:
    """Escape text, so that BibTeX keeps it as it is, including capitals."""
    return "{{" + "".join(_BIBTEX.get(letter, letter) for letter in safe(text)) + "}}"
