"""A machine over time: what each line is called, its axis, digits and changes in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from macmeter.answers.exact import exact
from macmeter.answers.machines import LevelChange, Line, Point, Timeline
from macmeter.figures.axes import zero_axis
from macmeter.figures.figure import Axis
from macmeter.figures.numbers import (
    Scale,
    change_text,
    counted,
    in_unit,
    printed_in,
    scale_for,
    with_unit,
)
from macmeter.figures.travel import beside
from macmeter.figures.words import case_value, listed, reading_order
from macmeter.stats.summary import percentile


@dataclass(frozen=True)
class ChangeWords:
    """`mark` is short enough for the plot: "+4 %"."""

    mark: str
    text: str


@dataclass(frozen=True)
class Quantile:
    """A level of the line in base units, and its digits with their unit."""

    value: float
    text: str


@dataclass(frozen=True)
class LineWords:
    """Lines of one metric under the same parameters share a unit; `points` are digits in it."""

    name: str
    divisor: float
    axis: Axis
    points: tuple[str, ...]
    changes: tuple[ChangeWords, ...]
    changed: str
    p50: Quantile
    p90: Quantile


@exact
@dataclass(frozen=True, slots=True)
class TimelineTold(Timeline):
    """With the words of each line, in the order of the lines."""

    words: list[LineWords]


def told_timeline(found: Timeline) -> TimelineTold:
    scales = _scales(found.lines)
    words = [_line(line, scales[_what(line)]) for line in found.lines]
    return beside(TimelineTold, found, words=words)


def _what(line: Line) -> tuple[str, str]:
    return line.metric, repr(sorted(line.parameters.items()))


def _scales(lines: list[Line]) -> dict[tuple[str, str], Scale]:
    values: dict[tuple[str, str], list[float]] = {}
    for line in lines:
        values.setdefault(_what(line), []).extend(point.value for point in line.points)
    return {_what(line): scale_for(line.unit, values[_what(line)]) for line in lines}


def _line(line: Line, scale: Scale) -> LineWords:
    values = [point.value for point in line.points]
    changes = tuple(_change(change, scale) for change in line.changes)
    return LineWords(
        name=line_name(line.configuration),
        divisor=scale.divisor,
        axis=zero_axis((value / scale.divisor for value in values), scale.symbol),
        points=tuple(_digits(point, scale) for point in line.points),
        changes=changes,
        changed=_changed(line, changes),
        p50=_quantile(values, 0.5, scale),
        p90=_quantile(values, 0.9, scale),
    )


def _digits(point: Point, scale: Scale) -> str:
    if point.printed:
        return f"{printed_in(point.printed, scale.symbol)}†"
    return in_unit(point.value, scale)


def _quantile(values: list[float], share: float, scale: Scale) -> Quantile:
    value = percentile(sorted(values), share)
    return Quantile(value, with_unit(in_unit(value, scale), scale.symbol))


def line_name(configuration: Mapping[str, Any]) -> str:
    """ "Internal SSD · FileVault": what a line was measured on."""
    apart = ("labels", "device_id")
    told = [
        case_value(name, configuration[name])
        for name in reading_order(name for name in configuration if name not in apart)
        if (name, configuration[name]) != ("simultaneous", 1)
    ]
    device = configuration.get("device_id")
    if isinstance(device, str):
        # An agent's id is a digest; one given to a device that an article describes is a name.
        _, given, named = device.partition("published:")
        told.append(f"device {named if given else device[:8]}")
    told += [f"{key}: {value}" for key, value in (configuration.get("labels") or {}).items()]
    return " · ".join(told) or "All runs"


def _change(change: LevelChange, scale: Scale) -> ChangeWords:
    mark = change_text(change.ratio) if change.ratio else ""
    before, after = (in_unit(end, scale) for end in (change.before, change.after))
    text = f"new level, {before} to {after}{f' ({mark})' if mark else ''}"
    return ChangeWords(mark or "new level", text)


def _changed(line: Line, changes: tuple[ChangeWords, ...]) -> str:
    if line.days < line.fewest_days:
        return f"{counted(line.days, 'day')}; a change needs at least {line.fewest_days}"
    if not changes:
        return "no change"
    told = []
    for change, words in zip(line.changes, changes, strict=True):
        after = change.os_after
        updated = after and change.os_before != after
        told.append(f"{words.mark} with macOS {after}" if updated else words.mark)
    return listed(told)
