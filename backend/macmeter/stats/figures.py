"""The figures of one group of machines, and the ratio of two. Pure arithmetic on arrays.

All values are in the metric's own unit. A machine's value is the median of its run values;
a group's figures are taken over machine values, or over run values with `weight="run"`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from macmeter.stats.clusters import Clusters, of_clusters
from macmeter.stats.intervals import MINIMUM, Median, of_ordered, of_ratio, of_values
from macmeter.stats.summary import Array, percentiles

_FRACTIONS = (0.10, 0.25, 0.50, 0.75, 0.90)
BETWEEN_MACHINES = "between machines"
WITHIN_MACHINE = "within this machine"
BETWEEN_PAIRS = "between pairs"


@dataclass(frozen=True)
class Interval:
    """A 95% interval, and what it says would vary."""

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


def figures(machines: Clusters, weight: str) -> Figures:
    """Figures of a group; a cluster holds a machine's run values."""
    values = np.sort(_values(machines, weight))
    p10, p25, median, p75, p90 = percentiles(values, _FRACTIONS)
    return Figures(
        median=median,
        p10=p10,
        p25=p25,
        p75=p75,
        p90=p90,
        min=float(values[0]),
        max=float(values[-1]),
        mean=float(values.mean()),
        interval=_interval(machines, weight, values),
    )


def ratio_of_pairs(ratios: Array) -> Ratio:
    """The median of the pairs' own ratios."""
    found = of_values(ratios)
    interval = None
    if len(ratios) >= MINIMUM:
        interval = Interval(*found.interval, BETWEEN_PAIRS)
    return Ratio(found.value, len(ratios), interval, len(ratios))


def ratio_of_medians(machines: Clusters, reference: Clusters, weight: str) -> Ratio:
    """The ratio of the two groups' medians."""
    over, under = _median(machines, weight), _median(reference, weight)
    fewest = min(len(machines), len(reference))
    interval = None
    # One machine's own spread says nothing of another's: only between machines is there one.
    if fewest >= MINIMUM:
        found = of_ratio(over, under)
        interval = Interval(*found, BETWEEN_MACHINES) if found is not None else None
    return Ratio(over.value / under.value, None, interval, fewest)


def _values(machines: Clusters, weight: str) -> Array:
    return machines.values if weight == "run" else machines.medians


def _interval(machines: Clusters, weight: str, ordered: Array) -> Interval | None:
    """None where there are too few for one; `ordered` are the values that count."""
    if len(machines) == 1 and machines.sizes[0] >= MINIMUM:
        return Interval(*of_values(machines.values).interval, WITHIN_MACHINE)
    if len(machines) < MINIMUM:
        return None
    found = of_clusters(machines) if weight == "run" else of_ordered(ordered)
    return Interval(*found.interval, BETWEEN_MACHINES)


def _median(machines: Clusters, weight: str) -> Median:
    """Of the group's median: machines are the units, whatever is weighted."""
    return of_clusters(machines) if weight == "run" else of_values(machines.medians)
