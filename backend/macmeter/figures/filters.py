"""Filters and the values to choose from, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from macmeter.answers.answer import TermTold
from macmeter.answers.exact import exact
from macmeter.answers.facets import Facet, Facets
from macmeter.catalog import Dimension, Kind
from macmeter.figures.words import (
    case_value,
    reading,
    terms_in_words,
    uncapitalised,
    value_order,
    value_text,
)
from macmeter.terms import Term, Value, machine_name


@dataclass(frozen=True)
class FilterWords:
    """A filter as verb and value: "is" and "USB4"; `alone` where nothing says of what it is."""

    where: str
    verb: str
    value: str
    alone: str


@exact
@dataclass(frozen=True)
class FiltersTold:
    """Each of the filters; and for each dimension one text: "Storage: USB4 or Thunderbolt 5"."""

    filters: tuple[FilterWords, ...]
    told: tuple[str, ...]


def told_filters(terms: Iterable[tuple[str, Term]]) -> FiltersTold:
    """Of filters as they were written, each with what it says."""
    pairs = [(written, _taken_apart(term)) for written, term in terms]
    return FiltersTold(
        tuple(_words(written, term) for written, term in pairs),
        tuple(terms_in_words(term for _, term in pairs)),
    )


def _taken_apart(term: Term) -> TermTold:
    return cast(TermTold, {**vars(term), "op": term.op.value})


def _words(written: str, term: TermTold) -> FilterWords:
    verb, value = reading(term)
    return FilterWords(written, verb, value, _alone(term, verb, value))


def _alone(term: TermTold, verb: str, value: str) -> str:
    """ "not USB4", "Threads 4", "Machine 0193f2a1"."""
    name, of = term["dimension"], term["value"]
    if name == "machine" and of:
        value = machine_name(of)
    elif term["op"] in ("is", "not") and isinstance(of, float):
        value = case_value(name, of)
    return f"not {value}" if verb == "is not" else value


@dataclass(frozen=True, slots=True)
class ValueTold:
    """A value with its words; `place` counts from 0 in the order in which values are read."""

    value: Value
    runs: int
    machines: int
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class FacetTold:
    name: str
    distinct: int
    values: list[ValueTold]


@exact
@dataclass(frozen=True, slots=True)
class FacetsTold:
    total: int
    dimensions: list[FacetTold]


def told_facets(found: Facets) -> FacetsTold:
    """With each value's words, and its place in the order in which they are read."""
    return FacetsTold(found.total, [_told_facet(facet) for facet in found.dimensions])


def _told_facet(facet: Facet) -> FacetTold:
    name, values = facet.name, facet.values
    order = sorted(range(len(values)), key=lambda place: value_order(name, values[place].value))
    ranks = {place: rank for rank, place in enumerate(order)}
    told = [
        ValueTold(one.value, one.runs, one.machines, listed_value(name, one.value), ranks[place])
        for place, one in enumerate(values)
    ]
    return FacetTold(name, facet.distinct, told)


@lru_cache(maxsize=4096)
def listed_value(name: str, value: Value) -> str:
    """A value under its dimension's name; what is absent is "Not stated", or what that means."""
    if value is not None:
        return value_text(name, value)
    _, told = reading({"dimension": name, "op": "is", "value": None})
    return told[:1].upper() + told[1:]


def catalogue_words(dimension: Dimension) -> dict[str, str]:
    """What its values are called everywhere, "" being what nobody states."""
    special: tuple[Value, ...] = (None, "unknown", "other")
    if dimension.kind is Kind.BOOLEAN:
        special = (None, "unknown", True, False)
    known = {_written(value): value_text(dimension.name, value) for value in special}
    return {**dimension.values, **known}


def words_inside(dimension: Dimension) -> dict[str, str]:
    """Those of the catalogue's words that are others within a sentence."""
    words = catalogue_words(dimension)
    inside = {value: uncapitalised(text) for value, text in words.items()}
    return {value: text for value, text in inside.items() if text != words[value]}


def _written(value: Value) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
