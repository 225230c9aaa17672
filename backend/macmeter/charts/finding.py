"""The finding of an answer: one sentence with its numbers, for the title above its chart.

It is made from what the chart draws, so both always agree, and says no more than that: the ends of
what was measured, never a cause. Without anything measured there is no finding, and the question
remains the title.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog.terms import Value, machine_name
from macmeter.charts import words
from macmeter.charts.figure import Case, Chart, Lane
from macmeter.charts.lines import axis_of
from macmeter.charts.numbers import MINUS, THIN, change_text, counted
from macmeter.charts.side_verdicts import direction, is_established
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import QuestionResponse, Ratio

# Largest ratio of two figures between which a sentence says that there is hardly a difference.
_HARDLY = 1.02
# No-break spaces, narrow and wide.
_NARROW, _FIXED = "\u202f", "\xa0"
# Maximum number of cases with about the same figure that a sentence names.
_NAMED = 3
# By how much a figure inside a line exceeds both of its ends to be its peak or its low.
_PEAK = 1.05


@dataclass(frozen=True, slots=True)
class _MeasuredLane:
    """A measured lane with a value, and its case."""

    case: Case
    lane: Lane

    @property
    def value(self) -> float:
        return self.lane.value or 0.0

    @property
    def text(self) -> str:
        return self.lane.full or self.lane.text

    @property
    def machines(self) -> int:
        return int((self.lane.cells or {}).get("machines", "0").replace(",", ""))

    def at(self, dimension: str) -> Value:
        return (self.case.key or {}).get(dimension)


def finding_of(
    question: QuestionResponse, charts: Sequence[Chart], ratios: Mapping[str, Ratio]
) -> str:
    """Return the finding of an answer's charts, with its `ratios` by lane; empty without one.

    Example: "Write speed ranges from 0.836 GB/s (USB 3) to 6.84 GB/s (Internal SSD)". No number is
    parted from its unit, nor a name from its number, where the line wraps.
    """
    return unbroken(_finding(question, charts, ratios))


def unbroken(text: str) -> str:
    """Put no-break spaces between a number and its unit, and a name and its number."""
    return re.sub(r"(?<=[A-Za-z]) (?=\d)", _FIXED, text.replace(THIN, _NARROW))


def _finding(
    question: QuestionResponse, charts: Sequence[Chart], ratios: Mapping[str, Ratio]
) -> str:
    drawn = (chart for chart in charts if chart.kind != "targets" and not chart.is_empty)
    chart = next(drawn, None)
    figures = _single_metric(_measured(chart)) if chart else []
    if chart is None or not figures:
        return ""
    noun = re.split(", | by ", words.metric_title(figures[0].lane.metric))[0]
    if chart.measure == "ratio":
        return _relative(noun, question, figures, ratios)
    axis = axis_of(question)
    if chart.kind == "lines" and axis:
        return _along(noun, axis, chart, figures)
    return _across(noun, figures)


def _measured(chart: Chart) -> list[_MeasuredLane]:
    return [
        _MeasuredLane(case, lane)
        for case in chart.cases
        for lane in case.lanes
        if lane.value is not None and not lane.hollow and not lane.doubted and not case.undrawn
    ]


def _single_metric(figures: list[_MeasuredLane]) -> list[_MeasuredLane]:
    """Keep the first metric of the area (`disk.`) with most metrics, by the method most used."""
    metrics = {figure.lane.metric for figure in figures}
    areas = Counter(name.partition(".")[0] for name in metrics)
    order = {name: index for index, name in enumerate(catalog.METRICS)}
    name = min(
        metrics,
        key=lambda name: (-areas[name.partition(".")[0]], order.get(name, len(order))),
        default="",
    )
    matching = [figure for figure in figures if figure.lane.metric == name]
    methods = Counter(figure.lane.method for figure in matching)
    usual = max(methods, key=lambda method: methods[method], default="")
    return [figure for figure in matching if figure.lane.method == usual]


def _across(noun: str, figures: list[_MeasuredLane]) -> str:
    """Format the lowest and the highest of figures without an order."""
    low, high = (end(figures, key=lambda figure: figure.value) for end in (min, max))
    name = _namer(figures)
    if len(figures) == 1:
        return f"{noun} {_verb(noun, 'is')} {low.text}"
    if low.value > 0 and high.value / low.value <= _HARDLY:
        several = counted(len(figures), "case")
        return f"{noun} hardly {_verb(noun, 'differs')}: {low.text} to {high.text} in {several}"
    ends = f"from {low.text} ({name(low)}) to {high.text} ({name(high)})"
    return f"{noun} {_verb(noun, 'ranges')} {ends}"


def _along(noun: str, axis: str, chart: Chart, figures: list[_MeasuredLane]) -> str:
    """Format how the longest line goes: from where to where, or to its peak.

    A line breaks where its figures mix differently: only what is joined is compared.
    """
    by_lane = {figure.lane.id: figure for figure in figures}
    joined = [
        [by_lane[point.lane] for point in stretch if point.lane in by_lane]
        for panel in chart.panels
        for series in panel.series
        for stretch in series.stretches
    ]
    line = max(joined, key=len, default=[])
    if not line:
        return ""
    if title := _name([name for name in _varying(figures) if name != axis], line[0]):
        noun = f"{title}: {words.uncapitalised(noun)}"
    first, last = line[0], line[-1]
    if len(line) == 1:
        # One of several figures that mix differently isn't the finding.
        if len(figures) > 1:
            return ""
        return f"{noun} is {first.text} ({_at(axis, first)})"
    low, high = (end(line, key=lambda figure: figure.value) for end in (min, max))
    if low.value > 0 and high.value / low.value <= _HARDLY:
        return (
            f"{noun} hardly changes: {low.text} to {high.text} "
            f"({_at(axis, first)} to {_at(axis, last)})"
        )
    ends = sorted((first.value, last.value))
    if high.value > _PEAK * ends[1]:
        return f"{noun} peaks at {high.text} ({_at(axis, high)})"
    if low.value * _PEAK < ends[0]:
        return f"{noun} is lowest at {low.text} ({_at(axis, low)})"
    verb = "rises" if last.value > first.value else "falls"
    begin, finish = _ends_of_line(axis, first, last)
    return f"{noun} {verb} from {first.text} ({begin}) to {last.text} ({finish})"


def _ends_of_line(axis: str, first: _MeasuredLane, last: _MeasuredLane) -> list[str]:
    """Format where a line begins and ends, with the Macs behind if they can't be the same."""
    fewer, more = sorted((first.machines, last.machines))
    counts = [f", {counted(one.machines, 'Mac')}" * (fewer < more / 2) for one in (first, last)]
    return [_at(axis, one) + count for one, count in zip((first, last), counts, strict=True)]


