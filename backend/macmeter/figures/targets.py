"""A task's rate against the speed of the storage that it works on: one point a target.

As frontend/src/figures/scatter.ts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from macmeter.figures.cases import is_doubted, measure_of
from macmeter.figures.digits import median_text, shared_scale
from macmeter.figures.notes import Sources
from macmeter.figures.numbers import Scale
from macmeter.figures.panels import method_of, usual_method
from macmeter.figures.words import case_label, metric_title, reading_order

Json = dict[str, Any]
_RATE, _SPEEDS = "compression.speed", "disk."


@dataclass(frozen=True)
class Target:
    """`x` and `y` in base units, `texts` their digits in the unit that is drawn."""

    key: Json
    label: str
    x: float
    y: float
    texts: tuple[str, str]
    hollow: bool
    doubted: bool
    dagger: str


@dataclass(frozen=True)
class Targets:
    """Those that have both figures; `unpaired` figures have no other."""

    points: list[Target]
    scale: Scale
    titles: tuple[str, str]
    unpaired: int


def targets_of(answer: Json, sources: Sources) -> Targets | None:
    """None where the answer asks anything but a rate and a speed."""
    pair = _rate_and_speed(answer)
    if pair is None:
        return None
    rate, speed = pair
    scale = shared_scale(answer["results"])
    dimensions = reading_order(answer["question"]["by"])
    speeds = _by_target(speed["groups"])
    points = []
    for over in rate["groups"]:
        for under in speeds.get(_target(over), []):
            cited = [*(over.get("citations") or []), *(under.get("citations") or [])]
            texts = median_text(under, speed["unit"], scale), median_text(over, rate["unit"], scale)
            point = Target(
                key=over["key"],
                label=case_label(dimensions, over["key"]) or "All runs",
                x=under["median"],
                y=over["median"],
                texts=texts,
                hollow=over["published"],
                doubted=is_doubted(over) or is_doubted(under),
                dagger=sources.dagger(cited),
            )
            points.append(point)
    both = {_target(group) for group in rate["groups"]} & speeds.keys()
    alone = [g for result in pair for g in result["groups"] if _target(g) not in both]
    titles = metric_title(speed["metric"]), metric_title(rate["metric"])
    return Targets(points, scale, titles, len(alone))


def _rate_and_speed(answer: Json) -> tuple[Json, Json] | None:
    results = answer["results"]
    if len(results) != 2 or measure_of(answer) != "figure":
        return None
    rate = next((one for one in results if one["metric"] == _RATE), None)
    speed = next((one for one in results if one["metric"].startswith(_SPEEDS)), None)
    return (rate, speed) if rate and speed else None


def _target(group: Json) -> str:
    return json.dumps([group["key"], group["published"]], sort_keys=True)


def _by_target(groups: list[Json]) -> dict[str, list[Json]]:
    """Of a target that was measured by several methods, the one that most runs were of."""
    usual = usual_method(groups)
    found: dict[str, list[Json]] = {}
    for group in groups:
        found.setdefault(_target(group), []).append(group)
    return {
        target: [group for group in several if method_of(group) == usual] or several
        for target, several in found.items()
    }
