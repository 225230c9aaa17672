"""Sides beside one another: rows of one metric by one method, a cell a side."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict, TypeIs

from macmeter.answers.answer import (
    Answer,
    Confidence,
    Excluded,
    Figures,
    Key,
    Note,
    RatioTold,
    TermTold,
)
from macmeter.terms import Value


class ComparedMetric(TypedDict):
    metric: str
    parameters: Key


class SideTold(TypedDict):
    number: int
    label: str
    where: list[TermTold]


class SidesTold(TypedDict):
    canonical: str
    metrics: list[ComparedMetric]
    sides: list[SideTold]
    where: list[TermTold]
    baseline: int
    weight: str
    flagged: str
    version: int


class Unlike(TypedDict):
    """A dimension in which a side and the baseline differ unasked; null: not stated."""

    dimension: str
    title: str
    of: list[Value]
    to: list[Value]


class SideRatio(RatioTold):
    """To the baseline. `shared_runs` are on both sides."""

    unlike: list[Unlike]
    shared_runs: int


class Refusal(Note):
    """Where a filter on one of the `values` of a dimension makes a ratio possible, which."""

    dimension: NotRequired[str | None]
    values: NotRequired[list[Value] | None]


class Cell(Figures):
    """A side's figures in a row: `missing` instead of them, `no_ratio` instead of a ratio."""

    side: int
    missing: NotRequired[Note]
    ratio: NotRequired[SideRatio]
    no_ratio: NotRequired[Refusal | None]


class ExcludedOfSide(Excluded):
    side: int


class Row(TypedDict):
    """One metric by one method; no method where no side has anything."""

    metric: str
    title: str
    unit: str
    better: str
    parameters: Key
    published: bool | None
    method: str | None
    method_version: int | None
    cells: list[Cell]
    excluded: list[ExcludedOfSide]


class Covered(TypedDict):
    metric: str
    parameters: Key
    method: str | None


class NotCovered(Covered):
    reason: str


class SideMean(Confidence):
    """With its 95% interval where every ratio in it has one."""

    side: int
    value: float


class AreaMean(TypedDict):
    """The geometric mean over the metrics of one suite."""

    suite: str
    metrics: int
    sides: list[SideMean]


class GeometricMean(TypedDict):
    """Of ratios to the baseline turned so that above 1 is better; no sides: nothing covered."""

    covers: list[Covered]
    left_out: list[NotCovered]
    sides: list[SideMean]
    areas: NotRequired[list[AreaMean] | None]


class Compared(TypedDict):
    comparison: SidesTold
    as_of: str
    derivation_version: int
    runs: NotRequired[int | None]
    rows: list[Row]
    geometric_mean: GeometricMean
    notes: list[Note]


def is_sides(found: Answer | Compared) -> TypeIs[Compared]:
    """Whether it is sides beside one another, and not an answer."""
    return "comparison" in found
