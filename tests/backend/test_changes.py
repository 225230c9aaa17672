"""Changes of level, and places in a cohort: the arithmetic, against simulation and by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from macmeter.stats.changes import LEVEL, SHORTEST, changes
from macmeter.stats.rank import place
from macmeter.stats.summary import Array


@pytest.mark.parametrize("shape", ["normal", "skewed", "heavy", "steps of a clock"])
def test_a_steady_line_seldom_seems_to_change(shape: str) -> None:
    """At most one line in a hundred, and the error of 600 simulated ones."""
    random = np.random.default_rng(11)
    lines: dict[str, Callable[[int], Array]] = {
        "normal": lambda n: random.normal(10, 1, n),
        "skewed": lambda n: random.lognormal(0, 1, n),
        "heavy": lambda n: random.standard_t(1, n),
        # Many equal values, as printed or coarse figures have.
        "steps of a clock": lambda n: random.integers(1, 4, n).astype(float),
    }
    simulations = 600
    alarms = sum(
        bool(changes(lines[shape](int(random.integers(SHORTEST, 60))), [shape, str(index)]))
        for index in range(simulations)
    )
    assert alarms / simulations <= LEVEL + 3 * np.sqrt(LEVEL * (1 - LEVEL) / simulations)


def test_changes_are_found_where_they_are() -> None:
    random = np.random.default_rng(3)
    found = 0
    for index in range(100):
        levels = np.repeat([100.0, 90.0, 97.0], [20, 25, 15])
        seen = changes(levels + random.normal(0, 1.5, 60), ["found", str(index)])
        if [abs(change.index - at) <= 1 for change, at in zip(seen, (20, 45), strict=False)] == [
            True,
            True,
        ] and len(seen) == 2:
            found += 1
            assert seen[0].before == pytest.approx(100, abs=2)
            assert seen[0].after == pytest.approx(90, abs=2) == seen[1].before
    assert found >= 90


def test_one_wild_value_is_no_change() -> None:
    line = np.random.default_rng(4).normal(100, 1, 30)
    line[15] = 10.0
    assert changes(line, ["wild"]) == []


def test_a_short_line_has_no_changes() -> None:
    assert changes([1.0] * 4 + [9.0] * 5, ["short"]) == []
    assert [change.index for change in changes([1.0, 1.1] * 3 + [9.0, 9.1] * 3, ["long"])] == [6]


def test_the_same_line_gives_the_same_changes() -> None:
    line = np.random.default_rng(5).normal(0, 1, 40) + np.repeat([0, 1.2], 20)
    assert changes(line, ["a"]) == changes(line, ["a"])


def test_a_place_counts_the_others() -> None:
    others = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    placed = place(7.5, others)
    assert (placed.percentile, placed.better_than, placed.equal_to) == (70, 7, 0)
    assert place(7.5, others, lower_is_better=True).better_than == 3
    tied = place(7.0, others)
    assert (tied.percentile, tied.better_than, tied.equal_to) == (65, 6, 1)
    # Wilson, 7 of 10, as in any table of it.
    assert (placed.low, placed.high) == pytest.approx((39.68, 89.22), abs=0.01)
    best = place(99.0, others)
    assert best.percentile == 100
    assert best.high == pytest.approx(100)
    assert best.low == pytest.approx(72.25, abs=0.01)
