"""Ratios and ranges as articles print them: beside an answer's groups, never among them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.models import PublishedFigure, Run
from macmeter.queries.question import Question
from macmeter.queries.sql import column, matches, standing

_PARTS = (
    "kind",
    "value",
    "low",
    "high",
    "of",
    "to",
    "qualifier",
    "printed",
    "parameters",
)


async def fetch_published(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> list[dict[str, Any]]:
    """The printed ratios and ranges of a metric that match the question's filters.

    Where the answer is relative, only ratios to that same reference belong.
    """
    parameters = PublishedFigure.parameters
    by = [column(name, parameters).label(f"by_{i}") for i, name in enumerate(question.by)]
    figures = [getattr(PublishedFigure, name).label(f"figure_{name}") for name in _PARTS]
    query = (
        select(*by, *figures, Run.run_id, Run.flags, Run.citation)
        .join(
            Run,
            and_(
                Run.machine_id == PublishedFigure.machine_id,
                Run.run_id == PublishedFigure.run_id,
            ),
        )
        .where(
            PublishedFigure.metric == metric,
            visible(reader),
            standing(),
            matches(question.where, parameters),
        )
        .order_by(Run.run_id, PublishedFigure.position)
    )
    reference = {term.dimension: term.value for term in question.relative_to}
    listed = []
    for row in await connection.execute(query):
        cells = row._mapping
        figure = {name: cells[f"figure_{name}"] for name in _PARTS}
        if reference and (figure["kind"] != "ratio" or figure["to"] != reference):
            continue
        listed.append(
            {
                **{name: value for name, value in figure.items() if value is not None},
                "key": {name: cells[f"by_{i}"] for i, name in enumerate(question.by)},
                "flags": row.flags,
                "citation": row.citation,
                "run_id": str(row.run_id),
            }
        )
    return listed
