"""Colours, marks and dashes of groups, the panels that lines are split into, and a chart's key.

A storage kind has the same hue everywhere. Colour is never the only code: mark, dash and position
repeat it. Palettes define the named colours.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.catalog.terms import Value
from macmeter.charts.axes import FILE_SIZE, MONTH
from macmeter.charts.figure import Axis, KeyEntry, Lane, Mark, Measure, Panel, Series, Target
from macmeter.charts.words import case_value
from macmeter.schemas.answer import Key

PLAIN = "ink-2"
FAMILIES = ("M1", "M2", "M3", "M4", "M5")
TIERS = {
    "Super": "super",
    "Performance": "performance",
    "Efficiency": "efficiency",
    "Performance+Efficiency": "performance-efficiency",
}
MARKS: tuple[Mark, ...] = ("square", "circle", "triangle", "diamond")
# Dashes distinguish lines of one colour; the first is solid.
DASHES = ("", "6 3", "2 2.5", "9 3 2 3")


def coloured_by(key: Mapping[str, Any]) -> str | None:
    """Return the dimension that decides a group's colour: storage, else core tier, else chip."""
    if "storage" in key:
        return "storage"
    names = ("core_context", "tier", "chip_family", "chip")
    return next((name for name in names if key.get(name) is not None), None)


def colour_of(key: Mapping[str, Any]) -> str:
    """Return "storage-usb4", "tier-performance", "family-m4"; unknown values give "…-other"."""
    name = coloured_by(key)
    if name is None:
        return PLAIN
    value = str(key[name])
    if name == "storage":
        known = value in catalog.DIMENSIONS["storage"].values
        return f"storage-{value.replace('_', '-') if known else 'other'}"
    if name in ("core_context", "tier"):
        return tier_colour(value.split("/")[0])
    family = next((word for word in value.split() if word in FAMILIES), None)
    return f"family-{family.lower()}" if family else PLAIN


def tier_colour(tier: str) -> str:
    return f"tier-{TIERS.get(tier, 'other')}"


def distinguished(lines: Iterable[Series]) -> Iterator[Series]:
    """Give each line its own mark, and a dash that is unique within its colour; points get none."""
    worn: Counter[str] = Counter()
    for index, line in enumerate(lines):
        dash = "" if line.hollow else DASHES[worn[line.colour] % len(DASHES)]
        worn[line.colour] += not line.hollow
        yield replace(line, mark=MARKS[index % len(MARKS)], dash=dash)


def marks_of(metrics: Sequence[str]) -> dict[str, Mark]:
    """Assign marks to a chart's metrics: squares to writes, circles to reads, up to four distinct.

    Other metrics, and further writes or reads, get the remaining marks in order.
    """
    marks: dict[str, Mark] = {}
    for metric in metrics:
        mark = _usual_mark(metric)
        if mark and mark not in marks.values():
            marks[metric] = mark
    left = [mark for mark in MARKS if mark not in marks.values()] or list(MARKS)
    unmarked = [metric for metric in dict.fromkeys(metrics) if metric not in marks]
    return marks | {metric: left[index % len(left)] for index, metric in enumerate(unmarked)}


def _usual_mark(metric: str) -> Mark | None:
    definition = catalog.METRICS.get(metric)
    roles = definition.roles if definition else frozenset[Role]()
    return "square" if Role.WRITES in roles else "circle" if Role.READS in roles else None


# Beyond six lines, colours and dashes repeat and bands overlap.
MOST_LINES = 6
_MOST_PANELS = 12
# Compared with each other, so in one panel if another dimension can be split by.
_TOGETHER = "image_format"


def panels_of(keys: Sequence[Key], names: Sequence[str], measured: int) -> dict[str, list[int]]:
    """Group the indices of lines by panel title; all under "" if one plot is enough.

    Panels follow the first dimension that leaves few enough lines in each, else the one that leaves
    fewest. Chips of one family share a panel. `measured` counts the lines without published points.
    """
    together = {"": list(range(len(keys)))}
    if measured <= MOST_LINES:
        return together
    choices = [_by(keys, name) for name in sorted(names, key=_TOGETHER.__eq__)]
    choices = [panels for panels in choices if 1 < len(panels) <= _MOST_PANELS]
    fitting = (panels for panels in choices if _most(panels) <= MOST_LINES)
    return next(fitting, None) or min(choices, key=_most, default=together)


