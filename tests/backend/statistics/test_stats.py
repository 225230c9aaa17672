"""Statistics against reference implementations and against simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macmeter.statistics import clusters, intervals
from macmeter.statistics.clusters import Clusters, median_of_clusters
from macmeter.statistics.figures import figures, figures_of_groups, ratio_of_medians, ratio_of_pairs
from macmeter.statistics.run_intervals import FEWEST_RUNS
from macmeter.statistics.summary import percentile, summarise
from macmeter.statistics.verdict import Outcome, verdict
from scipy.stats import binom
from support.spreads import SPREADS, UNEQUAL, Spread, coverage, different, error

samples = st.lists(st.floats(1e-3, 1e12), min_size=1, max_size=60)


@given(samples, st.floats(0, 1))
@settings(max_examples=300, deadline=None)
def test_percentiles_are_numpys(values: list[float], fraction: float) -> None:
    expected = np.quantile(values, fraction)
    assert percentile(sorted(values), fraction) == pytest.approx(expected, rel=1e-9)


@given(samples)
@settings(max_examples=100, deadline=None)
def test_a_summary_is_ordered(values: list[float]) -> None:
    found = summarise(values)
    ordered = [found.min, found.p10, found.p25, found.p50, found.p75, found.p90, found.max]
    assert ordered == sorted(ordered)
    assert found.n == len(values)


def chance_between(n: int, k: int) -> float:
    """Chance that the median is between the k-th value and the k-th from the top."""
    return float(1 - 2 * binom.cdf(k - 1, n, 0.5))


@pytest.mark.parametrize("n", [6, 7, 8, 11, 20, 51, 1000, 200_001])
def test_limits_lie_between_the_order_statistics_that_enclose_95_percent(n: int) -> None:
    below = int(intervals.position(n))
    assert chance_between(n, below) >= 0.95 > chance_between(n, below + 1)


@pytest.mark.parametrize("n", range(6, 200))
def test_limits_cover_93_percent_whatever_the_spread(n: int) -> None:
    """A limit between two values may cover or miss a median that lies in their gap.

    Two limits at most halfway can't both miss it there.
    """
    position = intervals.position(n)
    below, share = int(position), position - int(position)
    outer, inner = chance_between(n, below), chance_between(n, below + 1)
    worst = outer if share == 0 else (outer + inner) / 2 if share <= 0.5 else inner
    assert worst >= 0.93
    assert worst <= 0.98 or n == 7


@pytest.mark.parametrize("n", [6, 7, 8, 20, 51])
def test_clusters_of_one_value_are_values(n: int) -> None:
    values = np.random.default_rng(n).lognormal(size=n)
    median = clusters.median_of_clusters(Clusters.join(list(values.reshape(-1, 1))))
    expected = intervals.of_values(values)
    assert median.value == expected.value
    for deviations in (0, 0.7, 1.4, intervals.Z):
        assert median.limits(deviations) == pytest.approx(expected.limits(deviations))


@pytest.mark.parametrize("n", [6, 7, 16, 20, 51])
def test_the_chance_of_a_surplus_is_the_binomials(n: int) -> None:
    """Equal parts; if more than sixteen, some are approximated by a normal distribution."""
    for below in range(n // 2):
        surplus = np.array([-3] * below + [3] * (n - below))
        assert clusters.chance_of_surplus(surplus, 0 * surplus) == pytest.approx(
            float(binom.cdf(below, n, 0.5)), abs=1e-9 if n <= 16 else 2e-3
        )


def test_the_chance_of_a_surplus_is_counted_over_all_signs() -> None:
    parts = np.array([40, -17, 3, 3, 5, 0, 1])
    sums = [sum(p * s for p, s in zip(parts, signs, strict=True)) for signs in all_signs(7)]
    expected = sum(s >= parts.sum() for s in sums) / len(sums)
    assert clusters.chance_of_surplus(parts, 0 * parts) == pytest.approx(expected)
    assert clusters.chance_of_surplus(parts + 2, 0 * parts + 1) == pytest.approx(expected)


def all_signs(n: int) -> Iterator[tuple[int, ...]]:
    return product((-1, 1), repeat=n)


def test_runs_repeated_in_machines_say_no_more_than_the_machines() -> None:
    values = np.random.default_rng(3).lognormal(size=14)
    once, often = (
        intervals.of_values(values),
        clusters.median_of_clusters(Clusters.join([np.full(5, value) for value in values])),
    )
    assert often.value == once.value
    assert often.interval == pytest.approx(once.interval, rel=0.2)


@pytest.mark.parametrize("n", [6, 7, 30, 1001])
def test_without_deviations_the_limits_are_the_median(n: int) -> None:
    median = intervals.of_values(np.random.default_rng(n).lognormal(size=n))
    assert median.limits(0) == pytest.approx((median.value, median.value))


def test_a_ratio_of_a_known_side_has_the_other_sides_limits() -> None:
    constant = intervals.of_values(np.full(6, 2.0))
    side = intervals.of_values(np.random.default_rng(2).lognormal(size=9))
    low, high = side.interval
    assert intervals.of_ratio(side, constant) == pytest.approx((low / 2, high / 2))
    assert intervals.of_ratio(constant, side) == pytest.approx((2 / high, 2 / low))
    assert intervals.of_ratio(constant, constant) == (1, 1)
    may_be_0 = intervals.of_values(np.array([0.0, 0, 2, 3, 4, 5]))
    assert intervals.of_ratio(may_be_0, constant) is None


def test_a_ratio_and_its_inverse_say_the_same() -> None:
    random = np.random.default_rng(5)
    first, second = (intervals.of_values(random.lognormal(size=n)) for n in (7, 23))
    forth, back = intervals.of_ratio(first, second), intervals.of_ratio(second, first)
    assert forth is not None
    assert back is not None
    assert forth == pytest.approx((1 / back[1], 1 / back[0]))
    assert forth[0] < first.value / second.value < forth[1]


def test_both_sides_of_a_ratio_give_way_as_squares_do() -> None:
    """Zou and Donner's limits, computed directly for many values of a smooth spread."""
    random = np.random.default_rng(6)
    first, second = (intervals.of_values(random.lognormal(0, s, 200_000)) for s in (0.3, 0.4))
    limits = intervals.of_ratio(first, second)
    assert limits is not None
    down = math.hypot(
        math.log(first.value / first.interval[0]), math.log(second.interval[1] / second.value)
    )
    assert math.log(first.value / second.value / limits[0]) == pytest.approx(down, rel=0.05)


