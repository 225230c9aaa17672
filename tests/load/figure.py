"""Figures of bench.json: a measured value and its reference."""

from __future__ import annotations

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
