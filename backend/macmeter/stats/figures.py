"""The figures of one group of machines, and the ratio of two. Pure arithmetic on arrays.

All values are in the metric's own unit. A machine's value is the median of its run values;
a group's figures are taken over machine values, or over run values with `weight="run"`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from macmeter.stats import bootstrap
from macmeter.stats.bootstrap import Array, generator
from macmeter.stats.summary import percentile

BETWEEN_MACHINES = "between machines"
WITHIN_MACHINE = "within this machine"
BETWEEN_PAIRS = "between pairs"


@dataclass(frozen=True)
class Interval:
    """A 95% bootstrap interval and what was resampled for it."""

    low: float
    high: float
    of: str


@dataclass(frozen=True)
class Figures:
    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float
    interval: Interval | None


@dataclass(frozen=True)
class Ratio:
    """`value` of a group to its reference; `pairs` is None when they are not paired.

    `fewest` is the number of pairs, or of machines on the side that has fewer.
    """

    value: float
    pairs: int | None
    interval: Interval | None
    fewest: int


def figures(machines: Sequence[Array], weight: str, seed: Sequence[str]) -> Figures:
    """Figures of a group; `machines` holds each machine's run values, ascending."""
    values = np.sort(_values(machines, weight))
    resampled = _resampled(machines, weight, seed)
    interval = None
    if resampled is not None:
        interval = Interval(*bootstrap.interval(resampled[0]), resampled[1])
    return Figures(
        median=percentile(values, 0.50),
        p10=percentile(values, 0.10),
        p25=percentile(values, 0.25),
        p75=percentile(values, 0.75),
        p90=percentile(values, 0.90),
        min=float(values[0]),
        max=float(values[-1]),
        mean=float(values.mean()),
        interval=interval,
    )


def ratio_of_pairs(ratios: Array, seed: Sequence[str]) -> Ratio:
    """The median of the pairs' own ratios, resampling pairs."""
    interval = None
    if len(ratios) >= bootstrap.MINIMUM:
        resampled = bootstrap.resampled_medians(ratios, generator(*seed))
        interval = Interval(*bootstrap.interval(resampled), BETWEEN_PAIRS)
    return Ratio(float(np.median(ratios)), len(ratios), interval, len(ratios))


def ratio_of_medians(
    machines: Sequence[Array],
    reference: Sequence[Array],
    weight: str,
    seed: Sequence[str],
) -> Ratio:
    """The ratio of the two groups' medians, resampling the machines of each."""
    over, under = _values(machines, weight), _values(reference, weight)
    above = _resampled(machines, weight, [*seed, "above"])
    below = _resampled(reference, weight, [*seed, "below"])
    interval = None
    # One machine's own spread says nothing of another's: only between machines is there one.
    if above is not None and below is not None and above[1] == below[1] == BETWEEN_MACHINES:
        interval = Interval(*bootstrap.interval(above[0] / below[0]), BETWEEN_MACHINES)
    fewest = min(len(machines), len(reference))
    return Ratio(float(np.median(over) / np.median(under)), None, interval, fewest)


def _values(machines: Sequence[Array], weight: str) -> Array:
    if weight == "run":
        return np.concatenate(machines)
    return np.array([percentile(runs, 0.50) for runs in machines])


def _resampled(
    machines: Sequence[Array], weight: str, seed: Sequence[str]
) -> tuple[Array, str] | None:
    """Resampled medians and what was resampled; None when there are too few for an interval."""
    if len(machines) == 1 and len(machines[0]) >= bootstrap.MINIMUM:
        return bootstrap.resampled_medians(machines[0], generator(*seed)), WITHIN_MACHINE
    if len(machines) < bootstrap.MINIMUM:
        return None
    if weight == "run":
        resampled = bootstrap.resampled_medians_of_clusters(machines, generator(*seed))
    else:
        resampled = bootstrap.resampled_medians(_values(machines, weight), generator(*seed))
    return resampled, BETWEEN_MACHINES
