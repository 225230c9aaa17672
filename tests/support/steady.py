"""Stationary series of values over time, by their memory and their spread."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from macmeter.statistics.summary import Array

# Values discarded at the start, until a line has forgotten how it began.
_BEFORE = 60
_GRID = np.linspace(-6, 6, 2401)
_BELOW = np.array([NormalDist().cdf(value) for value in _GRID.tolist()])


@dataclass(frozen=True)
class Steady:
    """Values are `shape` of a normal line with a memory, or a line is built from such `shocks`."""

    shape: Callable[[Array], Array] | None = None
    shocks: Callable[[np.random.Generator, tuple[int, int]], Array] | None = None


def _shares(normal: Array) -> Array:
    result: Array = np.interp(normal, _GRID, _BELOW)
    return result


def _peaks(share: float) -> Callable[[Array], Array]:
    """Two normal peaks six deviations apart, the lower with `share` of the values."""

    def shape(normal: Array) -> Array:
        below = _shares(normal)
        low = below < share
        share_within = np.where(low, below / share, (below - share) / (1 - share))
        result: Array = np.interp(share_within, _BELOW, _GRID) + np.where(low, 0, 6)
        return result

    return shape


STEADY = {
    "normal": Steady(shape=lambda normal: normal),
    "skewed": Steady(shape=np.exp),
    "two peaks": Steady(shape=_peaks(0.5)),
    "two peaks 40%": Steady(shape=_peaks(0.4)),
    "two far peaks": Steady(shape=lambda normal: 6 * (normal > 0) + normal / 2),
    "few values": Steady(shape=lambda normal: np.floor(3 * _shares(normal))),
    "two values": Steady(shape=lambda normal: np.floor(2 * _shares(normal))),
    "heavy shocks": Steady(shocks=lambda random, size: random.standard_t(2, size)),
    "very heavy shocks": Steady(shocks=lambda random, size: random.standard_cauchy(size)),
    "exponential shocks": Steady(shocks=lambda random, size: random.exponential(1, size)),
    "rare shocks": Steady(
        shocks=lambda random, size: 6 * (random.random(size) < 0.15) + random.normal(size=size)
    ),
}


def steady_lines(
    random: np.random.Generator, spread: Steady, memory: float, n: int, lines: int
) -> Array:
    """Rows of n values; each is `memory` times the one before it plus a shock."""
    size = (lines, n + _BEFORE)
    shocks = spread.shocks(random, size) if spread.shocks else random.normal(size=size)
    values = shocks.copy()
    for at in range(1, values.shape[1]):
        values[:, at] += memory * values[:, at - 1]
    steady = values[:, _BEFORE:]
    if spread.shape is None:
        return steady
    return spread.shape(steady * math.sqrt(1 - memory**2))
