"""Columns and cells of the table under a chart, and the shaded grid of cores by kernels.

Kernels do different amounts of work in a loop, so their rates share no scale, and one chart of all
would be too long to read. The same applies to two kinds of cores of every chip.
"""

from collections.abc import Iterable, Sequence

from macmeter.catalog.terms import LIKE_WITH_LIKE, Value
from macmeter.charts import numbers, words
from macmeter.charts.figure import Case, Column, Grid, GridCell, GridRow, Lane, Measure, Span
from macmeter.charts.side_verdicts import causes_of, detectable_text, direction, pairs_agree
from macmeter.schemas.answer import (
    Confidence,
    Figures,
    Group,
    QuestionResponse,
    Ratio,
    RatioResponse,
)
from macmeter.statistics.figures import BETWEEN_MODELS, WITHIN_MACHINE

_SPREAD = "p10–p90"
# Maximum number of dimensions named in a cell.
_MOST_HELD = 3


def columns_of(lanes: Iterable[Lane], measure: Measure, unit: str) -> tuple[Column, ...]:
    """Return the columns in which any lane has a cell; the first holds the lanes' own text."""
    value = "Difference" if measure == "ratio" else "Median"
    columns = (
        Column("value", value, "%" if measure == "ratio" else unit, numeric=True),
        Column("cited", "Source"),
        Column("mixes", "Mixes"),
        Column("across", "Across"),
        Column("spread", "Spread of samples", _SPREAD, numeric=True),
        Column("between", "Spread of Macs", _SPREAD, numeric=True),
        Column("interval", "95% interval", "%" if measure == "ratio" else unit, numeric=True),
        Column("pairing", "Pairing"),
        Column("verdict", "Verdict"),
        Column("median", "Median", unit, numeric=True),
        Column("machines", "Macs", numeric=True),
        Column("runs", "Runs", numeric=True),
        Column("samples", "Samples", numeric=True),
        Column("flags", "Flags"),
        Column("method", "Method"),
        Column("crude", "Crude difference", "%", numeric=True),
    )
    return filled(columns, lanes)


def filled(columns: Iterable[Column], lanes: Iterable[Lane]) -> tuple[Column, ...]:
    """Return the first column and those in which any lane has a cell."""
    used = {"value"}
    for lane in lanes:
        used |= (lane.cells or {}).keys()
        used |= {"cited"} if lane.dagger else set()
        used |= {"flags"} if lane.flags else set()
    return tuple(column for column in columns if column.id in used)


def compares_like_with_like(question: QuestionResponse, group: Group) -> bool:
    """Whether the group is compared like with like, or others with it: then what it pools isn't
    mixed in the ratios that are shown.
    """
    is_like = bool(question["relative_to"]) and question.get("version") == LIKE_WITH_LIKE
    return is_like and not group["published"]


def pooled_in_words(question: QuestionResponse, group: Group) -> str:
    """Format what a figure mixes, or what a ratio of like with like is combined across."""
    return words.mixes_in_words(
        [group], "Across" if compares_like_with_like(question, group) else "Includes"
    )


def cells_of(
    question: QuestionResponse, metric: str, group: Group, scale: numbers.Scale
) -> dict[str, str]:
    """Return the cells of a metric's group by column, without empty ones."""
    pooled = "across" if compares_like_with_like(question, group) else "mixes"
    cells = counts_of(group) | {
        pooled: words.mixes_in_words([group], ""),
        "samples": numbers.fixed(group["samples"], 0),
        "method": f"{group['method']}\u00a0{group['method_version']}",
    }
    if question["relative_to"]:
        ratio = group["ratio"]
        cells |= {
            "interval": ratio_range(ratio),
            "pairing": pairing_of(ratio),
            "verdict": verdict_of(metric, ratio),
            "crude": crude_text(ratio),
            "median": numbers.median_text(group, scale),
        }
    else:
        several_macs = group["machines"] > 1 and not group["published"]
        between = (group["p10"], group["p90"]) if several_macs else None
        cells |= {
            "spread": range_text(numbers.band_of(group, published=group["published"]), scale),
            "between": range_text(between, scale),
            "interval": interval_text(group, scale),
        }
    return {name: text for name, text in cells.items() if text}


def counts_of(group: Figures) -> dict[str, str]:
    machines = group["machines"]
    return {
        "machines": numbers.fixed(machines, 0) if machines else "",
        "runs": numbers.fixed(group["runs"], 0),
    }


_UNITS = {WITHIN_MACHINE: " within this Mac", BETWEEN_MODELS: " between models"}


def interval_text(group: Confidence, scale: numbers.Scale) -> str:
    """Format an interval, "7.41–7.80", and say if its units aren't Macs."""
    ends = numbers.interval_of(group)
    units = _UNITS.get(group.get("interval", ""), "") if ends else ""
    return range_text(ends, scale) + units


def range_text(ends: Span | None, scale: numbers.Scale) -> str:
    """Format a range, "7.41–7.80"; empty without one."""
    return (
        ""
        if ends is None
        else f"{numbers.in_unit(ends[0], scale)}–{numbers.in_unit(ends[1], scale)}"
    )


