"""A picture for those who don't see it: its figures as a sentence and as a table."""

from __future__ import annotations

from typing import Any

from macmeter.figures.cases import Cases, Lane
from macmeter.figures.content import content_of
from macmeter.figures.numbers import percent, with_unit
from macmeter.figures.words import metric_title
from macmeter.pictures import svg

Json = dict[str, Any]

# What a description of a picture may take: more is cut by those who read it out.
MOST_LETTERS = 400
HEADINGS = ("Case", "Metric", "Figure", "From")


def described(answer: Json, title: str | None = None) -> str:
    """ "Write speed by storage. Internal SSD: 7.66 GB/s, 3 machines. USB4: …"."""
    content = content_of(answer)
    text = f"{title or content.asked}."
    if content.mixed:
        text += f" {content.mixed}."
    rows = rows_of(answer)
    if not rows:
        return f"{text} {content.nothing}"
    for place, (case, metric, figure, behind) in enumerate(rows):
        of = f"{case}, {metric}" if content.several_metrics else case
        told = f" {of}: {figure}{f', {behind}' if behind else ''}."
        if len(text) + len(told) > MOST_LETTERS:
            return f"{text} And {len(rows) - place} more."
        text += told
    return text


def rows_of(answer: Json) -> list[tuple[str, str, str, str]]:
    """The figures of the picture, a row each, under HEADINGS."""
    return [row for part in content_of(answer).parts for row in _rows_of(part.cases)]


def _rows_of(found: Cases) -> list[tuple[str, str, str, str]]:
    rows = []
    heading = ""
    for case in found.cases:
        heading = case.heading or heading
        for lane in case.lanes:
            # Of sides, the heading is the metric with its method.
            told = [case.label] if found.headings == "rows" else [heading, case.label]
            metric = heading if found.headings == "rows" else metric_title(lane.metric)
            name = " · ".join(filter(None, told))
            figure = svg.safe(_figure(found, lane))
            rows.append((svg.safe(name), svg.safe(metric), figure, _behind(lane)))
    return rows


def _figure(found: Cases, lane: Lane) -> str:
    if lane.value is None:
        return f"{lane.text} {lane.of}".strip() + lane.dagger
    unit = "%" if found.measure == "ratio" else found.scale.symbol
    # Digits in a unit of their own carry it already.
    digits = lane.text if lane.text[-1:].isalpha() else with_unit(lane.text, unit)
    if found.headings == "rows" and lane.interval:
        low, high = map(percent, lane.interval)
        digits += f" ({low} to {high})"
    return digits + lane.dagger


def _behind(lane: Lane) -> str:
    published = "published" if lane.hollow and lane.weight != "as printed" else ""
    flags = "; ".join(flag.sentence for flag in lane.flags if flag.doubt)
    told = [lane.mixes, lane.method, lane.weight, published, flags]
    return svg.safe(", ".join(filter(None, told)))
