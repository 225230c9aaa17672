"""The spread of samples: percentiles and deviation of all of them together.

Samples are stored as integer steps of their logarithm, so figures based on them are accurate to
0.1 % and are given to four digits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    found: Floats = np.where(steps == ZERO, 0.0, np.exp(steps * STEP))
    return found


def rounded(value: float) -> float:
    """Round to the given digits."""
    return float(f"{value:.{_DIGITS}g}")
