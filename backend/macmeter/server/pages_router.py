"""Pages of the dashboard, each with a link preview, and what crawlers may read.

Over 400 lines: nothing else uses the previews, one for each kind of page.
"""

import json
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import cast
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from macmeter.accounts.scope import Principal
from macmeter.accounts.visibility import ANYBODY
from macmeter.charts.build import figure_of
from macmeter.charts.filters import values_in_words
from macmeter.charts.hardware import render_hardware
from macmeter.charts.notes import alternative_of
from macmeter.charts.numbers import counted, day
from macmeter.charts.pictures.picture import PREVIEW
from macmeter.charts.runs import run_in_words, title_of_run
from macmeter.charts.sides import sides_title
from macmeter.charts.words import question_title, terms_in_words, uncapitalised
from macmeter.comparisons.service import frozen_comparison
from macmeter.machines.hardware import DIMENSIONS, find_hardware, list_things
from macmeter.machines.queries import current_id_of, list_machines
from macmeter.platform.database import Databases
from macmeter.platform.errors import Problem, not_found
from macmeter.platform.plain_text import legible
from macmeter.questions.answer import describe
from macmeter.questions.compare import describe as describe_sides
from macmeter.questions.question import parse_query
from macmeter.questions.sides import asks_for_sides, parse_sides
from macmeter.runs.queries import Page, summary_of_run
from macmeter.schemas.answer import QuestionResponse
from macmeter.schemas.comparisons import FrozenComparison
from macmeter.schemas.hardware import Kind
from macmeter.schemas.runs import RunSummary
from macmeter.schemas.sides import SidesQuestionResponse
from macmeter.server.dependencies import CurrentServer, Server, public_address, reader
from macmeter.server.http.headers import OWN_PAGES
from macmeter.server.http.responses import takes_gzip
from macmeter.server.http.routing import Router

router = Router(include_in_schema=False)

_ROBOTS = """User-agent: *
Allow: /api/v1/chart.
Allow: /api/v1/comparisons/
Disallow: /api/
Sitemap: {address}/sitemap.xml
"""
_A_DAY = {"Cache-Control": "public, max-age=86400"}
# The Macs that measured last; lists lead to the others.
_MACS = 1_000


@router.get("/robots.txt")
async def robots(request: Request, server: CurrentServer) -> Response:
    """Let crawlers read pages, and the pictures that previews show."""
    text = _ROBOTS.format(address=public_address(request, server))
    return PlainTextResponse(text, headers=_A_DAY)


async def _public_paths(databases: Databases) -> list[str]:
    """Paths of the chips, models and Macs that everybody may see."""
    paths = []
    async with databases.snapshot() as connection:
        for kind in DIMENSIONS:
            listed = await list_things(connection, kind, ANYBODY)
            paths += [f"/{kind}/{thing.slug}" for thing in listed]
        machines = await list_machines(connection, (), "", ANYBODY, Page(_MACS))
    return [*paths, *(f"/machines/{machine['id']}" for machine in machines["items"])]


@router.get("/sitemap.xml")
async def sitemap(request: Request, server: CurrentServer) -> Response:
    """List the dashboard's pages, and those of the chips, models and Macs that everybody sees."""
    public_paths = await server.questions.ask(_public_paths)
    pages = [path for path in dashboard_pages(server.settings.frontend_dir) if "$" not in path]
    paths = [path for path in pages if path not in OWN_PAGES]
    paths += public_paths
    address = public_address(request, server)
    listed = "".join(f"<url><loc>{escape(address + quote(path))}</loc></url>\n" for path in paths)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}">\n{listed}</urlset>\n'
    )
    return Response(text, media_type="application/xml", headers=_A_DAY)


