"""Verdicts on several ratios of one page: no more of them are wrong than with a single one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.intervals import Z
from macmeter.statistics.summary import Array
from macmeter.statistics.verdict import Outcome, deviations_of, judged, verdicts_together
from scipy.stats import false_discovery_control, norm
from support.designs import called_different_of_several
from support.spreads import error

DIFFERENT, NO_EVIDENCE, NOT_ENOUGH = Outcome.DIFFERENT, Outcome.NO_EVIDENCE, Outcome.NOT_ENOUGH


def of_values(values: Array) -> Clusters:
    return Clusters(values, np.ones(len(values), dtype=np.int64))


def of_normal(value: float, error: float, fewest: int = 12) -> Ratio:
    """A ratio with intervals from a normal distribution of its logarithm."""

    def limits(deviations: float) -> tuple[float, float]:
        return value * math.exp(-deviations * error), value * math.exp(deviations * error)

    ratio = ratio_of_pairs(np.full(fewest, value))
    assert ratio.interval is not None
    low, high = limits(Z)
    interval = type(ratio.interval)(low, high, ratio.interval.of)
    return Ratio(value, fewest, interval, fewest, limits)


def holm(chances: Array) -> list[bool]:
    """Holm's test by the textbook: smallest p of m below 5%/m, next below 5%/(m - 1), and so on."""
    clear = [False] * len(chances)
    for step, index in enumerate(np.argsort(chances)):
        if chances[index] > 0.05 / (len(chances) - step):
            break
        clear[index] = True
    return clear


@pytest.mark.parametrize("seed", range(20))
def test_verdicts_are_those_of_holms_procedure(seed: int) -> None:
    random = np.random.default_rng(seed)
    logarithms = random.normal(random.choice([0, 2.5, 4], 16), 1)
    verdicts = verdicts_together([of_normal(math.exp(0.02 * z), 0.02) for z in logarithms])
    chances = 2 * norm.sf(np.abs(logarithms))
    clear = [verdict.answer is DIFFERENT for verdict in verdicts]
    assert clear == holm(chances)
    assert sum(clear) <= int((false_discovery_control(chances) < 0.05).sum())


def test_one_ratio_is_judged_as_it_is_alone() -> None:
    for ratio in (of_normal(1.05, 0.02), of_normal(1.02, 0.02), of_normal(1.5, 0.4)):
        assert verdicts_together([ratio]) == [judged(ratio)]
    assert deviations_of(1) == pytest.approx(Z)


def test_what_is_no_longer_clear_says_what_would_have_shown() -> None:
    alone = of_normal(1.05, 0.02)
    verdict, *_ = verdicts_together([alone] + [of_normal(1, 0.02)] * 9)
    assert judged(alone).answer is DIFFERENT
    assert verdict.answer is NO_EVIDENCE
    assert verdict.smallest_visible == pytest.approx(math.exp(deviations_of(10) * 0.02))


def test_ratios_without_an_interval_count_for_nothing() -> None:
    narrow = ratio_of_pairs(np.array([1.1, 1.2, 1.3]))
    verdicts = verdicts_together([of_normal(1.045, 0.02)] + [narrow] * 15)
    assert [verdict.answer for verdict in verdicts] == [DIFFERENT] + [NOT_ENOUGH] * 15


def test_six_machines_allow_no_interval_of_a_stricter_level() -> None:
    ratio = ratio_of_pairs(np.linspace(1.1, 1.2, 6))
    verdicts = verdicts_together([ratio, ratio])
    assert judged(ratio).answer is DIFFERENT
    assert [verdict.answer for verdict in verdicts] == [NOT_ENOUGH] * 2
    twelve = ratio_of_pairs(np.linspace(1.1, 1.2, 12))
    assert [verdict.answer for verdict in verdicts_together([twelve] * 16)] == [DIFFERENT] * 16


@pytest.mark.parametrize("alike", [0.0, 0.8])
@pytest.mark.parametrize("n", [8, 20])
def test_of_sixteen_equal_metrics_one_is_seldom_called_different(n: int, alike: float) -> None:
    random = np.random.default_rng(20261127)
    alone, together = called_different_of_several(random, 200, n, alike)
    assert together <= alone
    assert together <= 0.05 + 3 * error(0.05, 200)


@pytest.mark.parametrize("deviations", [0.5, 1.0, Z, 2.5, 3.5, 5.0])
def test_stricter_limits_lie_outside_of_less_strict_ones(deviations: float) -> None:
    random = np.random.default_rng(9)
    first, second = (of_values(random.lognormal(0, 0.1, 30)) for _ in range(2))
    limits = ratio_of_medians(first, second, "machine").limits
    inner, outer = limits(deviations), limits(deviations + 0.3)
    assert inner is not None
    assert outer is not None
    assert outer[0] <= inner[0] <= inner[1] <= outer[1]
