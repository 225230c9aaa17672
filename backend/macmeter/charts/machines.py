"""Machines as text: stated properties of them and their runs, and their percentiles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from macmeter import catalog
from macmeter.catalog import Better
from macmeter.charts import numbers, words
from macmeter.charts.figure import with_fields
from macmeter.charts.ranks import comparison
from macmeter.charts.strips import Strip, strip_of
from macmeter.platform.schema import Exact, exact
from macmeter.schemas.hardware import Other
from macmeter.schemas.machines import (
    CohortFigures,
    Machine,
    MachinePage,
    MachineSummary,
    Place,
    Placed,
)
from macmeter.schemas.runs import FullRun

# Properties from an agent, including unknown ones.
Stated = Mapping[str, Any]

# Names of fields that aren't dimensions or are named differently there. Unknown fields are shown by
# their own name.
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
# Methods' numbers in seconds, and numbers shown unformatted.
_SECONDS = frozenset({"rest", "quiet", "ramp", "loaded", "hold", "interval", "seconds"})
_SEEDS = frozenset({"seed", "corpus_seed"})
_TARGET = ("storage", "encryption")
_IMAGE = {"format": "image_format", "state": "image_state"}
# Larger numbers are identifiers rather than counts.
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
    stated = target.get("image")
    image = stated if isinstance(stated, dict) else {}
    members = {name: target.get(name) for name in _TARGET}
    members |= {dimension: image.get(name) for name, dimension in _IMAGE.items()}
    yield from facts_of({name: value for name, value in members.items() if isinstance(value, str)})
    others = {name: value for name, value in image.items() if name not in _IMAGE}
    yield from facts_of(others, ("image",))
    handled = _TARGET if stated is not image else (*_TARGET, "image")
    yield from facts_of({name: value for name, value in target.items() if name not in handled})


def _method(run: FullRun) -> Iterable[Fact]:
    yield Fact("Method", run["stated_method"])
    counted = f"{run['method']} {run['method_version']}"
    if counted != run["stated_method"]:
        yield Fact("Counts with", counted)
    yield from facts_of(run["method_parameters"])
    for program in ("tool", "agent"):
        stated = dict(run[program] or {})
        if name := stated.pop("name", None):
            yield Fact(program.capitalize(), str(name))
        yield from facts_of(stated, (program,))
    for key, value in run["labels"].items():
        yield Fact(f"Label {key}", value)
    if run["traces"]:
        yield Fact("Traces", ", ".join(run["traces"]))


def facts_of(stated: Stated, parents: tuple[str, ...] = ()) -> Iterable[Fact]:
    """Yield an object's members, nested ones under their parent's name, skipping absent ones."""
    for name, value in stated.items():
        if value is None or value in ("", []):
            continue
        if name == "core_tiers" and isinstance(value, list):
            yield Fact(_name(name, parents), "; ".join(map(_tier, value)))
        elif isinstance(value, list):
            yield Fact(_name(name, parents), ", ".join(_text(name, item) for item in value))
        elif isinstance(value, dict):
            yield from facts_of(value, (*parents, name))
        elif name == "os_version" and not words.is_macos(str(value)):
            yield Fact("System", str(value))
        else:
            yield Fact(_name(name, parents), _text(name, value))


def _name(name: str, parents: tuple[str, ...]) -> str:
    dimension = catalog.DIMENSIONS.get(name)
    title = _NAMES.get(name) or (dimension and dimension.title)
    text = title or name.replace("_", " ").removesuffix(" bytes")
    if parents:
        text = f"{' '.join(key.replace('_', ' ') for key in parents)}: {words.uncapitalised(text)}"
    return text if title and not parents else text[:1].upper() + text[1:]


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return _number(name, value)
    return words.value_text(name, value) if name in catalog.DIMENSIONS else str(value)


def _number(name: str, value: float) -> str:
    # Memory and blocks come in powers of two, disks in powers of ten.
    if name == "memory_bytes":
        # Part of the memory is reserved in VMs and by the Linux kernel, so it isn't a round number.
        return f"{round(value / 2**30, 1):.10g}{numbers.THIN}GiB"
    if name == "block_size" and value % 2**20 == 0:
        return f"{value / 2**20:.10g}{numbers.THIN}MiB"
    if name.endswith("_bytes") or name == "block_size":
        return numbers.nominal(value, "B")
    if name == "link_speed":
        return numbers.nominal(value, "bit/s")
    if name.endswith("frequency"):
        return numbers.quantity(value, "Hz")
    if name in _SECONDS:
        return numbers.nominal(value, "s")
    if name in _SEEDS:
        return f"{value}"
    whole = float(value).is_integer() and abs(value) < _MOST_COUNTED
    return numbers.fixed(value, 0) if whole else f"{value}"


def _tier(tier: Any) -> str:
    """Format "10 Performance, up to 4.51 GHz, in clusters of 5 and 5"."""
    if not isinstance(tier, dict):
        return str(tier)
    parts = [f"{tier.get('cores', '?')} {tier.get('name', '')}"]
    clusters, fastest = tier.get("clusters"), tier.get("max_frequency")
    if isinstance(fastest, (int, float)):
        parts.append(f"up to {numbers.quantity(fastest, 'Hz')}")
    if isinstance(clusters, list) and len(clusters) > 1:
        parts.append(f"in clusters of {' and '.join(map(str, clusters))}")
    return ", ".join(parts)


@dataclass(frozen=True)
class MachineWords:
    title: str
    system: str
    suites: tuple[str, ...]


@dataclass(frozen=True)
class MachineDetailWords(MachineWords):
    """`measured` names each metric with each set of its parameters, in the machine's order."""

    facts: tuple[Facts, ...]
    measured: tuple[tuple[str, ...], ...]


