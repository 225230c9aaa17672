"""Frequency against residency, pooled from the traces of many runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import WithJsonSchema

from macmeter.schemas.answer import Curve

# The client made from OpenAPI knows no tuples.
Point = Annotated[
    tuple[float, float],
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]


@dataclass(frozen=True, slots=True)
class ResidencyKey:
    chip: str | None
    power_mode: str | None
    tier: str


@dataclass(frozen=True, slots=True)
class ResidencyGroup:
    """`points` are (residency, frequency), thinned evenly; `samples` says of how many."""

    key: ResidencyKey
    machines: int
    runs: int
    samples: int
    outside: int
    points: list[Point]
    fit: Curve | None


@dataclass(frozen=True, slots=True)
class Residency:
    """`runs` were read; `without` had no trace of cores, `older` were too many to read."""

    groups: list[ResidencyGroup]
    runs: int
    doubted: int
    without: int
    older: int
    as_of: str
