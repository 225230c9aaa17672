"""A figure for those who don't see it: as a sentence and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from macmeter.figures.figure import Case, Chart, Figure, FlagNote, Lane
from macmeter.figures.words import metric_title

# What a description of a picture may take: more is cut by those who read it out.
MOST_LETTERS = 400
HEADINGS = ("Case", "Metric", "Figure", "From")
Row = tuple[str, str, str, str]


def described(figure: Figure, title: str | None = None) -> str:
    """The figure under another title."""
    if title is None or title == figure.title:
        return figure.text
    return alternative(title, figure.mixed, figure_rows(figure), figure.nothing)


def alternative(title: str, mixed: str, rows: Sequence[Row], nothing: str = "") -> str:
    """ "Write speed by storage. Internal SSD: 7.66 GB/s, 3 machines. USB4: …"."""
    text = f"{title}."
    if mixed:
        text += f" {mixed}."
    if not rows:
        return f"{text} {nothing}".strip()
    several = len({metric for _, metric, _, _ in rows}) > 1
    for place, (case, metric, figure, behind) in enumerate(rows):
        of = f"{case}, {metric}" if several else case
        told = f" {of}: {figure}{f', {behind}' if behind else ''}."
        if len(text) + len(told) > MOST_LETTERS:
            return f"{text} And {len(rows) - place} more."
        text += told
    return text


def figure_rows(figure: Figure) -> list[Row]:
    """The figures, a row each, under HEADINGS; without what stands in the table alone."""
    return rows_of_all(figure.charts, figure.flags)


def rows_of_all(charts: Iterable[Chart], flags: Iterable[FlagNote] = ()) -> list[Row]:
    return [row for chart in charts for row in rows_of(chart.cases, flags, sides=chart.rows)]


def rows_of(
    cases: Iterable[Case], flags: Iterable[FlagNote] = (), *, sides: bool = False
) -> list[Row]:
    """Rows of sides, each headed by the metric with its method."""
    doubts = {flag.letter: flag.sentence for flag in flags if flag.doubt}
    rows = []
    heading = ""
    for case in cases:
        heading = case.heading or heading
        if case.undrawn:
            continue
        for lane in case.lanes:
            name = " · ".join(filter(None, [case.label] if sides else [heading, case.label]))
            metric = heading if sides else metric_title(lane.metric)
            rows.append((name, metric, _figure(lane, sides=sides), _behind(lane, doubts)))
    return rows


def _figure(lane: Lane, *, sides: bool) -> str:
    text = f"{lane.full} {lane.of}".strip()
    if sides and lane.interval:
        text += f" ({(lane.cells or {}).get('interval', '').replace('–', ' to ')})"
    return text + lane.dagger


def _behind(lane: Lane, doubts: dict[str, str]) -> str:
    published = "published" if lane.hollow and lane.weight != "as printed" else ""
    told = "; ".join(doubts[letter] for letter in lane.flags if letter in doubts)
    return ", ".join(filter(None, [lane.mixes, lane.apart, lane.weight, published, told]))
