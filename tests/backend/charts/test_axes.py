"""Ends of axes, and their ticks."""

from __future__ import annotations

import pytest
from macmeter.charts.axes import ratio_axis, zero_axis
from macmeter.charts.figure import Axis


def ticks(axis: Axis) -> list[float]:
    return sorted(tick.at for tick in axis.ticks)


@pytest.mark.parametrize(
    ("largest", "expected"),
    [
        (7.66, [0, 2, 4, 6, 8]),
        (0.43, [0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        (57, [0, 20, 40, 60]),
        (0, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (5e-324, [0, 0.2, 0.4, 0.6, 0.8, 1]),
    ],
)
def test_an_axis_from_zero_has_round_steps(largest: float, expected: list[float]) -> None:
    axis = zero_axis([largest])
    assert (axis.low, axis.high, ticks(axis)) == (0, expected[-1], expected)


@pytest.mark.parametrize("exponent", range(-9, 12))
@pytest.mark.parametrize("mantissa", [1, 1.7, 2.89, 4.9, 8.35])
def test_an_axis_holds_every_size_of_value(mantissa: float, exponent: int) -> None:
    value = mantissa * 10.0**exponent
    axis = zero_axis([value])
    assert axis.high >= value * 0.999
    assert 2 < len(axis.ticks) < 9


def test_ratios_never_look_closer_than_from_80_to_110_percent() -> None:
    axis = ratio_axis([0.97])
    assert axis.low <= 0.8
    assert axis.high >= 1.1
    assert 1.0 in ticks(axis)


@pytest.mark.parametrize("values", [[0.02, 1], [0.19], [4.1, 0.5], [0.89, 0.95, 0.98]])
def test_an_axis_holds_every_ratio_and_keeps_the_whole_first(values: list[float]) -> None:
    axis = ratio_axis(values)
    assert axis.low <= min(values)
    assert axis.high >= max(values)
    assert axis.ticks[0].at == 1.0


def test_half_comes_before_ratios_that_are_less_round() -> None:
    axis = ratio_axis([0.102, 1])
    assert [tick.at for tick in axis.ticks[:3]] == [1.0, 0.1, 0.5]
