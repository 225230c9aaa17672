"""Ratios and ranges as articles print them: beside an answer's groups, never among them."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.models import PublishedFigure, Result, Run
from macmeter.queries.groups import Group, Groups
from macmeter.queries.question import Question
from macmeter.reading.filters import column, matches, standing
from macmeter.reading.moment import Reading

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


class Source(NamedTuple):
    """What an article prints for one result, and where it can be looked up."""

    printed: str | None
    qualifier: str | None
    citation: dict[str, Any] | None


class Sources:
    """The sources of published results, by run and series."""

    def __init__(self, of_results: dict[tuple[bytes, int], Source]) -> None:
        self._of_results = of_results

    def of(self, group: Group) -> list[Source]:
        """Of a group's results, in the order of machines and runs."""
        lot, view = group.lot, group.view
        listed = []
        for row, run_id in zip(group.rows.tolist(), view.run_ids(group.runs), strict=True):
            source = self._of_results.get((run_id, lot.series[lot.series_places[row]]))
            if source is not None:
                machine = view.names.machines.things[lot.machines[row]]
                listed.append((machine, run_id, str(source), source))
        return [source for *_, source in sorted(listed, key=lambda of: of[:3])]


async def fetch_sources(reading: Reading, groups: Groups) -> Sources:
    """What is printed for the published ones of these groups."""
    published = [group for key, group in groups.items() if key.published]
    if not published:
        return Sources({})
    run_ids = {uuid.UUID(bytes=run_id) for group in published for run_id in group.run_ids}
    series = {number for group in published for number in group.lot.series}
    query = (
        select(Run.run_id, Result.series_id, Result.printed, Result.qualifier, Run.citation)
        .join(Run, and_(Run.machine_id == Result.machine_id, Run.run_id == Result.run_id))
        .where(Run.run_id.in_(run_ids), Result.series_id.in_(series), visible(reading.reader))
    )
    return Sources(
        {
            (row.run_id.bytes, row.series_id): Source(row.printed, row.qualifier, row.citation)
            for row in await reading.connection.execute(query)
        }
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
