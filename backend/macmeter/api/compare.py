"""Two to eight sides beside one another."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from macmeter.api import compare_schemas as shapes
from macmeter.api import schemas
from macmeter.api.asked import AskedSides
from macmeter.api.dependencies import Reader, Server, ServerPart
from macmeter.api.responses import json_response, lines_response
from macmeter.queries.compare import compare
from macmeter.queries.export import comparison_to_csv
from macmeter.queries.sides import Asked

router = APIRouter(prefix="/api/v1", tags=["compare"])

_REFUSAL = schemas.refusals(401, 422)


@router.get("/compare", response_model=shapes.Compared, responses=_REFUSAL)
async def get_compare(part: ServerPart, reader: Reader, asked: AskedSides) -> Response:
    """Figures of each side, ratios to the baseline with verdicts, and what can't be compared."""
    return json_response(await _compared(part, reader, asked))


@router.get(
    "/compare.csv",
    response_class=Response,
    responses={**_REFUSAL, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def get_compare_csv(part: ServerPart, reader: Reader, asked: AskedSides) -> Response:
    """The same comparison as CSV: a line for each row and side."""
    found = await _compared(part, reader, asked)
    return lines_response(comparison_to_csv(found), "macmeter-compare")


async def _compared(part: Server, reader: Reader, asked: Asked) -> dict[str, Any]:
    async with part.reading.connect() as connection:
        return await compare(connection, asked, reader, datetime.now(UTC))
