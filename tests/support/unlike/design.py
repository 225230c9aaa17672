"""The parts of an invented fleet: lots of Macs, their measuring conditions, and effects.

A design is data. Its truth follows from `speeds` and its effects alone, so a test can compare it
with a server's answer, even where chips, macOS and storage are confounded.
"""

from __future__ import annotations

import hashlib
import math
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

from support.unlike.speeds import law

Value = str | int | float | bool | None
Values = Mapping[str, Value]
DISK, HASH, COMPRESSION, CORES = "disk", "hash", "compression", "cores"
_NAMESPACE = uuid.UUID("0d6c2f0e-5a0b-4f43-9a6f-7f1f2f6d9b54")
# Values of every run unless its lot overrides them.
USUAL: Values = {
    "chip": "Apple M4",
    "os_version": "26.4",
    "storage": "internal",
    "encryption": "filevault",
    "power_mode": "automatic",
    "power_source": "ac",
    "agent_version": "0.1.0",
}


@dataclass(frozen=True)
class Effect:
    """`factor` multiplies the speed of metrics whose name begins with one of `of`.

    It applies if a run has all values of `where`: each a value, or a tuple of alternatives.
    Durations are divided by it.
    """

    factor: float
    where: Mapping[str, Value | tuple[Value, ...]]
    of: tuple[str, ...] = ("disk.",)

    def holds(self, metric: str, values: Values) -> bool:
        return metric.startswith(self.of) and all(
            values.get(name) in (expected if isinstance(expected, tuple) else (expected,))
            for name, expected in self.where.items()
        )


@dataclass(frozen=True)
class Noise:
    """Standard deviations of logarithms; `memory` is a run's correlation with the one before."""

    model: float = 0.0
    mac: float = 0.02
    run: float = 0.01
    sample: float = 0.005
    memory: float = 0.0


@dataclass(frozen=True)
class Lot:
    """Some Macs measured under one set of conditions, `runs` times per suite.

    Lots of one `name` are the same Macs, numbered from `first`. `has` are values of dimensions, as
    questions name them, and `agent_version`. `later` are values from a day of the design on, such
    as an update of macOS. `host` names the lot whose Macs these virtual machines run on.
    """

    name: str
    macs: int
    has: Values = field(default_factory=dict)
    suites: tuple[str, ...] = (DISK,)
    runs: int = 1
    days: tuple[float, float] = (0.0, 150.0)
    later: Mapping[str, tuple[tuple[float, Value], ...]] = field(default_factory=dict)
    first: int = 0
    host: str | None = None
    cut: float = 0.0
    """Share of runs that are cut short: incomplete."""

    def values(self, day: float) -> dict[str, Value]:
        """All values of a run on this day, except its Mac and month."""
        values = {**USUAL, **self.has}
        for name, changes in self.later.items():
            for since, value in changes:
                if day >= since:
                    values[name] = value
        return values


@dataclass(frozen=True)
class Run:
    """One run: its values by dimension, and the factor by which it deviates from the truth."""

    design: Design
    suite: str
    values: Values
    at: datetime
    mac: str
    """The machine's id."""
    host: str | None
    ordinal: int
    """Its place among all runs of the design."""
    factor: float
    is_cut: bool = False

    @property
    def id(self) -> str:
        """UUID version 7, as the agent generates one when the run starts."""
        digest = hashlib.sha256(f"{self.design.name}/{self.design.seed}/{self.ordinal}".encode())
        uuid_bytes = bytearray(int(self.at.timestamp() * 1000).to_bytes(6) + digest.digest()[:10])
        uuid_bytes[6] = 0x70 | (uuid_bytes[6] & 0x0F)
        uuid_bytes[8] = 0x80 | (uuid_bytes[8] & 0x3F)
        return str(uuid.UUID(bytes=bytes(uuid_bytes)))

    def true(self, metric: str, **parameters: Value) -> float:
        """True value for all runs with these values."""
        return self.design.true(metric, self.values, **parameters)


