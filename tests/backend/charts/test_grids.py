"""Cores by kernels as a table of shades."""

from __future__ import annotations

import pytest
from macmeter.charts.cells import grid_of
from macmeter.charts.figure import Case, Grid, GridCell, Lane, Measure
from macmeter.charts.numbers import difference_text

BY = ["chip", "core_context", "kernel"]


def case(chip: str, kernel: str, *lanes: Lane) -> Case:
    key = {"chip": chip, "core_context": "Performance/high", "kernel": kernel}
    return Case("", lanes, key=dict(key))


def lane(name: str, value: float | None, *, hollow: bool = False) -> Lane:
    return Lane(name, "square", str(value), value=value, hollow=hollow)


def drawn(by: list[str], cases: list[Case], measure: Measure = "figure") -> Grid:
    made = grid_of(by, 1, cases, measure)
    assert made is not None
    grid, unplaced = made
    assert unplaced == 0
    return grid


def test_each_column_is_shaded_from_its_lowest_to_its_highest_figure() -> None:
    cases = [
        case("Apple M1", "fp64", lane("a", 100)),
        case("Apple M1", "neon", lane("b", 9)),
        case("Apple M4", "fp64", lane("c", 200)),
        case("Apple M5", "fp64", lane("d", 150)),
        case("Apple M5", "neon", lane("e", 8)),
    ]
    grid = drawn(BY, cases)
    assert grid.columns == ("fp64", "neon")
    # What every row shares is in the title alone.
    assert grid.title == "Performance/high: chip"
    assert [row.label for row in grid.rows] == [f"Apple {name}" for name in ("M1", "M4", "M5")]
    # The second kernel was not measured on an M4: its cell is empty, not zero.
    assert [row.cells for row in grid.rows] == [
        (GridCell("a", 0.0), GridCell("b", 1.0)),
        (GridCell("c", 1.0), None),
        (GridCell("d", 0.5), GridCell("e", 0.0)),
    ]


def test_ratios_share_a_scale_around_no_difference() -> None:
    """As do equal digits: 0.4604 and 0.4596 are both −54 %, in different columns."""

    def ratio(name: str, value: float) -> Lane:
        return Lane(name, "square", difference_text(value), value=value)

    cases = [
        case("Apple M1", "fp64", ratio("a", 0.4604)),
        case("Apple M1", "neon", ratio("b", 1.8)),
        case("Apple M4", "fp64", ratio("c", 0.4596)),
        case("Apple M4", "neon", ratio("d", 1.0)),
        case("Apple M5", "fp64", ratio("e", 0.12)),
        case("Apple M5", "neon", ratio("f", 0.9976)),
    ]
    grid = drawn(BY, cases, "ratio")
    shades = {cell.lane: cell.shade for row in grid.rows for cell in row.cells if cell}
    assert shades["a"] == shades["c"] == pytest.approx(-0.614, abs=0.001)
    assert shades["d"] == 0
    assert -1 == shades["e"] < shades["a"] < shades["f"] < 0 < shades["b"] < 1


def test_a_cell_prints_what_was_measured_before_what_is_published() -> None:
    published, measured = lane("p", 300, hollow=True), lane("m", 100)
    cases = [
        case("Apple M1", "fp64", published, measured),
        case("Apple M1", "neon", published),
        case("Apple M1", "int64", lane("words", None)),
    ]
    grid = drawn(BY, cases)
    lanes = dict(zip(grid.columns, grid.rows[0].cells, strict=True))
    assert {name: cell and cell.lane for name, cell in lanes.items()} == {
        "fp64": "m",
        "neon": "p",
        "int64": None,
    }


def test_other_answers_stay_charts() -> None:
    cases = [case("Apple M1", "fp64", lane("a", 1)), case("Apple M1", "neon", lane("b", 2))]
    assert grid_of(BY, 2, cases, "figure") is None
    assert grid_of(["kernel"], 1, cases, "figure") is None
    assert grid_of(["chip", "kernel", "loops"], 1, cases, "figure") is None
    assert grid_of(BY, 1, cases[:1], "figure") is None


def test_a_case_without_a_column_is_counted_instead_of_drawn() -> None:
    """An idle CPU runs no kernel: a column for it would compare nothing."""
    cases = [
        case("Apple M1", "fp64", lane("a", 1)),
        case("Apple M1", "neon", lane("b", 2)),
        Case("", (lane("idle", 0),), key={"chip": "Apple M2", "kernel": None}),
    ]
    made = grid_of(BY, 1, cases, "figure")
    assert made is not None
    grid, unplaced = made
    assert (grid.columns, len(grid.rows), unplaced) == (("fp64", "neon"), 1, 1)


def test_rows_of_one_cell_each_are_no_grid() -> None:
    cases = [case("Apple M1", "fp64", lane("a", 1)), case("Apple M4", "neon", lane("b", 2))]
    assert grid_of(BY, 1, cases, "figure") is None


def contexts(chips: int) -> list[Case]:
    """Each chip with a fast and a slow kind of core."""
    return [
        Case("", (lane(f"{chip} {kind}", chip),), key={"chip": f"M{chip}", "core_context": kind})
        for chip in range(chips)
        for kind in ("Performance/high", "Efficiency/background")
    ]


def test_two_kinds_of_core_of_many_chips_are_columns_of_their_own() -> None:
    grid = drawn(["chip", "core_context"], contexts(8))
    assert grid.columns == ("Efficiency/background", "Performance/high")
    assert len(grid.rows) == 8
    assert grid_of(["chip", "core_context"], 1, contexts(7), "figure") is None
