"""The plain sentence about two compared sides."""

from __future__ import annotations

from typing import Any, cast

import pytest
from macmeter.charts.sentence import sentence_of
from macmeter.schemas.sides import Compared

SIDES = ("M2 with agent", "M2")


def compared(metric: str, value: float, answer: str = "different", **ratio: Any) -> Compared:
    """Two sides in one metric; the second is the baseline."""
    cells = [
        {
            "side": 1,
            "machines": 12,
            "ratio": {"value": value, "verdict": {"answer": answer}, **ratio},
        },
        {"side": 2, "machines": 30},
    ]
    sides = [{"number": n, "label": label, "where": []} for n, label in enumerate(SIDES, 1)]
    row = {"metric": metric, "cells": cells}
    return cast(Compared, {"comparison": {"sides": sides, "baseline": 2}, "rows": [row]})


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            compared("disk.write_average", 0.915, pairs=11),
            "Write speed: M2 with agent is 8.5\u2009% slower than M2 (11 pairs).",
        ),
        (
            compared("disk.write_average", 1.12),
            "Write speed: M2 with agent is 12\u2009% faster than M2 (12 and 30 Macs).",
        ),
        (
            compared("workload.duration", 1.034),
            "takes 3.4\u2009% longer than M2 (12 and 30 Macs).",
        ),
        (
            compared("disk.write_average", 0.99, "no_evidence", pairs=11),
            "Write speed: no clear difference between M2 with agent and M2 (11 pairs).",
        ),
    ],
)
def test_it_says_by_how_much_and_what_it_rests_on(found: Compared, sentence: str) -> None:
    text = sentence_of(found)
    assert text is not None
    assert text.replace("\u2068", "").replace("\u2069", "").endswith(sentence)


def test_it_is_about_the_largest_certain_difference() -> None:
    comparison = compared("disk.read_average", 1.009, ci_low=1.004, ci_high=1.014)
    # Larger, but less certain.
    unsure = compared("disk.random_read_rate", 0.8, ci_low=0.6, ci_high=0.999)
    lower = compared("disk.write_average", 0.93, ci_low=0.91, ci_high=0.95)
    comparison["rows"] += [*unsure["rows"], *lower["rows"]]
    text = sentence_of(comparison)
    assert text is not None
    assert text.startswith("Write speed: ")


def test_it_says_nothing_that_the_verdict_does_not() -> None:
    assert sentence_of(compared("disk.write_average", 0.5, "not_enough")) is None
    assert sentence_of(compared("disk.write_average", 0.5, "confounded")) is None
