"""Choices for a question: values of dimensions with their runs and machines, starting points."""

from dataclasses import dataclass

from macmeter.catalog.terms import Value
from macmeter.platform.schema import Exact


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
    """Runs under some filters: how many, their dimensions, and the metrics of their results."""

    total: int
    dimensions: list[Facet]
    metrics: list[str]


class Fixed(Exact):
    """A determinant, the value that most machines have, and how many have it."""

    dimension: str
    value: Value
    machines: int


class StartingPoint(Exact):
    canonical: str
    fixed: list[Fixed]
    split: list[str]
    """Determinants that the question groups by in addition: no value of theirs is in each case."""
    merged: list[str]
    """Groups that gave way to these, as everything has one value of them."""
    hidden: int
    """Number of cases that the fixed values leave out, where there is no room to group."""
