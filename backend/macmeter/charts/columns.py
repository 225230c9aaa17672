"""Comparison of sides as a table: a column per side, the baseline first, and an area per suite."""

from collections.abc import Sequence

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.charts import numbers, words
from macmeter.charts.cautions import cautions_of
from macmeter.charts.colours import colour_of
from macmeter.charts.figure_sides import Columns, SideArea, SideFigure, SideHead, SideRow
from macmeter.charts.finding import unbroken
from macmeter.charts.finding_of_sides import Rated, finding_of, name_of, question_of
from macmeter.charts.side_verdicts import is_unanimous, said
from macmeter.schemas.answer import Confidence
from macmeter.schemas.sides import Cell, Compared, FilledCell, Row, filled_cells, is_filled

# Rows of an area that are shown at once; storage is what most come for.
_SHOWN_ROWS = {"disk": 4}
_SHOWN_ROWS_OF_OTHERS = 2
# Fewer rows aren't worth a button.
_FEWEST_FOLDED = 3
_AREAS = {
    "disk": "Storage",
    "cores": "Cores",
    "compression": "Compression",
    "hash": "Hashing",
    "power": "Power",
    "workload": "Workloads",
    "score": "Scores",
}
_PUBLISHED = "Published"
_PAIR = 2


def columns_of(compared: Compared) -> tuple[Columns, str]:
    """Return the columns and the finding: empty if no difference is established or ruled out."""
    builder = _ColumnsBuilder(compared)
    return builder.columns(), builder.finding()


