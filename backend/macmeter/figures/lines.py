"""An answer as panels of lines along a numeric dimension: one panel a metric.

Published figures are points and never joined.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from macmeter import catalog
from macmeter.answers.answer import Answer, FitTold, Group, Key, MetricAnswer, QuestionTold
from macmeter.catalog import Role, Trait
from macmeter.figures.axes import axis_of_places, axis_of_values
from macmeter.figures.boundaries import MONTH, boundaries_of, place_of_month
from macmeter.figures.cases import drawn, drawn_span, is_doubted, measure_of
from macmeter.figures.colours import DASHES, MARKS, colour_of
from macmeter.figures.curves import curve_of, fit_in_words, heights_of
from macmeter.figures.digits import band_of, interval_of, median_text, middle_of, shared_scale
from macmeter.figures.figure import Axis, LinePoint, Measure, Panel, Series, Span
from macmeter.figures.groups import shown_groups
from macmeter.figures.knees import FILE_SIZE, knees_of
from macmeter.figures.multiples import panels_of
from macmeter.figures.notes import Sources
from macmeter.figures.numbers import Scale, counted, percent, scale_for
from macmeter.figures.words import (
    case_label,
    dimension_title,
    is_number,
    key_order,
    metric_title,
    reading_order,
    uncapitalised,
    value_text,
)

# Whatever else is grouped by, lines go along the first of these. They have an order without being
# numbers.
_IN_ORDER = (MONTH, "os_version")


@dataclass(frozen=True)
class Lines:
    """`unplaced` figures are of the answer and have no place on its axis."""

    panels: tuple[Panel, ...]
    across: Axis
    up: Axis
    fits: tuple[str, ...]
    unplaced: int


def axis_of(question: QuestionTold) -> str | None:
    """The dimension along which groups are joined: months and versions of macOS, which have an
    order, or the first that counts or measures.

    Power modes are side by side for each number of threads: they are cases.
    """
    if any(catalog.has(name, Trait.CASES) for name in question["by"]):
        return None
    ordered = [*_IN_ORDER, *reading_order(question["by"])]
    along = (name for name in ordered if name in question["by"])
    return next((name for name in along if catalog.has(name, Trait.AXIS)), None)


def lines_of(answer: Answer, places: Sequence[int], axis: str, sources: Sources) -> Lines | None:
    """The lines of an answer's results in one unit, at these places; None where there are none."""
    results = [(place, answer["results"][place]) for place in places]
    measure, scale = measure_of(answer), shared_scale([result for _, result in results])
    ends = _places(axis, [group for _, result in results for group in result["groups"]])
    shown = Scale("%") if measure == "ratio" else scale
    rest = [name for name in reading_order(answer["question"]["by"]) if name != axis]
    shared = _Shared(axis, rest, measure, scale, sources)
    found: list[tuple[MetricAnswer, _Metric, list[_Started]]] = []
    unplaced = 0
    for place, result in results:
        metric = _Metric(result, shown_groups(answer, place), shared)
        started = metric.started(ends)
        unplaced += metric.unplaced + len(result["published"])
        if started:
            found.append((result, metric, started))
    if not found:
        return None
    at = sorted({point.x for _, _, started in found for one in started for point in one.points})
    told = _told(axis, ends)
    across = axis_of_places(at, dimension_title(axis), told)
    fits = [one.fit for _, _, started in found for one in started if one.fit]
    reach = [end for _, _, started in found for one in started for end in one.reach()]
    reach += [drawn(y, shown) for fit in fits for y in heights_of(fit)]
    up = axis_of_values(reach, measure, shown.symbol)
    panels: list[Panel] = []
    for result, _, some in found:
        measured = sum(not one.hollow for one in some)
        for title, of in panels_of([one.key for one in some], rest, measured).items():
            named = [metric_title(result["metric"])] if len(found) > 1 or not title else []
            lines = tuple(some[place].line(at, across, up, shown) for place in of)
            keys = [key for place in of for key in some[place].measured_keys()]
            marked = boundaries_of(answer, axis, keys, across)
            if axis == FILE_SIZE and measure == "figure":
                marked = knees_of(lines)
            panels.append(Panel(" · ".join(filter(None, [*named, title])), lines, marked))
    return Lines(tuple(panels), across, up, _fits(found, axis, told, shown, fits), unplaced)


