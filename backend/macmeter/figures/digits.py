"""The digits of an answer's figures."""

from __future__ import annotations

from macmeter.answers.answer import Confidence, Figures, MetricAnswer, PrintedFigure
from macmeter.figures.figure import Span
from macmeter.figures.numbers import (
    Scale,
    in_unit,
    printed_in,
    printed_parts,
    scale_for,
    with_unit,
)


def shared_scale(results: list[MetricAnswer]) -> Scale:
    """One scale for metrics of one unit, which share an axis: chosen by their medians."""
    scales = [_column_scale(result) for result in results]
    return max(scales, key=lambda scale: scale.divisor, default=Scale())


def _column_scale(result: MetricAnswer) -> Scale:
    values = [group["median"] for group in result["groups"]]
    values += [figure["high"] for figure in result["published"] if figure["kind"] == "range"]
    return scale_for(result["unit"], values)


def median_text(group: Figures, scale: Scale) -> str:
    """The digits of a group's median in `scale`.

    A published figure shows exactly what was printed; of several unlike ones the lowest and the
    highest, since nobody printed what lies between.
    """
    printed = [*dict.fromkeys(group.get("printed") or [])]
    if not any(map(printed_parts, printed)):
        return in_unit(group["median"], scale)
    if len(printed) == 1:
        digits = printed_in(printed[0], scale.symbol)
        return f"{group['qualifier']} {digits}" if group.get("qualifier") else digits
    ascending = [one["printed"] for one in group.get("figures") or [] if "printed" in one]
    told = [printed_in(text, scale.symbol) for text in ascending or printed]
    return f"{told[0]} to {told[-1]}" if len(printed) > 2 and ascending else ", ".join(told)


def middle_of(group: Figures) -> float:
    """Where a group's figure is drawn: several unlike published ones as a range is."""
    several = len(group.get("figures") or []) > 1 or len({*(group.get("printed") or [])}) > 1
    return (group["min"] + group["max"]) / 2 if several else group["median"]


def published_text(figure: PrintedFigure, symbol: str) -> str:
    """A printed ratio or range, with the author's own reservation: "about 98"."""
    digits = printed_in(figure["printed"], symbol)
    qualifier = figure.get("qualifier")
    return f"{qualifier} {digits}" if qualifier and qualifier != "as printed" else digits


def printed_ratio(figure: PrintedFigure) -> str:
    """A printed ratio away from a percent axis, with its sign: "97 %"."""
    digits = published_text(figure, "%")
    if "%" in digits or "%" not in figure["printed"]:
        return digits
    return with_unit(digits, "%")


def with_own_unit(digits: str, symbol: str) -> str:
    """With its unit: digits that were printed in another one carry that already."""
    return digits if digits[-1:].isalpha() or digits.endswith("%") else with_unit(digits, symbol)


def band_of(group: Figures, *, published: bool) -> Span | None:
    """p10 to p90 of the samples; of a handful of published figures, lowest and highest."""
    if "spread" not in group:
        return None
    # Lowest and highest are machines': one machine has but one, and yet samples that differ.
    spread = group["spread"]
    low, high = (group["min"], group["max"]) if published else (spread["p10"], spread["p90"])
    return None if low == high else (low, high)


def interval_of(figures: Confidence) -> Span | None:
    low, high = figures.get("ci_low"), figures.get("ci_high")
    return None if low is None or high is None else (low, high)
