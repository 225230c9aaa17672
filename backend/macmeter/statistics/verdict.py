"""What a ratio of two groups says: three answers, and never "no difference".

Of sixteen ratios of equal groups one or more is called different in a quarter of the cases, where
each is judged for itself. Holm's 1979 procedure keeps that chance at 5%, however the ratios depend
on each other: the clearest of m must be clear at 5%/m, the next one at 5%/(m - 1), and so on until
one is not. It needs no chances but intervals: a ratio is clear at a level where the interval of
that level doesn't contain 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

from macmeter.statistics.figures import Ratio
from macmeter.statistics.intervals import MINIMUM

# A comparison that would have missed a quarter more or less tells nobody anything.
LARGEST_USEFUL = 1.25


class Outcome(StrEnum):
    DIFFERENT = "different"
    NO_EVIDENCE = "no_evidence"
    NOT_ENOUGH = "not_enough"
    CONFOUNDED = "confounded"
    """Different, and so is something else that may be why."""


@dataclass(frozen=True)
class Verdict:
    """`smallest_visible` is the margin of error as a ratio over 1: how far 1 may be from the ratio
    that was found. A true difference of that size is seen in about half of the cases.

    None where all values are the same: a difference below their resolution would never be seen.
    """

    answer: Outcome
    smallest_visible: float | None = None


def verdict(value: float, low: float | None, high: float | None, fewest: int) -> Verdict:
    """The verdict on a ratio with its 95% interval; the smaller side has `fewest` units."""
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


def verdicts_together(ratios: Sequence[Ratio]) -> list[Verdict]:
    """A verdict for each ratio: "different" where Holm's procedure leaves it so.

    Ratios without an interval count for nothing. One that is different by itself, but not among
    the others, is judged by the interval of the level that it failed.
    """
    alone = [judged(ratio) for ratio in ratios]
    remaining = [place for place, ratio in enumerate(ratios) if ratio.interval is not None]
    while remaining:
        deviations = deviations_of(len(remaining))
        clear = [
            place
            for place in remaining
            if alone[place].answer is Outcome.DIFFERENT
            and judged(ratios[place], deviations).answer is Outcome.DIFFERENT
        ]
        if not clear:
            break
        remaining = [place for place in remaining if place not in clear]
    for place in remaining:
        if alone[place].answer is Outcome.DIFFERENT:
            alone[place] = judged(ratios[place], deviations_of(len(remaining)))
    return alone


def deviations_of(several: int) -> float:
    """The standard deviations on either side of the middle that leave 5% by so many in all."""
    return -NormalDist().inv_cdf(_LEVEL / 2 / several)


def judged(ratio: Ratio, deviations: float | None = None) -> Verdict:
    """The verdict on one ratio by its 95% interval, or by that of so many deviations."""
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
    return verdict(ratio.value, low, high, ratio.fewest)


@dataclass(frozen=True)
class Part:
    """A ratio above 0 and its 95% limits, if it has any."""

    value: float
    limits: tuple[float, float] | None = None

    def turned(self) -> Part:
        """Turn what is better when it is less, so that above 1 is better."""
        if self.limits is None:
            return Part(1 / self.value)
        low, high = self.limits
        return Part(1 / self.value, (1 / high, 1 / low if low > 0 else math.inf))


def together(parts: Sequence[Part]) -> Part:
    """The geometric mean of one or more ratios; no limits where one of them has none.

    Ratios of one machine's metrics go up and down together, by as much as nobody knows. A mean of
    deviations bounds the deviation of a mean whatever their correlation, and equals it where all
    move as one; so the limits of the mean are the means of the limits, on logarithms. Ratios that
    don't depend on each other get an interval that is too wide, never one that is too narrow.
    """
    value = _mean([part.value for part in parts])
    limits = [part.limits for part in parts if part.limits is not None]
    lows, highs = [low for low, _ in limits], [high for _, high in limits]
    if len(limits) < len(parts) or min(lows) <= 0 or max(highs) == math.inf:
        return Part(value)
    return Part(value, (_mean(lows), _mean(highs)))


def _mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))