def test_equal_values_have_an_interval_of_no_width() -> None:
    interval = figures(Clusters.join([np.array([5.0, 5.0])] * 6), "run").interval
    assert interval is not None
    assert (interval.low, interval.high) == (5, 5)


@pytest.mark.parametrize("n", [6, 7, 30])
@pytest.mark.parametrize("spread", SPREADS, ids=lambda spread: spread.name)
def test_intervals_have_the_median_in_them_as_often_as_they_say(n: int, spread: Spread) -> None:
    """A short form: `make bench ONLY=interval` prints all, of 10,000 simulations each."""
    random = np.random.default_rng(20261121)
    covered = coverage(400, lambda: spread.machines(random, n), spread.median, "machine")
    within_3_errors(covered)


@pytest.mark.every(5)
@pytest.mark.parametrize("weight", ["run", "machine"])
@pytest.mark.parametrize("spread", SPREADS, ids=lambda spread: spread.name)
def test_intervals_cover_where_machines_have_several_runs(spread: Spread, weight: str) -> None:
    random = np.random.default_rng(20261121)
    truth = spread.median_of_clusters(random, weight)
    within_3_errors(coverage(400, lambda: spread.clusters(random, 8), truth, weight))


@pytest.mark.parametrize("weight", ["run", "machine"])
@pytest.mark.parametrize("alike", [0, 0.9])
@pytest.mark.parametrize("runs", ["1, 3, 40 x 4", "40, 5 x 1"])
def test_intervals_cover_where_few_machines_have_most_runs(
    runs: str, alike: float, weight: str
) -> None:
    random, spread = np.random.default_rng(20261122), SPREADS[9]
    truth = spread.median_of_unequal(random, UNEQUAL[runs], alike, weight)
    covered = coverage(
        400, lambda: spread.unequal_clusters(random, UNEQUAL[runs], alike), truth, weight
    )
    assert covered >= 0.93 - 3 * error(0.93, 400)


def within_3_errors(covered: float, simulations: int = 400) -> None:
    assert 0.93 - 3 * error(0.93, simulations) <= covered <= 0.98 + 3 * error(0.98, simulations)


