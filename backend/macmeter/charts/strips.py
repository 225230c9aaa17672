"""Strips: a figure and those of similar Macs or chips on a line from lowest to highest."""

from collections.abc import Sequence
from dataclasses import dataclass

from macmeter.catalog import Better
from macmeter.charts import numbers
from macmeter.schemas.hardware import Other


@dataclass(frozen=True)
class Dot:
    """Another figure on a strip; `at` runs from 0 at its low end to 1 at its high end."""

    at: float
    text: str
    name: str = ""
    slug: str = ""


@dataclass(frozen=True, kw_only=True)
class Strip:
    """A figure as printed, its place from 0 to 1, and the ends of its strip, the better one named:
    "7.66 GB/s, fastest".
    """

    value: str
    at: float
    low: str
    high: str
    others: tuple[Dot, ...]


def strip_of(value: float, others: Sequence[Other], unit: str, better: Better) -> Strip:
    values = [value, *(other.value for other in others)]
    low, high = min(values), max(values)
    scale = numbers.scale_for(unit, [high])

    def text_of(number: float) -> str:
        return numbers.with_unit(numbers.in_unit(number, scale), scale.symbol)

    def position(number: float) -> float:
        return round((number - low) / (high - low), 4) if high > low else 0.5

    def dot_of(other: Other) -> Dot:
        name, text = other.name or "", text_of(other.value)
        return Dot(
            position(other.value), f"{name}: {text}" if name else text, name, other.slug or ""
        )

    best = f", {'fastest' if numbers.is_speed(unit) else 'best'}" if high > low else ""
    return Strip(
        value=text_of(value),
        at=position(value),
        low=f"{text_of(low)}{best * (better is Better.LOWER)}",
        high=f"{text_of(high)}{best * (better is Better.HIGHER)}",
        others=tuple(map(dot_of, others)),
    )
