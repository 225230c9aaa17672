"""Fits through an answer's groups: one for each set of groups that differ in one number only.

Only groups that are alike in every determinant have one in common: a curve through all chips is
nobody's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from macmeter import catalog
from macmeter.answers.answer import Curve, FitTold, Group, Mix
from macmeter.catalog import Kind
from macmeter.errors import too_costly
from macmeter.queries.grouped import Key
from macmeter.queries.groups import Groups, pooled_by
from macmeter.queries.mixes import mixes_of
from macmeter.queries.question import Question
from macmeter.stats.fit import MOST_POINTS, Fit, fit


def numeric_by(question: Question) -> list[str]:
    """The numeric dimensions that the question groups by."""
    found = ((name, catalog.dimension(name)) for name in question.by)
    return [name for name, d in found if d is not None and d.kind is Kind.NUMBER]


def fits_of(
    question: Question, groups: Mapping[Key, Group], counted: Groups
) -> tuple[list[FitTold], list[list[Mix]]]:
    """The asked fit for each rest of the key, and what each that is not given would mix.

    Groups without a number there are left out.
    """
    if question.fit is None:
        return [], []
    (over,) = numeric_by(question)
    curves: dict[tuple[Any, ...], list[Key]] = {}
    for key, group in groups.items():
        if group["key"][over] is not None:
            rest = tuple((name, group["key"][name]) for name in question.by if name != over)
            same = (rest, group["published"], group["method"], group["method_version"])
            curves.setdefault(same, []).append(key)
    listed: list[FitTold] = []
    unfitted: list[list[Mix]] = []
    for (rest, published, method, version), keys in curves.items():
        if mixes := mixes_of(pooled_by(counted[key] for key in keys)):
            unfitted.append(mixes)
            continue
        points = [groups[key] for key in keys]
        if question.fit == "theil_sen" and len(points) > MOST_POINTS:
            raise too_costly(
                f"A Theil-Sen line takes at most {MOST_POINTS:,} points; here are {len(points):,}. "
                f"Narrow {over} with where={over}:LOW..HIGH, or use fit=linear.",
                "?fit",
            )
        found = fit(
            question.fit,
            [cast(float, point["key"][over]) for point in points],
            [point["median"] for point in points],
        )
        if found is not None:
            listed.append(
                {
                    "over": over,
                    "key": dict(rest),
                    "published": published,
                    "method": method,
                    "method_version": version,
                    **curve_of(found),
                }
            )
    return listed, unfitted


def curve_of(found: Fit) -> Curve:
    return {
        "model": found.model,
        "coefficients": list(found.coefficients),
        "equation": found.equation,
        "r2": found.r2,
        "low": found.low,
        "high": found.high,
        "points": found.points,
    }