# Vite puts a hash of their content into their names: they never change.
_ASSETS = "assets/"
_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
# Paths of the dashboard's router, such as /runs/$id.
_PATHS = "paths.json"
_FRESH = {"Cache-Control": "no-cache"}
_SECURITY = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_HEAD_END = re.compile("</head>", re.IGNORECASE)
_TITLE = re.compile("<title>.*?</title>", re.IGNORECASE | re.DOTALL)
# The dashboard's own description, replaced where a page has a better one.
_DESCRIPTION = re.compile(r'<meta name="description"[^>]*>\s*', re.IGNORECASE)


@dataclass(frozen=True)
class _Preview:
    """Link preview of a page. All of it may be untrusted text."""

    title: str
    text: str
    # Set for a page with a picture: its address, the picture, its description, and the address of
    # oEmbed.
    url: str | None = None
    image: str | None = None
    alt: str | None = None
    oembed: str | None = None


@router.get("/c/{slug}")
@router.get("/c/{slug}/")
async def comparison_page(slug: str, request: Request, server: CurrentServer) -> Response:
    """Return the dashboard with the comparison's title, figures and picture in its head."""
    try:
        address = public_address(request, server)
        preview = await server.questions.ask(_preview_of, slug, datetime.now(UTC), address)
    except Problem as problem:
        return _page(server, _Preview(problem.title, problem.detail), status=problem.status)
    return _page(server, preview)


async def _preview_of(databases: Databases, slug: str, now: datetime, address: str) -> _Preview:
    """Preview of a comparison."""
    async with databases.latest() as connection:
        return _preview(await frozen_comparison(connection, slug, now), address)


def _preview(comparison: FrozenComparison, address: str) -> _Preview:
    url = f"{address}/c/{comparison['slug']}"
    title = comparison["title"] or _words(comparison["question"])
    frozen = f"Frozen on {day(comparison['created_at'])}, {counted(comparison['runs'], 'run')}."
    return _Preview(
        title=title,
        text=comparison["note"] or _filters(comparison["question"]) + frozen,
        url=url,
        image=f"{address}/api/v1/comparisons/{comparison['slug']}/chart.png",
        alt=alternative_of(
            figure_of(comparison["answer"], comparison["runs"]), comparison["title"]
        ),
        oembed=f"{address}/api/v1/oembed?{urlencode({'url': url, 'format': 'json'})}",
    )


def _preview_of_view(query: str, path: str, address: str) -> _Preview | None:
    """Preview of a view whose address has a question, with the picture of its answer.

    None for every other address, and for a question that the dashboard will refuse.
    """
    if "metric=" not in query:
        return None
    try:
        sides = asks_for_sides(query)
        question = (
            describe_sides(parse_sides(query), values_in_words)
            if sides
            else describe(parse_query(query))
        )
    except Problem:
        return None
    title, canonical = _words(question), question["canonical"]
    return _Preview(
        title=title,
        text=_filters(question)
        + "Measured and published Mac performance, with the number of machines and the spread.",
        url=f"{address}/{quote(path)}?{canonical}",
        image=f"{address}/api/v1/chart.png?{canonical}",
        alt=title,
    )


def _words(question: QuestionResponse | SidesQuestionResponse) -> str:
    if "sides" in question:
        return sides_title(cast(SidesQuestionResponse, question))
    return question_title(question)


def _filters(question: QuestionResponse | SidesQuestionResponse) -> str:
    """Filters in words, since a title alone does not name them: "Chip family: M4. ", or nothing."""
    return "".join(f"{text}. " for text in terms_in_words(question["where"]))


@router.get("/runs/{run_id}")
async def run_page(run_id: str, request: Request, server: CurrentServer) -> Response:
    """Return the dashboard, with a public run's figures in its head; 404 for a run that the
    reader may not see.
    """
    if run := await _summary(server, run_id, ANYBODY):
        return _page(server, _Preview(title_of_run(run), run_in_words(run)))
    asking = await _signed_in(request, server)
    if asking is not ANYBODY and await _summary(server, run_id, asking):
        return _page(server)
    return _missing(server, "run")


