"""From an answer, or from sides beside one another, to the figure that describes it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from macmeter.answers.answer import Answer
from macmeter.answers.sides import Compared, is_sides
from macmeter.figures.axes import axis_of_values
from macmeter.figures.cases import cases_of, measure_of
from macmeter.figures.cells import columns_of
from macmeter.figures.digits import shared_scale
from macmeter.figures.figure import Chart, Figure, Lane, Remark
from macmeter.figures.grids import grid_of
from macmeter.figures.groups import shown_groups
from macmeter.figures.in_words import alternative, rows_of, rows_of_all
from macmeter.figures.key import key_of_cases, key_of_lines, key_of_targets
from macmeter.figures.lines import Lines, axis_of, lines_of
from macmeter.figures.notes import Sources, flag_notes, left_out_in_words, total_runs
from macmeter.figures.numbers import counted
from macmeter.figures.offers import of_hosts
from macmeter.figures.sides import figure_of_sides, sides_title
from macmeter.figures.targets import LEVEL, Targets, targets_of
from macmeter.figures.travel import travelling
from macmeter.figures.words import filters_in_words, mixes_in_words, question_title
from macmeter.plain_text import isolated

# Shown elsewhere on a figure: by its key, and under its title.
_TOLD_ELSEWHERE = ("published", "mixes")
# Before the others: they change how figures are read.
_FIRST = ("filevault_off", "unlike", "held", "crude", "unpaired")


class ToldAnswer(Answer):
    """With the figure that describes it, as pages and pictures draw it."""

    figure: Figure


class ToldSides(Compared):
    """With the figure that describes them, as pages and pictures draw it."""

    figure: Figure


def with_figure(found: Answer | Compared) -> ToldAnswer | ToldSides:
    """An answer, or sides beside one another, with its figure as it travels."""
    return cast(ToldAnswer | ToldSides, {**found, "figure": travelling(figure_of(found))})


def figure_of(found: Answer | Compared, runs: int | None = None) -> Figure:
    """Build the figure of an answer or of sides; `runs` where the runs behind it are counted
    already.
    """
    if is_sides(found):
        return figure_of_sides(found)
    return _Building(found, runs).figure()


def title_of(found: Answer | Compared) -> str:
    """What an answer or sides are called where nobody has given them a title."""
    if is_sides(found):
        return sides_title(found["comparison"])
    return question_title(found["question"])


class _Building:
    """An answer being presented, its parts worked out once."""

    def __init__(self, answer: Answer, runs: int | None) -> None:
        self.answer = answer
        self.question = answer["question"]
        self.results = answer["results"]
        self.runs = total_runs(answer) if runs is None else runs
        self.sources = Sources(self.results)
        self.flags = flag_notes(self.results)
        self.unplaced = self.unpaired = 0

    def figure(self) -> Figure:
        title = question_title(self.question)
        places = range(len(self.results))
        groups = [of for place in places for _, of in shown_groups(self.answer, place)]
        mixed = mixes_in_words(groups)
        units = self._units()
        charts = tuple(self._chart(places, alone=len(units) == 1) for places in units)
        nothing = self._nothing(charts)
        return Figure(
            title=title,
            text=alternative(title, mixed, rows_of_all(charts, self.flags.values()), nothing),
            runs=self.runs,
            charts=charts,
            mixed=mixed,
            told=(*map(isolated, filters_in_words(self.question)), counted(self.runs, "run")),
            nothing=nothing,
            notes=tuple(self._notes()),
            flags=tuple(self.flags.values()),
            sources=self.sources.told(),
            of_hosts=of_hosts(self.question),
        )

    def _units(self) -> list[list[int]]:
        """The places of results that share an axis."""
        units: dict[str, list[int]] = {}
        for place, result in enumerate(self.results):
            units.setdefault(result["unit"], []).append(place)
        return list(units.values())

    def _chart(self, places: list[int], *, alone: bool) -> Chart:
        """What is drawn of one unit. Groups without a place on an axis are still cases."""
        targets = targets_of(self.answer, places, self.sources)
        axis = None if targets else axis_of(self.question)
        lines = lines_of(self.answer, places, axis, self.sources) if axis else None
        measure = measure_of(self.answer)
        cases = cases_of(self.answer, places, self.sources, self.flags)
        lanes = [lane for case in cases for lane in case.lanes]
        metrics = [self.results[place]["metric"] for place in places]
        scale = shared_scale([self.results[place] for place in places])
        unit = "%" if measure == "ratio" else scale.symbol
        title = question_title(self.question, metrics)
        chart = Chart(
            kind="cases",
            title=title,
            unit=unit,
            measure=measure,
            up=axis_of_values([end for lane in lanes for end in _reach(lane)], measure, unit),
            text="" if alone else alternative(title, "", rows_of(cases, self.flags.values())),
            cases=cases,
            columns=columns_of(lanes, measure, scale.symbol),
        )
        if targets:
            return self._of_targets(targets, chart)
        if lines:
            return self._of_lines(lines, chart)
        grid = grid_of(self.question["by"], len(places), cases)
        return replace(chart, key=key_of_cases(lanes, measure), grid=grid)

    def _of_targets(self, found: Targets, chart: Chart) -> Chart:
        self.unpaired += found.unpaired
        return replace(
            chart,
            kind="targets",
            up=found.up,
            across=found.across,
            targets=found.targets,
            level=LEVEL,
            key=key_of_targets(found.targets),
        )

    def _of_lines(self, found: Lines, chart: Chart) -> Chart:
        self.unplaced += found.unplaced
        return replace(
            chart,
            kind="lines",
            up=found.up,
            across=found.across,
            panels=found.panels,
            fits=found.fits,
            key=key_of_lines(found.panels, chart.measure, axis_of(self.question)),
        )

    def _nothing(self, charts: tuple[Chart, ...]) -> str:
        """Said where there is nothing to draw."""
        if not all(chart.is_empty for chart in charts):
            return ""
        if any(chart.kind == "targets" for chart in charts):
            return "No target has both figures yet."
        if any(chart.cases for chart in charts):
            return "The figures here are ratios as printed: they are in the table."
        if any(result["groups"] for result in self.results):
            return "Nothing here has a reference to be compared with."
        return "No runs answer this question."

    def _notes(self) -> list[Remark]:
        notes = []
        if self.unplaced:
            text = f"{counted(self.unplaced, 'figure')} without a place on this axis."
            notes.append(Remark("unplaced", text))
        if self.unpaired:
            text = f"{counted(self.unpaired, 'figure')} of targets that have only one of the two."
            notes.append(Remark("unpaired_targets", text))
        if out := left_out_in_words(self.answer):
            notes.append(Remark("left_out", out))
        if self.question["flagged"] == "include":
            notes.append(Remark("included", "Doubted runs are counted in these figures."))
        told = {n["code"]: n["text"] for result in self.results for n in result["notes"]}
        for code in _TOLD_ELSEWHERE:
            told.pop(code, None)
        notes += [Remark(code, told.pop(code)) for code in _FIRST if code in told]
        return [*notes, *(Remark(code, text, minor=True) for code, text in told.items())]


def _reach(lane: Lane) -> list[float]:
    """All that is drawn of it."""
    ends = [*(lane.band or ()), *(lane.interval or ())]
    return ends if lane.value is None else [lane.value, *ends]
