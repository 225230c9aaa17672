"""Sides beside one another: rows of one metric by one method, a cell a side."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypeIs

from macmeter.catalog.terms import Flagged, Value, Weight
from macmeter.platform.schema import Exact
from macmeter.schemas.answer import (
    Answer,
    Confidence,
    Excluded,
    Figures,
    Key,
    NamedMetric,
    Note,
    RatioTold,
    TermTold,
    Unlike,
)

WhyLeftOut = Literal[
    "not_all_sides", "no_ratio", "zero", "neither_is_better", "counted_by_another_method"
]


class ComparedMetric(Exact):
    metric: str
    parameters: Key


class SideTold(Exact):
    number: int
    label: str
    where: list[TermTold]


class SidesTold(Exact):
    canonical: str
    metrics: list[ComparedMetric]
    sides: list[SideTold]
    where: list[TermTold]
    baseline: int
    weight: Weight
    flagged: Flagged
    version: int


class SideRatio(Exact, RatioTold):
    """To the baseline. `shared_runs` are on both sides. Of version 1 `unlike` marks whatever is
    stated in other values, of version 2 what could not be held equal.
    """

    unlike: list[Unlike]
    shared_runs: int


class Refusal(Note):
    """Where a filter on one of the `values` of a dimension makes a ratio possible, which."""

    dimension: NotRequired[str]
    values: NotRequired[list[Value]]


class FilledCell(Exact, Figures):
    """A side's figures in a row; beside the baseline's, `no_ratio` says why there is no ratio."""

    side: int
    ratio: NotRequired[SideRatio]
    no_ratio: NotRequired[Refusal]


class EmptyCell(Exact):
    """A side without a result in a row, and why."""

    side: int
    missing: Note


Cell = FilledCell | EmptyCell


class ExcludedOfSide(Excluded):
    side: int


class Row(Exact, NamedMetric):
    """One metric by one method; no method where no side has anything."""

    parameters: Key
    published: bool | None
    method: str | None
    method_version: int | None
    cells: list[Cell]
    excluded: list[ExcludedOfSide]


class Covered(Exact):
    metric: str
    parameters: Key
    method: str | None


class NotCovered(Covered):
    reason: WhyLeftOut


class SideMean(Exact, Confidence):
    """With its 95% interval where every ratio in it has one."""

    side: int
    value: float


class AreaMean(Exact):
    """The geometric mean over the metrics of one suite."""

    suite: str
    metrics: int
    sides: list[SideMean]


class GeometricMean(Exact):
    """The geometric mean of ratios turned so that above 1 is better; no sides: nothing covered."""

    covers: list[Covered]
    left_out: list[NotCovered]
    sides: list[SideMean]
    areas: NotRequired[list[AreaMean]]


class Compared(Exact):
    comparison: SidesTold
    as_of: str
    derivation_version: int
    runs: NotRequired[int]
    rows: list[Row]
    geometric_mean: GeometricMean
    notes: list[Note]


def is_filled(cell: Cell) -> TypeIs[FilledCell]:
    """Whether it has figures."""
    return "missing" not in cell


def filled_of(row: Row) -> list[FilledCell]:
    """A row's cells that have figures."""
    return [cell for cell in row["cells"] if is_filled(cell)]


def is_sides(found: Answer | Compared) -> TypeIs[Compared]:
    """Whether it is sides beside one another, and not an answer."""
    return "comparison" in found
