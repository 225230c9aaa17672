"""Views of traces compared with what was planted in them: V12 to V14 and V18."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import numpy as np
from demo import laws
from demo.fleet import DURING, Planned
from demo.power import BESIDE_SUPER, LETTERS
from demo.silicon import CHIPS, Chip

from support.planted import Planted
from support.views import Asking, Row

Json = dict[str, Any]

# Deviation of a point of a trace from the planted frequency, by machine and measurement.
NEAR = 0.05
# Deviation of a mean over a phase's samples, as one machine differs from others of its kind.
OF_MACHINE = 0.04
# Share of time that a working core is active, and a resting one.
BUSY, IDLE = 0.985, 0.03
RUNS = 8


def rows_of_traces(asking: Asking, planted: Planted) -> list[Row]:
    return [_residency(asking), *_phases(asking, planted), _joined(asking, planted)]


def _residency(asking: Asking) -> Row:
    """V12: every point is at one of its tier's planted frequencies, and so is the curve."""
    row = Row("V12 /power/residency", "fit=quadratic&where=power_mode:automatic")
    chips = {chip.name: chip for chip in CHIPS}
    residency = asking.get("residency", where="power_mode:automatic", fit="quadratic")
    row.fixed = "power_mode automatic; grouped by chip, tier and power_mode"
    for group in residency["groups"]:
        row.groups += 1
        chip = chips[group["key"]["chip"]]
        tier = next(candidate for candidate in chip.tiers if candidate.name == group["key"]["tier"])
        frequencies = [laws.frequency(chip, tier, n, "automatic") for n in range(1, tier.cores + 1)]
        # A resting cluster has the lowest.
        frequencies.append(float(tier.low))
        far = [f for _, f in group["points"] if min(abs(f / hz - 1) for hz in frequencies) > NEAR]
        if far:
            row.wrong.append(f"{group['key']}: {len(far)} points at no planted frequency")
        # A run with few threads leaves the lower tiers at rest.
        highest = max(frequency for _, frequency in group["points"])
        if highest > tier.low * (1 + NEAR):
            row.held(f"{group['key']} highest", max(frequencies[:-1]), highest, NEAR)
        if group["fit"] is not None and len(group["points"]) == group["samples"]:
            x, y = np.array(group["points"]).T
            fitted = np.polynomial.Polynomial.fit(x, y, 2)
            curve = np.polynomial.Polynomial(group["fit"]["coefficients"])
            for x_end in (float(x.min()), float(x.max())):
                row.held(f"{group['key']} curve", float(fitted(x_end)), float(curve(x_end)), 1e-3)
    return row


