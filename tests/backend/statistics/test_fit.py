"""Fits against scipy and against the equations that an article prints for its own figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from macmeter.platform.errors import Problem
from macmeter.questions.fits import fits_of
from macmeter.questions.grouped import Key
from macmeter.questions.question import Question
from macmeter.statistics.fit import MODELS, MOST_POINTS, STEEPEST, FitModel, equation, evaluate, fit
from scipy import stats
from support.documents import by_file_size, disk_run
from support.made_up import any_group
from support.server import Server

points = st.lists(
    st.tuples(st.integers(1, 1000), st.floats(0.1, 1e6)),
    min_size=5,
    max_size=30,
    unique_by=lambda point: point[0],
)


@pytest.mark.parametrize("model", ["linear", "quadratic", "theil_sen"])
def test_a_level_line_has_no_slope(model: FitModel) -> None:
    """Rounding errors such as 1.99552e-15 are not a slope."""
    curve = fit(model, [0.13, 0.2, 0.31, 0.44, 0.52], [1.02e9] * 5)
    assert curve is not None
    assert curve.equation == "y = 1.02e+09"
    assert curve.r2 == 1


@given(points)
@settings(max_examples=100, deadline=None)
def test_linear_and_power_fits_are_scipys(drawn: list[tuple[int, float]]) -> None:
    x, y = np.array(drawn, dtype=float).T
    linear, reference = fit("linear", x, y), stats.linregress(x, y)
    assert linear is not None
    scale = np.abs(y).max()
    assert linear.coefficients[0] == pytest.approx(reference.intercept, abs=1e-6 * scale)
    assert linear.coefficients[1] == pytest.approx(reference.slope, abs=1e-6 * scale)
    assert linear.r2 == pytest.approx(reference.rvalue**2, abs=1e-6)
    power, logs = fit("power", x, y), stats.linregress(np.log(x), np.log(y))
    if abs(logs.slope) > STEEPEST:
        assert power is None
        return
    assert power is not None
    assert power.coefficients[1] == pytest.approx(logs.slope, abs=1e-6)
    assert np.log(power.coefficients[0]) == pytest.approx(logs.intercept, abs=1e-6)


@pytest.mark.parametrize("value", [1.0, 5.0, 0.1])
def test_a_level_power_is_one(value: float) -> None:
    curve = fit("power", [1, 2, 3], [value] * 3)
    assert curve is not None
    assert curve.coefficients == pytest.approx((value, 0))


@given(
    low=st.floats(1e-12, 1e15),
    steps=st.lists(st.sampled_from([1e-15, 1e-9, 1e-3, 1, 1e6]), min_size=3, max_size=6),
    drawn=st.lists(st.sampled_from([1e-12, 1.0, 3.0, 1e15]), min_size=6, max_size=6),
    model=st.sampled_from(sorted(MODELS)),
)
@example(2921814329955.0, [1e-15, 1, 1e-15, 1e-15, 1e-15, 1e-15], [1.0, *[1e15] * 4, 1.0], "power")
@settings(max_examples=500, deadline=None)
def test_a_curve_has_numbers_in_every_unit(
    low: float, steps: list[float], drawn: list[float], model: FitModel
) -> None:
    """However close its points are, and however far apart their figures: or there is no curve."""
    x = [low * (1 + index * step) for index, step in enumerate(steps)]
    curve = fit(model, x, drawn[: len(x)])
    if curve is not None:
        assert np.isfinite([*curve.coefficients, curve.r2]).all()
        texts = (equation(model, curve.coefficients, unit) for unit in (1, low, 1000 * low))
        assert not any("inf" in text or "nan" in text for text in texts)


@given(points)
@settings(max_examples=50, deadline=None)
def test_theil_sen_is_scipys(drawn: list[tuple[int, float]]) -> None:
    x, y = np.array(drawn, dtype=float).T
    curve = fit("theil_sen", x, y)
    slope, intercept, *_ = stats.theilslopes(y, x, method="joint")
    assert curve is not None
    assert curve.coefficients[1] == pytest.approx(slope, rel=1e-9, abs=1e-9)
    assert curve.coefficients[0] == pytest.approx(intercept, rel=1e-9, abs=1e-6)


def test_theil_sen_of_many_points_and_equal_x_is_scipys() -> None:
    random = np.random.default_rng(3)
    x = random.integers(0, 40, 300).astype(float)
    y = 3 * x + random.standard_t(2, 300)
    curve = fit("theil_sen", x, y)
    assert curve is not None
    assert curve.coefficients[1] == pytest.approx(stats.theilslopes(y, x, method="joint")[0])


def test_the_r2_of_a_theil_sen_line_is_no_least_squares() -> None:
    x = np.arange(10.0)
    y = np.where(x < 8, x, -30.0)
    robust, linear = fit("theil_sen", x, y), fit("linear", x, y)
    assert robust is not None
    assert linear is not None
    assert robust.r2 < 0 < linear.r2


def test_a_theil_sen_line_of_too_many_points_says_what_to_narrow() -> None:
    question = Question(metrics=("workload.duration",), by=("elapsed",), fit="theil_sen")
    point = {"published": False, "method": "m", "method_version": 1, "median": 1.0}
    groups: Any = {
        Key((float(at),), False, "m", 1): {**point, "key": {"elapsed": float(at)}}
        for at in range(MOST_POINTS + 1)
    }
    with pytest.raises(Problem) as refused:
        fits_of(question, groups, dict.fromkeys(groups, any_group()))
    assert (refused.value.status, refused.value.code) == (422, "too_costly")
    assert "where=elapsed:LOW..HIGH" in refused.value.detail


@pytest.mark.parametrize("model", MODELS)
def test_a_curve_that_the_points_follow_exactly_is_found_again(model: FitModel) -> None:
    coefficients = {"power": (5.0, -0.9), "quadratic": (1.0, 2.0, 0.5)}.get(model, (1.0, 2.0))
    x = np.arange(1.0, 8.0)
    curve = fit(model, x, evaluate(model, coefficients, x))
    assert curve is not None
    assert curve.coefficients == pytest.approx(coefficients)
    assert curve.r2 == pytest.approx(1)
    assert (curve.low, curve.high, curve.points) == (1, 7, 7)


def test_too_few_points_give_no_curve() -> None:
    assert fit("linear", [1, 2], [1, 2]) is None
    assert fit("linear", [1, 1, 1], [1, 2, 3]) is None
    assert fit("power", [0, 1, 2], [1, 2, 3]) is None


async def test_a_fit_needs_one_number_to_run_over(server: Server) -> None:
    refused = await server.client.get(
        "/api/v1/answer?metric=disk.write_average&by=storage&fit=linear"
    )
    assert refused.json()["pointer"] == "?fit"


async def test_a_fit_stands_beside_its_groups(server: Server) -> None:
    sizes = {n * 10**6: [n * 1e8 + 1e9] for n in (2, 4, 6, 8)}
    await server.stored(disk_run(series=by_file_size(sizes)))
    answer = await server.answer("metric=disk.write_speed&by=file_size&by=storage&fit=linear")
    (curve,) = answer["results"][0]["fits"]
    assert curve["coefficients"] == pytest.approx([1e9, 100.0])
    assert (curve["over"], curve["key"]) == ("file_size", {"storage": "internal"})
    assert (curve["low"], curve["high"], curve["points"]) == (2e6, 8e6, 4)


@pytest.mark.parametrize("other", ["month", "os_version"])
async def test_a_fit_over_another_dimension_than_the_axis_is_not_drawn(
    server: Server, other: str
) -> None:
    sizes = {10**power: [1e9 + power] for power in (6, 7, 8)}
    await server.stored(disk_run(series=by_file_size(sizes)))
    question = f"metric=disk.write_speed&by=file_size&by={other}&fit=linear"
    answer = await server.answer(question)
    (curve,) = answer["results"][0]["fits"]
    assert curve["over"] == "file_size"
    (chart,) = answer["figure"]["charts"]
    assert not chart.get("fits")
    assert (await server.client.get(f"/api/v1/chart.svg?{question}")).status_code == 200


@pytest.mark.parametrize(
    ("virtual", "first", "exponent"), [("false", 49.8863, -0.91169), ("true", 54.737, -0.854318)]
)
async def test_the_articles_own_times_give_its_own_fit(
    published_server: Server, virtual: str, first: float, exponent: float
) -> None:
    """The article prints the times of the figures m086 to m094, and their equations."""
    answer = await published_server.answer(
        "metric=compression.duration&by=threads&where=article:a004-more-threads"
        f"&where=virtual:{virtual}&where=threads:1..5&fit=power"
    )
    (curve,) = answer["results"][0]["fits"]
    assert curve["coefficients"][0] == pytest.approx(first, rel=1e-5)
    assert curve["coefficients"][1] == pytest.approx(exponent, rel=1e-4)


@pytest.mark.parametrize(
    ("virtual", "rest", "slope"), [("false", 0.0464e9, 0.264e9), ("true", 0.102e9, 0.206e9)]
)
async def test_the_articles_own_times_give_its_own_line_of_speeds(
    published_server: Server, virtual: str, rest: float, slope: float
) -> None:
    """The article's lines are of speeds that it does not print: times and a file of 15.517 GB."""
    question = f"metric=compression.speed&by=threads&where=virtual:{virtual}&where=threads:1..5"
    answer = await published_server.answer(f"{question}&where=article:a004-more-threads&fit=linear")
    (result,) = answer["results"]
    (curve,) = result["fits"]
    # To the three digits that it prints.
    assert float(f"{curve['coefficients'][0]:.3g}") == pytest.approx(rest, rel=4e-3)
    assert float(f"{curve['coefficients'][1]:.3g}") == slope
    for group in result["groups"]:
        assert "derived" in {flag["code"] for flag in group["flags"]}
        assert "printed" not in group