@dataclass(frozen=True)
class Design:
    """A fleet: the same seed gives the same documents. Days count from `begin`."""

    name: str
    lots: tuple[Lot, ...]
    effects: tuple[Effect, ...] = ()
    noise: Noise = Noise()
    about: str = ""
    seed: int = 1
    begin: datetime = datetime(2026, 6, 1, tzinfo=UTC)

    def with_seed(self, seed: int) -> Design:
        return replace(self, seed=seed)

    def machine(self, lot: str, number: int) -> str:
        """The id of a lot's Mac."""
        return str(uuid.uuid5(_NAMESPACE, f"{self.name}/{self.seed}/{lot}/{number}"))

    def true(self, metric: str, values: Values, **parameters: Value) -> float:
        """The value that a measurement without noise would have, in the metric's unit."""
        factor = math.prod(effect.factor for effect in self.effects if effect.holds(metric, values))
        value = law(metric, values, parameters)
        return value / factor if metric.endswith(".duration") else value * factor

    def ratio(self, metric: str, over: Values, under: Values, **parameters: Value) -> float:
        """True ratio of `over` to `under`, all else being equal, in every lot concerned.

        ValueError if the ratio depends on the lot: there is then no single truth.
        """
        ratios = {
            round(
                self.true(metric, {**lot.values(0), **over}, **parameters)
                / self.true(metric, {**lot.values(0), **under}, **parameters),
                9,
            )
            for lot in self.lots
            if self._has(lot, over) or self._has(lot, under)
        }
        if len(ratios) != 1:
            raise ValueError(f"{metric} {over} to {under}: {sorted(ratios) or 'no lot has it'}")
        return ratios.pop()

    def _has(self, lot: Lot, values: Values) -> bool:
        lot_values = {name: {value} for name, value in lot.values(0).items()}
        lot_values["virtual"] = {lot.host is not None}
        for name, changes in lot.later.items():
            lot_values.setdefault(name, set()).update(value for _, value in changes)
        for month in self.months(lot):
            lot_values.setdefault("month", set()).add(month)
        return all(value in lot_values.get(name, {None}) for name, value in values.items())

    def months(self, lot: Lot) -> list[str]:
        """The months in which a lot measured, as the dimension has them."""
        first, last = (self.begin + timedelta(days=day) for day in lot.days)
        count = (last.year - first.year) * 12 + last.month - first.month
        months = (first.year * 12 + first.month - 1 + n for n in range(count + 1))
        return [f"{month // 12}-{month % 12 + 1:02}" for month in months]

    @cached_property
    def runs(self) -> list[Run]:
        """All runs in order of time."""
        runs = [run for index in range(len(self.lots)) for run in self._runs_of(index)]
        runs.sort(key=lambda run: (run.at, run.mac, run.suite, run.factor))
        return [replace(run, ordinal=ordinal) for ordinal, run in enumerate(runs)]

    def _runs_of(self, index: int) -> Iterator[Run]:
        lot = self.lots[index]
        hosts = [other for other in self.lots if other.name == lot.host]
        for number in range(lot.first, lot.first + lot.macs):
            host = (hosts[0].name, hosts[0].first + number % hosts[0].macs) if hosts else None
            factor = self._own_factor(lot, number)
            factor *= self._own_factor(hosts[0], host[1]) if host else 1.0
            for suite in lot.suites:
                chance = Random(f"{self.seed}/{index}/{number}/{suite}")
                drift = chance.gauss(0, self.noise.run)
                first, last = lot.days
                for ordinal in range(lot.runs):
                    day = first + (last - first) * (ordinal + chance.random()) / lot.runs
                    at = (self.begin + timedelta(days=day)).replace(microsecond=0)
                    fresh = math.sqrt(1 - self.noise.memory**2) * self.noise.run
                    if ordinal:
                        drift = self.noise.memory * drift + chance.gauss(0, fresh)
                    mac = self.machine(lot.name, number)
                    values = lot.values(day) | {
                        "virtual": lot.host is not None,
                        "month": f"{at:%Y-%m}",
                        "machine": mac,
                    }
                    yield Run(
                        self,
                        suite,
                        values,
                        at,
                        mac,
                        self.machine(*host) if host else None,
                        ordinal,
                        factor * math.exp(drift),
                        Random(f"{self.seed}/cut/{mac}/{suite}/{at}").random() < lot.cut,
                    )

    def _own_factor(self, lot: Lot, number: int) -> float:
        """Factor of a Mac and of its model."""
        values = lot.values(0)
        model = Random(f"{self.seed}/model/{values['chip']}/{values.get('model')}")
        mac = Random(f"{self.seed}/mac/{lot.name}/{number}")
        return math.exp(model.gauss(0, self.noise.model) + mac.gauss(0, self.noise.mac))

    @property
    def machines(self) -> int:
        return len({run.mac for run in self.runs})

    def truth(self) -> dict[str, Any]:
        """Everything planted, as data for a file beside a server."""
        return {
            "about": f"None of these Macs exists. {self.about}".strip(),
            "name": self.name,
            "seed": self.seed,
            "runs": len(self.runs),
            "machines": self.machines,
            "noise": vars(self.noise),
            "effects": [vars(effect) for effect in self.effects],
            "lots": [
                {
                    "name": lot.name,
                    "macs": [self.machine(lot.name, lot.first + n) for n in range(lot.macs)],
                    "has": lot.values(0),
                    "later": lot.later,
                    "suites": lot.suites,
                    "runs": lot.runs,
                }
                for lot in self.lots
            ],
        }
