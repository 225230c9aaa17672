"""Sides beside one another as rows of cases: a heading a metric, a lane a side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from macmeter import catalog
from macmeter.answers.answer import Unlike
from macmeter.answers.sides import (
    Cell,
    Compared,
    Covered,
    FilledCell,
    NotCovered,
    Row,
    SideRatio,
    SidesTold,
    WhyLeftOut,
    filled_of,
    is_filled,
)
from macmeter.figures.axes import ratio_axis
from macmeter.figures.cases import drawn, drawn_span, is_doubted
from macmeter.figures.cells import (
    counts_of,
    crude_text,
    filled,
    pairing_of,
    range_text,
    ratio_range,
    short_verdict,
    verdict_of,
)
from macmeter.figures.colours import colour_of, marks_of
from macmeter.figures.digits import band_of, interval_of, median_text, with_own_unit
from macmeter.figures.figure import Case, Chart, Column, Figure, Lane, Mark, Remark
from macmeter.figures.in_words import alternative, rows_of
from macmeter.figures.key import key_of_cases
from macmeter.figures.means import NOT_COVERED, heading_of_mean, lane_of_mean, row_of
from macmeter.figures.notes import Sources, flag_notes, letters_of, results_of
from macmeter.figures.numbers import Scale, counted, percent, scale_for
from macmeter.figures.offers import offers_of_unlike, refused
from macmeter.figures.words import (
    case_value,
    dimension_title,
    filters_in_words,
    left_out,
    listed,
    metrics_title,
    mixes_in_words,
    uncapitalised,
    value_text,
)
from macmeter.plain_text import isolated

# Fewer sides with a figure and there is nothing to compare.
_COMPARED = 2
# More than so many names are a number.
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
# A title has room for the names of so many; the chart has them all as headings.
_NAMED_METRICS = 4


def figure_of_sides(compared: Compared) -> Figure:
    return _Sides(compared).figure()


def sides_title(question: SidesTold) -> str:
    """ "Write speed, whole run: USB4 and Thunderbolt 5 relative to Internal SSD"."""
    metrics = list(dict.fromkeys(one["metric"] for one in question["metrics"]))
    few = len(metrics) <= _NAMED_METRICS
    what = metrics_title(metrics) if few else counted(len(metrics), "metric")
    labels = {side["number"]: isolated(side["label"]) for side in question["sides"]}
    baseline = labels.pop(question["baseline"])
    return f"{what}: {listed(list(labels.values()))} relative to {baseline}"


class _Sides:
    """A comparison of sides being presented: one chart of ratios."""

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
        cells = (cell for row in self.rows for cell in filled_of(row))
        mixed = mixes_in_words(cells)
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
            columns=filled(_COLUMNS, lanes),
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
            told=(*map(isolated, filters_in_words(self.question)), isolated(reference)),
            nothing=nothing,
            notes=tuple(self._notes()),
            flags=tuple(self.flags.values()),
            sources=self.sources.told(),
        )

    @cached_property
    def _lone(self) -> int:
        """Rows in which nothing is compared, where there are others."""
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
            heading = heading_of_mean(mean["covers"], self.rows)
            for side in mean["sides"]:
                found.append(
                    self._case(side["side"], heading, lane_of_mean(side, f"mean.{side['side']}"))
                )
                heading = ""
        return tuple(found)

    def _areas(self) -> list[Case]:
        """What comes of each area, before the metrics themselves; nothing where there is one."""
        found: list[Case] = []
        areas = self.compared["geometric_mean"].get("areas") or []
        for area in areas if len(areas) > 1 else []:
            title, several = value_text("suite", area["suite"]), area["metrics"] > 1
            metrics = counted(area["metrics"], "metric")
            heading = f"{title.capitalize()}: {'geometric mean of ' * several}{metrics}"
            for side in area["sides"]:
                lane = lane_of_mean(side, f"area.{area['suite']}.{side['side']}")
                found.append(self._case(side["side"], heading, lane))
                heading = ""
        return found

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
        citations = cell.get("citations") or []
        codes = [flag["code"] for flag in cell["flags"]]
        lane = replace(
            lane,
            dagger=self.sources.dagger(citations),
            articles=tuple(dict.fromkeys(citation["article"] for citation in citations)),
            flags=letters_of(codes, self.flags),
            alarming=any(map(catalog.is_doubt, codes)),
            doubted=is_doubted(cell),
            run=(cell.get("run_ids") or [""])[0] if cell["runs"] == 1 else "",
            weight=f"{_machines(row, cell)}, {_figure(row, cell)}",
            mixes=mixes_in_words([cell]),
        )
        if cell["side"] == self.baseline:
            cells = self._cells(row, cell, "baseline")
            full = with_own_unit(percent(1), "%")
            return replace(
                lane, text=percent(1), full=full, value=1.0, apart="baseline", cells=cells
            )
        if "ratio" not in cell:
            refusal = cell.get("no_ratio")
            reason = f"No ratio. {refusal['text']}" if refusal else ""
            cells = self._cells(row, cell, reason)
            return replace(lane, text="no ratio", full="no ratio", cells=cells)
        ratio = cell["ratio"]
        verdict = short_verdict(ratio, ratio["unlike"])
        is_named = ratio["verdict"]["answer"] == "confounded"
        unlike = ", setups differ" if ratio["unlike"] and not is_named else ""
        return replace(
            lane,
            text=percent(ratio["value"]),
            full=with_own_unit(percent(ratio["value"]), "%"),
            value=drawn(ratio["value"], Scale()),
            interval=drawn_span(interval_of(ratio), Scale()),
            apart=verdict + unlike,
            cells=self._cells(row, cell, self._judged(ratio)) | _ratio_cells(ratio),
        )

    def _cells(self, row: Row, cell: FilledCell, verdict: str) -> dict[str, str]:
        scale = _scale(row)
        cells = counts_of(cell) | {
            "median": _figure(row, cell),
            "mixes": mixes_in_words([cell]).removeprefix("Mixes "),
            "spread": range_text(band_of(cell, published=False), scale),
            "verdict": verdict,
        }
        return {name: text for name, text in cells.items() if text}

    def _judged(self, ratio: SideRatio) -> str:
        """The verdict in words, and what the sides differ in unasked."""
        told = verdict_of(ratio, ratio["unlike"])
        if ratio["pairing"] == "paired" or ratio.get("likeness", {}).get("held"):
            told += f" ({pairing_of(ratio)})"
        if ratio["unlike"]:
            told += f". Also differs in {'; '.join(map(_unlike, ratio['unlike']))}"
        if ratio["shared_runs"]:
            told += f". On both sides: {counted(ratio['shared_runs'], 'run')}"
        return told

    def _notes(self) -> list[Remark]:
        notes = []
        if self._lone:
            text = f"Not drawn: {counted(self._lone, 'figure')} without a result to compare with."
            notes.append(Remark("undrawn", text))
        if unlike := self._unlike():
            text = f"Sides also differ in {listed(unlike)}."
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
        """What the geometric mean covers and what not."""
        mean = self.compared["geometric_mean"]
        if len(mean["covers"]) < _COMPARED:
            text = "A geometric mean needs two metrics that all sides have by the same method."
            return [Remark("mean", text, minor=True)]
        covered = listed([self._covered(one) for one in mean["covers"]])
        notes = [Remark("mean", f"The geometric mean covers {covered}.", minor=True)]
        reasons: dict[WhyLeftOut, list[NotCovered]] = {}
        for one in mean["left_out"]:
            reasons.setdefault(one["reason"], []).append(one)
        for reason, several in reasons.items():
            what = counted(len(several), "figure")
            if len(several) <= _MOST_NAMED:
                what = listed([self._covered(one) for one in several])
            text = f"Left out of the mean: {what}, because {NOT_COVERED.get(reason, reason)}."
            notes.append(Remark("mean_left_out", text, minor=True))
        return notes

    def _covered(self, one: Covered) -> str:
        row = row_of(one, self.rows)
        return str(one["metric"]) if row is None else self._heading(row)

    def _heading(self, row: Row) -> str:
        """ "Write speed, whole run"; "… · published"; only other methods than the usual one."""
        alike = [other for other in self.rows if _same(other) == _same(row)]
        apart = ["published"] if row["published"] else []
        if row["method"] and row is not max(alike, key=_runs):
            several = sum(other["method"] == row["method"] for other in alike) > 1
            apart.append(row["method"] + f" {row['method_version']}" * several)
        return " · ".join(filter(None, [_row_name(row), ", ".join(apart)]))

    def _unlike(self) -> list[str]:
        cells = (cell for row in self.rows for cell in filled_of(row) if "ratio" in cell)
        names = {one["dimension"] for cell in cells for one in cell["ratio"]["unlike"]}
        return sorted(uncapitalised(dimension_title(name)) for name in names)

    def _out(self) -> list[tuple[int, str]]:
        """The most runs that a side leaves out for a reason: its metrics are of the same runs."""
        most: dict[tuple[int, str], int] = {}
        for row in self.rows:
            for one in row["excluded"]:
                told = one["side"], one["reason"]
                most[told] = max(most.get(told, 0), one["runs"])
        return [(side, left_out(reason, runs)) for (side, reason), runs in most.items()]


def _ratio_cells(ratio: SideRatio) -> dict[str, str]:
    cells = {"interval": ratio_range(ratio), "crude": crude_text(ratio)}
    return {name: text for name, text in cells.items() if text or name == "interval"}


def _unlike(one: Unlike) -> str:
    """ "macOS version: 26.4 vs. 15.1 or not stated", the baseline last."""

    def told(values: list[Any]) -> str:
        shown = (
            "not stated" if value is None else value_text(one["dimension"], value)
            for value in values
        )
        return " or ".join(shown)

    title = uncapitalised(one["title"])
    if one["of"] == one["to"]:
        return f"{title}, in other proportions"
    return f"{title}: {told(one['of'])} vs. {told(one['to'])}"


def _row_name(row: Row) -> str:
    parameters = [case_value(name, value) for name, value in row["parameters"].items()]
    return ", ".join([row["title"], *parameters])


def _same(row: Row) -> object:
    """What rows share that only their method tells apart."""
    return row["metric"], row["parameters"], bool(row["published"])


def _runs(row: Row) -> int:
    return sum(int(cell["runs"]) for cell in filled_of(row))


def _machines(row: Row, cell: FilledCell) -> str:
    if row["published"]:
        return counted(cell["runs"], "figure")
    return counted(cell["machines"], "Mac")


def _scale(row: Row) -> Scale:
    return scale_for(row["unit"], [one["median"] for one in filled_of(row)])


def _figure(row: Row, cell: FilledCell) -> str:
    """A side's own figure with its unit: "7.66 GB/s"."""
    scale = _scale(row)
    # A printed figure in another unit than its row's brings its own.
    return with_own_unit(median_text(cell, scale), scale.symbol)
