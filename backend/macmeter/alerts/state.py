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
from macmeter.alerts.outliers import CAUSES, RECENT_DAYS, Outlier, causes_of, outliers
from macmeter.catalog import LABEL_PREFIX, Better, Role
from macmeter.catalog.terms import Op, Term, Value
from macmeter.results.context import Reading
from macmeter.results.fleets import (
    Codebook,
    FleetResults,
    flags_of_runs,
    fleet_results,
    fleet_scope,
    from_epoch_days,
    newest_labels,
    start_days,
    to_epoch_days,
)
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.shifts import Shift, shift_of

# Metrics that suites are run for, and others that an update has moved in the past.
WATCHED_METRICS = tuple(
    name
    for name, metric in catalog.METRICS.items()
    if Role.CHIEF in metric.roles or name in ("cores.loop_rate", "workload.duration")
)
LOWER_IS_BETTER = frozenset(
    name for name in WATCHED_METRICS if catalog.METRICS[name].better is Better.LOWER
)
# Time for which an update is shown.
SHOWN_FOR = timedelta(days=180)
# Limit of each kind.
_MAX_FINDINGS = 200
# A list of machines has to be readable.
_MAX_LISTED_MACHINES = 5_000

Ids = dict[int, uuid.UUID]
"""Ids of machines by number."""


@dataclass(frozen=True)
class MetricData:
    """A fleet's results of a metric, with the meanings of their codes."""

    metric: str
    measured: FleetResults
    codebook: Codebook
    points: points.Points
    group: Group | None = None
    """Group that `points` are limited to."""

    def within(self, group: Group, machines: Collection[int]) -> MetricData:
        """Limit it to a group of these machines."""
        is_member = np.isin(self.points.machine, [*machines])
        return replace(self, points=self.points.only(is_member), group=group)

    def cohort_of(self, where: list[str]) -> int | None:
        """Number of the cohort with these filters: EVERY without any, None if unknown."""
        if self.group is not None:
            where = [text for text in where if text != self.group.where]
        if not where:
            return points.EVERY
        cohorts = [filters_of(terms) for terms in self.codebook.cohorts]
        return cohorts.index(where) if where in cohorts else None


@dataclass(frozen=True)
class DatedEffect:
    """An effect, and the day on which each of its machines changed."""

    effect: schemas.FoundEffect
    days: dict[uuid.UUID, float]


@dataclass(frozen=True)
class State:
    """State of a fleet: the `findings` that its pages show, and the `effects` for its alerts."""

    findings: schemas.Findings
    effects: list[DatedEffect]
    by_metric: dict[str, MetricData]
    groups: dict[Group, dict[str, MetricData]]
    ids: Ids

    def _results_of(self, effect: schemas.FoundEffect) -> MetricData | None:
        """Return the results that an effect was found in: of a group if it is limited to one."""
        for group, data in self.groups.items():
            if group.where in effect["where"]:
                return data.get(effect["metric"])
        return self.by_metric.get(effect["metric"])

    def reassessed(self, effect: schemas.FoundEffect, opened_at: datetime) -> DatedEffect | None:
        """Return a reported effect with the numbers of now, or None if it is gone.

        If too few machines were measured since, it stays as it was. Former versions dated changes
        without an update by the machines' first runs, and found them in the week before.
        """
        unchanged = DatedEffect(effect, {})
        data = self._results_of(effect)
        cohort = data.cohort_of(effect["where"]) if data is not None else None
        if data is None or cohort is None:
            return unchanged
        cohort_points = evaluation.of_cohort(data.points, cohort)
        version, day = None, to_epoch_days(datetime.fromisoformat(effect["at"]))
        if effect["version"] is not None:
            if effect["version"] not in data.codebook.versions:
                return unchanged
            version = data.codebook.versions.index(effect["version"])
        else:
            about = day if "common" in effect else to_epoch_days(opened_at) - evaluation.WEEK
            estimate = points.dated(points.settled_of(cohort_points), about)
            day = estimate.day
        changes = points.latest_changes(cohort_points, version, day)
        if len(changes.change) < MINIMUM:
            return unchanged
        shift = shift_of(changes.change)
        if evaluation.has_passed(shift, effect["ratio"]):
            return None
        machines = changes.machine[evaluation.moved(changes.change, math.log(shift.effect))]
        dates = estimate if version is None else points.Dates(day, changes.machine, changes.day)
        finding = evaluation.Finding(
            *(data.metric, cohort, version, day, shift, machines, dates.of(machines)),
            stayed=None,
            is_worse=effect["worse"],
            is_common=version is None
            and data.group is None
            and evaluation.is_common(data.points, day, math.log(shift.effect)),
        )
        renewed = _dated(data, finding, self.ids)
        return DatedEffect({**renewed.effect, "stayed": effect["stayed"]}, renewed.days)