def _places(axis: str, groups: list[Group]) -> dict[Any, float]:
    """Numbers are their own places, months those of the calendar; versions are spaced evenly, in
    their order.
    """
    found = {group["key"][axis] for group in groups}
    found.discard(None)
    if axis == MONTH:
        return {month: place_of_month(month) for month in map(str, found)}
    if is_number(axis):
        return {value: float(value) for value in found if value is not None}
    order = sorted(found, key=lambda value: key_order([axis], {axis: value}))
    return {value: float(place) for place, value in enumerate(order, start=1)}


def _told(axis: str, ends: Mapping[Any, float]) -> Callable[[float], str]:
    """A place of the axis in words: "2 MB", "8", "26.4"."""
    values = {place: value for value, place in ends.items()}
    return lambda place: value_text(axis, values.get(place, place))


def _fits(
    found: Sequence[tuple[MetricAnswer, _Metric, list[_Started]]],
    axis: str,
    told: Callable[[float], str],
    up: Scale,
    fits: list[FitTold],
) -> tuple[str, ...]:
    """Each fitted curve in full: equation, how well it fits, and where it holds."""
    across = _scale_of_places(axis, fits)
    return tuple(
        fit_in_words(
            one.fit,
            f"{metric_title(result['metric'])}, {one.label}" if len(found) > 1 else one.label,
            across,
            up,
            told,
        )
        for result, _, started in found
        for one in started
        if one.fit
    )


def _scale_of_places(axis: str, fits: list[FitTold]) -> Scale:
    """The unit of x in equations: that of the axis, or what it counts."""
    of = catalog.dimension(axis)
    if of is None or not of.unit:
        return Scale(uncapitalised(dimension_title(axis)))
    return scale_for(of.unit, [fit["high"] for fit in fits])


@dataclass
class _Started:
    """A line that is being read; `mixes` say what each point pools."""

    label: str
    colour: str
    dash: str
    mark: Any
    hollow: bool
    sources: Sources
    key: Key
    points: list[LinePoint] = field(default_factory=list)
    mixes: list[str] = field(default_factory=list)
    behind: list[Group] = field(default_factory=list)
    fit: FitTold | None = None

    def reach(self) -> list[float]:
        """How far up it goes. Published figures are drawn without a band."""
        ends = [] if self.hollow else [p.band or p.whisker or () for p in self.points]
        return [p.y for p in self.points] + [end for span in ends for end in span]

    def measured_keys(self) -> list[Key]:
        return [group["key"] for group in self.behind if not group["published"]]

    def line(self, at: Sequence[float], across: Axis, up: Axis, shown: Scale) -> Series:
        cited = [citation for group in self.behind for citation in group.get("citations") or []]
        return Series(
            label=self.label,
            mark=self.mark,
            stretches=self._stretches(at),
            colour=self.colour,
            dash="" if self.fit else self.dash,
            dagger=self.sources.dagger(cited),
            weight=_machines(self.behind),
            hollow=self.hollow,
            curve=curve_of(self.fit, across, up, shown) if self.fit else None,
        )

    def _stretches(self, at: Sequence[float]) -> tuple[tuple[LinePoint, ...], ...]:
        """Points at neighbouring places of the axis that pool alike: nothing else is joined.

        A line from one chip's figure to that of twelve would rise or fall by what is in it, and
        one over a place that was not measured would invent it.
        """
        order = {x: place for place, x in enumerate(at)}
        numbered = enumerate(zip(self.points, self.mixes, strict=True))
        return tuple(
            tuple(point for _, (point, _) in stretch)
            for _, stretch in groupby(
                numbered, key=lambda of: (order[of[1][0].x] - of[0], of[1][1])
            )
        )


class _Shared(NamedTuple):
    """What the lines of all metrics have in common; `rest` tells lines of one metric apart."""

    axis: str
    rest: list[str]
    measure: Measure
    scale: Scale
    sources: Sources


