"""Comparisons that hide a difference: sides that differ wholly in a dimension nobody names.

The results on each side are counted from documents, without any of the server's code.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import urlencode

from support.recomputed import Result

Json = dict[str, Any]
METRICS = (
    *("disk.write_average", "disk.read_average", "disk.write_flushed_average"),
    *("disk.stream_read_speed@simultaneous:1", "hash.sha256_speed", "hash.sha256_memory_speed"),
    *("compression.duration@threads:1", "compression.speed@threads:1"),
    *("compression.duration@threads:4", "compression.speed@threads:4"),
)
COMPARED = ("chip", "model", "os_version", "storage", "device", "encryption", "power_source")
WATCHED = (*COMPARED, "power_mode", "image_format", "month")
# Dimensions that change along with the compared one by nature: part of the comparison.
BY_NATURE = {
    "chip": ("model",),
    "storage": ("image_format", "encryption"),
    "device": ("storage",),
    "os_version": ("month",),
}
FEWEST = 6
_MOST_VALUES = 4
_CHANCE = 0.05


async def unsaid(
    results: Sequence[Result], ask: Callable[[str], Awaitable[Json]]
) -> tuple[list[str], int]:
    """Return differences that the server hides where it says "different", and its number of sides
    called different or confounded.
    """
    hidden_differences, judged = [], 0
    for metric, name, values in _pairs(results):
        sides = [("side", f"{n}:{name}:{value}") for n, value in enumerate(values, 1)]
        query = urlencode([("metric", metric), *sides, ("version", "2")])
        for row in (await ask(query))["rows"]:
            ratio = row["cells"][1].get("ratio")
            if row["published"] or ratio is None:
                continue
            judged += ratio["verdict"]["answer"] in ("different", "confounded")
            if ratio["verdict"]["answer"] != "different":
                continue
            named = {difference["dimension"] for difference in ratio["unlike"]}
            hidden = [name for name in _apart(results, metric, name, values) if name not in named]
            hidden_differences += [f"{query}: {of}" for of in hidden]
    return hidden_differences, judged


def _pairs(results: Sequence[Result]) -> Iterator[tuple[str, str, tuple[Any, Any]]]:
    """Metrics, dimensions and pairs of values that six or more Macs have measured."""
    for metric in METRICS:
        for name in COMPARED:
            machines: Counter[Any] = Counter()
            for value, _ in {(run.values[name], run.machine) for run in _of(results, metric)}:
                machines[value] += value is not None
            most = [value for value, count in machines.most_common(_MOST_VALUES) if count >= FEWEST]
            for pair in combinations(most, 2):
                yield metric, name, pair


def _of(results: Sequence[Result], metric: str) -> list[Result]:
    name, _, fixed = metric.partition("@")
    parameter, _, value = fixed.partition(":")
    return [
        run
        for run in results
        if run.metric == name and (not fixed or str(run.values[parameter]) == value)
    ]


def _apart(
    results: Sequence[Result], metric: str, compared: str, values: tuple[Any, Any]
) -> Iterator[str]:
    """Dimensions in which the sides share no stated value, where chance would seldom cause that."""
    matching = _of(results, metric)
    for name in WATCHED:
        if name == compared or name in BY_NATURE.get(compared, ()):
            continue
        sides = [
            {(run.values[name], run.machine) for run in matching if run.values[compared] == value}
            for value in values
        ]
        side_values = [{value for value, _ in side} for side in sides]
        if None in side_values[0] | side_values[1] or side_values[0] & side_values[1]:
            continue
        counts = Counter(value for side in sides for value, _ in side)
        share = len(sides[0]) / (len(sides[0]) + len(sides[1]))
        if math.prod(share**n + (1 - share) ** n for n in counts.values()) < _CHANCE:
            yield name
