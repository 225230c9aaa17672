"""Macs that are slower than similar ones: planted among thousands, with what else differs."""

from __future__ import annotations

import math
import uuid
from datetime import timedelta

import numpy as np
import pytest
from macmeter.alerts.outliers import FEWEST_MACHINES, LATEST_RUNS, Outlier, causes_of, outliers
from macmeter.results.fleets import FleetResults, RunFlags
from support.documents import disk_run
from support.fleet_runs import Kept, some_weeks_ago, upload
from support.people import make_fleet, uploader_of
from support.server import Server

NAME = "racks"
TODAY = 20_000.0
SUITE = "disk"


def fleet(
    machines: int,
    seed: int = 0,
    *,
    slow: dict[int, float] | None = None,
    slow_days: float = 99.0,
    kinds: int = 1,
    versions: int = 1,
    interval: float = 2.0,
) -> FleetResults:
    """Results of two series: each Mac differs by 2 %, each of its runs by 3 %; kinds and versions
    of macOS by much more. `slow` Macs have that share of their speed since `slow_days`.
    """
    dice = np.random.default_rng(seed)
    days = np.arange(TODAY - 30, TODAY, interval)
    machine, series, run = (
        grid.ravel() for grid in np.meshgrid(np.arange(machines), [0, 1], np.arange(len(days)))
    )
    day = days[run] + dice.uniform(0, interval, len(run))
    version = np.where(day > TODAY - 20, 1, 0) * (machine % versions > 0) + machine % versions
    likeness = machine // 2 % kinds
    value = 20 + 0.5 * likeness + 0.3 * version + 2.0 * series
    value = value + 0.02 * dice.normal(size=machines)[machine]
    value = value + 0.03 * dice.normal(size=len(machine))
    for number, share in (slow or {}).items():
        value = value + math.log(share) * ((machine == number) & (day > TODAY - slow_days))
    method = np.zeros(len(machine), dtype=np.int64)
    line = 2 * machine + series
    return FleetResults(machine, line, method, likeness, version, day, value, series, method)


def found(measured: FleetResults) -> list[Outlier]:
    return outliers(measured, TODAY, lower_is_better=False)


@pytest.mark.parametrize("seed", range(3))
def test_twenty_of_three_thousand_are_found_and_hardly_any_other(seed: int) -> None:
    chance = np.random.default_rng(seed)
    slow = dict.fromkeys(chance.choice(3_000, 20, replace=False).tolist(), 0.7)
    slowest = {o.machine for o in found(fleet(3_000, seed, slow=slow, kinds=12, versions=3))}
    assert slowest >= slow.keys()
    assert len(slowest - slow.keys()) <= 3


def test_what_happened_this_week_is_told_whole() -> None:
    (outlier,) = found(fleet(30, slow={4: 0.6}, slow_days=LATEST_RUNS * 2.0 + 1))
    assert outlier.machine == 4
    assert outlier.ratio == pytest.approx(0.6, abs=0.03)
    assert outlier.machines == 30


def test_one_slow_run_of_several_is_no_outlier() -> None:
    assert found(fleet(30, slow={4: 0.6}, slow_days=1.9)) == []


def test_macos_is_not_the_macs_fault() -> None:
    """Those under each macOS are compared with each other, and judged by all together."""
    assert found(fleet(24, versions=3)) == []
    (outlier,) = found(fleet(24, slow={4: 0.7}, versions=3))
    assert (outlier.machine, outlier.machines) == (4, 24)


def test_of_few_macs_nobody_can_say() -> None:
    assert found(fleet(FEWEST_MACHINES - 1, slow={4: 0.5})) == []
    assert [outlier.machine for outlier in found(fleet(FEWEST_MACHINES, slow={4: 0.5}))] == [4]


def test_a_duration_is_worse_where_it_is_longer() -> None:
    longer = fleet(30, slow={4: 1.5})
    assert [
        outlier.oriented_ratio < 1 for outlier in outliers(longer, TODAY, lower_is_better=True)
    ] == [True]
    assert found(longer) == []


def test_without_runs_there_is_nobody() -> None:
    assert found(fleet(0)) == []
    assert outliers(fleet(30, slow={4: 0.5}), TODAY + 60, lower_is_better=False) == []


def test_a_cause_is_of_most_of_its_runs_and_of_few_others() -> None:
    slow, *usual = (uuid.UUID(int=number) for number in range(9))

    def told(*flags: list[str], peers: list[str] | None = None, suite: str = SUITE) -> list[str]:
        flags_of = {slow: [RunFlags(suite, of) for of in flags]}
        flags_of |= {peer: [RunFlags(SUITE, peers or [])] for peer in usual}
        return causes_of(flags_of, SUITE, slow, usual)

    assert told(["nearly_full", "quick"], ["nearly_full"], []) == ["nearly_full"]
    assert told(["nearly_full"], [], []) == []
    assert told([], [], [], ["nearly_full"], ["nearly_full"]) == []
    assert told(["nearly_full"], peers=["nearly_full"]) == []
    assert told(["nearly_full"], suite="hash") == []
    assert told() == []


async def test_labels_that_macs_share_are_held_equal_and_others_are_not(server: Server) -> None:
    """A rack's volumes are slower; an asset tag is of one Mac. The slow Mac saves power."""
    fleet_id = make_fleet(server.database_url, NAME)
    secret, now = uploader_of(server.database_url, fleet_id), some_weeks_ago(2)
    chance = np.random.default_rng(1)
    uploads = [
        disk_run(
            machine=str(uuid.UUID(int=number + 1)),
            write=3e9
            * (0.6 if number % 2 else 1)
            * (0.7 if number == 8 else 1)
            * chance.normal(1, 0.02),
            read=3.6e9 * chance.normal(1, 0.02),
            labels={"rack": "ab"[number % 2], "asset": f"A-{number}"},
            environment={"os_version": "26.3", "power_mode": "low" if number == 8 else "automatic"},
            started_at=(now - timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        for number in range(20)
        for day in (2, 4, 6)
    ]
    await upload(server.client, secret, uploads)
    async with Kept(server.database_url) as refreshed:
        await refreshed.up_to(now)
    page = await server.client.get(
        f"/api/v1/fleets/{NAME}/dashboard", headers={"Authorization": f"Bearer {secret}"}
    )
    (mac,) = page.json()["outliers"]
    assert (mac["machine_id"], mac["metric"]) == (str(uuid.UUID(int=9)), "disk.write_average")
    assert mac["machines"] == 10
    assert mac["words"]["cohort"] == "Apple M4 Pro · Internal SSD · FileVault · rack: a"
    assert mac["causes"] == ["low_power_mode"]
    assert mac["words"]["causes"] == "ran in Low Power Mode"
    runs = await server.client.get(
        "/api/v1/runs",
        params=[("where", f"fleet:{NAME}"), *(("where", term) for term in mac["where"])],
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert runs.json()["total"] == 30