class _Metric:
    """One metric's groups being read into lines."""

    def __init__(
        self, result: MetricAnswer, groups: Sequence[tuple[str, Group]], shared: _Shared
    ) -> None:
        self.result, self.groups = result, groups
        self.axis, self.rest, self.measure, self.scale, self.sources = shared
        self.unplaced = 0

    def started(self, ends: Mapping[Any, float]) -> list[_Started]:
        groups = [of for of in self.groups if of[1]["key"][self.axis] is not None]
        self.unplaced = len(self.groups) - len(groups)
        groups.sort(key=lambda of: self._order(of[1], ends))
        usual = usual_method([group for _, group in groups])
        found: dict[str, _Started] = {}
        worn: Counter[str] = Counter()
        for lane, group in groups:
            point = self._point(lane, group, ends[group["key"][self.axis]])
            if point is None:
                continue
            name = _same_line(self.rest, group["key"], group)
            if name not in found:
                colour = colour_of(group["key"])
                dash = "" if group["published"] else DASHES[worn[colour] % len(DASHES)]
                worn[colour] += not group["published"]
                mark = MARKS[len(found) % len(MARKS)]
                label = self._label(group, usual)
                found[name] = _Started(
                    label, colour, dash, mark, group["published"], self.sources, group["key"]
                )
            one = found[name]
            one.points.append(point)
            one.mixes.append(group.get("mix") or json.dumps(group.get("mixes") or []))
            one.behind.append(group)
        if self.measure == "figure":
            # One over another dimension than the axis runs across lines, not along one.
            along = [fit for fit in self.result.get("fits", []) if fit["over"] == self.axis]
            for fit in along:
                if (name := _same_line(self.rest, fit["key"], fit)) in found:
                    found[name].fit = fit
        return list(found.values())

    def _order(self, group: Group, ends: Mapping[Any, float]) -> tuple[Any, ...]:
        place = ends[group["key"][self.axis]]
        return group["published"], key_order(self.rest, group["key"]), place

    def _label(self, group: Group, usual: str | None) -> str:
        label = case_label(self.rest, group["key"]) or "All runs"
        if not group["published"] and method_of(group) != usual:
            label += f", {_other_method(group['method'], usual)}"
        return label

    def _point(self, lane: str, group: Group, x: float) -> LinePoint | None:
        doubted = is_doubted(group)
        if self.measure == "figure":
            text = median_text(group, self.scale)
            whisker = self._whisker(group)
            band = None if whisker else band_of(group, published=group["published"])
            return LinePoint(
                x,
                drawn(middle_of(group), self.scale),
                lane,
                text,
                band=drawn_span(band, self.scale),
                whisker=drawn_span(whisker, self.scale),
                doubted=doubted,
            )
        ratio = group.get("ratio")
        if ratio is None:
            return None
        reach = drawn_span(interval_of(ratio), Scale())
        text = percent(ratio["value"])
        return LinePoint(x, drawn(ratio["value"], Scale()), lane, text, band=reach, doubted=doubted)

    def _whisker(self, group: Group) -> Span | None:
        """The samples' mean less and plus their standard deviation, in the place of a band."""
        roles = catalog.METRICS[self.result["metric"]].roles
        if Role.DEVIATES not in roles or group["published"]:
            return None
        sd = group.get("spread", {}).get("sd")
        return None if sd is None else (group["mean"] - sd, group["mean"] + sd)


def _same_line(rest: list[str], key: Key, of: Group | FitTold) -> str:
    told = [[key[name] for name in rest], of["published"], of["method"], of["method_version"]]
    return json.dumps(told)


def _machines(groups: list[Group]) -> str:
    """ "3 machines", "2–3 machines" where the points differ; nothing where none is counted."""
    counts = [group["machines"] for group in groups]
    low, high = min(counts), max(counts)
    if high == 0:
        return ""
    return counted(high, "Mac") if low == high else f"{low}–{counted(high, 'Mac')}"


def method_of(group: Group) -> str:
    return f"{group['method']} {group['method_version']}"


def usual_method(groups: list[Group]) -> str | None:
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