class ListedMachine(MachineSummary):
    words: MachineWords


class Machines(Exact):
    items: list[ListedMachine]
    total: int
    next: str | None


class MachineDetail(Machine):
    """`machine` and `environment` as its agent last sent them."""

    words: MachineDetailWords


def render_machines(page: MachinePage) -> Machines:
    """Add texts to a page of machines."""
    items: list[ListedMachine] = [
        {**machine, "words": _words_of(machine)} for machine in page["items"]
    ]
    return {"items": items, "total": page["total"], "next": page["next"]}


def render_machine(machine: Machine) -> MachineDetail:
    """Add all texts to a machine."""
    detail = MachineDetailWords(
        **vars(_words_of(machine)),
        facts=facts_of_machine(machine["machine"], machine["environment"]),
        measured=tuple(
            tuple(words.result_name(row["title"], parameters) for parameters in row["parameters"])
            for row in machine["measured"]
        ),
    )
    return {**machine, "words": detail}


def _words_of(machine: MachineSummary | Machine) -> MachineWords:
    return MachineWords(
        title=words.machine_title(machine),
        system=words.system_text(machine["os_version"]) if machine["os_version"] else "",
        suites=tuple(words.value_text("suite", suite) for suite in machine["suites"]),
    )


_COHORT_FIGURES = ("min", "p25", "median", "p75", "max")


@dataclass(frozen=True)
class PlaceWords:
    """Text of a percentile; without a percentile only `text`, and no chart."""

    text: str
    lead: str = ""
    """Emphasised text before `text`."""
    note: str = ""
    alternative: str = ""
    """Text alternative of a chart of the `cohort`."""
    beside: str = ""
    """The machine's own figure, in the unit of the `cohort`."""
    cohort: dict[str, str] | None = None
    strip: Strip | None = None


@exact
@dataclass(frozen=True, slots=True, kw_only=True)
class Percentile(Placed):
    """`machines` counts the others; below `minimum` there is no percentile and no chart."""

    words: PlaceWords


def render_percentile(placed: Placed) -> Percentile:
    return with_fields(Percentile, placed, words=_percentile(placed))


