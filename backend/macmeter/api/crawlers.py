"""What search engines get: what they may read, and which pages there are."""

from __future__ import annotations

from urllib.parse import quote
from xml.sax.saxutils import escape

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response

from macmeter.access.visibility import ANYBODY
from macmeter.api.dependencies import ServerPart, public_address
from macmeter.api.edge.headers import OWN_PAGES
from macmeter.api.pages import dashboard_pages
from macmeter.api.routing import Router
from macmeter.database import Databases
from macmeter.queries.machines import list_machines
from macmeter.queries.runs import Page
from macmeter.queries.things import DIMENSIONS, list_things

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
async def robots(request: Request, part: ServerPart) -> Response:
    """Crawlers may read pages, and the pictures that previews show."""
    text = _ROBOTS.format(address=public_address(request, part))
    return PlainTextResponse(text, headers=_A_DAY)


async def _found(databases: Databases) -> list[str]:
    """The pages of things that everybody may see: chips, models and Macs."""
    paths = []
    async with databases.snapshot() as connection:
        for kind in DIMENSIONS:
            listed = await list_things(connection, kind, ANYBODY)
            paths += [f"/{kind}/{thing.slug}" for thing in listed]
        found = await list_machines(connection, (), "", ANYBODY, Page(_MACS))
    return [*paths, *(f"/machines/{machine['id']}" for machine in found["items"])]


@router.get("/sitemap.xml")
async def sitemap(request: Request, part: ServerPart) -> Response:
    """The dashboard's pages, and those of the chips, models and Macs that everybody sees."""
    found = await part.questions.ask(_found)
    pages = [path for path in dashboard_pages(part.settings.frontend_dir) if "$" not in path]
    paths = [path for path in pages if path not in OWN_PAGES]
    paths += found
    address = public_address(request, part)
    listed = "".join(f"<url><loc>{escape(address + quote(path))}</loc></url>\n" for path in paths)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}">\n{listed}</urlset>\n'
    )
    return Response(text, media_type="application/xml", headers=_A_DAY)
