"""Detection of changes in a fleet that are worth reporting, with few false alerts.

Many metrics of many cohorts are tested again every day. Each day has a budget of false alerts per
measuring machine, which all tests of that day share: however they depend on each other, no more are
expected than the sum of their shares (Bonferroni). An update's first week has the largest shares,
since later weeks repeat the same test. The promised rate is never used up: a change must be large
enough to matter, and clear without any model too.

If all Macs move together from week to week, their changes aren't independent, and a test of
machines counts one shock as many. Such a change must also exceed what was usual in the weeks before
(`usual_movement`).
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol, TypeVar

import numpy as np

from macmeter.alerts.points import (
    DAYS_BEFORE,
    EVERY,
    NEARER,
    SETTLING,
    Bools,
    Changes,
    Dates,
    Ints,
    LineChanges,
    Points,
    begins,
    changes_over_updates,
    changes_since,
    dated,
    latest_changes,
    settled_of,
)
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.shifts import Shift, shift_of
from macmeter.statistics.summary import Array

# False alerts per quiet machine-week: promised at most, and budgeted.
PROMISED = 1e-3
BUDGET = 5e-4
# Shares of an update in its first week and in later ones, and of changes without an update.
_NEW, _OLDER, _AT_ONCE = 1.0, 0.25, 0.25
# Smaller changes aren't worth acting on.
LEAST_CHANGE = 0.03
# Days for which an update is tested, and days of a week.
DAYS_ASKED = 28.0
WEEK = 7.0
# Machines that kept their macOS moved as well if they did this share of it in the same direction.
_ALIKE = 0.5
# A change that this share of a fleet's machines has is common to the fleet.
_COMMON = 0.75


@dataclass(frozen=True)
class Finding:
    """A cohort's change in a metric. `version` is None if it moved at once, updated or not."""

    metric: str
    cohort: int
    version: int | None
    day: float
    """Start of the change: the first update, or the day that best divides before and after."""
    shift: Shift
    machines: Ints
    """Machines that are nearer to the change than to none."""
    days: Array
    """Day on which each of them changed."""
    stayed: Shift | None
    """Shift of machines that kept their macOS over those days; None if there are too few."""
    is_worse: bool
    is_common: bool
    """Whether most machines of the fleet changed as much, in any cohort."""

    @property
    def key(self) -> tuple[str, int, int | None]:
        return (self.metric, self.cohort, self.version)


@dataclass(frozen=True)
class _Test:
    """Test of a metric's changes with an update, or without one if `version` is None."""

    metric: str
    version: int | None
    changes: Changes
    """Changes of one cohort, or of all together."""

    @property
    def key(self) -> tuple[str, int | None]:
        return (self.metric, self.version)

    def share(self, today: float) -> float:
        """Share of the day's false alerts, relative to other tests."""
        if self.version is None:
            return _AT_ONCE
        return _NEW if float(self.changes.day.min()) > today - WEEK - SETTLING else _OLDER

    @property
    def is_of_all(self) -> bool:
        return bool(self.changes.cohort[0] == EVERY)


def findings(
    by_metric: Mapping[str, Points],
    lower_is_better: Collection[str],
    today: float,
    budget: float = BUDGET,
) -> list[Finding]:
    """Findings of `today`, in days since 1970, from results up to then.

    `budget` is the budget of false alerts per quiet machine-week.
    """
    history = {
        metric: points.only(points.day <= today).in_order() for metric, points in by_metric.items()
    }
    tests = [
        test
        for metric, points in history.items()
        for test in _tests_of(metric, points, today)
        # Fewer machines can't be tested.
        if len(test.changes) >= MINIMUM
    ]
    recent = [points.machine[points.day > today - DAYS_ASKED] for points in history.values()]
    machines = len(np.unique(np.concatenate(recent))) if recent else 0
    level = budget / WEEK * machines / max(sum(test.share(today) for test in tests), _NEW)
    by_key: dict[tuple[str, int | None], list[Finding]] = {}
    for test in tests:
        shift, siblings = shift_of(test.changes.change), by_key.setdefault(test.key, [])
        # All together count only if no cohort has a finding.
        is_rare = shift.chance <= level * test.share(today)
        if is_rare and matters(shift) and not (test.is_of_all and siblings):
            finding = _finding(test, shift, history[test.metric], test.metric in lower_is_better)
            if finding is not None:
                siblings.append(finding)
    return [finding for siblings in by_key.values() for finding in siblings]


class Labelled(Protocol):
    """A group of machines by the value of a label."""

    @property
    def key(self) -> str:
        """The label: a machine is in one of its groups."""


