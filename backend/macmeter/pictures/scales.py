"""Ticks and domains (frontend/src/figures/charts/scale.ts): arithmetic only, in the units drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

# What stands at a height: left, right, and that height.
Box = tuple[float, float, float]


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def place(self, start: float, end: float) -> Callable[[float], float]:
        """From a value to its coordinate between `start` (low) and `end` (high)."""
        if self.log:
            low, span = math.log(self.low), math.log(self.high / self.low)
            return lambda value: start + (math.log(value) - low) / span * (end - start)
        return lambda value: start + (value - self.low) / (self.high - self.low) * (end - start)


def zero_axis(largest: float, steps: int = 5) -> Axis:
    """From zero to a round number above `largest`, in steps of 1, 2 or 5 times ten's powers."""
    top = largest if 0 < largest < math.inf else 1.0
    raw = top / steps
    power = 10.0 ** math.floor(math.log10(raw))
    step = next((f for f in (1, 2, 5, 10) if f * power >= raw * 0.999), 10) * power
    ticks = tuple(
        float(f"{place * step:.12g}") for place in range(math.ceil(top / step * 0.9999) + 1)
    )
    return Axis(0.0, ticks[-1], ticks)


_RATIOS = (
    *(0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    *(1.1, 1.2, 1.3, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0),
)


def ratio_axis(values: Iterable[float], most: int = 9) -> Axis:
    """Around 100 %, logarithmic: half and double stand equally far from it.

    At least 80 % to 110 %, so that differences of a percent do not look like cliffs.
    """
    positive = [value for value in values if value > 0]
    low, high = min(0.8, *positive, 0.8), max(1.1, *positive, 1.1)
    start = max((tick for tick in _RATIOS if tick <= low * 0.995), default=low * 0.995)
    end = min((tick for tick in _RATIOS if tick >= high * 1.005), default=high * 1.005)
    ticks = [tick for tick in _RATIOS if start <= tick <= end]
    told = _thinned(ticks, most)
    # The lower end is told where it stands well apart from the next.
    if told and len(told) < most and told[0] >= start * 1.4:
        told = [start, *told]
    return Axis(start, end, tuple(told), log=True)


def _thinned(ticks: list[float], most: int) -> list[float]:
    """Every other tick dropped until `most` are left; 100 % stays."""
    while len(ticks) > most:
        middle = ticks.index(1.0)
        ticks = [tick for place, tick in enumerate(ticks) if (place - middle) % 2 == 0]
    return ticks


def place_axis(values: Iterable[float], width: float, gap: float = 50) -> Axis:
    """The axis of a numeric dimension: its own places as ticks, as many as `width` has room for.

    Logarithmic where the places span a factor of 50 or more.
    """
    places = sorted(set(values))
    low, high = places[0], places[-1]
    log = low > 0 and high / low >= 50
    if low == high:  # a lone place still needs an axis with two ends
        return Axis(low - (abs(low) / 2 or 1), high + (abs(high) / 2 or 1), (low,))
    if log:
        return Axis(low, high, tuple(log_ticks(places, width, gap)), log=True)
    each = max(1, math.ceil(len(places) * gap * 0.7 / max(width, 1)))
    return Axis(low, high, tuple(places[::each]))


def log_ticks(places: Sequence[float], width: float, gap: float) -> list[float]:
    """Of sorted places those that stand `gap` apart: the ends, then the roundest."""
    first, last = places[0], places[-1]

    def at(value: float) -> float:
        return math.log(value / first) / math.log(last / first) * width

    def roundness(value: float) -> int:
        # Decades of the first value (2, 20, 200) before other round ones, those before the rest.
        digit = _digit(value)
        return 0 if digit == _digit(first) else 1 if digit in (1, 2, 5) else 2

    kept: list[float] = []
    for value in [first, last, *sorted(places, key=roundness)]:
        if all(other != value and abs(at(other) - at(value)) >= gap for other in kept):
            kept.append(value)
    return sorted(kept)


def _digit(value: float) -> float:
    return float(f"{value:e}".split("e")[0])


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights for labels that want to stand at `wanted`, at least `gap` apart, within limits.

    Each is moved as little as its neighbours allow; in the order given.
    """
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    placed: list[float] = []
    previous = low - gap
    for place in order:
        previous = max(wanted[place], previous + gap)
        placed.append(previous)
    following = high + gap
    for i in reversed(range(len(placed))):
        following = placed[i] = min(placed[i], following - gap)
    heights = [0.0] * len(wanted)
    for i, place in enumerate(order):
        heights[place] = placed[i]
    return heights


def apart(boxes: Sequence[Box], gap: float, marks: Sequence[Box] = ()) -> list[float]:
    """Heights for labels, each as near to what it wants as marks and the labels before it leave
    room for.
    """
    taken = list(marks)
    heights = []
    for left, right, wanted in boxes:
        beside = [y for start, end, y in taken if start < right and left < end]
        tried = [wanted, *(y + way for y in beside for way in (gap, -gap))]
        free = [y for y in tried if all(abs(y - other) >= gap - 0.01 for other in beside)]
        heights.append(min(free, key=lambda y: abs(y - wanted)))
        taken.append((left, right, heights[-1]))
    return heights
