"""Comparison of sides as cases: a heading per metric, a lane per side."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from macmeter.charts import cells, numbers, words
from macmeter.charts.axes import ratio_axis
from macmeter.charts.cases import is_doubted, lane_of_mean, noted, with_ratio
from macmeter.charts.colours import colour_of, key_of_cases, marks_of
from macmeter.charts.figure import Case, Chart, Column, Figure, Lane, Mark, Remark
from macmeter.charts.filters import offers_of_unlike, refused
from macmeter.charts.notes import Sources, alternative, flag_notes, results_of, rows_of
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Unlike
from macmeter.schemas.sides import (
    Cell,
    Compared,
    Covered,
    FilledCell,
    NotCovered,
    Row,
    SideMean,
    SideRatio,
    SidesQuestionResponse,
    WhyLeftOut,
    filled_of,
    is_filled,
)

# Minimum number of sides with a figure for a comparison.
_COMPARED = 2
# Longer lists of names become a number.
_MOST_NAMED = 3
_COLUMNS = (
    Column("median", "Median", numeric=True),
    Column("cited", "Source"),
    Column("mixes", "Mixes"),
    Column("spread", "Spread of samples", "p10–p90", numeric=True),
    Column("machines", "Macs", numeric=True),
    Column("runs", "Runs", numeric=True),
    Column("value", "Ratio", "%", numeric=True),
    Column("interval", "95% interval", "%", numeric=True),
    Column("verdict", "Verdict, and what else differs"),
    Column("crude", "Crude ratio", "%", numeric=True),
    Column("flags", "Flags"),
)
_NOT_COVERED: dict[WhyLeftOut, str] = {
    "not_all_sides": "not all sides have it",
    "no_ratio": "not all sides have a ratio",
    "zero": "a ratio is 0",
    "neither_is_better": "neither higher nor lower is better",
    "counted_by_another_method": "it is covered by another method",
}
# Maximum number of metrics named in a title; the chart has all as headings.
_NAMED_METRICS = 4


def figure_of_sides(compared: Compared) -> Figure:
    return _Sides(compared).figure()


def sides_title(question: SidesQuestionResponse) -> str:
    """Format "Write speed, whole run: USB4 and Thunderbolt 5 relative to Internal SSD"."""
    metrics = list(dict.fromkeys(one["metric"] for one in question["metrics"]))
    few = len(metrics) <= _NAMED_METRICS
    what = words.metrics_title(metrics) if few else numbers.counted(len(metrics), "metric")
    labels = {side["number"]: isolated(side["label"]) for side in question["sides"]}
    baseline = labels.pop(question["baseline"])
    return f"{what}: {words.listed(list(labels.values()))} relative to {baseline}"


def heading_of_mean(covers: Sequence[Covered], rows: Sequence[Row]) -> str:
    """Return the mean's heading, which says whether its ratios are published ones."""
    printed = [bool(row and row["published"]) for row in (row_of(one, rows) for one in covers)]
    whose = "published " if all(printed) else "partly published " if any(printed) else ""
    return f"Geometric mean of {len(covers)} {whose}ratios, above 100 % is better"


def row_of(one: Covered, rows: Sequence[Row]) -> Row | None:
    """Return the row that a mean covers or leaves out."""
    same = (one["metric"], one["method"], one["parameters"])
    alike = (row for row in rows if (row["metric"], row["method"], row["parameters"]) == same)
    return next(alike, None)


