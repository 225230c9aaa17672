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
    longest = longest_line(measured)
    assert longest is not None
    return longest


def named(marks: Iterable[Point | LevelChange | OsUpdate]) -> list[str]:
    """Day and number of the run that each begins with."""
    return [
        f"{number // 100}.{number % 100}" for number in (uuid.UUID(m.run_id).int for m in marks)
    ]


@pytest.mark.parametrize("runs", [5, 40])
def test_changes_are_looked_for_among_all_runs_whichever_are_shown(runs: int) -> None:
    changed_line = line(runs, days=30, changed=15, updated=4)
    assert named(changed_line.changes) == ["15.0"]
    assert changed_line.changes[0].ratio == pytest.approx(0.5, rel=0.01)
    assert named(changed_line.os_updates) == ["4.0"]
    assert changed_line.days == 30
    assert len(changed_line.points) + changed_line.earlier == 30 * runs


def test_the_newest_runs_are_shown_and_those_that_a_change_came_with() -> None:
    long_line = line(40, days=30, changed=15, updated=4)
    shown_runs = named(long_line.points)
    assert len(shown_runs) == MAX_POINTS
    assert shown_runs[:3] == ["0.0", "4.0", "15.0"]
    assert shown_runs[3:] == [f"{day}.{run}" for day in range(20, 30) for run in range(40)][3:]


def test_a_line_that_changes_in_what_is_shown_has_each_point_once() -> None:
    long_line = line(20, days=30, changed=20, updated=19)
    shown_runs = named(long_line.points)
    assert len(shown_runs) == len({*shown_runs}) <= MAX_POINTS
    assert {"20.0", "19.0"} <= {*shown_runs}
    assert shown_runs == sorted(shown_runs, key=lambda run: [*map(int, run.split("."))])


def test_a_short_line_is_shown_whole() -> None:
    short_line = line(4, days=30, changed=15, updated=4)
    assert (len(short_line.points), short_line.earlier) == (120, 0)


async def test_peers_have_images_of_the_same_format(server: Server) -> None:
    def image(image_format: str, speed: float, machine: str, day: int = 1) -> Document:
        target = {"storage": "disk_image", "image": {"format": image_format}, "encryption": "none"}
        started = f"2026-11-{day:02}T10:00:00Z"
        return disk_run(write=speed, machine=machine, target=target, started_at=started)

    mac, other_macs = str(uuid.uuid4()), [str(uuid.uuid4()) for _ in range(3)]
    await server.stored(
        *(image("sparseimage", 0.7e9, mac, day) for day in (1, 2)),
        *(image("sparseimage", 0.8e9, machine) for machine in other_macs),
        *(image("raw", 1.6e9, machine) for machine in other_macs),
    )
    found = await server.client.get(f"/api/v1/machines/{mac}/timeline?metric=disk.write_average")
    (peers,) = found.json()["lines"][0]["peers"]
    assert (peers["machines"], peers["median"]) == (3, 0.8e9)
