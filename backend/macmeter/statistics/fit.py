"""Curves through group medians: least squares, on logarithms for powers, and Theil-Sen.

One point per group, equally weighted; x and y in base units. Curves are valid only within the range
of their points.

r² compares residuals from the curve with those from the mean: 1 minus the ratio of the sums of
squares; for a power on logarithms. Theil-Sen doesn't minimise squares: its r² is at most that of
the linear fit, and negative where a constant would fit better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from macmeter.statistics.summary import Array, Ints

Points = Sequence[float] | Array
FitModel = Literal["linear", "power", "quadratic", "theil_sen"]

# For a Theil-Sen line: 64 MB of slopes, a quarter of a second.
MOST_POINTS = 4_000
# For a power: steeper ones are noise from nearly equal x, and overflow in other units.
STEEPEST = 16


@dataclass(frozen=True)
class Fit:
    """`coefficients` in the order of the equation; `r2` on the scale of the fit."""

    model: FitModel
    coefficients: tuple[float, ...]
    equation: str
    r2: float
    low: float
    high: float
    points: int


@dataclass(frozen=True)
class _Model:
    fewest: int
    fit: Callable[[Array, Array], tuple[float, ...] | None]
    logarithmic: bool = False


def fit(model: FitModel, xs: Points, ys: Points) -> Fit | None:
    """Fit a curve of that model; None if the points don't determine one.

    `theil_sen` takes at most MOST_POINTS.
    """
    chosen = MODELS[model]
    x, y = np.array(xs, dtype=float), np.array(ys, dtype=float)
    if len(np.unique(x)) < chosen.fewest or (chosen.logarithmic and (x.min() <= 0 or y.min() <= 0)):
        return None
    with np.errstate(all="ignore"):  # checked below
        determined = chosen.fit(x, y)
        if determined is None:
            return None
        coefficients = _cleaned(model, determined, x, y)
        fitted = evaluate(model, coefficients, x)
        scaled, drawn = (np.log(y), np.log(fitted)) if chosen.logarithmic else (y, fitted)
        spread = float(((scaled - scaled.mean()) ** 2).sum())
        left = float(((scaled - drawn) ** 2).sum())
    r2 = 1 - left / spread if spread > 0 else 1.0
    if not np.isfinite([*coefficients, r2]).all():
        return None
    return Fit(
        model=model,
        coefficients=coefficients,
        equation=equation(model, coefficients),
        r2=r2,
        low=float(x.min()),
        high=float(x.max()),
        points=len(x),
    )


def evaluate(model: str, coefficients: Sequence[float], x: Array) -> Array:
    """Return y of the curve at x."""
    if model == "power":
        return np.asarray(coefficients[0] * x ** coefficients[1])
    return np.asarray(sum(c * x**power for power, c in enumerate(coefficients)))


def _cleaned(model: str, coefficients: tuple[float, ...], x: Array, y: Array) -> tuple[float, ...]:
    """Drop terms within rounding error: a constant has no slope."""
    if model == "power":
        return coefficients
    least = 1e-12 * np.abs(y).max()
    return tuple(
        c if power == 0 or abs(c) * np.abs(x).max() ** power > least else 0.0
        for power, c in enumerate(coefficients)
    )


def _polynomial(degree: int) -> Callable[[Array, Array], tuple[float, ...] | None]:
    def fitted(x: Array, y: Array) -> tuple[float, ...] | None:
        curve, (_, rank, *_) = np.polynomial.Polynomial.fit(x, y, degree, full=True)
        if rank <= degree:
            return None
        coefficients = curve.convert().coef
        # Trailing zeros are omitted by `convert`.
        return tuple(float(c) for c in coefficients) + (0.0,) * (degree + 1 - len(coefficients))

    return fitted


def _power(x: Array, y: Array) -> tuple[float, ...] | None:
    line = _polynomial(1)(np.log(x), np.log(y))
    if line is None or abs(line[1]) > STEEPEST:
        return None
    return float(np.exp(line[0])), line[1]


def _theil_sen(x: Array, y: Array) -> tuple[float, ...]:
    """Return the median of the slopes between all pairs of points: n² / 2 of them in memory."""
    slopes = np.empty(len(x) * (len(x) - 1) // 2)
    filled = 0
    for i in range(len(x) - 1):
        across = x[i + 1 :] - x[i]
        apart = across != 0
        chunk = (y[i + 1 :] - y[i])[apart] / across[apart]
        slopes[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    slope = float(np.median(slopes[:filled], overwrite_input=True))
    return float(np.median(y - slope * x)), slope


MODELS: dict[FitModel, _Model] = {
    "linear": _Model(3, _polynomial(1)),
    "power": _Model(3, _power, logarithmic=True),
    "quadratic": _Model(4, _polynomial(2)),
    "theil_sen": _Model(3, _theil_sen),
}


def equation(model: str, coefficients: Sequence[float], x: float = 1, y: float = 1) -> str:
    """Format the equation with x and y divided as given: "y = 0.174491 + 0.217292 x"."""
    if model == "power":
        coefficients = (coefficients[0] * x ** coefficients[1] / y, coefficients[1])
    else:
        coefficients = [c * x**power / y for power, c in enumerate(coefficients)]
    if model == "power":
        return f"y = {coefficients[0]:.6g} x^{coefficients[1]:.6g}"
    text = f"y = {coefficients[0]:.6g}"
    for power, coefficient in enumerate(coefficients[1:], start=1):
        if coefficient == 0:
            continue
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} {abs(coefficient):.6g} x" + (f"^{power}" if power > 1 else "")
    return text


# Relative residual at which to stop, and the maximum number of steps.
_PRECISION, _MOST_STEPS = 1e-13, 2_000


def are_of_the_same(machines: Sequence[Ints]) -> bool:
    """Whether all points were measured by the same machines."""
    first = np.sort(machines[0])
    return all(np.array_equal(first, np.sort(numbers)) for numbers in machines[1:])


def points_within(
    machines: Sequence[Ints], values: Sequence[Array], medians: Array
) -> Array | None:
    """Return P points as if the same machines had measured all, at the level of `medians`.

    If few fast machines measured the right of a curve and many slow ones the left, a curve through
    medians would mostly show who measured. A machine that measured several points relates them
    regardless of its own speed: a value is its point's effect times its machine's, and both are
    found by least squares on logarithms (a two-way layout without interaction, as in Summers' 1973
    country-product dummies).

    `machines` and `values` are per point. Returns None if machines don't connect all points, so
    that some can't be related. If there are values of 0, effects are additive.
    """
    point = np.repeat(np.arange(len(values)), [len(group) for group in values])
    _, machine = np.unique(np.concatenate(machines), return_inverse=True)
    value = np.concatenate(values)
    is_positive = bool(value.min() > 0 and medians.min() > 0)
    scaled, level = (np.log(value), np.log(medians)) if is_positive else (value, medians)
    if not _connect(point, machine):
        return None
    counts = np.bincount(machine)

    def less_machines(each: Array) -> Array:
        """Return the values' sums by point after subtracting each machine's mean."""
        left: Array = each - (np.bincount(machine, weights=each) / counts)[machine]
        return np.bincount(point, weights=left).astype(np.float64)

    effects = _solved(lambda by_point: less_machines(by_point[point]), less_machines(scaled))
    points: Array = effects - effects.mean() + level.mean()
    return np.exp(points) if is_positive else points


def _connect(point: Ints, machine: Ints) -> bool:
    """Whether machines that measured several points connect all points."""
    connected = np.zeros(int(machine.max()) + 1, dtype=bool)
    reached = np.zeros(int(point.max()) + 1, dtype=bool)
    reached[0] = True
    count = 0
    while count < np.count_nonzero(reached):
        count = int(np.count_nonzero(reached))
        connected[machine[reached[point]]] = True
        reached[point[connected[machine]]] = True
    return bool(reached.all())


def _solved(times: Callable[[Array], Array], sums: Array) -> Array:
    """Solve `times(x) = sums` by conjugate gradients (Hestenes and Stiefel 1952)."""
    solution, residual = np.zeros(len(sums)), sums
    direction, squares = residual, float(residual @ residual)
    enough = squares * _PRECISION**2
    for _ in range(_MOST_STEPS):
        if squares <= enough:
            break
        turned = times(direction)
        step = squares / float(direction @ turned)
        solution = solution + step * direction
        residual = residual - step * turned
        before, squares = squares, float(residual @ residual)
        direction = residual + squares / before * direction
    return solution
