"""A machine over time: what each line is called, its axis, digits and changes in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from macmeter.answers.exact import exact
from macmeter.answers.machines import LevelChange, Line, Point, Step, Timeline
from macmeter.catalog import LABEL_PREFIX
from macmeter.figures.axes import zero_axis
from macmeter.figures.colours import colour_of
from macmeter.figures.figure import Axis
from macmeter.figures.numbers import (
    Scale,
    change_text,
    counted,
    day,
    in_unit,
    printed_in,
    scale_for,
    with_unit,
)
from macmeter.figures.runs import parameters_text
from macmeter.figures.travel import beside
from macmeter.figures.words import case_value, listed, reading_order
from macmeter.stats.summary import percentile
from macmeter.terms import Value

_ALL = "All runs"
# A metric with its parameters.
_Series = tuple[str, frozenset[tuple[str, Value]]]


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
    """Lines of one metric under the same parameters share a unit; `points` are digits in it.

    `name` is what the line was measured on, `apart` as much of it as tells it from the others under
    these `parameters`.
    """

    name: str
    apart: str
    parameters: str
    colour: str
    divisor: float
    axis: Axis
    points: tuple[str, ...]
    changes: tuple[ChangeWords, ...]
    changed: str
    p50: Quantile
    p90: Quantile
    steps: tuple[str, ...] = ()
    """Each step's size and the runs beside it, in the order of the line's."""


@exact
@dataclass(frozen=True, slots=True)
class TimelineTold(Timeline):
    """With the words of each line, in the order of the lines."""

    words: list[LineWords]


def told_timeline(found: Timeline) -> TimelineTold:
    scales = _scales(found.lines)
    alike: dict[_Series, list[Line]] = {}
    for line in found.lines:
        alike.setdefault(_what(line), []).append(line)
    words = [_line(line, scales[_what(line)], alike[_what(line)]) for line in found.lines]
    return beside(TimelineTold, found, words=words)


def _what(line: Line) -> _Series:
    return line.metric, frozenset(line.parameters.items())


def _scales(lines: list[Line]) -> dict[_Series, Scale]:
    values: dict[_Series, list[float]] = {}
    for line in lines:
        values.setdefault(_what(line), []).extend(point.value for point in line.points)
    return {_what(line): scale_for(line.unit, values[_what(line)]) for line in lines}


def _line(line: Line, scale: Scale, alike: Sequence[Line]) -> LineWords:
    values = [point.value for point in line.points]
    storage = line.configuration.get("storage")
    changes = tuple(_change(change, scale) for change in line.changes)
    return LineWords(
        name=line_name(line.configuration),
        apart=_apart(line, alike),
        parameters=parameters_text(line.parameters),
        colour=colour_of({"storage": storage}) if storage else "ink",
        divisor=scale.divisor,
        axis=zero_axis((value / scale.divisor for value in values), scale.symbol),
        points=tuple(_digits(point, scale) for point in line.points),
        changes=changes,
        changed=_changed(line, changes),
        p50=_quantile(values, 0.5, scale),
        p90=_quantile(values, 0.9, scale),
        steps=tuple(map(_beside, line.steps)),
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
    return " · ".join(_parts(configuration).values()) or _ALL


def _apart(line: Line, alike: Sequence[Line]) -> str:
    """ "iops: 3000": what not all of these lines have; the method where that is all the same."""
    if len(alike) == 1:
        return _ALL
    every = [_parts(one.configuration) for one in alike]
    own = _parts(line.configuration)
    told = [text for name, text in own.items() if any(one.get(name) != text for one in every)]
    return " · ".join(told) or f"{line.method} {line.method_version}"


def _parts(configuration: Mapping[str, Any]) -> dict[str, str]:
    """Each of a configuration's members in words, by its name."""
    apart = ("labels", "device_id")
    told = {
        name: case_value(name, configuration[name])
        for name in reading_order(name for name in configuration if name not in apart)
        if (name, configuration[name]) != ("simultaneous", 1)
    }
    device = configuration.get("device_id")
    if isinstance(device, str):
        # An agent's id is a digest; one given to a device that an article describes is a name.
        _, given, named = device.partition("published:")
        told["device_id"] = f"device {named if given else device[:8]}"
    labels = (configuration.get("labels") or {}).items()
    return told | {f"{LABEL_PREFIX}{key}": f"{key}: {value}" for key, value in labels}


def _change(change: LevelChange, scale: Scale) -> ChangeWords:
    mark = change_text(change.ratio) if change.ratio else ""
    before, after = (in_unit(end, scale) for end in (change.before, change.after))
    text = f"new level, {before} to {after}{f' ({mark})' if mark else ''}"
    return ChangeWords(mark or "new level", text)


def _changed(line: Line, changes: tuple[ChangeWords, ...]) -> str:
    told = []
    for change, words in zip(line.changes, changes, strict=True):
        after = change.os_after
        updated = after and change.os_before != after
        told.append(f"{words.mark} with macOS {after}" if updated else words.mark)
    unsure = [step_text(step) for step in line.steps if is_unsure(step)]
    if unsure:
        return "; ".join([*filter(None, [listed(told)]), *unsure])
    if line.days < line.fewest_days:
        return f"{counted(line.days, 'day')}; a change needs at least {line.fewest_days}"
    return listed(told) or "no change"


def is_unsure(step: Step) -> bool:
    """Whether a step can be seen and not tested: too few days lie on a side of it."""
    return step.stands_out and step.certainty == "too_few"


def step_text(step: Step) -> str:
    """ "−30 % with macOS 26.2 (6 runs before, 2 since): too few to be sure"."""
    updated = step.os_after and step.os_before != step.os_after
    since = f"with macOS {step.os_after}" if updated else f"since {day(step.at)}"
    sure = ": too few to be sure" if step.certainty == "too_few" else ""
    return f"{change_text(step.ratio)} {since} ({_runs_beside(step)}){sure}"


def _beside(step: Step) -> str:
    return f"{change_text(step.ratio)} ({_runs_beside(step)})"


def _runs_beside(step: Step) -> str:
    return f"{counted(step.runs_before, 'run')} before, {step.runs_after} since"
