"""A fleet's changes and outliers, computed from its runs and stored until they change."""

from __future__ import annotations

import math
import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from macmeter import catalog
from macmeter.alerts import evaluation, points, schemas
from macmeter.alerts.groups import Group, groups_in
from macmeter.alerts.machines import version_order
from macmeter.alerts.outliers import CAUSES, DAYS, Outlier, causes_of, outliers
from macmeter.catalog import LABEL_PREFIX, Better, Role
from macmeter.catalog.terms import Op, Term, Value
from macmeter.results.context import Reading
from macmeter.results.fleets import (
    Codebook,
    FleetResults,
    flags_of_runs,
    fleet_scope,
    from_epoch_days,
    measured_by,
    newest_labels,
    start_days,
    to_epoch_days,
)
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.shifts import Shift, shift_of

# Metrics that suites are run for, and others that an update has moved in the past.
WATCHED = tuple(
    name
    for name, metric in catalog.METRICS.items()
    if Role.CHIEF in metric.roles or name in ("cores.loop_rate", "workload.duration")
)
LOWER_IS_BETTER = frozenset(
    name for name in WATCHED if catalog.METRICS[name].better is Better.LOWER
)
# Time for which an update is shown, and number of findings of each kind.
KEPT = timedelta(days=180)
_MOST = 200
# A list of machines has to be readable.
_MOST_MACHINES = 5_000

Ids = dict[int, uuid.UUID]
"""Ids of machines by number."""


@dataclass(frozen=True)
class Known:
    """A fleet's results of a metric, with the meanings of their codes."""

    metric: str
    measured: FleetResults
    codebook: Codebook
    points: points.Points
    group: Group | None = None
    """Group that `points` are limited to."""

    def within(self, group: Group, machines: Collection[int]) -> Known:
        """Limit it to a group of these machines."""
        own = np.isin(self.points.machine, [*machines])
        return replace(self, points=self.points.only(own), group=group)

    def cohort_of(self, where: list[str]) -> int | None:
        """Number of the cohort with these filters: EVERY without any, None if unknown."""
        if self.group is not None:
            where = [text for text in where if text != self.group.where]
        if not where:
            return points.EVERY
        cohorts = [where_of(terms) for terms in self.codebook.cohorts]
        return cohorts.index(where) if where in cohorts else None


@dataclass(frozen=True)
class Dated:
    """An effect, and the day on which each of its machines changed."""

    effect: schemas.FoundEffect
    days: dict[uuid.UUID, float]


@dataclass(frozen=True)
class State:
    """State of a fleet. `told` is for its pages; `found` are changes for alerts."""

    told: schemas.Found
    found: list[Dated]
    known: dict[str, Known]
    groups: dict[Group, dict[str, Known]]
    ids: Ids

    def _known_of(self, effect: schemas.FoundEffect) -> Known | None:
        """Return the results that an effect was found in: of a group if it is limited to one."""
        for group, known in self.groups.items():
            if group.where in effect["where"]:
                return known.get(effect["metric"])
        return self.known.get(effect["metric"])

    def again(self, effect: schemas.FoundEffect, opened_at: datetime) -> Dated | None:
        """Return a reported effect as it is now, or None if it is gone.

        If too few machines can say, it stays as it was. Former versions dated changes without an
        update by the machines' first runs, and found them in the week before.
        """
        as_it_was = Dated(effect, {})
        of = self._known_of(effect)
        cohort = of.cohort_of(effect["where"]) if of is not None else None
        if of is None or cohort is None:
            return as_it_was
        own = evaluation.of_cohort(of.points, cohort)
        version, day = None, to_epoch_days(datetime.fromisoformat(effect["at"]))
        if effect["version"] is not None:
            if effect["version"] not in of.codebook.versions:
                return as_it_was
            version = of.codebook.versions.index(effect["version"])
        else:
            about = day if "common" in effect else to_epoch_days(opened_at) - evaluation.WEEK
            found = points.dated(points.settled_of(own), about)
            day = found.day
        changes = points.latest_changes(own, version, day)
        if len(changes.change) < MINIMUM:
            return as_it_was
        now = shift_of(changes.change)
        if evaluation.has_passed(now, effect["ratio"]):
            return None
        machines = changes.machine[evaluation.moved(changes.change, math.log(now.effect))]
        dates = found if version is None else points.Dates(day, changes.machine, changes.day)
        still = evaluation.Finding(
            *(of.metric, cohort, version, day, now, machines, dates.of(machines)),
            stayed=None,
            is_worse=effect["worse"],
            is_common=version is None
            and of.group is None
            and evaluation.is_common(of.points, day, math.log(now.effect)),
        )
        renewed = _found(of, still, self.ids)
        return Dated({**renewed.effect, "stayed": effect["stayed"]}, renewed.days)


