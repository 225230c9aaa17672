"""Panels of lines along a numeric dimension: at least one per metric.

Published figures are points and never joined.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from macmeter import catalog
from macmeter.catalog import Role, Trait
from macmeter.charts import axes, numbers, words
from macmeter.charts.cases import drawn_groups, is_doubted, measure_of, on_axis, span_on_axis
from macmeter.charts.colours import MARKS, colour_of, distinguished, key_of_lines, panels_of
from macmeter.charts.figure import Chart, FittedCurve, LinePoint, Panel, Series, Span
from macmeter.charts.notes import NumberedArticles
from macmeter.schemas.answer import Answer, FitResponse, Group, Key, MetricAnswer, QuestionResponse

# Preferred axes: lines follow the first of these that is grouped by. They are ordered without being
# numeric.
_IN_ORDER = (axes.MONTH, "os_version")


def axis_of(question: QuestionResponse) -> str | None:
    """Return the dimension along which groups are joined: months or versions of macOS, which are
    ordered, or the first that counts or measures.

    Power modes are shown side by side for each number of threads, as cases.
    """
    if any(catalog.has(name, Trait.CASES) for name in question["by"]):
        return None
    ordered = [*_IN_ORDER, *words.reading_order(question["by"])]
    along = (name for name in ordered if name in question["by"])
    return next((name for name in along if catalog.has(name, Trait.AXIS)), None)


def lines_of(
    answer: Answer, indices: Sequence[int], sources: NumberedArticles, chart: Chart
) -> tuple[Chart, int] | None:
    """Return the chart of an answer's results in one unit as lines, and the number of figures
    without a place on its axis; None without lines.
    """
    if (axis := axis_of(answer["question"])) is None:
        return None
    results = [answer["results"][index] for index in indices]
    builder = _LineBuilder(answer, results, axis)
    read = [builder.draft(answer, index) for index in indices]
    plotted = [
        (result, drafts) for result, (drafts, _) in zip(results, read, strict=True) if drafts
    ]
    if not plotted:
        return None
    measure, by, positions = builder.measure, builder.rest, builder.positions
    scale = numbers.Scale("%") if measure == "ratio" else builder.scale
    xs = sorted({point.x for _, drafts in plotted for line in drafts for point in line.points})
    render = _formatter(axis, positions)
    across = axes.dimension_axis(xs, words.dimension_title(axis), render)
    fits = [line.fit for _, drafts in plotted for line in drafts if line.fit]
    reach = [end for _, drafts in plotted for line in drafts for end in line.reach()]
    reach += [on_axis(y, scale) for fit in fits for y in axes.curve_values(fit)]
    up = axes.axis_of_values(reach, measure, scale.symbol)

    def curve(fit: FitResponse | None) -> FittedCurve | None:
        return axes.curve_of(fit, across, up, scale) if fit else None

    panels: list[Panel] = []
    for result, some in plotted:
        solid = sum(not line.series.hollow for line in some)
        for title, panel in panels_of([line.behind[0]["key"] for line in some], by, solid).items():
            titles = [words.metric_title(result["metric"])] if len(plotted) > 1 or not title else []
            lines = tuple(some[index].line(xs, curve(some[index].fit), sources) for index in panel)
            keys = [key for index in panel for key in some[index].measured_keys()]
            boundaries = axes.boundaries_of(answer, axis, keys, across)
            if axis == axes.FILE_SIZE and measure == "figure":
                boundaries = axes.bends_of(lines)
            panels.append(Panel(" · ".join(filter(None, [*titles, title])), lines, boundaries))
    drawn_chart = replace(
        chart,
        kind="lines",
        up=up,
        across=across,
        panels=tuple(panels),
        fits=_fits(plotted, axis, render, scale, fits),
        key=key_of_lines(panels, measure, axis, up),
    )
    return drawn_chart, sum(unplaced for _, unplaced in read)


def _places(axis: str, groups: list[Group]) -> dict[Any, float]:
    """Map values to axis positions: numbers to themselves, months by the calendar, versions evenly
    spaced in order.
    """
    values = {group["key"][axis] for group in groups}
    values.discard(None)
    if axis == axes.MONTH:
        return {month: axes.month_position(month) for month in map(str, values)}
    if words.is_number(axis):
        return {value: float(value) for value in values if value is not None}
    order = sorted(values, key=lambda value: words.key_order([axis], {axis: value}))
    return {value: float(position) for position, value in enumerate(order, start=1)}


def _formatter(axis: str, positions: Mapping[Any, float]) -> Callable[[float], str]:
    """Return a formatter of axis positions: "2 MB", "8", "26.4"."""
    values = {position: value for value, position in positions.items()}
    return lambda position: words.value_text(axis, values.get(position, position))


def _fits(
    plotted: Sequence[tuple[MetricAnswer, list[_DraftLine]]],
    axis: str,
    render: Callable[[float], str],
    up: numbers.Scale,
    fits: list[FitResponse],
) -> tuple[str, ...]:
    """Describe each fitted curve: equation, goodness of fit and range."""
    across, texts = _scale_of_places(axis, fits), []
    for result, drafts in plotted:
        metric = f"{words.metric_title(result['metric'])}, " if len(plotted) > 1 else ""
        for line in drafts:
            if line.fit:
                name = f"{metric}{line.series.label}"
                texts.append(axes.fit_text(line.fit, name, across, up, render))
    return tuple(texts)


def _scale_of_places(axis: str, fits: list[FitResponse]) -> numbers.Scale:
    """Return the unit of x in equations: that of the axis, or what it counts."""
    dimension = catalog.dimension(axis)
    if dimension is None or not dimension.unit:
        return numbers.Scale(words.uncapitalised(words.dimension_title(axis)))
    return numbers.scale_for(dimension.unit, [fit["high"] for fit in fits])


@dataclass
class _DraftLine:
    """A line under construction; `series` is complete except for its points."""

    series: Series
    points: list[LinePoint] = field(default_factory=list)
    behind: list[Group] = field(default_factory=list)
    fit: FitResponse | None = None

    def reach(self) -> list[float]:
        """Return the values that it spans. Published figures are drawn without a band."""
        ends = [] if self.series.hollow else [p.band or p.whisker or () for p in self.points]
        return [p.y for p in self.points] + [end for span in ends for end in span]

    def measured_keys(self) -> list[Key]:
        return [group["key"] for group in self.behind if not group["published"]]

    def line(
        self, at: Sequence[float], curve: FittedCurve | None, sources: NumberedArticles
    ) -> Series:
        cited = [citation for group in self.behind for citation in group.get("citations") or []]
        return replace(
            self.series,
            stretches=self._stretches(at),
            dash="" if self.fit else self.series.dash,
            dagger=sources.dagger(cited),
            weight=_machines(self.behind),
            curve=curve,
        )

    def _stretches(self, at: Sequence[float]) -> tuple[tuple[LinePoint, ...], ...]:
        """Join only points at neighbouring places that pool the same values.

        A line from one chip's figure to that of twelve would show their composition, and a line
        across a place without measurements would invent a value.
        """
        order = {x: index for index, x in enumerate(at)}
        mixes = (group.get("mix") or json.dumps(group.get("mixes") or []) for group in self.behind)
        numbered = [
            (point, (order[point.x] - index, mix))
            for index, (point, mix) in enumerate(zip(self.points, mixes, strict=True))
        ]
        joined = groupby(numbered, key=lambda entry: entry[1])
        return tuple(tuple(point for point, _ in stretch) for _, stretch in joined)


class _LineBuilder:
    """Conversion of an answer to lines; the dimensions `rest` distinguish lines of one metric."""

    def __init__(self, answer: Answer, results: list[MetricAnswer], axis: str) -> None:
        self.axis = axis
        self.measure, self.scale = measure_of(answer), numbers.shared_scale(results)
        by = words.reading_order(answer["question"]["by"])
        self.rest = [name for name in by if name != axis]
        self.positions = _places(axis, [group for result in results for group in result["groups"]])

    def draft(self, answer: Answer, index: int) -> tuple[list[_DraftLine], int]:
        """Return the lines of the metric at this index, and the number of figures without one."""
        result, pairs = answer["results"][index], drawn_groups(answer, index)
        groups = [pair for pair in pairs if pair[1]["key"][self.axis] is not None]
        unplaced = len(pairs) - len(groups) + len(result["published"])
        groups.sort(key=lambda pair: self._order(pair[1]))
        usual = usual_method([group for _, group in groups])
        by_name: dict[str, _DraftLine] = {}
        for lane, group in groups:
            point = self._point(lane, group, result["metric"])
            if point is None:
                continue
            name = _line_id(self.rest, group["key"], group)
            if name not in by_name:
                label, hollow = self._label(group, usual), group["published"]
                series = Series(label, MARKS[0], (), colour=colour_of(group["key"]), hollow=hollow)
                by_name[name] = _DraftLine(series)
            by_name[name].points.append(point)
            by_name[name].behind.append(group)
        lines = list(by_name.values())
        for line, series in zip(lines, distinguished([line.series for line in lines]), strict=True):
            line.series = series
        if self.measure == "figure":
            # A fit over another dimension doesn't run along lines.
            along = [fit for fit in result.get("fits", []) if fit["over"] == self.axis]
            for fit in along:
                if (name := _line_id(self.rest, fit["key"], fit)) in by_name:
                    by_name[name].fit = fit
        return lines, unplaced

    def _order(self, group: Group) -> tuple[Any, ...]:
        position = self.positions[group["key"][self.axis]]
        return group["published"], words.key_order(self.rest, group["key"]), position

    def _label(self, group: Group, usual: str | None) -> str:
        label = words.case_label(self.rest, group["key"]) or "All runs"
        if not group["published"] and method_of(group) != usual:
            label += f", {_other_method(group['method'], usual)}"
        return label

    def _point(self, lane: str, group: Group, metric: str) -> LinePoint | None:
        x, doubted = self.positions[group["key"][self.axis]], is_doubted(group)
        if self.measure == "figure":
            text = numbers.median_text(group, self.scale)
            whisker = _whisker(metric, group)
            band = None if whisker else numbers.band_of(group, published=group["published"])
            return LinePoint(
                x,
                on_axis(numbers.drawn_value(group), self.scale),
                lane,
                text,
                band=span_on_axis(band, self.scale),
                whisker=span_on_axis(whisker, self.scale),
                doubted=doubted,
            )
        ratio = group.get("ratio")
        if ratio is None:
            return None
        reach = span_on_axis(numbers.interval_of(ratio), numbers.Scale())
        text = numbers.difference_text(ratio["value"])
        return LinePoint(
            x, on_axis(ratio["value"], numbers.Scale()), lane, text, band=reach, doubted=doubted
        )


def _whisker(metric: str, group: Group) -> Span | None:
    """Return the samples' mean ± standard deviation, which replaces the band."""
    if Role.DEVIATES not in catalog.METRICS[metric].roles or group["published"]:
        return None
    sd = group.get("spread", {}).get("sd")
    return None if sd is None else (group["mean"] - sd, group["mean"] + sd)


def _line_id(by: list[str], key: Key, item: Group | FitResponse) -> str:
    line = [[key[name] for name in by], item["published"], item["method"], item["method_version"]]
    return json.dumps(line)


def _machines(groups: list[Group]) -> str:
    """Format "3 machines", or "2–3 machines" if points differ; empty if none is counted."""
    counts = [group["machines"] for group in groups]
    low, high = min(counts), max(counts)
    if high == 0:
        return ""
    return numbers.counted(high, "Mac") if low == high else f"{low}–{numbers.counted(high, 'Mac')}"


def method_of(group: Group) -> str:
    return f"{group['method']} {group['method_version']}"


def usual_method(groups: list[Group]) -> str | None:
    """Return the method of most runs: only others are named."""
    runs: Counter[str] = Counter()
    for group in groups:
        if not group["published"]:
            runs[method_of(group)] += group["runs"]
    return min(runs, key=lambda method: (-runs[method], method), default=None)


def _other_method(method: str, usual: str | None) -> str:
    """Shorten a method's name: "quick" for graded-files-quick next to graded-files."""
    name = usual.split(" ")[0] if usual else ""
    return method.removeprefix(f"{name}-") if name else method
