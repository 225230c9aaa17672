"""One change per machine, however much it measured."""

from __future__ import annotations

import math

import numpy as np
import pytest
from macmeter.alerts.points import Points, changes_over_updates, changes_since

# Machine, line, cohort, version, day, value.
Row = tuple[int, int, int, int, float, float]


def points(*rows: Row) -> Points:
    machine, line, cohort, version, day, value = (np.array(v) for v in zip(*rows, strict=True))
    return Points(machine, line, cohort, version, day.astype(float), np.log(value))


def line(machine: int, number: int, before: float, after: float, at: int = 3) -> list[Row]:
    """Weekly runs: of macOS 1 until week `at`, of macOS 2 from then on."""
    return [
        (machine, number, 0, 1 + (week >= at), 7.0 * week, after if week >= at else before)
        for week in range(at + 2)
    ]


def test_a_machine_with_several_lines_changes_once() -> None:
    changes = changes_over_updates(
        points(*line(1, 1, 100, 90), *line(1, 2, 50, 40), *line(1, 3, 10, 9.5), *line(2, 4, 9, 9))
    ).by_machine()
    assert changes.machine.tolist() == [1, 2]
    assert np.exp(changes.change) == pytest.approx([0.9, 1.0])
    assert changes.day.tolist() == [21, 21]


def test_order_of_arrival_does_not_matter() -> None:
    ordered = points(*line(1, 1, 100, 90), *line(2, 2, 50, 40))
    shuffled = ordered.only(np.random.default_rng(1).permutation(len(ordered)))
    assert changes_over_updates(shuffled).by_machine().change == pytest.approx(
        changes_over_updates(ordered).by_machine().change
    )


def test_one_run_before_an_update_is_not_a_level() -> None:
    assert not len(changes_over_updates(points(*line(1, 1, 100, 90, at=1))).by_machine())


def test_an_update_is_held_against_the_macos_before_it_alone() -> None:
    rows: list[Row] = [(1, 1, 0, 1, 7.0 * n, 200) for n in range(3)]
    rows += [(1, 1, 0, 2, 21 + 7.0 * n, 100) for n in range(3)]
    rows += [(1, 1, 0, 3, 42, 90)]
    changes = changes_over_updates(points(*rows)).by_machine()
    assert dict(zip(changes.version.tolist(), np.exp(changes.change), strict=True)) == (
        pytest.approx({2: 0.5, 3: 0.9})
    )


def test_what_is_long_ago_is_no_level_before_an_update() -> None:
    rows: list[Row] = [(1, 1, 0, 1, 7.0 * n, 200) for n in range(3)]
    rows += [(1, 1, 0, 1, 100 + n, 100) for n in range(3)]
    rows += [(1, 1, 0, 2, 110, 90)]
    (change,) = changes_over_updates(points(*rows)).by_machine().change
    assert math.exp(change) == pytest.approx(0.9)


def test_who_kept_its_macos_is_held_against_itself() -> None:
    rows: list[Row] = [(1, 1, 0, 1, 7.0 * n, 100.0) for n in range(5)] + [(1, 1, 0, 1, 36.0, 95.0)]
    changes = changes_since(points(*rows, *line(2, 2, 100, 50, at=4)), 30).by_machine()
    assert changes.machine.tolist() == [1]
    assert math.exp(changes.change[0]) == pytest.approx(0.95)
