"""A figure of bench.json: what was measured, beside what it is held against."""

from __future__ import annotations

from typing import Any

Figure = dict[str, Any]


def figure(name: str, value: float, unit: str, reference: float, n: int) -> Figure:
    """`n` is how often, or of how many, the value was measured; its unit is empty for a share."""
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": reference,
        "ratio": value / reference,
        "n": n,
    }
