"""A simulated fleet of 1,000 Macs over 10 weeks, as figures alone, and the alerts about it.

Macs of some chips measure once a week, each on its own day; macOS updates reach most of them within
days of release. In three cohorts a metric gets 10 % worse with an update. Counts day by day how
many of these alerts find, when, and what else they report.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from macmeter.alerts.evaluation import Finding, findings, findings_in_groups
from macmeter.alerts.groups import Group
from macmeter.alerts.points import Points

from support.steady import STEADY, steady_lines

WEEKS = 10
METRICS = ("write", "read", "hash", "compression")
PLANTED = 0.90
# Days to find a change: runs are weekly, and the first 3 days after an update don't count.
IN_TIME = 10
# One in this many cohorts is much larger than the others: fleets are bought in lots.
_LARGE = 4
# The cohort that a season may change as a whole.
_SEASONAL = 0
# Interquartile range of a Mac's figures from run to run.
_NOISE = 0.02
# As a logarithm: a hundredth of the usual speed.
_FARTHEST = 4.6
_UPDATES = (3, 6)
# Days after release: Macs that are asked to update do so soon, the others wait for their owners.
_SOON, _LATEST = 3.0, 21.0
_TOLD = 0.6


@dataclass(frozen=True)
class Plant:
    """A cohort's metric that is slower from this update on."""

    metric: str
    cohort: int
    version: int


@dataclass(frozen=True)
class Counted:
    """Alerts of some simulated fleets; `in_time` is within ten days of the update."""

    planted: int = 0
    in_time: int = 0
    false: int = 0
    quiet_machine_weeks: float = 0
    seasons_as_such: int = 0
    """Cohorts whose seasonal change was recognised as such, and never blamed on an update."""

    def __add__(self, other: Counted) -> Counted:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Counted(*(a + b for a, b in pairs))

    @property
    def false_rate(self) -> float:
        """False alerts per quiet machine-week."""
        return self.false / self.quiet_machine_weeks

    @property
    def error(self) -> float:
        """Standard error of `false_rate`, with one more alert so that it is never zero."""
        return math.sqrt(self.false + 1) / self.quiet_machine_weeks


