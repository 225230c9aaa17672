"""Two to eight sides beside one another."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from macmeter.api import compare_schemas as shapes
from macmeter.api import schemas
from macmeter.api.answers import Flagged, Version, Weight, Where, json_response, lines_response
from macmeter.api.dependencies import Reader, Server, ServerPart
from macmeter.queries.compare import compare
from macmeter.queries.export import comparison_to_csv
from macmeter.queries.sides import parse_sides

router = APIRouter(prefix="/api/v1", tags=["compare"])

_REFUSAL = schemas.refusals(401, 422)
Metrics = Annotated[
    list[str] | None, Query(description="1 to 16 of METRIC or METRIC@PARAMETER:VALUE")
]
Sides = Annotated[
    list[str] | None, Query(description="NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER:")
]
Labels = Annotated[list[str] | None, Query(description="NUMBER:TEXT, what a side is called")]
Baseline = Annotated[str | None, Query(description="the number of a side; default 1")]


@router.get("/compare", response_model=shapes.Compared, responses=_REFUSAL)
async def get_compare(
    request: Request,
    part: ServerPart,
    reader: Reader,
    metric: Metrics = None,
    side: Sides = None,
    label: Labels = None,
    where: Where = None,
    baseline: Baseline = None,
    weight: Weight = None,
    flagged: Flagged = None,
    version: Version = None,
) -> Response:
    """Figures of each side, ratios to the baseline with verdicts, and what can't be compared."""
    return json_response(await _compared(request, part, reader))


@router.get(
    "/compare.csv",
    response_class=Response,
    responses={**_REFUSAL, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def get_compare_csv(
    request: Request,
    part: ServerPart,
    reader: Reader,
    metric: Metrics = None,
    side: Sides = None,
    label: Labels = None,
    where: Where = None,
    baseline: Baseline = None,
    weight: Weight = None,
    flagged: Flagged = None,
    version: Version = None,
) -> Response:
    """The same comparison as CSV: a line for each row and side."""
    found = await _compared(request, part, reader)
    return lines_response(comparison_to_csv(found), "macmeter-compare")


async def _compared(request: Request, part: Server, reader: Reader) -> dict[str, Any]:
    asked = parse_sides(request.url.query)
    async with part.reading.connect() as connection:
        return await compare(connection, asked, reader, datetime.now(UTC))
