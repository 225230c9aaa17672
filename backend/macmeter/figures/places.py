"""What is said of a percentile: its sentences, and the digits of those it is placed among."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.answers.exact import exact
from macmeter.answers.machines import CohortFigures, Place, Placed
from macmeter.catalog import Better
from macmeter.figures.numbers import (
    counted,
    fixed,
    in_unit,
    ordinal,
    quantity,
    scale_for,
    whole_percent,
    with_unit,
)
from macmeter.figures.travel import beside

_TOLD = ("min", "p25", "median", "p75", "max")


@dataclass(frozen=True)
class PlaceWords:
    """Without a place there is `text` alone, and no chart."""

    text: str
    lead: str = ""
    """Comes before `text`, and more strongly."""
    note: str = ""
    alternative: str = ""
    """What the chart shows, for those who can't see it."""
    beside: str = ""
    """Its own figure, in one unit with those of the `cohort`."""
    cohort: dict[str, str] | None = None


@exact
@dataclass(frozen=True, slots=True, kw_only=True)
class Percentile(Placed):
    """`machines` are the others; below `minimum` of them there is no place and no figure."""

    words: PlaceWords


def told_place(found: Placed) -> Percentile:
    return beside(Percentile, found, words=_words(found))


def _words(found: Placed) -> PlaceWords:
    if found.place is None or found.cohort is None:
        return PlaceWords(_too_few(found))
    lead, text = _placed(found, found.place)
    whose = "The Mac of this run" if found.run_id else "This Mac itself"
    return PlaceWords(
        text,
        lead,
        f"Each Mac counts once, by {found.method} {found.method_version}. {whose} is not counted."
        f"{_usual(found)}",
        *_chart(found, found.cohort),
    )


def _usual(found: Placed) -> str:
    """What its figure rests on, where that is not all its runs."""
    if found.usual is None or found.all_runs in (None, found.runs):
        return ""
    on = f" on macOS {found.os_version}" if found.os_version else ""
    return (
        f" Its own figure is that of its latest {counted(found.runs, 'run')}{on}; the median of all"
        f" {fixed(found.all_runs, 0)} is {quantity(found.usual, found.unit)}."
    )


def _too_few(found: Placed) -> str:
    others = (
        f"Only {counted(found.machines, 'similar Mac')}" if found.machines else "No similar Macs"
    )
    method = f"{'published, ' * found.published}{found.method} {found.method_version}"
    return (
        f"{others} so far; a percentile needs {fixed(found.minimum, 0)}. This {_what(found)}’s own"
        f" median is {quantity(found.value, found.unit)} ({method}).{_usual(found)}"
    )


def _placed(found: Placed, place: Place) -> tuple[str, str]:
    better = "Above" if found.better is Better.NONE else "Better than"
    by_size = " by size" if found.better is Better.NONE else ""
    share = whole_percent(place.better_than / found.machines)
    equal = f", equal to {fixed(place.equal_to, 0)}" if place.equal_to else ""
    low, middle, high = map(ordinal, (place.ci_low, place.percentile, place.ci_high))
    return (
        f"{better} {share} of {fixed(found.machines, 0)} other Macs",
        f"{equal}. Its median of {quantity(found.value, found.unit)} is at the {middle} percentile"
        f"{by_size} (95%: {low} to {high}).",
    )


def _chart(found: Placed, cohort: CohortFigures) -> tuple[str, str, dict[str, str]]:
    scale = scale_for(found.unit, [max(found.value, cohort.max)])

    def told(value: float) -> str:
        return with_unit(in_unit(value, scale), scale.symbol)

    own, ends = told(found.value), {name: told(getattr(cohort, name)) for name in _TOLD}
    alternative = (
        f"Chart: this {_what(found)}, {own}, among Macs from {ends['min']} to {ends['max']},"
        f" half of them from {ends['p25']} to {ends['p75']}, median {ends['median']}."
    )
    return alternative, own, ends


def _what(found: Placed) -> str:
    return "run" if found.run_id else "Mac"
