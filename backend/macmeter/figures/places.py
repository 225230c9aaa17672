"""The digits of a percentile: its own figure, and those of the machines it is placed among."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.answers.exact import exact
from macmeter.answers.machines import Placed
from macmeter.figures.numbers import in_unit, quantity, scale_for, with_unit
from macmeter.figures.travel import beside

_TOLD = ("min", "p25", "median", "p75", "max")


@dataclass(frozen=True)
class PlaceWords:
    """`cohort` and `beside` it its own figure are in one unit; both are absent without a place."""

    own: str
    beside: str = ""
    cohort: dict[str, str] | None = None


@exact
@dataclass(frozen=True, slots=True)
class Percentile(Placed):
    """`machines` are the others; below `minimum` of them there is no place and no figure."""

    words: PlaceWords


def told_place(found: Placed) -> Percentile:
    return beside(Percentile, found, words=_words(found))


def _words(found: Placed) -> PlaceWords:
    own = quantity(found.value, found.unit)
    cohort = found.cohort
    if cohort is None:
        return PlaceWords(own)
    scale = scale_for(found.unit, [max(found.value, cohort.max)])

    def told(value: float) -> str:
        return with_unit(in_unit(value, scale), scale.symbol)

    return PlaceWords(own, told(found.value), {name: told(getattr(cohort, name)) for name in _TOLD})