async def test_without_the_article_another_line_follows(published_server: Server) -> None:
    question = (
        "metric=compression.duration&by=threads&where=virtual:false&where=threads:1..5&fit=power"
    )
    article_answer = await published_server.answer(f"{question}&where=article:a004-more-threads")
    full = await published_server.answer(question)
    (line,) = article_answer["results"][0]["fits"]
    assert [line["coefficients"]] != [fit["coefficients"] for fit in full["results"][0]["fits"]]


async def test_a_claim_that_does_not_follow_from_the_printed_figures_is_named(
    published_server: Server,
) -> None:
    answer = await published_server.answer(
        "metric=compression.speed&by=threads&where=article:a004-frequency&relative_to=threads:1"
    )
    notes = [n["text"] for n in answer["results"][0]["notes"] if n["code"] == "claim_disagrees"]
    (note,) = notes
    assert "191% is printed for threads 2, 185% follows" in note


def test_an_equation_is_written_in_the_units_of_its_chart() -> None:
    assert equation("linear", (46.4e6, 0.264e9), 1, 1e9) == "y = 0.0464 + 0.264 x"
    assert equation("quadratic", (2e9, -1e3, 5e-4), 1e6, 1e9) == "y = 2 - 1 x + 0.5 x^2"
    assert equation("power", (49.8863, -0.91169)) == "y = 49.8863 x^-0.91169"
    assert equation("power", (3, 2), 1e6, 1e3) == "y = 3e+09 x^2"
