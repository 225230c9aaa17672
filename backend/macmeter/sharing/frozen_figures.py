"""What holds for any frozen figure, be it a group of an answer or a cell of a side."""

from __future__ import annotations

from typing import Any

from macmeter.sharing.pinned import KEPT_MACHINES

Json = dict[str, Any]

# What follows from the figures by a method that may be bettered, and what only describes them:
# links saved before `mixes` existed have not changed, nor have those whose spread has more digits.
_INFERRED = ("ci_low", "ci_high", "interval", "verdict", "mixes", "mix", "spread")


def observed(figure: Json) -> Json:
    """A figure and its ratio as they were measured, without what is inferred from them."""
    told = {name: value for name, value in figure.items() if name not in _INFERRED}
    if "ratio" in figure:
        told["ratio"] = observed(figure["ratio"])
    return told


def may_rest_on(figure: Json, run_id: str) -> bool:
    """A figure of few runs names them; one of many names some at most and may rest on any."""
    named = figure.get("run_ids", [])
    return run_id in named or len(named) < figure["runs"]


def of_few_machines(figure: Json) -> bool:
    return bool(figure["machines"] < KEPT_MACHINES)


def of_few_pairs(figure: Json) -> bool:
    """Whether its ratio is that of so few pairs that it speaks of single machines."""
    ratio = figure.get("ratio", {})
    return "pairs" in ratio and bool(ratio["pairs"] < KEPT_MACHINES)


def nameless(figure: Json, fewest: int, is_reference_told: bool) -> Json:
    """Without the ids of runs, and without a ratio that tells of few machines."""
    told = {name: value for name, value in figure.items() if name != "run_ids"}
    ratio = told.get("ratio")
    if ratio is not None:
        pairs = ratio.get("pairs")
        if not is_reference_told or (pairs is not None and pairs < fewest):
            del told["ratio"]
    return told
