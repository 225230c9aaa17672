"""What a request asks for, made of its query string.

The parameters are declared here for the documentation and the typed client; the question's own
parser reads the query string, as it is to refuse what it doesn't know.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import unquote_plus

from fastapi import Depends, Query, Request

from macmeter.queries import sides
from macmeter.queries.question import Question, parse_filters, parse_query
from macmeter.terms import Filters

Metrics = Annotated[list[str] | None, Query(description="1 to 4 metrics of the catalogue")]
By = Annotated[list[str] | None, Query(description="0 to 3 dimensions")]
Where = Annotated[list[str] | None, Query(description="NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH")]
RelativeTo = Annotated[list[str] | None, Query(description="NAME:VALUE of the reference")]
Weight = Annotated[str | None, Query(description="machine (default) or run")]
Flagged = Annotated[str | None, Query(description="exclude (default) or include")]
FitModel = Annotated[str | None, Query(description="linear, power, quadratic or theil_sen")]
Version = Annotated[str | None, Query(description="version of this grammar: 1")]

ComparedMetrics = Annotated[
    list[str] | None, Query(description="1 to 16 of METRIC or METRIC@PARAMETER:VALUE")
]
Sides = Annotated[
    list[str] | None, Query(description="NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER:")
]
Labels = Annotated[list[str] | None, Query(description="NUMBER:TEXT, what a side is called")]
Baseline = Annotated[str | None, Query(description="the number of a side; default 1")]


async def question(
    request: Request,
    metric: Metrics = None,
    by: By = None,
    where: Where = None,
    relative_to: RelativeTo = None,
    weight: Weight = None,
    flagged: Flagged = None,
    fit: FitModel = None,
    version: Version = None,
) -> Question:
    return parse_query(request.url.query)


async def filters(
    request: Request, metric: Metrics = None, where: Where = None, flagged: Flagged = None
) -> Filters:
    return parse_filters(request.url.query)


async def compared(
    request: Request,
    metric: ComparedMetrics = None,
    side: Sides = None,
    label: Labels = None,
    where: Where = None,
    baseline: Baseline = None,
    weight: Weight = None,
    flagged: Flagged = None,
    version: Version = None,
) -> sides.SidesQuestion:
    return sides.parse_sides(request.url.query)


async def pictured(
    request: Request,
    metric: Metrics = None,
    by: By = None,
    where: Where = None,
    relative_to: RelativeTo = None,
    weight: Weight = None,
    flagged: Flagged = None,
    fit: FitModel = None,
    side: Sides = None,
    label: Labels = None,
    baseline: Baseline = None,
    version: Version = None,
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
