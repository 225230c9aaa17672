"""Deviations of a measurement from the truth, and small parts that every run needs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import Enum

from macmeter import Json

from demo.fleet import Planned


class Noise(Enum):
    """Degree to which a document departs from the truth."""

    NONE = "what is true of all of its kind"
    MACHINE = "what is true of this machine, which differs from others of its kind"
    MEASURED = "what it measured"


class Dice:
    """Draw what a machine and a measurement add to the truth, as far as `noise` allows."""

    def __init__(self, run: Planned, noise: Noise) -> None:
        self.random = random.Random(run.key)
        self.noise = noise
        self.disk = self._factor(run.mac.disk_factor, 0.008)
        self.cpu = self._factor(run.mac.cpu_factor, 0.004)

    def _factor(self, machine_factor: float, sigma: float) -> float:
        factor = self.random.lognormvariate(0, sigma)
        if self.noise is Noise.NONE:
            return 1.0
        return machine_factor * (factor if self.noise is Noise.MEASURED else 1.0)

    def about(self, value: float, sigma: float = 0.01) -> float:
        if self.noise is not Noise.MEASURED:
            return value
        return value * (1 + self.random.gauss(0, sigma))

    def several(self, value: float, count: int, sigma: float = 0.01) -> list[float]:
        return [self.about(value, sigma) for _ in range(count)]


def series(
    metric: str, values: Sequence[float], positions: list[int] | None = None, **parameters: object
) -> Json:
    """One series of a document; empty parts are left out."""
    parts = {"parameters": parameters, "values": list(values), "positions": positions}
    return {"metric": metric} | {name: part for name, part in parts.items() if part}


def rounded(values: Sequence[float]) -> list[int]:
    return [round(value) for value in values]


def context(run: Planned, threads: int, *, background: bool = False) -> str:
    """The tiers that this many threads are assumed to run on, as the agent names them."""
    if run.mac.host is not None:
        return "Standard/background" if background else "Standard/high"
    tiers = run.mac.chip.tiers
    if background:
        return f"{tiers[-1].name}/background"
    if threads <= tiers[0].cores:
        return f"{tiers[0].name}/high"
    return "+".join(tier.name for tier in tiers) + "/high"
