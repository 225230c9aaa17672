"""Outliers of a cohort: by hand, and by a short simulation of `make bench ONLY=strays`."""

from __future__ import annotations

import math
from functools import reduce
from operator import add

import numpy as np
import pytest
from macmeter.statistics.outliers import (
    DISTANCE_FACTOR,
    FEWEST_MACHINES,
    MAX_FALSE_SHARE,
    certainly_usual_bounds,
    usual_range,
)
from macmeter.statistics.summary import Array
from support.stray_machines import SPREADS, Cohort, Counted

COHORTS = 4


def test_of_few_machines_nobody_can_say() -> None:
    assert usual_range(np.zeros(FEWEST_MACHINES - 1)) is None
    assert usual_range(np.zeros(FEWEST_MACHINES)) is not None


def test_half_and_double_are_never_far_outside() -> None:
    usual = usual_range(np.full(FEWEST_MACHINES, 1.0))
    assert usual is not None
    assert usual.bounds == pytest.approx((1 - math.log(2), 1 + math.log(2)))


def test_each_side_has_a_spread_of_its_own() -> None:
    """All but the outermost twentieth: with 40 machines, two on each side."""
    below, above = np.linspace(-1, 0, 20), np.linspace(0, 0.1, 20)
    usual = usual_range(np.concatenate([above, below]))
    assert usual is not None
    low, high = usual.low - usual.median, usual.high - usual.median
    assert (low, high) == pytest.approx((below[2], above[-3]))
    assert usual.bounds == pytest.approx((DISTANCE_FACTOR * below[2], DISTANCE_FACTOR * above[-3]))


@pytest.mark.parametrize("machines", [FEWEST_MACHINES + 1, 40, 41, 60, 81])
@pytest.mark.parametrize("spread", sorted(SPREADS))
def test_what_is_surely_usual_is_so_without_any_one_machine(machines: int, spread: str) -> None:
    random = np.random.default_rng(machines)
    for _ in range(20):
        sample: Array = SPREADS[spread](random, (machines,))
        values = sample.round(int(random.integers(0, 4)))
        low, high = certainly_usual_bounds(values)
        for left_out in range(machines):
            usual = usual_range(np.delete(values, left_out))
            assert usual is not None
            assert usual.bounds[0] <= low + 1e-9
            assert usual.bounds[1] >= high - 1e-9


def test_nearly_all_is_surely_usual() -> None:
    low, high = certainly_usual_bounds(np.linspace(-1, 1, 60))
    assert (low, high) == pytest.approx((-DISTANCE_FACTOR, DISTANCE_FACTOR), rel=0.3)


def test_one_machine_that_was_believed_hides_no_other() -> None:
    values = np.random.default_rng(1).normal(0, 0.02, FEWEST_MACHINES)
    before, after = usual_range(values[1:].repeat(2)), usual_range(np.append(values, math.log(100)))
    assert before is not None
    assert after is not None
    assert after.bounds[1] < 2 * before.bounds[1]


@pytest.mark.parametrize("spread", SPREADS)
def test_honest_machines_stay_and_planted_runs_are_found(spread: str) -> None:
    narrow = reduce(
        add, [Cohort(seed, spread, 0.03, FEWEST_MACHINES).counted() for seed in range(COHORTS)]
    )
    wide = reduce(
        add, [Cohort(seed, spread, 0.1, FEWEST_MACHINES).counted() for seed in range(COHORTS)]
    )
    honest = narrow + wide
    assert honest.false <= math.ceil(3 * MAX_FALSE_SHARE * honest.honest)
    # If a fifth of the machines are far slower, a tenth of the speed is not unusual.
    assert narrow.found >= (0.45 if "20%" in spread else 0.75) * narrow.planted


def test_a_simulation_without_a_rule_would_count_false_ones() -> None:
    """Heavy tails are heavy: only the rule keeps honest machines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("macmeter.statistics.outliers.DISTANCE_FACTOR", 2.0)
        counts: Counted = Cohort(1, "heavy tails", 0.3, FEWEST_MACHINES).counted()
    assert counts.false > 0
