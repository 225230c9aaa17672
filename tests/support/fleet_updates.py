"""A simulated fleet through one change, as figures alone: what, when and on which Macs is known.

Macs of two models measure every few days, each on its own days, and are updated within some weeks
of day 0. The first model's change is caused by the update, or hits all its Macs at once, or is
temporary; a fleet may also move as a whole from week to week.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from macmeter.alerts.evaluation import Finding, findings
from macmeter.alerts.points import Points

# Days before the change, and after it.
BEFORE, AFTER = 42, 40
METRIC = "write"
What = Literal["update", "at once", "first run", "first days", "nothing"]
"""`first run`: only the first under the new macOS is slow; `first days`: those of 72 hours."""


@dataclass(frozen=True)
class Rollout:
    """Macs measure every `every` days; updates take `within` days; `slower` is after/before."""

    seed: int
    machines: int
    what: What = "update"
    slower: float = 0.95
    every: float = 1.0
    within: float = 28.0
    noise: float = 0.03
    share: float = 0.5
    """Share of Macs of the first model."""
    shock: float = 0.0
    """Standard deviation of the effect that all Macs share in a week."""
    drifts: bool = False
    """Whether the shared effect accumulates from week to week."""

    def points(self) -> tuple[Points, float]:
        """All results, and the day of the first Mac's update."""
        chance = np.random.default_rng([20261127, self.seed, self.machines])
        count, runs = self.machines, int((BEFORE + AFTER) / self.every) + 1
        offsets = chance.uniform(0, self.every, (count, 1))
        shaken = 0.3 * self.every * chance.uniform(-1, 1, (count, runs))
        day = np.sort(-BEFORE + offsets + self.every * np.arange(runs) + shaken, axis=1)
        updated = chance.uniform(0, self.within, (count, 1))
        version = (day >= updated).astype(int)
        cohort = (np.arange(count) >= self.share * count).astype(int)
        value = 22 + chance.normal(0, 0.05, (count, 1)) + chance.normal(0, self.noise, day.shape)
        is_first = (version == 1) & (np.cumsum(version, axis=1) == 1)
        slow = {
            "update": (cohort == 0)[:, None] & (version == 1),
            "at once": (cohort == 0)[:, None] & (day >= 0),
            "first run": is_first,
            "first days": (version == 1) & (day < updated + 3),
            "nothing": np.zeros_like(is_first),
        }[self.what]
        value = value + math.log(self.slower) * slow
        weeks = chance.normal(0, self.shock, (BEFORE + AFTER) // 7 + 3)
        weeks = np.cumsum(weeks) if self.drifts else weeks
        value = value + weeks[np.floor((day + BEFORE) / 7).astype(int) + 1]
        if self.what == "at once":
            version[:] = 0
        machine = np.repeat(np.arange(count), runs)
        columns = (machine, machine, np.repeat(cohort, runs), version.ravel())
        return Points(*columns, day.ravel(), value.ravel()), float(updated.min())

    def alerts(self, first: int = 1, last: int = AFTER) -> Iterator[tuple[int, Finding]]:
        """Findings that report a regression, day by day."""
        points, _ = self.points()
        for today in range(first, last):
            for finding in findings({METRIC: points}, (), today):
                if finding.is_worse:
                    yield today, finding

    def delay(self) -> float:
        """Days from the first Mac's update to the first alert; infinite without one."""
        _, updated = self.points()
        return next((today - updated for today, _ in self.alerts()), math.inf)
