"""Statistics against reference implementations and against simulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macmeter.stats import bootstrap
from macmeter.stats.figures import figures, ratio_of_medians, ratio_of_pairs
from macmeter.stats.summary import percentile, summarise
from macmeter.stats.verdict import Answer, verdict

samples = st.lists(st.floats(1e-3, 1e12), min_size=1, max_size=60)


@given(samples, st.floats(0, 1))
@settings(max_examples=300, deadline=None)
def test_percentiles_are_numpys(values: list[float], fraction: float) -> None:
    expected = np.quantile(values, fraction)
    assert percentile(sorted(values), fraction) == pytest.approx(expected, rel=1e-9)


@given(samples)
@settings(max_examples=100, deadline=None)
def test_a_summary_is_ordered(values: list[float]) -> None:
    found = summarise(values)
    ordered = [found.min, found.p10, found.p25, found.p50, found.p75, found.p90, found.max]
    assert ordered == sorted(ordered)
    assert found.n == len(values)


@pytest.mark.parametrize("n", [6, 7, 11, 20, 51])
def test_drawn_medians_have_the_distribution_of_real_resamples(n: int) -> None:
    """Against resampling for real, over every value that a resample's median can take."""
    random = np.random.default_rng(n)
    values = random.lognormal(size=n)
    drawn = bootstrap.resampled_medians(values, np.random.default_rng(1))
    resamples = random.choice(values, size=(20_000, n))
    real = np.median(resamples, axis=1)
    grid = np.sort(values)
    share_drawn = np.searchsorted(np.sort(drawn), grid, side="right") / len(drawn)
    share_real = np.searchsorted(np.sort(real), grid, side="right") / len(real)
    # Four standard errors of the difference of two shares, at the worst of n points.
    error = np.sqrt(0.25 / len(drawn) + 0.25 / len(real))
    assert np.abs(share_drawn - share_real).max() < 4 * error


def test_resampled_clusters_of_one_run_each_are_resampled_machines() -> None:
    values = np.random.default_rng(3).lognormal(size=15)
    clusters = [np.array([value]) for value in values]
    of_clusters = bootstrap.resampled_medians_of_clusters(
        clusters, np.random.default_rng(1), resamples=8_000
    )
    of_machines = bootstrap.resampled_medians(values, np.random.default_rng(2))
    assert np.quantile(of_clusters, [0.1, 0.5, 0.9]) == pytest.approx(
        np.quantile(of_machines, [0.1, 0.5, 0.9]), rel=0.15
    )


@pytest.mark.parametrize("n", [6, 9, 15, 40])
@pytest.mark.parametrize("shape", ["normal", "skewed", "heavy"])
def test_intervals_cover_the_median_about_as_often_as_they_say(n: int, shape: str) -> None:
    """A short form; the whole table of shapes is printed by make bench in a later issue."""
    random = np.random.default_rng(20261121)
    draws: dict[str, Callable[[], bootstrap.Array]] = {
        "normal": lambda: random.normal(10, 1, n),
        "skewed": lambda: random.lognormal(0, 1, n),
        "heavy": lambda: random.standard_t(2, n) + 10,
    }
    truth = {"normal": 10.0, "skewed": 1.0, "heavy": 10.0}[shape]
    simulations = 600
    covered = 0
    for index in range(simulations):
        low, high = bootstrap.interval(
            bootstrap.resampled_medians(
                draws[shape](), bootstrap.generator(shape, str(n), str(index))
            )
        )
        covered += low <= truth <= high
    assert 0.90 <= covered / simulations <= 0.99


def test_below_six_machines_there_is_no_interval() -> None:
    five = [np.array([float(i)]) for i in range(1, 6)]
    assert figures(five, "machine", ["s"]).interval is None
    assert figures([*five, np.array([9.0])], "machine", ["s"]).interval is not None
    assert ratio_of_medians(five, five, "machine", ["s"]).interval is None
    assert ratio_of_pairs(np.array([1.0, 2, 3, 4, 5]), ["s"]).interval is None


def test_the_seed_decides_the_draws() -> None:
    values = np.arange(1.0, 20.0)

    def drawn(*seed: str) -> list[float]:
        found: list[float] = bootstrap.resampled_medians(
            values, bootstrap.generator(*seed)
        ).tolist()
        return found

    assert drawn("question", "runs") == drawn("question", "runs")
    assert drawn("question", "runs") != drawn("question", "other runs")


@pytest.mark.parametrize(
    ("value", "low", "high", "fewest", "expected"),
    [
        (0.8, 0.7, 0.9, 12, Answer.DIFFERENT),
        (1.2, 1.1, 1.4, 6, Answer.DIFFERENT),
        (1.0, 0.95, 1.06, 40, Answer.NO_EVIDENCE),
        (1.0, 0.7, 1.4, 8, Answer.NOT_ENOUGH),
        (0.5, 0.4, 0.6, 5, Answer.NOT_ENOUGH),
        (0.5, None, None, 9, Answer.NOT_ENOUGH),
    ],
)
def test_a_verdict_has_three_answers(
    value: float, low: float | None, high: float | None, fewest: int, expected: Answer
) -> None:
    found = verdict(value, low, high, fewest)
    assert found.answer is expected
    if found.answer is Answer.NO_EVIDENCE:
        assert found.smallest_visible == pytest.approx(1.06)


@pytest.mark.parametrize("n", [6, 10, 30])
def test_equal_groups_are_seldom_called_different(n: int) -> None:
    """A short form of the false-alarm table: 5% and the error of 500 simulations."""
    random = np.random.default_rng(5)
    alarms = 0
    for index in range(500):
        one, other = ([np.array([v]) for v in random.lognormal(0, 0.2, n)] for _ in range(2))
        found = ratio_of_medians(one, other, "machine", [str(index)])
        assert found.interval is not None
        answer = verdict(found.value, found.interval.low, found.interval.high, n).answer
        alarms += answer is Answer.DIFFERENT
    assert alarms / 500 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 500)
