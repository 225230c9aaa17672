"""Intervals of machines that vary by their model."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import (
    BETWEEN_MACHINES,
    BETWEEN_MODELS,
    NoInterval,
    figures,
    figures_of_groups,
    ratio_of_medians,
)
from support.designs import different_by_model, held, machines_of
from support.spreads import error

SIMULATIONS = 200


def without_models(machines: Clusters) -> Clusters:
    return Clusters(machines.values, machines.sizes, machines.medians)


@pytest.mark.parametrize("alike", [0.3, 0.8])
@pytest.mark.parametrize("sizes", [(3,) * 5, (10,) * 4, (5,) * 8, (1, 2, 3, 4, 10, 20)])
def test_intervals_cover_where_machines_of_a_model_are_alike(
    sizes: tuple[int, ...], alike: float
) -> None:
    """A short form: `make bench ONLY=interval` prints all designs."""
    result = held(np.random.default_rng(20261127), SIMULATIONS, sizes, alike)
    assert result.coverage >= 0.93 - 3 * error(0.93, SIMULATIONS)
    assert result.withheld == 0


@pytest.mark.parametrize("sizes", [(20, 20), (6, 6), (3,) * 4, (5,) * 8, (2,) * 6])
def test_independent_machines_of_several_models_keep_their_interval(
    sizes: tuple[int, ...],
) -> None:
    found = held(np.random.default_rng(20261127), SIMULATIONS, sizes, alike=0)
    assert 0.93 <= found.coverage <= 0.98 + 3 * error(0.98, SIMULATIONS)
    assert found.withheld == 0
    assert found.between_models <= 0.25 + 3 * error(0.25, SIMULATIONS)
    assert found.width < 1.15


def test_two_models_are_seldom_said_to_differ_by_chance() -> None:
    result = held(np.random.default_rng(20261127), SIMULATIONS, (20, 20), alike=0)
    assert result.between_models <= 0.05 + 3 * error(0.05, SIMULATIONS)


@pytest.mark.every(3)
@pytest.mark.parametrize("alike", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("sizes", [(3,) * 4, (5,) * 8])
def test_sides_of_several_models_are_seldom_called_different(
    sizes: tuple[int, ...], alike: float
) -> None:
    random = np.random.default_rng(20261127)
    alarms = different_by_model(random, SIMULATIONS, (sizes, sizes), alike)
    assert alarms <= 0.05 + 3 * error(0.05, SIMULATIONS)


def test_models_that_both_sides_have_do_not_widen_their_ratio() -> None:
    random = np.random.default_rng(20261127)
    first, second = (machines_of(random, (3,) * 5, alike=0.9) for _ in range(2))
    shared = ratio_of_medians(first, second, "machine")
    assert shared == ratio_of_medians(without_models(first), without_models(second), "machine")
    assert second.models is not None
    moved = Clusters(second.values, second.sizes, second.medians, second.models + 5)
    apart = ratio_of_medians(first, moved, "machine").interval
    assert shared.interval is not None
    assert apart is not None
    assert (shared.interval.of, apart.of) == (BETWEEN_MACHINES, BETWEEN_MODELS)
    assert apart.low < shared.interval.low < shared.interval.high < apart.high


@pytest.mark.parametrize("models", [np.full(15, -1), np.arange(15), np.zeros(15, dtype=int)])
def test_one_model_unknown_ones_and_one_machine_each_say_nothing_of_models(
    models: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    machines = machines_of(np.random.default_rng(1), (3,) * 5, alike=0.9)
    clusters = Clusters(machines.values, machines.sizes, machines.medians, models)
    assert figures(clusters, "machine") == figures(without_models(machines), "machine")


def test_an_odd_mac_of_its_own_model_changes_no_interval() -> None:
    values = np.append(np.linspace(99, 101, 39), 1_000.0)
    models = np.append(np.zeros(39, dtype=np.int64), 1)
    machines = Clusters(values, np.ones(40, dtype=np.int64), values, models)
    assert figures(machines, "machine") == figures(without_models(machines), "machine")


def test_two_models_far_from_each_other_have_no_interval() -> None:
    values = np.concatenate([np.linspace(99, 101, 8), np.linspace(199, 201, 8)])
    machines = Clusters(values, np.ones(16, dtype=np.int64), values, np.repeat([0, 1], 8))
    result = figures(machines, "machine")
    assert (result.interval, result.no_interval) == (None, NoInterval.FEW_MODELS)
    # A third model's median may be as far from them as they are from each other.
    nearer = Clusters(values**0.1, machines.sizes, values**0.1, machines.models)
    interval = figures(nearer, "machine").interval
    assert interval is not None
    assert interval.low < values[0] ** 0.1
    assert interval.high > values[-1] ** 0.1


@pytest.mark.parametrize("weight", ["run", "machine"])
@pytest.mark.parametrize("models", [3, 12])
def test_values_of_0_have_limits_too(models: int, weight: str) -> None:
    each = np.linspace(-0.5, 0.5, 4) + 10 * np.arange(models)[:, np.newaxis]
    values = np.maximum(each.ravel(), 0)
    sizes = np.ones(len(values), dtype=np.int64)
    machines = Clusters(values, sizes, values, np.repeat(np.arange(models), 4))
    result = figures(machines, weight)
    assert (result.no_interval is NoInterval.FEW_MODELS) == (models == 3)


def test_runs_count_for_their_model_where_runs_weigh_the_same() -> None:
    random = np.random.default_rng(7)
    machines = machines_of(random, (4,) * 12, alike=0.9)
    counts = random.integers(1, 6, 48)
    runs = [
        np.sort(value * random.normal(1, 0.001, n))
        for value, n in zip(machines.values, counts, strict=True)
    ]
    clusters = Clusters(np.concatenate(runs), counts, models=machines.models)
    by_model = [np.sort(np.concatenate(runs[at : at + 4])) for at in range(0, 48, 4)]
    interval = figures(clusters, "run").interval
    assert interval is not None
    assert interval.of == BETWEEN_MODELS
    merged = figures(Clusters.join(by_model), "run").interval
    assert merged is not None
    assert (interval.low, interval.high) == (merged.low, merged.high)


def test_several_groups_have_the_intervals_of_each_alone() -> None:
    random = np.random.default_rng(20261127)
    groups = [
        machines_of(random, sizes, alike)
        for sizes in [(3,) * 5, (1,), (2, 3), (9, 9), (4,) * 8]
        for alike in (0.0, 0.9)
    ]
    ends = [0, *np.cumsum([len(group) for group in groups]).tolist()]
    values, models = (
        np.concatenate([np.asarray(getattr(group, name)) for group in groups])
        for name in ("values", "models")
    )
    results = figures_of_groups(values, ends, lambda number: groups[number], models)
    assert results == [figures(group, "machine") for group in groups]
    assert {result.interval.of for result in results if result and result.interval} == {
        BETWEEN_MACHINES,
        BETWEEN_MODELS,
    }
