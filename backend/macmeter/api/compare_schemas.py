"""The shapes of sides beside one another, as schemas.py has the others."""

from __future__ import annotations

from typing import Literal

from macmeter.answers.answer import Citation, Mix
from macmeter.api.schemas import (
    CountedFlag,
    Excluded,
    Note,
    Shape,
    Spread,
    Term,
    Value,
    Verdict,
)
from macmeter.figures.figure import Figure


class ComparedMetric(Shape):
    metric: str
    parameters: dict[str, Value]


class Side(Shape):
    number: int
    label: str
    where: list[Term]


class SidesAsked(Shape):
    canonical: str
    metrics: list[ComparedMetric]
    sides: list[Side]
    where: list[Term]
    baseline: int
    weight: Literal["machine", "run"]
    flagged: Literal["exclude", "include"]
    version: int


class Unlike(Shape):
    """A dimension in which a side and the baseline differ unasked; null: not stated."""

    dimension: str
    title: str
    of: list[Value]
    to: list[Value]


class SideRatio(Shape):
    """To the baseline. `shared_runs` are on both sides."""

    value: float
    pairing: Literal["paired", "unpaired"]
    pairs: int | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    interval: str | None = None
    verdict: Verdict
    unlike: list[Unlike]
    shared_runs: int


class Refusal(Note):
    """Where a filter on one of the `values` of a dimension makes a ratio possible, which."""

    dimension: str | None = None
    values: list[Value] | None = None


class Cell(Shape):
    """A side's figures in a row: `missing` instead of them, `no_ratio` instead of a ratio."""

    side: int
    missing: Note | None = None
    machines: int | None = None
    runs: int | None = None
    samples: int | None = None
    mixes: list[Mix] | None = None
    mix: str | None = None
    median: float | None = None
    p10: float | None = None
    p25: float | None = None
    p75: float | None = None
    p90: float | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    interval: str | None = None
    spread: Spread | None = None
    ratio: SideRatio | None = None
    no_ratio: Refusal | None = None
    flags: list[CountedFlag] | None = None
    printed: list[str] | None = None
    qualifier: str | None = None
    citations: list[Citation] | None = None
    run_ids: list[str] | None = None


class ExcludedOfSide(Excluded):
    side: int


class Row(Shape):
    """One metric by one method; null method where no side has anything."""

    metric: str
    title: str
    unit: str
    better: Literal["higher", "lower", "none"]
    parameters: dict[str, Value]
    published: bool | None
    method: str | None
    method_version: int | None
    cells: list[Cell]
    excluded: list[ExcludedOfSide]


class Covered(Shape):
    metric: str
    parameters: dict[str, Value]
    method: str | None


class LeftOut(Covered):
    reason: Literal[
        "not_all_sides", "no_ratio", "zero", "neither_is_better", "counted_by_another_method"
    ]


class SideMean(Shape):
    """With its 95% interval where every ratio in it has one."""

    side: int
    value: float
    ci_low: float | None = None
    ci_high: float | None = None


class AreaMean(Shape):
    """The geometric mean over the metrics of one suite."""

    suite: str
    metrics: int
    sides: list[SideMean]


class GeometricMean(Shape):
    """Of ratios to the baseline turned so that above 1 is better; no sides: nothing covered."""

    covers: list[Covered]
    left_out: list[LeftOut]
    sides: list[SideMean]
    areas: list[AreaMean] | None = None


class Compared(Shape):
    comparison: SidesAsked
    as_of: str
    derivation_version: int
    runs: int | None = None
    rows: list[Row]
    geometric_mean: GeometricMean
    notes: list[Note]


class ToldSides(Compared):
    """With the figure that tells of them, as pages and pictures draw it."""

    figure: Figure
