"""The right answers over a demo, computed from what was planted and nothing else.

Knows nothing of the server's statistics or determinants: for each planned run it has what is true
of the machine (`own`) and of all of its kind (`law`), and interprets questions as docs/api.md
describes them.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import orjson
from demo.dice import Noise
from demo.documents import document
from demo.fleet import Fleet, Planned
from demo.truth import DOUBTS, WITHDRAWN
from macmeter import catalog
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse

Json = dict[str, Any]
Group = tuple[tuple[str, Any], ...]

# Ratio above which two truths can't be of the same thing: above FileVault's 2 % and a clock's step,
# below every other planted effect.
APART = 1.05
# Pooled on purpose, so that truths differ: drives of a class, macOS versions of one chip.
POOLED = ("device", "os_version")
# Dimensions that must agree in a pair besides the parameters, unless they are compared.
ALIKE = (
    *("chip_name", "storage", "encryption", "image_format", "image_state", "via", "simultaneous"),
    *("virtual", "method", "device_id"),
)
READS = {"disk.read_average", "disk.read_speed", "disk.stream_read_speed", "hash.sha256_speed"}
# A mode changes the values of processor metrics, but not of storage metrics.
MODE_MATTERS = ("cores", "compression", "power", "energy", "workload")
# Dimensions in which a guest differs from its host, such as storage, device and encryption.
OF_GUEST = (
    *("virtual", "storage", "encryption", "device_id", "vcpus", "core_context", "image_format"),
    *("via", "os_version", "power_mode", "loops"),
)


@dataclass(frozen=True)
class Result:
    """One series of a planned run: its median without a measurement's noise."""

    run: Planned
    metric: str
    dims: Json
    own: float
    law: float


@dataclass
class Expected:
    """The expected group. `apart`: ratio of its largest and smallest truth."""

    results: list[Result] = field(default_factory=list)

    @property
    def machines(self) -> int:
        return len({r.run.mac.id for r in self.results})

    @property
    def runs(self) -> int:
        return len({r.run.id for r in self.results})

    @property
    def value(self) -> float:
        return statistics.median(self.of_machines().values())

    @property
    def law(self) -> float:
        laws_by_machine = defaultdict(list)
        for result in self.results:
            laws_by_machine[result.run.mac.id].append(result.law)
        return statistics.median(map(statistics.median, laws_by_machine.values()))

    @property
    def apart(self) -> float:
        pooled = defaultdict(list)
        for result in self.results:
            pooled[tuple(result.dims.get(name) for name in POOLED)].append(result.law)
        return max(max(laws) / min(laws) for laws in pooled.values())

    def of_machines(self) -> dict[str, float]:
        values_by_machine = defaultdict(list)
        for result in self.results:
            values_by_machine[result.run.mac.id].append(result.own)
        return {machine: statistics.median(values) for machine, values in values_by_machine.items()}


class Planted:
    """All results of a demo that are not doubtful."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        self.results = [result for run in fleet.runs for result in _results(run)]
        self._of_metric = defaultdict(list)
        for result in self.results:
            self._of_metric[result.metric].append(result)

    def matching(self, metric: str, where: list[Json]) -> list[Result]:
        terms = [term for term in where if speaks_of(metric, term["dimension"])]
        return [result for result in self._of_metric[metric] if _matches(result.dims, terms)]

    def groups(self, metric: str, by: Iterable[str], where: list[Json]) -> dict[Group, Expected]:
        """Map each group's key and method to what is expected there."""
        expected: dict[Group, Expected] = defaultdict(Expected)
        for result in self.matching(metric, where):
            key = [(name, result.dims.get(name)) for name in by]
            expected[(*key, ("method", result.dims["method"]))].results.append(result)
        return dict(expected)

    def ratio(self, metric: str, over: Expected, question: Json) -> tuple[float, int] | None:
        """The ratio and its number of pairs, 0 if there are none and medians are compared."""
        compared = {term["dimension"] for term in question["relative_to"]}
        references = self._reference(metric, over, question)
        ratios = _paired(over.results, references, compared)
        if ratios:
            return statistics.median(ratios), len(ratios)
        if not references or ("virtual" in compared and "storage" in over.results[0].dims):
            return None
        return over.value / Expected(references).value, 0

    def _reference(self, metric: str, over: Expected, question: Json) -> list[Result]:
        relative, where, by = question["relative_to"], question["where"], question["by"]
        compared = {term["dimension"] for term in relative}
        terms_kept = [term for term in where if term["dimension"] not in compared]
        if "virtual" in compared:
            terms_kept = [term for term in terms_kept if term["dimension"] not in OF_GUEST]
        if "chip_family" in compared:
            terms_kept = [term for term in terms_kept if term["dimension"] != "chip"]
        terms = [*terms_kept, *({**term, "op": "is"} for term in relative)]
        first = over.results[0]
        method, parameters = first.dims["method"], _parameters(first, compared)
        # The reference shares the group's values of everything that is not compared.
        shared = {name: first.dims.get(name) for name in by if not _settled(name, compared)}
        if "virtual" in compared and first.dims["virtual"]:
            shared.pop("chip", None)  # a guest's name for its host's chip
        return [
            result
            for result in self.matching(metric, terms)
            if result.dims["method"] == method
            and ("virtual" in compared or _parameters(result, compared) == parameters)
            and all(result.dims.get(name) == value for name, value in shared.items())
        ]


