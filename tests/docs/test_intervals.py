"""The script with which readers check intervals gives the product's digits."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import BETWEEN_MODELS, figures, ratio_of_medians
from macmeter.statistics.run_intervals import FEWEST_RUNS, limits_of_runs
from macmeter.statistics.summary import Array, Ints
from support.thorough import some

SCRIPT = Path(__file__).parents[2] / "docs" / "intervals.py"
SIMILAR = 1e-6


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def clusters(values: Array, models: Ints | None = None) -> Clusters:
    return Clusters(values, np.ones(len(values), dtype=np.int64), values, models)


def interval(machines: Clusters) -> tuple[float, float]:
    found = figures(machines, "machine").interval
    assert found is not None
    return found.low, found.high


@pytest.mark.parametrize("n", [6, 7, 8, 9, 11, 20, 41, 160])
def test_intervals_of_machines_are_the_same(script: dict[str, Any], n: int) -> None:
    values = np.random.default_rng(n).lognormal(0, 0.3, n)
    assert script["limits_of"](values)(1.959963984540054) == pytest.approx(
        interval(clusters(values)), rel=SIMILAR
    )


@pytest.mark.parametrize(
    "sizes", [(8, 8), (4, 3, 3), (3,) * 5, (3,) * 6, (1, 2, 9, 4, 4, 5), (2,) * 10, (2,) * 24]
)
def test_intervals_between_models_are_the_same(
    script: dict[str, Any], sizes: tuple[int, ...]
) -> None:
    random, seen = np.random.default_rng(len(sizes)), 0
    models = np.repeat(np.arange(len(sizes)), sizes)
    for spread in (0.0, 0.02, 0.05, 0.2):
        of_models = random.normal(0, spread, len(sizes))[models]
        values = np.exp(of_models + random.normal(0, 0.03, len(models)))
        machines = clusters(values, models)
        found = figures(machines, "machine").interval
        if found is None:
            continue
        seen += found.of == BETWEEN_MODELS
        assert script["models_differ"]([(values, models)]) == (found.of == BETWEEN_MODELS)
        expected = script["limits_of"](values, models)(1.959963984540054)
        assert (found.low, found.high) == pytest.approx(expected, rel=SIMILAR)
    assert seen > 0


@pytest.mark.parametrize("sizes", [(6, 6), (7, 30), (12, 9)])
def test_limits_of_ratios_are_the_same(script: dict[str, Any], sizes: tuple[int, int]) -> None:
    random = np.random.default_rng(sizes)
    one, other = (
        random.lognormal(0, spread, n) for n, spread in zip(sizes, (0.1, 0.3), strict=True)
    )
    found = ratio_of_medians(clusters(one), clusters(other), "machine").interval
    assert found is not None
    assert script["of_ratio"](one, other) == pytest.approx((found.low, found.high), rel=SIMILAR)


@pytest.mark.parametrize("count", some([5, 14]))
def test_limits_of_ratios_between_models_are_the_same(script: dict[str, Any], count: int) -> None:
    random = np.random.default_rng(8)
    models = np.repeat(np.arange(count), 3)
    one, other = (
        np.exp(random.normal(0, 0.1, count)[models] + random.normal(0, 0.05, 3 * count))
        for _ in range(2)
    )
    sides = clusters(one, models), clusters(other, models + count)
    found = ratio_of_medians(*sides, "machine").interval
    assert found is not None
    assert found.of == BETWEEN_MODELS
    expected = script["of_ratio"](one, other, models, models + count)
    assert (found.low, found.high) == pytest.approx(expected, rel=SIMILAR)


@pytest.mark.parametrize("memory", [0.0, 0.7])
@pytest.mark.parametrize("n", [FEWEST_RUNS, 33, 120, 700])
def test_intervals_of_runs_are_the_same(script: dict[str, Any], n: int, memory: float) -> None:
    random = np.random.default_rng(n)
    values = random.normal(size=n)
    for at in range(1, n):
        values[at] += memory * values[at - 1]
    for runs in (values, np.round(values)):
        assert script["of_runs"](runs) == limits_of_runs(runs)


@pytest.mark.thorough
def test_it_reads_values_and_models_from_a_file() -> None:
    values = np.random.default_rng(9).lognormal(0, 0.1, 12)
    text = "\n".join(f"{value!r},Mac{place % 3}" for place, value in enumerate(values.tolist()))
    command = [sys.executable, str(SCRIPT)]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    expected = interval(clusters(values, np.arange(12) % 3))
    assert [*map(float, printed.stdout.split())] == pytest.approx(expected, rel=SIMILAR)
    in_time = "\n".join(map(repr, np.linspace(1, 2, 30).tolist()))
    printed = subprocess.run(
        [*command, "--runs"], input=in_time, capture_output=True, text=True, check=True
    )
    assert [*map(float, printed.stdout.split())] == [*limits_of_runs(np.linspace(1, 2, 30))]
