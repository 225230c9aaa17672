"""Comparison of sides: a row for each metric and method, with a cell for each side."""

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
    RatioResponse,
    TermResponse,
    Unlike,
)

WhyLeftOut = Literal[
    "not_all_sides", "no_ratio", "zero", "neither_is_better", "counted_by_another_method"
]


class ComparedMetric(Exact):
    metric: str
    parameters: Key


class SideResponse(Exact):
    number: int
    label: str
    where: list[TermResponse]


class SidesQuestionResponse(Exact):
    canonical: str
    metrics: list[ComparedMetric]
    sides: list[SideResponse]
    where: list[TermResponse]
    baseline: int
    weight: Weight
    flagged: Flagged
    version: int


class Bias(Exact, Confidence):
    """Effect of a possible cause by itself: the ratio between its two values, among all results of
    whatever side.
    """

    dimension: str
    value: float


class SideRatio(Exact, RatioResponse):
    """Ratio to the baseline. `shared_runs` are on both sides.

    In version 1 `unlike` lists everything whose stated values differ, in version 2 what could not
    be held equal; `bias` is the effect of the only possible cause, if it can be measured elsewhere.
    """

    unlike: list[Unlike]
    shared_runs: int
    bias: NotRequired[Bias]


class Refusal(Note):
    """Reason for a missing ratio. A filter on one of `values` of `dimension` would give one."""

    dimension: NotRequired[str]
    values: NotRequired[list[Value]]


class FilledCell(Exact, Figures):
    """A side's figures in a row. `no_ratio` says why there is no ratio to the baseline."""

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
    """One metric by one method; `method` is null if no side has a result."""

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
    """A side's mean, with a 95% interval if every ratio in it has one."""

    side: int
    value: float


class AreaMean(Exact):
    """Geometric mean over the metrics of one suite."""

    suite: str
    metrics: int
    sides: list[SideMean]


class GeometricMean(Exact):
    """Geometric mean of ratios oriented so that above 1 is better; `sides` is empty if it covers no
    metric.
    """

    covers: list[Covered]
    left_out: list[NotCovered]
    sides: list[SideMean]
    areas: NotRequired[list[AreaMean]]


class Compared(Exact):
    comparison: SidesQuestionResponse
    as_of: str
    derivation_version: int
    runs: NotRequired[int]
    rows: list[Row]
    geometric_mean: GeometricMean
    notes: list[Note]


def is_filled(cell: Cell) -> TypeIs[FilledCell]:
    """Return whether a cell has figures."""
    return "missing" not in cell


def filled_cells(row: Row) -> list[FilledCell]:
    """Return the cells of a row that have figures."""
    return [cell for cell in row["cells"] if is_filled(cell)]


def compares_sides(response: Answer | Compared) -> TypeIs[Compared]:
    """Return whether this is a comparison of sides, not an answer."""
    return "comparison" in response
