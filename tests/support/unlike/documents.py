"""An invented Mac's measurements, as the agent writes them: `macmeter.run/1`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from support.unlike import speeds
from support.unlike.design import COMPRESSION, CORES, DISK, HASH, Design, Run

Json = dict[str, Any]
SETS = 2
MARK = {"synthetic": "unlike"}
_LINKS = {
    **dict.fromkeys(("thunderbolt3", "thunderbolt4", "usb4"), 40e9),
    "thunderbolt5": 80e9,
    "usb3": 10e9,
}
_TIERS = ("Performance", "Efficiency")
_OF_TARGET = ("device", "via", "enclosure", "simultaneous", "file_system")


def documents(design: Design) -> Iterator[Json]:
    """All documents of a fleet in order of time; each is marked synthetic by a label."""
    return map(document, design.runs)


def document(run: Run) -> Json:
    """Document of one run."""
    chance = Random(run.id)
    result = _SUITES[run.suite](run, chance)
    labels = {
        name.removeprefix("label:"): value
        for name, value in run.values.items()
        if name.startswith("label:")
    }
    content = {
        "schema": "macmeter.run/1",
        "id": run.id,
        "suite": run.suite,
        "source": "measured",
        "state": "incomplete" if run.is_cut else "complete",
        "started_at": f"{run.at:%Y-%m-%dT%H:%M:%SZ}",
        "finished_at": f"{run.at + timedelta(minutes=2):%Y-%m-%dT%H:%M:%SZ}",
        "agent": {"version": run.values["agent_version"], "platform": "macos-arm64"},
        "machine": _machine(run),
        "environment": _environment(run),
        "labels": MARK | labels,
        **result,
    }
    if warnings := _warnings(run, result):
        content["warnings"] = warnings
    return content


def _machine(run: Run) -> Json:
    values = run.values
    chip = str(values["chip"])
    model = values.get("model") or f"Mac of {chip.removeprefix('Apple ')}"
    facts: Json = {"id": run.mac, "model": model, "model_name": model, "memory_bytes": 16 << 30}
    if run.host is not None:
        tiers = [{"name": "Standard", "cores": values["vcpus"]}]
        return facts | {"chip": f"{chip} (Virtual)", "core_tiers": tiers}
    counts = zip(_TIERS, speeds.cores(values), strict=True)
    tiers = [{"name": name, "cores": cores} for name, cores in counts]
    return facts | {"chip": chip, "core_tiers": tiers}


def _environment(run: Run) -> Json:
    facts: Json = {
        name: run.values[name] for name in ("os_version", "power_source", "power_mode")
    } | {"thermal_state": "nominal"}
    if run.host is not None:
        facts["virtual_machine"] = {"vcpus": run.values["vcpus"], "host_machine_id": run.host}
    return facts


def _warnings(run: Run, result: Json) -> list[Json]:
    codes = []
    if run.values["power_source"] == "battery":
        codes.append("on_battery")
    if run.values["power_mode"] == "low":
        codes.append("low_power_mode")
    if run.host is not None:
        codes.append("host_cache_unknown" if "target" in result else "threads_are_vcpus")
    return [{"code": code} for code in codes]


def _target(run: Run) -> Json:
    values = run.values
    facts: Json = {"storage": values["storage"], "encryption": values["encryption"]}
    facts |= {name: values[name] for name in _OF_TARGET if values.get(name) is not None}
    if (link := _LINKS.get(str(values["storage"]))) is not None:
        facts["link_speed"] = link
    if values["storage"] == "disk_image":
        held_by = {"storage": "internal", "encryption": "filevault"}
        state = values.get("image_state", "new")
        facts["image"] = {"format": values["image_format"], "state": state, "host": held_by}
    elif run.host is None:
        key = f"{run.mac}/{values.get('device', values['storage'])}"
        facts["device_id"] = hashlib.sha256(key.encode()).hexdigest()[:16]
    return facts


class _Series:
    """Samples around the true values of a run's Mac."""

    def __init__(self, run: Run, chance: Random, sets: int) -> None:
        self._run, self._chance, self._sets = run, chance, sets
        self.found: list[Json] = []

    def add(self, metric: str, **parameters: Any) -> None:
        run, is_time = self._run, metric.endswith(".duration")
        true_value = run.true(metric, **parameters)
        middle = true_value / run.factor if is_time else true_value * run.factor
        sigma = run.design.noise.sample
        values = [middle * self._chance.lognormvariate(0, sigma) for _ in range(self._sets)]
        entry: Json = {"metric": metric}
        if parameters:
            entry["parameters"] = parameters
        self.found.append(
            entry | {"values": values if is_time else [round(value) for value in values]}
        )


