"""The geometric mean of sides' ratios: its heading, its lanes, and what it does not cover."""

from __future__ import annotations

from collections.abc import Sequence

from macmeter.answers.sides import Covered, Row, SideMean, WhyLeftOut
from macmeter.figures.cases import drawn, drawn_span
from macmeter.figures.cells import ratio_range
from macmeter.figures.digits import interval_of, with_own_unit
from macmeter.figures.figure import Lane
from macmeter.figures.numbers import Scale, percent

NOT_COVERED: dict[WhyLeftOut, str] = {
    "not_all_sides": "not all sides have it",
    "no_ratio": "not all sides have a ratio",
    "zero": "a ratio is 0",
    "neither_is_better": "neither higher nor lower is better",
    "counted_by_another_method": "it is covered by another method",
}


def heading_of_mean(covers: Sequence[Covered], rows: Sequence[Row]) -> str:
    """Beside measured ratios, a mean of printed ones has to say that it is one."""
    printed = [bool(row and row["published"]) for row in (row_of(one, rows) for one in covers)]
    whose = "published " if all(printed) else "partly published " if any(printed) else ""
    return f"Geometric mean of {len(covers)} {whose}ratios, above 100 % is better"


def row_of(one: Covered, rows: Sequence[Row]) -> Row | None:
    """The row that a mean covers, or leaves out."""
    same = (one["metric"], one["method"], one["parameters"])
    alike = (row for row in rows if (row["metric"], row["method"], row["parameters"]) == same)
    return next(alike, None)


def lane_of_mean(side: SideMean, lane_id: str) -> Lane:
    value, interval = side["value"], interval_of(side)
    return Lane(
        id=lane_id,
        mark="diamond",
        text=percent(value),
        full=with_own_unit(percent(value), "%"),
        value=drawn(value, Scale()),
        interval=drawn_span(interval, Scale()),
        cells={"interval": ratio_range(side)} if interval else {},
    )
