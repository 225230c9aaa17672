"""What a run document states of a machine, its environment and its target, as words and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from macmeter import catalog
from macmeter.answers.runs import FullRun
from macmeter.figures.numbers import THIN, fixed, nominal, quantity
from macmeter.figures.words import is_macos, uncapitalised, value_text

# As an agent states them: with members that nobody knows yet.
Stated = Mapping[str, Any]

# The word for a field that isn't a dimension, or has another word there. Unknown fields are shown
# by their own name.
_NAMES = {
    "id": "ID",
    "device_id": "Device ID",
    "model_name": "Name",
    "gpu_cores": "GPU cores",
    "memory_bytes": "Memory",
    "core_tiers": "Cores",
    "os_version": "macOS",
    "os_build": "Build",
    "busy": "Busy with",
    "capacity_bytes": "Capacity",
    "free_bytes": "Free space before",
    "block_size": "Block size",
    "direct": "Direct I/O",
    "rest": "Rest between sets",
    "quiet": "Quiet phase",
    "ramp": "Loading phase",
    "loaded": "Loaded phase",
    "hold": "Steady phase",
    "interval": "Sampling interval",
    "seconds": "Time per thread",
    "qualities": "Quality of service",
    "place": "Data in",
    "output": "Output of the command",
    "warm_up": "Warm-up repetitions",
}
# Numbers that methods state in seconds, and those that stand for themselves.
_SECONDS = frozenset({"rest", "quiet", "ramp", "loaded", "hold", "interval", "seconds"})
_SEEDS = frozenset({"seed", "corpus_seed"})
_TARGET = ("storage", "encryption")
_IMAGE = {"format": "image_format", "state": "image_state"}
# Beyond these a number isn't a count but an identifier.
_MOST_COUNTED = 1e15


@dataclass(frozen=True)
class Fact:
    name: str
    value: str


@dataclass(frozen=True)
class Facts:
    title: str
    facts: tuple[Fact, ...]


def facts_of_run(run: FullRun) -> tuple[Facts, ...]:
    return (
        *facts_of_machine(run["machine"], run["environment"]),
        Facts("Target", tuple(_target(run["target"] or {}))),
        Facts("Method", tuple(_method(run))),
    )


def facts_of_machine(machine: Stated, environment: Stated) -> tuple[Facts, ...]:
    return (
        Facts("Mac", tuple(_machine(machine))),
        Facts("Environment", tuple(facts_of(environment))),
    )


def _machine(machine: Stated) -> Iterable[Fact]:
    if machine.get("unspecified"):
        return [Fact("Mac", "not stated by the article")]
    return facts_of({name: value for name, value in machine.items() if name != "unspecified"})


def _target(target: Stated) -> Iterable[Fact]:
    for name in _TARGET:
        if isinstance(target.get(name), str):
            yield _dimension(name, target[name])
    image = target.get("image")
    rest = {name: value for name, value in target.items() if name not in _TARGET}
    if isinstance(image, dict):
        del rest["image"]
        for name, dimension in _IMAGE.items():
            if isinstance(image.get(name), str):
                yield _dimension(dimension, image[name])
        others = {name: value for name, value in image.items() if name not in _IMAGE}
        yield from facts_of(others, ("image",))
    yield from facts_of(rest)


def _dimension(name: str, value: str) -> Fact:
    return Fact(catalog.DIMENSIONS[name].title, value_text(name, value))


def _method(run: FullRun) -> Iterable[Fact]:
    yield Fact("Method", f"{run['method']} {run['method_version']}")
    yield from facts_of(run["method_parameters"])
    for part in ("tool", "agent"):
        stated = dict(run[part] or {})
        if name := stated.pop("name", None):
            yield Fact(part.capitalize(), str(name))
        yield from facts_of(stated, (part,))
    for key, value in run["labels"].items():
        yield Fact(f"Label {key}", value)
    if run["traces"]:
        yield Fact("Traces", ", ".join(run["traces"]))


def facts_of(stated: Stated, above: tuple[str, ...] = ()) -> Iterable[Fact]:
    """An object's members, nested ones under their parent's name. What is absent is left out."""
    for name, value in stated.items():
        if value is None or value in ("", []):
            continue
        if name == "core_tiers" and isinstance(value, list):
            yield Fact(_name(name, above), "; ".join(map(_tier, value)))
        elif isinstance(value, list):
            yield Fact(_name(name, above), ", ".join(_text(name, one) for one in value))
        elif isinstance(value, dict):
            yield from facts_of(value, (*above, name))
        elif name == "os_version" and not is_macos(str(value)):
            yield Fact("System", str(value))
        else:
            yield Fact(_name(name, above), _text(name, value))


def _name(name: str, above: tuple[str, ...]) -> str:
    found = catalog.DIMENSIONS.get(name)
    known = _NAMES.get(name) or (found and found.title)
    told = known or name.replace("_", " ").removesuffix(" bytes")
    if above:
        told = f"{' '.join(part.replace('_', ' ') for part in above)}: {uncapitalised(told)}"
    return told if known and not above else told[:1].upper() + told[1:]


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return _number(name, value)
    return value_text(name, value) if name in catalog.DIMENSIONS else str(value)


def _number(name: str, value: float) -> str:
    # Memory and blocks come in powers of two, disks in powers of ten.
    if name == "memory_bytes":
        # What a virtual machine or a Linux kernel leaves of it isn't a round number.
        return f"{round(value / 2**30, 1):.10g}{THIN}GiB"
    if name == "block_size" and value % 2**20 == 0:
        return f"{value / 2**20:.10g}{THIN}MiB"
    if name.endswith("_bytes") or name == "block_size":
        return nominal(value, "B")
    if name == "link_speed":
        return nominal(value, "bit/s")
    if name.endswith("frequency"):
        return quantity(value, "Hz")
    if name in _SECONDS:
        return nominal(value, "s")
    if name in _SEEDS:
        return f"{value}"
    whole = float(value).is_integer() and abs(value) < _MOST_COUNTED
    return fixed(value, 0) if whole else f"{value}"


def _tier(tier: Any) -> str:
    """ "10 Performance, up to 4.51 GHz, in clusters of 5 and 5"."""
    if not isinstance(tier, dict):
        return str(tier)
    parts = [f"{tier.get('cores', '?')} {tier.get('name', '')}"]
    clusters, fastest = tier.get("clusters"), tier.get("max_frequency")
    if isinstance(fastest, (int, float)):
        parts.append(f"up to {quantity(fastest, 'Hz')}")
    if isinstance(clusters, list) and len(clusters) > 1:
        parts.append(f"in clusters of {' and '.join(map(str, clusters))}")
    return ", ".join(parts)