class _Sides:
    """Presentation of a comparison: one chart of ratios."""

    def __init__(self, compared: Compared) -> None:
        self.compared = compared
        self.rows = compared["rows"]
        self.question = compared["comparison"]
        self.sides = {side["number"]: side for side in self.question["sides"]}
        self.names = {number: isolated(side["label"]) for number, side in self.sides.items()}
        self.baseline: int = self.question["baseline"]
        results = results_of(compared)
        self.sources, self.flags = Sources(results), flag_notes(results)

    def figure(self) -> Figure:
        title = sides_title(self.question)
        mixed = words.mixes_in_words(cell for row in self.rows for cell in filled_of(row))
        cases = self._cases()
        lanes = [lane for case in cases for lane in case.lanes]
        shown = [lane for case in cases if not case.undrawn for lane in case.lanes]
        rows = rows_of(cases, self.flags.values(), sides=True)
        reference = f"100 % is {self.names[self.baseline]}"
        chart = Chart(
            kind="cases",
            title=title,
            unit="%",
            measure="ratio",
            up=ratio_axis(
                [end for lane in shown for end in (lane.value or 1, *(lane.interval or ()))]
            ),
            cases=cases,
            columns=cells.filled(_COLUMNS, lanes),
            key=key_of_cases(shown, "ratio"),
            rows=True,
        )
        nothing = "No results for these metrics." if chart.is_empty else ""
        return Figure(
            title=title,
            text=alternative(title, mixed, rows, nothing),
            runs=int(self.compared.get("runs") or 0),
            charts=(chart,),
            mixed=mixed,
            told=(
                *map(isolated, words.terms_in_words(self.question["where"])),
                isolated(reference),
            ),
            nothing=nothing,
            notes=tuple(self._notes()),
            flags=tuple(self.flags.values()),
            sources=self.sources.articles(),
        )

    @cached_property
    def _lone(self) -> int:
        """Number of rows without a comparison, if there are others."""
        lone = sum(map(self._is_lone, self.rows))
        return lone if lone < len(self.rows) else 0

    def _is_lone(self, row: Row) -> bool:
        """Whether only one side has it, or all but the baseline."""
        having = {cell["side"] for cell in filled_of(row)}
        return len(having) < _COMPARED or self.baseline not in having

    def _cases(self) -> tuple[Case, ...]:
        found = self._areas()
        marks = marks_of(list(dict.fromkeys(row["metric"] for row in self.rows)))
        for place, row in enumerate(self.rows):
            heading = self._heading(row)
            undrawn = bool(self._lone) and self._is_lone(row)
            for cell in row["cells"]:
                lane = self._lane(f"{place}.{cell['side']}", row, cell, marks)
                case = self._case(cell["side"], heading, lane)
                found.append(replace(case, undrawn=undrawn))
                heading = ""
        mean = self.compared["geometric_mean"]
        if len(mean["covers"]) > 1:
            found += self._means(heading_of_mean(mean["covers"], self.rows), mean["sides"], "mean")
        return tuple(found)

    def _areas(self) -> list[Case]:
        """Return the means by suite, to precede the metrics; none for a single suite."""
        found: list[Case] = []
        areas = self.compared["geometric_mean"].get("areas") or []
        for area in areas if len(areas) > 1 else []:
            title, several = words.value_text("suite", area["suite"]), area["metrics"] > 1
            metrics = numbers.counted(area["metrics"], "metric")
            heading = f"{title.capitalize()}: {'geometric mean of ' * several}{metrics}"
            found += self._means(heading, area["sides"], f"area.{area['suite']}")
        return found

    def _means(self, heading: str, sides: Sequence[SideMean], name: str) -> list[Case]:
        """Return a case for each side, the first with the heading."""
        return [
            self._case(
                side["side"],
                "" if place else heading,
                lane_of_mean(side, f"{name}.{side['side']}"),
            )
            for place, side in enumerate(sides)
        ]

    def _case(self, number: int, heading: str, lane: Lane) -> Case:
        fixed = {
            term["dimension"]: term["value"]
            for term in self.sides[number]["where"]
            if term["op"] == "is"
        }
        colour = colour_of(fixed)
        return Case(self.names[number], (lane,), heading, colour, key={"side": number})

    def _lane(self, lane_id: str, row: Row, cell: Cell, marks: dict[str, Mark]) -> Lane:
        lane = Lane(
            id=lane_id,
            mark=marks[row["metric"]],
            text="",
            metric=row["metric"],
            hollow=bool(row["published"]),
            method=row["method"] or "",
        )
        if not is_filled(cell):
            told = {"verdict": cell["missing"]["text"]}
            return replace(lane, text="no result", full="no result", cells=told)
        lane = replace(
            lane,
            **noted(cell, self.sources, self.flags),
            doubted=is_doubted(cell),
            run=(cell.get("run_ids") or [""])[0] if cell["runs"] == 1 else "",
            weight=f"{_machines(row, cell)}, {_figure(row, cell)}",
            mixes=words.mixes_in_words([cell]),
        )
        if cell["side"] == self.baseline:
            told = self._cells(row, cell, "baseline")
            return replace(with_ratio(lane, {"value": 1.0}), apart="baseline", cells=told)
        if "ratio" not in cell:
            refusal = cell.get("no_ratio")
            reason = f"No ratio. {refusal['text']}" if refusal else ""
            told = self._cells(row, cell, reason)
            return replace(lane, text="no ratio", full="no ratio", cells=told)
        ratio = cell["ratio"]
        verdict = cells.short_verdict(ratio, ratio["unlike"])
        is_named = ratio["verdict"]["answer"] == "confounded"
        unlike = ", setups differ" if ratio["unlike"] and not is_named else ""
        return replace(
            with_ratio(lane, ratio),
            apart=verdict + unlike,
            cells=self._cells(row, cell, self._judged(ratio)) | _ratio_cells(ratio),
        )

    def _cells(self, row: Row, cell: FilledCell, verdict: str) -> dict[str, str]:
        scale = _scale(row)
        told = cells.counts_of(cell) | {
            "median": _figure(row, cell),
            "mixes": words.mixes_in_words([cell], ""),
            "spread": cells.range_text(numbers.band_of(cell, published=False), scale),
            "verdict": verdict,
        }
        return {name: text for name, text in told.items() if text}

    def _judged(self, ratio: SideRatio) -> str:
        """Return the verdict as text, with other differences between the sides."""
        told = cells.verdict_of(ratio, ratio["unlike"])
        if ratio["pairing"] == "paired" or ratio.get("likeness", {}).get("held"):
            told += f" ({cells.pairing_of(ratio)})"
        if ratio["unlike"]:
            told += f". Also differs in {'; '.join(map(_unlike, ratio['unlike']))}"
        if ratio["shared_runs"]:
            told += f". On both sides: {numbers.counted(ratio['shared_runs'], 'run')}"
        return told

    def _notes(self) -> list[Remark]:
        notes = []
        if self._lone:
            lone = numbers.counted(self._lone, "figure")
            text = f"Not drawn: {lone} without a result to compare with."
            notes.append(Remark("undrawn", text))
        if unlike := self._unlike():
            text = f"Sides also differ in {words.listed(unlike)}."
            notes.append(Remark("unlike", text, offers=offers_of_unlike(self.rows)))
        notes += refused(self.rows, self.sides.values())
        notes += [
            Remark("left_out", f"Left out of {self.names[side]}: {out}.")
            for side, out in self._out()
        ]
        if self.question["flagged"] == "include":
            notes.append(Remark("included", "Doubted runs are counted in these figures."))
        told = {note["code"]: note["text"] for note in self.compared["notes"]}
        told.pop("unlike", None)
        told.pop("mixes", None)  # is below the title
        notes += [
            Remark(code, told.pop(code))
            for code in ("held", "crude", "shared_runs", "unpaired")
            if code in told
        ]
        notes += [Remark(code, text, minor=True) for code, text in told.items()]
        return [*notes, *self._of_mean()]

    def _of_mean(self) -> list[Remark]:
        """Describe what the geometric mean covers and leaves out."""
        mean = self.compared["geometric_mean"]
        if len(mean["covers"]) < _COMPARED:
            text = "A geometric mean needs two metrics that all sides have by the same method."
            return [Remark("mean", text, minor=True)]
        covered = words.listed([self._covered(one) for one in mean["covers"]])
        notes = [Remark("mean", f"The geometric mean covers {covered}.", minor=True)]
        reasons: dict[WhyLeftOut, list[NotCovered]] = {}
        for one in mean["left_out"]:
            reasons.setdefault(one["reason"], []).append(one)
        for reason, several in reasons.items():
            what = numbers.counted(len(several), "figure")
            if len(several) <= _MOST_NAMED:
                what = words.listed([self._covered(one) for one in several])
            text = f"Left out of the mean: {what}, because {_NOT_COVERED.get(reason, reason)}."
            notes.append(Remark("mean_left_out", text, minor=True))
        return notes

    def _covered(self, one: Covered) -> str:
        row = row_of(one, self.rows)
        return str(one["metric"]) if row is None else self._heading(row)

    def _heading(self, row: Row) -> str:
        """Format "Write speed, whole run"; "… · published"; name only unusual methods."""
        alike = [other for other in self.rows if _same(other) == _same(row)]
        apart = ["published"] if row["published"] else []
        if row["method"] and row is not max(alike, key=_runs):
            several = sum(other["method"] == row["method"] for other in alike) > 1
            apart.append(row["method"] + f" {row['method_version']}" * several)
        return " · ".join(filter(None, [_row_name(row), ", ".join(apart)]))

    def _unlike(self) -> list[str]:
        rated = (cell for row in self.rows for cell in filled_of(row) if "ratio" in cell)
        names = {one["dimension"] for cell in rated for one in cell["ratio"]["unlike"]}
        return sorted(words.uncapitalised(words.dimension_title(name)) for name in names)

    def _out(self) -> list[tuple[int, str]]:
        """Return the most runs that a side leaves out for each reason: its metrics share runs."""
        most: dict[tuple[int, str], int] = {}
        for row in self.rows:
            for one in row["excluded"]:
                told = one["side"], one["reason"]
                most[told] = max(most.get(told, 0), one["runs"])
        return [(side, words.left_out(reason, runs)) for (side, reason), runs in most.items()]


