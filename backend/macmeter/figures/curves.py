"""Fitted curves: where they run on a chart, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np

from macmeter.answers.answer import Curve
from macmeter.figures.figure import Axis, FittedCurve, Span
from macmeter.figures.numbers import Scale, counted, significant
from macmeter.stats.fit import equation, evaluate

# Into so many pieces a curve is drawn.
_STEPS = 64
_DRAWN = 5
_MODELS = {"theil_sen": "Theil-Sen"}


def heights_of(fit: Curve) -> list[float]:
    """What the curve comes to within its range, in base units."""
    xs = np.linspace(fit["low"], fit["high"], _STEPS + 1)
    return [float(y) for y in evaluate(fit["model"], fit["coefficients"], xs)]


def curve_of(fit: Curve, across: Axis, up: Axis, scale: Scale) -> FittedCurve:
    """The curve within its points' range, from there to the end of the axis, and half as far back:
    what four threads beyond the tenth do says nothing of the first.
    """
    low, high = fit["low"], fit["high"]
    first = max(low - (high - low) / 2, across.low)
    ends = [(first, low)] if first < low else []
    ends += [(high, across.high)] if across.high > high else []
    beyond = [stretch for end in ends for stretch in _stretches(fit, end, across, up, scale)]
    return FittedCurve(tuple(_stretches(fit, (low, high), across, up, scale)), tuple(beyond))


def _stretches(
    fit: Curve, ends: Span, across: Axis, up: Axis, scale: Scale
) -> list[tuple[Span, ...]]:
    """From one place to another, as far as it is on the axes."""
    xs = (np.geomspace if across.log else np.linspace)(ends[0], ends[1], _STEPS + 1)
    ys = evaluate(fit["model"], fit["coefficients"], xs) / scale.divisor
    points = [(_short(x), _short(y)) for x, y in zip(xs, ys, strict=True)]
    shown = groupby(points, key=lambda point: up.low <= point[1] <= up.high)
    return [tuple(stretch) for on, stretch in shown if on]


def _short(value: float) -> float:
    return float(f"{value:.{_DRAWN}g}")


def fit_in_words(
    fit: Curve, of: str, across: Scale, up: Scale, told: Callable[[float], str]
) -> str:
    """ "Host: power fit y = 49.9 x^−0.912 in s and threads, r² 0.998, 5 points from 1 to 5"."""
    model = _MODELS.get(fit["model"], fit["model"])
    written = equation(fit["model"], fit["coefficients"], across.divisor, up.divisor)
    units = " and ".join(filter(None, (up.symbol, across.symbol)))
    return (
        f"{of}: {model} fit {written.replace('-', '−')} in {units}, r² {significant(fit['r2'])}, "
        f"{counted(fit['points'], 'point')} from {told(fit['low'])} to {told(fit['high'])}"
    )
