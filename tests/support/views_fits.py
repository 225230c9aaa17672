"""Curves of an answer compared with the planted laws: their range, bend and steepness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from macmeter import catalog

from support.planted import Expected, Group

Json = dict[str, Any]
Points = dict[float, Expected]

# Fewer points need no curve.
FEWEST = 3
# Deviation of a curve through machines from one through the truth of their kind.
OF_KIND = 0.06


def wrong_curves(result: Json, question: Json, expected: Mapping[Group, Expected]) -> list[str]:
    """Errors in the curves of one metric; none if no curve was requested."""
    if question.get("fit") is None:
        return []
    over = next(name for name in question["by"] if _is_number(name))
    curves = {
        (*fit["key"].items(), ("method", fit["method"])): fit
        for fit in result["fits"]
        if not fit["published"]
    }
    wrong: list[str] = []
    for key, points in _curves(over, expected).items():
        label = f"{result['metric']} curve {dict(key)}"
        fit = curves.pop(key, None)
        if fit is None:
            if len(points) >= FEWEST:
                wrong.append(f"{label}: planted and not shown")
            continue
        wrong += [f"{label}: {fault}" for fault in _faults(fit, points)]
    return wrong + [f"{result['metric']} curve {dict(key)}: never planted" for key in curves]


def _curves(over: str, expected: Mapping[Group, Expected]) -> dict[Group, Points]:
    """Planted points of each curve; groups without a number are on none."""
    curves: dict[Group, Points] = {}
    for key, group in expected.items():
        x = dict(key)[over]
        if x is not None:
            curve_key = tuple((name, value) for name, value in key if name != over)
            curves.setdefault(curve_key, {})[float(x)] = group
    return curves


def _faults(fit: Json, points: Points) -> list[str]:
    """Compare a curve with one through the planted figures, and one through the laws themselves."""
    wrong = []
    xs = sorted(points)
    if (fit["low"], fit["high"], fit["points"]) != (xs[0], xs[-1], len(xs)):
        wrong.append(f"from {fit['low']} to {fit['high']}, not from {xs[0]} to {xs[-1]}")
    bend = _bend(points)
    if bend is not None and fit["high"] > bend:
        wrong.append(f"goes on to {fit['high']} past the bend at {bend}")
    law = _fitted(fit["model"], xs, [points[x].law for x in xs])
    for x in (xs[0], xs[len(xs) // 2], xs[-1]):
        y, true_y = _at(fit["model"], fit["coefficients"], x), _at(fit["model"], law, x)
        if abs(y / true_y - 1) > OF_KIND:
            wrong.append(f"{fit['equation']} is {y:.4g} at {x:g}, planted {true_y:.4g}")
    # The slope of a line, and the exponent of a power: 0.06 of an exponent is 6 % at x = e.
    if abs(_shown_steepness(fit) - _steepness(fit["model"], law, xs)) > OF_KIND:
        wrong.append(f"{fit['equation']} is as steep as {law[1]:.4g} by the law")
    return wrong


def _bend(points: Points) -> int | None:
    """Number of threads that fill the fastest tier, if the curve is about those; else None."""
    results = [result for group in points.values() for result in group.results]
    chips = {result.run.mac.chip.name: result.run.mac.chip for result in results}
    contexts = {result.dims.get("core_context") for result in results}
    if len(chips) != 1 or len(contexts) != 1 or "threads" not in results[0].dims:
        return None
    (chip,), (context,) = chips.values(), contexts
    alone = context == f"{chip.tiers[0].name}/high"
    return chip.tiers[0].cores if alone else None


def _shown_steepness(fit: Json) -> float:
    return _steepness(fit["model"], fit["coefficients"], [fit["low"], fit["high"]])


def _steepness(model: str, coefficients: list[float], xs: list[float]) -> float:
    """Exponent of a power; rise of a line as a share of its highest figure."""
    if model == "power":
        return coefficients[1]
    ends = [_at(model, coefficients, x) for x in (xs[0], xs[-1])]
    return (ends[1] - ends[0]) / max(map(abs, ends))


def _fitted(model: str, xs: list[float], ys: list[float]) -> list[float]:
    """Least squares by the normal equations, on logarithms for a power."""
    x, y = np.array(xs), np.array(ys)
    if model == "power":
        x, y = np.log(x), np.log(y)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    intercept = y.mean() - slope * x.mean()
    return [float(np.exp(intercept)) if model == "power" else float(intercept), float(slope)]


def _at(model: str, coefficients: list[float], x: float) -> float:
    intercept, slope = coefficients
    return float(intercept * x**slope if model == "power" else intercept + slope * x)


def _is_number(name: str) -> bool:
    dimension = catalog.dimension(name)
    return dimension is not None and dimension.kind is catalog.Kind.NUMBER
