"""Slowness for some days after an update, and changes of the whole fleet, raise no alerts."""

from __future__ import annotations

import math
from statistics import median

import numpy as np
import pytest
from macmeter.alerts.evaluation import usual_movement
from macmeter.alerts.points import (
    Points,
    changes_over_updates,
    dated,
    latest_changes,
    settling_since,
)
from support.fleet_updates import Rollout, What
from support.thorough import some

Row = tuple[int, int, float, float]


def points(*rows: Row) -> Points:
    """Build points from machine, version, day and value."""
    machine, version, day, value = (np.array(column) for column in zip(*rows, strict=True))
    zeros = np.zeros(len(machine), dtype=int)
    return Points(machine, machine, zeros, version, day.astype(float), np.log(value))


BEFORE: list[Row] = [(1, 1, day, 100.0) for day in (0, 7, 14)]


def test_runs_of_three_days_after_the_first_under_a_version_are_settling() -> None:
    all_points = points(*BEFORE, *((1, 2, 20 + day, 90.0) for day in (0, 2.9, 3)))
    since = settling_since(all_points)
    assert since.tolist()[3:5] == [20, 20]
    assert np.isnan(since[[0, 1, 2, 5]]).all()


def test_a_machine_that_was_never_seen_with_another_version_settles_nowhere() -> None:
    assert np.isnan(settling_since(points(*BEFORE))).all()


@pytest.mark.parametrize(
    ("runs", "today", "expected"),
    [
        ([(20, 80.0)], 22.9, None),
        ([(20, 80.0)], 23, (0.8, 0.8, 0.8)),
        ([(20, 80.0), (22, 80.0)], 23, (0.8, 0.8, 0.8)),
        ([(24, 80.0), (28, 90.0)], 28, (0.9, 0.8, 0.85)),
        ([(20, 80.0), (24, 80.0)], 24, (0.8, 0.8, 0.8)),
        ([(20, 80.0), (21, 80.0), (22, 80.0), (24, 97.0)], 24, (0.97, 0.8, 0.8)),
    ],
)
def test_first_days_are_measured_alone_when_they_are_over(
    runs: list[tuple[float, float]], today: float, expected: tuple[float, ...] | None
) -> None:
    all_points = points(*BEFORE, *((1, 2, day, value) for day, value in runs))
    changes = changes_over_updates(all_points, today).by_machine()
    levels = np.exp([changes.change, changes.early, changes.both]).T.tolist()
    assert levels == ([] if expected is None else [pytest.approx(expected, abs=0.002)])
    assert changes.settled.tolist() == [max(runs)[0] - min(runs)[0] >= 3] * len(levels)


def test_slow_first_runs_are_no_level_before_the_next_update() -> None:
    rows = [(1, 2, day, value) for day, value in ((20, 50.0), (21, 50.0), (25, 100.0), (27, 100.0))]
    all_points = points(*BEFORE, *rows, (1, 3, 40, 100.0), (1, 3, 44, 100.0))
    changes = changes_over_updates(all_points, 50).by_machine()
    assert changes.version.tolist() == [2, 3]
    assert changes.change == pytest.approx([0, 0])


def of_machines(settled: list[float], others: list[float]) -> Points:
    rows: list[Row] = []
    for number, after in enumerate([*settled, *others]):
        rows += [(number, 1, day, 100.0 + (day % 3 - 1) / 10) for day in (0, 7, 14)]
        rows += [(number, 2, 20, others[number % len(others)])]
        rows += [(number, 2, 27, after)] if number < len(settled) else []
    return points(*rows)


@pytest.mark.parametrize(
    ("settled", "others", "counted"),
    [
        ([90, 91, 89], [90, 91, 92, 90], 7),
        ([90, 91], [90, 91, 92, 90], 6),
        ([90], [90, 91, 92, 90], 1),
        ([100, 101, 99], [90, 91, 92, 90], 3),
        ([97, 96, 98], [90, 91, 92, 90], 3),
        ([95, 105, 60], [90, 91, 92, 90], 3),
        ([], [90, 91, 92, 90], 0),
    ],
)
def test_machines_that_have_not_settled_count_where_others_agree(
    settled: list[float], others: list[float], counted: int
) -> None:
    all_points = of_machines(settled, others)
    assert (
        len(changes_over_updates(all_points, 30).by_machine().with_first_days_if_alike()) == counted
    )


