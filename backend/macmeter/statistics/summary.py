"""Summaries of samples: pure arithmetic, independent of the source of the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Summary:
    """n samples and their mean and percentiles, in the unit of the samples."""

    n: int
    mean: float
    min: float
    p10: float
    p25: float
    p50: float
    p75: float
    p90: float
    max: float


def percentile(ordered: Sequence[float] | Array, fraction: float) -> float:
    """Return the value below which `fraction` of the samples lie, interpolated between neighbours.

    `ordered` ascends. Defined as PostgreSQL's percentile_cont and NumPy's "linear", so that figures
    are the same wherever they are computed.
    """
    position = (len(ordered) - 1) * fraction
    below = int(position)
    lower = float(ordered[below])
    if below + 1 >= len(ordered):
        return lower
    return lower + (float(ordered[below + 1]) - lower) * (position - below)


def percentiles_of(values: Array, starts: Ints, sizes: Ints, fraction: float) -> Array:
    """Return the `percentile` of each of several ascending stretches of `values`."""
    position = (sizes - 1) * fraction
    below = position.astype(np.int64)
    first: Ints = starts + below
    second: Ints = np.minimum(first + 1, starts + sizes - 1)
    lower = values.take(first)
    result: Array = lower + (values.take(second) - lower) * (position - below)
    return result


def medians_of(values: Array, starts: Ints, sizes: Ints) -> Array:
    """Return the medians of such stretches; an even number has the mean of two, as in SQL."""
    first, second = starts + (sizes - 1) // 2, starts + sizes // 2
    medians: Array = (values.take(first) + values.take(second)) / 2
    return medians


def ranks_of(values: Array) -> Array:
    """Return centred ranks; equal values share the mean of theirs."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Array = (last - (counts - 1) / 2)[codes] - (len(values) + 1) / 2
    return ranks


def summarise(samples: Sequence[float]) -> Summary:
    """Summarise at least one sample, in any order."""
    ordered = sorted(samples)
    return Summary(
        n=len(ordered),
        mean=sum(ordered) / len(ordered),
        min=ordered[0],
        p10=percentile(ordered, 0.10),
        p25=percentile(ordered, 0.25),
        p50=percentile(ordered, 0.50),
        p75=percentile(ordered, 0.75),
        p90=percentile(ordered, 0.90),
        max=ordered[-1],
    )


# A step is a factor of 1.0015, with an error of at most half of that. 0 has a code of its own.
STEP = 0.0015
ZERO = -(2**15)
STORED = np.dtype(">i2")
"""Type of steps in the database."""
_DIGITS = 4

Steps = NDArray[np.int16]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """Spread in the metric's unit; `sd` is the standard deviation of single samples."""

    p10: float
    p90: float
    sd: float
    samples: int


def steps_of(samples: NDArray[np.floating]) -> Steps:
    """Encode samples of 0 or more as integer steps of their logarithm."""
    with np.errstate(divide="ignore"):
        steps = np.round(np.log(samples.astype(np.float64)) / STEP)
    return np.where(samples > 0, np.clip(steps, ZERO + 1, -ZERO - 1), ZERO).astype(np.int16)


def samples_of(steps: NDArray[np.integer]) -> Floats:
    """Decode steps."""
    samples: Floats = np.where(steps == ZERO, 0.0, np.exp(steps * STEP))
    return samples


def rounded(value: float) -> float:
    """Round to the given digits."""
    return float(f"{value:.{_DIGITS}g}")
