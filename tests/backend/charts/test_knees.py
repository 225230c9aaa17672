"""The file size from which a curve is near its highest speed."""

from __future__ import annotations

from macmeter.charts.axes import bends_of
from macmeter.charts.figure import LinePoint, Series

THIN = "\u2009"
MB = 1e6
SIZES = (2, 4, 10, 40, 200)


def line(*speeds: float, hollow: bool = False) -> Series:
    points = [
        LinePoint(size * MB, speed, f"{size}", f"{speed}")
        for size, speed in zip(SIZES, speeds, strict=False)
    ]
    return Series("write", "square", (tuple(points[:2]), tuple(points[2:])), hollow=hollow)


def test_a_curve_bends_at_the_smallest_size_near_its_highest_speed() -> None:
    (knee,) = bends_of([line(3, 5, 6.4, 7, 6.9)])
    assert (knee.low, knee.high) == (10 * MB, 10 * MB)
    assert knee.text == f"90 % of top speed at 10{THIN}MB"


def test_lines_that_differ_have_one_boundary_as_wide_as_they_do() -> None:
    (knee,) = bends_of([line(3, 5, 6.4, 7, 6.9), line(1, 2, 3, 4, 5)])
    assert (knee.low, knee.high) == (10 * MB, 200 * MB)
    assert knee.text == f"90 % of top speed at 10{THIN}MB to 200{THIN}MB"


def test_what_has_no_bend_has_no_boundary() -> None:
    assert bends_of([]) == ()
    assert bends_of([line(7, 7.1, 7, 7.2, 7)]) == ()
    assert bends_of([line(3, 5, 7)]) == ()
    assert bends_of([line(3, 5, 6.4, 7, 6.9, hollow=True)]) == ()
