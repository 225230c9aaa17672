"""The geometric mean of several ratios of the same machines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.verdict import Part, together

_METRICS = 4
_TRIALS = 200
# Coverage below which 200 trials of a 95% interval fall once in some thousand times.
_FEWEST = 0.9


def test_means_of_the_limits_are_the_limits() -> None:
    mean = together([Part(2, (1, 4)), Part(8, (4, 16))])
    assert mean.value == pytest.approx(4)
    assert mean.limits == pytest.approx((2, 8))


def test_one_ratio_without_limits_leaves_the_mean_without() -> None:
    assert together([Part(2, (1, 4)), Part(8)]).limits is None
    assert together([Part(2, (0, 4))]).limits is None
    assert together([Part(2, (0, 4)).turned()]).limits is None


def test_less_is_turned_to_more() -> None:
    assert Part(0.5, (0.25, 0.8)).turned() == Part(2, (1.25, 4))
    assert Part(0.5).turned() == Part(2)


@pytest.mark.parametrize("shared", [0, 0.7, 1])
@pytest.mark.parametrize("tail", ["normal", "heavy"])
def test_it_covers_what_is_true_however_metrics_depend(shared: float, tail: str) -> None:
    """`shared`: the part of a metric's deviation that is the machine's own."""
    rng = np.random.default_rng(13)
    covered = {
        paired: sum(_covers(rng, shared, tail, paired=paired) for _ in range(_TRIALS)) / _TRIALS
        for paired in (True, False)
    }
    assert min(covered.values()) >= _FEWEST, covered


def _covers(rng: np.random.Generator, shared: float, tail: str, *, paired: bool) -> bool:
    """Return whether one trial's interval contains the true ratio, 1.5 for every metric."""
    machines = int(rng.choice([6, 9, 14]))
    sides = [_log_values(rng, machines, shared, tail) for _ in range(1 if paired else 2)]
    parts = []
    for metric in range(_METRICS):
        if paired:
            ratio = ratio_of_pairs(1.5 * np.exp(sides[0][metric]))
        else:
            over, under = (np.exp(side[metric]) for side in sides)
            ratio = ratio_of_medians(_clusters(1.5 * over), _clusters(under), "machine")
        parts.append(_part(ratio))
    limits = together(parts).limits
    assert limits is not None
    return limits[0] <= 1.5 <= limits[1]


def _log_values(rng: np.random.Generator, machines: int, shared: float, tail: str) -> np.ndarray:
    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_t(2, shape) if tail == "heavy" else rng.standard_normal(shape)

    machine_part, metric_part = drawn(1, machines), drawn(_METRICS, machines)
    return 0.1 * (shared * machine_part + math.sqrt(1 - shared**2) * metric_part)


def _clusters(values: np.ndarray) -> Clusters:
    return Clusters(values, np.ones(len(values), dtype=int))


def _part(ratio: Ratio) -> Part:
    assert ratio.interval is not None
    return Part(ratio.value, (ratio.interval.low, ratio.interval.high))