def test_below_six_machines_there_is_no_interval() -> None:
    five = [np.array([float(i)]) for i in range(1, 6)]
    assert figures(Clusters.join(five), "machine").interval is None
    assert figures(Clusters.join([*five, np.array([9.0])]), "machine").interval is not None
    assert ratio_of_medians(Clusters.join(five), Clusters.join(five), "machine").interval is None
    assert ratio_of_pairs(np.array([1.0, 2, 3, 4, 5])).interval is None


@pytest.mark.parametrize(
    ("value", "low", "high", "fewest", "expected"),
    [
        (0.8, 0.7, 0.9, 12, Outcome.DIFFERENT),
        (1.2, 1.1, 1.4, 6, Outcome.DIFFERENT),
        (1.0, 0.95, 1.06, 40, Outcome.NO_EVIDENCE),
        (1.0, 0.7, 1.4, 8, Outcome.NOT_ENOUGH),
        (0.5, 0.4, 0.6, 5, Outcome.NOT_ENOUGH),
        (0.5, None, None, 9, Outcome.NOT_ENOUGH),
    ],
)
def test_a_verdict_has_three_answers(
    value: float, low: float | None, high: float | None, fewest: int, expected: Outcome
) -> None:
    judgement = verdict(value, low, high, fewest)
    assert judgement.answer is expected
    if judgement.answer is Outcome.NO_EVIDENCE:
        assert judgement.smallest_visible == pytest.approx(1.06)


def test_values_that_are_all_the_same_say_nothing_of_what_would_have_shown() -> None:
    same = Clusters.join([np.array([7.0])] * 12)
    ratio = ratio_of_medians(same, same, "machine")
    assert ratio.interval is not None
    judgement = verdict(ratio.value, ratio.interval.low, ratio.interval.high, ratio.fewest)
    assert (judgement.answer, judgement.smallest_visible) == (Outcome.NO_EVIDENCE, None)


@pytest.mark.every(5)
@pytest.mark.parametrize("sizes", [(6, 6), (6, 40), (12, 30)])
@pytest.mark.parametrize("spread", SPREADS, ids=lambda spread: spread.name)
def test_equal_groups_are_seldom_called_different(spread: Spread, sizes: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    n, m = sizes
    alarms = different(250, lambda: (spread.machines(random, n), spread.machines(random, m)))
    assert alarms <= 0.05 + 3 * error(0.05, 250)


def test_a_true_difference_is_seen_the_more_the_more_machines_there_are() -> None:
    random, normal = np.random.default_rng(6), SPREADS[0]

    def seen(n: int) -> float:
        return different(
            200, lambda: (normal.machines(random, n), normal.machines(random, n)), times=1.15
        )

    low, middle, high = seen(6), seen(12), seen(40)
    assert low < middle < high
    assert high > 0.95


def test_several_groups_have_the_figures_of_each_alone() -> None:
    random = np.random.default_rng(20261122)
    machines = [0, 1, 5, 6, 0, 1, 7, 40, 333, 0]
    groups = [
        [np.sort(random.lognormal(size=1 + number % 9)) for number in range(count)]
        for count in machines
    ]
    joined = [Clusters.join(group) if group else None for group in groups]
    in_time = random.lognormal(size=FEWEST_RUNS)
    joined[5] = Clusters(np.sort(in_time), np.array([FEWEST_RUNS]), read_in_order=lambda: in_time)
    medians = np.concatenate([c.medians for c in joined if c is not None])

    def alone(group: int) -> Clusters:
        cluster = joined[group]
        assert cluster is not None
        assert len(cluster) == 1
        return cluster

    results = figures_of_groups(medians, [0, *np.cumsum(machines).tolist()], alone)
    assert results == [None if c is None else figures(c, "machine") for c in joined]
    within = results[5]
    assert within is not None
    assert within.interval is not None


def test_limits_are_the_same_in_whatever_order_they_are_asked_for() -> None:
    random = np.random.default_rng(20261122)
    machines = Clusters.join([np.sort(random.normal(9, 1, n)) for n in random.integers(1, 30, 25)])
    deviations = [1.9, 0.3, 1.2, 0.7, 1.96]
    median = median_of_clusters(machines)
    assert [median.limits(d) for d in deviations] == [
        median_of_clusters(machines).limits(d) for d in deviations
    ]
