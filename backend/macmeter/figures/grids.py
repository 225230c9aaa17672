"""Cores by kernels: cases as a table whose columns have a scale each.

Kernels do different amounts of work in a loop, so their rates share no scale, and a chart of them
all would be as long as it is hard to read.
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

_ACROSS = "kernel"
# Cases that differ in it as well would share a cell.
_NEVER = "loops"
_DIGITS = 3


def grid_of(by: Sequence[str], metrics: int, cases: Sequence[Case]) -> Grid | None:
    """None where the cases are of one kernel, or of no chip or core that could be a row."""
    down = [name for name in reading_order(by) if name != _ACROSS]
    if metrics != 1 or _ACROSS not in by or not down or _NEVER in by:
        return None
    found = {(_row(case, down), _kernel(case)): case for case in cases}
    kernels = sorted({_kernel(case) for case in cases}, key=lambda one: key_order(*_key(one)))
    if len(kernels) < 2:
        return None
    rows = list(dict.fromkeys(_row(case, down) for case in cases))
    columns = [_column([found.get((row, kernel)) for row in rows]) for kernel in kernels]
    first, *others = (dimension_title(name) for name in down)
    return Grid(
        title=listed([first, *map(uncapitalised, others)]),
        columns=tuple(case_value(_ACROSS, kernel) for kernel in kernels),
        rows=tuple(
            GridRow(row, tuple(column[place] for column in columns))
            for place, row in enumerate(rows)
        ),
    )


def _key(kernel: object) -> tuple[list[str], dict[str, object]]:
    return [_ACROSS], {_ACROSS: kernel}


def _kernel(case: Case) -> object:
    return (case.key or {}).get(_ACROSS)


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
