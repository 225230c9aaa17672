"""A fleet's changes and outliers, computed from its runs and kept until they change."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from macmeter import catalog
from macmeter.alerts.dating import dated
from macmeter.alerts.judging import (
    WEEK,
    Finding,
    findings,
    has_passed,
    is_common,
    matters,
    moved,
    of_cohort,
    parts_and_all,
)
from macmeter.alerts.outliers import DAYS, outliers
from macmeter.alerts.points import (
    EVERY,
    Changes,
    Ints,
    Points,
    changes_over_updates,
    latest_changes,
    settled_of,
)
from macmeter.alerts.shapes import (
    Found,
    FoundChange,
    FoundEffect,
    FoundOutlier,
    OfShift,
    Stayed,
)
from macmeter.catalog import Better, Role
from macmeter.reading.fleets import (
    Measured,
    Names,
    at_of,
    day_of,
    days_of,
    measured_by,
    only_of,
)
from macmeter.reading.moment import Reading
from macmeter.stats.intervals import MINIMUM
from macmeter.stats.shifts import Shift, shift_of
from macmeter.terms import Op, Term, Value

# What suites are run for, and what else an update has moved in the past.
WATCHED = tuple(
    name
    for name, metric in catalog.METRICS.items()
    if Role.CHIEF in metric.roles or name in ("cores.loop_rate", "workload.duration")
)
LOWER_IS_BETTER = frozenset(
    name for name in WATCHED if catalog.METRICS[name].better is Better.LOWER
)
# How long an update is shown, and how many of each kind.
KEPT = timedelta(days=180)
_MOST = 200
# A list of machines is there to be looked through.
_MOST_MACHINES = 5_000


Ids = dict[int, uuid.UUID]
"""Of machines, by their numbers."""


@dataclass(frozen=True)
class Known:
    """A fleet's results of a metric, and what their numbers stand for."""

    metric: str
    measured: Measured
    names: Names
    points: Points

    def cohort_of(self, where: list[str]) -> int | None:
        """The number of the cohort with these filters; EVERY without any."""
        if not where:
            return EVERY
        cohorts = [where_of(terms) for terms in self.names.cohorts]
        return cohorts.index(where) if where in cohorts else None


@dataclass(frozen=True)
class Dated:
    """An effect, and the day on which each of its machines changed."""

    effect: FoundEffect
    days: dict[uuid.UUID, float]


@dataclass(frozen=True)
class State:
    """`told` is what pages show; `found` are changes that somebody should hear of."""

    told: Found
    found: list[Dated]
    known: dict[str, Known]
    ids: Ids

    def again(self, effect: FoundEffect, opened_at: datetime) -> Dated | None:
        """What was reported once, as it is now; None where it is gone.

        Where too few machines can say, it is as it was. Former versions dated what changed at once
        by the machines' first runs; they found it in the week before.
        """
        as_it_was = Dated(effect, {})
        of = self.known.get(effect["metric"])
        cohort = of.cohort_of(effect["where"]) if of is not None else None
        if of is None or cohort is None:
            return as_it_was
        points = of_cohort(of.points, cohort)
        version, day = None, day_of(datetime.fromisoformat(effect["at"]))
        if effect["version"] is not None:
            if effect["version"] not in of.names.versions:
                return as_it_was
            version = of.names.versions.index(effect["version"])
        else:
            about = day if "common" in effect else day_of(opened_at) - WEEK
            found = dated(settled_of(points), about)
            day = found.day
        changes = latest_changes(points, version, day)
        now = shift_of(changes.change)
        if now.machines < MINIMUM:
            return as_it_was
        if has_passed(now, effect["ratio"]):
            return None
        machines = changes.machine[moved(changes.change, math.log(now.effect))]
        if version is not None:
            own_days = dict(zip(changes.machine.tolist(), changes.day.tolist(), strict=True))
        else:
            own_days = dict(zip(found.machines.tolist(), found.days.tolist(), strict=True))
        renewed: FoundEffect = {
            **_about(of, cohort, now),
            "moved": len(machines),
            "machine_ids": _listed(self.ids, machines),
            "version": effect["version"],
            "at": at_of(day).isoformat(),
            "stayed": effect["stayed"],
            "worse": effect["worse"],
            "common": version is None and is_common(of.points, day, math.log(now.effect)),
            "agent_version": None,
        }
        return Dated(renewed, {self.ids[one]: own_days.get(one, day) for one in machines.tolist()})


