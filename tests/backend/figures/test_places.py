"""The digits of a percentile."""

from __future__ import annotations

from macmeter.answers.machines import CohortFigures, Placed
from macmeter.catalog import Better
from macmeter.figures.places import PlaceWords, told_place

THIN = "\u2009"


def words(cohort: CohortFigures | None) -> PlaceWords:
    placed = Placed(
        question="metric=disk.write_average",
        metric="disk.write_average",
        title="Write speed, whole run",
        unit="B/s",
        better=Better.HIGHER,
        published=False,
        method="graded-files",
        method_version=1,
        machine_id="m",
        run_id=None,
        runs=1,
        mixes=[],
        value=9e8,
        machines=12 if cohort else 3,
        minimum=10,
        place=None,
        cohort=cohort,
    )
    told = told_place(placed)
    assert told.machines == placed.machines
    return told.words


def test_a_figure_and_its_cohort_are_told_in_one_unit() -> None:
    found = words(CohortFigures(5e8, 6e8, 1e9, 2e9, 3e9, 4e9, 7.66e9))
    assert (found.own, found.beside) == (f"900{THIN}MB/s", f"0.900{THIN}GB/s")
    assert found.cohort == {
        "min": f"0.500{THIN}GB/s",
        "p25": f"1.00{THIN}GB/s",
        "median": f"2.00{THIN}GB/s",
        "p75": f"3.00{THIN}GB/s",
        "max": f"7.66{THIN}GB/s",
    }


def test_among_too_few_only_its_own_figure_is_told() -> None:
    found = words(None)
    assert (found.own, found.cohort) == (f"900{THIN}MB/s", None)
