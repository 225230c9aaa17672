"""Comparison of sides as cases, a lane per side and metric; pages show its columns instead."""

from dataclasses import replace
from functools import cached_property
from typing import Any

from macmeter.charts import cells, numbers, words
from macmeter.charts.axes import difference_axis
from macmeter.charts.cases import is_doubted, note_properties, with_ratio
from macmeter.charts.colours import colour_of, key_of_cases, marks_of
from macmeter.charts.columns import (
    change_of,
    columns_of,
    figure_text,
    heading_of,
    range_of,
    scale_of,
)
from macmeter.charts.figure import Case, Chart, Column, Figure, Lane, Mark, Remark
from macmeter.charts.figure_sides import SideFigure
from macmeter.charts.filters import offers_in_common, refusal_remarks
from macmeter.charts.finding_of_sides import name_of
from macmeter.charts.notes import (
    NumberedArticles,
    alternative_text,
    flag_notes,
    results_of,
    rows_of,
)
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Unlike
from macmeter.schemas.sides import (
    Cell,
    Compared,
    FilledCell,
    Row,
    SideRatio,
    SidesQuestionResponse,
    filled_cells,
    is_filled,
)

_COLUMNS = (
    Column("median", "Median", numeric=True),
    Column("cited", "Source"),
    Column("mixes", "Mixes"),
    Column("spread", "Spread of samples", "p10–p90", numeric=True),
    Column("machines", "Macs", numeric=True),
    Column("runs", "Runs", numeric=True),
    Column("value", "Difference", "%", numeric=True),
    Column("interval", "95% interval", "%", numeric=True),
    Column("verdict", "Verdict, and what else differs"),
    Column("crude", "Unmatched", "%", numeric=True),
    Column("flags", "Flags"),
)
# Maximum number of metrics named in a title; the chart has all as headings.
_NAMED_METRICS = 4


def figure_of_sides(compared: Compared) -> Figure:
    return _Sides(compared).figure()


def sides_title(question: SidesQuestionResponse) -> str:
    """Format "Write speed: USB4 and Thunderbolt 5 relative to Internal SSD"."""
    metrics = list(dict.fromkeys(item["metric"] for item in question["metrics"]))
    few = len(metrics) <= _NAMED_METRICS
    what = words.metrics_title(metrics) if few else numbers.counted(len(metrics), "metric")
    labels = {side["number"]: isolated(side["label"]) for side in question["sides"]}
    baseline = labels.pop(question["baseline"])
    return f"{what}: {words.listed(list(labels.values()))} relative to {baseline}"