def ratio_range(ratio: Confidence) -> str:
    ends = numbers.interval_of(ratio)
    return "" if ends is None else " to ".join(map(numbers.difference_text, ends))


def crude_text(ratio: RatioResponse) -> str:
    """Format the difference of the raw medians with its interval: "+24 (−2 to +57)"."""
    if (crude := ratio.get("crude")) is None:
        return ""
    ends = ratio_range(crude)
    text = numbers.difference_text(crude["value"])
    return f"{text} ({ends})" if ends else text


def pairing_of(ratio: RatioResponse) -> str:
    """Describe the pairing: "3 pairs", "same chip and model", "unpaired"."""
    if (pairs := ratio.get("pairs")) is not None:
        return numbers.counted(pairs, "pair")
    likeness = ratio.get("likeness")
    if likeness is None or not likeness["held"]:
        return str(ratio["pairing"])
    names = [words.uncapitalised(words.dimension_title(name)) for name in likeness["held"]]
    if len(names) > _MOST_HELD:
        names[_MOST_HELD - 1 :] = [f"{len(names) - _MOST_HELD + 1} more"]
    return f"same {words.listed(names)}"


def verdict_of(metric: str, ratio: Ratio) -> str:
    """Return the verdict: "lower", or what would have shown, and never "no difference"."""
    answer = ratio["verdict"]["answer"]
    way = direction(metric, above=ratio["value"] > 1)
    if answer == "different":
        return way
    if answer == "confounded":
        return f"confounded by {causes_of(ratio)}"
    if answer == "no_evidence":
        least = detectable_text(ratio)
        return "no difference seen" + (f"; one of {least[1]} would have shown" if least else "")
    pairs = numbers.counted(ratio.get("pairs", 0), "pair")
    return f"all {pairs} {way}" if pairs_agree(ratio) else "inconclusive"


# Candidates for the columns of a grid by preference, with the minimum number of cases.
GRID_COLUMNS = {"kernel": 2, "core_context": 16}
# Neither rows nor columns of a grid show it.
_NOT_IN_GRID = "loops"
_DIGITS = 3


def grid_of(
    by: Sequence[str], metrics: int, cases: Sequence[Case], measure: Measure
) -> tuple[Grid, int] | None:
    """Return the grid and the number of cases without a place in it, as they state no column; None
    if no row would have two cells, or without a dimension for rows.
    """
    across = next((name for name in GRID_COLUMNS if name in by), None)
    down = [name for name in words.reading_order(by) if name != across]
    if (
        across is None
        or metrics != 1
        or not down
        or _NOT_IN_GRID in by
        or len(cases) < GRID_COLUMNS[across]
    ):
        return None
    placed = [case for case in cases if _value(case, across) is not None]
    fixed = [name for name in down if len({_value(case, name) for case in placed}) == 1]
    fixed = fixed if len(fixed) < len(down) else fixed[1:]
    down = [name for name in down if name not in fixed]
    by_cell = {(_row(case, down), _value(case, across)): case for case in placed}
    values = sorted(
        {_value(case, across) for case in placed},
        key=lambda value: words.key_order([across], {across: value}),
    )
    rows = list(dict.fromkeys(_row(case, down) for case in placed))
    if len(by_cell) < len(placed) or len(placed) == len(rows):
        return None
    columns = [[_lane(by_cell.get((row, value))) for row in rows] for value in values]
    pooled = [lane for column in columns for lane in column]
    shades = [_shades(pooled if measure == "ratio" else column, measure) for column in columns]
    first, *others = (words.dimension_title(name) for name in down)
    title = words.listed([first, *map(words.uncapitalised, others)])
    if fixed:
        title = f"{_row(placed[0], fixed)}: {words.uncapitalised(title)}"
    grid = Grid(
        title=title,
        columns=tuple(words.case_value(across, value) for value in values),
        rows=tuple(
            GridRow(
                row,
                tuple(
                    lane and GridCell(lane.id, shade[lane.text])
                    for lane, shade in zip(lanes, shades, strict=True)
                ),
            )
            for row, lanes in zip(rows, zip(*columns, strict=True), strict=True)
        ),
    )
    return grid, len(cases) - len(placed)


def _value(case: Case, name: str) -> Value:
    return (case.key or {}).get(name)


def _row(case: Case, down: list[str]) -> str:
    return words.case_label(down, case.key or {})


def _shades(lanes: Iterable[Lane | None], measure: Measure) -> dict[str, float]:
    """Return the shade of each printed text, so that equal digits look equal."""
    values = {lane.text: lane.value for lane in lanes if lane and lane.value is not None}
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    if measure == "ratio":
        low, high = 1.0, 1 + (max(high - 1, 1 - low) or 1)
    elif low == high:
        low, high = low - 1, high + 1
    return {text: round((value - low) / (high - low), _DIGITS) for text, value in values.items()}


def _lane(case: Case | None) -> Lane | None:
    """Return the first drawn lane, preferably measured; the table has the others."""
    drawn = [lane for lane in case.lanes if lane.value is not None] if case else []
    return next((lane for lane in drawn if not lane.hollow), next(iter(drawn), None))
