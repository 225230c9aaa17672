"""Filters and the values to choose from, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from macmeter.answers.answer import TermTold
from macmeter.answers.exact import exact
from macmeter.answers.facets import Facet, Facets
from macmeter.figures.words import (
    case_value,
    dimension_title,
    reading,
    terms_in_words,
    value_order,
    value_text,
)
from macmeter.terms import Op, Term, Value, machine_name, short_id


@dataclass(frozen=True)
class FilterWords:
    """A filter as verb and value: "is not" and "USB4".

    `inside` is both after the dimension's title: "not USB4". `alone` is where nothing says of what
    it is: "not USB4", "4 threads".
    """

    where: str
    verb: str
    value: str
    inside: str
    alone: str


@exact
@dataclass(frozen=True)
class FiltersTold:
    """Each of the filters; and for each dimension one text: "Storage: USB4 or Thunderbolt 5"."""

    filters: tuple[FilterWords, ...]
    told: tuple[str, ...]


def told_filters(terms: Iterable[tuple[str, Term]]) -> FiltersTold:
    """Filters as they were written, each with what it says."""
    pairs = [(written, _taken_apart(term)) for written, term in terms]
    return FiltersTold(
        tuple(_words(written, term) for written, term in pairs),
        tuple(terms_in_words(term for _, term in pairs)),
    )


def _taken_apart(term: Term) -> TermTold:
    return cast(TermTold, {**vars(term), "op": term.op.value})


def _words(written: str, term: TermTold) -> FilterWords:
    verb, value = reading(term)
    shown = short_id(value) if term["dimension"] == "machine" else value
    inside = f"not {shown}" if verb == "is not" else shown
    return FilterWords(written, verb, value, inside, _alone(term, inside))


def values_in_words(terms: Iterable[Term]) -> str:
    """ "Apple M4, USB4": the values alone; "everything" where nothing is filtered."""
    told = (_words(str(term), _taken_apart(term)).alone for term in terms)
    return ", ".join(told) or "everything"


def _alone(term: TermTold, inside: str) -> str:
    """ "USB4", "4 threads", "Mac 0193f2a1", "Encryption not stated", "Encryption known"."""
    name, of = term["dimension"], term["value"]
    if name == "machine" and of:
        return inside.replace(short_id(str(of)), machine_name(of))
    if term["op"] == "is" and of in (None, "unknown"):
        return value_text(name, of)
    if of in (None, "unknown"):  # ranges, and what is known
        return f"{dimension_title(name)} {inside}"
    return inside.replace(value_text(name, of), case_value(name, of))


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


@lru_cache(maxsize=1024)
def listed_value(name: str, value: Value) -> str:
    """A value under its dimension's name; what is absent is "Not stated", or what that means."""
    if value is not None:
        return value_text(name, value)
    _, told = reading({"dimension": name, "op": Op.IS, "value": None})
    return told[:1].upper() + told[1:]
