"""A planned run as the agent would have written it: `macmeter.run/1`, the same keys and methods.

With less `noise` the same document says what is true of the machine, or of all of its kind: the
truth that figures are checked against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from macmeter import Json

from demo import laws
from demo.dice import Dice, Noise, context, series
from demo.disk import graded, hash_run, latency, quick, simultaneous, sustained
from demo.fleet import Planned
from demo.power import Sweep, power_parts
from demo.threads import compression, cores

REPETITIONS = 5


def document(run: Planned, noise: Noise = Noise.MEASURED) -> Json:
    """The document of a run."""
    result = _KINDS[run.kind](run, Dice(run, noise))
    seconds = result.pop("seconds")
    content: Json = {
        "schema": "macmeter.run/1",
        "id": run.id,
        "suite": result.pop("suite"),
        "source": result.pop("source", "measured"),
        "state": "incomplete" if run.fault == "cut" else "complete",
        "method": {
            "name": result.pop("method"),
            "version": result.pop("version", 1),
            "parameters": result.pop("parameters"),
        },
        "started_at": _time(run.at),
        "finished_at": _time(run.at + timedelta(seconds=seconds)),
        "agent": {"version": "0.1.0", "platform": "macos-arm64"},
        "machine": _machine(run),
        "environment": result.pop("environment", None) or _environment(run),
    }
    if not content["method"]["parameters"]:
        del content["method"]["parameters"]
    content |= result
    warnings = [*_preflight(run, result), *result.get("warnings", [])]
    content.pop("warnings", None)
    if warnings:
        content["warnings"] = warnings
    return content


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _machine(run: Planned) -> Json:
    mac = run.mac
    identifier, name, _ = mac.model
    if mac.host is not None:
        return {
            "id": mac.id,
            "model": identifier,
            "model_name": name,
            "chip": f"{mac.chip.name} (Virtual)",
            "memory_bytes": 16 << 30,
            "core_tiers": [{"name": "Standard", "cores": mac.vcpus}],
        }
    return {
        "id": mac.id,
        "model": identifier,
        "model_name": name,
        "chip": mac.chip.name,
        "gpu_cores": mac.chip.gpu_cores,
        "memory_bytes": mac.chip.memory,
        "core_tiers": [
            {
                "name": tier.name,
                "cores": tier.cores,
                "clusters": list(tier.clusters),
                "min_frequency": tier.low,
                "max_frequency": tier.high,
            }
            for tier in mac.chip.tiers
        ],
    }


def _environment(run: Planned) -> Json:
    mac = run.mac
    version = mac.os_version(run.week)
    environment: Json = {
        "os_version": version,
        "os_build": laws.OS_BUILDS[version],
        "power_source": "battery" if _on_battery(run) else "ac",
        "power_mode": run.mode,
        "thermal_state": "nominal",
        "busy": ["indexing"] if _busy(run) else [],
    }
    if mac.host is not None:
        virtual: Json = {"vcpus": mac.vcpus, "memory_bytes": 16 << 30, "software": "Viable"}
        if mac.host_known:
            virtual["host_machine_id"] = mac.host.id
        environment["virtual_machine"] = virtual
    return environment


def _on_battery(run: Planned) -> bool:
    return run.mac.model[2] and run.kind == "graded" and run.ordinal % 17 == 3


def _busy(run: Planned) -> bool:
    return run.kind == "graded" and (run.mac.index + run.ordinal) % 29 == 5


def _preflight(run: Planned, result: Json) -> list[Json]:
    warnings: list[Json] = []
    if result.get("source") == "imported":
        return warnings
    if _busy(run):
        warnings.append({"code": "busy_system", "detail": "indexing"})
    if _on_battery(run):
        warnings.append({"code": "on_battery"})
    if run.mode == "low":
        warnings.append({"code": "low_power_mode"})
    if run.mac.host is not None and "target" in result:
        warnings.append({"code": "host_cache_unknown"})
    return warnings


def _power(run: Planned, dice: Dice) -> Json:
    """Use few threads on most machines: a whole sweep has a long trace."""
    chip = run.mac.chip
    most = chip.cores if run.detail["whole"] else min(3, chip.tiers[0].cores)

    sweep = Sweep(chip, run.mode, most, partial(context, run))
    parts = power_parts(sweep, dice.about, dice.cpu)
    return {"suite": "power", "method": "sampled", **parts}


def _workload(run: Planned, dice: Dice) -> Json:
    iops = run.mac.iops
    wall = laws.build_seconds(run.mac.chip, iops) / dice.cpu
    times = dice.several(wall, REPETITIONS, 0.015)
    name = laws.PLAIN_WORKLOAD if iops is None else laws.WORKLOAD
    positions = list(range(1, REPETITIONS + 1))

    def metric_series(metric: str, values: Sequence[float]) -> Json:
        return series(f"workload.{metric}", values, positions, test=name)

    memory = [round(value) for value in dice.several(2.4e9, REPETITIONS, 0.01)]
    result: Json = {
        "suite": "workload",
        "method": "repeat-command",
        "parameters": {
            "repetitions": REPETITIONS,
            "warm_up": 1,
            "cache": "kept",
            "output": "discarded",
        },
        "series": [
            metric_series("duration", [round(time, 6) for time in times]),
            metric_series("user_time", [round(time * 4.1, 6) for time in times]),
            metric_series("system_time", [round(time * 0.6, 6) for time in times]),
            metric_series("peak_memory", memory),
        ],
        "seconds": round(wall * (REPETITIONS + 1)),
    }
    if iops is not None:
        result["labels"] = {"iops": iops}
    return result


def _score(run: Planned, dice: Dice) -> Json:
    """Imported Geekbench scores; the file says what was measured, and little more."""
    version = run.mac.os_version(run.week)

    def points(test: str) -> int:
        return round(dice.about(laws.score(run.mac.chip, test) * dice.cpu))

    return {
        "suite": "score",
        "source": "imported",
        "method": "geekbench-6",
        "parameters": {},
        "tool": {"name": "Geekbench", "version": "6.5.0"},
        "environment": {"os_version": version, "os_build": laws.OS_BUILDS[version]},
        "series": [series("score.value", [points(test)], test=test) for test in laws.SCORES],
        "seconds": 0,
    }


_KINDS: dict[str, Callable[[Planned, Dice], Json]] = {
    "graded": graded,
    "quick": quick,
    "simultaneous": simultaneous,
    "sustained": sustained,
    "latency": latency,
    "hash": hash_run,
    "compression": compression,
    "cores": cores,
    "power": _power,
    "workload": _workload,
    "score": _score,
}
