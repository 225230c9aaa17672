"""Geometric means of ratios to the baseline: over all metrics, and over those of each suite."""

from __future__ import annotations

from collections.abc import Iterable

from macmeter import catalog
from macmeter.answers.sides import (
    AreaMean,
    Covered,
    FilledCell,
    GeometricMean,
    NotCovered,
    Row,
    SideMean,
    WhyLeftOut,
    filled_of,
    is_filled,
)
from macmeter.queries.sides import SidesQuestion
from macmeter.stats.verdict import Part, together
from macmeter.terms import Value


def geometric_mean(asked: SidesQuestion, rows: list[Row]) -> GeometricMean:
    """The geometric mean of the ratios to the baseline, turned so that above 1 is better.

    It covers the metrics that every side has, each once; a mean over other metrics for each
    side would compare nothing.
    """
    counted: list[Row] = []
    left_out: list[NotCovered] = []
    done: set[tuple[str, frozenset[tuple[str, Value]]]] = set()
    for row in sorted(rows, key=lambda row: -sum(cell["machines"] for cell in filled_of(row))):
        same = row["metric"], frozenset(row["parameters"].items())
        reason = _why_left_out(asked, row)
        if reason is None and same in done:
            reason = "counted_by_another_method"
        if reason is not None:
            left_out.append({**_covered(row), "reason": reason})
            continue
        done.add(same)
        counted.append(row)
    return {
        "covers": [_covered(row) for row in counted],
        "left_out": left_out,
        "sides": _means(asked, counted),
        "areas": _areas(asked, rows, counted),
    }


def _areas(asked: SidesQuestion, rows: Iterable[Row], counted: list[Row]) -> list[AreaMean]:
    """In the order of the rows, by the suite that a metric is measured by."""
    areas: list[AreaMean] = []
    for suite in dict.fromkeys(_suite(row) for row in rows):
        own = [row for row in counted if _suite(row) == suite]
        if own:
            areas.append({"suite": suite, "metrics": len(own), "sides": _means(asked, own)})
    return areas


def _suite(row: Row) -> str:
    return catalog.METRICS[row["metric"]].suite


def _covered(row: Row) -> Covered:
    return {"metric": row["metric"], "parameters": row["parameters"], "method": row["method"]}


def _means(asked: SidesQuestion, rows: list[Row]) -> list[SideMean]:
    """Means of each side over the same rows; none over no rows."""
    parts: dict[int, list[Part]] = {side.number: [] for side in asked.sides}
    for row in rows:
        for cell in filled_of(row):
            part = Part(1, (1, 1)) if cell["side"] == asked.baseline else _part(cell)
            parts[cell["side"]].append(part.turned() if row["better"] == "lower" else part)
    return [
        _mean(number, together(of_side), is_baseline=number == asked.baseline)
        for number, of_side in parts.items()
        if of_side
    ]


def _part(cell: FilledCell) -> Part:
    ratio = cell["ratio"]
    low, high = ratio.get("ci_low"), ratio.get("ci_high")
    return Part(ratio["value"], None if low is None or high is None else (low, high))


def _mean(number: int, found: Part, *, is_baseline: bool) -> SideMean:
    told: SideMean = {"side": number, "value": found.value}
    if found.limits is not None and not is_baseline:
        told["ci_low"], told["ci_high"] = found.limits
    return told


def _why_left_out(asked: SidesQuestion, row: Row) -> WhyLeftOut | None:
    if row["better"] == "none":
        return "neither_is_better"
    for cell in row["cells"]:
        if not is_filled(cell):
            return "not_all_sides"
        if cell["side"] != asked.baseline and "ratio" not in cell:
            return "no_ratio"
        if cell["side"] != asked.baseline and not cell["ratio"]["value"] > 0:
            return "zero"
    return None
