"""What a picture tells before it has a size: of an answer, or of sides beside one another."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from macmeter.figures.cases import Cases, cases_of
from macmeter.figures.notes import (
    FlagNote,
    Sources,
    flag_notes,
    flags_in_words,
    left_out_in_words,
    total_runs,
)
from macmeter.figures.numbers import counted
from macmeter.figures.panels import Panels, axis_of, panels_of
from macmeter.figures.sides import SidesContent
from macmeter.figures.targets import Targets, targets_of
from macmeter.figures.words import (
    filters_in_words,
    metrics_title,
    mixes_in_words,
    question_title,
)
from macmeter.pictures import svg
from macmeter.pictures.draw_lines import fits_in_words

Json = dict[str, Any]


class Part:
    """The figures of one unit: seconds and watts share no axis, and so no chart."""

    def __init__(self, answer: Json, sources: Sources, flags: dict[str, FlagNote]) -> None:
        self.answer, self._sources, self._flags = answer, sources, flags

    @property
    def title(self) -> str:
        """Its metrics, where an answer has several parts."""
        return metrics_title([result["metric"] for result in self.answer["results"]])

    @cached_property
    def panels(self) -> Panels | None:
        axis = None if self.targets else axis_of(self.answer["question"])
        panels = panels_of(self.answer, axis, self._sources) if axis else None
        # Groups without a place on the axis are still cases.
        return panels if panels and panels.panels else None

    @cached_property
    def targets(self) -> Targets | None:
        return targets_of(self.answer, self._sources)

    @cached_property
    def cases(self) -> Cases:
        return cases_of(self.answer, self._sources, self._flags)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        if self.targets is not None:
            return not self.targets.points
        return not (self.panels or self.cases.cases)


class AnswerContent:
    """An answer's parts, each worked out once."""

    def __init__(self, answer: Json, runs: int | None = None) -> None:
        self.answer = answer
        self.runs = total_runs(answer) if runs is None else runs
        self.question: Json = answer["question"]
        self.asked = question_title(self.question)
        self.several_metrics = len(answer["results"]) > 1

    @cached_property
    def parts(self) -> list[Part]:
        units: dict[str, list[Json]] = {}
        for result in self.answer["results"]:
            units.setdefault(result["unit"], []).append(result)
        return [
            Part({**self.answer, "results": results}, self.sources, self._notes)
            for results in units.values()
        ]

    @cached_property
    def _notes(self) -> dict[str, FlagNote]:
        return flag_notes(self.answer)

    @cached_property
    def flags(self) -> list[FlagNote]:
        return list(self._notes.values())

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.answer)

    @cached_property
    def mixed(self) -> str:
        """ "Mixes 12 chips": what must be known before any figure is read; mostly empty."""
        return mixes_in_words(g for result in self.answer["results"] for g in result["groups"])

    @cached_property
    def told(self) -> list[str]:
        """What is mixed, filters and runs, for the line under the title."""
        filters = [svg.isolated(text) for text in filters_in_words(self.question)]
        return [*filter(None, [self.mixed]), *filters, counted(self.runs, "run")]

    @property
    def nothing(self) -> str:
        """Said where there is nothing to draw."""
        if any(part.targets for part in self.parts):
            return "No target has both figures yet."
        if any(result["groups"] for result in self.answer["results"]):
            return "Nothing here has a reference to be compared with."
        return "No runs answer this question."

    def notes(self, letters: frozenset[str]) -> list[str]:
        """In the order in which they matter: in a fixed frame the last ones find no room.

        `letters` are those of the flags that stand in the chart; none where it has no letters.
        """
        notes = []
        drawn = [part.panels for part in self.parts if part.panels]
        for panels in drawn:
            notes += fits_in_words(panels)
        if unplaced := sum(panels.unplaced for panels in drawn):
            notes.append(f"{counted(unplaced, 'figure')} without a place on this axis.")
        if alone := sum(part.targets.unpaired for part in self.parts if part.targets):
            notes.append(f"{counted(alone, 'figure')} of targets that have only one of the two.")
        if out := left_out_in_words(self.answer):
            notes.append(out)
        if self.question["flagged"] == "include":
            notes.append("Doubted runs are counted in these figures.")
        told = {n["code"]: n["text"] for result in self.answer["results"] for n in result["notes"]}
        notes += [told.pop(code) for code in ("filevault_off", "unpaired") if code in told]
        told.pop("published", None)  # the key says so
        told.pop("mixes", None)  # stands under the title
        notes += flags_in_words(self.flags, letters)
        return [*notes, *self.sources.in_words(), *told.values()]


Content = AnswerContent | SidesContent


def content_of(found: Json, runs: int | None = None) -> Content:
    """Of an answer or of sides; `runs` where somebody else has counted what stands behind it."""
    return SidesContent(found) if "comparison" in found else AnswerContent(found, runs)


def title_of(found: Json) -> str:
    """What an answer or sides are called where nobody has given them a title."""
    return content_of(found).asked
