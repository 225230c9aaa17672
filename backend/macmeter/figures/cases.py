"""An answer as rows of cases: a lane for every figure, in the order of the catalogue.

As frontend/src/figures/cases.ts, so that picture, page and table agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

from macmeter import catalog
from macmeter.figures.digits import (
    Span,
    band_of,
    interval_of,
    median_text,
    printed_ratio,
    published_text,
    shared_scale,
)
from macmeter.figures.notes import FlagNote, Sources
from macmeter.figures.numbers import Scale, counted, percent
from macmeter.figures.words import (
    case_label,
    case_value,
    key_order,
    metric_title,
    mixes_in_words,
    reading_order,
    shared_tail,
    uncapitalised,
)
from macmeter.pictures.marks import Mark, marks_of
from macmeter.stats.figures import WITHIN_MACHINE

Json = dict[str, Any]
# What is drawn: the figures themselves, or their ratios to a reference.
Measure = Literal["figure", "ratio"]


@dataclass(frozen=True)
class Lane:
    """One line of a case: one metric, measured or published, by one method.

    `value`, `band` and `interval` are in base units, or ratios; a printed ratio among speeds
    has no value and stays words (`text` and `of`).
    """

    metric: str
    name: str
    mark: Mark
    text: str
    hollow: bool
    dagger: str
    weight: str
    value: float | None = None
    band: Span | None = None
    interval: Span | None = None
    within: bool = False  # the interval tells how one machine's own runs vary
    of: str = ""
    method: str = ""
    mixes: str = ""  # what it pools that changes its value: "Mixes 12 chips"
    flags: tuple[FlagNote, ...] = ()
    doubted: bool = False  # all of it, and not some of the runs behind it


@dataclass
class Case:
    """`heading` is the first dimension's value, empty where it is the case before's.

    `note` stands after the label where nothing but figures finds room beside the marks.
    """

    key: Json
    heading: str = ""
    label: str = ""
    lanes: list[Lane] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True)
class Cases:
    """`headings` are of cases of one colour, or of rows of several; `beside` is the part of the
    width that words beside a mark may take.
    """

    cases: list[Case]
    scale: Scale
    measure: Measure
    headings: Literal["colours", "rows"] = "colours"
    beside: float = 0.38


def measure_of(answer: Json) -> Measure:
    return "ratio" if answer["question"]["relative_to"] else "figure"


def cases_of(answer: Json, sources: Sources, flags: dict[str, FlagNote]) -> Cases:
    """The rows of an answer in one unit; of a relative one, its ratios."""
    dimensions = reading_order(answer["question"]["by"])
    reading = _Reading(answer, sources, flags)
    rows: dict[str, Case] = {}
    for key, lane in reading.lanes():
        rows.setdefault(json.dumps(key, sort_keys=True), Case(key)).lanes.append(lane)
    ordered = sorted(rows.values(), key=lambda case: key_order(dimensions, case.key))
    _name(ordered, dimensions)
    return Cases(ordered, reading.scale, reading.measure)


class _Reading:
    """One answer being read into lanes."""

    def __init__(self, answer: Json, sources: Sources, flags: dict[str, FlagNote]) -> None:
        self.answer, self.sources, self.flags = answer, sources, flags
        self.measure = measure_of(answer)
        self.scale = shared_scale(answer["results"])

    def lanes(self) -> Iterator[tuple[Json, Lane]]:
        results = self.answer["results"]
        heads, _ = shared_tail([metric_title(result["metric"]) for result in results])
        marks = marks_of([result["metric"] for result in results])
        for place, result in enumerate(results):
            metric = result["metric"]
            name = uncapitalised(heads[place]) if len(results) > 1 else ""
            mark = marks[metric]
            shown = [group for group in result["groups"] if self._shows(group)]
            methods = _told_apart(shown)
            for group in sorted(shown, key=lambda group: bool(group["published"])):
                lane = self._of_group(result, group, name, mark)
                yield group["key"], replace(lane, method=methods.get(_identity(group), ""))
            for figure in result["published"]:
                printed = self._of_figure(metric, figure, name, mark)
                if printed is not None:
                    yield figure["key"], printed

    def _shows(self, group: Json) -> bool:
        """Of a relative answer, groups with a ratio; a group's ratio to itself says nothing."""
        if self.measure == "figure":
            return True
        key, reference = group["key"], self.answer["question"]["relative_to"]
        same = all(t["dimension"] in key and key[t["dimension"]] == t["value"] for t in reference)
        return "ratio" in group and not same

    def _of_group(self, result: Json, group: Json, name: str, mark: Mark) -> Lane:
        lane = Lane(
            metric=result["metric"],
            name=name,
            mark=mark,
            text="",
            hollow=group["published"],
            dagger=self.sources.dagger(group.get("citations") or []),
            weight="",
            mixes=mixes_in_words([group]),
            doubted=is_doubted(group),
            flags=self._noted([flag["code"] for flag in group["flags"]]),
        )
        if self.measure == "figure":
            return replace(
                lane,
                value=group["median"],
                text=median_text(group, result["unit"], self.scale),
                band=band_of(group),
                interval=interval_of(group),
                within=group.get("interval") == WITHIN_MACHINE,
                weight=_machines(group),
            )
        ratio = group["ratio"]
        return replace(
            lane,
            value=ratio["value"],
            text=percent(ratio["value"]),
            interval=interval_of(ratio),
            weight=counted(ratio["pairs"], "pair") if "pairs" in ratio else ratio["pairing"],
        )

    def _of_figure(self, metric: str, figure: Json, name: str, mark: Mark) -> Lane | None:
        lane = Lane(
            metric=metric,
            name=name,
            mark=mark,
            text="",
            hollow=True,
            dagger=self.sources.dagger([figure["citation"]]),
            weight="as printed",
            flags=self._noted(figure["flags"]),
            doubted=any(map(catalog.is_doubt, figure["flags"])),
        )
        if figure["kind"] == "range":
            if self.measure == "ratio":
                return None
            low, high = figure["low"], figure["high"]
            text = published_text(figure, self.scale.symbol)
            return replace(lane, value=(low + high) / 2, band=(low, high), text=text)
        if self.measure == "ratio":
            return replace(lane, value=figure["value"], text=published_text(figure, "%"))
        to = [uncapitalised(case_value(name, value)) for name, value in figure["to"].items()]
        return replace(lane, text=printed_ratio(figure), of=f"of {', '.join(to)}")

    def _noted(self, codes: list[str]) -> tuple[FlagNote, ...]:
        notes = [self.flags[code] for code in codes]
        return tuple(sorted(notes, key=lambda note: (len(note.letter), note.letter)))