def _disk(run: Run, chance: Random) -> Json:
    series = _Series(run, chance, SETS)
    for name in ("write", "read", "write_flushed"):
        series.add(f"disk.{name}_average")
    for name in ("write", "read"):
        for size in speeds.FILE_SIZES:
            series.add(f"disk.{name}_speed", file_size=size)
    parameters = {"sets": SETS, "seed": chance.randrange(10**6), "block_size": 1 << 20}
    method = {"name": "graded-files", "version": 1, "parameters": parameters}
    return {"method": method, "target": _target(run), "series": series.found}


def _hash(run: Run, chance: Random) -> Json:
    series = _Series(run, chance, 3)
    for metric in ("hash.sha256_speed", "disk.stream_read_speed", "hash.sha256_memory_speed"):
        series.add(metric, file_size=speeds.STREAM)
    method = {"name": "stream-sha256", "version": 1, "parameters": {"passes": 3}}
    return {"method": method, "target": _target(run), "series": series.found}


def _context(run: Run, threads: int, qos: str) -> str:
    """The cores that this many threads are assumed to run on, as the agent names them."""
    if run.host is not None:
        return "Standard/background" if qos == "background" else "Standard/high"
    if qos == "background":
        return f"{_TIERS[1]}/background"
    fits = threads <= speeds.cores(run.values)[0]
    return f"{_TIERS[0] if fits else '+'.join(_TIERS)}/high"


def _compression(run: Run, chance: Random) -> Json:
    """Compression in memory. Its two metrics are derived from the same time."""
    series = _Series(run, chance, 1)
    qos = "user-interactive"
    for threads in range(1, sum(speeds.cores(run.values)) + 1):
        context = _context(run, threads, qos)
        for name in ("duration", "speed"):
            series.add(
                f"compression.{name}",
                threads=threads,
                qos=qos,
                core_context=context,
                file_size=speeds.CORPUS,
            )
        (time,) = series.found[-2]["values"]
        series.found[-1]["values"] = [round(speeds.CORPUS / time)]
    parameters = {"place": "memory", "algorithm": "lzfse", "corpus_bytes": speeds.CORPUS}
    return {
        "method": {"name": "thread-sweep", "version": 1, "parameters": parameters},
        "series": series.found,
    }


def _cores(run: Run, chance: Random) -> Json:
    series = _Series(run, chance, 2)
    fastest, slower = speeds.cores(run.values)
    high = sorted({1, fastest, fastest + slower})
    counts = {"user-interactive": high, "background": sorted({1, slower or fastest})}
    for kernel in speeds.KERNELS:
        for qos, thread_counts in counts.items():
            for threads in thread_counts:
                context = _context(run, threads, qos)
                series.add(
                    "cores.loop_rate",
                    kernel=kernel,
                    threads=threads,
                    core_context=context,
                    qos=qos,
                )
    parameters = {"kernels": ",".join(speeds.KERNELS), "seconds": 2.5}
    return {
        "method": {"name": "in-core", "version": 1, "parameters": parameters},
        "series": series.found,
    }


_SUITES = {DISK: _disk, HASH: _hash, COMPRESSION: _compression, CORES: _cores}
