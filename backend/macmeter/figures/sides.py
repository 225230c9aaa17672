"""Sides beside one another as rows of cases: a heading a metric and method, a lane a side.

As frontend/src/figures/sides/ratioParts.ts, so that picture and page agree.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from macmeter.figures.cases import Case, Cases, Lane
from macmeter.figures.digits import interval_of, median_text
from macmeter.figures.notes import FlagNote, Sources, flag_notes, flags_in_words
from macmeter.figures.numbers import Scale, counted, percent, scale_for, with_unit
from macmeter.figures.words import (
    case_value,
    dimension_title,
    filters_in_words,
    left_out,
    listed,
    mixes_in_words,
    question_title,
    uncapitalised,
)
from macmeter.pictures import svg
from macmeter.pictures.marks import Mark, marks_of

Json = dict[str, Any]

_VERDICTS = {
    "different": "different",
    "no_evidence": "no evidence of a difference",
    "not_enough": "not enough to tell",
}
# Fewer sides with a figure and there is nothing to compare.
_COMPARED = 2
# Verdict, number of machines and figure stand beside each mark: they may take half the width.
_BESIDE = 0.5


class SidesContent:
    """A comparison of sides, its parts worked out once: one chart of ratios."""

    title = ""
    panels = targets = None
    nothing = "No results for these metrics."

    def __init__(self, compared: Json) -> None:
        self.compared = compared
        self.question: Json = compared["comparison"]
        self.names = {
            side["number"]: svg.isolated(side["label"]) for side in self.question["sides"]
        }
        self.baseline: int = self.question["baseline"]
        self.asked = sides_title(self.question)
        self.several_metrics = len(compared["rows"]) > 1
        # What notes are told of, in the shape in which answers have it.
        self._as_answer = _as_answer(compared)

    @property
    def parts(self) -> list[SidesContent]:
        return [self]

    @property
    def is_empty(self) -> bool:
        return not self.cases.cases

    @property
    def mixed(self) -> str:
        return mixes_in_words(
            [
                cell
                for row in self.compared["rows"]
                for cell in row["cells"]
                if "missing" not in cell
            ]
        )

    @cached_property
    def sources(self) -> Sources:
        return Sources(self._as_answer)

    @cached_property
    def _flags(self) -> dict[str, FlagNote]:
        return flag_notes(self._as_answer)

    @property
    def told(self) -> list[str]:
        """Filters of all sides and what 100 % is, for the line under the title."""
        filters = [svg.isolated(text) for text in filters_in_words(self.question)]
        baseline = svg.isolated(f"100 % is {self.names[self.baseline]}")
        return [*filter(None, [self.mixed]), *filters, baseline]

    @cached_property
    def _lone(self) -> int:
        """Rows of no more than one side, where there are others: nothing in them is compared."""
        rows = self.compared["rows"]
        lone = sum(_sides_of(row) < _COMPARED for row in rows)
        return lone if lone < len(rows) else 0

    @cached_property
    def cases(self) -> Cases:
        found: list[Case] = []
        marks = marks_of(list(dict.fromkeys(row["metric"] for row in self.compared["rows"])))
        for row in self.compared["rows"]:
            if self._lone and _sides_of(row) < _COMPARED:
                continue
            heading = " · ".join(filter(None, [_row_name(row), _method_name(row)]))
            for cell in row["cells"]:
                found.append(self._case(cell["side"], heading, self._lane(row, cell, marks)))
                heading = ""
        mean = self.compared["geometric_mean"]
        if len(mean["covers"]) > 1:
            heading = f"Geometric mean of {len(mean['covers'])} ratios, above 100 % is better"
            for side in mean["sides"]:
                found.append(self._case(side["side"], heading, _lane_of_mean(side["value"])))
                heading = ""
        return Cases(found, Scale(), "ratio", headings="rows", beside=_BESIDE)

    def _case(self, number: int, heading: str, lane: Lane) -> Case:
        (side,) = (one for one in self.question["sides"] if one["number"] == number)
        key = {
            term["dimension"]: term["value"] for term in side["where"] if term["op"] == "is"
        }  # for its colour
        return Case(key, heading, self.names[number], [lane], note=lane.weight)

    def _lane(self, row: Json, cell: Json, marks: dict[str, Mark]) -> Lane:
        lane: Json = {
            "metric": row["metric"],
            "name": "",
            "mark": marks[row["metric"]],
            "hollow": bool(row["published"]),
            "dagger": self.sources.dagger(cell.get("citations") or []),
            "flags": tuple(self._flags[flag["code"]] for flag in cell.get("flags", [])),
        }
        if "missing" in cell:
            return Lane(**lane, text="nothing here", weight="")
        lane["weight"] = f"{_machines(row, cell)}, {_figure(row, cell)}"
        if cell["side"] == self.baseline:
            return Lane(**lane, text=percent(1), value=1.0, method="baseline")
        if "ratio" not in cell:
            return Lane(**lane, text="no ratio")
        ratio = cell["ratio"]
        unlike = ", unlike" if ratio["unlike"] else ""
        return Lane(
            **lane,
            text=percent(ratio["value"]),
            value=ratio["value"],
            interval=interval_of(ratio),
            method=_VERDICTS[ratio["verdict"]["answer"]] + unlike,
        )

    def notes(self, letters: frozenset[str]) -> list[str]:
        """In the order in which they matter: in a fixed frame the last ones find no room."""
        notes = []
        if unlike := self._unlike():
            notes.append(f"Unlike in: {listed(unlike)}.")
        if self._lone:
            notes.append(f"Not drawn: {counted(self._lone, 'figure')} that only one side has.")
        notes += [
            f"Left out of {svg.isolated(self.names[side])}: {out}." for side, out in self._out()
        ]
        if self.question["flagged"] == "include":
            notes.append("Doubted runs are counted in these figures.")
        told = {note["code"]: note["text"] for note in self.compared["notes"]}
        told.pop("unlike", None)
        told.pop("mixes", None)  # stands under the title
        notes += [told.pop(code) for code in ("shared_runs", "unpaired") if code in told]
        notes += flags_in_words(list(self._flags.values()), letters)
        return [*notes, *self.sources.in_words(), *told.values()]

    def _unlike(self) -> list[str]:
        cells = (cell for row in self.compared["rows"] for cell in row["cells"])
        names = {
            one["dimension"] for cell in cells for one in cell.get("ratio", {}).get("unlike", [])
        }
        return sorted(uncapitalised(dimension_title(name)) for name in names)

    def _out(self) -> list[tuple[int, str]]:
        """The most runs that a side leaves out for a reason: its metrics are of the same runs."""
        most: dict[tuple[int, str], int] = {}
        for row in self.compared["rows"]:
            for one in row["excluded"]:
                told = one["side"], one["reason"]
                most[told] = max(most.get(told, 0), one["runs"])
        return [(side, left_out(reason, runs)) for (side, reason), runs in most.items()]


def sides_title(question: Json) -> str:
    """ "Write speed, whole run: USB4 and Thunderbolt 5 relative to Internal SSD"."""
    metrics = list(dict.fromkeys(one["metric"] for one in question["metrics"]))
    what = question_title({"metrics": metrics, "by": [], "relative_to": []})
    labels = {side["number"]: svg.isolated(side["label"]) for side in question["sides"]}
    baseline = labels.pop(question["baseline"])
    return f"{what}: {listed(list(labels.values()))} relative to {baseline}"


def _sides_of(row: Json) -> int:
    return sum("missing" not in cell for cell in row["cells"])


def _lane_of_mean(value: float) -> Lane:
    return Lane(
        metric="",
        name="",
        mark="diamond",
        text=percent(value),
        hollow=False,
        dagger="",
        weight="",
        value=value,
    )


def _row_name(row: Json) -> str:
    parameters = [case_value(name, value) for name, value in row["parameters"].items()]
    return ", ".join([row["title"], *parameters])


def _method_name(row: Json) -> str:
    """How the row's figures were made: the rows of one metric differ in nothing else."""
    if row["method"] is None:
        return ""
    return f"{'published, ' * bool(row['published'])}{row['method']} {row['method_version']}"


def _machines(row: Json, cell: Json) -> str:
    if row["published"]:
        return counted(cell["runs"], "figure")
    return counted(cell["machines"], "machine")


def _figure(row: Json, cell: Json) -> str:
    """A side's own figure with its unit: "7.66 GB/s"."""
    scale = scale_for(row["unit"], [one["median"] for one in row["cells"] if "median" in one])
    digits = median_text(cell, row["unit"], scale)
    # A printed figure in another unit than its row's brings its own.
    return digits if digits[-1:].isalpha() else with_unit(digits, scale.symbol)


def _as_answer(compared: Json) -> Json:
    """Cells as groups, one a side: flags and citations are told of both alike."""
    told = ("published", "method", "method_version")
    return {
        "results": [
            {
                "groups": [
                    {**cell, "key": {"side": cell["side"]}, **{name: row[name] for name in told}}
                    for cell in row["cells"]
                    if "missing" not in cell
                ],
                "published": [],
            }
            for row in compared["rows"]
        ]
    }