def is_doubted(group: Json) -> bool:
    """Whether every run of the group carries a doubt: a cross through the median of 51 runs, of
    which two are doubted, would say that nothing in it holds.
    """
    flags = group["flags"]
    return any(flag["severity"] == "doubt" and flag["runs"] >= group["runs"] for flag in flags)


def _machines(group: Json) -> str:
    # A published figure is one article's word: its machine says less than how it was measured.
    if group["published"]:
        return counted(group["runs"], "figure") if group["runs"] > 1 else ""
    return counted(group["machines"], "machine")


def _identity(group: Json) -> str:
    told = [group["key"], group["published"], group["method"], group["method_version"]]
    return json.dumps(told, sort_keys=True)


def _told_apart(groups: list[Json]) -> dict[str, str]:
    """Where a case has one metric by several methods: what is special to each one's name."""
    alike: dict[str, list[Json]] = {}
    for group in groups:
        same = json.dumps([group["key"], group["published"]], sort_keys=True)
        alike.setdefault(same, []).append(group)
    told: dict[str, str] = {}
    for several in alike.values():
        if len(several) > 1:
            names = [group["method"] for group in several]
            start = 0
            if len(set(names)) == 1:
                names = [f"version {group['method_version']}" for group in several]
            else:
                if len(set(names)) < len(names):
                    names = [f"{group['method']} {group['method_version']}" for group in several]
                start = _shared_start(names)
            told |= {
                _identity(group): name[start:] for group, name in zip(several, names, strict=True)
            }
    return told


def _shared_start(names: list[str]) -> int:
    """Length of what the names begin with in common, whole words with the hyphen after them."""
    split = [re.split(r"(?<=[- ])", f"{name}-") for name in names]
    length = 0
    for words in zip(*split, strict=False):
        if len(set(words)) > 1:
            break
        length += len(words[0])
    return length


def _name(cases: list[Case], dimensions: list[str]) -> None:
    """Headings from the first dimension when there are more, labels from the rest."""
    if not dimensions:
        for case in cases:
            case.label = "All runs"
        return
    first, *rest = dimensions
    for case in cases:
        case.label = case_label(rest or dimensions, case.key)
        case.heading = case_value(first, case.key[first]) if rest else ""
    # From the end, so that each still sees its predecessor's own heading.
    for before, case in reversed(list(pairwise(cases))):
        if case.heading == before.heading:
            case.heading = ""
