"""Build the figure of an answer or of a comparison of sides: everything that is shown of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from macmeter.charts import notes, words
from macmeter.charts.axes import axis_of_values, zero_axis
from macmeter.charts.cases import (
    cases_of,
    drawn_groups,
    is_doubted,
    measure_of,
    on_axis,
    shown_groups,
)
from macmeter.charts.cautions import ratio_remarks
from macmeter.charts.cells import columns_of, compares_like_with_like, grid_of
from macmeter.charts.colours import colour_of, key_of_cases, key_of_targets
from macmeter.charts.figure import Chart, Figure, Lane, Remark, Target, to_json
from macmeter.charts.filters import host_ratio_query
from macmeter.charts.finding import finding_of
from macmeter.charts.lines import lines_of, method_of, usual_method
from macmeter.charts.numbers import counted, drawn_value, median_text, shared_scale, with_own_unit
from macmeter.charts.sides import figure_of_sides, sides_title
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Answer, Group, MetricAnswer
from macmeter.schemas.sides import Compared, compares_sides

_RATE, _SPEEDS = "compression.speed", "disk."
LEVEL_LABEL = "as fast as the storage"


def targets_of(
    answer: Answer, indices: Sequence[int], sources: notes.NumberedArticles, chart: Chart
) -> tuple[Chart, int] | None:
    """Return the chart of a rate over a speed, and the number of figures without a counterpart;
    None if the results at these indices aren't such a pair.
    """
    results = [answer["results"][index] for index in indices]
    pair = _rate_and_speed(results, answer)
    if pair is None:
        return None
    rate, speed = pair
    at_rate, at_speed = (
        next(index for index in indices if answer["results"][index] is result) for result in pair
    )
    scale = shared_scale(results)
    dimensions = words.reading_order(answer["question"]["by"])
    speeds = _by_target([group for _, group in shown_groups(answer, at_speed)])
    targets = []
    for lane, rate_group in shown_groups(answer, at_rate):
        for speed_group in speeds.get(_target_key(rate_group), []):
            cited = [*(rate_group.get("citations") or []), *(speed_group.get("citations") or [])]
            rate_text, speed_text = (
                with_own_unit(median_text(group, scale), scale.symbol)
                for group in (rate_group, speed_group)
            )
            target = Target(
                label=words.case_label(dimensions, rate_group["key"]) or "All runs",
                lane=lane,
                x=on_axis(drawn_value(speed_group), scale),
                y=on_axis(drawn_value(rate_group), scale),
                text=f"{rate_text} at {speed_text}",
                colour=colour_of(rate_group["key"]),
                hollow=rate_group["published"],
                doubted=is_doubted(rate_group) or is_doubted(speed_group),
                dagger=sources.dagger(cited),
            )
            targets.append(target)
    paired = {_target_key(group) for group in rate["groups"]} & speeds.keys()
    unpaired = [g for result in pair for g in result["groups"] if _target_key(g) not in paired]
    across, up = (
        f"{words.metric_title(result['metric'])}, {scale.symbol}" for result in (speed, rate)
    )
    drawn_chart = replace(
        chart,
        kind="targets",
        up=zero_axis([target.y for target in targets], up),
        across=zero_axis([target.x for target in targets], across),
        targets=tuple(targets),
        level=LEVEL_LABEL,
        key=key_of_targets(targets),
    )
    return drawn_chart, len(unpaired)


def _rate_and_speed(
    results: list[MetricAnswer], answer: Answer
) -> tuple[MetricAnswer, MetricAnswer] | None:
    if len(results) != 2 or measure_of(answer) != "figure":
        return None
    rate = next((result for result in results if result["metric"] == _RATE), None)
    speed = next((result for result in results if result["metric"].startswith(_SPEEDS)), None)
    return (rate, speed) if rate and speed else None


def _target_key(group: Group) -> str:
    return json.dumps([group["key"], group["published"]], sort_keys=True)


def _by_target(groups: list[Group]) -> dict[str, list[Group]]:
    """Group by target; of several methods for a target, keep the one with most runs."""
    usual = usual_method(groups)
    by_target: dict[str, list[Group]] = {}
    for group in groups:
        by_target.setdefault(_target_key(group), []).append(group)
    return {
        target: [group for group in several if method_of(group) == usual] or several
        for target, several in by_target.items()
    }


# Codes of notes that are shown elsewhere: in the figure's key, and below its title.
_SHOWN_ELSEWHERE = ("published", "mixes")
# Codes of notes that are shown first, since they change how figures are read.
_FIRST = ("filevault_off", "unlike", "pairs_by_model", "held", "crude", "unpaired")


class AnswerResponse(Answer):
    """Answer with its figure, as pages and pictures draw it."""

    figure: Figure


class ComparedResponse(Compared):
    """Sides with their figure, as pages and pictures draw it."""

    figure: Figure


def with_figure(answer: Answer | Compared) -> AnswerResponse | ComparedResponse:
    """Add the figure, as JSON, to an answer or to sides."""
    return cast(AnswerResponse | ComparedResponse, {**answer, "figure": to_json(figure_of(answer))})


def figure_of(answer: Answer | Compared, runs: int | None = None) -> Figure:
    """Build the figure of an answer or of sides; `runs` is the number of runs behind it, if already
    counted.
    """
    if compares_sides(answer):
        return figure_of_sides(answer)
    return _FigureBuilder(answer, runs).figure()


def title_of(answer: Answer | Compared) -> str:
    """Return the default title of an answer or of sides."""
    if compares_sides(answer):
        return sides_title(answer["comparison"])
    return words.question_title(answer["question"])


class _FigureBuilder:
    """Builds the figure of one answer. What its charts share is computed once."""

    def __init__(self, answer: Answer, runs: int | None) -> None:
        self.answer = answer
        self.question = answer["question"]
        self.results = answer["results"]
        self.runs = notes.total_runs(answer) if runs is None else runs
        self.sources = notes.NumberedArticles(self.results)
        self.flags = notes.flag_notes(self.results)
        self.unplaced = self.unpaired = 0
        self.ratios = {
            lane: group["ratio"]
            for index in range(len(self.results))
            for lane, group in drawn_groups(answer, index)
            if "ratio" in group and not group["published"]
        }

    def figure(self) -> Figure:
        title = words.question_title(self.question)
        indices = range(len(self.results))
        groups = [group for index in indices for _, group in shown_groups(self.answer, index)]
        inside: list[Group] = []
        outside: list[Group] = []
        for group in groups:
            (inside if compares_like_with_like(self.question, group) else outside).append(group)
        mixed, across = words.mixes_in_words(outside), words.mixes_in_words(inside, "Across")
        units = self._indices_by_unit()
        charts = tuple(self._chart(indices, alone=len(units) == 1) for indices in units)
        nothing = self._nothing(charts)
        return Figure(
            title=title,
            text=notes.alternative_text(
                title, mixed, notes.rows_of_all(charts, self.flags.values()), nothing
            ),
            runs=self.runs,
            finding=finding_of(self.question, charts, self.ratios),
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
            of_hosts=host_ratio_query(self.question),
        )

    def _indices_by_unit(self) -> list[list[int]]:
        """Return the indices of results, grouped by unit: those of one unit share an axis."""
        units: dict[str, list[int]] = {}
        for index, result in enumerate(self.results):
            units.setdefault(result["unit"], []).append(index)
        return list(units.values())

    def _chart(self, indices: list[int], *, alone: bool) -> Chart:
        """Return the chart of one unit. Groups without a place on an axis remain cases."""
        measure = measure_of(self.answer)
        cases = cases_of(self.answer, indices, self.sources, self.flags)
        lanes = [lane for case in cases for lane in case.lanes]
        metrics = [self.results[index]["metric"] for index in indices]
        scale = shared_scale([self.results[index] for index in indices])
        unit = "%" if measure == "ratio" else scale.symbol
        title = words.question_title(self.question, metrics)
        chart = Chart(
            kind="cases",
            title=title,
            unit=unit,
            measure=measure,
            up=axis_of_values(
                [end for lane in lanes for end in _drawn_values(lane)], measure, unit
            ),
            text=""
            if alone
            else notes.alternative_text(title, "", notes.rows_of(cases, self.flags.values())),
            cases=cases,
            columns=columns_of(lanes, measure, scale.symbol),
        )
        if targets := targets_of(self.answer, indices, self.sources, chart):
            self.unpaired += targets[1]
            return targets[0]
        if lines := lines_of(self.answer, indices, self.sources, chart):
            self.unplaced += lines[1]
            return lines[0]
        chart = replace(chart, key=key_of_cases(lanes, measure))
        if grid := grid_of(self.question["by"], len(indices), cases, measure):
            self.unplaced += grid[1]
            return replace(chart, grid=grid[0])
        return chart

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
        remarks = [*ratio_remarks(self.ratios.values())]
        if self.unplaced:
            text = f"{counted(self.unplaced, 'result')} can't be placed in this chart."
            remarks.append(Remark("unplaced", text))
        if self.unpaired:
            text = f"{counted(self.unpaired, 'result')} without a counterpart, not plotted."
            remarks.append(Remark("unpaired_targets", text))
        if out := notes.left_out_in_words(self.answer):
            remarks.append(Remark("left_out", out))
        if self.question["flagged"] == "include":
            remarks.append(Remark("included", "Doubted runs are counted in these figures."))
        texts = {n["code"]: n["text"] for result in self.results for n in result["notes"]}
        for code in _SHOWN_ELSEWHERE:
            texts.pop(code, None)
        remarks += [Remark(code, texts.pop(code)) for code in _FIRST if code in texts]
        return [*remarks, *(Remark(code, text, minor=True) for code, text in texts.items())]


def _drawn_values(lane: Lane) -> list[float]:
    """Return all values that the lane draws."""
    ends = [*(lane.band or ()), *(lane.interval or ())]
    return ends if lane.value is None else [lane.value, *ends]