async def state_of(reading: Reading, fleet_id: uuid.UUID, now: datetime) -> State:
    """A fleet's as `now` shows it."""
    days = await days_of(reading, fleet_id, now - KEPT)
    known = {metric: _known(reading, fleet_id, metric, days) for metric in WATCHED}
    found = findings(
        {metric: of.points for metric, of in known.items()}, LOWER_IS_BETTER, day_of(now)
    )
    machines = {number for of in known.values() for number in of.measured.machine.tolist()}
    ids = reading.data.machine_ids(machines, only_of(fleet_id))
    told_keys = {one.key for one in found}
    every = [
        _change(of, part, told_keys)
        for of in known.values()
        for part in parts_and_all(changes_over_updates(of.points, day_of(now)))
    ]
    # One Mac that changed much says less than ten that changed.
    every.sort(key=lambda one: (not one["told"], not one["matters"], -abs(math.log(one["ratio"]))))
    unlike = [one for of in known.values() for one in _outliers(of, day_of(now), ids)]
    unlike.sort(key=lambda one: one["ratio"] if one["better"] == "higher" else 1 / one["ratio"])
    told: Found = {"changes": every[:_MOST], "outliers": unlike[:_MOST]}
    return State(told, [_found(known[one.metric], one, ids) for one in found], known, ids)


def _known(
    reading: Reading, fleet_id: uuid.UUID, metric: str, days: dict[uuid.UUID, float]
) -> Known:
    measured, names = measured_by(reading, fleet_id, metric, days)
    points = Points(
        *(measured.machine, measured.line, measured.cohort, measured.version),
        *(measured.day, measured.value),
    )
    return Known(metric, measured, names, points)


def _change(of: Known, part: Changes, told: set[tuple[str, int, int | None]]) -> FoundChange:
    cohort, version = int(part.cohort[0]), int(part.version[0])
    shift = shift_of(part.change)
    effect = math.log(shift.effect)
    near = int(moved(part.change, effect).sum()) if effect else 0
    return {
        **_about(of, cohort, shift),
        "moved": near,
        "version": of.names.versions[version],
        "at": at_of(float(part.day.min())).isoformat(),
        "told": (of.metric, cohort, version) in told,
    }


def _found(of: Known, one: Finding, ids: Ids) -> Dated:
    version = of.names.versions[one.version] if one.version is not None else None
    stayed: Stayed | None = None
    if one.stayed is not None:
        stayed = {"ratio": one.stayed.effect, "machines": one.stayed.machines}
    effect: FoundEffect = {
        **_about(of, one.cohort, one.shift),
        "moved": len(one.machines),
        "machine_ids": _listed(ids, one.machines),
        "version": version,
        "at": at_of(one.day).isoformat(),
        "stayed": stayed,
        "worse": one.is_worse,
        "common": one.is_common,
        "agent_version": None,
    }
    days = zip(one.machines.tolist(), one.days.tolist(), strict=True)
    return Dated(effect, {ids[machine]: day for machine, day in days})


def _listed(ids: Ids, machines: Ints) -> list[str]:
    return sorted(str(ids[machine]) for machine in machines.tolist())[:_MOST_MACHINES]


def _about(of: Known, cohort: int, shift: Shift) -> OfShift:
    """`machines` were measured before and after; the cohort, or all cohorts, have `of`."""
    metric = catalog.METRICS[of.metric]
    own = of.points.machine[(of.points.cohort == cohort) | (cohort == EVERY)]
    terms = {} if cohort == EVERY else of.names.cohorts[cohort]
    return {
        "metric": of.metric,
        "title": metric.title,
        "better": metric.better,
        "cohort": terms,
        "where": where_of(terms),
        "ratio": shift.effect,
        "low": shift.low,
        "high": shift.high,
        "matters": matters(shift),
        "machines": shift.machines,
        "of": len(np.unique(own)),
    }


def where_of(cohort: dict[str, Value]) -> list[str]:
    """The filters of a question that is about these machines and no others."""
    return [str(Term(name, Op.IS, value)) for name, value in cohort.items()]


def _outliers(of: Known, today: float, ids: Ids) -> Iterable[FoundOutlier]:
    measured, metric = of.measured, catalog.METRICS[of.metric]
    recent = measured.day > today - DAYS
    group = measured.series[recent] * (int(measured.method.max(initial=0)) + 1)
    found = outliers(
        measured.machine[recent],
        measured.cohort[recent],
        group + measured.method[recent],
        measured.value[recent],
        lower_is_better=of.metric in LOWER_IS_BETTER,
    )
    for machine, cohort, ratio, machines in zip(
        found.machine.tolist(),
        found.cohort.tolist(),
        found.ratio.tolist(),
        found.machines.tolist(),
        strict=True,
    ):
        yield {
            "machine_id": str(ids[machine]),
            "metric": of.metric,
            "title": metric.title,
            "better": metric.better,
            "cohort": of.names.cohorts[cohort],
            "where": where_of(of.names.cohorts[cohort]),
            "ratio": ratio,
            "machines": machines,
        }
