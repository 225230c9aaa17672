"""Endpoints for answers, facets, runs, the catalogue, and sources of published figures."""

import contextlib
import re
import uuid
from datetime import UTC, datetime
from typing import Annotated, cast

from fastapi import Depends, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from macmeter import Json
from macmeter.accounts.names import names_visible_to
from macmeter.accounts.scope import Principal, mark_of
from macmeter.catalog.chips import CHIPS, FACTS, Chip, ChipFact
from macmeter.charts.build import AnswerResponse, ComparedResponse, with_figure
from macmeter.charts.catalogue import Catalog, render_catalogue
from macmeter.charts.filters import FacetsResponse, FiltersResponse, render_facets, render_filters
from macmeter.charts.notes import article_text
from macmeter.charts.residencies import ResidencyResponse, render_residency
from macmeter.charts.runs import RunDetail, Runs, render_run, render_runs
from macmeter.platform.database import Databases
from macmeter.platform.errors import invalid
from macmeter.platform.schema import Exact
from macmeter.questions.answer import answer
from macmeter.questions.facets import facets
from macmeter.questions.question import (
    flagged_of,
    pairs_of,
    params_of,
    parse_run_terms,
    parse_term,
    parse_terms,
    refuse_unknown,
    single,
)
from macmeter.questions.residency import FITS, ResidencyQuestion, residency
from macmeter.questions.starting_point import starting_point
from macmeter.questions.statement import public_statement
from macmeter.runs.published import sources
from macmeter.runs.queries import doubted_runs, list_runs, one_run, raw_document, readable
from macmeter.schemas.facets import StartingPoint
from macmeter.server.dependencies import CurrentServer, LimitedAddress, Reader, files_of
from macmeter.server.http.responses import SQL, json_response, sql_response
from macmeter.server.http.routing import Router, refusals, sends
from macmeter.server.jobs import AsCsv, compared, of_one_moment
from macmeter.server.query_parameters import (
    FLAGGED,
    WHERE,
    AskedFilters,
    AskedQuestion,
    AskedSides,
    PageParameters,
    QueryParser,
)

router = Router(prefix="/api/v1", tags=["answers"])
comparing = Router(prefix="/api/v1", tags=["compare"])

# The newest ones show what is doubted; the list of runs has all of them under the same filters.
MAX_DOUBTED = 50
# A fleet may keep only the medians of a run.
_DELETED = refusals(410)


@router.get("/answer", response_model=AnswerResponse)
async def get_answer(server: CurrentServer, reader: Reader, question: AskedQuestion) -> Response:
    """Answer a question: groups with figures, ratios, printed figures and what was left out.

    `figure` says the same for readers: titles, cases, lines and printed digits, ready to be drawn.
    """
    now = datetime.now(UTC)
    return await server.questions.send(answer, question, reader, tell=with_figure, now=now)


@router.get("/answer.csv", response_class=Response, responses=sends("text/csv"))
async def get_answer_csv(
    server: CurrentServer, reader: Reader, question: AskedQuestion
) -> Response:
    """Return the same answer as CSV."""
    name = "macmeter-" + "-".join(question.metrics)
    file = AsCsv(name, mark_of(reader, [question.where]))
    return await server.questions.send(answer, question, reader, tell=file, now=datetime.now(UTC))


@router.get("/answer.sql", response_class=Response, responses=sends(SQL) | refusals(403, 429))
async def get_answer_sql(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    question: AskedQuestion,
    address: LimitedAddress,
) -> Response:
    """Return the statement, for DuckDB, that makes the answer's counts and medians of the public
    files of a version that is kept for 30 days: `/api/v1/dataset/VERSION`.
    """
    files = files_of(request, server)
    with contextlib.ExitStack() as stack:
        stack.callback(server.downloads.take(address))
        arguments = (question, reader, files, datetime.now(UTC))
        sql, _ = await server.questions.ask(of_one_moment, public_statement, *arguments)
    return sql_response(sql)


