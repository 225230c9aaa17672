"""Whether machines moved together: against tables, by hand and by simulation."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from macmeter.statistics.intervals import chance_of_t
from macmeter.statistics.shifts import shift_of


# From the tables of Student's t in every textbook.
@pytest.mark.parametrize(
    ("t", "freedom", "chance"),
    [(12.706, 1, 0.05), (2.571, 5, 0.05), (4.032, 5, 0.01), (3.169, 10, 0.01), (3.390, 100, 0.001)],
)
def test_chances_are_those_of_the_tables(t: float, freedom: int, chance: float) -> None:
    assert chance_of_t(t, freedom) == pytest.approx(chance, rel=2e-3)
    assert chance_of_t(-t, freedom) == chance_of_t(t, freedom)


def test_chances_far_out_are_neither_lost_nor_negative() -> None:
    chances = [chance_of_t(t, 9) for t in (0, 1, 5, 20, 100, 1e4, 1e9)]
    assert chances[0] == 1
    assert all(a > b >= 0 for a, b in pairwise(chances))


def test_a_shift_is_the_median_with_its_interval() -> None:
    changes = np.log([0.86, 0.87, 0.88, 0.88, 0.89, 0.90, 0.91])
    shift = shift_of(changes)
    assert shift.machines == 7
    assert shift.effect == pytest.approx(0.88)
    assert shift.low == pytest.approx(0.86)
    assert shift.high == pytest.approx(0.91)
    assert shift.is_clear
    assert shift.chance < 1e-5


def test_too_few_machines_have_a_median_and_nothing_else() -> None:
    shift = shift_of(np.log([0.5, 0.5, 0.5, 0.5, 0.5]))
    assert (shift.low, shift.high, shift.chance) == (None, None, 1.0)
    assert not shift.is_clear
    assert shift.effect == pytest.approx(0.5)


def test_equal_changes_are_not_known_beyond_a_macs_own_precision() -> None:
    assert 0 < shift_of(np.full(6, 0.001)).chance < 1
    assert shift_of(np.zeros(6)).chance == 1


def test_one_wild_machine_hides_nothing() -> None:
    changes = np.append(np.random.default_rng(1).normal(math.log(0.9), 0.02, 20), 4.0)
    assert shift_of(changes).chance < 1e-6


def test_quiet_machines_are_as_seldom_far_out_as_said() -> None:
    random = np.random.default_rng(20261122)
    rows = random.normal(0, 0.03, (4000, 12))
    share = np.mean([shift_of(row).chance <= 0.01 for row in rows])
    assert share <= 0.01 + 3 * math.sqrt(0.01 * 0.99 / 4000)