async def state_of(
    reading: Reading, fleet_id: uuid.UUID, now: datetime, watched: Collection[str] = ()
) -> State:
    """State of a fleet at the time `now`. In groups that are `watched` changes are looked for too.

    `watched` are filters of groups.
    """
    days, today = await start_days(reading, fleet_id, now - KEPT), to_epoch_days(now)
    known = {metric: _known(reading, fleet_id, metric, days) for metric in WATCHED}
    machines = {number for of in known.values() for number in of.measured.machine.tolist()}
    ids = reading.data.machine_ids(machines, fleet_scope(fleet_id))
    groups = {
        group: {metric: of.within(group, numbers) for metric, of in known.items()}
        for group, numbers in _numbered(
            groups_in(await newest_labels(reading, fleet_id), watched), ids
        ).items()
    }
    found = evaluation.findings(_points(known), LOWER_IS_BETTER, today)
    asked = {group: _points(of) for group, of in groups.items() if group.where in watched}
    in_groups = evaluation.findings_in_groups(asked, LOWER_IS_BETTER, today, found)
    told_keys = {one.key for one in found}
    unlike = await _outliers(reading, fleet_id, known.values(), ids, now)
    told: schemas.Found = {
        "changes": _changes(known, told_keys, today),
        "outliers": unlike,
        "groups": {
            group.where: _changes(of, {one.key for one in in_groups.get(group, ())}, today)
            for group, of in groups.items()
        },
    }
    dated = [_found(known[one.metric], one, ids) for one in found]
    for group, those in in_groups.items():
        dated += [_found(groups[group][one.metric], one, ids) for one in those]
    return State(told, dated, known, groups, ids)


def _numbered(groups: Mapping[Group, Collection[uuid.UUID]], ids: Ids) -> dict[Group, list[int]]:
    numbers = {machine_id: number for number, machine_id in ids.items()}
    return {
        group: [numbers[machine_id] for machine_id in those if machine_id in numbers]
        for group, those in groups.items()
    }


def _points(known: Mapping[str, Known]) -> dict[str, points.Points]:
    return {metric: of.points for metric, of in known.items()}


def _changes(
    known: Mapping[str, Known], told: set[tuple[str, int, int | None]], today: float
) -> list[schemas.FoundChange]:
    """Changes over updates, clear ones first: one Mac that changed much says less than ten."""
    every = [
        _change(of, part, told)
        for of in known.values()
        for part in evaluation.parts_and_all(points.changes_over_updates(of.points, today))
    ]
    every.sort(key=lambda one: (not one["told"], not one["matters"], -abs(math.log(one["ratio"]))))
    return every[:_MOST]


def _known(
    reading: Reading, fleet_id: uuid.UUID, metric: str, days: dict[uuid.UUID, float]
) -> Known:
    measured, names = measured_by(reading, fleet_id, metric, days)
    columns = (measured.machine, measured.line, measured.cohort, measured.version)
    return Known(metric, measured, names, points.Points(*columns, measured.day, measured.value))


def _change(
    of: Known, part: points.Changes, told: set[tuple[str, int, int | None]]
) -> schemas.FoundChange:
    cohort, version = int(part.cohort[0]), int(part.version[0])
    shift = shift_of(part.change)
    effect = math.log(shift.effect)
    near = int(evaluation.moved(part.change, effect).sum()) if effect else 0
    used = np.unique(evaluation.of_cohort(of.points, cohort).version).tolist()
    names = sorted(
        (of.codebook.versions[one] or "" for one in used), key=version_order, reverse=True
    )
    updated_to = of.codebook.versions[version]
    return {
        **_about(of, cohort, shift),
        "moved": near,
        "version": updated_to,
        "before": [one for one in names if version_order(one) < version_order(updated_to)],
        "at": from_epoch_days(float(part.day.min())).isoformat(),
        "told": (of.metric, cohort, version) in told,
    }


