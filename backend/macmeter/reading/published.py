"""What articles print: results, and ratios and ranges, which aren't results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import and_, select

from macmeter.access.visibility import visible
from macmeter.answers.answer import Citation
from macmeter.models import PublishedFigure, Result, Run, Series
from macmeter.reading.filters import column, matches, standing
from macmeter.reading.keys import Key, is_of, keyed
from macmeter.reading.moment import Moment
from macmeter.reading.results import Printed
from macmeter.terms import Term, Value


class Source(NamedTuple):
    """What an article prints for one result, and where it can be looked up.

    `value` is in the metric's unit; `stated` has the dimensions asked for, None where not stated.
    """

    value: float
    printed: str | None
    qualifier: str | None
    citation: Citation | None
    flags: list[str]
    stated: dict[str, Value]


class PrintedFigure(NamedTuple):
    """A ratio or range of a run, with the run's values of the dimensions asked for."""

    figure: Printed
    by: tuple[Value, ...]
    flags: list[str]
    citation: Citation | None


async def sources_of(
    moment: Moment, runs: Collection[Key], series: Collection[int], names: Sequence[str]
) -> dict[tuple[bytes, int], Source]:
    """Sources of these runs' results of these series, by both; `names` are dimensions."""
    among = keyed([*runs])
    query = (
        select(Run.run_id, Result.series_id, Result.median, Result.printed, Result.qualifier)
        .add_columns(Run.citation, Run.flags, Result.flags.label("own"))
        .add_columns(*(column(name).label(f"of_{name}") for name in names))
        .join(Run, and_(Run.machine_id == Result.machine_id, Run.run_id == Result.run_id))
        .join(Series, Series.series_id == Result.series_id)
        .join(among, is_of(among, Result) & is_of(among, Run))
        .where(Result.series_id.in_(series), visible(moment.scope))
    )
    found = {}
    for row in await moment.connection.execute(query):
        stated = {name: row._mapping[f"of_{name}"] for name in names}
        flags = [*row.flags, *(row.own or [])]
        of_row = row.median, row.printed, row.qualifier, row.citation, flags, stated
        found[row.run_id.bytes, row.series_id] = Source(*of_row)
    return found


async def figures_of(
    moment: Moment, metric: str, terms: Sequence[Term], by: Sequence[str]
) -> list[PrintedFigure]:
    """The printed ratios and ranges of a metric that match."""
    figure = PublishedFigure
    query = (
        select(*(getattr(figure, name) for name in Printed._fields), Run.flags, Run.citation)
        .add_columns(*(column(name, figure.parameters) for name in by))
        .join(Run, and_(Run.machine_id == figure.machine_id, Run.run_id == figure.run_id))
        .where(figure.metric == metric, visible(moment.scope), standing())
        .where(matches(terms, figure.parameters))
        .order_by(Run.run_id, figure.position)
    )
    own = len(Printed._fields)
    return [
        PrintedFigure(Printed._make(row[:own]), tuple(row[own + 2 :]), row[own], row[own + 1])
        for row in await moment.connection.execute(query)
    ]
