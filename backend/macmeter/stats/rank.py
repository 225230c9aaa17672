"""The percentile of a value among others, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from macmeter.stats.summary import Array

_Z = 1.959963984540054


@dataclass(frozen=True)
class Place:
    """`percentile` is the share of others that it is better than, 0 to 100, equals counted half.

    `better_than` and `equal_to` count; `low` and `high` are the 95% interval of the percentile, if
    others like these were asked.
    """

    percentile: float
    better_than: int
    equal_to: int
    low: float
    high: float


def place(value: float, others: Array, *, lower_is_better: bool = False) -> Place:
    """The place of `value` among `others`, of which it is none; better is greater, or lower."""
    n = len(others)
    is_worse = others > value if lower_is_better else others < value
    worse, equal = int(np.sum(is_worse)), int(np.sum(others == value))
    share = (worse + equal / 2) / n
    low, high = _wilson(share, n)
    return Place(
        percentile=100 * share,
        better_than=worse,
        equal_to=equal,
        low=100 * low,
        high=100 * high,
    )


def _wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's interval of a share: it stays within 0 and 1, also at the ends."""
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