def _results(run: Planned) -> Iterator[Result]:
    if run.fault == WITHDRAWN or DOUBTS.get(run.fault or "") == "incomplete":
        return
    # In which second a long write slows down and ends depends on what was measured.
    noise = Noise.MEASURED if run.kind == "sustained" else Noise.MACHINE
    run_document = document(run, noise)
    law = document(replace(run, fault=None), Noise.NONE)
    bare = {name: part for name, part in run_document.items() if name not in ("series", "traces")}
    columns = derive(*parse(orjson.dumps(bare), now=datetime.now(UTC))).columns
    labels = {f"label:{key}": value for key, value in columns.pop("labels").items()}
    dims = {**columns, **labels, "machine": run.mac.id, "chip_name": run.mac.chip.name}
    limit = _link_limit(run_document)
    laws = {_named(entry): statistics.median(entry["values"]) for entry in law["series"]}
    for entry in run_document["series"]:
        median = statistics.median(entry["values"])
        if entry["metric"] in READS and (run.fault == "cached" or median > limit):
            continue
        entry_dims = {**dims, **entry.get("parameters", {})}
        # A faster drive's long write has fewer seconds.
        entry_law = laws.get(_named(entry), median)
        yield Result(run, _counted(run, entry["metric"]), entry_dims, median, entry_law)


def _counted(run: Planned, metric: str) -> str:
    """The metric that a series counts in: a quick run's averages are over other files."""
    is_apart = run.kind == "quick" and metric.endswith("_average")
    return metric.replace("disk.", "disk.quick_") if is_apart else metric


def _named(series: Json) -> tuple[str, str]:
    return series["metric"], str(series.get("parameters"))


def _link_limit(document: Json) -> float:
    """Bytes per second that a drive's link can carry."""
    return float((document.get("target") or {}).get("link_speed", 1e15)) / 8


def speaks_of(metric: str, dimension: str) -> bool:
    """Return whether a filter applies: those by a parameter that the metric lacks don't."""
    entry = catalog.METRICS[metric]
    return not catalog.is_of_sample(dimension) or dimension in entry.required + entry.optional


def _matches(dims: Json, terms: list[Json]) -> bool:
    matches: dict[str, list[bool]] = defaultdict(list)
    for term in terms:
        value = dims.get(term["dimension"])
        if term["op"] in ("range", "not_range"):
            low, high = term.get("low"), term.get("high")
            is_inside = value is not None and (low is None or value >= low)
            is_inside = is_inside and (high is None or value <= high)
        else:
            is_inside = value == term["value"]
        if term["op"] in ("not", "not_range"):
            if is_inside:
                return False
        else:
            matches[term["dimension"]].append(is_inside)
    return all(any(values) for values in matches.values())


def _parameters(result: Result, compared: set[str]) -> Json:
    entry = catalog.METRICS[result.metric]
    names = set(entry.required) - compared
    return {name: result.dims.get(name) for name in names}


def _settled(name: str, compared: set[str]) -> bool:
    """Return whether the comparison determines this dimension: another family is another chip."""
    if name in compared or ("virtual" in compared and name in OF_GUEST):
        return True
    return name == "chip" and "chip_family" in compared


def _paired(above: list[Result], below: list[Result], compared: set[str]) -> list[float]:
    """One ratio per machine: the median over what it measured both ways."""
    reference = defaultdict(list)
    for result in below:
        reference[_alike(result, compared, as_host=False)].append(result)
    ratios = defaultdict(list)
    over = defaultdict(list)
    for result in above:
        over[_alike(result, compared, as_host="virtual" in compared)].append(result)
    for cell, results in over.items():
        if cell in reference:
            under = reference[cell]
            # The same runs on both sides don't make a pair.
            if {r.run.id for r in results} != {r.run.id for r in under}:
                ratios[cell[0]].append(_median(results) / _median(under))
    return [statistics.median(values) for _, values in sorted(ratios.items())]


def _median(results: list[Result]) -> float:
    return statistics.median(result.own for result in results)


def _alike(result: Result, compared: set[str], *, as_host: bool) -> tuple[Any, ...]:
    """The values that two results of a pair share; first the machine, a guest's being its host."""
    dims, mac = result.dims, result.run.mac
    machine = mac.id
    if as_host and mac.host is not None:
        machine = mac.host.id if mac.host_known else f"nobody's {mac.id}"
    skipped = set(compared)
    if "virtual" in compared:
        skipped |= set(OF_GUEST)
        # A guest's disk is on its host's internal drive.
        if mac.host is None and dims.get("storage") not in (None, "internal"):
            machine = f"nobody's {mac.id}"
    names = [name for name in ALIKE if name not in skipped]
    if result.metric.split(".")[0] in MODE_MATTERS and "power_mode" not in skipped:
        names.append("power_mode")
    if dims.get("storage") == "disk_image" and "os_version" not in skipped:
        names.append("os_version")
    entry = catalog.METRICS[result.metric]
    names += [name for name in entry.required + entry.optional if name not in skipped]
    return (machine, *(dims.get(name) for name in names))
