"""The grammar of questions: each has one equivalent canonical form."""

from __future__ import annotations

import random
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macmeter import catalog
from macmeter.catalog.terms import Filters, Op, Term, print_value
from macmeter.platform.errors import Problem
from macmeter.questions.question import Question, parse_filters, parse_query, parse_question
from support.questions import numbers, questions
from support.server import Server

WRITE = "metric=disk.write_average"


@given(questions())
def test_the_canonical_form_asks_the_same(question: Question) -> None:
    again = parse_query(question.canonical)
    assert again == question
    assert again.canonical == question.canonical
    assert question.canonical.isascii()


@given(questions(), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(question: Question, chance: random.Random) -> None:
    pairs = parse_qsl(question.canonical, keep_blank_values=True)
    pairs += [chance.choice(pairs), ("version", "1")]
    chance.shuffle(pairs)
    assert parse_question(pairs) == question
    # As a browser would write it: other characters encoded, spaces as plus signs.
    assert parse_query(urlencode(pairs)) == question


@given(numbers)
def test_any_number_is_read_as_it_was_printed(number: float) -> None:
    (term,) = parse_query(f"{WRITE}&where=link_speed:{quote(print_value(number))}").where
    assert term.value == number


@given(st.text(max_size=300))
def test_any_text_is_a_question_or_a_refusal(text: str) -> None:
    for query in (text, f"{WRITE}&where={text}", f"{WRITE}&by={text}&relative_to={quote(text)}"):
        try:
            question = parse_query(query)
        except Problem:
            continue
        assert parse_query(question.canonical) == question


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("storage:a:b", Term("storage", Op.IS, "a:b")),
        ("storage!:!:b", Term("storage", Op.NOT, "!:b")),
        ("storage:", Term("storage", Op.IS, None)),
        ("storage: ", Term("storage", Op.IS, " ")),
        ("storage:..", Term("storage", Op.IS, "..")),
        ("label:iops:1:2", Term("label:iops", Op.IS, "1:2")),
        ("label:iops!:1..2", Term("label:iops", Op.NOT, "1..2")),
        ("label:a b.c/é:!", Term("label:a b.c/é", Op.IS, "!")),
        ("label:label:x", Term("label:label", Op.IS, "x")),
        ("label:12000:1e3", Term("label:12000", Op.IS, "1e3")),
        (f"label:{'k' * 256}:{'v' * 256}", Term(f"label:{'k' * 256}", Op.IS, "v" * 256)),
        ("link_speed:4e10..", Term("link_speed", Op.RANGE, low=4e10)),
        ("link_speed!:..-1.5", Term("link_speed", Op.NOT_RANGE, high=-1.5)),
        ("link_speed:040", Term("link_speed", Op.IS, 40.0)),
        ("virtual:false", Term("virtual", Op.IS, False)),
    ],
)
def test_a_term_splits_where_the_grammar_says(term: str, expected: Term) -> None:
    assert parse_query(f"{WRITE}&where={quote(term)}").where == (expected,)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("by=label:a:b", "bad_label"),  # its values could not be filtered by
        ("by=label:a!", "bad_label"),
        ("where=label:a!!:b", "bad_label"),
        ("by=label:", "unknown_dimension"),
        ("where=label::b", "unknown_dimension"),
        (f"by=label:{'k' * 257}", "unknown_dimension"),
        ("where=label:a", "bad_term"),
        ("where=label", "bad_term"),
        ("where=label:a%00:b", "unknown_dimension"),
        ("where=:x", "bad_term"),
        ("where=!:x", "unknown_dimension"),
        ("where=link_speed:1e999", "bad_value"),
        ("where=link_speed:..1e999", "bad_value"),
        ("where=link_speed:inf", "bad_value"),
        ("where=link_speed:nan", "bad_value"),
        ("where=link_speed:0x10", "bad_value"),
        ("where=link_speed:1_000", "bad_value"),
        ("where=link_speed:%D9%A1", "bad_value"),  # an Arabic digit one
        ("where=link_speed:+1", "bad_value"),  # a space, as browsers write it
        ("where=link_speed:..", "bad_range"),
        ("where=link_speed:2..1", "bad_range"),
        (f"where=device:{'x' * 257}", "bad_value"),
        ("where=device:%0A", "bad_value"),
        ("where=device:%C3", "bad_query"),
        ("where=device:%ED%A0%80", "bad_query"),
        ("where", "bad_query"),
        ("&&", "bad_query"),
        ("relative_to=link_speed:1..2", "bad_term"),
        ("relative_to=storage:a&relative_to=storage:b", "bad_term"),
        ("weight=machine&weight=run", "bad_value"),
        ("Metric=disk.read_average", "unknown"),
    ],
)
def test_what_the_grammar_does_not_say_is_refused(query: str, code: str) -> None:
    with pytest.raises(Problem) as refused:
        parse_query(f"{WRITE}&{query}")
    assert (refused.value.status, refused.value.code) == (422, code)


def test_too_many_parts_are_refused_before_they_cost_anything() -> None:
    for terms in (
        "&".join(f"where=storage:{i}" for i in range(101)),
        "&".join(f"where=storage:{i}" for i in range(100_000)),
        "&".join(["by=chip", "by=model", "by=storage", "by=label:a"]),
        "&".join(f"metric={name}" for name in sorted(catalog.METRICS)[:4]),
    ):
        with pytest.raises(Problem):
            parse_query(f"{WRITE}&{terms}")


def test_filters_are_the_same_part_of_a_question() -> None:
    query = "metric=disk.read_speed&where=file_size:2000000&where=storage:usb4&flagged=include"
    question = parse_query(query)
    assert parse_filters(query) == Filters(question.metrics, question.where, question.flagged)
    assert parse_filters("") == Filters()


@pytest.mark.parametrize(
    ("address", "pointer", "code"),
    [
        ("facets?storage=usb4", "?storage", "unknown"),
        ("facets?by=storage", "?by", "unknown"),
        ("facets?metric=speed", "?metric", "unknown_metric"),
        ("facets?flagged=yes", "?flagged", "bad_value"),
        ("facets?where=storage", "?where", "bad_term"),
        # Without a metric there are no samples, and another metric has no such parameter.
        ("facets?where=file_size:1", "?where", "not_of_runs"),
        (f"facets?{WRITE}&where=file_size:1", "?where", "not_of_metric"),
        ("runs?storage=usb4", "?storage", "unknown"),
        ("runs?where=file_size:1", "?where", "not_of_runs"),
        ("runs?limit=0", "?limit", "greater_than_equal"),
    ],
)
async def test_a_filter_that_would_do_nothing_is_refused(
    empty_server: Server, address: str, pointer: str, code: str
) -> None:
    response = await empty_server.client.get(f"/api/v1/{address}")
    refused = response.json()
    assert response.status_code == 422, response.text
    assert (refused["pointer"], refused["errors"][0]["code"]) == (pointer, code)
