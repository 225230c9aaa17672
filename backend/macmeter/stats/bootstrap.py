"""Percentile bootstrap intervals of a median, by drawing the resamples' medians themselves.

A resample of n values is n uniform draws looked up in the sorted values; its median is the
value at the median of those uniforms, whose distribution is known: the k-th of n uniforms
is Beta(k, n + 1 - k). Drawing that one number gives exactly the distribution that drawing
and sorting whole resamples gives, at a cost that does not grow with n. For even n the two
middle uniforms are drawn together: given the lower, the upper is the least of the n/2 that
remain above it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from macmeter.stats.summary import percentile

RESAMPLES = 2_000
# Whole clusters must be drawn one by one, at a cost that grows with their runs.
CLUSTER_RESAMPLES = 500
LEVEL = 0.95
# With fewer machines no interval of the median reaches 95%: 1 - 2 * 0.5^5 is 93.75%.
MINIMUM = 6
_AT_ONCE = 200_000

Array = NDArray[np.float64]


def generator(*seed: str) -> np.random.Generator:
    """A generator that depends on nothing but `seed`: the same data, the same digits."""
    digest = hashlib.sha256("\n".join(seed).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def resampled_medians(values: Array, random: np.random.Generator) -> Array:
    """The medians of RESAMPLES resamples of `values` (any order)."""
    ordered = np.sort(values)
    n = len(ordered)
    if n % 2:
        middle = random.beta((n + 1) / 2, (n + 1) / 2, RESAMPLES)
        return ordered[_index(middle, n)]
    half = n // 2
    lower = random.beta(half, half + 1, RESAMPLES)
    # The least of `half` uniforms on (lower, 1).
    upper = lower + (1 - lower) * (1 - random.random(RESAMPLES) ** (1 / half))
    result: Array = (ordered[_index(lower, n)] + ordered[_index(upper, n)]) / 2
    return result


def _index(uniform: Array, n: int) -> NDArray[np.intp]:
    return np.minimum((uniform * n).astype(np.intp), n - 1)


def resampled_medians_of_clusters(
    clusters: Sequence[Array], random: np.random.Generator, resamples: int = CLUSTER_RESAMPLES
) -> Array:
    """Medians over all values of resamples that draw whole clusters (machines with their runs)."""
    values = np.concatenate(clusters)
    owner = np.repeat(np.arange(len(clusters)), [len(cluster) for cluster in clusters])
    order = np.argsort(values, kind="stable")
    ordered, owner = values[order], owner[order]
    chance = np.full(len(clusters), 1 / len(clusters))
    drawn = random.multinomial(len(clusters), chance, resamples)
    medians = np.empty(resamples)
    # A part at a time: all resamples of a large group at once would not fit the caches.
    part = max(1, _AT_ONCE // len(ordered))
    for start in range(0, resamples, part):
        reached = np.cumsum(drawn[start : start + part, owner], axis=1)
        total = reached[:, -1:]
        lower = ordered[(reached < (total + 1) // 2).sum(axis=1)]
        upper = ordered[(reached < total // 2 + 1).sum(axis=1)]
        medians[start : start + part] = (lower + upper) / 2
    return medians


def interval(medians: Array) -> tuple[float, float]:
    """The central LEVEL of the resampled figures."""
    ordered = np.sort(medians)
    return percentile(ordered, (1 - LEVEL) / 2), percentile(ordered, (1 + LEVEL) / 2)
