"""Reading: the catalogue, answers, facets and runs."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from macmeter import catalog
from macmeter.api import schemas
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.errors import invalid
from macmeter.queries.answer import answer
from macmeter.queries.export import to_csv
from macmeter.queries.facets import facets
from macmeter.queries.question import Term, parse_filters, parse_query, parse_terms, refuse_unknown
from macmeter.queries.runs import MAX_PAGE, list_runs, one_run, raw_document

router = APIRouter(prefix="/api/v1", tags=["answers"])

_REFUSAL = schemas.refusals(401, 422)
_ABSENT = schemas.refusals(401, 404, 422)

# Declared for the documentation and the typed client; the question's own parser reads them.
Metrics = Annotated[list[str] | None, Query(description="1 to 4 metrics of the catalogue")]
By = Annotated[list[str] | None, Query(description="0 to 3 dimensions")]
Where = Annotated[list[str] | None, Query(description="NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH")]
RelativeTo = Annotated[list[str] | None, Query(description="NAME:VALUE of the reference")]
Weight = Annotated[str | None, Query(description="machine (default) or run")]
Flagged = Annotated[str | None, Query(description="exclude (default) or include")]
FitModel = Annotated[str | None, Query(description="linear, power, quadratic or theil_sen")]
Version = Annotated[str | None, Query(description="version of this grammar: 1")]


def json_response(content: Any, status_code: int = 200) -> Response:
    """Fresh on every load: a run stored a moment ago must show."""
    return Response(
        orjson.dumps(content),
        status_code=status_code,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def csv_response(found: dict[str, Any], name: str) -> Response:
    return lines_response(to_csv(found), name)


def lines_response(lines: str, name: str) -> Response:
    return Response(
        lines,
        media_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.csv"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        },
    )


def terms_of_runs(where: list[str] | None) -> tuple[Term, ...]:
    """The filters of a list of runs or machines."""
    terms = parse_terms(where or [])
    for term in terms:
        if catalog.is_of_sample(term.dimension):
            raise invalid("?where", f"{term.dimension} is of samples, not of runs.", "not_of_runs")
    return terms


@router.get("/answer", response_model=schemas.Answer, responses=_REFUSAL)
async def get_answer(
    request: Request,
    part: ServerPart,
    reader: Reader,
    metric: Metrics = None,
    by: By = None,
    where: Where = None,
    relative_to: RelativeTo = None,
    weight: Weight = None,
    flagged: Flagged = None,
    fit: FitModel = None,
    version: Version = None,
) -> Response:
    """Answer a question: groups with figures, ratios, printed figures and what was left out."""
    question = parse_query(request.url.query)
    async with part.reading.connect() as connection:
        return json_response(await answer(connection, question, reader, datetime.now(UTC)))


@router.get(
    "/answer.csv",
    response_class=Response,
    responses={
        **_REFUSAL,
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
    },
)
async def get_answer_csv(
    request: Request,
    part: ServerPart,
    reader: Reader,
    metric: Metrics = None,
    by: By = None,
    where: Where = None,
    relative_to: RelativeTo = None,
    weight: Weight = None,
    flagged: Flagged = None,
    fit: FitModel = None,
    version: Version = None,
) -> Response:
    """The same answer as CSV."""
    question = parse_query(request.url.query)
    async with part.reading.connect() as connection:
        found = await answer(connection, question, reader, datetime.now(UTC))
    return csv_response(found, "macmeter-" + "-".join(question.metrics))


@router.get("/facets", response_model=schemas.Facets, responses=_REFUSAL)
async def get_facets(
    request: Request,
    part: ServerPart,
    reader: Reader,
    metric: Metrics = None,
    where: Where = None,
    flagged: Flagged = None,
) -> Response:
    """The values of every dimension under the current filters, with their counts."""
    asked = parse_filters(request.url.query)
    async with part.reading.connect() as connection:
        found = await facets(connection, asked.metrics, asked.where, asked.flagged, reader)
    return json_response(found)


@router.get("/runs", response_model=schemas.Runs, responses=_REFUSAL, tags=["runs"])
async def get_runs(
    request: Request,
    part: ServerPart,
    reader: Reader,
    where: Where = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    cursor: str | None = None,
) -> Response:
    """Runs, newest first."""
    refuse_unknown(request.query_params, ("cursor", "limit", "where"))
    terms = terms_of_runs(where)
    async with part.reading.connect() as connection:
        return json_response(await list_runs(connection, terms, reader, limit, cursor))


@router.get("/runs/{run_id}", response_model=schemas.RunDetail, responses=_ABSENT, tags=["runs"])
async def get_run(run_id: uuid.UUID, part: ServerPart, reader: Reader) -> Response:
    """One run with its results and flags."""
    async with part.reading.connect() as connection:
        return json_response(await one_run(connection, run_id, reader))


@router.get(
    "/runs/{run_id}/document",
    response_class=Response,
    responses={
        **_ABSENT,
        200: {"content": {"application/json": {"schema": {"type": "object"}}}},
    },
    tags=["runs"],
)
async def get_document(run_id: uuid.UUID, part: ServerPart, reader: Reader) -> Response:
    """The run document, byte for byte as it was uploaded."""
    async with part.reading.connect() as connection:
        content = await raw_document(connection, run_id, reader)
    return Response(
        content,
        media_type="application/json",
        headers={"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"},
    )


@router.get("/catalog", response_model=schemas.Catalog)
async def get_catalog() -> Response:
    """Every metric, dimension and flag that documents and questions can name."""
    return json_response(
        {
            "metrics": [
                {
                    "name": metric.name,
                    "title": metric.title,
                    "unit": metric.unit.value,
                    "better": metric.better.value,
                    "suite": metric.suite,
                    "about": metric.about,
                    "required": list(metric.required),
                    "optional": list(metric.optional),
                }
                for metric in catalog.METRICS.values()
            ],
            "dimensions": [
                {
                    "name": dimension.name,
                    "title": dimension.title,
                    "kind": dimension.kind.value,
                    "of": dimension.of,
                    "unit": dimension.unit,
                    "about": dimension.about,
                    "values": dimension.values,
                }
                for dimension in catalog.DIMENSIONS.values()
            ],
            "flags": [
                {
                    "code": flag.code,
                    "severity": flag.severity.value,
                    "sentence": flag.sentence,
                }
                for flag in catalog.FLAGS.values()
            ],
        }
    )
