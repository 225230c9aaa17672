"""How far samples lie apart: percentiles and deviation of all of them together.

Samples come as whole steps of their logarithm, so figures made of them are right to 0.1 %, and is
given to four digits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# A step is a factor of 1.0015, half of which a sample may be off. 0 has a number of its own.
STEP = 0.0015
ZERO = -(2**15)
STORED = np.dtype(">i2")
"""How steps lie in the database."""
_DIGITS = 4

Steps = NDArray[np.int16]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Spread:
    """In the metric's unit; `sd` is the deviation of single samples."""

    p10: float
    p90: float
    sd: float
    samples: int


def steps_of(samples: NDArray[np.floating]) -> Steps:
    """Samples of 0 or more as whole steps of their logarithm."""
    with np.errstate(divide="ignore"):
        steps = np.round(np.log(samples.astype(np.float64)) / STEP)
    return np.where(samples > 0, np.clip(steps, ZERO + 1, -ZERO - 1), ZERO).astype(np.int16)


def samples_of(steps: NDArray[np.integer]) -> Floats:
    """The values of steps."""
    found: Floats = np.where(steps == ZERO, 0.0, np.exp(steps * STEP))
    return found


@dataclass(frozen=True, eq=False)
class Counted:
    """How many samples are at the step `first` and at each of those after it."""

    first: int
    counts: Counts

    @classmethod
    def of(cls, steps: Steps, counts: NDArray[np.integer] | None = None) -> Counted:
        """Of samples in any order; or of so many at each of `steps`."""
        first = int(steps.min()) if len(steps) else 0
        places = steps.astype(np.int64) - first
        # As floats numpy counts whole numbers exactly, far beyond any of samples.
        return cls(first, np.bincount(places, weights=counts).astype(np.int64))

    @classmethod
    def together(cls, parts: Sequence[Counted]) -> Counted:
        """Of all of them."""
        if len(parts) == 1:
            return parts[0]
        first = min(part.first for part in parts)
        last = max(part.first + len(part.counts) for part in parts)
        counts = np.zeros(last - first, dtype=np.int64)
        for part in parts:
            counts[part.first - first : part.first - first + len(part.counts)] += part.counts
        return cls(first, counts)


def spread_of(counted: Counted) -> Spread | None:
    """The spread of at least two samples; None of fewer."""
    present = np.flatnonzero(counted.counts)
    values, counts = samples_of(present + counted.first), counted.counts[present]
    samples = int(counts.sum())
    if samples < 2:
        return None
    passed = np.cumsum(counts)
    mean = float(values @ counts) / samples
    variance = float((values - mean) ** 2 @ counts) / (samples - 1)
    return Spread(
        _rounded(_percentile(values, passed, 0.10)),
        _rounded(_percentile(values, passed, 0.90)),
        _rounded(math.sqrt(variance)),
        samples,
    )


def _percentile(values: Floats, passed: NDArray[np.int64], fraction: float) -> float:
    """As `summary.percentile`, of values of which the first `passed` are counted through."""
    position = (int(passed[-1]) - 1) * fraction
    below = int(position)
    at, after = np.searchsorted(passed, [below, min(below + 1, int(passed[-1]) - 1)], side="right")
    lower, upper = float(values[at]), float(values[after])
    return lower + (upper - lower) * (position - below)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
