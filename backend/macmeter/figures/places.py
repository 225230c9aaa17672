"""The digits of a percentile: its own figure, and those of the machines it is placed among."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from macmeter.figures.numbers import in_unit, quantity, scale_for, with_unit

Json = dict[str, Any]

_TOLD = ("min", "p25", "median", "p75", "max")


@dataclass(frozen=True)
class PlaceWords:
    """`cohort` and `beside` it its own figure are in one unit; both are absent without a place."""

    own: str
    beside: str = ""
    cohort: dict[str, str] | None = None


def told_place(found: Json) -> Json:
    """A percentile with its words."""
    return {**found, "words": _words(found)}


def _words(found: Json) -> PlaceWords:
    value, cohort = found["value"], found["cohort"]
    own = quantity(value, found["unit"])
    if cohort is None:
        return PlaceWords(own)
    scale = scale_for(found["unit"], [max(value, cohort["max"])])
    told = {name: with_unit(in_unit(cohort[name], scale), scale.symbol) for name in _TOLD}
    return PlaceWords(own, with_unit(in_unit(value, scale), scale.symbol), told)
