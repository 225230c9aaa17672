"""Verdicts on sides in people's words, and the finding that they make."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.finding_of_sides import Rated, finding_of, question_of
from macmeter.charts.side_verdicts import is_unanimous, said

NAMES = ("M4", "M1")
WRITE, LATENCY, POWER = "disk.write_average", "disk.latency", "power.cpu_max"


def side(machines: int, low: float, high: float, **more: Any) -> Any:
    return {
        "machines": machines,
        "runs": machines,
        "min": low,
        "max": high,
        "median": (low + high) / 2,
        **more,
    }


def rated(value: float, answer: str, **more: Any) -> Any:
    verdict = {"answer": answer, **{k: more.pop(k) for k in ("detectable",) if k in more}}
    return {"value": value, "verdict": verdict, "unlike": [], "shared_runs": 0, **more}


def row(metric: str = WRITE, *, published: bool = False) -> Any:
    return {"metric": metric, "published": published}


ABOVE, BELOW, OVERLAPPING = (5.0, 6.0), (3.0, 4.0), (3.5, 5.5)
PAIRS = {"pairs": 7, "agreement": {"same": 7, "of": 7}}


@pytest.mark.parametrize(
    ("metric", "ratio", "sides", "told"),
    [
        (
            WRITE,
            rated(1.4, "different"),
            ((28, *ABOVE), (31, *BELOW)),
            "M4 faster. Every M4 beats every M1. 31 and 28 Macs",
        ),
        (
            WRITE,
            rated(1.1, "different"),
            ((28, *OVERLAPPING), (31, *BELOW)),
            "M4 faster.  31 and 28 Macs",
        ),
        # As many as are like one of the other side count.
        (
            WRITE,
            rated(1.1, "different", likeness={"machines": 1, "reference_machines": 30}),
            ((7, *OVERLAPPING), (31, *BELOW)),
            "M4 faster.  30 of 31 and 1 of 7 Macs",
        ),
        (
            LATENCY,
            rated(0.7, "different"),
            ((28, *BELOW), (31, *ABOVE)),
            "M4 faster. Every M4 beats every M1. 31 and 28 Macs",
        ),
        (
            POWER,
            rated(1.4, "different"),
            ((28, *ABOVE), (31, *BELOW)),
            "M4 higher. Every M4 is above every M1. 31 and 28 Macs",
        ),
        (
            WRITE,
            rated(0.8, "different", **PAIRS),
            ((7, *BELOW), (7, *ABOVE)),
            "7 of 7 pairs slower.  ",
        ),
        # Too few for an interval, but all one way.
        (
            WRITE,
            rated(0.8, "not_enough", pairs=5, agreement={"same": 5, "of": 5}),
            ((5, *BELOW), (5, *BELOW)),
            "5 of 5 pairs slower.  ",
        ),
        (
            WRITE,
            rated(1.4, "not_enough"),
            ((3, *ABOVE), (5, *BELOW)),
            "Every M4 beats every M1.  5 and 3 Macs",
        ),
        (
            WRITE,
            rated(1.01, "not_enough"),
            ((5, *OVERLAPPING), (3, *OVERLAPPING)),
            "Inconclusive: n = 3 and 5. 6 needed on each side. ",
        ),
        (
            WRITE,
            rated(0.97, "no_evidence", detectable=1.14),
            ((8, *OVERLAPPING), (9, *BELOW)),
            "No difference seen. A 14 % difference would have shown. 9 and 8 Macs",
        ),
        # Saved before it was computed: by its interval.
        (
            WRITE,
            rated(1.0, "no_evidence", ci_low=0.95, ci_high=1.05),
            ((8, *BELOW), (9, *BELOW)),
            "No difference seen. A 7.4 % difference would have shown. 9 and 8 Macs",
        ),
        (
            WRITE,
            rated(1.1, "not_enough", detectable=1.8, ci_low=0.7, ci_high=1.7),
            ((8, *OVERLAPPING), (9, *BELOW)),
            "Inconclusive. Only a difference of 80 % would have shown. 9 and 8 Macs",
        ),
        (
            WRITE,
            rated(0.9, "not_enough", agreement={"same": 44, "of": 46}),
            ((1, 3.2, 3.2), (46, *BELOW)),
            "Slower than 44 of 46 Macs.  ",
        ),
        (
            WRITE,
            rated(0.99, "not_enough", agreement={"same": 0, "of": 4}),
            ((1, 3.2, 3.2), (5, *BELOW)),
            "In the middle of 4 Macs.  ",
        ),
        (WRITE, rated(0.9, "not_enough"), ((1, 3.2, 3.2), (1, 4.0, 4.0)), "  "),
    ],
)
def test_a_verdict_is_in_peoples_words(metric: str, ratio: Any, sides: Any, told: str) -> None:
    cell, baseline = (side(*arguments) for arguments in sides)
    words = said(row(metric), cell | {"ratio": ratio}, baseline, NAMES)
    text = f"{words.verdict} {words.more} {words.based_on}"
    assert text.replace("\u2009", " ").replace("\u202f", " ") == told


def test_medians_that_seem_to_contradict_a_ratio_say_why() -> None:
    cell = side(8, *OVERLAPPING) | {"ratio": rated(0.9, "different")}
    assert "Like with like" in said(row(), cell, side(9, *BELOW), NAMES).more


def test_one_way_of_two_is_chance_and_of_printed_ones_no_rule() -> None:
    apart = side(2, *ABOVE) | {"ratio": rated(1.4, "not_enough")}
    assert not is_unanimous(row(), apart, side(9, *BELOW))
    apart["machines"] = 3
    assert is_unanimous(row(), apart, side(9, *BELOW))
    assert not is_unanimous(row(published=True), apart, side(9, *BELOW))


def question(*labels: str, chip: str | None = None) -> Any:
    sides = [{"number": n, "label": label, "where": []} for n, label in enumerate(labels, 1)]
    where = [{"dimension": "chip", "op": "is", "value": chip}] if chip else []
    return {"sides": sides, "baseline": 1, "where": where}


def one(metric: str, value: float, side: int = 2, answer: str = "different", **more: Any) -> Rated:
    area = metric.split(".")[0]
    return Rated(metric, area, side, rated(value, answer, **more), answer == "different")


CHIPS = question("Apple M1", "Apple M4")
STORAGE = question("Internal SSD", "Thunderbolt 5", "USB4", chip="Apple M4 Pro")


@pytest.mark.parametrize(
    ("asked", "rows", "sentence"),
    [
        (
            CHIPS,
            [one(WRITE, 1.4), one("disk.read_average", 1.06), one("cores.loop_rate", 1.65)],
            "M4 writes 40 % faster than M1, and its cores run 65 % faster",
        ),
        (
            CHIPS,
            [one(WRITE, 1.4), one("disk.read_average", 0.94)],
            "M4 writes 40 % faster than M1, but reads 6 % slower",
        ),
        (
            CHIPS,
            [one("cores.loop_rate", 1.65), one("compression.speed", 1.5)],
            "M4’s cores run 65 % faster than M1’s, and it compresses 50 % faster",
        ),
        (
            CHIPS,
            [one(WRITE, 1.4), one("power.cpu_max", 1.24)],
            "M4 writes 40 % faster than M1, and its CPU power, maximum is 24 % higher",
        ),
        (CHIPS, [one(WRITE, 1.4, answer="confounded")], ""),
        (
            CHIPS,
            [one(WRITE, 1.0, answer="no_evidence", detectable=1.14)],
            "No difference seen between M1 and M4; one of 14 % would have shown",
        ),
        (
            CHIPS,
            [one(WRITE, 1.0, answer="no_evidence"), one(WRITE, 1.1, answer="not_enough")],
            "No difference seen between M1 and M4 in 1 of 2 figures",
        ),
        (CHIPS, [one(WRITE, 1.1, answer="not_enough")], ""),
        (CHIPS, [], ""),
        (
            question("edr: off", "edr: on"),
            [one(WRITE, 0.97)],
            "edr: on writes 3 % slower than edr: off",
        ),
        (
            STORAGE,
            [one(WRITE, 0.79), one(WRITE, 0.45, 3)],
            "On an M4 Pro, Thunderbolt 5 writes 21 % slower than the internal SSD, "
            "and USB4 55 % slower",
        ),
        (
            question("USB4", "Internal SSD"),
            [one(WRITE, 2.2)],
            "The internal SSD writes 120 % faster than USB4",
        ),
        (
            question("M1", "M2", "M3", "M4"),
            [one(WRITE, 1.1), one(WRITE, 1.3, 3), one(WRITE, 1.4, 4)],
            "M4 differs most from M1: it writes 40 % faster",
        ),
    ],
)
def test_a_finding_says_what_is_clear_and_nothing_else(
    asked: Any, rows: list[Rated], sentence: str
) -> None:
    finding = finding_of(asked, rows)
    assert finding.replace("\u2009", " ").replace("\u202f", " ").replace("\u00a0", " ") == sentence


def test_without_a_finding_there_is_a_question() -> None:
    assert question_of(CHIPS) == "How does M4 compare with M1?"
    question = question_of(STORAGE).replace("\u00a0", " ")
    assert question == "How do Thunderbolt 5 and USB4 compare with the internal SSD?"
