"""The alerts of a fleet: planted regressions within ten days, and next to nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from macmeter.alerts.evaluation import PROMISED, findings, findings_in_groups
from macmeter.alerts.groups import Group
from macmeter.alerts.points import EVERY, Points
from support.fleet_weeks import WEEKS, Counted, Simulation


@pytest.fixture(scope="module")
def counted() -> Counted:
    """A short form: `make bench ONLY=alerts` prints every spread and memory, many times each."""
    return Simulation(1).counted() + Simulation(2, "skewed", season=0.94).counted()


@pytest.mark.thorough
def test_planted_regressions_are_found_within_ten_days(counted: Counted) -> None:
    assert counted.planted == 6
    assert counted.in_time >= 4


def test_quiet_machines_are_left_alone(counted: Counted) -> None:
    assert counted.quiet_machine_weeks > 10_000
    assert counted.false_rate <= PROMISED


def test_a_season_is_told_as_such(counted: Counted) -> None:
    assert counted.seasons_as_such == 1


def test_thirty_groups_report_nothing_of_a_quiet_fleet() -> None:
    """A short form of what decision 274 counts: looked for once a week, not once a day."""
    fleets = (Simulation(seed, machines=300, cohorts=6, noise=0.1) for seed in (1, 2))
    counts = [weeks_of_fleet.of_groups(labels=3, values=10, every=7) for weeks_of_fleet in fleets]
    weeks = 2 * 300 * WEEKS
    assert sum(map(sum, counts)) <= 2 * PROMISED * weeks


def test_labels_share_what_may_be_false_and_their_values_dont() -> None:
    """A change that is just rare enough for a group of the only label."""
    group, quiet = Group("rack", "B"), {"write": fleet(1.0)}
    points = {group: {"write": fleet(0.972, machines=9, updated=6)}}
    racks = {Group("rack", str(number)): quiet for number in range(29)}
    labels = {Group(f"label {number}", "x"): quiet for number in range(29)}
    assert len(findings_in_groups(points, (), 51, [])[group]) == 1
    assert len(findings_in_groups(points | racks, (), 51, [])[group]) == 1
    assert findings_in_groups(points | labels, (), 51, [])[group] == []


def test_what_the_fleet_shows_is_no_news_of_a_group() -> None:
    group = Group("rack", "B")
    everywhere = findings({"write": fleet(0.9)}, (), 51)
    assert findings_in_groups({group: {"write": fleet(0.9)}}, (), 51, everywhere) == {group: []}


def fleet(after: float, stayed: float = 1.0, machines: int = 20, updated: int = 12) -> Points:
    """Weekly runs of each Mac; some Macs are updated after six weeks."""
    random = np.random.default_rng(5)
    machine = np.repeat(np.arange(machines), 8)
    day = np.tile(7.0 * np.arange(8) + 1, machines)
    is_updated = machine < updated
    version = np.where(is_updated & (day > 42), 2, 1)
    value = 20 + random.normal(0, 0.015, len(day))
    value += np.log(np.where(day > 42, np.where(is_updated, after, stayed), 1))
    zeros = np.zeros(len(day), dtype=int)
    return Points(machine, machine, zeros, version, day, value)


def test_an_update_that_slows_is_told_with_its_machines() -> None:
    (finding,) = findings({"write": fleet(0.9)}, (), 51)
    assert (finding.version, finding.is_worse) == (2, True)
    assert finding.shift.machines == 12
    assert finding.shift.effect == pytest.approx(0.9, abs=0.01)
    assert sorted(finding.machines.tolist()) == list(range(12))
    assert finding.stayed is not None
    assert finding.stayed.effect == pytest.approx(1, abs=0.01)


def test_a_duration_that_falls_is_no_loss() -> None:
    (finding,) = findings({"build": fleet(0.9)}, ("build",), 51)
    assert not finding.is_worse


def test_what_moves_updated_or_not_is_not_the_updates() -> None:
    found_all = findings({"write": fleet(0.9, 0.9)}, (), 51)
    assert found_all
    assert {finding.version for finding in found_all} == {None}


def test_where_all_were_updated_nobody_stayed_to_compare_with() -> None:
    (finding,) = findings({"write": fleet(0.9, updated=20)}, (), 51)
    assert (finding.version, finding.stayed) == (2, None)


def test_five_machines_are_too_few_to_tell_anything() -> None:
    assert not findings({"write": fleet(0.5, machines=5, updated=5)}, (), 51)


def test_kinds_too_small_to_tell_anything_are_told_together() -> None:
    points = fleet(0.9)
    (finding,) = findings({"write": replace(points, cohort=points.machine // 3)}, (), 51)
    assert (finding.cohort, finding.version, finding.shift.machines) == (EVERY, 2, 12)
    assert sorted(finding.machines.tolist()) == list(range(12))


def test_what_a_kind_tells_is_not_told_again_of_all() -> None:
    points = fleet(0.9)
    all_findings = findings({"write": replace(points, cohort=(points.machine == 19) + 0)}, (), 51)
    assert [finding.cohort for finding in all_findings] == [0]


def test_what_nobody_would_act_on_is_not_told() -> None:
    assert not findings({"write": fleet(0.985)}, (), 51)


def test_a_future_run_says_nothing_yet() -> None:
    assert not findings({"write": fleet(0.9)}, (), 42)


def test_no_results_are_no_findings() -> None:
    nothing = np.zeros(0)
    none = np.zeros(0, dtype=int)
    assert not findings({"write": Points(none, none, none, none, nothing, nothing)}, (), 51)
    assert not findings({}, (), 51)