def _percentile(placed: Placed) -> PlaceWords:
    if placed.place is None or placed.cohort is None:
        return PlaceWords(_too_few(placed))
    lead, text = _percentile_text(placed, placed.place)
    whose = "The Mac of this run" if placed.run_id else "This Mac itself"
    return PlaceWords(
        text,
        lead,
        f"Each Mac counts once, by {placed.method} {placed.method_version}. {whose} is not counted."
        f"{_basis(placed)}",
        *_chart_texts(placed, placed.cohort),
        strip_of(placed.value, [*map(Other, placed.others)], placed.unit, placed.better),
    )


def _basis(placed: Placed) -> str:
    """Describe the basis of its figure, if it isn't all of its runs."""
    if placed.usual is None or placed.all_runs in (None, placed.runs):
        return ""
    on = f" on macOS {placed.os_version}" if placed.os_version else ""
    return (
        f" Its own figure is that of its latest {numbers.counted(placed.runs, 'run')}{on};"
        f" the median of all {numbers.fixed(placed.all_runs, 0)} is"
        f" {numbers.quantity(placed.usual, placed.unit)}."
    )


def _too_few(placed: Placed) -> str:
    others = (
        f"Only {numbers.counted(placed.machines, 'similar Mac')}"
        if placed.machines
        else "No similar Macs"
    )
    method = f"{'published, ' * placed.published}{placed.method} {placed.method_version}"
    return (
        f"{others} so far; a percentile needs {numbers.fixed(placed.minimum, 0)}."
        f" This {_subject(placed)}’s own median is"
        f" {numbers.quantity(placed.value, placed.unit)} ({method}).{_basis(placed)}"
    )


def _percentile_text(placed: Placed, place: Place) -> tuple[str, str]:
    sides = _sides(placed)
    count = f"{numbers.fixed(placed.machines, 0)} other Macs"
    if place.better_than == 0 and place.equal_to:
        lead = f"{sides[0]} none of {count}"
    else:
        lead = comparison(place.better_than / placed.machines, count, sides)
    by_size = " by size" if placed.better is Better.NONE else ""
    equal = f", equal to {numbers.fixed(place.equal_to, 0)}" if place.equal_to else ""
    value = numbers.quantity(placed.value, placed.unit)
    # There is no 0th percentile, nor a 100th.
    low, middle, high = (
        numbers.ordinal(min(max(share, 1), 99))
        for share in (place.ci_low, place.percentile, place.ci_high)
    )
    at = f" of {value} is at the {middle} percentile{by_size} (95%: {low} to {high})"
    if place.percentile in (0, 100):
        range_text = f"up to the {high}" if place.percentile == 0 else f"from the {low}"
        at = f" is {value} (95%: {range_text} percentile{by_size})"
    return f"{lead[0].upper()}{lead[1:]}", f"{equal}. Its median{at}."


def _sides(placed: Placed) -> tuple[str, str]:
    """Return the words for what is better, and for what is worse."""
    if placed.better is Better.NONE:
        return "above", "below"
    if numbers.is_speed(placed.unit):
        return "faster than", "slower than"
    return "better than", "worse than"


def _chart_texts(placed: Placed, cohort: CohortFigures) -> tuple[str, str, dict[str, str]]:
    scale = numbers.scale_for(placed.unit, [max(placed.value, cohort.max)])

    def formatted(value: float) -> str:
        return numbers.with_unit(numbers.in_unit(value, scale), scale.symbol)

    text, ends = (
        formatted(placed.value),
        {name: formatted(getattr(cohort, name)) for name in _COHORT_FIGURES},
    )
    alternative = (
        f"Chart: this {_subject(placed)}, {text}, among Macs from {ends['min']} to {ends['max']},"
        f" half of them from {ends['p25']} to {ends['p75']}, median {ends['median']}."
    )
    return alternative, text, ends


def _subject(placed: Placed) -> str:
    return "run" if placed.run_id else "Mac"
