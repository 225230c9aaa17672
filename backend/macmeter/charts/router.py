"""Pictures of answers, live and frozen, for READMEs, mail, link previews and embeds."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal, mark_of
from macmeter.charts.build import figure_of
from macmeter.charts.numbers import counted, day
from macmeter.charts.pictures.palette import ThemeName
from macmeter.charts.pictures.picture import Caption, Picture, draw, draw_gone, typeface
from macmeter.charts.pictures.png_renderer import PngRenderer
from macmeter.comparisons.service import frozen_comparison
from macmeter.platform.database import Databases
from macmeter.platform.errors import Problem
from macmeter.questions.answer import answer
from macmeter.questions.cost import require_drawable
from macmeter.questions.question import Question
from macmeter.questions.sides import SidesQuestion
from macmeter.schemas.answer import Answer
from macmeter.schemas.comparisons import ShownComparison
from macmeter.schemas.sides import Compared
from macmeter.server.dependencies import CurrentServer, Reader, public_address
from macmeter.server.http.headers import style_source
from macmeter.server.http.responses import is_known
from macmeter.server.http.routing import Responses, Router, sends
from macmeter.server.jobs import compared
from macmeter.server.query_parameters import AskedPicture

router = Router(prefix="/api/v1", tags=["pictures"])

SVG, PNG = "image/svg+xml", "image/png"
_SVG_WIDTH = 1200


class LookParameters(BaseModel):
    """Requested look of a picture."""

    theme: ThemeName = Field("light", description="light (default) or dark")
    width: int | None = Field(
        None,
        ge=400,
        le=1600,
        description="pixels; the height follows. A PNG without it is 1200 by 630, for previews",
    )


LookQuery = Annotated[LookParameters, Query()]


def _live_responses(media_type: str) -> Responses:
    unchanged = {"description": "The picture is the one of If-None-Match."}
    return sends(media_type, format="binary") | {304: unchanged}


def _link_responses(media_type: str) -> Responses:
    gone = {"description": "The comparison isn't open to readers: a picture that says so."}
    responses = _live_responses(media_type)
    return responses | {410: gone | responses[200]}


@router.get("/chart.svg", response_class=Response, responses=_live_responses(SVG))
async def get_chart_svg(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    question: AskedPicture,
    query: LookQuery,
) -> Response:
    """Draw the answer to a question, or sides, as SVG, with its typeface embedded."""
    look = _look(request, server, query, _SVG_WIDTH)
    picture = await _live_picture(server, reader, question, look)
    return _svg(request, picture)


@router.get("/chart.png", response_class=Response, responses=_live_responses(PNG))
async def get_chart_png(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    question: AskedPicture,
    query: LookQuery,
) -> Response:
    """Draw the answer to a question, or sides, as PNG."""
    picture = await _live_picture(server, reader, question, _look(request, server, query))
    return await _png(request, picture)


@router.get(
    "/comparisons/{slug}/chart.svg",
    response_class=Response,
    responses=_link_responses(SVG),
    tags=["comparisons"],
)
async def get_comparison_svg(
    slug: str, request: Request, server: CurrentServer, query: LookQuery
) -> Response:
    """Draw the frozen answer as SVG."""
    picture = await _frozen_picture(server, slug, _look(request, server, query, _SVG_WIDTH))
    if picture is None:
        return _gone(draw_gone(query.theme).with_typeface(), SVG)
    return _svg(request, picture)


@router.get(
    "/comparisons/{slug}/chart.png",
    response_class=Response,
    responses=_link_responses(PNG),
    tags=["comparisons"],
)
async def get_comparison_png(
    slug: str, request: Request, server: CurrentServer, query: LookQuery
) -> Response:
    """Draw the frozen answer as PNG, by default in the shape of link previews."""
    picture = await _frozen_picture(server, slug, _look(request, server, query))
    if picture is None:
        return _gone(await _renderer(request).png(draw_gone(query.theme).svg), PNG)
    return await _png(request, picture)


def draw_frozen(
    comparison: ShownComparison, address: str, theme: ThemeName, width: int | None, *, demo: bool
) -> Picture:
    """Draw a comparison's frozen answer, with the link to it."""
    caption = Caption(
        dated=f"frozen on {frozen_in_words(comparison)}",
        link=f"{_bare(address)}/c/{comparison['slug']}",
        title=comparison["title"],
        demo=demo,
        private=comparison["mark"],
    )
    return draw(figure_of(comparison["answer"], comparison["runs"]), caption, theme, width)


