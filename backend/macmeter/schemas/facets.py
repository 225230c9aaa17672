"""The values of dimensions, with how many runs and machines have them."""

from __future__ import annotations

from dataclasses import dataclass

from macmeter.catalog.terms import Value


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: Value
    runs: int
    machines: int


@dataclass(frozen=True, slots=True)
class Facet:
    """`values` are those of most runs, these first; `distinct` says how many there are."""

    name: str
    distinct: int
    values: list[FacetValue]


@dataclass(frozen=True, slots=True)
class Facets:
    total: int
    dimensions: list[Facet]
