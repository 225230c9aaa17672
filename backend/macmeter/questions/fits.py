"""Fits through an answer's groups: one for each set of groups that differ in one number only.

Only groups alike in every determinant share a curve: one through all chips would describe none.
Points of different machines are likewise compared within machines.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from macmeter.platform.errors import too_costly
from macmeter.questions.grouped import Key, mixes_of
from macmeter.questions.groups import Group as CountedGroup
from macmeter.questions.groups import Groups, pooled_by
from macmeter.questions.question import Question, numeric
from macmeter.schemas.answer import Curve, FitResponse, Group, Mix
from macmeter.statistics.fit import MOST_POINTS, Fit, are_of_the_same, fit, points_within


class Fits(NamedTuple):
    """Curves; for each curve that would mix unlike figures, what it would mix; and the number of
    curves whose points are of unconnected machines.
    """

    given: list[FitResponse]
    mixed: list[list[Mix]]
    unconnected: int


def fits_of(question: Question, groups: Mapping[Key, Group], counted: Groups) -> Fits:
    """Fit the groups with the same other values of the key; report why some have no fit.

    Groups without a number are left out.
    """
    if question.fit is None:
        return Fits([], [], 0)
    (over,) = numeric(question.by)
    curves: dict[tuple[Any, ...], list[Key]] = {}
    for key, group in groups.items():
        if group["key"][over] is not None:
            other_values = tuple((name, group["key"][name]) for name in question.by if name != over)
            curve_key = (other_values, group["published"], group["method"], group["method_version"])
            curves.setdefault(curve_key, []).append(key)
    listed: list[FitResponse] = []
    unfitted: list[list[Mix]] = []
    unconnected = 0
    for (other_values, published, method, version), keys in curves.items():
        if mixes := mixes_of(pooled_by(counted[key] for key in keys)):
            unfitted.append(mixes)
            continue
        # Fit printed values themselves: nobody printed the median of two unlike ones.
        values = [
            counted[key].values if published else np.array([groups[key]["median"]]) for key in keys
        ]
        xs = np.repeat(
            [cast(float, groups[key]["key"][over]) for key in keys], [len(ys) for ys in values]
        )
        points = np.concatenate(values)
        if question.fit == "theil_sen" and len(points) > MOST_POINTS:
            raise too_costly(
                f"A Theil-Sen line takes at most {MOST_POINTS:,} points; here are {len(points):,}. "
                f"Narrow {over} with where={over}:LOW..HIGH, or use fit=linear.",
                "?fit",
            )
        within = None
        if not published and not _are_of_the_same([counted[key] for key in keys]):
            named = [counted[key].named for key in keys]
            medians = [group.machine_values for group in named]
            within = points_within([group.machine_numbers for group in named], medians, points)
            if within is None:
                unconnected += 1
                continue
        fitted = fit(question.fit, xs, points if within is None else within)
        if fitted is not None:
            listed.append(
                {
                    "over": over,
                    "key": dict(other_values),
                    "published": published,
                    "method": method,
                    "method_version": version,
                    "within_machines": within is not None,
                    **curve_of(fitted),
                }
            )
    return Fits(listed, unfitted, unconnected)


def _are_of_the_same(groups: Sequence[CountedGroup]) -> bool:
    """Whether all points have the same machines; assumed if a source doesn't name them."""
    numbers = [group.named.machine_numbers for group in groups]
    return not all(len(machines) for machines in numbers) or are_of_the_same(numbers)


def curve_of(fitted: Fit) -> Curve:
    return {
        "model": fitted.model,
        "coefficients": list(fitted.coefficients),
        "equation": fitted.equation,
        "r2": fitted.r2,
        "low": fitted.low,
        "high": fitted.high,
        "points": fitted.points,
    }
