"""Cores by kernels, chips by kinds of core: cases as a table whose columns have a scale each.

Kernels do different amounts of work in a loop, so their rates share no scale, and a chart of them
all would be as long as it is hard to read. So is one of two kinds of core of every chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from macmeter.figures.figure import Case, Grid, GridCell, GridRow, Lane
from macmeter.figures.words import (
    case_label,
    case_value,
    dimension_title,
    key_order,
    listed,
    reading_order,
    uncapitalised,
)
from macmeter.terms import Value

# What columns are of, the first that is asked for, and from how many cases on.
_ACROSS = {"kernel": 2, "core_context": 16}
# Cases that differ in it as well would share a cell.
_NEVER = "loops"
_DIGITS = 3


def grid_of(by: Sequence[str], metrics: int, cases: Sequence[Case]) -> Grid | None:
    """None where the cases are of one column, or of no chip or core that could be a row."""
    across = next((name for name in _ACROSS if name in by), None)
    down = [name for name in reading_order(by) if name != across]
    if across is None or metrics != 1 or not down or _NEVER in by or len(cases) < _ACROSS[across]:
        return None
    found = {(_row(case, down), _value(case, across)): case for case in cases}
    values = sorted(
        {_value(case, across) for case in cases},
        key=lambda one: key_order([across], {across: one}),
    )
    if len(values) < 2 or len(found) < len(cases):
        return None
    rows = list(dict.fromkeys(_row(case, down) for case in cases))
    columns = [_column([found.get((row, value)) for row in rows]) for value in values]
    first, *others = (dimension_title(name) for name in down)
    return Grid(
        title=listed([first, *map(uncapitalised, others)]),
        columns=tuple(case_value(across, value) for value in values),
        rows=tuple(
            GridRow(row, tuple(column[place] for column in columns))
            for place, row in enumerate(rows)
        ),
    )


def _value(case: Case, name: str) -> Value:
    return (case.key or {}).get(name)


def _row(case: Case, down: list[str]) -> str:
    return case_label(down, case.key or {})


def _column(cases: Iterable[Case | None]) -> list[GridCell | None]:
    lanes = [_lane(case) if case else None for case in cases]
    values = [lane.value for lane in lanes if lane and lane.value is not None]
    low, high = min(values, default=0.0), max(values, default=0.0)

    def cell(lane: Lane | None) -> GridCell | None:
        if lane is None or lane.value is None:
            return None
        share = (lane.value - low) / (high - low) if high > low else 0.5
        return GridCell(lane.id, round(share, _DIGITS))

    return [cell(lane) for lane in lanes]


def _lane(case: Case) -> Lane | None:
    """What was measured before what is printed; the table has the others."""
    drawn = [lane for lane in case.lanes if lane.value is not None]
    return next((lane for lane in drawn if not lane.hollow), next(iter(drawn), None))
