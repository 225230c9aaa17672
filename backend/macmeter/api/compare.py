"""Comparing two to eight sides."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi.responses import Response

from macmeter.access.marks import mark_of
from macmeter.api import schemas
from macmeter.api.asked import AskedSides
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.api.jobs import AsCsv, compared
from macmeter.api.routing import Router
from macmeter.figures.build import ToldSides, with_figure

router = Router(prefix="/api/v1", tags=["compare"])


@router.get("/compare", response_model=ToldSides)
async def get_compare(part: ServerPart, reader: Reader, asked: AskedSides) -> Response:
    """Figures of each side, ratios to the baseline with verdicts, and what can't be compared."""
    now = datetime.now(UTC)
    return await part.questions.send(compared, asked, reader, tell=with_figure, now=now)


@router.get(
    "/compare.csv",
    response_class=Response,
    responses=schemas.sends("text/csv"),
)
async def get_compare_csv(part: ServerPart, reader: Reader, asked: AskedSides) -> Response:
    """The same rows as CSV: a line for each row and side."""
    file = AsCsv("macmeter-compare", mark_of(reader, [one.where for one in asked.filters]))
    return await part.questions.send(compared, asked, reader, tell=file, now=datetime.now(UTC))