@router.get("/starting-point", response_model=StartingPoint)
async def get_starting_point(
    server: CurrentServer, reader: Reader, question: AskedQuestion
) -> Response:
    """Return the question with everything fixed that its groups would mix; no case is lost."""
    return await server.questions.send(starting_point, question, reader)


@router.get("/facets", response_model=FacetsResponse)
async def get_facets(server: CurrentServer, reader: Reader, asked: AskedFilters) -> Response:
    """List the values of every dimension under the current filters, with their counts."""
    filters = (asked.metrics, asked.where, asked.flagged)
    return await server.questions.send(facets, *filters, reader, tell=render_facets)


@router.get("/filters")
async def get_filters(
    where: Annotated[list[str] | None, Query(description=WHERE)] = None,
) -> FiltersResponse:
    """Describe filters in words."""
    written = dict.fromkeys(where or [])
    parse_terms(written)  # refuses more than a question may have
    return render_filters((text, parse_term(text, "?where")) for text in written)


@router.get("/doubted", response_model=Runs, tags=["runs"])
async def get_doubted(server: CurrentServer, reader: Reader, asked: AskedFilters) -> Response:
    """List the newest runs that the answer to these metrics and filters leaves out as doubtful."""
    if not asked.metrics:
        raise invalid("?metric", "Name the metrics of the answer: metric=NAME.")
    filters = (asked.metrics, asked.where)
    return await server.questions.send(
        doubted_runs, *filters, reader, MAX_DOUBTED, tell=render_runs
    )


@router.get("/runs", response_model=Runs, tags=["runs"])
async def get_runs(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    query: Annotated[PageParameters, Query()],
) -> Response:
    """List runs, newest first."""
    refuse_unknown(request.query_params, ("cursor", "limit", "where"))
    terms = parse_run_terms(query.where)
    return await server.questions.send(list_runs, terms, reader, query.page, tell=render_runs)


@router.get("/runs/{run_id}", response_model=RunDetail, responses=_DELETED, tags=["runs"])
async def get_run(run_id: uuid.UUID, server: CurrentServer, reader: Reader) -> Response:
    """Return one run with its results and flags."""
    return await server.questions.ask(_run_now, run_id, reader)


async def _run_now(databases: Databases, run_id: uuid.UUID, reader: Principal | None) -> Response:
    # Not cached: a new report changes the response, but not the run.
    async with databases.snapshot() as connection, names_visible_to(connection, [reader]):
        with readable(run_id):
            return json_response(render_run(await one_run(connection, run_id, reader)))


@router.get(
    "/runs/{run_id}/document",
    response_class=Response,
    responses=sends("application/json", type="object") | _DELETED,
    tags=["runs"],
)
async def get_document(run_id: uuid.UUID, server: CurrentServer, reader: Reader) -> Response:
    """Return the run document, byte for byte as it was uploaded."""
    async with server.reading.connect() as connection:
        content = await raw_document(connection, run_id, reader)
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})


@router.get("/catalog")
async def get_catalog() -> Catalog:
    """List every metric, dimension and flag that documents and questions can name."""
    return render_catalogue()


@comparing.get("/compare", response_model=ComparedResponse)
async def get_compare(server: CurrentServer, reader: Reader, asked: AskedSides) -> Response:
    """Compare sides: figures, ratios to the baseline with verdicts, and what can't be compared."""
    now = datetime.now(UTC)
    return await server.questions.send(compared, asked, reader, tell=with_figure, now=now)


@comparing.get("/compare.csv", response_class=Response, responses=sends("text/csv"))
async def get_compare_csv(server: CurrentServer, reader: Reader, asked: AskedSides) -> Response:
    """Return the same rows as CSV, with a line for each row and side."""
    file = AsCsv("macmeter-compare", mark_of(reader, [filters.where for filters in asked.filters]))
    return await server.questions.send(compared, asked, reader, tell=file, now=datetime.now(UTC))


