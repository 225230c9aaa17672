"""Planted regressions of a fleet that raise an alert within ten days, and false alerts.

Fleets of 1,000 Macs over 10 weeks, checked daily, with every spread and memory of a Mac's figures:
simulations of the product's own code, each printed with its standard error. `alerts.found` is the
share in all cells, `alerts.false` the worst cell; its reference is the promised one in 1,000 quiet
machine-weeks.

Fleets of 20 to 500 Macs that are updated within four weeks show the rest. `alerts.later` is how
many days later a regression of 5 % is found than when the first runs after an update counted;
`alerts.passing` the share of updates after which slow first runs raise an alert; `alerts.dated` the
share of sudden changes dated to within three days; `alerts.shared` the alerts of fleets that move
together by 2 % from week to week, against the one in 1,000 machine-weeks.

Quiet fleets of 300 Macs in thirty groups, of one label and of three, all watched: `alerts.groups`
is the worse rate of all their alerts, of the fleet and its groups together, against the same one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from itertools import repeat
from operator import add
from statistics import median
from typing import Any

from macmeter.alerts.evaluation import PROMISED
from support.fleet_updates import AFTER, Rollout
from support.fleet_weeks import WEEKS, Counted, Simulation
from support.steady import STEADY

from load.figure import figure

FLEETS, MANY_FLEETS = 2, 20
MEMORIES = (0.0, 0.3, 0.6)
SEASON = 0.94
Cell = tuple[str, float]
# Median days from the first Mac's update by fleet size, from when the first runs counted.
FORMER = {20: 17.7, 50: 7.9, 100: 4.4, 200: 2.7, 500: 1.9}
LATER = 3.0
UPDATES, MANY_UPDATES = 8, 100
# Days between the runs of a Mac.
EVERY = (1.0, 2.0, 7.0)


# Labels and the values of each, all watched, in fleets of so many Macs.
GROUPS = ((1, 30), (3, 10))
GROUPED_MACS, GROUPED_COHORTS = 300, 6
# Interquartile ranges from run to run: with the larger, chance alone makes changes that matter.
GROUPED_NOISES = (0.02, 0.1)
GROUPED, MANY_GROUPED = 1, 12


def figures() -> list[dict[str, Any]]:
    return [*_figures(FLEETS), *_of_updates(UPDATES), _of_groups(GROUPED)]


def thorough_figures() -> list[dict[str, Any]]:
    return [*_figures(MANY_FLEETS), *_of_updates(MANY_UPDATES), _of_groups(MANY_GROUPED)]


def _figures(fleets: int) -> list[dict[str, Any]]:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        simulations = [*_asked(fleets)]
        counts = pool.map(Simulation.counted, [simulation for _, simulation in simulations])
        counts_by_cell: dict[Cell, list[Counted]] = {}
        for (cell, _), count in zip(simulations, counts, strict=True):
            counts_by_cell.setdefault(cell, []).append(count)
    totals = {cell: reduce(add, all_of_it) for cell, all_of_it in counts_by_cell.items()}
    for (spread, memory), sums in totals.items():
        print(f"  {spread:<20} memory {memory}: {_line(sums, fleets)}", flush=True)
    overall = reduce(add, totals.values())
    print(f"  all: {_line(overall, fleets * len(totals))}", flush=True)
    share = overall.in_time / overall.planted
    worst = max(sums.false_rate for sums in totals.values())
    return [
        figure("alerts.found", share, "", 1.0, overall.planted),
        figure("alerts.false", worst, "", PROMISED, round(overall.quiet_machine_weeks)),
    ]


def _asked(fleets: int) -> Iterator[tuple[Cell, Simulation]]:
    for spread in STEADY:
        for memory in MEMORIES:
            for seed in range(fleets):
                # In every other fleet one cohort has a season.
                season = SEASON if seed % 2 else 1.0
                yield (spread, memory), Simulation(seed, spread, memory, season=season)


def _line(count: Counted, fleets: int) -> str:
    false, error = 1000 * count.false_rate, 1000 * count.error
    return (
        f"found in their week {count.in_time} of {count.planted}, "
        f"false {false:.3f}±{error:.3f} in 1,000 of {count.quiet_machine_weeks:,.0f} quiet "
        f"machine-weeks, seasons recognised {count.seasons_as_such} of {fleets // 2}"
    )


def _of_groups(fleets: int) -> dict[str, Any]:
    quiet = [
        Simulation(seed, spread, memory, GROUPED_MACS, GROUPED_COHORTS, noise=noise)
        for noise in GROUPED_NOISES
        for spread in STEADY
        for memory in MEMORIES
        for seed in range(fleets)
    ]
    weeks = len(quiet) * GROUPED_MACS * WEEKS
    rates = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for labels, values in GROUPS:
            arguments = repeat(labels), repeat(values)
            counts = [*pool.map(Simulation.of_groups, quiet, *arguments)]
            alerts, groups = (sum(column) for column in zip(*counts, strict=True))
            rates.append((alerts + groups) / weeks)
            print(
                f"  {labels} × {values} groups: {alerts} alerts of fleets, {groups} of groups in "
                f"{weeks:,} quiet machine-weeks",
                flush=True,
            )
    return figure("alerts.groups", max(rates), "", PROMISED, weeks)


def _of_updates(count: int) -> list[dict[str, Any]]:
    with ProcessPoolExecutor(os.cpu_count()) as pool:

        def each(measure: Callable[[Rollout], Any], fleets: Sequence[Rollout]) -> list[Any]:
            return [*pool.map(measure, fleets)]

        later = max(
            median(each(Rollout.delay, [Rollout(seed, size) for seed in range(count)])) - former
            for size, former in FORMER.items()
        )
        passing = [
            Rollout(seed, size, kind, slower=0.9, every=every, noise=0.02)
            for kind in ("first run", "first days")
            for every in EVERY
            for size in (60, 200)
            for seed in range(count)
        ]
        at_once = [
            Rollout(seed, size, "at once", slower=slower, every=every)
            for slower in (0.95, 0.9)
            for every in EVERY
            for size in (20, 60, 200)
            for seed in range(count)
        ]
        shared = [
            Rollout(seed, size, "nothing", every=every, shock=0.02, drifts=drifts)
            for drifts in (False, True)
            for every in EVERY
            for size in (60, 200)
            for seed in range(count)
        ]
        raised = sum(each(_raises, passing)) / len(passing)
        dated = [day for days in each(_dated, at_once) for day in days]
        alerts = sum(each(_alerts, shared))
    near = sum(abs(day) <= 3 for day in dated) / len(dated)
    weeks = sum(fleet.machines for fleet in shared) * AFTER / 7
    print(f"  5 % is found {later:.1f} days later at most; {raised:.4f} of updates with slow first")
    print(f"  runs raise an alert; {near:.3f} of {len(dated)} changes at once are dated to 3 days")
    print(f"  shared movements: {1000 * alerts / weeks:.3f} in 1,000 machine-weeks", flush=True)
    return [
        figure("alerts.later", later, "d", LATER, count),
        figure("alerts.passing", raised, "", 1.0, len(passing)),
        figure("alerts.dated", near, "", 0.95, len(dated)),
        figure("alerts.shared", alerts / weeks, "", PROMISED, round(weeks)),
    ]


def _raises(fleet: Rollout) -> bool:
    return any(fleet.alerts())


def _dated(fleet: Rollout) -> list[float]:
    """Dates of the first day's alerts, as of that day and two weeks later."""
    first = next((today for today, _ in fleet.alerts()), None)
    days = () if first is None else (first, first + 14)
    return [alert.day for today in days for _, alert in fleet.alerts(today, today + 1)]


def _alerts(fleet: Rollout) -> int:
    """Count alerts: one per update, and one for sudden changes within four weeks."""
    seen = {(a.version, a.day // 28 if a.version is None else 0) for _, a in fleet.alerts()}
    return len(seen)
