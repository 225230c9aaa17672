"""The points of a long line that are shown; its changes are those of all points."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from macmeter.machines.timeline import MAX_POINTS, longest_line
from macmeter.results.results import CONFIGURATION, Measurement
from macmeter.schemas.machines import LevelChange, Line, OsUpdate, Point
from support.documents import Document, disk_run
from support.server import Server


def line(runs: int, days: int, changed: int, updated: int) -> Line:
    """A line of `runs` a day, at half speed from day `changed` on, on new macOS from day `updated`
    on.
    """
    measured = (
        Measurement(
            run_id=uuid.UUID(int=100 * day + run),
            at=datetime(2026, 1, 1, 10, run, tzinfo=UTC) + timedelta(days=day),
            os_version="26.1" if day < updated else "26.2",
            metric="disk.write_average",
            run_flags=[],
            source="measured",
            method="graded-files",
            method_version=1,
            series_id=1,
            parameters={},
            value=(5e9 if day < changed else 2.5e9) + (day * 7 % 5 + run) * 1e6,
            flags=None,
            printed=None,
            samples=1,
            configuration=tuple(None for _ in CONFIGURATION),
        )
        for day in range(days)
        for run in range(runs)
    )
    found = longest_line(measured)
    assert found is not None
    return found


def named(marks: Iterable[Point | LevelChange | OsUpdate]) -> list[str]:
    """Day and number of the run that each begins with."""
    return [
        f"{number // 100}.{number % 100}" for number in (uuid.UUID(of.run_id).int for of in marks)
    ]


@pytest.mark.parametrize("runs", [5, 40])
def test_changes_are_looked_for_among_all_runs_whichever_are_shown(runs: int) -> None:
    found = line(runs, days=30, changed=15, updated=4)
    assert named(found.changes) == ["15.0"]
    assert found.changes[0].ratio == pytest.approx(0.5, rel=0.01)
    assert named(found.os_updates) == ["4.0"]
    assert found.days == 30
    assert len(found.points) + found.earlier == 30 * runs


def test_the_newest_runs_are_shown_and_those_that_a_change_came_with() -> None:
    found = line(40, days=30, changed=15, updated=4)
    shown = named(found.points)
    assert len(shown) == MAX_POINTS
    assert shown[:3] == ["0.0", "4.0", "15.0"]
    assert shown[3:] == [f"{day}.{run}" for day in range(20, 30) for run in range(40)][3:]


def test_a_line_that_changes_in_what_is_shown_has_each_point_once() -> None:
    found = line(20, days=30, changed=20, updated=19)
    shown = named(found.points)
    assert len(shown) == len({*shown}) <= MAX_POINTS
    assert {"20.0", "19.0"} <= {*shown}
    assert shown == sorted(shown, key=lambda run: [*map(int, run.split("."))])


def test_a_short_line_is_shown_whole() -> None:
    found = line(4, days=30, changed=15, updated=4)
    assert (len(found.points), found.earlier) == (120, 0)


async def test_peers_have_images_of_the_same_format(server: Server) -> None:
    def image(of: str, speed: float, machine: str, day: int = 1) -> Document:
        target = {"storage": "disk_image", "image": {"format": of}, "encryption": "none"}
        started = f"2026-11-{day:02}T10:00:00Z"
        return disk_run(write=speed, machine=machine, target=target, started_at=started)

    mine, others = str(uuid.uuid4()), [str(uuid.uuid4()) for _ in range(3)]
    await server.stored(
        *(image("sparseimage", 0.7e9, mine, day) for day in (1, 2)),
        *(image("sparseimage", 0.8e9, machine) for machine in others),
        *(image("raw", 1.6e9, machine) for machine in others),
    )
    found = await server.client.get(f"/api/v1/machines/{mine}/timeline?metric=disk.write_average")
    (peers,) = found.json()["lines"][0]["peers"]
    assert (peers["machines"], peers["median"]) == (3, 0.8e9)
