"""One plain sentence about a comparison of two sides, for readers of a link."""

import math

from macmeter import catalog
from macmeter.catalog import Better
from macmeter.charts import numbers, words
from macmeter.platform.plain_text import isolated
from macmeter.schemas.sides import Compared, FilledCell, Row, SideRatio, is_filled


def sentence_of(compared: Compared) -> str | None:
    """Format "Write speed: M2 is 8 % slower than M1 (11 pairs)".

    It is about the clear ratio whose interval is furthest from 1, or else says that none is clear.
    None for more than two sides, and without any ratio.
    """
    question = compared["comparison"]
    names = {side["number"]: isolated(side["label"]) for side in question["sides"]}
    baseline = names.pop(question["baseline"], None)
    if baseline is None or len(names) != 1:
        return None
    ((number, name),) = names.items()
    cells_with_ratio = [
        (row, cells[number], cells.get(question["baseline"]))
        for row in compared["rows"]
        if number in (cells := {cell["side"]: cell for cell in row["cells"] if is_filled(cell)})
        and "ratio" in cells[number]
    ]
    clear = [
        entry for entry in cells_with_ratio if entry[1]["ratio"]["verdict"]["answer"] == "different"
    ]
    if clear:
        row, cell, reference = max(clear, key=lambda entry: _near_end(entry[1]["ratio"]))
        difference = _difference(row, cell["ratio"]["value"])
        title = words.metric_title(row["metric"])
        return f"{title}: {name} {difference} {baseline} ({_basis(cell, reference)})."
    unclear = [
        entry
        for entry in cells_with_ratio
        if entry[1]["ratio"]["verdict"]["answer"] == "no_evidence"
    ]
    if not unclear:
        return None
    row, cell, reference = unclear[0]
    basis = _basis(cell, reference)
    title = words.metric_title(row["metric"])
    return f"{title}: no clear difference between {name} and {baseline} ({basis})."


def _near_end(ratio: SideRatio) -> float:
    """Return the end of the interval that is nearer to 1, as a ratio over 1; 1 without one."""
    high = ratio.get("ci_high", 1.0)
    return max(ratio.get("ci_low", 1.0), 1 / high if high > 0 else math.inf)


def _difference(row: Row, ratio: float) -> str:
    """Format "is 8 % slower than"; for a metric that is neither good nor bad, "is 8 % lower"."""
    percent = numbers.change_text(ratio).lstrip(f"+{numbers.MINUS}")
    metric = catalog.METRICS[row["metric"]]
    if metric.unit == "s":
        return f"takes {percent} {'longer' if ratio > 1 else 'less time'} than"
    if metric.unit.endswith("/s") and metric.better is Better.HIGHER:
        return f"is {percent} {'faster' if ratio > 1 else 'slower'} than"
    return f"is {percent} {'higher' if ratio > 1 else 'lower'} than"


def _basis(cell: FilledCell, reference: FilledCell | None) -> str:
    """Format "11 pairs", or "25 and 30 Macs" without pairs."""
    pairs = cell["ratio"].get("pairs")
    if pairs is not None:
        return numbers.counted(pairs, "pair")
    if reference is None:
        return numbers.counted(cell["machines"], "Mac")
    machines = numbers.fixed(cell["machines"], 0)
    return f"{machines} and {numbers.counted(reference['machines'], 'Mac')}"
