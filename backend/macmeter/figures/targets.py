"""A task's rate against the speed of the storage that it works on: one point a target."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from macmeter.answers.answer import Answer, Group, MetricAnswer
from macmeter.figures.axes import zero_axis
from macmeter.figures.cases import drawn, is_doubted, measure_of
from macmeter.figures.colours import colour_of
from macmeter.figures.digits import median_text, middle_of, shared_scale, with_own_unit
from macmeter.figures.figure import Axis, Target
from macmeter.figures.groups import shown_groups
from macmeter.figures.lines import method_of, usual_method
from macmeter.figures.notes import Sources
from macmeter.figures.words import case_label, metric_title, reading_order

_RATE, _SPEEDS = "compression.speed", "disk."
LEVEL = "as fast as the storage"


@dataclass(frozen=True)
class Targets:
    """Those that have both figures; `unpaired` figures have no other."""

    targets: tuple[Target, ...]
    across: Axis
    up: Axis
    unpaired: int


def targets_of(answer: Answer, places: Sequence[int], sources: Sources) -> Targets | None:
    """None where the answer's results at these places are not a rate and a speed."""
    results = [answer["results"][place] for place in places]
    pair = _rate_and_speed(results, answer)
    if pair is None:
        return None
    rate, speed = pair
    at_rate, at_speed = (
        next(place for place in places if answer["results"][place] is result) for result in pair
    )
    scale = shared_scale(results)
    dimensions = reading_order(answer["question"]["by"])
    speeds = _by_target([group for _, group in shown_groups(answer, at_speed)])
    found = []
    for lane, over in shown_groups(answer, at_rate):
        for under in speeds.get(_target(over), []):
            cited = [*(over.get("citations") or []), *(under.get("citations") or [])]
            of, at = (
                with_own_unit(median_text(group, scale), scale.symbol) for group in (over, under)
            )
            target = Target(
                label=case_label(dimensions, over["key"]) or "All runs",
                lane=lane,
                x=drawn(middle_of(under), scale),
                y=drawn(middle_of(over), scale),
                text=f"{of} at {at}",
                colour=colour_of(over["key"]),
                hollow=over["published"],
                doubted=is_doubted(over) or is_doubted(under),
                dagger=sources.dagger(cited),
            )
            found.append(target)
    both = {_target(group) for group in rate["groups"]} & speeds.keys()
    alone = [g for result in pair for g in result["groups"] if _target(g) not in both]
    across, up = (f"{metric_title(result['metric'])}, {scale.symbol}" for result in (speed, rate))
    return Targets(
        tuple(found),
        zero_axis([target.x for target in found], across),
        zero_axis([target.y for target in found], up),
        len(alone),
    )


def _rate_and_speed(
    results: list[MetricAnswer], answer: Answer
) -> tuple[MetricAnswer, MetricAnswer] | None:
    if len(results) != 2 or measure_of(answer) != "figure":
        return None
    rate = next((one for one in results if one["metric"] == _RATE), None)
    speed = next((one for one in results if one["metric"].startswith(_SPEEDS)), None)
    return (rate, speed) if rate and speed else None


def _target(group: Group) -> str:
    return json.dumps([group["key"], group["published"]], sort_keys=True)


def _by_target(groups: list[Group]) -> dict[str, list[Group]]:
    """Group by target; where several methods measured one, keep the method of most runs."""
    usual = usual_method(groups)
    found: dict[str, list[Group]] = {}
    for group in groups:
        found.setdefault(_target(group), []).append(group)
    return {
        target: [group for group in several if method_of(group) == usual] or several
        for target, several in found.items()
    }
