"""What the signs of a chart stand for, and only of what is drawn: a picture explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from macmeter.figures.boundaries import MONTH
from macmeter.figures.figure import KeyEntry, Lane, Measure, Panel, Target
from macmeter.figures.knees import FILE_SIZE

_HOLLOW = KeyEntry("hollow", "hollow †: published, as printed there")
_CROSSED = KeyEntry("crossed", "crossed: only doubted runs")
_BOUNDARY = KeyEntry("boundary", "dotted: as many threads as cores of a tier, or of all")
# What is marked on other axes than that of threads.
_MARKED = {
    MONTH: KeyEntry("boundary", "dotted: from here on most Macs ran this macOS"),
    FILE_SIZE: KeyEntry("boundary", "dotted: smallest file at 90 % of a line’s highest speed"),
}
EXTRAPOLATED = KeyEntry("extrapolated", "dashed: extrapolated")


def key_of_cases(lanes: Iterable[Lane], measure: Measure) -> tuple[KeyEntry, ...]:
    shown = [lane for lane in lanes if lane.value is not None]
    named = {lane.metric: lane for lane in reversed(shown) if lane.name}
    entries = [KeyEntry("mark", lane.name, lane.mark) for lane in reversed(named.values())]
    if any(lane.hollow for lane in shown):
        entries.append(_HOLLOW)
    bands = [lane for lane in shown if lane.band]
    if bands:
        published = all(lane.hollow for lane in bands)
        meaning = "lowest to highest figure" if published else "p10 to p90 of the samples"
        entries.append(KeyEntry("band", meaning))
    sure = [lane for lane in shown if lane.interval]
    if sure:
        meaning = "95% interval" + (" of the median" if measure == "figure" else "")
        if all(lane.within for lane in sure):
            meaning += ", within this Mac"
        elif any(lane.within for lane in sure):
            meaning += "; of one Mac, within it"
        entries.append(KeyEntry("interval", meaning))
    if any(lane.doubted for lane in shown):
        entries.append(_CROSSED)
    return tuple(entries)


def key_of_lines(
    panels: Sequence[Panel], measure: Measure, axis: str | None
) -> tuple[KeyEntry, ...]:
    """`axis` is the dimension that lines go along."""
    lines = [line for panel in panels for line in panel.series]
    points = [(line, point) for line in lines for point in line.points]
    entries = []
    if any(line.curve for line in lines):
        entries.append(KeyEntry("curve", "fitted curve, within its points"))
    if any(line.curve.beyond for line in lines if line.curve):
        entries.append(EXTRAPOLATED)
    if any(line.hollow for line in lines):
        entries.append(_HOLLOW)
    if any(point.band for line, point in points if not line.hollow):
        spread = "p10 to p90 of the samples, line: median"
        entries.append(KeyEntry("band", "95% interval" if measure == "ratio" else spread))
    if any(point.whisker for _, point in points):
        meaning = "mean ± one standard deviation of the samples, mark: median"
        entries.append(KeyEntry("whisker", meaning))
    if any(panel.boundaries for panel in panels):
        entries.append(_MARKED.get(axis or "", _BOUNDARY))
    if any(point.doubted for _, point in points):
        entries.append(_CROSSED)
    return tuple(entries)


def key_of_targets(targets: Sequence[Target]) -> tuple[KeyEntry, ...]:
    entries = []
    if any(target.hollow for target in targets):
        entries.append(_HOLLOW)
    if any(target.doubted for target in targets):
        entries.append(_CROSSED)
    return tuple(entries)
