"""Figures of bench.json: a measured value and its reference."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles
from typing import Any

Figure = dict[str, Any]


def figure(name: str, value: float, unit: str, reference: float, n: int) -> Figure:
    """Build a figure. `n` is the number of measurements or items; the unit of a share is empty."""
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": reference,
        "ratio": value / reference,
        "n": n,
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what `percent` % of at least two values are below, as NumPy interpolates it."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]
