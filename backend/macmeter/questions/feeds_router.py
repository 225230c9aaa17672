"""Answers as Atom feeds: what changed in them, week by week."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import Request
from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal, mark_of
from macmeter.catalog.terms import Term
from macmeter.charts.changes import news_of
from macmeter.charts.filters import values_in_words
from macmeter.charts.numbers import day
from macmeter.charts.sides import sides_title
from macmeter.charts.words import question_title
from macmeter.platform.atom import MEDIA_TYPE, Entry, Feed, written
from macmeter.questions.answer import answer_of, describe
from macmeter.questions.compare import compare_of
from macmeter.questions.compare import describe as describe_sides
from macmeter.questions.question import Question
from macmeter.questions.sides import SidesQuestion
from macmeter.questions.weekly import Week, monday, weekly_answers
from macmeter.results.context import Reading
from macmeter.schemas.answer import Answer
from macmeter.schemas.sides import Compared
from macmeter.server.dependencies import CurrentServer, Reader, public_address
from macmeter.server.http.responses import ReadyResponse
from macmeter.server.http.routing import Router, sends
from macmeter.server.query_parameters import AskedQuestion, AskedSides

router = Router(prefix="/api/v1", tags=["answers"])


@router.get("/answer.atom", response_class=Response, responses=sends(MEDIA_TYPE))
async def get_answer_feed(
    request: Request, server: CurrentServer, reader: Reader, question: AskedQuestion
) -> Response:
    """Return what changed in the answer in each of the last 8 whole weeks, as an Atom feed."""
    site = _Site(public_address(request, server), server.settings.demo)
    # The same for a whole week, until data changes.
    return await server.questions.answer(_feed, question, reader, site, monday(datetime.now(UTC)))


@router.get("/compare.atom", response_class=Response, responses=sends(MEDIA_TYPE))
async def get_compare_feed(
    request: Request, server: CurrentServer, reader: Reader, asked: AskedSides
) -> Response:
    """Return what changed between sides in each of the last 8 whole weeks, as an Atom feed."""
    site = _Site(public_address(request, server), server.settings.demo)
    return await server.questions.answer(_feed, asked, reader, site, monday(datetime.now(UTC)))


@dataclass(frozen=True)
class _Site:
    address: str
    demo: bool


async def _feed(
    connection: AsyncConnection,
    question: Question | SidesQuestion,
    reader: Principal | None,
    site: _Site,
    until: datetime,
) -> Response:
    subject = (
        _sides_subject(question)
        if isinstance(question, SidesQuestion)
        else _question_subject(question)
    )
    feed_address = f"{site.address}/api/v1/{subject.endpoint}.atom?{question.canonical}"
    page = f"{site.address}{subject.page}?{question.canonical}"
    server_name = "Macmeter demo, invented figures" if site.demo else "Macmeter"
    private = mark_of(reader, subject.where)
    weeks = await weekly_answers(connection, reader, until, subject.answer_at)
    entries = tuple(entry for week in weeks for entry in _entries(week, feed_address, page))
    feed = Feed(
        address=feed_address,
        title=". ".join(filter(None, [f"{server_name}: {subject.title}", private])),
        updated=entries[0].updated if entries else until.isoformat(),
        link=page,
        entries=entries,
    )
    headers = {"Cache-Control": "no-cache"}
    return ReadyResponse(written(feed), media_type=MEDIA_TYPE, headers=headers)


@dataclass(frozen=True)
class _FeedSubject:
    """What a feed follows. `endpoint` answers it live, and `page` shows it."""

    endpoint: str
    page: str
    title: str
    where: Sequence[Sequence[Term]]
    answer_at: Callable[[Reading, datetime], Awaitable[Answer | Compared]]


def _question_subject(question: Question) -> _FeedSubject:
    async def answer_at(reading: Reading, moment: datetime) -> Answer | Compared:
        return await answer_of(reading, question, moment)

    title = question_title(describe(question))
    return _FeedSubject("answer", _page_path(question), title, [question.where], answer_at)


def _sides_subject(question: SidesQuestion) -> _FeedSubject:
    async def answer_at(reading: Reading, moment: datetime) -> Answer | Compared:
        return await compare_of(reading, question, moment, values_in_words)

    title = sides_title(describe_sides(question, values_in_words))
    where = [filters.where for filters in question.filters]
    return _FeedSubject("compare", "/compare", title, where, answer_at)


def _entries(week: Week[Answer | Compared], feed_address: str, page: str) -> list[Entry]:
    """Return the entry of a week; none if it changed nothing that is printed."""
    news = news_of(week.before, week.after)
    if news is None:
        return []
    title, lines = news
    begins = week.begins.date().isoformat()
    heading = f"Week of {day(begins)}: {title}"
    return [Entry(f"{feed_address}#{begins}", heading, week.ends.isoformat(), page, lines)]


def _page_path(question: Question) -> str:
    """Return the path of the question's page, or of its chart for scores, which have no page."""
    suite = catalog.METRICS[question.metrics[0]].suite
    return catalog.PAGES.get(suite) or "/api/v1/chart.svg"
