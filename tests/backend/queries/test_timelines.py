"""Which points of a long line are shown, and that its changes are those of all."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from macmeter.answers.machines import Line, Point
from macmeter.catalog import Better
from macmeter.queries.timeline import MAX_POINTS, marked


def line(runs: int, days: int, changed: int, updated: int) -> Line:
    """So many runs a day; they are half as fast from one day on, and have another macOS."""
    points = [
        Point(
            run_id=f"{day}.{run}",
            at=(date(2026, 1, 1) + timedelta(days=day)).isoformat() + f"T10:{run:02}:00+00:00",
            os_version="26.1" if day < updated else "26.2",
            value=(5e9 if day < changed else 2.5e9) + (day * 7 % 5 + run) * 1e6,
            samples=1,
            printed=None,
            flags=[],
        )
        for day in range(days)
        for run in range(runs)
    ]
    return Line(
        metric="disk.write_average",
        title="Write speed, whole run",
        unit="B/s",
        better=Better.HIGHER,
        parameters={},
        source="measured",
        method="graded-files",
        method_version=1,
        configuration={},
        points=points,
        earlier=0,
        days=0,
        fewest_days=0,
        changes=[],
        os_updates=[],
    )


@pytest.mark.parametrize("runs", [5, 40])
def test_changes_are_looked_for_among_all_runs_whichever_are_shown(runs: int) -> None:
    found = marked(line(runs, days=30, changed=15, updated=4))
    assert [change.run_id for change in found.changes] == ["15.0"]
    assert found.changes[0].ratio == pytest.approx(0.5, rel=0.01)
    assert [update.run_id for update in found.os_updates] == ["4.0"]
    assert found.days == 30
    assert len(found.points) + found.earlier == 30 * runs


def test_the_newest_runs_are_shown_and_those_that_a_change_came_with() -> None:
    found = marked(line(40, days=30, changed=15, updated=4))
    shown = [point.run_id for point in found.points]
    assert len(shown) == MAX_POINTS
    assert shown[:3] == ["0.0", "4.0", "15.0"]
    assert shown[3:] == [f"{day}.{run}" for day in range(20, 30) for run in range(40)][3:]


def test_a_line_that_changes_in_what_is_shown_has_each_point_once() -> None:
    found = marked(line(20, days=30, changed=20, updated=19))
    shown = [point.run_id for point in found.points]
    assert len(shown) == len({*shown}) <= MAX_POINTS
    assert {"20.0", "19.0"} <= {*shown}
    assert shown == sorted(shown, key=lambda run: [*map(int, run.split("."))])


def test_a_short_line_is_shown_whole() -> None:
    found = marked(line(4, days=30, changed=15, updated=4))
    assert (len(found.points), found.earlier) == (120, 0)