async def state_of(
    reading: Reading, fleet_id: uuid.UUID, now: datetime, watched: Collection[str] = ()
) -> State:
    """Return the state of a fleet at the time `now`.

    Changes are also looked for in the groups whose filters are in `watched`.
    """
    start_by_run, today = await start_days(reading, fleet_id, now - SHOWN_FOR), to_epoch_days(now)
    by_metric = {
        metric: _read_metric(reading, fleet_id, metric, start_by_run) for metric in WATCHED_METRICS
    }
    machines = {number for data in by_metric.values() for number in data.measured.machine.tolist()}
    ids = reading.data.machine_ids(machines, fleet_scope(fleet_id))
    groups = {
        group: {metric: data.within(group, numbers) for metric, data in by_metric.items()}
        for group, numbers in _member_numbers(
            groups_in(await newest_labels(reading, fleet_id), watched), ids
        ).items()
    }
    findings = evaluation.findings(_points(by_metric), LOWER_IS_BETTER, today)
    by_group = {group: _points(data) for group, data in groups.items() if group.where in watched}
    in_groups = evaluation.findings_in_groups(by_group, LOWER_IS_BETTER, today, findings)
    reported = {finding.key for finding in findings}
    found_outliers = await _outliers(reading, fleet_id, by_metric.values(), ids, now)
    page: schemas.Findings = {
        "changes": _changes(by_metric, reported, today),
        "outliers": found_outliers,
        "groups": {
            group.where: _changes(data, {item.key for item in in_groups.get(group, ())}, today)
            for group, data in groups.items()
        },
    }
    dated = [_dated(by_metric[finding.metric], finding, ids) for finding in findings]
    for group, group_findings in in_groups.items():
        dated += [_dated(groups[group][finding.metric], finding, ids) for finding in group_findings]
    return State(page, dated, by_metric, groups, ids)


def _member_numbers(
    groups: Mapping[Group, Collection[uuid.UUID]], ids: Ids
) -> dict[Group, list[int]]:
    numbers = {machine_id: number for number, machine_id in ids.items()}
    return {
        group: [numbers[machine_id] for machine_id in machine_ids if machine_id in numbers]
        for group, machine_ids in groups.items()
    }


def _points(by_metric: Mapping[str, MetricData]) -> dict[str, points.Points]:
    return {metric: data.points for metric, data in by_metric.items()}


def _changes(
    by_metric: Mapping[str, MetricData], reported: set[tuple[str, int, int | None]], today: float
) -> list[schemas.FoundChange]:
    """Changes over updates, clear ones first: one Mac that changed much says less than ten."""
    rows = [
        _change(data, changes, reported)
        for data in by_metric.values()
        for changes in evaluation.parts_and_all(points.changes_over_updates(data.points, today))
    ]
    rows.sort(key=lambda row: (not row["told"], not row["matters"], -abs(math.log(row["ratio"]))))
    return rows[:_MAX_FINDINGS]


def _read_metric(
    reading: Reading, fleet_id: uuid.UUID, metric: str, start_by_run: dict[uuid.UUID, float]
) -> MetricData:
    measured, codebook = fleet_results(reading, fleet_id, metric, start_by_run)
    columns = (measured.machine, measured.line, measured.cohort, measured.version)
    return MetricData(
        metric, measured, codebook, points.Points(*columns, measured.day, measured.value)
    )


def _change(
    data: MetricData, changes: points.Changes, reported: set[tuple[str, int, int | None]]
) -> schemas.FoundChange:
    cohort, version = int(changes.cohort[0]), int(changes.version[0])
    shift = shift_of(changes.change)
    effect = math.log(shift.effect)
    moved = int(evaluation.moved(changes.change, effect).sum()) if effect else 0
    used = np.unique(evaluation.of_cohort(data.points, cohort).version).tolist()
    versions = sorted(
        (data.codebook.versions[number] or "" for number in used), key=version_order, reverse=True
    )
    updated_to = data.codebook.versions[version]
    return {
        **_shift_fields(data, cohort, shift),
        "moved": moved,
        "version": updated_to,
        "before": [name for name in versions if version_order(name) < version_order(updated_to)],
        "at": from_epoch_days(float(changes.day.min())).isoformat(),
        "told": (data.metric, cohort, version) in reported,
    }