class _ColumnsBuilder:
    def __init__(self, compared: Compared) -> None:
        self.compared = compared
        self.question = compared["comparison"]
        self.baseline: int = self.question["baseline"]
        sides = self.question["sides"]
        # The baseline first, the others in their order.
        self.sides = sorted(sides, key=lambda side: side["number"] != self.baseline)
        self.names = {side["number"]: name_of(side) for side in sides}
        self.row_indices = {id(row): index for index, row in enumerate(compared["rows"])}

    def columns(self) -> Columns:
        by_area: dict[str, list[Row]] = {}
        rows = sorted(self.compared["rows"], key=self._rank)
        only_published = all(row["published"] for row in rows if row["method"])
        for row in rows:
            is_apart = row["published"] and not only_published
            by_area.setdefault(_PUBLISHED if is_apart else _suite(row), []).append(row)
        folded = {id(row) for area_rows in by_area.values() for row in self._folded(area_rows)}
        if len(folded) < _FEWEST_FOLDED or len(folded) == len(rows):
            folded = set()
        areas = tuple(self._area(name, area_rows, folded) for name, area_rows in by_area.items())
        return Columns(
            question=question_of(self.question),
            heads=tuple(self._head(side["number"]) for side in self.sides),
            areas=areas,
            cautions=tuple(cautions_of(self.compared, rows, self.names)),
            folded=len(folded),
        )

    def finding(self) -> str:
        rows = sorted(self.compared["rows"], key=self._rank)
        usual = [row for row in rows if _is_usual(row, rows) and not row["published"]]
        rated = [ratio for row in usual for ratio in self._rated_ratios(row)]
        return unbroken(finding_of(self.question, rated))

    def _rank(self, row: Row) -> tuple[object, ...]:
        """Return the order of rows: by area, comparable ones and the usual method first."""
        names = words.reading_order(row["parameters"])
        order = words.key_order(names, row["parameters"])
        metric = catalog.METRICS[row["metric"]]
        # Performance cores are what a chip is known for.
        context = str(row["parameters"].get("core_context", ""))
        return (
            bool(row["published"]),
            list(_AREAS).index(_suite(row)),
            -sum("ratio" in cell for cell in filled_cells(row)),
            not _is_usual(row, self.compared["rows"]),
            Role.WRITES not in metric.roles,
            Role.CHIEF not in metric.roles,
            metric.title,
            context.startswith("Efficiency"),
            order,
        )

    def _folded(self, rows: list[Row]) -> list[Row]:
        """Return rows that an area folds: not compared, by another method, or one of many."""
        useful = [
            row
            for row in rows
            if any("ratio" in cell for cell in filled_cells(row))
            and _is_usual(row, self.compared["rows"])
        ]
        # Other kernels on the same cores say the same.
        firsts = {_subject_of_any_kernel(row): row for row in reversed(useful)}.values()
        useful.sort(key=lambda row: not any(row is first for first in firsts))
        visible = useful[: _SHOWN_ROWS.get(_suite(rows[0]), _SHOWN_ROWS_OF_OTHERS)]
        return [row for row in rows if row not in visible]

    def _area(self, name: str, rows: list[Row], folded: set[int]) -> SideArea:
        shown_count = sum(id(row) not in folded for row in rows)
        summary = numbers.counted(len(rows), "figure")
        if 0 < shown_count < len(rows):
            summary = f"{shown_count} of {summary}"
        if name == _PUBLISHED:
            summary += ", never mixed with measured ones"
        return SideArea(
            title=_AREAS.get(name, name),
            told=summary,
            rows=tuple(self._row(row, folded=id(row) in folded) for row in rows),
        )

    def _row(self, row: Row, *, folded: bool) -> SideRow:
        cells = {cell["side"]: cell for cell in row["cells"]}
        return SideRow(
            metric=row["metric"],
            name=words.metric_title(row["metric"]),
            under=self._subtitle(row),
            figures=tuple(self._cell(row, cells[side["number"]]) for side in self.sides),
            folded=folded,
        )

    def _subtitle(self, row: Row) -> str:
        """Format "Performance/high, fp64, 1 thread"; name only an unusual method."""
        texts = [words.case_value(name, value) for name, value in row["parameters"].items()]
        if not _is_usual(row, self.compared["rows"]):
            texts.append(f"by {row['method']}\u00a0{row['method_version']}")
        return ", ".join(texts)

    def _head(self, number: int) -> SideHead:
        counts = [
            cell["machines"]
            for row in self.compared["rows"]
            if not row["published"]
            for cell in filled_cells(row)
            if cell["side"] == number
        ]
        most = max(counts, default=0)
        based_on = [numbers.counted(most, "Mac")] if most else []
        if number == self.baseline:
            based_on.append("baseline")
        (side,) = (side for side in self.sides if side["number"] == number)
        fixed = {term["dimension"]: term["value"] for term in side["where"] if term["op"] == "is"}
        colour = colour_of(fixed)
        is_plain = number == self.baseline or not colour.startswith("storage-")
        return SideHead(
            side=number,
            name=self.names[number],
            based_on=", ".join(based_on),
            colour="ink" if is_plain else colour,
            baseline=number == self.baseline,
        )

    def _cell(self, row: Row, cell: Cell) -> SideFigure:
        number = cell["side"]
        lane = f"{self.row_indices[id(row)]}.{number}"
        if not is_filled(cell):
            text = (
                "Not measured"
                if cell["missing"]["code"] == "not_measured"
                else (cell["missing"]["text"])
            )
            return SideFigure(number, lane, verdict="" if number == self.baseline else text)
        digits, unit = _digits(row, cell)
        figure = SideFigure(number, lane, text=digits, unit=unit)
        if number == self.baseline:
            return figure
        if "ratio" not in cell:
            refusal = cell.get("no_ratio")
            return SideFigure(
                number, lane, digits, unit, verdict=refusal["text"] if refusal else ""
            )
        ratio = cell["ratio"]
        names = self.names[number], self.names[self.baseline]
        statement = said(row, cell, self._baseline(row), names, named=len(self.sides) == _PAIR)
        ends = numbers.interval_of(ratio)
        return SideFigure(
            number,
            lane,
            digits,
            unit,
            ratio=_rounded(ratio["value"]),
            interval=None if ends is None else tuple(map(_rounded, ends)),
            change=change_of(ratio["value"]),
            verdict=statement.verdict,
            more=statement.more,
            based_on=statement.based_on,
            clear=statement.clear,
        )

    def _baseline(self, row: Row) -> FilledCell:
        (baseline,) = (cell for cell in filled_cells(row) if cell["side"] == self.baseline)
        return baseline

    def _rated_ratios(self, row: Row) -> list[Rated]:
        """Return the row's ratios; a unanimous sign counts as clear however few agree."""
        rated = []
        for cell in filled_cells(row):
            if "ratio" in cell:
                answer = cell["ratio"]["verdict"]["answer"]
                unanimous = answer == "not_enough" and is_unanimous(row, cell, self._baseline(row))
                clear = answer == "different" or unanimous
                area = _suite(row)
                rated.append(Rated(row["metric"], area, cell["side"], cell["ratio"], clear))
        return rated


