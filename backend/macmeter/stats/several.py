"""Verdicts on several ratios that are read together.

Of sixteen ratios of equal groups one or more is called different in a quarter of the cases, where
each is judged for itself. Holm's 1979 procedure keeps that chance at 5%, however the ratios depend
on each other: the clearest of m must be clear at 5%/m, the next one at 5%/(m - 1), and so on until
one is not. It needs no chances but intervals: a ratio is clear at a level where the interval of
that level doesn't contain 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from macmeter.stats.figures import Ratio
from macmeter.stats.verdict import Outcome, Verdict, verdict

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
