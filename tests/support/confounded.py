"""Designs of two sides that differ in more than what is compared, and what their ratios say."""

from __future__ import annotations

import math
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from macmeter.questions.like_with_like import LikeRatio, ratio_of_like
from macmeter.questions.relative import described_like
from macmeter.results.dataset.snapshot import Series

from support.made_up import groups, run, snapshot_of

_METRIC = "disk.write_average"
_SIMULATION = "simulation"
# Simulations per snapshot: each needs two groups, and an answer limits their number.
_TOGETHER = 500
# Factor of each value of a dimension on speed: large enough to hide any effect.
_CHIPS = {"Apple M1": 1.0, "Apple M2": 1.3, "Apple M3": 1.6, "Apple M4": 2.0}
_MACOS = {"26.1": 1.0, "26.2": 0.95, "26.3": 1.0, "26.4": 0.9, "26.5": 1.1}
_MONTHS = {"2026-06": 1.0, "2026-09": 1.0, "2026-11": 0.95}
PLAIN, ENCRYPTED = "none", "apfs_encrypted"


@dataclass(frozen=True)
class Measured:
    """One run of a machine on a side: what it states, and the factor of that on its speed."""

    machine: int
    is_encrypted: bool
    states: dict[str, Any] = field(default_factory=dict)
    month: str = "2026-06"
    times: float = 1.0


Design = Callable[[np.random.Generator], list[Measured]]


@dataclass(frozen=True)
class Outcome:
    """The result of one simulation; `crude` is the plain ratio of the medians."""

    found: LikeRatio
    verdict: str
    crude_verdict: str

    def covers(self, truth: float) -> bool | None:
        """Return whether the interval contains `truth`; None without an interval."""
        interval = self.found.ratio.interval
        return None if interval is None else interval.low <= truth <= interval.high

    @property
    def width(self) -> float | None:
        interval = self.found.ratio.interval
        return None if interval is None else math.log(interval.high / interval.low)


def of(chip: str, count: int, start: int, *, encrypted: bool, **more: Any) -> list[Measured]:
    """That many machines of a chip, numbered from `start`."""
    states = {"chip": chip, **more.pop("states", {})}
    times = _CHIPS[chip] * more.pop("times", 1.0)
    return [
        Measured(start + number, encrypted, states, times=times, **more) for number in range(count)
    ]


def mixed(random: np.random.Generator) -> list[Measured]:
    """Both chips on both sides, but 25 + 5 plain against 5 + 25 encrypted."""
    m1, m4 = "Apple M1", "Apple M4"
    return [
        *of(m1, 25, 0, encrypted=False),
        *of(m4, 5, 25, encrypted=False),
        *of(m1, 5, 30, encrypted=True),
        *of(m4, 25, 35, encrypted=True),
    ]


def apart(random: np.random.Generator) -> list[Measured]:
    """Encrypted only on M4, plain only on M1."""
    return [
        *of("Apple M1", 12, 0, encrypted=False),
        *of("Apple M4", 12, 12, encrypted=True),
    ]


def apart_in_macos(random: np.random.Generator) -> list[Measured]:
    """Same chips, but all encrypted on a newer macOS."""
    return [
        machine
        for index, (chip, encrypted) in enumerate(
            (chip, encrypted) for chip in ("Apple M1", "Apple M4") for encrypted in (False, True)
        )
        for machine in of(
            chip,
            10,
            10 * index,
            encrypted=encrypted,
            states={"os_version": "26.5" if encrypted else "26.4"},
            times=_MACOS["26.5" if encrypted else "26.4"],
        )
    ]


def apart_in_time(random: np.random.Generator) -> list[Measured]:
    """The same Macs: plain in June, encrypted in November."""
    return [
        Measured(number, encrypted, {"chip": "Apple M4"}, month, _MONTHS[month])
        for number in range(12)
        for encrypted, month in ((False, "2026-06"), (True, "2026-11"))
    ]


def anything(machines: int, models: int = 8, *, matters: bool = True) -> Design:
    """Machines of random kinds, equal in number and independent of the side. Unless it `matters`,
    all kinds are equally fast.
    """

    def design(random: np.random.Generator) -> list[Measured]:
        runs = []
        effects = np.exp(random.normal(0, 0.15, models))
        for number in range(2 * machines):
            chips = [*_CHIPS]
            model = int(random.integers(models))
            chip = chips[model % len(chips)]
            macos = str(random.choice([*_MACOS]))
            month = str(random.choice([*_MONTHS]))
            states = {"chip": chip, "model": f"Mac{model}", "os_version": macos}
            times = _CHIPS[chip] * _MACOS[macos] * _MONTHS[month] * effects[model] if matters else 1
            runs.append(Measured(number, number >= machines, states, month, float(times)))
        return runs

    return design


def _models(models: int, machines: int, *, shared: bool) -> Design:
    """That many models per side, with that many machines each; models differ in speed."""

    def design(random: np.random.Generator) -> list[Measured]:
        effects = np.exp(random.normal(0, 0.1, 2 * models))
        return [
            Measured(
                (side * models + model) * machines + number,
                bool(side),
                {"chip": "Apple M4", "model": f"Mac{model + (0 if shared else side * models)}"},
                times=float(effects[model + (0 if shared else side * models)]),
            )
            for side in (0, 1)
            for model in range(models)
            for number in range(machines)
        ]

    return design


def alike(machines: int) -> Design:
    """That many machines per side, all of one kind."""

    def design(random: np.random.Generator) -> list[Measured]:
        return [
            Measured(number, number >= machines, {"chip": "Apple M4"})
            for number in range(2 * machines)
        ]

    return design