def _ratio_cells(ratio: SideRatio) -> dict[str, str]:
    told = {"interval": cells.ratio_range(ratio), "crude": cells.crude_text(ratio)}
    return {name: text for name, text in told.items() if text or name == "interval"}


def _unlike(one: Unlike) -> str:
    """Format "macOS version: 26.4 vs. 15.1 or not stated", the baseline last."""

    def formatted(values: list[Any]) -> str:
        shown = (
            "not stated" if value is None else words.value_text(one["dimension"], value)
            for value in values
        )
        return " or ".join(shown)

    title = words.uncapitalised(one["title"])
    if one["of"] == one["to"]:
        return f"{title}, in other proportions"
    return f"{title}: {formatted(one['of'])} vs. {formatted(one['to'])}"


def _row_name(row: Row) -> str:
    parameters = [words.case_value(name, value) for name, value in row["parameters"].items()]
    return ", ".join([row["title"], *parameters])


def _same(row: Row) -> object:
    """Return what is equal for rows that differ only in their method."""
    return row["metric"], row["parameters"], bool(row["published"])


def _runs(row: Row) -> int:
    return sum(int(cell["runs"]) for cell in filled_of(row))


def _machines(row: Row, cell: FilledCell) -> str:
    if row["published"]:
        return numbers.counted(cell["runs"], "figure")
    return numbers.counted(cell["machines"], "Mac")


def _scale(row: Row) -> numbers.Scale:
    return numbers.scale_for(row["unit"], [one["median"] for one in filled_of(row)])


def _figure(row: Row, cell: FilledCell) -> str:
    """Format a side's own figure with its unit: "7.66 GB/s"."""
    scale = _scale(row)
    # A figure printed in another unit than its row's keeps its own.
    return numbers.with_own_unit(numbers.median_text(cell, scale), scale.symbol)
