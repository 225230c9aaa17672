"""Dependencies that parse questions from a request's query string."""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar
from urllib.parse import unquote_plus

from fastapi import Depends, Request
from pydantic import BaseModel, Field

from macmeter.catalog.terms import Filters
from macmeter.questions import sides
from macmeter.questions.question import Question, parse_filters, parse_query
from macmeter.runs.queries import MAX_PAGE, Page

T = TypeVar("T")
_DRAWING_PARAMETERS = ("theme", "width")

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


class _WeightedParameters(FilterParameters):
    weight: str | None = Field(None, description="machine (default) or run")
    version: str | None = Field(
        None, description="1 (default): crude ratios; 2: other differences held equal"
    )


class QuestionParameters(_WeightedParameters):
    by: list[str] | None = Field(None, description="0 to 3 dimensions")
    relative_to: list[str] | None = Field(None, description="NAME:VALUE of the reference")
    fit: str | None = Field(None, description="linear, power, quadratic or theil_sen")


class _SideDefinitions(BaseModel):
    side: list[str] | None = Field(None, description=SIDE)
    label: list[str] | None = Field(None, description="NUMBER:TEXT, what a side is called")
    baseline: str | None = Field(None, description="the number of a side; default 1")


class SidesParameters(_WeightedParameters, _SideDefinitions):
    metric: list[str] | None = Field(
        None, description="1 to 16 of METRIC or METRIC@PARAMETER:VALUE"
    )


class PictureParameters(QuestionParameters, _SideDefinitions):
    """Parameters of a question, or of sides."""


class QueryParser(Generic[T]):
    """Dependency that parses the query string, and refuses parameters that it doesn't know.

    `parameters` describes them for the API's documentation only: to have FastAPI collect them
    takes longer than a cached answer.
    """

    def __init__(self, parse: Callable[[str], T], parameters: type[BaseModel]) -> None:
        self._parse = parse
        self.parameters = parameters

    async def __call__(self, request: Request) -> T:
        return self._parse(request.url.query)


def _parse_picture(query: str) -> Question | sides.SidesQuestion:
    """Parse a question, or sides, without the picture's own theme and width."""
    query = "&".join(
        pair
        for pair in query.split("&")
        if unquote_plus(pair.split("=")[0]) not in _DRAWING_PARAMETERS
    )
    return sides.parse_sides(query) if sides.asks_for_sides(query) else parse_query(query)


AskedQuestion = Annotated[Question, Depends(QueryParser(parse_query, QuestionParameters))]
AskedFilters = Annotated[Filters, Depends(QueryParser(parse_filters, FilterParameters))]
AskedSides = Annotated[
    sides.SidesQuestion, Depends(QueryParser(sides.parse_sides, SidesParameters))
]
AskedPicture = Annotated[
    Question | sides.SidesQuestion, Depends(QueryParser(_parse_picture, PictureParameters))
]
