"""Answers to random questions, recomputed from run documents without any of the server's code.

`python -m support.recomputed DOCUMENTS.ndjson http://127.0.0.1:8002` asks a server that has these
documents and no other measured ones, and prints each figure that differs in any digit. The file is
what `make unlike` writes beside the server's data.
"""

from __future__ import annotations

import json
import math
import re
import statistics
import sys
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

Json = dict[str, Any]
Key = tuple[Any, ...]
QUANTILES = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
# Parameters that a question must group by or fix.
REQUIRED = {
    "disk.write_speed": ("file_size",),
    "disk.read_speed": ("file_size",),
    "compression.duration": ("threads",),
    "compression.speed": ("threads",),
    "cores.loop_rate": ("kernel", "core_context", "threads"),
}
# Path of each dimension in a document.
STATED = {
    "chip": ("machine", "chip"),
    "model": ("machine", "model_name"),
    "machine": ("machine", "id"),
    "suite": ("suite",),
    "method": ("method", "name"),
    "os_version": ("environment", "os_version"),
    "power_mode": ("environment", "power_mode"),
    "power_source": ("environment", "power_source"),
    "vcpus": ("environment", "virtual_machine", "vcpus"),
    "storage": ("target", "storage"),
    "link_speed": ("target", "link_speed"),
    "device": ("target", "device"),
    "via": ("target", "via"),
    "simultaneous": ("target", "simultaneous"),
    "encryption": ("target", "encryption"),
    "image_format": ("target", "image", "format"),
    "image_state": ("target", "image", "state"),
}
OF_SAMPLES = ("file_size", "threads", "core_context", "kernel")
# Dimensions that neither follow from another one nor determine one.
COMPARED = ("encryption", "power_mode", "power_source", "month", "device")


@dataclass(frozen=True)
class Result:
    """One series of a run."""

    metric: str
    run: str
    machine: str
    values: Json
    """Values by dimension; None if not stated."""
    median: float
    samples: int


@dataclass(frozen=True)
class Asked:
    """Question about one metric. A term: a dimension, whether it excludes, and a value or range."""

    metric: str
    by: tuple[str, ...]
    where: tuple[tuple[str, bool, Any], ...] = ()
    relative_to: tuple[str, Any] | None = None
    weight: str = "machine"

    @property
    def query(self) -> str:
        """Query string of the question."""
        parameters = [("metric", self.metric), *(("by", name) for name in self.by)]
        parameters.append(("where", "source:measured"))
        parameters += [("where", f"{name}{'!' * out}:{_said(v)}") for name, out, v in self.where]
        if self.relative_to is not None:
            name, value = self.relative_to
            parameters.append(("relative_to", f"{name}:{_said(value)}"))
        if self.weight != "machine":
            parameters.append(("weight", self.weight))
        return urlencode(parameters)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"{value[0]}..{value[1]}"
    return "" if value is None else str(value)


def results(documents: Iterable[Json]) -> list[Result]:
    """Results that an answer counts: runs that were cut short are left out."""
    rows = []
    for document in documents:
        if document["state"] == "incomplete":
            continue
        of_run = {name: _at(document, path) for name, path in STATED.items()} | _derived(document)
        for series in document["series"]:
            parameters = series.get("parameters", {})
            values = of_run | {name: parameters.get(name) for name in OF_SAMPLES}
            samples = series["values"]
            median = float(statistics.median(samples))
            ids = document["id"], document["machine"]["id"]
            rows.append(Result(series["metric"], *ids, values, median, len(samples)))
    return rows


def _at(document: Json, path: Sequence[str]) -> Any:
    value: Any = document
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _derived(document: Json) -> Json:
    version = document["environment"]["os_version"]
    name = re.match(r"Apple (M\d+)(?: (\w+))?", document["machine"]["chip"])
    assert name is not None
    return {
        "chip_family": name[1],
        "chip_variant": name[2] or "base",
        "os_major": int(version.split(".")[0]),
        "virtual": "virtual_machine" in document["environment"],
        "month": document["started_at"][:7],
    }


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Interpolate like SQL's percentile_cont: between the two nearest values."""
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    if position == low:
        return ordered[low]
    return ordered[low] + (position - low) * (ordered[low + 1] - ordered[low])


def groups(results: Iterable[Result], question: Asked) -> dict[Key, Json]:
    """The figures of each group, by its values of `by` and its method."""
    members = _grouped(results, question, question.where)
    figures = {key: _figures(group, question.weight) for key, group in members.items()}
    if question.relative_to is not None:
        name, value = question.relative_to
        where = (*(term for term in question.where if term[0] != name), (name, False, value))
        references = _grouped(results, question, where)
        for key, group in figures.items():
            at = [value if n == name else v for n, v in zip(question.by, key, strict=False)]
            if (reference := references.get((*at, key[-1]))) is not None:
                group["crude"] = group["median"] / _figures(reference, question.weight)["median"]
    return figures


