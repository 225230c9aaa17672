"""Filters and the values to choose from, in words."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.filters import FiltersResponse, render_facets, render_filters, values_in_words
from macmeter.questions.question import parse_term
from macmeter.schemas.facets import Facet, Facets, FacetValue

THIN = "\u2009"
SIZES = f"2{THIN}MB to 200{THIN}MB"


def told(*where: str) -> FiltersResponse:
    return render_filters((text, parse_term(text, "?where")) for text in where)


@pytest.mark.parametrize(
    ("where", "verb", "value", "alone"),
    [
        ("storage:usb4", "is", "USB4", "USB4"),
        ("storage!:usb4", "is not", "USB4", "not USB4"),
        ("storage!:", "is", "known", "Storage known"),
        ("storage!:unknown", "is", "known", "Storage known"),
        ("encryption:unknown", "is", "not known", "Encryption not known"),
        ("storage!:other", "is not", "Other storage", "not other storage"),
        ("storage:", "is", "not stated", "Storage not stated"),
        ("via:", "is", "direct", "Direct"),
        ("label:iops:", "is", "none", "iops not stated"),
        ("label:iops:3000", "is", "3000", "iops 3000"),
        ("label:iops!:3000", "is not", "3000", "iops not 3000"),
        ("file_size:2000000", "is", f"2{THIN}MB", f"2{THIN}MB"),
        ("file_size:2e6..2e8", "is", SIZES, f"File size {SIZES}"),
        ("file_size!:..2e6", "is not", f"up to 2{THIN}MB", f"File size not up to 2{THIN}MB"),
        ("threads:4", "is", "4", "4 threads"),
        ("threads!:4", "is not", "4", "not 4 threads"),
        ("threads:2..8", "is", "2 to 8", "Threads 2 to 8"),
    ],
)
def test_a_filter_is_a_verb_and_a_value(where: str, verb: str, value: str, alone: str) -> None:
    (words,) = told(where).filters
    assert (words.where, words.verb, words.value, words.alone) == (where, verb, value, alone)


def test_a_machine_is_called_by_the_beginning_of_its_id() -> None:
    (words,) = told("machine:0193f2a1-7000-7000-8000-000000000000").filters
    assert (words.inside, words.alone) == ("0193f2a1", "Mac 0193f2a1")


def test_a_filter_is_negated_after_its_title() -> None:
    is_known, other = told("storage!:", "storage!:usb4").filters
    assert (is_known.inside, other.inside) == ("known", "not USB4")


def test_a_side_that_nobody_has_named_is_called_by_its_values() -> None:
    where = ("chip:Apple M4", "storage:thunderbolt5", "via:", "encryption:none")
    terms = [parse_term(text, "?side") for text in where]
    assert values_in_words(terms) == "Apple M4, Thunderbolt 5, direct, not encrypted"
    assert values_in_words(terms[3:]) == "Not encrypted"
    assert values_in_words([]) == "everything"
    known_terms = [parse_term(text, "?side") for text in ("encryption!:", "encryption!:unknown")]
    assert values_in_words([*terms[:1], *known_terms]) == "Apple M4, encryption known"


def test_values_of_one_dimension_are_alternatives() -> None:
    where = ("encryption:none", "encryption:", "label:iops:", "label:iops:3000", "chip!:M1")
    texts = values_in_words([parse_term(text, "?side") for text in where])
    assert texts == "Not encrypted or encryption not stated, iops not stated or iops 3000, not M1"


def test_dimensions_join_alternatives_exclusions_and_ranges() -> None:
    where = ("storage:usb4", "storage:new_kind", "storage!:", "file_size:2e6..", "via:")
    assert told(*where).told == (
        "Storage: USB4 or new_kind, known",
        f"File size: from 2{THIN}MB",
        "Connection: direct",
    )


def test_names_written_from_the_right_stand_for_themselves() -> None:
    (text,) = told("device:דיסק (מהיר) X5", "device:X5").told
    assert text.endswith(": \u2068דיסק (מהיר) X5\u2069 or X5")


def facet(name: str, *values: Any) -> list[tuple[Any, str]]:
    """Values in reading order, with their texts."""
    counts = Facet(name, len(values), [FacetValue(value, 1, 1) for value in values])
    (told_facet,) = render_facets(Facets(len(values), [counts], [])).dimensions
    assert [value.value for value in told_facet.values] == list(values)
    ordered = sorted(told_facet.values, key=lambda value: value.place)
    return [(value.value, value.text) for value in ordered]


def test_values_are_read_in_the_order_of_the_catalogue_and_absent_ones_last() -> None:
    assert facet("storage", None, "zip", "usb4", "internal") == [
        ("internal", "Internal SSD"),
        ("usb4", "USB4"),
        ("zip", "zip"),
        (None, "Not stated"),
    ]


def test_numbers_are_read_as_numbers_with_their_unit() -> None:
    assert facet("file_size", 2e9, 2e6) == [(2e6, f"2{THIN}MB"), (2e9, f"2{THIN}GB")]
    assert facet("os_version", "26.10", "26.4") == [("26.4", "26.4"), ("26.10", "26.10")]


def test_chips_are_read_by_generation_and_then_from_small_to_large() -> None:
    chips = ("M10", "M1 Ultra", "M4 Pro", "M1 Max", "M1", "M4 Pro (Virtual)", "M1 Pro", "M4 Nova")
    assert [value for value, _ in facet("chip", "Intel", *(f"Apple {chip}" for chip in chips))] == [
        *("Apple M1", "Apple M1 Pro", "Apple M1 Max", "Apple M1 Ultra"),
        *("Apple M4 Pro", "Apple M4 Pro (Virtual)", "Apple M4 Nova", "Apple M10", "Intel"),
    ]
    variants = facet("chip_variant", "Ultra", "Pro", None, "base", "Max")
    assert [value for value, _ in variants] == ["base", "Pro", "Max", "Ultra", None]
