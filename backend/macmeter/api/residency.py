"""Frequency against residency, from traces: the one figure that no result holds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends
from fastapi.responses import Response
from pydantic import BaseModel, Field

from macmeter.api.asked import FLAGGED, WHERE, Parsed
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.api.routing import Router
from macmeter.errors import invalid
from macmeter.figures.residencies import ResidencyTold, told_residency
from macmeter.queries.question import flagged_of, given_of, pairs_of, single, terms_of_runs
from macmeter.queries.residency import FITS, ResidencyQuestion, residency

router = Router(prefix="/api/v1", tags=["answers"])

_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"


class ResidencyParameters(BaseModel):
    where: list[str] | None = Field(None, description=WHERE)
    flagged: str | None = Field(None, description=FLAGGED)
    fit: str | None = Field(None, description="linear or quadratic")
    active: str | None = Field(None, description="LOW..HIGH: the residencies to take, in cores")


def _parse(query: str) -> ResidencyQuestion:
    given = given_of(pairs_of(query), ("active", "fit", "flagged", "where"))
    low, high = _range(given.get("active", []))
    return ResidencyQuestion(
        where=terms_of_runs(given.get("where")),
        flagged=flagged_of(given),
        fit=single(given, "fit", FITS),
        low=low,
        high=high,
    )


Asked = Annotated[ResidencyQuestion, Depends(Parsed(_parse, ResidencyParameters))]


@router.get("/residency", response_model=ResidencyTold)
async def get_residency(part: ServerPart, reader: Reader, asked: Asked) -> Response:
    """Frequency of clusters against the active residency of their cores, over sampled runs."""
    now = datetime.now(UTC)
    return await part.questions.send(residency, asked, reader, tell=told_residency, now=now)


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