class _Sides:
    """Presentation of a comparison: one chart of differences, and its columns."""

    def __init__(self, compared: Compared) -> None:
        self.compared = compared
        self.rows = compared["rows"]
        self.question = compared["comparison"]
        self.sides = {side["number"]: side for side in self.question["sides"]}
        self.names = {number: isolated(side["label"]) for number, side in self.sides.items()}
        self.baseline: int = self.question["baseline"]
        results = results_of(compared)
        self.columns, self.finding = columns_of(compared)
        self.verdicts = {
            cell.lane: cell
            for area in self.columns.areas
            for row in area.rows
            for cell in row.figures
        }
        self.sources, self.flags = NumberedArticles(results), flag_notes(results)

    def figure(self) -> Figure:
        title = sides_title(self.question)
        mixed = words.mixes_in_words(cell for row in self.rows for cell in filled_cells(row))
        cases = self._cases()
        lanes = [lane for case in cases for lane in case.lanes]
        drawn = [lane for case in cases if not case.undrawn for lane in case.lanes]
        rows = rows_of(cases, self.flags.values(), sides=True)
        reference = f"0 % is {self.names[self.baseline]}"
        chart = Chart(
            kind="cases",
            title=title,
            unit="%",
            measure="ratio",
            up=difference_axis(
                [end for lane in drawn for end in (lane.value or 1, *(lane.interval or ()))]
            ),
            cases=cases,
            columns=cells.filled(_COLUMNS, lanes),
            key=key_of_cases(drawn, "ratio"),
            rows=True,
        )
        nothing = self._empty_text() if chart.is_empty else ""
        return Figure(
            title=title,
            text=alternative_text(title, mixed, rows, nothing),
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
            finding=self.finding,
            sides=self.columns,
        )

    def _empty_text(self) -> str:
        found = any(filled_cells(row) for row in self.rows)
        return "These sides have no figure in common." if found else "No results for these metrics."

    @cached_property
    def _rows_without_ratio(self) -> int:
        """The number of rows in which nothing is compared."""
        return sum(not any("ratio" in cell for cell in filled_cells(row)) for row in self.rows)

    def _cases(self) -> tuple[Case, ...]:
        cases: list[Case] = []
        marks = marks_of(list(dict.fromkeys(row["metric"] for row in self.rows)))
        for index, row in enumerate(self.rows):
            heading = heading_of(row, self.rows)
            compared = any("ratio" in cell for cell in filled_cells(row))
            # The baseline isn't drawn, so it comes last: the heading belongs to the first case.
            for cell in sorted(row["cells"], key=lambda cell: cell["side"] == self.baseline):
                lane = self._lane(f"{index}.{cell['side']}", row, cell, marks)
                case = self._case(cell["side"], heading, lane)
                is_base = cell["side"] == self.baseline
                cases.append(replace(case, undrawn=is_base or not compared))
                heading = ""
        return tuple(cases)

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
            texts = {"verdict": cell["missing"]["text"]}
            return replace(lane, text="no result", full="no result", cells=texts)
        lane = replace(
            lane,
            **note_properties(cell, self.sources, self.flags),
            doubted=is_doubted(cell),
            run=(cell.get("run_ids") or [""])[0] if cell["runs"] == 1 else "",
            weight=f"{_count_text(row, cell)}, {figure_text(row, cell)}",
            mixes=words.mixes_in_words([cell]),
        )
        if cell["side"] == self.baseline:
            value_text = figure_text(row, cell)
            return replace(
                lane,
                text=value_text,
                full=value_text,
                apart="baseline",
                cells=self._cells(row, cell, "baseline"),
            )
        if "ratio" not in cell:
            refusal = cell.get("no_ratio")
            reason = f"No ratio. {refusal['text']}" if refusal else ""
            texts = self._cells(row, cell, reason)
            return replace(lane, text="no ratio", full="no ratio", cells=texts)
        ratio = cell["ratio"]
        verdict = self.verdicts[lane_id]
        change = change_of(ratio["value"])
        return replace(
            with_ratio(lane, ratio),
            text=change.removesuffix("\u2009%"),
            full=change,
            apart=verdict.verdict.rstrip("."),
            cells=self._cells(row, cell, self._verdict_text(verdict, ratio)) | _ratio_cells(ratio),
        )

    def _cells(self, row: Row, cell: FilledCell, verdict: str) -> dict[str, str]:
        scale = scale_of(row)
        texts = cells.counts_of(cell) | {
            "median": figure_text(row, cell),
            "mixes": words.mixes_in_words([cell], ""),
            "spread": cells.range_text(numbers.band_of(cell, published=False), scale),
            "verdict": verdict,
        }
        return {name: text for name, text in texts.items() if text}

    def _verdict_text(self, figure: SideFigure, ratio: SideRatio) -> str:
        """Return the verdict as text, with other differences between the sides."""
        parts = [figure.verdict, figure.more]
        if ratio["unlike"]:
            parts.append(f"Also differs in {'; '.join(map(_unlike_text, ratio['unlike']))}.")
        if ratio["shared_runs"]:
            parts.append(f"On both sides: {numbers.counted(ratio['shared_runs'], 'run')}.")
        return " ".join(filter(None, parts))

    def _notes(self) -> list[Remark]:
        notes = []
        if 0 < self._rows_without_ratio < len(self.rows):
            lone = numbers.counted(self._rows_without_ratio, "figure")
            text = f"Not drawn: {lone} without a result to compare with."
            notes.append(Remark("undrawn", text))
        if unlike := self._unlike_titles():
            text = f"Sides also differ in {words.listed(unlike)}."
            notes.append(Remark("unlike", text, offers=offers_in_common(self.rows)))
        notes += refusal_remarks(self.rows, self.sides.values())
        notes += [
            Remark("left_out", f"Left out of {name_of(self.sides[side])}: {words.listed(out)}.")
            for side, out in self._left_out().items()
        ]
        if self.question["flagged"] == "include":
            notes.append(Remark("included", "Doubted runs are counted in these figures."))
        texts = {note["code"]: note["text"] for note in self.compared["notes"]}
        texts.pop("unlike", None)
        texts.pop("mixes", None)  # is below the title
        notes += [
            Remark(code, texts.pop(code))
            for code in ("pairs_by_model", "held", "crude", "shared_runs", "unpaired")
            if code in texts
        ]
        return [*notes, *(Remark(code, text, minor=True) for code, text in texts.items())]

    def _unlike_titles(self) -> list[str]:
        rated = (cell for row in self.rows for cell in filled_cells(row) if "ratio" in cell)
        names = {entry["dimension"] for cell in rated for entry in cell["ratio"]["unlike"]}
        return sorted(words.uncapitalised(words.dimension_title(name)) for name in names)

    def _left_out(self) -> dict[int, list[str]]:
        """Return the most runs that a side leaves out for each reason: its metrics share runs."""
        out: dict[int, dict[str, int]] = {}
        for row in self.rows:
            for entry in row["excluded"]:
                counts = out.setdefault(entry["side"], {})
                counts[entry["reason"]] = max(counts.get(entry["reason"], 0), entry["runs"])
        return {
            side: [words.left_out(*count) for count in runs.items()] for side, runs in out.items()
        }


def _ratio_cells(ratio: SideRatio) -> dict[str, str]:
    crude = ratio.get("crude")
    texts = {
        "interval": range_of(ratio),
        "crude": "" if crude is None else change_of(crude["value"]).removesuffix("\u2009%"),
    }
    return {name: text for name, text in texts.items() if text or name == "interval"}


def _unlike_text(entry: Unlike) -> str:
    """Format "macOS version: 26.4 vs. 15.1 or not stated", the baseline last."""

    def formatted(values: list[Any]) -> str:
        texts = (
            "not stated" if value is None else words.value_text(entry["dimension"], value)
            for value in values
        )
        return " or ".join(texts)

    title = words.uncapitalised(entry["title"])
    if entry["of"] == entry["to"]:
        return f"{title}, in other proportions"
    return f"{title}: {formatted(entry['of'])} vs. {formatted(entry['to'])}"


def _count_text(row: Row, cell: FilledCell) -> str:
    if row["published"]:
        return numbers.counted(cell["runs"], "figure")
    return numbers.counted(cell["machines"], "Mac")
