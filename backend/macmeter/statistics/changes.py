"""Where a line of values over time changes its level, and no more often than chance allows.

Values that follow each other are alike for many reasons other than a change: a full disk, a warm
summer, a background task of some days. A test that takes them for independent sees changes
everywhere. This one divides the step between two parts of a line by how far the sums within each
part stray (Shao and Zhang 2010): they stray further in a line with a memory, so no model of the
memory is needed. The line's steps count where they pass a limit that a steady line passes at most
once in a hundred times, be its values independent or correlated by up to 0.6 from one to the next,
normal, skewed, heavy-tailed, in two peaks or full of ties: `make bench ONLY=changes`.

The whole line is tested, and windows of it, since a change and its undoing hide each other in the
whole. Both parts of a line that changes are then tested in the same way, against a higher limit.
Nothing is drawn at random.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from macmeter.statistics.summary import Array

# Fewer values change by chance as plainly as by a cause: a line of two far levels that keeps each
# for a while splits cleanly in more than one case of a hundred.
SHORTEST = 14
# Values further out than so many interquartile ranges are drawn in: one bad run isn't a level.
_FENCE = 3
# A shorter window of a longer line splits cleanly by chance, as a shorter line does.
_SHORTEST_WINDOW = 46
_WINDOWS_A_LENGTH = 8
# Found by simulation: what the strongest step of a steady line stays below in 99 of 100 cases,
# by the line's length (the logarithms of both are interpolated), and how much more than that is
# applied to its windows and of the parts of a line that has changed once.
_LENGTHS = np.log([SHORTEST, 20, 24, 30, 40, 50, 70, 100, 200, 400])
_LIMITS = np.log([335, 480, 370, 280, 212, 190, 155, 130, 106, 96])
_OF_WINDOW, _OF_MORE_WINDOWS = 1.9, 0.7
_OF_PART = 1.25


@dataclass(frozen=True)
class Change:
    """The value at `index` is the first after it; medians of the levels before and after."""

    index: int
    before: float
    after: float


def changes(values: Sequence[float] | Array) -> list[Change]:
    """The changes of level of `values`, in their order."""
    line = np.asarray(values, dtype=float)
    found = _split(line, 0, len(line), 1)
    edges = [0, *found, len(line)]
    return [
        Change(index, float(np.median(line[before:index])), float(np.median(line[index:after])))
        for index, before, after in zip(found, edges, edges[2:], strict=False)
    ]


def fewest_beside(n: int) -> int:
    """How many values of a line of n must lie on either side of a change."""
    if n < 19:
        return 7
    return 6 if n < 21 else 5


def _split(line: Array, start: int, end: int, limit: float) -> list[int]:
    if end - start < SHORTEST:
        return []
    place = _strongest(line[start:end], limit)
    if place is None:
        return []
    index = start + place
    return [*_split(line, start, index, _OF_PART), index, *_split(line, index, end, _OF_PART)]


def _strongest(line: Array, limit: float) -> int | None:
    """The place of the step that passes its limit by most."""
    step = _finest_step(line)
    drawn_in = _drawn_in(line)
    best, place = 1.0, None
    for length, starts, times in _windows(len(line)):
        windows = sliding_window_view(drawn_in, length)[starts]
        strengths = _strengths(windows, step) / (limit * times * _limit(length))
        row = int(strengths.max(axis=1).argmax())
        if strengths[row].max() >= best:
            best = float(strengths[row].max())
            place = int(starts[row]) + _sharpest(windows[row], strengths[row] >= 1)
    return place


def _windows(n: int) -> Iterator[tuple[int, Array, float]]:
    """Lengths, where windows of it start, and by how much more than a line's their steps must be.

    Lengths and starts don't depend on n, so that another value changes few of them.
    """
    yield n, np.array([0]), 1
    length = float(_SHORTEST_WINDOW)
    while length < n:
        size = int(length)
        starts = np.arange(0, n - size + 1, size // _WINDOWS_A_LENGTH)
        times = _OF_WINDOW * (n / size) ** _OF_MORE_WINDOWS
        yield size, np.union1d(starts, [n - size]), times
        length *= 2**0.5


def _limit(n: int) -> float:
    return float(np.exp(np.interp(math.log(n), _LENGTHS, _LIMITS)))


def _strengths(lines: Array, finest: float) -> Array:
    """The square of the step at each place with enough values on either side, self-normalised.

    `lines` are rows of equal length. A line's values are no finer than `finest` apart: no less
    than what that loses is taken for their spread, or a step between ties would be infinite.
    """
    n = lines.shape[1]
    least = fewest_beside(n)
    before = np.arange(least, n - least + 1)
    after = n - before
    centred = lines - np.median(lines, axis=1, keepdims=True)
    sums, strayed = _strayed(centred, before)
    sums_after, strayed_after = _strayed(centred[:, ::-1], after)
    of_ties = finest**2 / 12 * (before**2 + after**2 - 2) / 6
    steps = (sums * after - sums_after * before) / n
    result: Array = n * steps**2 / np.maximum(strayed + strayed_after + of_ties, _TINY)
    return result


_TINY = float(np.finfo(float).tiny)


def _strayed(lines: Array, counts: Array) -> tuple[Array, Array]:
    """Sums of so many first values, and how far the sums on the way stray from a straight line.

    Squared and added up: of sums S(1) to S(k), the squares of S(t) - t/k S(k).
    """
    place = np.arange(1, lines.shape[1] + 1)
    sums = np.cumsum(lines, axis=1)
    whole = sums[:, counts - 1]
    slope = whole / counts
    squares = np.cumsum(sums**2, axis=1)[:, counts - 1]
    mixed = np.cumsum(sums * place, axis=1)[:, counts - 1]
    straight = np.cumsum(place**2)[counts - 1]
    return whole, np.maximum(squares - 2 * slope * mixed + slope**2 * straight, 0)


def _sharpest(window: Array, passing: Array) -> int:
    """The passing place that leaves least spread on either side."""
    n = len(window)
    before = np.arange(1, n)
    sums = np.cumsum(window - window.mean())[:-1]
    sharpness = sums**2 / (before * (n - before))
    least = fewest_beside(n)
    allowed = sharpness[least - 1 : n - least]
    return least + int(np.where(passing, allowed, -1).argmax())


def _drawn_in(line: Array) -> Array:
    """Without wild values: those beyond a far fence are moved onto it (Tukey 1977)."""
    low, high = np.quantile(line, [0.25, 0.75])
    if high == low:
        return line
    reach = _FENCE * (high - low)
    result: Array = np.clip(line, low - reach, high + reach)
    return result


def _finest_step(line: Array) -> float:
    """The smallest difference between two values that are not equal; 0 where all are."""
    differences = np.diff(np.sort(line))
    # Equal figures may differ in their last binary digits.
    apart = differences[differences > 1e-9 * np.abs(line).max(initial=0)]
    return float(apart.min(initial=np.inf)) if len(apart) else 0.0
