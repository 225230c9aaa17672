"""The product's intervals of many simulated groups at once: its rules for medians, vectorised.

One group after another would take half an hour for all cells. Some rows of each batch are also
computed by the product and must agree to the last digits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from macmeter.statistics import clusters
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import figures
from macmeter.statistics.intervals import Z, position, safe_share, tail
from macmeter.statistics.summary import Array
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Limits = tuple[Array, Array]

# Rows that the product computes as well.
_CHECKED = 25
# Rows per step, and signs of clusters compared per step.
_ROWS, _COMPARED = 1_000, 4_000_000
_MAX_EXACT, _signs = clusters._MAX_EXACT, clusters._signs


def covered_by_machine(values: Array, truth: float) -> float:
    """The share of groups, rows of machines' values, whose interval contains the true median."""
    limits = _of_values(values)
    _check(limits, [list(row.reshape(-1, 1)) for row in values[:_CHECKED]], "machine")
    return _share(limits, truth)


def covered_by_run(runs: Array, sizes: Sequence[int], truth: float) -> float:
    """The same for rows of runs: the first `sizes[0]` are the first machine's, and so on."""
    parts = [_of_clusters(runs[at : at + _ROWS], sizes) for at in range(0, len(runs), _ROWS)]
    limits = (np.concatenate([low for low, _ in parts]), np.concatenate([up for _, up in parts]))
    edges = np.cumsum(sizes)[:-1]
    groups = [[np.sort(part) for part in np.split(row, edges)] for row in runs[:_CHECKED]]
    _check(limits, groups, "run")
    return _share(limits, truth)


def machines_of(runs: Array, sizes: Sequence[int]) -> Array:
    """Each machine's value, the median of its runs, in rows."""
    parts = np.split(runs, np.cumsum(sizes)[:-1], axis=1)
    return np.stack([np.median(part, axis=1) for part in parts], axis=1)


def _share(limits: Limits, truth: float) -> float:
    low, high = limits
    return float(((low <= truth) & (truth <= high)).mean())


def _check(limits: Limits, groups: list[list[Array]], weight: str) -> None:
    for low, high, machines in zip(*limits, groups, strict=False):
        interval = figures(Clusters.join(machines), weight).interval
        assert interval is not None
        np.testing.assert_allclose((low, high), (interval.low, interval.high), rtol=1e-9)


def _of_values(values: Array) -> Limits:
    ordered = np.sort(values, axis=1)
    index = position(ordered.shape[1]) - 1
    below = min(int(index), ordered.shape[1] - 2)

    def limit(rows: Array) -> Array:
        result: Array = rows[:, below] + (rows[:, below + 1] - rows[:, below]) * (index - below)
        return result

    return limit(ordered), limit(ordered[:, ::-1])


def _of_clusters(runs: Array, sizes: Sequence[int]) -> Limits:
    order = np.argsort(runs, axis=1, kind="stable")
    ordered = np.take_along_axis(runs, order, axis=1)
    owners = np.repeat(np.arange(len(sizes)), sizes)[order]
    counts = np.array(sizes)
    return _limit(ordered, owners, counts), _limit(ordered[:, ::-1], owners[:, ::-1], counts)


def _limit(values: Array, owners: Counts, sizes: Counts) -> Array:
    """Vectorise `clusters._limit` over rows."""
    rows, n = np.arange(len(values)), values.shape[1]
    passed_counts = np.zeros((len(values), n + 1, len(sizes)), dtype=np.int16)
    np.put_along_axis(passed_counts[:, 1:], owners[:, :, np.newaxis], 1, axis=2)
    np.cumsum(passed_counts, axis=1, out=passed_counts)

    def chances(passed: Counts) -> Array:
        return _chances(sizes - 2 * passed_counts[rows, passed].astype(np.int64))

    tail_share = tail(Z)
    outer, inner = np.zeros(len(values), dtype=np.int64), np.full(len(values), (n + 1) // 2)
    while (is_wide := inner - outer > 1).any():
        middle = (outer + inner) // 2
        seldom = chances(middle) <= tail_share
        outer = np.where(is_wide & seldom, middle, outer)
        inner = np.where(is_wide & ~seldom, middle, inner)
    low, high = values[rows, inner - 1], values[rows, np.minimum(inner, n - 1)]
    at_outer, at_inner = chances(outer), chances(inner)
    differ = at_inner > at_outer
    straight = np.clip((tail_share - at_outer) / np.where(differ, at_inner - at_outer, 1), 0, 1)
    share = np.vectorize(safe_share)(straight, tail_share, at_outer, at_inner)
    result: Array = np.where(differ, low + (high - low) * share, low)
    return result


def _chances(surplus: Counts) -> Array:
    """Vectorise `clusters.chance_of_surplus` over rows."""
    parts = np.sort(np.abs(surplus), axis=1)[:, ::-1]
    short = surplus.sum(axis=1)[:, np.newaxis] - parts[:, :_MAX_EXACT] @ _signs(
        min(_MAX_EXACT, parts.shape[1])
    )
    small = parts[:, _MAX_EXACT:]
    if small.shape[1] <= _MAX_EXACT:
        sums = small @ _signs(small.shape[1])
        shares = np.empty(len(parts))
        at_a_time = max(1, _COMPARED // (short.shape[1] * sums.shape[1]))
        for at in range(0, len(parts), at_a_time):
            rows = slice(at, at + at_a_time)
            as_great = sums[rows, np.newaxis] >= short[rows, :, np.newaxis]
            shares[rows] = as_great.mean(axis=(1, 2))
        return shares
    spread = np.sqrt((small**2).sum(axis=1))[:, np.newaxis]
    halfway = np.gcd.reduce(small, axis=1)[:, np.newaxis]
    deviations = (short - halfway) / np.maximum(spread, 1)
    tails = np.interp(deviations, clusters._DEVIATIONS, clusters._TAILS)
    result: Array = np.where(spread > 0, tails, short <= 0).mean(axis=1)
    return result