@dataclass(frozen=True)
class Simulation:
    seed: int
    spread: str = "normal"
    memory: float = 0.3
    machines: int = 1_000
    cohorts: int = 20
    planted: int = 3
    season: float = 1.0
    """Factor on a metric of one whole cohort from the fifth week on."""
    noise: float = _NOISE

    def counted(self) -> Counted:
        chance = np.random.default_rng([20261122, self.seed])
        cohort = self._cohorts(chance)
        slot = chance.uniform(0, 7, self.machines)
        updated = self._updated(chance)
        plants = self._plants(chance)
        points = {
            metric: self._points(chance, cohort, slot, updated, metric, plants)
            for metric in METRICS
        }
        return self._watch(points, cohort, plants)

    def _cohorts(self, chance: np.random.Generator) -> np.ndarray:
        weights = np.array([4.0 if n % _LARGE == 0 else 1.0 for n in range(self.cohorts)])
        return chance.choice(self.cohorts, self.machines, p=weights / weights.sum())

    def _updated(self, chance: np.random.Generator) -> np.ndarray:
        """Day of each update by machine."""
        is_prompt = chance.random(self.machines) < _TOLD
        late = np.where(is_prompt, chance.uniform(0, _SOON, self.machines), 0)
        late += np.where(is_prompt, 0, chance.uniform(_SOON, _LATEST, self.machines))
        return 7 * np.array(_UPDATES)[:, None] + late

    def _plants(self, chance: np.random.Generator) -> list[Plant]:
        cohorts = chance.choice(
            [n for n in range(self.cohorts) if n != _SEASONAL], self.planted, replace=False
        )
        return [
            Plant(str(chance.choice(METRICS)), int(cohort), int(chance.integers(1, 3)))
            for cohort in cohorts
        ]

    def _points(
        self,
        chance: np.random.Generator,
        cohort: np.ndarray,
        slot: np.ndarray,
        updated: np.ndarray,
        metric: str,
        plants: list[Plant],
    ) -> Points:
        # A run a week; each Mac has two correlated lines.
        noise = steady_lines(chance, STEADY[self.spread], self.memory, WEEKS, 2 * self.machines)
        low, high = np.quantile(noise, [0.25, 0.75])
        first = noise[: self.machines]
        shape = np.concatenate([first, 0.7 * first + 0.7 * noise[self.machines :]])
        machine = np.tile(np.arange(self.machines), 2)
        day = 7 * np.arange(WEEKS) + slot[machine][:, None]
        version = (day >= updated[0][machine][:, None]).astype(int)
        version += day >= updated[1][machine][:, None]
        value = 22 + np.clip(self.noise * shape / max(high - low, 0.5), -_FARTHEST, _FARTHEST)
        for plant in plants:
            if plant.metric == metric:
                hit = (cohort[machine] == plant.cohort)[:, None] & (version >= plant.version)
                value = value + math.log(PLANTED) * hit
        if metric == METRICS[0]:
            value = value + math.log(self.season) * (
                (cohort[machine] == _SEASONAL)[:, None] & (day >= 35)
            )
        lines = np.arange(2 * self.machines)

        def repeated(values: np.ndarray) -> np.ndarray:
            return np.repeat(values, WEEKS)

        return Points(
            repeated(machine),
            repeated(lines),
            repeated(cohort[machine]),
            version.ravel(),
            day.ravel(),
            value.ravel(),
        )

    def of_groups(self, labels: int, values: int, every: int = 1) -> tuple[int, int]:
        """Count alerts about nothing, of the whole fleet and of its groups: each value of each
        label, all watched. Looked for once in `every` days.
        """
        chance = np.random.default_rng([20261128, self.seed])
        cohort = self._cohorts(chance)
        slot = chance.uniform(0, 7, self.machines)
        updated = self._updated(chance)
        points = {
            metric: self._points(chance, cohort, slot, updated, metric, []) for metric in METRICS
        }
        group = chance.integers(values, size=(labels, self.machines))
        groups = {
            Group(str(label), str(value)): {
                metric: p.only(group[label][p.machine] == value) for metric, p in points.items()
            }
            for label in range(labels)
            for value in range(values)
        }
        keys: set[tuple[object, ...]] = set()
        for today in range(7, 7 * WEEKS + 1, every):
            overall = findings(points, (), today)
            keys |= {finding.key for finding in overall}
            for watched, in_group in findings_in_groups(groups, (), today, overall).items():
                keys |= {(watched, *finding.key) for finding in in_group}
        fleet_count = sum(isinstance(key[0], str) for key in keys)
        return fleet_count, len(keys) - fleet_count

    def _watch(self, points: dict[str, Points], cohort: np.ndarray, plants: list[Plant]) -> Counted:
        first_findings: dict[tuple[str, int, int | None], Finding] = {}
        days: dict[tuple[str, int, int | None], int] = {}
        for today in range(7, 7 * WEEKS + 1):
            for finding in findings(points, (), today):
                first_findings.setdefault(finding.key, finding)
                days.setdefault(finding.key, today)
        expected = {(plant.metric, plant.cohort, plant.version) for plant in plants}
        in_time = sum(
            days.get(key, math.inf) <= 7 * _UPDATES[key[2] - 1] + IN_TIME for key in expected
        )
        in_season = {key[2] for key in first_findings if key[:2] == (METRICS[0], _SEASONAL)}
        disturbed = {plant.cohort for plant in plants}
        if self.season != 1:
            disturbed.add(_SEASONAL)
        false = sum(key not in expected and key[1] not in disturbed for key in first_findings)
        quiet = float(np.isin(cohort, list(disturbed), invert=True).sum()) * WEEKS
        return Counted(len(expected), in_time, false, quiet, int(in_season == {None}))