_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"


class ResidencyParameters(BaseModel):
    where: list[str] | None = Field(None, description=WHERE)
    flagged: str | None = Field(None, description=FLAGGED)
    fit: str | None = Field(None, description="linear or quadratic")
    active: str | None = Field(None, description="LOW..HIGH: the residencies to take, in cores")


def _parse(query: str) -> ResidencyQuestion:
    params = params_of(pairs_of(query), ("active", "fit", "flagged", "where"))
    low, high = _range(params.get("active", []))
    return ResidencyQuestion(
        where=parse_run_terms(params.get("where")),
        flagged=flagged_of(params),
        fit=single(params, "fit", FITS),
        low=low,
        high=high,
    )


Asked = Annotated[ResidencyQuestion, Depends(QueryParser(_parse, ResidencyParameters))]


@router.get("/residency", response_model=ResidencyResponse)
async def get_residency(server: CurrentServer, reader: Reader, asked: Asked) -> Response:
    """Return the frequency of clusters against the active residency of their cores, in sampled
    runs.
    """
    now = datetime.now(UTC)
    return await server.questions.send(residency, asked, reader, tell=render_residency, now=now)


def _range(written: list[str]) -> tuple[float | None, float | None]:
    if not written:
        return None, None
    match = re.fullmatch(f"({_NUMBER})?\\.\\.({_NUMBER})?", written[-1], re.ASCII)
    if len(written) > 1 or match is None or match[0] == "..":
        raise invalid(
            "?active", "active must be one range of cores: 1.5..5, 1.5.. or ..5.", "bad_value"
        )
    low, high = (float(end) if end else None for end in match.groups())
    if low is not None and high is not None and low > high:
        raise invalid(
            "?active", "active: the lower end must come first, as in 1.5..5.", "bad_value"
        )
    return low, high


class Article(Exact):
    article: str
    title: str
    author: str
    publisher: str
    published: str | None
    text: str
    """Text of a footnote that cites it."""


class Chips(Exact):
    chips: tuple[Chip, ...]
    facts: tuple[ChipFact, ...]
    sources: list[Article]


@router.get("/chips")
async def get_chips() -> Chips:
    """List known configurations of Apple's chips, and frequencies stated for whole families."""
    cited = {*(fact.article for fact in FACTS)}.union(*(chip.sources for chip in CHIPS))
    articles = [_render(entry) for entry in sources()["articles"] if entry["article"] in cited]
    return {"chips": CHIPS, "facts": FACTS, "sources": articles}


def _render(article: Json) -> Article:
    author = article["author"] or article["publisher"]
    title, publisher, published = (article[name] for name in ("title", "publisher", "published"))
    return {
        "article": article["article"],
        "title": title,
        "author": author,
        "publisher": publisher,
        "published": published,
        "text": article_text(author, title, publisher, published),
    }


class SourceFigure(Exact):
    """A printed figure and how it is used. `run` if it is stored, otherwise usually a reason."""

    row: str
    what: str
    printed: str
    qualifier: str | None
    disposition: str
    metric: str | None
    run: str | None
    flags: list[str]
    reason: str | None
    see: list[str]


class Source(Exact):
    article: str
    title: str
    author: str | None
    publisher: str
    published: str | None
    dated: str
    """Date of publication, as pages print it."""
    note: str | None
    figures: list[SourceFigure]
    cautions: list[str]
    """Cautions about stored figures: "3 may have read from the cache", for example."""


class DispositionResponse(Exact):
    """A way in which printed figures are used. Answers count only stored ones."""

    name: str
    stored: bool
    rows: int
    meaning: str


class Sources(Exact):
    dispositions: list[DispositionResponse]
    articles: list[Source]


@router.get("/sources")
async def get_sources() -> Sources:
    """List the articles that published figures are taken from, with every figure they print."""
    return cast(Sources, sources())