def _by(keys: Sequence[Key], name: str) -> dict[str, list[int]]:
    panels: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        panels.setdefault(_title(name, key.get(name)), []).append(index)
    return panels


def _most(panels: dict[str, list[int]]) -> int:
    return max(map(len, panels.values()))


def _title(name: str, value: Value) -> str:
    """Return a panel's title: "M4" for any chip of that family, "Performance/high", "USB4"."""
    if name == "chip":
        family = next((word for word in str(value).split() if word in FAMILIES), None)
        if family:
            return family
    return case_value(name, value)


# A ratio is shown as a difference, and may be of two printed figures.
_HOLLOW: dict[Measure, KeyEntry] = {
    "figure": KeyEntry("hollow", "hollow †: published, as printed there"),
    "ratio": KeyEntry("hollow", "hollow †: from published figures"),
}
_CROSSED = KeyEntry("crossed", "crossed: only doubted runs")
_BOUNDARY = KeyEntry("boundary", "dotted: core counts")
# Meaning of boundaries on axes other than threads.
_MARKED = {
    MONTH: KeyEntry("boundary", "dotted: from here on most Macs ran this macOS"),
    FILE_SIZE: KeyEntry("boundary", "dotted: smallest file at 90 % of a line’s highest speed"),
}


def key_of_cases(lanes: Iterable[Lane], measure: Measure) -> tuple[KeyEntry, ...]:
    drawn = [lane for lane in lanes if lane.value is not None]
    by_metric = {lane.metric: lane for lane in reversed(drawn) if lane.name}
    entries = [KeyEntry("mark", lane.name, lane.mark) for lane in reversed(by_metric.values())]
    if any(lane.hollow for lane in drawn):
        entries.append(_HOLLOW[measure])
    bands = [lane for lane in drawn if lane.band]
    if bands:
        published = all(lane.hollow for lane in bands)
        meaning = "lowest to highest figure" if published else "p10 to p90 of the samples"
        entries.append(KeyEntry("band", meaning))
    with_interval = [lane for lane in drawn if lane.interval]
    if with_interval:
        meaning = "95% interval" + (" of the median" if measure == "figure" else "")
        if all(lane.within for lane in with_interval):
            meaning += ", within this Mac"
        elif any(lane.within for lane in with_interval):
            meaning += "; of one Mac, within it"
        if any(lane.between_models for lane in with_interval):
            meaning += "; wide where a few models differ"
        entries.append(KeyEntry("interval", meaning))
    if any(lane.doubted for lane in drawn):
        entries.append(_CROSSED)
    return tuple(entries)


# Part of the vertical axis that a mark covers.
_COVERED = 0.025


def key_of_lines(
    panels: Sequence[Panel], measure: Measure, axis: str | None, up: Axis
) -> tuple[KeyEntry, ...]:
    """Return the key; `axis` is the dimension along which lines run, `up` the vertical axis.

    It leaves out whiskers if marks cover all of them.
    """
    lines = [line for panel in panels for line in panel.series]
    points = [point for line in lines for point in line.points]
    banded = (point.band for line in lines if not line.hollow for point in line.points)
    covered = (up.high - up.low) * _COVERED
    whiskers = (point.whisker for point in points if point.whisker)
    spread = "p10 to p90 of the samples, line: median"
    deviation = "mean ± one standard deviation of the samples, mark: median"
    return _shown(
        (KeyEntry("curve", "fitted curve"), any(line.curve for line in lines)),
        (_HOLLOW[measure], any(line.hollow for line in lines)),
        (KeyEntry("band", "95% interval" if measure == "ratio" else spread), any(banded)),
        (KeyEntry("whisker", deviation), any(high - low > covered for low, high in whiskers)),
        (_MARKED.get(axis or "", _BOUNDARY), any(panel.boundaries for panel in panels)),
        (_CROSSED, any(point.doubted for point in points)),
    )


def key_of_targets(targets: Sequence[Target]) -> tuple[KeyEntry, ...]:
    return _shown(
        (_HOLLOW["figure"], any(target.hollow for target in targets)),
        (_CROSSED, any(target.doubted for target in targets)),
    )


def _shown(*entries: tuple[KeyEntry, object]) -> tuple[KeyEntry, ...]:
    """Return the entries whose condition holds."""
    return tuple(entry for entry, drawn in entries if drawn)
