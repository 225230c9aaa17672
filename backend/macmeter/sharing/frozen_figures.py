"""What holds for any frozen figure, be it a group of an answer or a cell of a side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from macmeter.answers.answer import Group, RatioTold
from macmeter.answers.comparisons import Change
from macmeter.answers.sides import FilledCell
from macmeter.sharing.pinned import KEPT_MACHINES
from macmeter.terms import Value

Key = tuple[object, ...]
"""What tells a figure from the others of its answer."""
T = TypeVar("T", Group, FilledCell)

# What makes a saved comparison "changed". Nothing else does: no statistic or column that answers
# gain later, nor other words, flags, intervals or verdicts of the same data.
_STATISTICS = ("mean", "median", "min", "p10", "p25", "p75", "p90", "max")
_RATIO = ("value", "pairing", "pairs")
_BEHIND = ("machines", "runs", "samples")
# Thousands of last digits, and far less than any figure shows.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Observed:
    """A figure's numbers, or digits as they are `printed`; and what is `behind` it."""

    numbers: Mapping[str, Any] = field(default_factory=dict)
    behind: Mapping[str, Any] = field(default_factory=dict)
    printed: tuple[str, ...] = ()

    def has_moved(self, before: Observed | None) -> bool:
        if before is None or self.printed != before.printed:
            return True
        return not _are_equal(self.numbers, before.numbers)


def _are_equal(one: Any, other: Any) -> bool:
    """Whether these say the same; a sum taken in another order ends in other digits."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = one.keys() | other.keys()
        return all(_are_equal(one.get(name), other.get(name)) for name in names)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_ROUNDING)
    return bool(one == other)


def by_name(values: Mapping[str, Value]) -> frozenset[tuple[str, Value]]:
    """Dimensions and their values as a part of a key; stored JSON comes in an order of its own."""
    return frozenset(values.items())


def observed(figure: Group | FilledCell) -> Observed:
    return Observed(_listed(figure, _STATISTICS), _listed(figure, _BEHIND))


def observed_with_ratio(group: Group) -> Observed:
    """With its ratio, whose reference may be in no other group of the answer."""
    found, ratio = observed(group), group.get("ratio")
    if ratio is None:
        return found
    return replace(found, numbers={**found.numbers, "ratio": _listed(ratio, _RATIO)})


def _listed(found: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: found[name] for name in names if name in found}


def change(before: Mapping[Key, Observed], after: Mapping[Key, Observed]) -> Change | None:
    """How many figures moved, came or went, and the ratio of medians furthest from 1.

    None where there is no difference; 0 figures where only what is behind them differs.
    """
    pairs = [(before.get(key), after.get(key)) for key in before.keys() | after.keys()]
    moved = [(then, now) for then, now in pairs if now is None or now.has_moved(then)]
    if not moved and all(then and now and then.behind == now.behind for then, now in pairs):
        return None
    groups = sum(not (then or now or Observed()).printed for then, now in moved)
    # Half is as far as double.
    largest = max(_ratios(moved), key=lambda ratio: abs(math.log(ratio)), default=None)
    return {"groups": groups, "published": len(moved) - groups, "largest": largest}


def _ratios(moved: Iterable[tuple[Observed | None, Observed | None]]) -> Iterator[float]:
    for then, now in moved:
        before, after = (one.numbers.get("median") if one else None for one in (then, now))
        if before and after and 0 < after / before < math.inf:
            yield after / before


def may_rest_on(figure: Group | FilledCell, run_id: str) -> bool:
    """A figure of few runs names them; one of many names some at most and may rest on any."""
    named = figure.get("run_ids", [])
    return run_id in named or len(named) < figure["runs"]


def of_few_machines(figure: Group | FilledCell) -> bool:
    return figure["machines"] < KEPT_MACHINES


def of_few_pairs(figure: Group | FilledCell) -> bool:
    """Whether its ratio is that of so few pairs or machines that it speaks of single ones."""
    ratio = figure.get("ratio")
    return ratio is not None and _machines_behind(ratio, KEPT_MACHINES) < KEPT_MACHINES


def _machines_behind(ratio: RatioTold, otherwise: int) -> int:
    """The pairs of a ratio, or the machines of the smaller side that are in its strata; `otherwise`
    where these are all machines of both groups.
    """
    counts = [ratio.get("pairs", otherwise)]
    if (likeness := ratio.get("likeness")) is not None:
        counts.append(likeness.get("machines", otherwise))
        counts.append(likeness.get("reference_machines", otherwise))
    return min(counts)


def nameless(figure: T, fewest: int, is_reference_told: bool) -> T:
    """Without the ids of runs, and without a ratio of few machines."""
    told = copy(figure)
    told.pop("run_ids", None)
    ratio = told.get("ratio")
    if ratio is not None and (not is_reference_told or _machines_behind(ratio, fewest) < fewest):
        told.pop("ratio")
    return told