def _grouped(
    results: Iterable[Result], question: Asked, where: Sequence[tuple[str, bool, Any]]
) -> dict[Key, list[Result]]:
    members = defaultdict(list)
    for result in results:
        if result.metric == question.metric and _matches(result.values, where):
            key = (*(result.values[name] for name in question.by), result.values["method"])
            members[key].append(result)
    return members


def _matches(values: Json, where: Sequence[tuple[str, bool, Any]]) -> bool:
    """Match any of a dimension's values, in all dimensions, and none of the excluded ones."""
    matches = defaultdict(list)
    for name, excluded, value in where:
        if not excluded:
            matches[name].append(_is(values[name], value))
        elif _is(values[name], value):
            return False
    return all(map(any, matches.values()))


def _is(value: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return value is not None and expected[0] <= value <= expected[1]
    return bool(value == expected)


def _figures(members: list[Result], weight: str) -> Json:
    by_machine = defaultdict(list)
    for result in members:
        by_machine[result.machine].append(result.median)
    values = [statistics.median(medians) for medians in by_machine.values()]
    if weight == "run":
        values = [result.median for result in members]
    values.sort()
    return {
        "machines": len(by_machine),
        "runs": len({result.run for result in members}),
        "samples": sum(result.samples for result in members),
        "min": values[0],
        "max": values[-1],
        "mean": statistics.fmean(values),
        **{name: _quantile(values, share) for name, share in QUANTILES.items()},
    }


def questions(known_results: Sequence[Result], count: int, seed: int) -> list[Asked]:
    """Random questions about these results: filters are values that some result has."""
    chance = Random(seed)
    metrics = sorted({result.metric for result in known_results})
    return [_question(known_results, chance.choice(metrics), chance) for _ in range(count)]


def _question(results: Sequence[Result], metric: str, chance: Random) -> Asked:
    candidates = [result for result in results if result.metric == metric]
    required = REQUIRED.get(metric, ())
    fixed = chance.sample(required, chance.randint(0, len(required)))
    free = [name for name in [*STATED, *_derived_names(results)] if name not in required]
    extra = chance.sample(free, chance.randint(0, 3 - len(required) + len(fixed)))
    by = tuple(sorted({*required} - {*fixed}) + extra)
    sample = chance.choice(candidates).values
    where = [(name, False, sample[name]) for name in fixed]
    for name in chance.sample(free, chance.choice((0, 0, 1, 2))):
        values = [chance.choice(candidates).values[name] for _ in range(chance.randint(1, 2))]
        excluded = chance.random() < 0.3
        where += [(name, excluded, value) for value in dict.fromkeys(values)]
    if "threads" in by and chance.random() < 0.5:
        where.append(("threads", False, (2, chance.randint(4, 12))))
    relative_to = None
    if chance.random() < 0.4:
        name = chance.choice(COMPARED)
        relative_to = name, chance.choice(candidates).values[name]
    weight = chance.choice(("machine", "machine", "run"))
    return Asked(metric, by, tuple(where), relative_to, weight)


def _derived_names(results: Sequence[Result]) -> list[str]:
    return [name for name in results[0].values if name not in STATED and name not in OF_SAMPLES]


def _ask(address: str, question: Asked) -> Json:
    with urllib.request.urlopen(f"{address}/api/v1/answer?{question.query}", timeout=120) as reply:
        answer: Json = json.load(reply)
        return answer


def differences(results: Sequence[Result], question: Asked, answer: Json) -> list[str]:
    """Differences between an answer and ours; empty if all digits are equal."""
    expected = groups(results, question)
    wrong = []
    for group in answer["results"][0]["groups"]:
        key = (*(group["key"][name] for name in question.by), group["method"])
        if (figures := expected.pop(key, None)) is None:
            wrong.append(f"{question.query} {key}: no such group")
            continue
        ratio = group.get("ratio", {})
        crude = figures.pop("crude", None)
        # The last digit of a sum depends on its order.
        mean = figures.pop("mean")
        if not math.isclose(group["mean"], mean, rel_tol=1e-15):
            wrong.append(f"{question.query} {key}: mean {group['mean']}, not {mean}")
        shown = {name: group[name] for name in figures}
        if ratio.get("pairing") == "unpaired":
            figures["ratio"], shown["ratio"] = crude, ratio["value"]
        elif (crude is None) != (not ratio):
            wrong.append(f"{question.query} {key}: ratio {ratio}, not {crude}")
        wrong += [
            f"{question.query} {key}: {name} {shown[name]}, not {value}"
            for name, value in figures.items()
            if shown[name] != value
        ]
    return wrong + [f"{question.query} {key}: not shown" for key in expected]


def main(path: str, address: str) -> int:
    """Print what differs in 200 questions; return 1 if anything does."""
    known = results(map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()))
    asked = questions(known, 200, seed=1)
    wrong = [line for item in asked for line in differences(known, item, _ask(address, item))]
    print("\n".join([*wrong, f"{len(asked)} questions, {len(wrong)} figures differ"]))
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
