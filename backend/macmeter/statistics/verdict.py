"""Verdict on a ratio of two groups: three answers, and never "no difference".

Among sixteen ratios of equal groups, judged individually, a quarter of the time at least one would
be called different. Holm's 1979 procedure keeps that chance at 5% for any dependence between
ratios: the clearest of m must be clear at 5%/m, the next one at 5%/(m - 1), and so on until one
isn't. It needs intervals rather than chances: a ratio is clear at a level if the interval of that
level excludes 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import NormalDist

from macmeter.statistics.figures import Ratio
from macmeter.statistics.intervals import MINIMUM, Z

# A comparison with a larger margin of error isn't useful.
LARGEST_USEFUL = 1.25


class Outcome(StrEnum):
    DIFFERENT = "different"
    NO_EVIDENCE = "no_evidence"
    NOT_ENOUGH = "not_enough"
    CONFOUNDED = "confounded"
    """Different, but so is something else that may be the cause."""


@dataclass(frozen=True)
class Verdict:
    """`smallest_visible` is the margin of error as a ratio over 1: how far 1 may be from the
    measured ratio. A true difference of that size is detected in about half of the cases.

    `detectable` is the true difference that is detected in four of five cases. Both are None if all
    values are equal: a difference below their resolution would never be detected.
    """

    answer: Outcome
    smallest_visible: float | None = None
    detectable: float | None = field(default=None, compare=False)


def verdict(value: float, low: float | None, high: float | None, fewest: int) -> Verdict:
    """Return the verdict on a ratio with its 95% interval; the smaller side has `fewest` units."""
    if fewest < MINIMUM or low is None or high is None:
        return Verdict(Outcome.NOT_ENOUGH)
    if low > 1 or high < 1:
        return Verdict(Outcome.DIFFERENT)
    smallest = max(high / value, value / low)
    if smallest <= 1:
        return Verdict(Outcome.NO_EVIDENCE)
    if smallest > LARGEST_USEFUL:
        return Verdict(Outcome.NOT_ENOUGH, smallest)
    return Verdict(Outcome.NO_EVIDENCE, smallest)


_LEVEL = 0.05
_POWER = 0.8


def detectable(low: float, high: float, deviations: float = Z) -> float | None:
    """Return the true ratio over 1 that would be called different in four of five comparisons like
    the one with this 95% interval, if that takes so many standard `deviations`.

    The usual sum of two normal quantiles, one for the level and one for the power, times the
    standard error of the ratio's logarithm, which is the interval's half width over 1.96. None
    without a positive interval of some width. A test simulates it.
    """
    if not 0 < low < high < math.inf:
        return None
    error = math.log(high / low) / 2 / Z
    return math.exp((deviations + NormalDist().inv_cdf(_POWER)) * error)


def verdicts_together(ratios: Sequence[Ratio]) -> list[Verdict]:
    """Return a verdict for each ratio: "different" only if Holm's procedure confirms it.

    Ratios without an interval don't count. A ratio that differs individually but fails the
    procedure is judged by the interval of the level that it failed.
    """
    alone = [judged(ratio) for ratio in ratios]
    remaining = [index for index, ratio in enumerate(ratios) if ratio.interval is not None]
    while remaining:
        deviations = deviations_of(len(remaining))
        clear = [
            index
            for index in remaining
            if alone[index].answer is Outcome.DIFFERENT
            and judged(ratios[index], deviations).answer is Outcome.DIFFERENT
        ]
        if not clear:
            break
        remaining = [index for index in remaining if index not in clear]
    for index in remaining:
        level = deviations_of(len(remaining))
        if alone[index].answer is Outcome.DIFFERENT:
            alone[index] = judged(ratios[index], level)
        alone[index] = _with_detectable(alone[index], ratios[index], level)
    return alone


def _with_detectable(judgement: Verdict, ratio: Ratio, deviations: float = Z) -> Verdict:
    """Add what would have been detected, if nothing was and there is an interval to tell by."""
    if judgement.answer is Outcome.DIFFERENT or judgement.smallest_visible is None:
        return judgement
    assert ratio.interval is not None
    return replace(
        judgement, detectable=detectable(ratio.interval.low, ratio.interval.high, deviations)
    )


def deviations_of(several: int) -> float:
    """Return the two-sided standard deviations for 5% divided among so many."""
    return -NormalDist().inv_cdf(_LEVEL / 2 / several)


def judged(ratio: Ratio, deviations: float | None = None) -> Verdict:
    """Return the verdict on one ratio by its 95% interval, or by that of so many deviations."""
    limits: tuple[float, float] | None
    if deviations is None or ratio.interval is None:
        limits = (ratio.interval.low, ratio.interval.high) if ratio.interval else None
    else:
        limits = ratio.limits(deviations)
    if limits is None:
        return Verdict(Outcome.NOT_ENOUGH)
    low, high = limits
    if low <= 0 and not high < 1:
        # So few units allow no interval of that level.
        return Verdict(Outcome.NOT_ENOUGH)
    judgement = verdict(ratio.value, low, high, ratio.fewest)
    return _with_detectable(judgement, ratio, deviations or Z)


@dataclass(frozen=True)
class Part:
    """A ratio above 0 and its 95% limits, if it has any."""

    value: float
    limits: tuple[float, float] | None = None

    def turned(self) -> Part:
        """Return the reciprocal, for metrics where lower is better."""
        if self.limits is None:
            return Part(1 / self.value)
        low, high = self.limits
        return Part(1 / self.value, (1 / high, 1 / low if low > 0 else math.inf))


def together(ratios: Sequence[Part]) -> Part:
    """Return the geometric mean of one or more ratios; without limits if one of them has none.

    Ratios of one machine's metrics are correlated to an unknown degree. The mean of deviations
    bounds the deviation of the mean for any correlation, with equality if all move as one; so the
    limits of the mean are the means of the limits, on logarithms. For independent ratios the
    interval is too wide, but never too narrow.
    """
    value = _mean([ratio.value for ratio in ratios])
    limits = [ratio.limits for ratio in ratios if ratio.limits is not None]
    lows, highs = [low for low, _ in limits], [high for _, high in limits]
    if len(limits) < len(ratios) or min(lows) <= 0 or max(highs) == math.inf:
        return Part(value)
    return Part(value, (_mean(lows), _mean(highs)))


def _mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))