def _strata(*sizes: tuple[int, int]) -> Design:
    """That many plain and encrypted machines of each of several chips."""

    def design(random: np.random.Generator) -> list[Measured]:
        runs: list[Measured] = []
        for chip, (plain, encrypted) in zip(_CHIPS, sizes, strict=False):
            for count, is_encrypted in ((plain, False), (encrypted, True)):
                runs += of(chip, count, len(runs), encrypted=is_encrypted)
        return runs

    return design


@dataclass(frozen=True)
class Case:
    """A design; the dimensions that must be named, and whether the interval must cover."""

    design: Design
    named: frozenset[str] = frozenset()
    covers: bool = True
    independent: int = 0
    """Machines on the smaller side."""


CASES: dict[str, Case] = {
    "alike, 6 + 6": Case(alike(6), independent=6),
    "alike, 12 + 12": Case(alike(12), independent=12),
    "25 + 5 against 5 + 25": Case(mixed, independent=30),
    "3 + 3 in 4 chips": Case(_strata((3, 3), (3, 3), (3, 3), (3, 3)), independent=12),
    "6 + 2 and 2 + 6": Case(_strata((6, 2), (2, 6)), independent=8),
    "40 + 40 in 3 chips": Case(_strata((40, 40), (40, 40), (40, 40)), independent=120),
    "nothing confounded, 8 a side": Case(anything(8), independent=8),
    "nothing confounded, 12 a side": Case(anything(12), independent=12),
    "nothing confounded, 40 a side": Case(anything(40), independent=40),
    "nothing confounded, 200 a side": Case(anything(200), independent=200),
    "4 models x 3, the same": Case(_models(4, 3, shared=True), independent=12),
    "4 models x 3, others": Case(_models(4, 3, shared=False), frozenset({"model"}), covers=False),
    "all M4 against all M1": Case(apart, frozenset({"chip"}), covers=False),
    "macOS in shared chips": Case(apart_in_macos, frozenset({"os_version"}), covers=False),
    "June against November": Case(apart_in_time, frozenset({"month"}), covers=False),
}


def outcomes(
    design: Design, simulations: int, seed: int, ratio: float = 0.9, noise: float = 0.05
) -> Iterator[Outcome]:
    """Compare encrypted with plain, planted `ratio` apart; `noise` is between machines of one kind,
    a tenth of it between a machine's runs.
    """
    random = np.random.default_rng(seed)
    for first in range(0, simulations, _TOGETHER):
        yield from _together(design, min(_TOGETHER, simulations - first), random, ratio, noise)


def _together(
    design: Design, simulations: int, random: np.random.Generator, ratio: float, noise: float
) -> Iterator[Outcome]:
    runs = []
    for number in range(simulations):
        factors: dict[int, float] = {}
        ids: dict[int, uuid.UUID] = {}
        for item in design(random):
            if item.machine not in ids:
                ids[item.machine] = uuid.UUID(bytes=random.bytes(16))
                factors[item.machine] = random.normal(0, noise)
            log = factors[item.machine] + random.normal(0, noise / 10)
            value = 3e9 * item.times * math.exp(log) * (ratio if item.is_encrypted else 1)
            states = {
                "encryption": ENCRYPTED if item.is_encrypted else PLAIN,
                "labels": {_SIMULATION: str(number)},
                **item.states,
            }
            run_id = uuid.UUID(bytes=random.bytes(16))
            runs.append(run(ids[item.machine], run_id, {1: [value]}, month=item.month, **states))
    label = f"label:{_SIMULATION}"
    data = snapshot_of({1: Series(_METRIC, {})}, runs)
    by_key = {key.by: group for key, group in groups(data, _METRIC, ("encryption", label)).items()}
    for number in range(simulations):
        encrypted, plain = (by_key[kind, str(number)] for kind in (ENCRYPTED, PLAIN))
        ratio_found = ratio_of_like(encrypted, plain, "machine", {"encryption"})
        described = described_like(ratio_found)[0]
        crude = described.get("crude", described)
        yield Outcome(ratio_found, described["verdict"]["answer"], crude["verdict"]["answer"])


@dataclass(frozen=True)
class Counters:
    covered: float
    """Share of the simulations with an interval whose interval contains the truth."""
    withheld: float
    width: float
    """Median width of the interval, as a logarithm."""
    right_sign: float
    verdicts: Counter[str]
    crude_verdicts: Counter[str]
    named: Counter[str]


def tally(design: Design, simulations: int, seed: int, ratio: float = 0.9, **more: Any) -> Counters:
    all_outcomes = [*outcomes(design, simulations, seed, ratio, **more)]
    covered = [covers for outcome in all_outcomes if (covers := outcome.covers(ratio)) is not None]
    widths = [width for outcome in all_outcomes if (width := outcome.width) is not None]
    signs = [(outcome.found.ratio.value < 1) == (ratio < 1) for outcome in all_outcomes]
    return Counters(
        covered=float(np.mean(covered)) if covered else math.nan,
        withheld=1 - len(covered) / simulations,
        width=float(np.median(widths)) if widths else math.nan,
        right_sign=float(np.mean(signs)),
        verdicts=Counter(outcome.verdict for outcome in all_outcomes),
        crude_verdicts=Counter(outcome.crude_verdict for outcome in all_outcomes),
        named=Counter(name for outcome in all_outcomes for name in outcome.found.unlike),
    )
