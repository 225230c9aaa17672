"""Chances of Student's and Fisher's distributions, of any number of degrees of freedom."""

from __future__ import annotations

import math
from functools import lru_cache

_ITERATIONS = 300
_TINY = 1e-300


def chance_of_t(t: float, freedom: float) -> float:
    """How often Student's t is as far from 0, to either side."""
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def chance_of_f(ratio: float, freedom: float, of_rest: float) -> float:
    """How often Fisher's ratio of two variances is as great where both are equal."""
    if ratio <= 0:
        return 1.0
    return _incomplete_beta(of_rest / (of_rest + freedom * ratio), of_rest / 2, freedom / 2)


@lru_cache(maxsize=4096)
def quantile_of_t(missed: float, freedom: float) -> float:
    """The t that is exceeded with the chance `missed`, at most one half: to nine digits."""
    low, high = 0.0, 1.0
    while chance_of_t(high, freedom) > 2 * missed:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if chance_of_t(middle, freedom) > 2 * missed:
            low = middle
        else:
            high = middle
    return high


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularised; by its continued fraction, which Lentz's method works out."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    ahead = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    ahead += a * math.log(x) + b * math.log1p(-x)
    fraction, c, d = 1.0, 1.0, 0.0
    for i in range(_ITERATIONS):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _away_from_zero(1 + term * d)
        c = _away_from_zero(1 + term / c)
        fraction *= c * d
        if abs(1 - c * d) < 1e-12:
            break
    return math.exp(ahead) * (fraction - 1) / a


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