G = TypeVar("G", bound=Labelled)


def findings_in_groups(
    groups: Mapping[G, Mapping[str, Points]],
    lower_is_better: Collection[str],
    today: float,
    everywhere: Collection[Finding],
) -> dict[G, list[Finding]]:
    """Findings of `today` in each group that are not found `everywhere` in the fleet.

    Labels share the false alerts that are promised and not budgeted for the fleet. Those of a group
    are per machine of its own, so that a label's groups, however many, together have its share.
    """
    labels = len({group.key for group in groups})
    budget = (PROMISED - BUDGET) / max(labels, 1)
    return {
        group: [
            replace(finding, is_common=False)
            for finding in findings(points, lower_is_better, today, budget)
            if not any(_is_covered_by(finding, other) for other in everywhere)
        ]
        for group, points in groups.items()
    }


def _is_covered_by(finding: Finding, other: Finding) -> bool:
    """Whether a group's finding is one of the fleet, in its cohort or in all together."""
    same = (other.metric, other.version) == (finding.metric, finding.version)
    return same and (other.cohort == finding.cohort or EVERY in (other.cohort, finding.cohort))


def matters(shift: Shift) -> bool:
    """Return whether a shift is large enough to act on, and clear."""
    return abs(math.log(shift.effect)) >= math.log1p(LEAST_CHANGE) and shift.is_clear


def has_passed(now: Shift, reported: float) -> bool:
    """Return whether an effect that was `reported` is gone in what machines measure now."""
    left = math.log(now.effect) * math.copysign(1.0, math.log(reported))
    least = math.log1p(LEAST_CHANGE)
    return left < least / 2 or (left < least and not now.is_clear)


def _tests_of(metric: str, points: Points, today: float) -> list[_Test]:
    """Tests of each cohort and update of these weeks, and of each cohort over the last week."""
    updated = changes_over_updates(points, today)
    stayed = changes_since(points, today - WEEK)
    return [
        *(
            _Test(metric, int(changes.version[0]), changes)
            for changes in parts_and_all(updated, since=today - DAYS_ASKED)
        ),
        *(_Test(metric, None, changes) for changes in parts_and_all(stayed, by_version=False)),
    ]


def parts_and_all(
    lines: LineChanges, *, by_version: bool = True, since: float = -math.inf
) -> list[Changes]:
    """Changes of each cohort, then of all cohorts together if there are several."""

    def parts(lines: LineChanges) -> list[Changes]:
        changes = lines.by_machine()
        parts = parts_of(changes.only(changes.day > since), by_version=by_version)
        confirmed = (part.with_first_days_if_alike() for part in parts)
        return [part for part in confirmed if len(part)]

    def version(part: Changes) -> int | None:
        return int(part.version[0]) if by_version else None

    apart, together = parts(lines), parts(lines.together())
    cohorts = Counter(map(version, apart))
    return [*apart, *(part for part in together if cohorts[version(part)] > 1)]


def parts_of(changes: Changes, *, by_version: bool = True) -> list[Changes]:
    """Split changes by cohort, and by the version that the machines were updated to."""
    keys = (changes.version, changes.cohort) if by_version else (changes.cohort,)
    ordered = changes.only(np.lexsort(keys))
    new = begins(ordered.cohort, *((ordered.version,) if by_version else ()))
    starts = [*np.flatnonzero(new).tolist(), len(ordered)]
    return [ordered.only(np.arange(a, b)) for a, b in pairwise(starts)]


def _finding(test: _Test, shift: Shift, points: Points, lower_is_better: bool) -> Finding | None:
    """Build a finding. Return None if as much is usual from week to week, or it has passed."""
    changes, version = test.changes, test.version
    cohort = int(changes.cohort[0])
    cohort_points = of_cohort(points, cohort)
    stayed = None
    if version is not None:
        stayed = _stayed(cohort_points, float(np.median(changes.day)))
        if _moved_at_once(cohort_points, shift, float(points.day.max())):
            version = None
    effect, settled = math.log(shift.effect), settled_of(cohort_points)
    if version is None:
        dates = dated(settled, float(points.day.max()) - WEEK)
    else:
        dates = Dates(float(changes.day.min()), changes.machine, changes.day)
    day = dates.day
    before = settled.only(settled.day < day if version is None else settled.version != version)
    if abs(effect) < UNUSUAL * usual_movement(before):
        return None
    now = shift_of(latest_changes(cohort_points, version, day).change)
    if now.machines >= MINIMUM and has_passed(now, shift.effect):
        return None
    machines = changes.machine[moved(changes.change, effect)]
    return Finding(
        metric=test.metric,
        cohort=cohort,
        version=version,
        day=day,
        shift=shift,
        machines=machines,
        days=dates.of(machines),
        stayed=stayed,
        is_worse=(effect > 0) is lower_is_better,
        is_common=version is None and is_common(points, day, effect),
    )