def _relative(
    noun: str,
    question: QuestionResponse,
    figures: list[_MeasuredLane],
    ratios: Mapping[str, Ratio],
) -> str:
    """Format by how much figures are below or above a reference, the smallest change first.

    Only differences that are established count: neither unclear nor confounded ones.
    """
    reference = {term["dimension"]: term["value"] for term in question["relative_to"]}
    # The reference itself is 100 % by definition.
    figures = [one for one in figures if any(one.at(name) != of for name, of in reference.items())]
    if not figures:
        return ""
    fixed = {term["dimension"] for term in question["where"]}.union(
        *(figure.case.key or {} for figure in figures)
    )
    # Where its dimension is neither grouped nor filtered by, groups may include the reference.
    lead = _lead(reference, figures) if fixed.issuperset(reference) else _relative_to(reference)
    start = f"{lead}, {words.uncapitalised(noun)}"
    seen = [figure for figure in figures if is_established(ratios[figure.lane.id])]
    undecided = ("no_evidence", "not_enough")
    unclear = [
        figure
        for figure in figures
        if (ratio := ratios[figure.lane.id])["verdict"]["answer"] in undecided
        and not is_established(ratio)
    ]
    name = _namer(figures)
    several = counted(len(figures), "case")
    share = f"{len(unclear)} of {several}" if len(unclear) < len(figures) else several
    if not seen:
        text = f"{start} {_verb(noun, 'shows')} no clear difference in {share}"
        return text if unclear else ""
    text = f"{start} {_verb(noun, 'is')} {_ends(seen, name)}"
    if not unclear:
        return text
    answers = {ratios[figure.lane.id]["verdict"]["answer"] for figure in unclear}
    verdict = "no clear difference" if answers == {"no_evidence"} else "unclear"
    where = f"for {name(unclear[0])}" if len(unclear) == 1 else f"in {share}"
    return f"{text}; {verdict} {where}"


