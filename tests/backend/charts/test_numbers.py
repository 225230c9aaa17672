"""Numbers and units as they are printed."""

from __future__ import annotations

import math
from random import Random

import pytest
from macmeter.charts.numbers import (
    decimals_for,
    difference_text,
    fixed,
    in_unit,
    nominal,
    printed_difference,
    printed_in,
    quantity,
    scale_for,
    significant,
)
from macmeter.schemas.answer import PrintedFigure

THIN = "\u2009"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7.659999, "7.66"),
        (7.6, "7.60"),
        (0.0573, "0.0573"),
        (9.996, "10.0"),
        (99.96, "100"),
        (422, "422"),
        (4512.4, "4,512"),
        (12412, "12,412"),
        (-1.5, "\u22121.50"),
        (0, "0"),
        (3.7e-10, f"3.70{THIN}×{THIN}10⁻¹⁰"),
    ],
)
def test_figures_have_three_significant_digits(value: float, text: str) -> None:
    assert significant(value) == text


def test_there_is_no_minus_before_nothing() -> None:
    assert fixed(-0.001, 1) == "0.0"


@pytest.mark.parametrize("exponent", range(-4, 12))
@pytest.mark.parametrize("mantissa", [1, 1.2345, 3.3333, 9.9949])
def test_less_than_half_a_unit_of_the_last_place_is_lost(mantissa: float, exponent: int) -> None:
    value = mantissa * 10.0**exponent
    rounded = float(significant(value).replace(",", ""))
    assert abs(rounded - value) / value <= 0.005
    assert decimals_for(value) >= 0


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 7])
def test_decimals_are_those_of_the_scientific_form(digits: int) -> None:
    chance = Random(digits)
    values = [math.exp(chance.uniform(-3, 9)) for _ in range(5_000)]
    for near in (1, 9.9, 9.995, 10, 99, 99.95, 100, 990, 999.5, 1000):
        values += [math.nextafter(near, 0), near, math.nextafter(near, math.inf)]
    for value in values:
        magnitude = int(f"{value:.{digits - 1}e}".partition("e")[2])
        assert decimals_for(value, digits) == max(0, digits - 1 - magnitude)
        assert decimals_for(-value, digits) == decimals_for(value, digits)


def test_a_unit_is_chosen_once_for_a_column_by_its_largest_value() -> None:
    scale = scale_for("B/s", [57e6, 3.1e9])
    assert (scale.symbol, in_unit(57e6, scale)) == ("GB/s", "0.0570")
    assert scale_for("B/s", [57e6, 71e6]).symbol == "MB/s"
    assert scale_for("s", [0.0021]).symbol == "ms"
    assert (scale_for("points", [3800]).symbol, scale_for("points", [3800]).divisor) == (
        "points",
        1,
    )


def test_a_unit_follows_its_figure_after_a_thin_space() -> None:
    assert quantity(7.66e9, "B/s") == f"7.66{THIN}GB/s"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.973, "−2.7"), (0.44, "−56"), (1.0, "0"), (1.0004, "+<0.1"), (3.5, "+250")],
)
def test_a_ratio_is_written_as_a_difference(ratio: float, text: str) -> None:
    assert difference_text(ratio) == text


@pytest.mark.parametrize(
    ("printed", "qualifier", "text"),
    [
        ("56%", None, "−44"),
        ("98.50 %", "about", "about −1.50"),
        ("100%", None, "0"),
        ("104", None, "104"),
        ("3.4x", None, f"3.4{THIN}x"),
        ("150%", None, "+50"),
    ],
)
def test_a_printed_ratio_is_a_difference_of_as_many_digits(
    printed: str, qualifier: str | None, text: str
) -> None:
    figure: PrintedFigure = {"kind": "ratio", "printed": printed, "parameters": {}}
    if qualifier:
        figure["qualifier"] = qualifier
    assert printed_difference(figure) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (2e6, "B", f"2{THIN}MB"),
        (2e9, "B", f"2{THIN}GB"),
        (1.5e12, "B", f"1.5{THIN}TB"),
        (4e10, "bit/s", f"40{THIN}Gbit/s"),
    ],
)
def test_chosen_sizes_stay_short(value: float, unit: str, text: str) -> None:
    assert nominal(value, unit) == text


@pytest.mark.parametrize(
    ("printed", "symbol", "text"),
    [
        ("5.3 GB/s", "GB/s", "5.3"),
        ("97%", "%", "97"),
        ("422 MB/s", "GB/s", f"422{THIN}MB/s"),
        ("7.60", "GB/s", "7.60"),
        ("4,415 MHz", "MHz", "4,415"),
        ("12,345 s", "s", "12,345"),
        ("unreadable", "GB/s", "unreadable"),
        ("49.32 seconds", "s", "49.32"),
        ("6.80 s", "s", "6.80"),
    ],
)
def test_printed_figures_keep_their_digits(printed: str, symbol: str, text: str) -> None:
    assert printed_in(printed, symbol) == text