def _phases(asking: Asking, planted: Planted) -> Iterator[Row]:
    """V13: frequency and power of each loaded phase; V18: CPU use weighted by frequency."""
    trace = Row("V13 /runs", "the trace of a sampled run")
    worth = Row("V18 /runs", "% CPU beside use weighted by frequency")
    sampled = [run for run in planted.fleet.runs if run.kind == "power" and not run.fault]
    for run in sampled[:: max(1, len(sampled) // RUNS)]:
        document = asking.get(f"runs/{run.id}/document")
        traces = {trace_entry["kind"]: trace_entry for trace_entry in document["traces"]}
        for threads, start, end in _loaded(traces["phases"]):
            trace.groups += 1
            _hold_phase(trace, worth, run, threads, _within(traces, start, end))
    worth.groups = trace.groups
    for row in (trace, worth):
        row.fixed = "one run"
        if sampled and not row.groups:
            row.wrong.append("no phase is in the traces")
        yield row


def _hold_phase(trace: Row, worth: Row, run: Planned, threads: int, rows: Json) -> None:
    chip, label = run.mac.chip, f"{run.mac.chip.name} {run.mode} {threads} threads"
    watts = float(np.mean([watts for _, watts in rows["power"]]))
    trace.held(f"{label} W", laws.watts(chip, threads, run.mode), watts, OF_MACHINE)
    fastest = chip.tiers[0]
    top = _working(rows["cpu"], _letters(chip)[fastest.name])
    frequency = laws.frequency(chip, fastest, min(threads, fastest.cores), run.mode)
    trace.held(f"{label} Hz", frequency, top, OF_MACHINE)
    # As many cores are busy as there are threads, and each counts by its frequency.
    times = len({row[0] for row in rows["core"]})
    used = sum(active for *_, active in rows["core"]) / times
    trace.held(f"{label} cores", _used(chip, threads), used, OF_MACHINE)
    ceilings = _ceilings(chip)
    weighed = sum(row[4] * row[3] / ceilings[row[1][0]] for row in rows["core"]) / times
    worth.held(
        label, _weighed(chip, threads, run.mode) / _used(chip, threads), weighed / used, 0.05
    )


def _loaded(phases: Json) -> Iterator[tuple[int, float, float]]:
    for start, end, phase, threads in phases["rows"]:
        if phase == "loaded":
            yield threads, start, end


def _within(traces: Json, start: float, end: float) -> Json:
    return {
        kind: [row for row in traces[kind]["rows"] if start <= row[0] < end]
        for kind in ("power", "cpu", "core")
    }


def _working(rows: list[list[Any]], letter: str) -> float:
    """Mean frequency of the busiest of a tier's clusters."""
    hertz_by_cluster = defaultdict(list)
    for _, cluster, hertz, _ in rows:
        if cluster.startswith(letter):
            hertz_by_cluster[cluster].append(hertz)
    return max(float(np.mean(hertz)) for hertz in hertz_by_cluster.values())


def _letters(chip: Chip) -> dict[str, str]:
    """Letters with which powermetrics names the clusters of a tier."""
    return LETTERS | BESIDE_SUPER if chip.tiers[0].name == "Super" else LETTERS


def _ceilings(chip: Chip) -> dict[str, int]:
    """Highest frequency of a cluster, by its letter."""
    return {_letters(chip)[tier.name]: tier.high for tier in chip.tiers}


def _used(chip: Chip, threads: int) -> float:
    return BUSY * threads + IDLE * (chip.cores - threads)


def _weighed(chip: Chip, threads: int, mode: str) -> float:
    """Sum over the cores of active share times their cluster's share of the highest frequency."""
    total, remaining = 0.0, threads
    for tier in chip.tiers:
        busy = min(remaining, tier.cores)
        remaining -= busy
        first = 0
        for cores in tier.clusters:
            busy_here = max(0, min(cores, busy - first))
            first += cores
            hertz = laws.frequency(chip, tier, busy, mode) if busy_here else float(tier.low)
            total += (BUSY * busy_here + IDLE * (cores - busy_here)) * hertz / tier.high
    return total


def _joined(asking: Asking, planted: Planted) -> Row:
    """V14: a guest's run is in the trace of the host that it names, where it was planted."""
    row = Row("V14 /runs", "a host's trace beside a guest's run")
    row.fixed = "one guest, its host"
    sampled = {run.mac.id: run for run in planted.fleet.runs if run.kind == "power"}
    for guest in planted.fleet.runs:
        host = guest.mac.host
        if guest.kind != "compression" or host is None or host.id not in sampled:
            continue
        over = asking.get(f"runs/{sampled[host.id].id}")
        guest_run = asking.get(f"runs/{guest.id}")
        starts = [datetime.fromisoformat(run["started_at"]) for run in (over, guest_run)]
        if starts[0] < starts[1] < datetime.fromisoformat(over["finished_at"]):
            row.groups += 1
            after = (starts[1] - starts[0]).total_seconds()
            row.held(guest.id, DURING.total_seconds(), after, 0.02)
    if not row.groups and any(run.mac.host for run in planted.fleet.runs):
        row.wrong.append("no guest ran while its host was sampled")
    return row
