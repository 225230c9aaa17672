"""The questions used as load are valid and different."""

from __future__ import annotations

from collections import Counter

from macmeter.questions.question import parse_query

from load.asked import questions
from load.fleet import Fleet

FLEET = Fleet(2_000)


def test_there_are_three_hundred_different_questions() -> None:
    requests = questions(FLEET)
    # With forty machines, some are drawn twice.
    assert len({request.path for request in requests}) > 280
    assert len(requests) == 300
    assert requests == questions(FLEET)
    counts = Counter(request.kind for request in requests)
    assert counts["answer"] == 120
    assert counts.keys() == {
        *("answer", "answer.file_size", "facets", "compare", "lists", "picture")
    }


def test_answers_can_be_parsed() -> None:
    for kind, path in questions(FLEET):
        if kind.startswith("answer"):
            assert parse_query(path.removeprefix("answer?")).canonical
