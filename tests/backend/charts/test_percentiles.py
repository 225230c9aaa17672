"""The digits of a percentile."""

from __future__ import annotations

from macmeter.catalog import Better
from macmeter.charts.machines import PlaceWords, render_percentile
from macmeter.schemas.machines import CohortFigures, Place, Placed

THIN = "\u2009"


def words(
    cohort: CohortFigures | None,
    place: Place | None = None,
    *,
    better: Better = Better.HIGHER,
    run_id: str | None = None,
) -> PlaceWords:
    placed = Placed(
        question="metric=disk.write_average",
        metric="disk.write_average",
        title="Write speed",
        unit="B/s",
        better=better,
        published=False,
        method="graded-files",
        method_version=1,
        machine_id="m",
        run_id=run_id,
        runs=1,
        mixes=[],
        value=9e8,
        machines=12 if cohort else 3,
        minimum=10,
        place=place,
        cohort=cohort,
        others=[5e8, 2e9, 7.66e9],
    )
    rendered = render_percentile(placed)
    assert rendered.machines == placed.machines
    return rendered.words


COHORT = CohortFigures(5e8, 6e8, 1e9, 2e9, 3e9, 4e9, 7.66e9)


def test_a_figure_and_the_others_are_told_in_one_unit() -> None:
    strip = words(COHORT, Place(22.4, 2, 0, 3.0, 51.0)).strip
    assert strip is not None
    assert (strip.value, strip.at) == (f"0.900{THIN}GB/s", 0.0559)
    assert (strip.low, strip.high) == (f"0.500{THIN}GB/s", f"7.66{THIN}GB/s, fastest")
    neither = words(COHORT, Place(22.4, 2, 0, 3.0, 51.0), better=Better.NONE).strip
    assert neither is not None
    assert neither.high == f"7.66{THIN}GB/s"
    assert [dot.text for dot in strip.others] == [
        f"0.500{THIN}GB/s",
        f"2.00{THIN}GB/s",
        f"7.66{THIN}GB/s",
    ]


def test_a_figure_and_its_cohort_are_told_in_one_unit() -> None:
    placed = words(COHORT, Place(22.4, 2, 0, 3.0, 51.0))
    assert placed.beside == f"0.900{THIN}GB/s"
    assert placed.cohort == {
        "min": f"0.500{THIN}GB/s",
        "p25": f"1.00{THIN}GB/s",
        "median": f"2.00{THIN}GB/s",
        "p75": f"3.00{THIN}GB/s",
        "max": f"7.66{THIN}GB/s",
    }
    assert placed.alternative == (
        f"Chart: this Mac, 0.900{THIN}GB/s, among Macs from 0.500{THIN}GB/s to 7.66{THIN}GB/s,"
        f" half of them from 1.00{THIN}GB/s to 3.00{THIN}GB/s, median 2.00{THIN}GB/s."
    )


def test_a_place_is_told_in_two_sentences() -> None:
    placed = words(COHORT, Place(22.4, 2, 3, 1.0, 51.2))
    assert placed.lead == f"Faster than 17{THIN}% of 12 other Macs"
    assert placed.text == (
        f", equal to 3. Its median of 900{THIN}MB/s is at the 22nd percentile (95%: 1st to 51st)."
    )
    assert placed.note == (
        "Each Mac counts once, by graded-files 1. This Mac itself is not counted."
    )


def test_at_an_end_of_the_others_it_is_beyond_all_of_them() -> None:
    last = words(COHORT, Place(0.0, 0, 0, 0.0, 24.2))
    assert f"{last.lead}{last.text}" == (
        f"Slower than all 12 other Macs. Its median is 900{THIN}MB/s (95%: up to the 24th"
        " percentile)."
    )
    first = words(COHORT, Place(100.0, 12, 0, 75.8, 100.0), better=Better.LOWER)
    assert first.lead == "Faster than all 12 other Macs"
    equal = words(COHORT, Place(8.3, 0, 2, 0.2, 37.5))
    assert f"{equal.lead}{equal.text}".startswith(
        f"Faster than none of 12 other Macs, equal to 2. Its median of 900{THIN}MB/s is at the 8th"
        " percentile (95%: 1st to 38th)"
    )


def test_a_run_and_a_metric_without_a_better_side_have_words_of_their_own() -> None:
    placed = words(COHORT, Place(11.5, 2, 0, 3, 13), better=Better.NONE, run_id="r")
    assert placed.lead.startswith("Above 17")
    assert "12th percentile by size (95%: 3rd to 13th)" in placed.text
    assert placed.note.endswith("The Mac of this run is not counted.")
    assert placed.alternative.startswith("Chart: this run, ")


def test_among_too_few_only_its_own_figure_is_told() -> None:
    assert words(None) == PlaceWords(
        "Only 3 similar Macs so far; a percentile needs 10. This Mac’s own median is"
        f" 900{THIN}MB/s (graded-files 1)."
    )
