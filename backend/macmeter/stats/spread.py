"""The spread of samples: percentiles and deviation of all of them together.

Samples come as whole steps of their logarithm, so figures made of them are right to 0.1 %, and is
given to four digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from macmeter.compiled.loops import spread_counts

# A step is a factor of 1.0015, half of which a sample may be off. 0 has a number of its own.
STEP = 0.0015
ZERO = -(2**15)
STORED = np.dtype(">i2")
"""How steps lie in the database."""
_DIGITS = 4
# A power of ten beyond that is rounded itself.
_EXACT_POWER = 22
# So near to the middle of two numbers scaling may have moved a value over it.
_HALFWAY = 1e-6

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


def spreads_of(first: int, counts: Counts) -> list[Spread | None]:
    """The spreads of G groups of samples: None of fewer than two.

    `counts` are G rows: how many samples are at the step `first` and at each of those after it.
    """
    found = spread_counts(counts, samples_of(first + np.arange(counts.shape[1])))
    rounded = (_rounded(of).tolist() for of in (found.low, found.high, found.deviation))
    told = zip(*rounded, found.samples.tolist(), strict=True)
    return [Spread(*of_group) if of_group[-1] > 1 else None for of_group in told]


def _rounded(values: Floats) -> Floats:
    """To so many digits, as they are printed."""
    if not len(values):
        return values
    # A whole number and a power of ten up to that are exact: what comes of both is the nearest to
    # what is printed.
    shifts = _DIGITS - 1 - np.floor(np.log10(np.where(values > 0, values, 1.0)))
    is_exact = np.abs(shifts) <= _EXACT_POWER
    powers = 10.0 ** np.where(is_exact, np.abs(shifts), 0)
    scaled = np.where(shifts > 0, values * powers, values / powers)
    whole = np.rint(scaled)
    found: Floats = np.where(shifts > 0, whole / powers, whole * powers)
    unsure = (np.abs(np.abs(scaled - whole) - 0.5) < _HALFWAY) | ~is_exact
    for place in np.flatnonzero(unsure).tolist():
        found[place] = float(f"{values[place]:.{_DIGITS}g}")
    return found
