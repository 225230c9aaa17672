"""Reading: the catalogue, answers, facets and runs."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from macmeter.access.marks import mark_of
from macmeter.access.scope import Asker
from macmeter.answers.starting_point import StartingPoint
from macmeter.api import schemas
from macmeter.api.asked import WHERE, AskedFilters, AskedQuestion, PageParameters
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.api.jobs import AsCsv
from macmeter.api.responses import json_response
from macmeter.api.routing import Router
from macmeter.database import Databases
from macmeter.errors import invalid
from macmeter.figures.build import ToldAnswer, with_figure
from macmeter.figures.catalogue import Catalog, told_catalogue
from macmeter.figures.filters import (
    FacetsTold,
    FiltersTold,
    told_facets,
    told_filters,
)
from macmeter.figures.runs import RunDetail, Runs, told_run, told_runs
from macmeter.queries.answer import answer
from macmeter.queries.facets import facets
from macmeter.queries.question import parse_term, parse_terms, refuse_unknown, terms_of_runs
from macmeter.queries.runs import doubted_runs, list_runs, one_run, raw_document
from macmeter.queries.starting_point import starting_point

router = Router(prefix="/api/v1", tags=["answers"])

# The newest of these say what is doubted; all of them are runs under the same filters.
MAX_DOUBTED = 50
# Of some runs their fleet keeps the medians alone.
_DELETED = schemas.refusals(410)


@router.get("/answer", response_model=ToldAnswer)
async def get_answer(part: ServerPart, reader: Reader, question: AskedQuestion) -> Response:
    """Answer a question: groups with figures, ratios, printed figures and what was left out.

    `figure` tells the same for readers: titles, cases, lines and printed digits, ready to be drawn.
    """
    now = datetime.now(UTC)
    return await part.questions.send(answer, question, reader, tell=with_figure, now=now)


@router.get(
    "/answer.csv",
    response_class=Response,
    responses=schemas.sends("text/csv"),
)
async def get_answer_csv(part: ServerPart, reader: Reader, question: AskedQuestion) -> Response:
    """The same answer as CSV."""
    name = "macmeter-" + "-".join(question.metrics)
    file = AsCsv(name, mark_of(reader, [question.where]))
    return await part.questions.send(answer, question, reader, tell=file, now=datetime.now(UTC))


@router.get("/starting-point", response_model=StartingPoint)
async def get_starting_point(part: ServerPart, reader: Reader, question: AskedQuestion) -> Response:
    """The question with everything fixed that its groups would mix, to what most machines have."""
    return await part.questions.send(starting_point, question, reader)


@router.get("/facets", response_model=FacetsTold)
async def get_facets(part: ServerPart, reader: Reader, asked: AskedFilters) -> Response:
    """The values of every dimension under the current filters, with their counts."""
    filters = (asked.metrics, asked.where, asked.flagged)
    return await part.questions.send(facets, *filters, reader, tell=told_facets)


@router.get("/filters")
async def get_filters(
    where: Annotated[list[str] | None, Query(description=WHERE)] = None,
) -> FiltersTold:
    """What filters say, in words."""
    written = dict.fromkeys(where or [])
    parse_terms(written)  # refuses more of them than a question may have
    return told_filters((text, parse_term(text, "?where")) for text in written)


@router.get("/doubted", response_model=Runs, tags=["runs"])
async def get_doubted(part: ServerPart, reader: Reader, asked: AskedFilters) -> Response:
    """The newest runs that the answer to these metrics and filters leaves out for a doubt."""
    if not asked.metrics:
        raise invalid("?metric", "Name the metrics of the answer: metric=NAME.")
    filters = (asked.metrics, asked.where)
    return await part.questions.send(doubted_runs, *filters, reader, MAX_DOUBTED, tell=told_runs)


@router.get("/runs", response_model=Runs, tags=["runs"])
async def get_runs(
    request: Request,
    part: ServerPart,
    reader: Reader,
    asked: Annotated[PageParameters, Query()],
) -> Response:
    """Runs, newest first."""
    refuse_unknown(request.query_params, ("cursor", "limit", "where"))
    terms = terms_of_runs(asked.where)
    return await part.questions.send(list_runs, terms, reader, asked.page, tell=told_runs)


@router.get("/runs/{run_id}", response_model=RunDetail, responses=_DELETED, tags=["runs"])
async def get_run(run_id: uuid.UUID, part: ServerPart, reader: Reader) -> Response:
    """One run with its results and flags."""
    return await part.questions.ask(_run_now, run_id, reader)


async def _run_now(databases: Databases, run_id: uuid.UUID, reader: Asker | None) -> Response:
    # Not kept: a new report doesn't change the run.
    async with databases.snapshot() as connection:
        return json_response(told_run(await one_run(connection, run_id, reader)))


@router.get(
    "/runs/{run_id}/document",
    response_class=Response,
    responses=schemas.sends("application/json", type="object") | _DELETED,
    tags=["runs"],
)
async def get_document(run_id: uuid.UUID, part: ServerPart, reader: Reader) -> Response:
    """The run document, byte for byte as it was uploaded."""
    async with part.reading.connect() as connection:
        content = await raw_document(connection, run_id, reader)
    return Response(
        content,
        media_type="application/json",
        headers={"Cache-Control": "no-cache"},
    )


@router.get("/catalog")
async def get_catalog() -> Catalog:
    """Every metric, dimension and flag that documents and questions can name."""
    return told_catalogue()