def _found(of: Known, one: evaluation.Finding, ids: Ids) -> Dated:
    version = of.codebook.versions[one.version] if one.version is not None else None
    stayed: schemas.Stayed | None = None
    if one.stayed is not None:
        stayed = {"ratio": one.stayed.effect, "machines": one.stayed.machines}
    listed = sorted(str(ids[machine]) for machine in one.machines.tolist())
    effect: schemas.FoundEffect = {
        **_about(of, one.cohort, one.shift),
        "moved": len(one.machines),
        "machine_ids": listed[:_MOST_MACHINES],
        "version": version,
        "at": from_epoch_days(one.day).isoformat(),
        "before": _level_before(of.points, one),
        "stayed": stayed,
        "worse": one.is_worse,
        "common": one.is_common,
        "agent_version": None,
    }
    days = zip(one.machines.tolist(), one.days.tolist(), strict=True)
    return Dated(effect, {ids[machine]: day for machine, day in days})


def _level_before(of: points.Points, one: evaluation.Finding) -> float | None:
    """Median of the levels that the changed machines had in the weeks before, each a median."""
    if not len(one.machines):
        return None
    own = evaluation.of_cohort(of, one.cohort)
    order = np.argsort(one.machines)
    machines, days = one.machines[order], one.days[order]
    place = np.minimum(np.searchsorted(machines, own.machine), len(machines) - 1)
    until = days[place]
    is_before = (
        (machines[place] == own.machine)
        & (own.day < until)
        & (own.day >= until - points.DAYS_BEFORE)
    )
    level, sizes = points.levels(own.value, np.where(is_before, place, -1), len(machines))
    return math.exp(np.median(level[sizes > 0])) if sizes.any() else None


def _about(of: Known, cohort: int, shift: Shift) -> schemas.OfShift:
    """Describe a shift.

    `machines` were measured before and after, of `of` in the cohort or the fleet.
    """
    own = of.points.machine[(of.points.cohort == cohort) | (cohort == points.EVERY)]
    return {
        **_in_cohort(of, cohort, shift.effect, shift.machines),
        "low": shift.low,
        "high": shift.high,
        "matters": evaluation.matters(shift),
        "of": len(np.unique(own)),
    }


def _in_cohort(of: Known, cohort: int, ratio: float, machines: int) -> schemas.OfCohort:
    terms = {} if cohort == points.EVERY else of.codebook.cohorts[cohort]
    if of.group is not None:
        terms = {**terms, LABEL_PREFIX + of.group.key: of.group.value}
    return _among(of, terms, ratio, machines)


def _among(of: Known, terms: dict[str, Value], ratio: float, machines: int) -> schemas.OfCohort:
    metric = catalog.METRICS[of.metric]
    return {
        "metric": of.metric,
        "title": metric.title,
        "better": metric.better,
        "cohort": terms,
        "where": where_of(terms),
        "ratio": ratio,
        "machines": machines,
    }


def where_of(cohort: dict[str, Value]) -> list[str]:
    """Filters of a question about exactly these machines."""
    return [str(Term(name, Op.IS, value)) for name, value in cohort.items()]


async def _outliers(
    reading: Reading, fleet_id: uuid.UUID, known: Iterable[Known], ids: Ids, now: datetime
) -> list[schemas.FoundOutlier]:
    """Return the machines that are worse than similar ones, the worst first, with known causes."""
    today = to_epoch_days(now)
    of_metrics = [
        (of, one)
        for of in known
        for one in outliers(of.measured, today, lower_is_better=of.metric in LOWER_IS_BETTER)
    ]
    of_metrics.sort(key=lambda found: found[1].loss)
    del of_metrics[_MOST:]
    machines = {ids[one.machine] for _, one in of_metrics}
    since = now - timedelta(days=DAYS)
    stated = await flags_of_runs(reading, fleet_id, CAUSES, since, machines)
    return [
        {
            "machine_id": str(ids[one.machine]),
            **_among(of, of.codebook.likenesses[one.likeness], one.ratio, one.machines),
            "cohort": _described(of, one),
            "causes": causes_of(
                stated, catalog.METRICS[of.metric].suite, ids[one.machine], _peers(of, one, ids)
            ),
        }
        for of, one in of_metrics
    ]


def _described(of: Known, one: Outlier) -> dict[str, Value]:
    """Return what readers recognise similar machines by; how they were measured is in a link."""
    names = {*catalog.METRICS[of.metric].circumstances, "model", "device"}
    return {
        name: value
        for name, value in of.codebook.likenesses[one.likeness].items()
        if name in names or name.startswith(LABEL_PREFIX)
    }


def _peers(of: Known, one: Outlier, ids: Ids) -> list[uuid.UUID]:
    alike = np.unique(of.measured.machine[of.measured.likeness == one.likeness])
    return [ids[number] for number in alike.tolist() if number != one.machine]
