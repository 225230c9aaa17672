"""Arithmetic of changes of level and percentiles in a cohort, against simulation and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.statistics.changes import SHORTEST, _strengths, changes, fewest_beside
from macmeter.statistics.intervals import place
from support.spreads import error
from support.steady import STEADY, steady_lines


def alarms(spread: str, memory: float, n: int, simulations: int) -> float:
    """Share of steady lines that seem to change."""
    random = np.random.default_rng(20261122)
    lines = steady_lines(random, STEADY[spread], memory, n, simulations)
    return sum(bool(changes(line)) for line in lines) / simulations


@pytest.mark.every(5)
@pytest.mark.parametrize("n", [SHORTEST, 20, 50, 100])
@pytest.mark.parametrize("memory", [0.3, 0.6])
@pytest.mark.parametrize("spread", ["normal", "two far peaks", "few values"])
def test_a_steady_line_seldom_seems_to_change(spread: str, memory: float, n: int) -> None:
    """A short form: `make bench ONLY=changes` prints all, of 4,000 simulations each."""
    assert alarms(spread, memory, n, 400) <= 0.01 + 3 * error(0.01, 400)


def test_changes_are_found_where_they_are() -> None:
    random = np.random.default_rng(3)
    count = 0
    for _ in range(100):
        levels = np.repeat([100.0, 90.0, 97.0], [20, 25, 15])
        found_changes = changes(levels + random.normal(0, 1.2, 60))
        indices = [change.index for change in found_changes]
        if len(found_changes) == 2 and abs(indices[0] - 20) <= 1 and abs(indices[1] - 45) <= 1:
            count += 1
            assert found_changes[0].before == pytest.approx(100, abs=2)
            assert found_changes[0].after == pytest.approx(90, abs=2) == found_changes[1].before
    assert count >= 80


def test_a_change_that_was_undone_is_found() -> None:
    """The two hide each other in the whole line."""
    levels = np.repeat([100.0, 86.0, 100.0], [30, 25, 30])
    found_changes = changes(levels + np.random.default_rng(6).normal(0, 1.5, 85))
    assert [change.index for change in found_changes] == [30, 55]


def test_one_wild_value_is_no_change_and_hides_none() -> None:
    line = np.random.default_rng(4).normal(100, 1, 60)
    line[15] = 10.0
    assert changes(line) == []
    line[35:] -= 14
    assert [change.index for change in changes(line)] == [35]


def test_the_fewest_values_of_a_change_lie_on_either_side() -> None:
    beside = fewest_beside(SHORTEST)
    assert 2 * beside == SHORTEST
    random = np.random.default_rng(9)
    line = np.concatenate([random.normal(100, 1, beside), random.normal(86, 1, beside)])
    assert changes(line[:-1]) == []
    assert [change.index for change in changes(line)] == [beside]


def test_a_step_between_ties_is_no_change_where_there_are_few() -> None:
    """A line with only two values shows nothing about its variation."""
    assert changes([3.06] * 7 + [2.9] * 7) == []
    assert [change.index for change in changes([3.06] * 25 + [2.9] * 25)] == [25]
    assert changes([3.06] * 50) == []


def test_another_value_makes_no_other_change() -> None:
    """The same change is found again with each added value of the same level."""
    random = np.random.default_rng(8)
    line = np.concatenate([random.normal(100, 1, 20), random.normal(90, 1, 60)])
    indices = [[change.index for change in changes(line[:n])] for n in range(30, 81)]
    assert indices == [[20]] * 51


def test_strays_are_what_they_are_by_definition() -> None:
    """Shao and Zhang's normaliser, computed sum by sum."""
    values = np.random.default_rng(2).normal(size=16)
    strengths = _strengths(values[np.newaxis], 0)[0]
    for before, strength in enumerate(strengths, start=fewest_beside(16)):
        step = values[:before].sum() - before / 16 * values.sum()
        strayed = 0.0
        for part in (values[:before], values[before:][::-1]):
            sums = np.cumsum(part)
            line = np.arange(1, len(part) + 1) / len(part) * sums[-1]
            strayed += float(((sums - line) ** 2).sum())
        assert strength == pytest.approx(16 * step**2 / strayed)


def test_a_place_counts_the_others() -> None:
    values = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    placed = place(7.5, values)
    assert (placed.percentile, placed.better_than, placed.equal_to) == (70, 7, 0)
    quick = place(7.5, values, lower_is_better=True)
    assert (quick.better_than, quick.percentile) == (3, 30)
    slow = place(7.5, values)
    assert (slow.better_than, slow.percentile) == (7, 70)
    assert (quick.low, quick.high) == pytest.approx((100 - slow.high, 100 - slow.low))
    tied = place(7.0, values)
    assert (tied.percentile, tied.better_than, tied.equal_to) == (65, 6, 1)
    # Wilson's interval for 7 of 10, as in any table of it.
    assert (placed.low, placed.high) == pytest.approx((39.68, 89.22), abs=0.01)
    best = place(99.0, values)
    assert best.percentile == 100
    assert best.high == pytest.approx(100)
    assert best.low == pytest.approx(72.25, abs=0.01)
