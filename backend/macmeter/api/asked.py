"""Questions, parsed from a request's query string.

The parameters are declared here for the documentation and the typed client; the question's own
parser reads the query string, as it is to refuse what it doesn't know.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import unquote_plus

from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field

from macmeter.queries import sides
from macmeter.queries.question import Question, parse_filters, parse_query
from macmeter.queries.runs import MAX_PAGE, Page
from macmeter.terms import Filters

WHERE = "NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH"
FLAGGED = "exclude (default) or include"
SIDE = "NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER:"


class FilterParameters(BaseModel):
    metric: list[str] | None = Field(None, description="1 to 4 metrics of the catalogue")
    where: list[str] | None = Field(None, description=WHERE)
    flagged: str | None = Field(None, description=FLAGGED)


class PageParameters(BaseModel):
    where: list[str] | None = Field(None, description=WHERE)
    limit: int = Field(50, ge=1, le=MAX_PAGE)
    cursor: str | None = None

    @property
    def page(self) -> Page:
        return Page(self.limit, self.cursor)


class _Weighed(FilterParameters):
    weight: str | None = Field(None, description="machine (default) or run")
    version: str | None = Field(
        None, description="1 (default): crude ratios; 2: other differences held equal"
    )


class QuestionParameters(_Weighed):
    by: list[str] | None = Field(None, description="0 to 3 dimensions")
    relative_to: list[str] | None = Field(None, description="NAME:VALUE of the reference")
    fit: str | None = Field(None, description="linear, power, quadratic or theil_sen")


class _OfSides(BaseModel):
    side: list[str] | None = Field(None, description=SIDE)
    label: list[str] | None = Field(None, description="NUMBER:TEXT, what a side is called")
    baseline: str | None = Field(None, description="the number of a side; default 1")


class SidesParameters(_Weighed, _OfSides):
    metric: list[str] | None = Field(
        None, description="1 to 16 of METRIC or METRIC@PARAMETER:VALUE"
    )


class PictureParameters(QuestionParameters, _OfSides):
    """Those of a question, or of sides."""


async def question(request: Request, declared: Annotated[QuestionParameters, Query()]) -> Question:
    return parse_query(request.url.query)


async def filters(request: Request, declared: Annotated[FilterParameters, Query()]) -> Filters:
    return parse_filters(request.url.query)


async def compared(
    request: Request, declared: Annotated[SidesParameters, Query()]
) -> sides.SidesQuestion:
    return sides.parse_sides(request.url.query)


async def pictured(
    request: Request, declared: Annotated[PictureParameters, Query()]
) -> Question | sides.SidesQuestion:
    """A question, or sides beside one another, without the picture's own theme and width."""
    parts = request.url.query.split("&")
    query = "&".join(
        part for part in parts if unquote_plus(part.split("=")[0]) not in ("theme", "width")
    )
    return sides.parse_sides(query) if sides.asks_for_sides(query) else parse_query(query)


AskedQuestion = Annotated[Question, Depends(question)]
AskedFilters = Annotated[Filters, Depends(filters)]
AskedSides = Annotated[sides.SidesQuestion, Depends(compared)]
AskedPicture = Annotated[Question | sides.SidesQuestion, Depends(pictured)]