def _ends(figures: list[_MeasuredLane], name: Callable[[_MeasuredLane], str]) -> str:
    """Format "3 % (Thunderbolt 3) to 16 % (Thunderbolt 5) lower", the smallest change first."""
    low, high = (end(figures, key=lambda figure: figure.value) for end in (min, max))
    if low.value < 1 < high.value:
        return " to ".join(f"{_change(figure)} ({name(figure)})" for figure in (low, high))
    near, far = sorted((low, high), key=lambda figure: abs(figure.value - 1))
    if len(figures) == 1:
        return _change(far) + (f" ({name(far)})" if name(far) else "")
    names = [name(figure) for figure in figures]
    several = f"in {counted(len(figures), 'case')}"
    # Names of several parts would run into each other.
    if len(names) <= _NAMED and all(text and "," not in text for text in names):
        several = f"for {words.listed(names)}"
    if _size(near) == _size(far):
        return f"{_change(far)} {several}"
    if high.value / low.value <= _HARDLY:
        return f"{_size(near)} to {_change(far)} {several}"
    return f"{_size(near)} ({name(near)}) to {_size(far)} ({name(far)}) {_direction(far)}"


def _lead(reference: Mapping[str, Value], figures: list[_MeasuredLane]) -> str:
    """Format what the figures have that their reference hasn't: "With encryption"."""
    if reference == {"encryption": "none"}:
        return "With encryption"
    if reference == {"virtual": False}:
        return "In a VM"
    if [*reference] == ["power_mode"] and len(
        modes := {figure.at("power_mode") for figure in figures}
    ) == 1:
        return f"In {words.value_text('power_mode', *modes)}"
    if [*reference] == ["os_version"]:
        return f"Relative to {_value('os_version', reference['os_version'])}"
    return _relative_to(reference)


def _relative_to(reference: Mapping[str, Value]) -> str:
    return f"Relative to {words.reference_text(reference)}"


def _change(figure: _MeasuredLane) -> str:
    """Format "16 % lower"."""
    return f"{_size(figure)} {_direction(figure)}"


def _size(figure: _MeasuredLane) -> str:
    return change_text(figure.value).lstrip(f"+{MINUS}")


def _direction(figure: _MeasuredLane) -> str:
    return direction(figure.lane.metric, above=figure.value > 1)


def _at(axis: str, figure: _MeasuredLane) -> str:
    return _value(axis, figure.at(axis))


def _varying(cases: list[_MeasuredLane]) -> list[str]:
    """Return the dimensions that tell these cases apart, in reading order."""
    keys = {name for one in cases for name in one.case.key or {}}
    return [name for name in words.reading_order(keys) if len({one.at(name) for one in cases}) > 1]


def _namer(figures: list[_MeasuredLane]) -> Callable[[_MeasuredLane], str]:
    names = _varying(figures)
    return lambda figure: _name(names, figure)


def _name(dimensions: Sequence[str], figure: _MeasuredLane) -> str:
    """Format what a case is: "USB4, not encrypted", without explanations in parentheses."""
    if not dimensions:
        return ""
    stated = [name for name in dimensions if figure.at(name) is not None] or [dimensions[0]]
    texts = [re.sub(r" \([^)]*\)", "", _value(name, figure.at(name))) for name in stated]
    # Only our own words begin with a small letter inside a name; a dock's name is its own.
    return ", ".join(
        words.uncapitalised(text) if index and _is_listed(stated[index]) else text
        for index, text in enumerate(texts)
    )


def _value(dimension: str, value: Value) -> str:
    if dimension == "os_version" and isinstance(value, str):
        return words.system_text(value)
    if dimension == "core_context" and isinstance(value, str):
        return words.cores_text(value)
    if dimension == "machine" and words.value_text(dimension, value) == isolated(str(value)):
        return machine_name(str(value))
    return words.case_value(dimension, value)


def _is_listed(dimension: str) -> bool:
    definition = catalog.dimension(dimension)
    return definition is not None and bool(definition.values)


_PLURAL = {"is": "are", "ranges": "range", "differs": "differ", "shows": "show"}


def _verb(noun: str, verb: str) -> str:
    """Inflect a verb for a title such as "Loops per second"."""
    return _PLURAL[verb] if noun.split()[0].endswith("s") else verb
