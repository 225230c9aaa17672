"""The questions used as load are valid and different."""

from __future__ import annotations

from collections import Counter

from macmeter.questions.question import parse_query

from load.asked import questions
from load.fleet import Fleet

FLEET = Fleet(2_000)


def test_there_are_three_hundred_different_questions() -> None:
    asked = questions(FLEET)
    # With forty machines, some are drawn twice.
    assert len({one.path for one in asked}) > 280
    assert len(asked) == 300
    assert asked == questions(FLEET)
    counted = Counter(one.kind for one in asked)
    assert counted["answer"] == 120
    assert counted.keys() == {
        *("answer", "answer.file_size", "facets", "compare", "lists", "picture")
    }


def test_answers_can_be_parsed() -> None:
    for kind, path in questions(FLEET):
        if kind.startswith("answer"):
            assert parse_query(path.removeprefix("answer?")).canonical
