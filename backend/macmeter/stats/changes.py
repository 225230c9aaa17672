"""Where a line of values over time changes its level, and no more often than chance allows.

A change is looked for at every place that has FEWEST values on either side: the one where the
ranks before and after differ most (the Mann-Whitney statistic, standardised). It counts when
at most one in a hundred shuffles of the same values has a place as good: the test is exact for
values of any distribution, and has looked everywhere just as often. Both parts of a line that
changes are then looked at in the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from macmeter.stats.summary import Array

LEVEL = 0.01
FEWEST = 3
# No order of fewer values is rare enough to count.
SHORTEST = 10
SHUFFLES = 999
# After so many shuffles most lines without a change are plainly that.
_FIRST = 99


@dataclass(frozen=True)
class Change:
    """The value at `index` is the first after it; medians of the levels before and after."""

    index: int
    before: float
    after: float
    p: float


def changes(values: Sequence[float] | Array, seed: Sequence[str]) -> list[Change]:
    """The changes of level of `values`, in their order."""
    line = np.asarray(values, dtype=float)
    found = sorted(_split(line, 0, len(line), seed))
    edges = [0, *(index for index, _ in found), len(line)]
    return [
        Change(
            index,
            float(np.median(line[before:index])),
            float(np.median(line[index:after])),
            p,
        )
        for (index, p), before, after in zip(found, edges, edges[2:], strict=False)
    ]


def _split(line: Array, start: int, end: int, seed: Sequence[str]) -> list[tuple[int, float]]:
    n = end - start
    if n < SHORTEST:
        return []
    ranks = _ranks(line[start:end])
    differences = _differences(ranks[np.newaxis, :])[0]
    best = int(differences.argmax())
    p = _chance(ranks, float(differences[best]), [*seed, str(start), str(end)])
    if p > LEVEL:
        return []
    index = start + FEWEST + best
    return [
        *_split(line, start, index, seed),
        (index, p),
        *_split(line, index, end, seed),
    ]


def _chance(ranks: Array, difference: float, seed: Sequence[str]) -> float:
    """The share of orders of the same values that have a place as good, this one included."""
    random = _generator(*seed)
    as_good, shuffled = 1, 1
    for part in (_FIRST, SHUFFLES - _FIRST):
        orders = random.permuted(np.tile(ranks, (part, 1)), axis=1)
        # Equal sums in another order may differ in the last digit.
        as_good += int((_differences(orders).max(axis=1) >= difference - 1e-9).sum())
        shuffled += part
        if as_good > 0.1 * shuffled:
            break
    return as_good / shuffled


def _generator(*seed: str) -> np.random.Generator:
    """A generator that depends on nothing but `seed`: the same data, the same digits."""
    digest = hashlib.sha256("\n".join(seed).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def _differences(lines: Array) -> Array:
    """At each place, by how many standard deviations the ranks before it differ from chance."""
    n = lines.shape[1]
    before = np.arange(FEWEST, n - FEWEST + 1)
    sums = np.cumsum(lines, axis=1)[:, before - 1]
    deviation = np.sqrt(before * (n - before) * (n + 1) / 12)
    result: Array = np.abs(sums - before * (n + 1) / 2) / deviation
    return result


def _ranks(values: Array) -> Array:
    """1 to n; equal values share their mean rank."""
    ordered = np.sort(values)
    low = np.searchsorted(ordered, values, side="left")
    high = np.searchsorted(ordered, values, side="right")
    result: Array = (low + 1 + high) / 2
    return result
