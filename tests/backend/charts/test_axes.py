"""Ends of axes, and their ticks."""

from __future__ import annotations

import pytest
from macmeter.charts.axes import difference_axis, zero_axis
from macmeter.charts.figure import Axis, Tick


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


def test_differences_never_look_larger_than_on_an_axis_of_ten_percent() -> None:
    axis = difference_axis([0.97])
    assert axis.low == pytest.approx(0.892)
    assert axis.high == pytest.approx(1.108)
    assert not axis.log


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.02, 1], ["−100", "−50", "0"]),
        ([0.44, 0.98], ["−60", "−40", "−20", "0", "+20"]),
        ([4.1, 0.5], ["−100", "0", "+100", "+200", "+300"]),
        ([0.89, 0.95, 0.98], ["−10", "−5", "0", "+5", "+10"]),
        ([1.004], ["−10", "−5", "0", "+5", "+10"]),
        ([0.4, 3.0], ["0", "+100", "+200"]),
    ],
)
def test_an_axis_of_differences_is_linear_around_a_round_0(
    values: list[float], texts: list[str]
) -> None:
    axis = difference_axis(values)
    assert axis.low <= min(values)
    assert axis.high >= max(values)
    assert (axis.base, axis.ticks[0]) == (1.0, Tick(1.0, "0"))
    assert [tick.text for tick in sorted(axis.ticks, key=lambda tick: tick.at)] == texts


@pytest.mark.parametrize("values", [[0.19], [0.5, 1.2], [0.97], [2.5, 1.1], [0.4, 3.0]])
def test_both_sides_of_0_have_room(values: list[float]) -> None:
    axis = difference_axis(values)
    below, above = 1 - axis.low, axis.high - 1
    assert min(below, above) >= 0.39 * max(below, above)
