"""95% intervals of medians and of ratios of medians, from order statistics.

The number of n independent values below the true median is Binomial(n, 1/2) for any distribution,
so the chance that it lies between the k-th value from the bottom and from the top is known. No pair
gives exactly 95%, so a limit lies between neighbours: halfway between linear interpolation and that
of Hettmansperger and Sheather 1986, but only as far as it covers 93% for any distribution, even if
the median lies in a gap between two peaks (`safe_share`). Seven values allow nothing between 87.5%
and 98.4%: their interval is their whole range. Eight cover 98.4% with one peak, in order to cover
96% with two distant ones.

Clustered values (the runs of a machine) aren't independent: clusters.py.

A limit of a ratio of medians takes one limit from each side, together as far out as 95% allows;
each side's share follows its spread. If distances were proportional to deviations, this would be
the root of the sum of squares (Zou and Donner 2008). With two peaks or heavy tails they aren't: so
order statistics closer to the middle are used, and shares shifted to either side are tried too.
This keeps two sides with different peaks above 93%, at the cost of some width for small sides with
one peak (98 to 99.5% below ten machines a side). `make bench ONLY=interval` simulates coverage for
all distributions.
"""

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
# Found by simulation: limits of a ratio are slightly narrower for small sides.
_NEARER = 0.1
# Shift of a ratio's deviations towards one side, as an angle.
_TURN = 0.6
# Maximum error of a limit relative to its nominal 2.5%, for any distribution: 93% between two.
MOST_MISSED = 1.4
# A larger nominal error belongs to a limit of a ratio, which is closer to the middle.
_ALONE = 0.0251


@dataclass(frozen=True)
class Median:
    """A median of independent units, and limits for the true one."""

    value: float
    units: int
    # Lower and upper limit at a number of standard deviations; infinite beyond what so few units
    # allow.
    limits: Callable[[float], tuple[float, float]]
    is_between_models: bool = False
    """Whether the units vary by model, so that the limits are about models."""

    @property
    def interval(self) -> tuple[float, float]:
        return self.limits(Z)


def of_values(values: Array) -> Median:
    """Return the median of independent values, in any order; limits need at least MINIMUM."""
    return of_ordered(np.sort(values))


def of_ordered(ordered: Array) -> Median:
    """Return `of_values` for ascending values."""

    def limits(deviations: float) -> tuple[float, float]:
        if tail(deviations) < 0.5 ** len(ordered):
            return -math.inf, math.inf
        index = position(len(ordered), deviations) - 1
        below = min(int(index), len(ordered) - 2)
        low = ordered[below] + (ordered[below + 1] - ordered[below]) * (index - below)
        high = ordered[-1 - below] - (ordered[-1 - below] - ordered[-2 - below]) * (index - below)
        return float(low), float(high)

    return Median(middle_of(ordered), len(ordered), limits)


def middle_of(ordered: Array) -> float:
    """Return the median of ascending values."""
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)


def limits_of_stretches(ordered: Array, starts: Ints, sizes: Ints) -> tuple[Array, Array]:
    """Return the limits of `of_ordered` for stretches of at least MINIMUM ascending values."""
    index = np.array([position(n) - 1 for n in sizes.tolist()], dtype=np.float64)
    below = np.minimum(index.astype(np.int64), sizes - 2)
    share = index - below
    first, last = starts + below, starts + sizes - 1 - below
    lower, upper = ordered.take(first), ordered.take(last)
    low = lower + (ordered.take(first + 1) - lower) * share
    high = upper - (upper - ordered.take(last - 1)) * share
    return low, high


def of_ratio(over: Median, under: Median, deviations: float = Z) -> tuple[float, float] | None:
    """Return the limits of the ratio of two medians; None if one of them may be so near to 0 that
    the ratio overflows.

    More `deviations` than Z give stricter limits: 0 and infinite if so few units allow none.
    """
    (over_low, over_high), (under_low, under_high) = over.interval, under.interval
    nearest = sys.float_info.min * max(1.0, over_high, under_high)
    if not (over_low > nearest and under_low > nearest):
        return None
    fewer = 1 / over.units + 1 / under.units
    low = min(
        max(over.limits(over_z)[0], 0.0) / under.limits(under_z)[1]
        for over_z, under_z in _shares(
            over.value / over_low, under_high / under.value, fewer, deviations
        )
    )
    high = max(
        _quotient(over.limits(over_z)[1], under.limits(under_z)[0])
        for over_z, under_z in _shares(
            over_high / over.value, under.value / under_low, fewer, deviations
        )
    )
    return low, high


def _quotient(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else math.inf


def _shares(
    over: float, under: float, fewer: float, deviations: float
) -> Iterator[tuple[float, float]]:
    """Yield the standard deviations of each side, by the ratios of median and limit.

    In proportion to these, and with a larger share for either side.
    """
    turn = math.atan2(math.log(under), math.log(over))
    # If one side is exact, the other has all of the uncertainty.
    is_exact = turn <= 0 or turn >= math.pi / 2
    for by in (0.0,) if is_exact else (0.0, -_TURN, _TURN):
        turned = min(max(turn + by, 0), math.pi / 2)
        total = deviations - _NEARER * fewer * math.sin(2 * turned)
        yield total * math.cos(turned), total * math.sin(turned)


@lru_cache(maxsize=4096)
def position(n: int, deviations: float = Z) -> float:
    """Return the lower limit's place in n ordered values: 1 is the least, 1.5 halfway to the next.

    The upper limit is as far from the greatest; with 0 deviations both are the median.
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
    """Return the chance of a normal value at least so many standard deviations above the mean."""
    return math.erfc(deviations / math.sqrt(2)) / 2


def safe_share(share: float, missed: float, outer: float, inner: float) -> float:
    """Limit the interpolation between two neighbours so that it is safe for any distribution.

    At the outer one the limit misses the true median with the chance `outer`, at the inner with
    `inner`. In between this is unknown if the median lies in a gap. But if both limits go at most
    halfway, only one can be beyond it: together they miss no more often than `outer + inner`.
    """
    most = MOST_MISSED * missed
    if inner <= most:
        return share
    # For a ratio, stay below halfway: at exactly half, one side's error equals the other's margin.
    halfway = 0.5 if missed <= _ALONE else 0.4
    return min(share, halfway) if outer + inner <= 2 * most else 0.0


@lru_cache(maxsize=1024)
def _below(n: int) -> tuple[int, Array]:
    """Return the first k, and from it the chances of fewer than k values below the true median."""
    # Ten standard deviations below the middle; smaller k have no measurable chance.
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
    """Return the two-sided chance of Student's t."""
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def chance_of_f(ratio: float, freedom: float, within: float) -> float:
    """Return how often Fisher's ratio of two equal variances is as large."""
    if ratio <= 0:
        return 1.0
    return _incomplete_beta(within / (within + freedom * ratio), within / 2, freedom / 2)


@lru_cache(maxsize=4096)
def quantile_of_t(missed: float, freedom: float) -> float:
    """Return the t exceeded with the chance `missed` (at most one half), to nine digits."""
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
    """Return the regularised function, from its continued fraction by Lentz's method."""
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
    """`percentile` is the share of others that it is better than, 0 to 100, with ties as half.

    `better_than` and `equal_to` are counts; `low` and `high` are the 95% interval of the percentile
    over other samples of such machines.
    """

    percentile: float
    better_than: int
    equal_to: int
    low: float
    high: float


def place(value: float, others: Array, *, lower_is_better: bool = False) -> Place:
    """Place `value` among `others`, which exclude it; better means greater, or lower."""
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
    """Return Wilson's interval of a share, which stays within 0 and 1."""
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
