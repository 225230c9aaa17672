"""Building of the figure that describes an answer or a comparison of sides."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from macmeter.charts import notes, words
from macmeter.charts.axes import axis_of_values, zero_axis
from macmeter.charts.cases import cases_of, drawn, is_doubted, measure_of, shown_groups
from macmeter.charts.cells import columns_of, compares_inside, grid_of
from macmeter.charts.colours import colour_of, key_of_cases, key_of_targets
from macmeter.charts.figure import Chart, Figure, Lane, Remark, Target, to_json
from macmeter.charts.filters import of_hosts
from macmeter.charts.finding import finding_of
from macmeter.charts.lines import lines_of, method_of, usual_method
from macmeter.charts.numbers import counted, median_text, middle_of, shared_scale, with_own_unit
from macmeter.charts.sides import figure_of_sides, sides_title
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Answer, Group, MetricAnswer
from macmeter.schemas.sides import Compared, is_sides

_RATE, _SPEEDS = "compression.speed", "disk."
LEVEL = "as fast as the storage"


def targets_of(
    answer: Answer, places: Sequence[int], sources: notes.Sources, chart: Chart
) -> tuple[Chart, int] | None:
    """Return the chart of a rate over a speed, and the number of figures without a counterpart;
    None if the results at these places aren't such a pair.
    """
    results = [answer["results"][place] for place in places]
    pair = _rate_and_speed(results, answer)
    if pair is None:
        return None
    rate, speed = pair
    at_rate, at_speed = (
        next(place for place in places if answer["results"][place] is result) for result in pair
    )
    scale = shared_scale(results)
    dimensions = words.reading_order(answer["question"]["by"])
    speeds = _by_target([group for _, group in shown_groups(answer, at_speed)])
    found = []
    for lane, over in shown_groups(answer, at_rate):
        for under in speeds.get(_target(over), []):
            cited = [*(over.get("citations") or []), *(under.get("citations") or [])]
            of, at = (
                with_own_unit(median_text(group, scale), scale.symbol) for group in (over, under)
            )
            target = Target(
                label=words.case_label(dimensions, over["key"]) or "All runs",
                lane=lane,
                x=drawn(middle_of(under), scale),
                y=drawn(middle_of(over), scale),
                text=f"{of} at {at}",
                colour=colour_of(over["key"]),
                hollow=over["published"],
                doubted=is_doubted(over) or is_doubted(under),
                dagger=sources.dagger(cited),
            )
            found.append(target)
    both = {_target(group) for group in rate["groups"]} & speeds.keys()
    alone = [g for result in pair for g in result["groups"] if _target(g) not in both]
    across, up = (
        f"{words.metric_title(result['metric'])}, {scale.symbol}" for result in (speed, rate)
    )
    drawn_chart = replace(
        chart,
        kind="targets",
        up=zero_axis([target.y for target in found], up),
        across=zero_axis([target.x for target in found], across),
        targets=tuple(found),
        level=LEVEL,
        key=key_of_targets(found),
    )
    return drawn_chart, len(alone)


def _rate_and_speed(
    results: list[MetricAnswer], answer: Answer
) -> tuple[MetricAnswer, MetricAnswer] | None:
    if len(results) != 2 or measure_of(answer) != "figure":
        return None
    rate = next((one for one in results if one["metric"] == _RATE), None)
    speed = next((one for one in results if one["metric"].startswith(_SPEEDS)), None)
    return (rate, speed) if rate and speed else None


def _target(group: Group) -> str:
    return json.dumps([group["key"], group["published"]], sort_keys=True)


def _by_target(groups: list[Group]) -> dict[str, list[Group]]:
    """Group by target; of several methods for a target, keep that of most runs."""
    usual = usual_method(groups)
    found: dict[str, list[Group]] = {}
    for group in groups:
        found.setdefault(_target(group), []).append(group)
    return {
        target: [group for group in several if method_of(group) == usual] or several
        for target, several in found.items()
    }


# Shown elsewhere: in the figure's key, and below its title.
_TOLD_ELSEWHERE = ("published", "mixes")
# Shown first, since they change how figures are read.
_FIRST = ("filevault_off", "unlike", "held", "crude", "unpaired")


class AnswerResponse(Answer):
    """Answer with its figure, as pages and pictures draw it."""

    figure: Figure


class ComparedResponse(Compared):
    """Sides with their figure, as pages and pictures draw it."""

    figure: Figure


def with_figure(found: Answer | Compared) -> AnswerResponse | ComparedResponse:
    """Add the figure, as JSON, to an answer or to sides."""
    return cast(AnswerResponse | ComparedResponse, {**found, "figure": to_json(figure_of(found))})


def figure_of(found: Answer | Compared, runs: int | None = None) -> Figure:
    """Build the figure of an answer or of sides; `runs` is the number of runs behind it, if already
    counted.
    """
    if is_sides(found):
        return figure_of_sides(found)
    return _Building(found, runs).figure()


def title_of(found: Answer | Compared) -> str:
    """Return the default title of an answer or of sides."""
    if is_sides(found):
        return sides_title(found["comparison"])
    return words.question_title(found["question"])


class _Building:
    """Presentation of an answer, with shared parts computed once."""

    def __init__(self, answer: Answer, runs: int | None) -> None:
        self.answer = answer
        self.question = answer["question"]
        self.results = answer["results"]
        self.runs = notes.total_runs(answer) if runs is None else runs
        self.sources = notes.Sources(self.results)
        self.flags = notes.flag_notes(self.results)
        self.unplaced = self.unpaired = 0

    def figure(self) -> Figure:
        title = words.question_title(self.question)
        places = range(len(self.results))
        groups = [of for place in places for _, of in shown_groups(self.answer, place)]
        inside: list[Group] = []
        others: list[Group] = []
        for group in groups:
            (inside if compares_inside(self.question, group) else others).append(group)
        mixed, across = words.mixes_in_words(others), words.mixes_in_words(inside, "Across")
        units = self._units()
        charts = tuple(self._chart(places, alone=len(units) == 1) for places in units)
        nothing = self._nothing(charts)
        return Figure(
            title=title,
            text=notes.alternative(
                title, mixed, notes.rows_of_all(charts, self.flags.values()), nothing
            ),
            runs=self.runs,
            finding=finding_of(self.question, charts),
            charts=charts,
            mixed=mixed,
            told=(
                *filter(None, [across]),
                *map(isolated, words.terms_in_words(self.question["where"])),
                counted(self.runs, "run"),
            ),
            nothing=nothing,
            notes=tuple(self._notes()),
            flags=tuple(self.flags.values()),
            sources=self.sources.articles(),
            of_hosts=of_hosts(self.question),
        )

    def _units(self) -> list[list[int]]:
        """Return the places of results that share an axis."""
        units: dict[str, list[int]] = {}
        for place, result in enumerate(self.results):
            units.setdefault(result["unit"], []).append(place)
        return list(units.values())

    def _chart(self, places: list[int], *, alone: bool) -> Chart:
        """Return the chart of one unit. Groups without a place on an axis remain cases."""
        measure = measure_of(self.answer)
        cases = cases_of(self.answer, places, self.sources, self.flags)
        lanes = [lane for case in cases for lane in case.lanes]
        metrics = [self.results[place]["metric"] for place in places]
        scale = shared_scale([self.results[place] for place in places])
        unit = "%" if measure == "ratio" else scale.symbol
        title = words.question_title(self.question, metrics)
        chart = Chart(
            kind="cases",
            title=title,
            unit=unit,
            measure=measure,
            up=axis_of_values([end for lane in lanes for end in _reach(lane)], measure, unit),
            text=""
            if alone
            else notes.alternative(title, "", notes.rows_of(cases, self.flags.values())),
            cases=cases,
            columns=columns_of(lanes, measure, scale.symbol),
        )
        if targets := targets_of(self.answer, places, self.sources, chart):
            self.unpaired += targets[1]
            return targets[0]
        if lines := lines_of(self.answer, places, self.sources, chart):
            self.unplaced += lines[1]
            return lines[0]
        grid = grid_of(self.question["by"], len(places), cases)
        return replace(chart, key=key_of_cases(lanes, measure), grid=grid)

    def _nothing(self, charts: tuple[Chart, ...]) -> str:
        """Return the empty-state text."""
        if not all(chart.is_empty for chart in charts):
            return ""
        if any(chart.kind == "targets" for chart in charts):
            return "No drive has both results yet."
        if any(chart.cases for chart in charts):
            return "The figures here are ratios as printed: they are in the table."
        if any(result["groups"] for result in self.results):
            return "Nothing here has a reference to be compared with."
        return "No runs answer this question."

    def _notes(self) -> list[Remark]:
        remarks = []
        if self.unplaced:
            text = f"{counted(self.unplaced, 'result')} can't be plotted on this axis."
            remarks.append(Remark("unplaced", text))
        if self.unpaired:
            text = f"{counted(self.unpaired, 'result')} without a counterpart, not plotted."
            remarks.append(Remark("unpaired_targets", text))
        if out := notes.left_out_in_words(self.answer):
            remarks.append(Remark("left_out", out))
        if self.question["flagged"] == "include":
            remarks.append(Remark("included", "Doubted runs are counted in these figures."))
        told = {n["code"]: n["text"] for result in self.results for n in result["notes"]}
        for code in _TOLD_ELSEWHERE:
            told.pop(code, None)
        remarks += [Remark(code, told.pop(code)) for code in _FIRST if code in told]
        return [*remarks, *(Remark(code, text, minor=True) for code, text in told.items())]


def _reach(lane: Lane) -> list[float]:
    """Return all values that the lane draws."""
    ends = [*(lane.band or ()), *(lane.interval or ())]
    return ends if lane.value is None else [lane.value, *ends]