def frozen_in_words(comparison: ShownComparison) -> str:
    """Format when it was frozen: "22 Nov 2026, 1 run withdrawn since", for example."""
    withdrawn = len(comparison["withdrawn"])
    since = f", {counted(withdrawn, 'run')} withdrawn since" if withdrawn else ""
    return day(comparison["created_at"]) + since


@dataclass(frozen=True)
class _Look:
    """What a picture's look depends on, whatever it shows."""

    address: str
    demo: bool
    theme: ThemeName
    width: int | None


def _look(
    request: Request,
    server: CurrentServer,
    parameters: LookParameters,
    default_width: int | None = None,
) -> _Look:
    """Return the requested look, with `default_width` if no width is requested."""
    address = public_address(request, server)
    return _Look(address, server.settings.demo, parameters.theme, parameters.width or default_width)


async def _frozen_picture(server: CurrentServer, slug: str, look: _Look) -> Picture | None:
    """Draw a comparison; None if its owner has closed it.

    Pages that embed it can't read a problem's text.
    """
    try:
        return await server.questions.ask(_draw_comparison, slug, datetime.now(UTC), look)
    except Problem as problem:
        if problem.status != 410:
            raise
        return None


async def _draw_comparison(databases: Databases, slug: str, now: datetime, look: _Look) -> Picture:
    # Reads the writing database: a link is shared right after it was saved.
    async with databases.latest() as connection:
        comparison = await frozen_comparison(connection, slug, now)
    return draw_frozen(comparison, look.address, look.theme, look.width, demo=look.demo)


async def _live_picture(
    server: CurrentServer, reader: Reader, question: Question | SidesQuestion, look: _Look
) -> Picture:
    return await server.questions.answer(_draw_live, question, reader, look, now=datetime.now(UTC))


async def _draw_live(
    connection: AsyncConnection,
    question: Question | SidesQuestion,
    reader: Principal | None,
    look: _Look,
    now: datetime,
) -> Picture:
    result: Answer | Compared
    if isinstance(question, SidesQuestion):
        result = await compared(connection, question, reader, now)
        filters = [cell.where for cell in question.filters]
    else:
        result, filters = await answer(connection, question, reader, now), [question.where]
    require_drawable(result)
    # Only the day, so that the same data gives the same bytes.
    caption = Caption(
        f"as of {day(result['as_of'])}",
        _bare(look.address),
        demo=look.demo,
        private=mark_of(reader, filters),
    )
    return draw(figure_of(result), caption, look.theme, look.width)


def _bare(address: str) -> str:
    """Format an address without its scheme: macmeter.example/path."""
    split = urlsplit(address)
    return split.netloc + split.path


def _svg(request: Request, picture: Picture) -> Response:
    unchanged = _unchanged(request, picture, SVG)
    if unchanged is not None:
        return unchanged
    return Response(picture.with_typeface(), media_type=SVG, headers=_headers(picture, SVG))


async def _png(request: Request, picture: Picture) -> Response:
    unchanged = _unchanged(request, picture, PNG)
    if unchanged is not None:
        return unchanged
    return Response(
        await _renderer(request).png(picture.svg), media_type=PNG, headers=_headers(picture, PNG)
    )


def _renderer(request: Request) -> PngRenderer:
    return cast(PngRenderer, request.app.state.renderer)


def _gone(content: str | bytes, media_type: str) -> Response:
    headers = {"Cache-Control": "no-store", **_embeddable_headers()}
    return Response(content, status_code=410, media_type=media_type, headers=headers)


def _unchanged(request: Request, picture: Picture, media_type: str) -> Response | None:
    """Return 304 if the client has these bytes. Drawing is quick; only sending is saved."""
    if not is_known(request.headers.get("if-none-match", ""), _etag(picture, media_type)):
        return None
    return Response(status_code=304, headers=_headers(picture, media_type))


def _etag(picture: Picture, media_type: str) -> str:
    return f'W/"{hashlib.sha256(f"{media_type} {picture.svg}".encode()).hexdigest()[:32]}"'


def _headers(picture: Picture, media_type: str) -> dict[str, str]:
    """Headers that make clients revalidate: what is paused or private disappears at once."""
    return {
        "ETag": _etag(picture, media_type),
        "Cache-Control": "public, no-cache",
        **_embeddable_headers(),
    }


@cache
def _embeddable_headers() -> dict[str, str]:
    policy = f"default-src 'none'; style-src {style_source(typeface())}; font-src data:"
    return {"Cross-Origin-Resource-Policy": "cross-origin", "Content-Security-Policy": policy}
