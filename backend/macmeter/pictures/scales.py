"""Where on a picture the places of an axis are, and which ticks and labels find room there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from macmeter.figures.figure import Axis, Tick
from macmeter.pictures import lettering

# An item at a height: left, right, and that height.
Box = tuple[float, float, float]
# Between the texts of two ticks.
_GAP = 12.0


def place(axis: Axis, start: float, end: float) -> Callable[[float], float]:
    """From a value to its coordinate between `start` (low) and `end` (high)."""
    if axis.log:
        low, span = math.log(axis.low), math.log(axis.high / axis.low)
        return lambda value: start + (math.log(value) - low) / span * (end - start)
    return lambda value: start + (value - axis.low) / (axis.high - axis.low) * (end - start)


def roomy_ticks(axis: Axis, at: Callable[[float], float], size: float) -> list[Tick]:
    """The ticks whose texts have room beside those that matter more, from low to high."""
    kept: list[tuple[float, float, Tick]] = []
    for tick in axis.ticks:
        half = (lettering.width(tick.text, size) + _GAP) / 2
        x = at(tick.at)
        if all(abs(x - other) >= half + taken for other, taken, _ in kept):
            kept.append((x, half, tick))
    return sorted((tick for _, _, tick in kept), key=lambda tick: tick.at)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights for labels that belong at `wanted`, at least `gap` apart, within limits.

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
