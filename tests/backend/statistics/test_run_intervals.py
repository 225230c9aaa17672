"""The interval of one machine's runs, which correlate in time."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import WITHIN_MACHINE, NoInterval, figures
from macmeter.statistics.run_intervals import FEWEST_RUNS, limits_of_runs
from support.designs import held_of_runs
from support.spreads import error

SIMULATIONS = 400


@pytest.mark.every(5)
@pytest.mark.parametrize("memory", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("n", [FEWEST_RUNS, 60])
@pytest.mark.parametrize("spread", ["normal", "two far peaks", "exponential shocks"])
def test_intervals_cover_where_runs_remember(spread: str, n: int, memory: float) -> None:
    """A short form: `make bench ONLY=interval` prints all."""
    result = held_of_runs(np.random.default_rng(20261127), SIMULATIONS, spread, memory, n)
    assert result.coverage >= 0.93 - 3 * error(0.93, SIMULATIONS)


def test_of_fewer_runs_there_is_none_and_none_without_their_order() -> None:
    values = np.linspace(9, 10, FEWEST_RUNS)
    clusters = Clusters(values[1:], np.array([FEWEST_RUNS - 1]), read_in_order=lambda: values[1:])
    assert figures(clusters, "machine").no_interval is NoInterval.FEW_RUNS
    in_no_order = Clusters(values, np.array([FEWEST_RUNS]))
    assert figures(in_no_order, "machine").no_interval is NoInterval.FEW_RUNS


def test_the_order_of_runs_decides_how_wide_it_is() -> None:
    values = np.linspace(1, 2, 60)
    drifting = limits_of_runs(values)
    mixed = limits_of_runs(np.random.default_rng(3).permutation(values))
    assert mixed[0] < np.median(values) < mixed[1]
    assert drifting[1] - drifting[0] > 2 * (mixed[1] - mixed[0])


def test_runs_that_are_all_equal_have_one_value() -> None:
    values = np.full(30, 7.0)
    interval = figures(
        Clusters(values, np.array([30]), read_in_order=lambda: values), "machine"
    ).interval
    assert interval is not None
    assert (interval.low, interval.high, interval.of) == (7, 7, WITHIN_MACHINE)


@pytest.mark.parametrize("levels", [2, 3])
def test_runs_of_a_few_values_have_limits_among_them(levels: int) -> None:
    values = np.random.default_rng(4).integers(0, levels, 200).astype(float)
    low, high = limits_of_runs(values)
    assert low <= np.median(values) <= high
    assert {low, high} <= set(values)


def test_a_long_history_is_no_problem() -> None:
    values = np.random.default_rng(5).normal(size=200_000)
    low, high = limits_of_runs(values)
    assert -0.02 < low < 0 < high < 0.02


def test_limits_turn_with_the_values() -> None:
    values = np.random.default_rng(6).lognormal(size=45)
    low, high = limits_of_runs(values)
    assert limits_of_runs(-values) == (-high, -low)
    assert limits_of_runs(values[::-1]) == (low, high)
    assert limits_of_runs(np.exp(values)) == (np.exp(low), np.exp(high))
