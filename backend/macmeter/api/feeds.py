"""Answers as feeds: what changed in them, week by week."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.marks import mark_of
from macmeter.access.scope import Asker
from macmeter.api import schemas
from macmeter.api.asked import AskedQuestion
from macmeter.api.dependencies import Reader, ServerPart, public_address
from macmeter.api.responses import ReadyResponse
from macmeter.atom import MEDIA_TYPE, Entry, Feed, written
from macmeter.figures.news import news_of
from macmeter.figures.numbers import day
from macmeter.figures.words import question_title
from macmeter.queries.answer import describe
from macmeter.queries.question import Question
from macmeter.queries.weekly import Week, monday, weekly

router = APIRouter(prefix="/api/v1", tags=["answers"])


@router.get(
    "/answer.atom",
    response_class=Response,
    responses={
        **schemas.refusals(401, 422, 503),
        200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}},
    },
)
async def get_answer_feed(
    request: Request, part: ServerPart, reader: Reader, question: AskedQuestion
) -> Response:
    """What changed in the answer in each of the last 8 whole weeks, as an Atom feed."""
    site = _Site(public_address(request, part), part.demo)
    # Of the same week it is the same, until something changes.
    return await part.questions.answer(_feed, question, reader, site, monday(datetime.now(UTC)))


@dataclass(frozen=True)
class _Site:
    address: str
    demo: bool


async def _feed(
    connection: AsyncConnection,
    question: Question,
    reader: Asker | None,
    site: _Site,
    until: datetime,
) -> Response:
    own = f"{site.address}/api/v1/answer.atom?{question.canonical}"
    page = f"{site.address}{_page(question)}?{question.canonical}"
    name = "Macmeter demo, invented figures" if site.demo else "Macmeter"
    private = mark_of(reader, [question.where])
    weeks = await weekly(connection, question, reader, until)
    entries = tuple(entry for week in weeks for entry in _entries(week, own, page))
    feed = Feed(
        address=own,
        title=". ".join(filter(None, [f"{name}: {question_title(describe(question))}", private])),
        updated=entries[0].updated if entries else until.isoformat(),
        link=page,
        entries=entries,
    )
    headers = {"Cache-Control": "no-cache"}
    return ReadyResponse(written(feed), media_type=MEDIA_TYPE, headers=headers)


def _entries(week: Week, own: str, page: str) -> list[Entry]:
    """One, or none where the week changed nothing that is printed."""
    news = news_of(week.before, week.after)
    if news is None:
        return []
    title, lines = news
    begins = week.begins.date().isoformat()
    told = f"Week of {day(begins)}: {title}"
    return [Entry(f"{own}#{begins}", told, week.ends.isoformat(), page, lines)]


def _page(question: Question) -> str:
    """Where the same is asked; of scores, which have no page, the drawing."""
    suite = catalog.METRICS[question.metrics[0]].suite
    return catalog.PAGES.get(suite) or "/api/v1/chart.svg"
