"""Changes on a Mac are given with their size and the runs behind them, certain or not."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Collection
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.machines.timeline import steps_of
from macmeter.schemas.machines import LevelChange, Point
from support.databases import fresh_database
from support.server import Server, serving
from support.unlike.confounded import slowed, two_drives
from support.unlike.loading import store

DESIGN = slowed()
SLOW, USUAL = DESIGN.machine("slow", 0), DESIGN.machine("usual", 0)


@pytest.fixture(scope="module")
async def fleet(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await store(server.client, server.database_url, DESIGN)
            yield server


async def _get(server: Server, path: str) -> Any:
    response = await server.client.get(f"/api/v1/{path}")
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_mac_that_lost_a_third_does_not_look_normal(fleet: Server) -> None:
    """An update two runs ago caused it: the median over all eight runs is unchanged."""
    metric = "disk.write_average"
    (first_run, *_) = (run for run in DESIGN.runs if run.mac == SLOW)
    before = first_run.true(metric)
    (headline,) = [
        headline_found
        for headline_found in (await _get(fleet, f"things/machines/{SLOW}"))["headlines"]
        if headline_found["title"].startswith("Write speed")
    ]
    assert float(headline["value"].split("\N{THIN SPACE}")[0]) * 1e9 == pytest.approx(
        0.7 * before, rel=0.08
    )
    assert headline["rank"] == "the slowest of 6 M4 Pros"
    assert headline["behind"] == "latest 2 runs on macOS 26.2, of 8 runs"
    change = headline["changed"].removeprefix("perhaps \N{MINUS SIGN}")
    assert change.startswith(("29", "30", "31"))
    assert change.endswith("since macOS 26.2")


async def test_its_line_says_the_step_and_what_it_rests_on(fleet: Server) -> None:
    timeline = await _get(fleet, f"machines/{SLOW}/timeline?metric=disk.write_average")
    (line,), (words,) = timeline["lines"], timeline["words"]
    assert line["changes"] == []  # eight days are too few for a test
    (step,) = line["steps"]
    assert step["ratio"] == pytest.approx(0.7, rel=0.03)
    assert (step["runs_before"], step["runs_after"]) == (6, 2)
    assert (step["days_before"], step["days_after"]) == (6, 2)
    assert (step["os_before"], step["os_after"]) == ("26.1", "26.2")
    assert (step["stands_out"], step["certainty"]) == (True, "too_few")
    assert step["run_id"] == line["points"][6]["run_id"]
    assert "with macOS 26.2 (6 runs before, 2 since): too few to be sure" in words["changed"]
    assert words["steps"][0]["text"].endswith("(6 runs before, 2 since)")


async def test_a_steady_mac_has_the_size_of_its_update_and_no_alarm(fleet: Server) -> None:
    timeline = await _get(fleet, f"machines/{USUAL}/timeline?metric=disk.write_average")
    (step,) = timeline["lines"][0]["steps"]
    assert step["ratio"] == pytest.approx(1, rel=0.03)
    assert not step["stands_out"]
    assert timeline["words"][0]["changed"] == "8 of the 14 days needed to detect a change"
    among = await _get(fleet, f"things/machines/{USUAL}")
    assert {headline["changed"] for headline in among["headlines"]} == {
        "too few days yet (8 of 14)"
    }


async def test_a_percentile_is_that_of_the_latest_runs(fleet: Server) -> None:
    metric = "disk.write_average"
    placed = await _get(fleet, f"percentile?machine={SLOW}&metric={metric}&where=storage:internal")
    runs = sorted((run for run in DESIGN.runs if run.mac == SLOW), key=lambda run: run.at)
    assert placed["value"] == pytest.approx(runs[-1].true(metric), rel=0.08)
    assert placed["usual"] == pytest.approx(runs[0].true(metric), rel=0.08)
    assert (placed["runs"], placed["all_runs"], placed["os_version"]) == (2, 8, "26.2")
    assert "latest 2 runs on macOS 26.2; the median of all 8 is" in placed["words"]["text"]


async def test_latest_runs_are_those_of_each_drive(server: Server) -> None:
    """Otherwise a Mac would be as fast as the drive that it measured last."""
    design = two_drives(macs=2)
    await store(server.client, server.database_url, design)
    machine = design.machine("mac", 0)
    placed = await _get(server, f"percentile?machine={machine}&metric=disk.write_average")
    assert placed["value"] == pytest.approx(placed["usual"])
    assert placed["runs"] == 2


def _line(values: list[float], updates: Collection[int] = (), runs: int = 1) -> list[Point]:
    """One point a week, `runs` on each day; macOS changes at each update."""
    points = []
    for index, value in enumerate(values):
        day = date(2026, 1, 1) + timedelta(days=7 * index)
        version = f"26.{sum(index >= update for update in updates)}"
        for hour in range(runs):
            at = f"{day}T{10 + hour}:00:00+00:00"
            points.append(Point(f"{index}.{hour}", at, version, value, 1, None, []))
    return points


def _standing_out(values: list[float], updates: set[int]) -> list[str]:
    return [step.run_id for step in steps_of(_line(values, updates), []) if step.stands_out]


def test_one_run_after_an_update_is_enough_to_be_shown() -> None:
    (step,) = steps_of(_line([5e9, 5.02e9, 3.5e9], {2}, runs=2), [])
    assert step.ratio == pytest.approx(3.5 / 5.01, rel=1e-3)
    assert (step.runs_before, step.runs_after, step.days_before) == (4, 2, 2)
    assert (step.stands_out, step.certainty) == (True, "too_few")


def test_each_update_is_given_between_the_steps_that_stand_out() -> None:
    values = [5e9, 5.01e9, 4.99e9, 5e9, 3.5e9, 3.51e9, 3.5e9]
    first, second, third = steps_of(_line(values, {2, 4, 6}), [])
    assert (first.run_id, first.runs_before, first.runs_after) == ("2.0", 2, 2)
    assert (second.run_id, second.runs_before, second.runs_after) == ("4.0", 4, 3)
    assert (third.run_id, third.runs_before, third.runs_after) == ("6.0", 2, 1)
    assert [step.stands_out for step in (first, second, third)] == [False, True, False]


def test_a_step_without_an_update_is_found_too() -> None:
    values = [5e9, 5.03e9, 4.98e9, 5.01e9, 3.5e9, 3.52e9, 3.49e9]
    (step,) = steps_of(_line(values), [])
    assert (step.run_id, step.os_before, step.os_after) == ("4.0", "26.0", "26.0")


def test_one_bad_day_is_no_step() -> None:
    assert steps_of(_line([5e9, 5.03e9, 4.98e9, 5.01e9, 4.99e9, 3.5e9]), []) == []
    assert steps_of(_line([5e9, 5.03e9, 3.5e9, 5.01e9, 4.99e9, 5.02e9]), []) == []


def test_nothing_is_said_of_one_day_or_of_zero() -> None:
    assert steps_of(_line([5e9], runs=3), []) == []
    assert steps_of(_line([5e9, 0.0, 3e9], {1}), []) == []


def test_where_a_test_has_enough_days_it_decides() -> None:
    values = [5e9 * (1 + 0.002 * (index % 3)) for index in range(20)] + [4.5e9] * 10
    points = _line(values, {20})
    (step,) = steps_of(points, [])
    assert (step.stands_out, step.certainty) == (False, "not_found")
    change = LevelChange(points[20].run_id, points[20].at, 5e9, 4.5e9, 0.9, "26.0", "26.1")
    (step,) = steps_of(points, [change])
    assert (step.stands_out, step.certainty) == (True, "found")


@pytest.mark.parametrize("memory", [0.0, 0.5])
@pytest.mark.parametrize("days", [3, 6, 12, 30])
def test_steady_lines_seldom_stand_out(days: int, memory: float) -> None:
    """At most one in ten stands out, with updates at 1/3, at 2/3 and before the last run."""
    chance = Random(f"{days} {memory}")
    out = 0
    for _ in range(200):
        strayed = chance.gauss(0, 1)
        values = []
        for _ in range(days):
            strayed = memory * strayed + math.sqrt(1 - memory**2) * chance.gauss(0, 1)
            values.append(5e9 * math.exp(0.02 * strayed))
        out += bool(_standing_out(values, {days // 3, 2 * days // 3, days - 1}))
    assert out <= 20


@pytest.mark.parametrize(("days", "since"), [(4, 1), (6, 2), (12, 3)])
def test_a_third_less_stands_out(days: int, since: int) -> None:
    """It does in 95 of 100 lines of a Mac that varies by 1 %."""
    chance = Random(days)
    count = 0
    for _ in range(100):
        values = [5e9 * chance.lognormvariate(0, 0.01) for _ in range(days)]
        values[-since:] = [0.7 * value for value in values[-since:]]
        count += f"{days - since}.0" in _standing_out(values, {days - since})
    assert count >= 95
