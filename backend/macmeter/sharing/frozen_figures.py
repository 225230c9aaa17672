"""What holds for any frozen figure, be it a group of an answer or a cell of a side."""

from __future__ import annotations

from copy import copy
from typing import TypeVar

from macmeter.answers.answer import Figures, Group, RatioTold
from macmeter.answers.sides import FilledCell
from macmeter.sharing.pinned import KEPT_MACHINES

Told = dict[str, object]
T = TypeVar("T", Group, FilledCell)

# What follows from the figures by a method that may be bettered, and what only describes them:
# links saved before `mixes` existed have not changed, nor have those whose spread has more digits.
_INFERRED = ("ci_low", "ci_high", "interval", "verdict", "mixes", "mix", "spread")


def observed(figure: Group | FilledCell) -> Told:
    """A figure and its ratio as they were measured, without what is inferred from them."""
    told = _measured(figure)
    ratio = figure.get("ratio")
    if ratio is not None:
        told["ratio"] = _measured(ratio)
    return told


def _measured(figure: Figures | RatioTold) -> Told:
    return {name: value for name, value in figure.items() if name not in _INFERRED}


def may_rest_on(figure: Group | FilledCell, run_id: str) -> bool:
    """A figure of few runs names them; one of many names some at most and may rest on any."""
    named = figure.get("run_ids", [])
    return run_id in named or len(named) < figure["runs"]


def of_few_machines(figure: Group | FilledCell) -> bool:
    return figure["machines"] < KEPT_MACHINES


def of_few_pairs(figure: Group | FilledCell) -> bool:
    """Whether its ratio is that of so few pairs that it speaks of single machines."""
    ratio = figure.get("ratio")
    return ratio is not None and "pairs" in ratio and ratio["pairs"] < KEPT_MACHINES


def nameless(figure: T, fewest: int, is_reference_told: bool) -> T:
    """Without the ids of runs, and without a ratio of few machines."""
    told = copy(figure)
    told.pop("run_ids", None)
    ratio = told.get("ratio")
    if ratio is not None:
        pairs = ratio.get("pairs")
        if not is_reference_told or (pairs is not None and pairs < fewest):
            told.pop("ratio")
    return told
