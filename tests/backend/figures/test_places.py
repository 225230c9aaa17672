"""The digits of a percentile."""

from __future__ import annotations

from macmeter.figures.places import told_place

THIN = "\u2009"


def test_a_figure_and_its_cohort_are_told_in_one_unit() -> None:
    cohort = {"min": 5e8, "p25": 1e9, "median": 2e9, "p75": 3e9, "max": 7.66e9}
    words = told_place({"value": 9e8, "unit": "B/s", "cohort": cohort})["words"]
    assert (words.own, words.beside) == (f"900{THIN}MB/s", f"0.900{THIN}GB/s")
    assert words.cohort == {
        "min": f"0.500{THIN}GB/s",
        "p25": f"1.00{THIN}GB/s",
        "median": f"2.00{THIN}GB/s",
        "p75": f"3.00{THIN}GB/s",
        "max": f"7.66{THIN}GB/s",
    }


def test_among_too_few_only_its_own_figure_is_told() -> None:
    words = told_place({"value": 9e8, "unit": "B/s", "cohort": None})["words"]
    assert (words.own, words.cohort) == (f"900{THIN}MB/s", None)
