"""Content of a `sampled` run: phases of threads, and tables of readings over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from macmeter import Json

from demo import laws
from demo.dice import series
from demo.silicon import Chip, Tier

About = Callable[[float, float], float]

INTERVAL = 0.1
QUIET, RAMP, LOADED = 5.0, 1.0, 5.0
KERNEL, QUALITY = "fp64", "user-interactive"
# Letter of a cluster in powermetrics' output: beside Super cores, Performance cores are M.
LETTERS = {"Efficiency": "E", "Performance": "P", "Super": "P"}
BESIDE_SUPER = {"Performance": "M"}
_BUSY, _IDLE = 0.985, 0.03  # active share of the time of a busy core, and of a resting one


class Sweep(NamedTuple):
    """A run with 1 to `most` threads, each number in its core context."""

    chip: Chip
    mode: str
    most: int
    context: Callable[[int], str]


def power_parts(sweep: Sweep, about: About, cpu: float) -> Json:
    """Parameters, series, traces and seconds of a run.

    `cpu`: speed of this machine and run relative to others of their kind.
    """
    sampled = _Sampled(sweep.chip, sweep.mode, about, cpu)
    sampled.phase("quiet", 0, QUIET)
    for threads in range(1, sweep.most + 1):
        sampled.phase("loading", threads, RAMP)
        sampled.phase("loaded", threads, LOADED)
        sampled.phase("unloading", 0, RAMP)
    sampled.phase("quiet", 0, QUIET)
    return {
        "parameters": {
            "interval": INTERVAL,
            "quiet": QUIET,
            "ramp": RAMP,
            "loaded": LOADED,
            "kernel": KERNEL,
            "placement": "assumed",
        },
        "series": _series(sweep, sampled, cpu),
        "traces": sampled.traces(),
        "seconds": round(sampled.time),
    }


class _Sampled:
    """Ten samples a second, phase after phase."""

    def __init__(self, chip: Chip, mode: str, about: About, cpu: float) -> None:
        self.time = 0.0
        self.power: dict[int, list[float]] = {}
        self.frequencies: dict[tuple[str, int], list[float]] = {}
        self._chip, self._mode, self._about, self._cpu = chip, mode, about, cpu
        self._clusters = _clusters(chip)
        self._rows: dict[str, list[list[Any]]] = {"power": [], "cpu": [], "core": [], "phases": []}

    def phase(self, kind: str, threads: int, seconds: float) -> None:
        end = round(self.time + seconds, 6)
        self._rows["phases"].append([self.time, end, kind, threads])
        for _ in range(round(seconds / INTERVAL)):
            self._sample(kind, threads)
            self.time = round(self.time + INTERVAL, 6)

    def traces(self) -> list[Json]:
        columns = {
            "power": ["t", "cpu"],
            "cpu": ["t", "cluster", "frequency", "active_residency"],
            "core": ["t", "cluster", "core", "frequency", "active_residency"],
            "phases": ["t", "end", "phase", "threads"],
        }
        traces: list[Json] = [
            {"kind": kind, "interval": INTERVAL, "columns": columns[kind], "rows": rows}
            for kind, rows in self._rows.items()
        ]
        del traces[-1]["interval"]
        return traces

    def _sample(self, kind: str, threads: int) -> None:
        watts = round(self._about(laws.watts(self._chip, threads, self._mode), 0.02), 4)
        self._rows["power"].append([self.time, watts])
        if kind in ("quiet", "loaded"):
            self.power.setdefault(threads, []).append(watts)
        working = 0
        for tier, name, first, cores, before in self._clusters:
            active = max(0, min(tier.cores, threads - before))
            active_here = max(0, min(cores, active - first))
            hertz: float = float(tier.low)
            if active_here:
                frequency = laws.frequency(self._chip, tier, active, self._mode)
                hertz = round(self._about(frequency * self._cpu, 0.003) / 1e6) * 1e6
                if kind == "loaded":
                    self.frequencies.setdefault((tier.name, active), []).append(hertz)
            shares = []
            for core in range(cores):
                share = _BUSY if core < active_here else _IDLE
                share = min(1.0, max(0.0, round(self._about(share, 0.01), 4)))
                shares.append(share)
                self._rows["core"].append([self.time, name, working + core, hertz, share])
            working += cores
            self._rows["cpu"].append([self.time, name, hertz, max(shares)])


def _clusters(chip: Chip) -> list[tuple[Tier, str, int, int, int]]:
    """Tier, name, place of its first core in the tier, cores, and cores of faster tiers.

    In powermetrics' order: the lowest tier's clusters come first.
    """
    clusters: list[tuple[Tier, str, int, int, int]] = []
    has_super = chip.tiers[0].name == "Super"
    letters = LETTERS | BESIDE_SUPER if has_super else LETTERS
    before = 0
    for tier in chip.tiers:
        letter = letters[tier.name]
        first = 0
        tier_clusters = []
        for number, cores in enumerate(tier.clusters):
            name = letter if len(tier.clusters) == 1 else f"{letter}{number}"
            tier_clusters.append((tier, name, first, cores, before))
            first += cores
        clusters = tier_clusters + clusters
        before += tier.cores
    return clusters


def _series(sweep: Sweep, sampled: _Sampled, cpu: float) -> list[Json]:
    chip, mode, most, context = sweep
    shared = {"kernel": KERNEL, "qos": QUALITY}
    results = [series("power.cpu_total", sampled.power[0], threads=0)]
    means = {threads: sum(v) / len(v) for threads, v in sampled.power.items()}
    energies: list[Json] = []
    for threads in range(1, most + 1):
        parameters: Json = {**shared, "threads": threads, "core_context": context(threads)}
        results.append(series("power.cpu_total", sampled.power[threads], **parameters))
        rates = laws.loop_rates(chip, KERNEL, threads, mode, background=False)
        rate = sum(rates) / threads * cpu
        joules = means[threads] * laws.ENERGY_LOOPS / rate / threads
        parameters |= {"loops": laws.ENERGY_LOOPS}
        energies.append(series("energy.per_thread", [joules], **parameters))
    parameters = {**shared, "threads": most, "core_context": context(most)}
    results.append(series("power.cpu_max", [max(sampled.power[most])], **parameters))
    results += _slopes(chip, most, shared, means) + energies
    for (tier, active), values in sorted(sampled.frequencies.items()):
        results.append(series("cores.frequency", values, tier=tier, active_cores=active))
    return results


def _slopes(chip: Chip, most: int, shared: Json, means: dict[int, float]) -> list[Json]:
    """Power of each added thread, within the fastest tier and beyond it."""
    fastest = chip.tiers[0]
    spans = [
        (f"{fastest.name}/high", 1, min(most, fastest.cores)),
        (f"{chip.tiers[-1].name}/high", fastest.cores, most),
    ]
    results = []
    for name, first, last in spans:
        if last > first:
            slope = (means[last] - means[first]) / (last - first)
            parameters: Json = {**shared, "core_context": name}
            results.append(series("power.per_added_thread", [slope], **parameters))
    return results
