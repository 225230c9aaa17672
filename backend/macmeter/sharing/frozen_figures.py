"""What holds for any frozen figure, be it a group of an answer or a cell of a side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from typing import Any, TypeVar

from macmeter.answers.answer import Group
from macmeter.answers.comparisons import Change
from macmeter.answers.sides import FilledCell
from macmeter.sharing.pinned import KEPT_MACHINES
from macmeter.terms import Value

Key = tuple[object, ...]
"""What tells a figure from the others of its answer."""
Observed = dict[str, Any]
"""The numbers of a figure that make a saved comparison "changed"."""
T = TypeVar("T", Group, FilledCell)

# Nothing else does: no statistic or column that answers gain later, nor other words, flags,
# intervals or verdicts of the same data.
_COUNTS = ("machines", "runs", "samples")
_STATISTICS = ("mean", "median", "min", "p10", "p25", "p75", "p90", "max")
_RATIO = ("value", "pairing", "pairs")


def by_name(values: Mapping[str, Value]) -> frozenset[tuple[str, Value]]:
    """Dimensions and their values as a part of a key; stored JSON comes in an order of its own."""
    return frozenset(values.items())


def observed(figure: Group | FilledCell) -> Observed:
    """A figure's numbers, and those of its ratio."""
    ratio = figure.get("ratio")
    told = _listed(figure, (*_COUNTS, *_STATISTICS))
    return told if ratio is None else {**told, "ratio": _listed(ratio, _RATIO)}


def _listed(found: Mapping[str, object], names: tuple[str, ...]) -> Observed:
    return {name: found[name] for name in names if name in found}


def change(before: Mapping[Key, Observed], after: Mapping[Key, Observed]) -> Change | None:
    """How many figures differ from the frozen ones, and the ratio of medians furthest from 1."""
    differing = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    if not differing:
        return None
    pairs = [
        (before.get(key, {}).get("median"), after.get(key, {}).get("median")) for key in differing
    ]
    ratios = [now / then for then, now in pairs if then and now]
    ratios = [ratio for ratio in ratios if 0 < ratio < math.inf]
    groups = sum("median" in (before.get(key) or after[key]) for key in differing)
    return {
        "groups": groups,
        "published": len(differing) - groups,
        # Half is as far as double.
        "largest": max(ratios, key=lambda ratio: abs(math.log(ratio)), default=None),
    }


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
