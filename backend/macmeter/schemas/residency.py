"""Frequency against residency, pooled from the traces of many runs."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import WithJsonSchema

from macmeter.schemas.answer import Curve

# The client generated from OpenAPI has no tuples.
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
    """Points (residency, frequency), thinned evenly from `samples`."""

    key: ResidencyKey
    machines: int
    runs: int
    samples: int
    outside: int
    points: list[Point]
    fit: Curve | None


@dataclass(frozen=True, slots=True)
class Residency:
    """Residency of all groups.

    `runs` were read; `without` had no trace of cores, `older` were too many.
    """

    groups: list[ResidencyGroup]
    runs: int
    doubted: int
    without: int
    older: int
    as_of: str
