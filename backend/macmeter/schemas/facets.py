"""Values of dimensions, with the number of runs and machines that have them."""

from dataclasses import dataclass

from macmeter.catalog.terms import Value


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: Value
    runs: int
    machines: int


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of most runs, most first. `distinct` counts all values."""

    name: str
    distinct: int
    values: list[FacetValue]


@dataclass(frozen=True, slots=True)
class Facets:
    total: int
    dimensions: list[Facet]