@pytest.mark.every(4)
@pytest.mark.parametrize("what", ["first run", "first days"])
@pytest.mark.parametrize(("every", "within"), [(1.0, 28.0), (2.0, 5.0), (7.0, 14.0)])
@pytest.mark.parametrize("machines", [60, 200])
def test_what_passes_after_an_update_raises_no_alert(
    what: What, every: float, within: float, machines: int
) -> None:
    fleets = [
        Rollout(seed, machines, what, slower=0.9, every=every, within=within, noise=0.02)
        for seed in range(2)
    ]
    assert [len([*fleet.alerts(last=24)]) for fleet in fleets] == [0, 0]


@pytest.mark.parametrize(("machines", "most"), [(50, 11.0), (200, 6.5)])
def test_what_stays_is_found_three_days_later(machines: int, most: float) -> None:
    """When first runs counted, it took 7.9 and 2.8 days."""
    delays = [Rollout(seed, machines).delay() for seed in range(5)]
    assert median(delays) <= most


@pytest.mark.parametrize("slower", [0.95, 0.9])
@pytest.mark.parametrize(("machines", "every"), [(20, 7.0), (60, 1.0)])
def test_what_changes_at_once_is_dated_to_three_days(
    slower: float, machines: int, every: float
) -> None:
    for seed in range(4):
        fleet = Rollout(seed, machines, "at once", slower=slower, every=every, share=1.0)
        for today in (14, 28):
            for _, finding in fleet.alerts(today, today + 1):
                assert finding.version is None
                assert abs(finding.day) <= 3
                assert finding.is_common
    assert any(fleet.alerts(14, 15))


def test_each_machine_has_a_day_of_its_own() -> None:
    rows: list[Row] = [
        (machine, 1, day + machine / 100, 100.0 if day < 30 + machine else 80.0)
        for machine in range(9)
        for day in range(60)
    ]
    change = dated(points(*rows), 45)
    assert change.day == pytest.approx(34, abs=1.5)
    assert change.days - change.machines == pytest.approx(np.full(9, 29.5), abs=0.2)


def test_one_cohort_of_several_is_not_the_fleet() -> None:
    (_, finding), *_ = Rollout(1, 60, "at once", slower=0.9).alerts(14, 15)
    assert not finding.is_common
    assert set(finding.machines.tolist()) <= set(range(30))


@pytest.mark.parametrize("drifts", some([True, False]))
def test_what_a_fleet_shares_every_week_raises_no_alert(drifts: bool) -> None:
    weeks, alerts = 0.0, 0
    for seed in range(4):
        fleet = Rollout(seed, 100, "nothing", every=3.5, shock=0.02, drifts=drifts)
        weeks += fleet.machines * 6
        alerts += len({finding.version for _, finding in fleet.alerts(1, 40)})
    assert alerts <= weeks / 1000


def test_what_a_fleet_shares_is_measured_and_nothing_else() -> None:
    shared = [
        usual_movement(Rollout(seed, 60, "nothing", every=3.5, shock=0.02).points()[0])
        for seed in range(8)
    ]
    assert median(shared) == pytest.approx(0.02, rel=0.35)
    alone = [usual_movement(Rollout(s, 60, "nothing").points()[0]) for s in range(8)]
    assert max(alone) == 0


def test_how_it_is_now_is_what_was_measured_last() -> None:
    rows = [(1, 2, day, 80.0) for day in (21, 25, 28)] + [(1, 2, day, 99.0) for day in (40, 44)]
    (change,) = latest_changes(points(*BEFORE, *rows), 2, 20).change
    assert math.exp(change) == pytest.approx(0.99)
    assert not len(latest_changes(points(*BEFORE, *rows), 3, 20))
    later = [*BEFORE, *rows, *((1, 3, day, 120.0) for day in (50, 55))]
    (change,) = latest_changes(points(*later), 2, 20).change
    assert math.exp(change) == pytest.approx(1.2), "whatever it was updated to since"
    at_once = points(*BEFORE, (1, 1, 21, 50.0), (1, 1, 22, 50.0))
    (change,) = latest_changes(at_once, None, 20).change
    assert math.exp(change) == pytest.approx(0.5)
