"""An answer as panels of series along a numeric dimension: one panel a metric.

As frontend/src/figures/panels.ts. Published figures are points and never joined.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from macmeter.figures.cases import Measure, is_doubted, measure_of
from macmeter.figures.digits import Span, band_of, interval_of, median_text, shared_scale
from macmeter.figures.notes import Sources
from macmeter.figures.numbers import Scale, counted, percent
from macmeter.figures.words import case_label, is_number, key_order, metric_title, reading_order
from macmeter.pictures.marks import MARKS, Mark
from macmeter.pictures.palette import DASHES, THEMES

Json = dict[str, Any]


@dataclass(frozen=True)
class Point:
    """`value`, `band` and `whisker` in base units, or ratios; `text` has the digits of the value.

    `whisker` is the samples' mean less and plus their standard deviation, in the place of a band.
    `mix` is equal where points pool the same of what changes their value.
    """

    x: float
    value: float
    text: str
    band: Span | None
    doubted: bool
    whisker: Span | None = None
    mix: str = ""


@dataclass
class Series:
    """Groups that differ along the axis only. Never one series across methods."""

    key: Json
    label: str
    dash: str
    mark: Mark
    hollow: bool
    dagger: str = ""
    weight: str = ""
    points: list[Point] = field(default_factory=list)
    fit: Json | None = None


@dataclass(frozen=True)
class Panel:
    metric: str
    title: str
    series: list[Series]


@dataclass(frozen=True)
class Panels:
    """`unplaced` figures are of the answer and have no place on its axis.

    `values` are the dimension's own at its places: versions stand evenly, in their order.
    """

    axis: str
    panels: list[Panel]
    scale: Scale
    measure: Measure
    unplaced: int
    values: dict[float, Any]

    @property
    def places(self) -> list[float]:
        return sorted({p.x for panel in self.panels for s in panel.series for p in s.points})

    def stretches(self, series: Series) -> Iterator[list[Point]]:
        """Points at neighbouring places of the axis that pool alike: nothing else is joined.

        A line from one chip's figure to that of twelve would rise or fall by what is in it, and
        one over a place that was not measured would invent it.
        """
        order = {x: place for place, x in enumerate(self.places)}
        numbered = enumerate(series.points)
        for _, stretch in groupby(
            numbered, key=lambda pair: (order[pair[1].x] - pair[0], pair[1].mix)
        ):
            yield [point for _, point in stretch]


# Numbers that tell cases apart: nothing is joined from one drive to three, nor over loops.
_NO_AXIS = {"simultaneous", "loops"}
_VERSIONS = "os_version"
# Drawn with bars of one standard deviation, as everybody draws figures of threads and power.
_WHISKERED = ("cores", "power", "energy")


def axis_of(question: Json) -> str | None:
    """The dimension along which groups are joined: versions of macOS, which have an order, or
    the first that counts or measures.

    Power modes stand side by side for each number of threads: they are cases.
    """
    if "power_mode" in question["by"]:
        return None
    if _VERSIONS in question["by"]:
        return _VERSIONS
    numbers = [name for name in reading_order(question["by"]) if is_number(name)]
    return next((name for name in numbers if name not in _NO_AXIS), None)


def panels_of(answer: Json, axis: str, sources: Sources) -> Panels:
    """The panels of an answer in one unit that groups by `axis`."""
    measure, scale = measure_of(answer), shared_scale(answer["results"])
    values = _values_of(answer, axis)
    panels = []
    unplaced = 0
    for result in answer["results"]:
        reading = _Reading(result, axis, measure, scale, sources, answer["question"]["by"])
        series = reading.series({value: place for place, value in values.items()})
        if series:
            panels.append(Panel(result["metric"], metric_title(result["metric"]), series))
        unplaced += reading.unplaced + len(result["published"])
    return Panels(axis, panels, scale, measure, unplaced, values)


def _values_of(answer: Json, axis: str) -> dict[float, Any]:
    """Numbers are their own places; versions stand evenly, in their order."""
    found = {group["key"][axis] for result in answer["results"] for group in result["groups"]}
    found.discard(None)
    if is_number(axis):
        return {float(value): value for value in found}
    order = sorted(found, key=lambda value: key_order([axis], {axis: value}))
    return {float(place): value for place, value in enumerate(order, start=1)}


class _Reading:
    """One metric's groups being read into series."""

    def __init__(
        self,
        result: Json,
        axis: str,
        measure: Measure,
        scale: Scale,
        sources: Sources,
        by: list[str],
    ) -> None:
        self.result, self.axis, self.measure = result, axis, measure
        self.scale, self.sources = scale, sources
        self.rest = [name for name in reading_order(by) if name != axis]
        self.unplaced = 0

    def series(self, places: dict[Any, float]) -> list[Series]:
        groups = [g for g in self.result["groups"] if g["key"][self.axis] is not None]
        self.unplaced = len(self.result["groups"]) - len(groups)
        groups.sort(key=lambda group: self._order(group, places))
        usual = usual_method(groups)
        found: dict[str, tuple[Series, list[Json]]] = {}
        worn: Counter[Any] = Counter()
        for group in groups:
            point = self._point(group, places[group["key"][self.axis]])
            if point is None:
                continue
            name = _same_curve(self.rest, group["key"], group)
            if name not in found:
                colour = THEMES["light"].of_group(group["key"])
                dash = "" if group["published"] else DASHES[worn[colour] % len(DASHES)]
                worn[colour] += not group["published"]
                found[name] = self._started(group, usual, dash, len(found)), []
            series, behind = found[name]
            series.points.append(point)
            behind.append(group)
        for series, behind in found.values():
            cited = [c for group in behind for c in group.get("citations") or []]
            series.dagger = self.sources.dagger(cited)
            series.weight = _machines(behind)
        if self.measure == "figure":
            for fit in self.result.get("fits", []):
                name = _same_curve(self.rest, fit["key"], fit)
                if name in found:
                    found[name][0].fit = fit
        return [series for series, _ in found.values()]

    def _order(self, group: Json, places: dict[Any, float]) -> tuple[Any, ...]:
        place = places[group["key"][self.axis]]
        return group["published"], key_order(self.rest, group["key"]), place

    def _started(self, group: Json, usual: str | None, dash: str, place: int) -> Series:
        label = case_label(self.rest, group["key"]) or "All runs"
        if not group["published"] and method_of(group) != usual:
            label += f", {_other_method(group['method'], usual)}"
        mark = MARKS[place % len(MARKS)]
        return Series(group["key"], label, dash, mark, hollow=group["published"])

    def _point(self, group: Json, x: float) -> Point | None:
        doubted = is_doubted(group)
        mix = group.get("mix") or json.dumps(group.get("mixes") or [])
        if self.measure == "figure":
            text = median_text(group, self.result["unit"], self.scale)
            whisker = self._whisker(group)
            band = None if whisker else band_of(group)
            return Point(x, group["median"], text, band, doubted, whisker, mix)
        ratio = group.get("ratio")
        if ratio is None:
            return None
        interval = interval_of(ratio)
        return Point(x, ratio["value"], percent(ratio["value"]), interval, doubted, None, mix)

    def _whisker(self, group: Json) -> Span | None:
        if self.result["metric"].split(".")[0] not in _WHISKERED or group["published"]:
            return None
        sd = group.get("spread", {}).get("sd")
        return None if sd is None else (group["mean"] - sd, group["mean"] + sd)


def _same_curve(rest: list[str], key: Json, of: Json) -> str:
    told = [[key[name] for name in rest], of["published"], of["method"], of["method_version"]]
    return json.dumps(told)


def _machines(groups: list[Json]) -> str:
    """ "3 machines", "2–3 machines" where the points differ; nothing where none is counted."""
    counts = [group["machines"] for group in groups]
    low, high = min(counts), max(counts)
    if high == 0:
        return ""
    return counted(high, "machine") if low == high else f"{low}–{counted(high, 'machine')}"


def method_of(group: Json) -> str:
    return f"{group['method']} {group['method_version']}"


def usual_method(groups: list[Json]) -> str | None:
    """The method of most runs: only the others have to name theirs."""
    runs: Counter[str] = Counter()
    for group in groups:
        if not group["published"]:
            runs[method_of(group)] += group["runs"]
    return min(runs, key=lambda method: (-runs[method], method), default=None)


def _other_method(method: str, usual: str | None) -> str:
    """ "quick" beside graded-files, for graded-files-quick."""
    name = usual.split(" ")[0] if usual else ""
    return method.removeprefix(f"{name}-") if name else method