def of_cohort(points: Points, cohort: int) -> Points:
    """Points of one cohort. For EVERY, all points as one cohort."""
    return points.together() if cohort == EVERY else points.only(points.cohort == cohort)


def is_common(points: Points, day: float, effect: float) -> bool:
    """Return whether most machines changed as much on that day, in any cohort."""
    changes = changes_since(points.together(), day).by_machine().change
    return bool(len(changes)) and float(moved(changes, effect).mean()) >= _COMMON


def moved(changes: Array, effect: float) -> Bools:
    """Mask of the changes that are nearer to the effect than to none."""
    mask: Bools = changes / effect > NEARER
    return mask


def _stayed(points: Points, day: float) -> Shift | None:
    """Shift on a day of a cohort's machines that kept their macOS; None if there are too few."""
    stayed = changes_since(points, day).by_machine().change
    return shift_of(stayed) if len(stayed) >= MINIMUM else None


def _moved_at_once(points: Points, shift: Shift, today: float) -> bool:
    """Return whether machines that kept their macOS moved as much in any of the last weeks.

    All weeks in the level before an update are searched: a machine that is updated a week after
    such a move is slower after its update as well.
    """
    weeks = np.arange(today - WEEK, today - DAYS_BEFORE, -WEEK)
    return any(
        stayed is not None and stayed.is_clear and _is_alike(stayed, shift)
        for stayed in (_stayed(points, day) for day in weeks.tolist())
    )


def _is_alike(stayed: Shift, shift: Shift) -> bool:
    return math.log(stayed.effect) / math.log(shift.effect) >= _ALIKE


_FEWEST_WEEKS = 4
# A line with fewer points has no level of its own.
_FEWEST_POINTS = 3
# Means of independent machines rarely exceed this multiple of their own variance: in a few cases of
# a thousand.
_BY_CHANCE = 3.0
# A common change is news from this multiple of the usual movement.
UNUSUAL = 4.0


def usual_movement(points: Points) -> float:
    """Standard deviation, as a logarithm, of what all machines share in one of the last weeks.

    It is 0 if weeks differ by no more than the machines' own spread allows, and for fewer than four
    weeks. This is the variance between groups in a one-way analysis of variance (Fisher 1925), with
    weeks as groups and machines as units.
    """
    if not len(points):
        return 0.0
    until = float(points.day.max())
    points = points.only(points.day >= until - DAYS_BEFORE)
    _, line, sizes = np.unique(points.line, return_inverse=True, return_counts=True)
    has_level = (sizes >= _FEWEST_POINTS)[line]
    change = _clip_outliers(_from_own_mean(points.value[has_level], line[has_level]))
    week = np.floor((until - points.day[has_level]) / WEEK).astype(np.int64)
    _, cell, in_cell = np.unique(
        np.stack([week, points.machine[has_level]]), axis=1, return_inverse=True, return_counts=True
    )
    cell = cell.reshape(-1)
    cell_means = np.bincount(cell, change) / in_cell
    week_of_cell = np.zeros(len(in_cell), dtype=np.int64)
    week_of_cell[cell] = week
    return _spread_between_weeks(cell_means, week_of_cell)


def _spread_between_weeks(values: Array, group: np.ndarray) -> float:
    """Return the deviation between weeks that the spread within them doesn't explain, or 0."""
    machines = np.bincount(group)
    several = machines > 1
    if int(several.sum()) < _FEWEST_WEEKS:
        return 0.0
    means = np.bincount(group, values) / np.maximum(machines, 1)
    mask = several[group]
    away = values[mask] - means[group[mask]]
    within = float(away @ away) / (int(mask.sum()) - int(several.sum()))
    expected = float(np.mean(within / machines[several]))
    between = float(np.var(means[several], ddof=1))
    return math.sqrt(between - expected) if between > _BY_CHANCE * expected else 0.0


def _from_own_mean(values: Array, line: np.ndarray) -> Array:
    counts = np.maximum(np.bincount(line), 1)
    differences: Array = values - (np.bincount(line, values) / counts)[line]
    return differences


def _clip_outliers(values: Array) -> Array:
    """Clip outliers, so that a single run can't move a week."""
    if not len(values):
        return values
    low, high = np.quantile(values, [0.25, 0.75])
    reach = 3 * (high - low)
    clipped: Array = np.clip(values, low - reach, high + reach)
    return clipped