def _dated(data: MetricData, finding: evaluation.Finding, ids: Ids) -> DatedEffect:
    version = data.codebook.versions[finding.version] if finding.version is not None else None
    stayed: schemas.Stayed | None = None
    if finding.stayed is not None:
        stayed = {"ratio": finding.stayed.effect, "machines": finding.stayed.machines}
    listed = sorted(str(ids[machine]) for machine in finding.machines.tolist())
    effect: schemas.FoundEffect = {
        **_shift_fields(data, finding.cohort, finding.shift),
        "moved": len(finding.machines),
        "machine_ids": listed[:_MAX_LISTED_MACHINES],
        "version": version,
        "at": from_epoch_days(finding.day).isoformat(),
        "before": _level_before(data.points, finding),
        "stayed": stayed,
        "worse": finding.is_worse,
        "common": finding.is_common,
        "agent_version": None,
    }
    days = zip(finding.machines.tolist(), finding.days.tolist(), strict=True)
    return DatedEffect(effect, {ids[machine]: day for machine, day in days})


def _level_before(fleet_points: points.Points, finding: evaluation.Finding) -> float | None:
    """Median of the levels that the changed machines had in the weeks before, each a median."""
    if not len(finding.machines):
        return None
    cohort_points = evaluation.of_cohort(fleet_points, finding.cohort)
    order = np.argsort(finding.machines)
    machines, days = finding.machines[order], finding.days[order]
    index = np.minimum(np.searchsorted(machines, cohort_points.machine), len(machines) - 1)
    until = days[index]
    is_before = (
        (machines[index] == cohort_points.machine)
        & (cohort_points.day < until)
        & (cohort_points.day >= until - points.DAYS_BEFORE)
    )
    level, sizes = points.levels(cohort_points.value, np.where(is_before, index, -1), len(machines))
    return math.exp(np.median(level[sizes > 0])) if sizes.any() else None


def _shift_fields(data: MetricData, cohort: int, shift: Shift) -> schemas.CohortShift:
    """Return the fields that describe a shift.

    `machines` were measured before and after, of `of` in the cohort or the fleet.
    """
    members = data.points.machine[(data.points.cohort == cohort) | (cohort == points.EVERY)]
    return {
        **_cohort_figure(data, cohort, shift.effect, shift.machines),
        "low": shift.low,
        "high": shift.high,
        "matters": evaluation.matters(shift),
        "of": len(np.unique(members)),
    }


def _cohort_figure(
    data: MetricData, cohort: int, ratio: float, machines: int
) -> schemas.CohortFigure:
    terms = {} if cohort == points.EVERY else data.codebook.cohorts[cohort]
    if data.group is not None:
        terms = {**terms, LABEL_PREFIX + data.group.key: data.group.value}
    return _figure_of_terms(data, terms, ratio, machines)


def _figure_of_terms(
    data: MetricData, terms: dict[str, Value], ratio: float, machines: int
) -> schemas.CohortFigure:
    metric = catalog.METRICS[data.metric]
    return {
        "metric": data.metric,
        "title": metric.title,
        "better": metric.better,
        "cohort": terms,
        "where": filters_of(terms),
        "ratio": ratio,
        "machines": machines,
    }


def filters_of(cohort: dict[str, Value]) -> list[str]:
    """Filters of a question about exactly these machines."""
    return [str(Term(name, Op.IS, value)) for name, value in cohort.items()]


async def _outliers(
    reading: Reading, fleet_id: uuid.UUID, results: Iterable[MetricData], ids: Ids, now: datetime
) -> list[schemas.FoundOutlier]:
    """Return the machines that are worse than similar ones, the worst first, with known causes."""
    today = to_epoch_days(now)
    ranked = [
        (data, item)
        for data in results
        for item in outliers(data.measured, today, lower_is_better=data.metric in LOWER_IS_BETTER)
    ]
    ranked.sort(key=lambda item: item[1].oriented_ratio)
    del ranked[_MAX_FINDINGS:]
    machines = {ids[outlier.machine] for _, outlier in ranked}
    since = now - timedelta(days=RECENT_DAYS)
    stated = await flags_of_runs(reading, fleet_id, CAUSES, since, machines)
    return [
        {
            "machine_id": str(ids[mac.machine]),
            **_figure_of_terms(
                data, data.codebook.likenesses[mac.likeness], mac.ratio, mac.machines
            ),
            "cohort": _described(data, mac),
            "causes": causes_of(
                stated, catalog.METRICS[data.metric].suite, ids[mac.machine], _peers(data, mac, ids)
            ),
        }
        for data, mac in ranked
    ]


def _described(data: MetricData, outlier: Outlier) -> dict[str, Value]:
    """Return what readers recognise similar machines by; how they were measured is in a link."""
    names = {*catalog.METRICS[data.metric].circumstances, "model", "device"}
    return {
        name: value
        for name, value in data.codebook.likenesses[outlier.likeness].items()
        if name in names or name.startswith(LABEL_PREFIX)
    }


def _peers(data: MetricData, outlier: Outlier, ids: Ids) -> list[uuid.UUID]:
    similar = np.unique(data.measured.machine[data.measured.likeness == outlier.likeness])
    return [ids[number] for number in similar.tolist() if number != outlier.machine]