async def _summary(server: Server, run_id: str, asking: Principal | None) -> RunSummary | None:
    try:
        async with server.reading.connect() as connection:
            return await summary_of_run(connection, uuid.UUID(run_id), asking)
    except (Problem, ValueError):
        return None


@router.get("/machines/{machine_id}")
async def machine_page(machine_id: str, request: Request, server: CurrentServer) -> Response:
    """Return the dashboard, or 404 for a machine without a run that the reader may see. Redirect
    from merged ids.
    """
    try:
        requested = uuid.UUID(machine_id)
    except ValueError:
        return _missing(server, "machine")
    async with server.reading.connect() as connection:
        known_id = await current_id_of(connection, requested, ANYBODY)
        if known_id is None and (asking := await _signed_in(request, server)) is not ANYBODY:
            known_id = await current_id_of(connection, requested, asking)
    if known_id is None:
        return _missing(server, "machine")
    if known_id != requested:
        # Not permanently: a merge can be undone.
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/machines/{known_id}{query}", 307)
    address = public_address(request, server)
    return _page(server, _preview_of_view(request.url.query, request.url.path[1:], address))


async def _signed_in(request: Request, server: Server) -> Principal | None:
    """Return who is signed in in this browser; None for everybody else. A page is never refused."""
    try:
        return await reader(request, server)
    except Problem:
        return ANYBODY


@router.get("/chips/{slug}")
async def chip_page(slug: str, request: Request, server: CurrentServer) -> Response:
    """Return the dashboard with a chip's figures in its head; 404 for one that nobody measured."""
    return await _thing_page("chips", slug, request, server)


@router.get("/models/{slug}")
async def model_page(slug: str, request: Request, server: CurrentServer) -> Response:
    """Return the dashboard with a model's figures in its head; 404 for one that nobody measured."""
    return await _thing_page("models", slug, request, server)


async def _thing_page(kind: Kind, slug: str, request: Request, server: Server) -> Response:
    address = public_address(request, server)
    try:
        return _page(server, await server.questions.ask(_render_hardware, kind, slug, address))
    except Problem as problem:
        return _page(server, _Preview(problem.title, problem.detail), status=problem.status)


async def _render_hardware(databases: Databases, kind: Kind, slug: str, address: str) -> _Preview:
    """Preview of a chip or model, with the picture of its first figure."""
    async with databases.snapshot() as connection:
        detail = render_hardware(await find_hardware(connection, kind, slug, ANYBODY))
    thing, headlines = detail["thing"], detail["headlines"]
    text = "".join(f"{headline.title}: {headline.value}. " for headline in headlines[:3])
    text += f"Measured on {counted(thing.machines, 'Mac')} in {counted(thing.runs, 'run')}."
    if not headlines:
        return _Preview(thing.name, text)
    title = f"{thing.name}: {uncapitalised(headlines[0].title)} among {kind}"
    return _Preview(
        title=thing.name,
        text=text,
        url=f"{address}/{kind}/{quote(thing.slug)}",
        image=f"{address}/api/v1/chart.png?{headlines[0].canonical}",
        alt=title,
    )


@router.get("/{path:path}")
async def page(path: str, request: Request, server: CurrentServer) -> Response:
    """Return a built file, or the dashboard, with 404 if it has no such page. Not for /api."""
    if path.split("/")[0] == "api":
        raise not_found("address")
    file = _built(server.settings.frontend_dir, path)
    if path.startswith(_ASSETS):
        if file is None:
            # The dashboard here would look like a broken script to a browser with an old page.
            raise not_found("file")
        return _packed(file, server.settings.frontend_dir, path, request)
    if file is not None:
        return FileResponse(file, headers={**_FRESH, **_SECURITY})
    if "." in path.split("/")[-1]:
        raise not_found("file")
    if not is_page(server.settings.frontend_dir, path):
        return _missing(server, "page")
    return _page(server, _preview_of_view(request.url.query, path, public_address(request, server)))


