"""Axes: where they begin and end, and which ticks matter most. Arithmetic only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from macmeter.figures.figure import Axis, Measure, Tick
from macmeter.figures.numbers import plain

_STEPS = 5
# In any unit smaller values are zero: what was stored before they were refused has no fifth of it.
_LEAST = 1e-100
# What all are compared with first, then the roundest.
_RATIOS = (
    *(1.0, 0.1, 10.0, 0.01, 100.0, 0.5, 2.0, 0.2, 5.0, 0.05, 20.0, 0.02, 50.0),
    *(0.8, 1.2, 0.6, 1.5, 0.4, 3.0, 0.9, 1.1, 0.7, 1.3, 0.3),
)
# Places that span so many times their first get a logarithmic axis.
_DECADES = 50


def axis_of_values(values: Iterable[float], measure: Measure, title: str) -> Axis:
    """Choose an axis: figures from zero, ratios around 100 %."""
    return ratio_axis(values, title) if measure == "ratio" else zero_axis(values, title)


def zero_axis(values: Iterable[float], title: str = "") -> Axis:
    """From zero to a round number above the largest, in steps of 1, 2 or 5 times ten's powers."""
    largest = max(values, default=0.0)
    top = largest if _LEAST <= largest < math.inf else 1.0
    step = round_step(top / _STEPS)
    ticks = [float(f"{place * step:.12g}") for place in range(math.ceil(top / step * 0.9999) + 1)]
    return Axis(title, 0.0, ticks[-1], _told(_by_halves(ticks), plain))


def round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, and at least about so much."""
    power = 10.0 ** math.floor(math.log10(least))
    factor = next((factor for factor in (1, 2, 5) if factor * power >= least * 0.999), 10)
    return float(f"{factor * power:.12g}")


def ratio_axis(values: Iterable[float], title: str = "%") -> Axis:
    """Around 100 %, logarithmic: half and double are equally far from it.

    At least 80 % to 110 %, so that differences of a percent do not look like cliffs.
    """
    positive = [value for value in values if value > 0]
    low, high = min(0.8, *positive, 0.8), max(1.1, *positive, 1.1)
    start = max((tick for tick in _RATIOS if tick <= low * 0.995), default=low * 0.995)
    end = min((tick for tick in _RATIOS if tick >= high * 1.005), default=high * 1.005)
    ticks = [tick for tick in _RATIOS if start <= tick <= end]
    return Axis(title, start, end, _told(ticks, _percent), log=True, base=1.0)


def axis_of_places(places: Iterable[float], title: str, told: Callable[[float], str]) -> Axis:
    """The axis of a numeric dimension: its own places are the ticks."""
    found = sorted(set(places))
    low, high = found[0], found[-1]
    if low == high:  # a lone place still needs an axis with two ends
        ends = low - (abs(low) / 2 or 1), high + (abs(high) / 2 or 1)
        return Axis(title, *ends, _told(found, told), base=low)
    if low > 0 and high / low >= _DECADES:
        return Axis(title, low, high, _told(_by_roundness(found), told), log=True, base=low)
    return Axis(title, low, high, _told(_by_halves(found), told), base=low)


def _told(ticks: Iterable[float], told: Callable[[float], str]) -> tuple[Tick, ...]:
    return tuple(Tick(tick, told(tick)) for tick in ticks)


def _percent(ratio: float) -> str:
    return plain(ratio * 100)


def _by_halves(ticks: Sequence[float]) -> list[float]:
    """Every eighth, then what halves their distance, and so on."""

    def distance(place: int) -> int:
        return 8 if place % 8 == 0 else place & -place

    return [ticks[place] for place in sorted(range(len(ticks)), key=distance, reverse=True)]


def _by_roundness(places: Sequence[float]) -> list[float]:
    """Both ends, then decades of the first (2, 20, 200) before other round ones."""
    first, last = places[0], places[-1]

    def roundness(value: float) -> int:
        digit = _digit(value)
        return 0 if digit == _digit(first) else 1 if digit in (1, 2, 5) else 2

    return [first, last, *sorted(places[1:-1], key=roundness)]


def _digit(value: float) -> float:
    return float(f"{value:e}".split("e")[0])
