"""Several ratios of the same machines as one: their geometric mean.

Ratios of one machine's metrics go up and down together, by as much as nobody knows. A mean of
deviations bounds the deviation of a mean whatever their correlation, and equals it where all
move as one; so the limits of the mean are the means of the limits, on logarithms. Ratios that
don't depend on each other get an interval that is too wide, never one that is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A ratio above 0 and its 95% limits, if it has any."""

    value: float
    limits: tuple[float, float] | None = None

    def turned(self) -> Part:
        """Turn what is better when it is less, so that above 1 is better."""
        if self.limits is None:
            return Part(1 / self.value)
        low, high = self.limits
        return Part(1 / self.value, (1 / high, 1 / low if low > 0 else math.inf))


def together(parts: Sequence[Part]) -> Part:
    """The geometric mean of one or more ratios; no limits where one of them has none."""
    value = _mean([part.value for part in parts])
    limits = [part.limits for part in parts if part.limits is not None]
    lows, highs = [low for low, _ in limits], [high for _, high in limits]
    if len(limits) < len(parts) or min(lows) <= 0 or max(highs) == math.inf:
        return Part(value)
    return Part(value, (_mean(lows), _mean(highs)))


def _mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))