def is_page(frontend: Path, path: str) -> bool:
    """Return whether the dashboard has a page at that path, by the list that its build wrote."""
    pages = dashboard_pages(frontend)
    if not pages:
        return True  # an older build, whose router says so itself
    return any(_leads_to(page, f"/{path}".rstrip("/") or "/") for page in pages)


def dashboard_pages(frontend: Path) -> list[str]:
    """Paths of the dashboard's router. Empty for an older build, which wrote no list."""
    listed = frontend / _PATHS
    pages: list[str] = json.loads(listed.read_text()) if listed.is_file() else []
    return pages


def _leads_to(page: str, path: str) -> bool:
    steps, pieces = page.split("/"), path.split("/")
    return len(steps) == len(pieces) and all(
        step == piece or (step.startswith("$") and piece != "")
        for step, piece in zip(steps, pieces, strict=True)
    )


def _missing(server: Server, what: str) -> Response:
    problem = not_found(what)
    return _page(server, _Preview(problem.title, problem.detail), status=problem.status)


def _packed(file: Path, frontend: Path, path: str, request: Request) -> FileResponse:
    """Return the file as packed by the build, if accepted: scripts are a third then."""
    headers = {**_FOR_EVER, **_SECURITY, "Vary": "Accept-Encoding"}
    packed = _built(frontend, f"{path}.gz")
    if packed is None or not takes_gzip(request.headers):
        return FileResponse(file, headers=headers)
    media_type = FileResponse(file).media_type
    headers["Content-Encoding"] = "gzip"
    return FileResponse(packed, media_type=media_type, headers=headers)


def _built(frontend: Path, path: str) -> Path | None:
    """Return the built file of that path; None for any other path, wherever it leads."""
    try:
        file = (frontend / path).resolve()
        return file if file.is_relative_to(frontend.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return None


def _page(server: Server, preview: _Preview | None = None, *, status: int = 200) -> HTMLResponse:
    """Return the dashboard's page. Everything inserted is escaped, whoever wrote it."""
    html = _index(server.settings.frontend_dir)
    if preview is not None:
        title = _text(preview.title)
        html = _TITLE.sub(lambda _: f"<title>{title} · Macmeter</title>", html, count=1)
        html = _DESCRIPTION.sub("", html)
        html = _HEAD_END.sub(lambda _: _tags(preview) + "</head>", html, count=1)
    return HTMLResponse(html, status_code=status, headers={**_FRESH, **_SECURITY})


def _tags(preview: _Preview) -> str:
    width, height = PREVIEW
    properties = {
        "og:title": preview.title,
        "og:description": preview.text,
        "og:type": "website",
        "og:site_name": "Macmeter",
    }
    names = {"description": preview.text, "twitter:card": "summary"}
    if preview.url and preview.image and preview.alt:
        properties |= {
            "og:url": preview.url,
            "og:image": preview.image,
            "og:image:type": "image/png",
            "og:image:width": str(width),
            "og:image:height": str(height),
            "og:image:alt": preview.alt,
        }
        names |= {
            "twitter:card": "summary_large_image",
            "twitter:image": preview.image,
            "twitter:image:alt": preview.alt,
        }
    tags = [_meta("property", name, content) for name, content in properties.items()]
    tags += [_meta("name", name, content) for name, content in names.items()]
    if preview.oembed:
        tags.append(
            f'<link rel="alternate" type="application/json+oembed" '
            f'href="{escape(preview.oembed)}" title="{_text(preview.title)}">'
        )
    return "".join(tags)


def _text(text: str) -> str:
    """Escape untrusted text: no markup, and no reordering of the text next to it."""
    return escape(legible(text))


def _meta(key: str, name: str, content: str) -> str:
    return f'<meta {key}="{name}" content="{_text(content)}">'


def _index(frontend: Path) -> str:
    if not (frontend / "index.html").is_file():
        raise Problem(
            503, "no_dashboard", "No dashboard", "The dashboard isn't built. Run make serve."
        )
    return (frontend / "index.html").read_text(encoding="utf-8")
