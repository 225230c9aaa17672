"""Detection of changes of level in a series of values, no more often than chance allows.

Consecutive values are alike for many reasons other than a change: a full disk, a warm summer, a
background task of some days. A test that assumes independence finds changes everywhere. This one
divides the step between two parts of a series by how far the partial sums within each part stray
(Shao and Zhang 2010): they stray further in a series with memory, so no model of the memory is
needed. Steps count if they exceed a limit that a steady series exceeds at most once in a hundred
times, whether its values are independent or have correlations of up to 0.6 between neighbours, and
are normal, skewed, heavy-tailed, bimodal or full of ties: `make bench ONLY=changes`.

The whole series is tested, and windows of it, since a change and its reversal hide each other in
the whole. Both parts of a series with a change are then tested in the same way, against a higher
limit. Deterministic: nothing is sampled at random.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from macmeter.statistics.summary import Array

# In shorter series, chance looks like a cause: with two distant levels that each last for a while,
# more than one in a hundred divides cleanly.
SHORTEST = 14
# Values beyond this many interquartile ranges are clipped: one bad run isn't a level.
_FENCE = 3
# Shorter windows of a longer series divide cleanly by chance, as shorter series do.
_SHORTEST_WINDOW = 46
_WINDOWS_A_LENGTH = 8
# Found by simulation: limits that the strongest step of a steady series stays below in 99 of 100
# cases, by length (both interpolated as logarithms). A window's is larger by a factor, and by a
# power of the number of windows; that of a part of a series with a change by another factor.
_LENGTHS = np.log([SHORTEST, 20, 24, 30, 40, 50, 70, 100, 200, 400])
_LIMITS = np.log([335, 480, 370, 280, 212, 190, 155, 130, 106, 96])
_WINDOW_FACTOR, _WINDOW_EXPONENT = 1.9, 0.7
_PART_FACTOR = 1.25


@dataclass(frozen=True)
class Change:
    """A change before the value at `index`; medians of the levels before and after."""

    index: int
    before: float
    after: float


def changes(values: Sequence[float] | Array) -> list[Change]:
    """Return the changes of level in `values`, in order."""
    line = np.asarray(values, dtype=float)
    indices = _split(line, 0, len(line), 1)
    edges = [0, *indices, len(line)]
    return [
        Change(index, float(np.median(line[before:index])), float(np.median(line[index:after])))
        for index, before, after in zip(indices, edges, edges[2:], strict=False)
    ]


def fewest_beside(n: int) -> int:
    """Return the minimum number of values on each side of a change in a series of n."""
    if n < 19:
        return 7
    return 6 if n < 21 else 5


def _split(line: Array, start: int, end: int, limit_factor: float) -> list[int]:
    if end - start < SHORTEST:
        return []
    offset = _strongest(line[start:end], limit_factor)
    if offset is None:
        return []
    index = start + offset
    return [
        *_split(line, start, index, _PART_FACTOR),
        index,
        *_split(line, index, end, _PART_FACTOR),
    ]


def _strongest(line: Array, limit_factor: float) -> int | None:
    """Return the index of the step that exceeds its limit by the largest factor."""
    step = _finest_step(line)
    clipped = _clip_outliers(line)
    best, index = 1.0, None
    for length, starts, times in _windows(len(line)):
        windows = sliding_window_view(clipped, length)[starts]
        strengths = _strengths(windows, step) / (limit_factor * times * _limit(length))
        row = int(strengths.max(axis=1).argmax())
        if strengths[row].max() >= best:
            best = float(strengths[row].max())
            index = int(starts[row]) + _sharpest(windows[row], strengths[row] >= 1)
    return index


def _windows(n: int) -> Iterator[tuple[int, Array, float]]:
    """Yield window lengths, their starts, and the factor on the limit of their steps.

    Lengths and starts don't depend on n, so that one more value changes few of them.
    """
    yield n, np.array([0]), 1
    length = float(_SHORTEST_WINDOW)
    while length < n:
        size = int(length)
        starts = np.arange(0, n - size + 1, size // _WINDOWS_A_LENGTH)
        times = _WINDOW_FACTOR * (n / size) ** _WINDOW_EXPONENT
        yield size, np.union1d(starts, [n - size]), times
        length *= 2**0.5


def _limit(n: int) -> float:
    return float(np.exp(np.interp(math.log(n), _LENGTHS, _LIMITS)))


def _strengths(lines: Array, finest: float) -> Array:
    """Return the self-normalised squared step at each place with enough values on either side.

    `lines` are rows of equal length. Values have a resolution of `finest`, whose rounding error is
    the minimum spread: otherwise a step between ties would be infinite.
    """
    n = lines.shape[1]
    least = fewest_beside(n)
    before = np.arange(least, n - least + 1)
    after = n - before
    centred = lines - np.median(lines, axis=1, keepdims=True)
    sums, strayed = _strayed(centred, before)
    sums_after, strayed_after = _strayed(centred[:, ::-1], after)
    tie_spread = finest**2 / 12 * (before**2 + after**2 - 2) / 6
    steps = (sums * after - sums_after * before) / n
    result: Array = n * steps**2 / np.maximum(strayed + strayed_after + tie_spread, _TINY)
    return result


_TINY = float(np.finfo(float).tiny)


def _strayed(lines: Array, counts: Array) -> tuple[Array, Array]:
    """Return the sums of the first `counts` values, and how far partial sums stray from a line.

    The latter is the sum of squares of S(t) - t/k S(k), for sums S(1) to S(k).
    """
    position = np.arange(1, lines.shape[1] + 1)
    sums = np.cumsum(lines, axis=1)
    whole = sums[:, counts - 1]
    slope = whole / counts
    squares = np.cumsum(sums**2, axis=1)[:, counts - 1]
    mixed = np.cumsum(sums * position, axis=1)[:, counts - 1]
    straight = np.cumsum(position**2)[counts - 1]
    return whole, np.maximum(squares - 2 * slope * mixed + slope**2 * straight, 0)


def _sharpest(window: Array, passing: Array) -> int:
    """Return the passing place that leaves the least spread on either side."""
    n = len(window)
    before = np.arange(1, n)
    sums = np.cumsum(window - window.mean())[:-1]
    sharpness = sums**2 / (before * (n - before))
    least = fewest_beside(n)
    allowed = sharpness[least - 1 : n - least]
    return least + int(np.where(passing, allowed, -1).argmax())


def _clip_outliers(line: Array) -> Array:
    """Clip outliers to a distant fence (Tukey 1977)."""
    low, high = np.quantile(line, [0.25, 0.75])
    if high == low:
        return line
    reach = _FENCE * (high - low)
    result: Array = np.clip(line, low - reach, high + reach)
    return result


def _finest_step(line: Array) -> float:
    """Return the smallest difference between two distinct values; 0 if all are equal."""
    differences = np.diff(np.sort(line))
    # Equal figures may differ in their last binary digits.
    apart = differences[differences > 1e-9 * np.abs(line).max(initial=0)]
    return float(apart.min(initial=np.inf)) if len(apart) else 0.0
