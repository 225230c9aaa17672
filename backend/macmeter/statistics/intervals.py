"""95% intervals of medians and of ratios of medians, from order statistics.

Of n independent values the number below the true median is Binomial(n, 1/2), whatever their
distribution: between the k-th and the k-th from the top it lies with a chance that is known.
Two neighbours seldom stand for 95% exactly, so the limit lies between them: halfway between
straight interpolation and that of Hettmansperger and Sheather 1986, but only as far as it covers
93% whatever the spread, also where the median lies in a gap between two peaks (`safe_share`).
Seven values allow nothing between 87.5% and 98.4%: their interval is the whole of them. Eight come
no nearer than 98.4% where there is one peak, for 96% where there are two far ones.

Values that come in clusters (the runs of a machine) are not independent: clusters.py.

The limits of a ratio of two medians are a pair of medians, one of each side, that are together as
far out as 95% allows: each side gives way by as much of that as it is spread itself. Were distances
in proportion to deviations, that would be the square root of the sum of both squares (Zou and
Donner 2008). They are not, where a side has two peaks or heavy tails: there its order statistics
are asked nearer to the middle, and again with more of the way to either side. That is what keeps
two sides of unlike peaks above 93%; it costs small sides of one peak some width (98 to 99.5% below
ten machines a side). What all this covers is simulated for all shapes of spread:
`make bench ONLY=interval`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from macmeter.statistics.summary import Array, Ints

# With fewer machines no interval of the median reaches 95%: 1 - 2 * 0.5^5 is 93.75%.
MINIMUM = 6
# Standard deviations on either side of the middle that leave 2.5%.
Z = 1.959963984540054
# Found by simulation: the limits of a ratio are a little nearer where there are few on a side.
_NEARER = 0.1
# More of the way for one side of a ratio, as an angle.
_TURN = 0.6
# Of a limit that is to miss in 2.5% of cases, whatever the spread: 93% between two of them.
MOST_MISSED = 1.4
# What a limit misses that stands for its side alone; those of a ratio lie nearer to the middle.
_ALONE = 0.0251


@dataclass(frozen=True)
class Median:
    """The median of so many independent units, and where else the true one may lie."""

    value: float
    units: int
    # Below and above, so many standard deviations from the middle; infinite where these are more
    # than so few units allow.
    limits: Callable[[float], tuple[float, float]]
    is_between_models: bool = False
    """Whether the units vary by their model, and models are what the limits are about."""

    @property
    def interval(self) -> tuple[float, float]:
        return self.limits(Z)


def of_values(values: Array) -> Median:
    """The median of independent values, in any order; limits are of at least MINIMUM."""
    return of_ordered(np.sort(values))


def of_ordered(ordered: Array) -> Median:
    """The interval of `of_values`, for values that ascend."""

    def limits(deviations: float) -> tuple[float, float]:
        if tail(deviations) < 0.5 ** len(ordered):
            return -math.inf, math.inf
        place = position(len(ordered), deviations) - 1
        below = min(int(place), len(ordered) - 2)
        low = ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)
        high = ordered[-1 - below] - (ordered[-1 - below] - ordered[-2 - below]) * (place - below)
        return float(low), float(high)

    return Median(middle_of(ordered), len(ordered), limits)


def middle_of(ordered: Array) -> float:
    """The median of values that ascend."""
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)


def limits_of_stretches(ordered: Array, starts: Ints, sizes: Ints) -> tuple[Array, Array]:
    """The limits of `of_ordered`, for several stretches of at least MINIMUM values that each
    ascend.
    """
    place = np.array([position(n) - 1 for n in sizes.tolist()], dtype=np.float64)
    below = np.minimum(place.astype(np.int64), sizes - 2)
    share = place - below
    first, last = starts + below, starts + sizes - 1 - below
    lower, upper = ordered.take(first), ordered.take(last)
    low = lower + (ordered.take(first + 1) - lower) * share
    high = upper - (upper - ordered.take(last - 1)) * share
    return low, high


def of_ratio(over: Median, under: Median, deviations: float = Z) -> tuple[float, float] | None:
    """The limits of the ratio of the two medians; None where one of them may be 0, or so near to it
    that a ratio to it is larger than any number.

    Stricter ones with more `deviations` than Z: 0 and infinite where so few units allow none.
    """
    (over_low, over_high), (under_low, under_high) = over.interval, under.interval
    nearest = sys.float_info.min * max(1.0, over_high, under_high)
    if not (over_low > nearest and under_low > nearest):
        return None
    fewer = 1 / over.units + 1 / under.units
    low = min(
        max(over.limits(one)[0], 0.0) / under.limits(other)[1]
        for one, other in _shares(
            over.value / over_low, under_high / under.value, fewer, deviations
        )
    )
    high = max(
        _quotient(over.limits(one)[1], under.limits(other)[0])
        for one, other in _shares(
            over_high / over.value, under.value / under_low, fewer, deviations
        )
    )
    return low, high


def _quotient(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else math.inf


def _shares(
    one: float, other: float, fewer: float, deviations: float
) -> Iterator[tuple[float, float]]:
    """How many standard deviations each side gives way, by the ratios of median and limit.

    In proportion to them, and with more of it for either side.
    """
    turn = math.atan2(math.log(other), math.log(one))
    # A side that is known leaves everything to the other, which alone is exact.
    known = turn <= 0 or turn >= math.pi / 2
    for by in (0.0,) if known else (0.0, -_TURN, _TURN):
        turned = min(max(turn + by, 0), math.pi / 2)
        both = deviations - _NEARER * fewer * math.sin(2 * turned)
        yield both * math.cos(turned), both * math.sin(turned)


@lru_cache(maxsize=4096)
def position(n: int, deviations: float = Z) -> float:
    """Where among n ordered values the lower limit lies: 1 is the least, 1.5 halfway to the next.

    The upper limit lies as far from the greatest; without deviations both are the median.
    """
    missed = tail(deviations)
    first, below = _below(n)
    step = int(np.searchsorted(below, missed, side="right")) - 1
    k = first + step
    outer, inner = below[step], below[step + 1]
    straight = (missed - outer) / (inner - outer)
    curved = (n - k) * straight / (k + (n - 2 * k) * straight)
    return float(k + safe_share((straight + curved) / 2, missed, outer, inner))


def tail(deviations: float) -> float:
    """The chance of a normal value so many standard deviations above the middle, or more."""
    return math.erfc(deviations / math.sqrt(2)) / 2


def safe_share(share: float, missed: float, outer: float, inner: float) -> float:
    """How far a limit may go from the outer to the inner of two neighbours, whatever the spread.

    At the outer one it misses the true median with the chance `outer`, at the inner with `inner`.
    Between them nobody knows, where the true median lies in a gap; but where both limits go
    halfway at most, only one of them can lie beyond it: together they miss no more often than
    `outer + inner`.
    """
    most = MOST_MISSED * missed
    if inner <= most:
        return share
    # Of two sides of a ratio, each may be halfway: one's error and the other's room would be equal.
    halfway = 0.5 if missed <= _ALONE else 0.4
    return min(share, halfway) if outer + inner <= 2 * most else 0.0


@lru_cache(maxsize=1024)
def _below(n: int) -> tuple[int, Array]:
    """The chance that fewer than k of n values lie below the true median, for k from the first."""
    # Ten standard deviations below the middle: nothing to be counted lies below.
    first = max(0, int(n / 2 - 5 * math.sqrt(n)))
    chances = [0.0]
    chance = math.exp(
        math.lgamma(n + 1) - math.lgamma(first + 1) - math.lgamma(n - first + 1) - n * math.log(2)
    )
    for k in range(first, n // 2 + 2):
        chances.append(chance)
        chance *= (n - k) / (k + 1)
    return first, np.cumsum(chances)


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
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