def heading_of(row: Row, rows: Sequence[Row]) -> str:
    """Format "Write speed"; "… · published"; name only unusual methods."""
    details = ["published"] if row["published"] else []
    if not _is_usual(row, rows):
        has_versions = (
            sum(
                _subject(other) == _subject(row) and other["method"] == row["method"]
                for other in rows
            )
            > 1
        )
        details.append(f"{row['method']}" + f" {row['method_version']}" * has_versions)
    parameters = [words.case_value(name, value) for name, value in row["parameters"].items()]
    name = ", ".join([words.metric_title(row["metric"]), *parameters])
    return " · ".join(filter(None, [name, ", ".join(details)]))


def _is_usual(row: Row, rows: Sequence[Row]) -> bool:
    """Whether no other method of the same thing has more runs."""
    if not row["method"]:
        return True
    matching = [other for other in rows if _subject(other) == _subject(row)]
    return row is max(matching, key=_runs)


def _subject(row: Row) -> object:
    """Return what a row is about: equal for rows that differ only in their method."""
    return row["metric"], row["parameters"], bool(row["published"])


def _runs(row: Row) -> int:
    return sum(int(cell["runs"]) for cell in filled_cells(row))


def _subject_of_any_kernel(row: Row) -> object:
    """Return what a row is about, without the kernel that the cores ran."""
    parameters = (pair for pair in sorted(row["parameters"].items()) if pair[0] != "kernel")
    return row["metric"], *parameters


def _suite(row: Row) -> str:
    return catalog.METRICS[row["metric"]].suite


def scale_of(row: Row) -> numbers.Scale:
    return numbers.scale_for(row["unit"], [cell["median"] for cell in filled_cells(row)])


def figure_text(row: Row, cell: FilledCell) -> str:
    """Format a side's own figure with its unit: "7.66 GB/s"."""
    scale = scale_of(row)
    # A figure printed in another unit than its row's keeps its own.
    return numbers.with_own_unit(numbers.median_text(cell, scale), scale.symbol)


def _digits(row: Row, cell: FilledCell) -> tuple[str, str]:
    """Return a side's own figure as digits and unit; digits with a unit of their own have none."""
    text, symbol = figure_text(row, cell), scale_of(row).symbol
    digits = numbers.median_text(cell, scale_of(row))
    return (digits, symbol) if text != digits else (text, "")


def change_of(ratio: float) -> str:
    """Format "+40 %", "−0.3 %", "0 %"."""
    text = numbers.with_unit("0", "%") if ratio == 1 else numbers.change_text(ratio)
    return text[1:] if text[1:].startswith("<") else text


def range_of(ratio: Confidence) -> str:
    """Format an interval of differences, "+37 to +42"; empty without one."""
    ends = numbers.interval_of(ratio)
    texts = [] if ends is None else [change_of(end).removesuffix("\u2009%") for end in ends]
    return " to ".join(texts)


def _rounded(ratio: float) -> float:
    return float(f"{ratio:.7g}")
