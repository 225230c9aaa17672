"""A picture for those who don't see it: its figures as a sentence and as a table."""

from __future__ import annotations

from typing import Any

from macmeter.charts import svg
from macmeter.charts.cases import Cases, Lane, cases_of
from macmeter.charts.numbers import with_unit
from macmeter.charts.words import metric_title, question_title

Json = dict[str, Any]

# What a description of a picture may take: more is cut by those who read it out.
MOST_LETTERS = 400
HEADINGS = ("Case", "Metric", "Figure", "From")


def described(answer: Json, title: str | None = None) -> str:
    """ "Write speed by storage. Internal SSD: 7.66 GB/s, 3 machines. USB4: …"."""
    text = f"{title or question_title(answer['question'])}."
    rows = rows_of(answer)
    if not rows:
        return f"{text} No runs answer this question."
    for place, (case, metric, figure, behind) in enumerate(rows):
        of = f"{case}, {metric}" if len(answer["results"]) > 1 else case
        told = f" {of}: {figure}{f', {behind}' if behind else ''}."
        if len(text) + len(told) > MOST_LETTERS:
            return f"{text} And {len(rows) - place} more."
        text += told
    return text


def rows_of(answer: Json) -> list[tuple[str, str, str, str]]:
    """The figures of the picture, a row each, under HEADINGS."""
    found = cases_of(answer)
    rows = []
    heading = ""
    for case in found.cases:
        heading = case.heading or heading
        name = " · ".join(filter(None, [heading, case.label]))
        for lane in case.lanes:
            title = metric_title(lane.metric)
            rows.append((svg.safe(name), title, svg.safe(_figure(found, lane)), _behind(lane)))
    return rows


def _figure(found: Cases, lane: Lane) -> str:
    if lane.value is None:
        return f"{lane.text} {lane.of}{lane.dagger}"
    unit = "%" if found.measure == "ratio" else found.scale.symbol
    # Digits in a unit of their own carry it already.
    digits = lane.text if lane.text[-1:].isalpha() else with_unit(lane.text, unit)
    return digits + lane.dagger


def _behind(lane: Lane) -> str:
    published = "published" if lane.hollow and lane.weight != "as printed" else ""
    flags = "; ".join(flag.sentence for flag in lane.flags if flag.doubt)
    return svg.safe(", ".join(filter(None, [lane.method, lane.weight, published, flags])))
