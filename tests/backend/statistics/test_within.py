"""Curves over points that different machines measured."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from macmeter.statistics.fit import are_of_the_same, fit, points_within
from macmeter.statistics.summary import Array
from numpy.typing import NDArray
from support.documents import Document, disk_run
from support.server import Server

Owners = list[NDArray[np.int64]]
POWER = "metric=compression.speed&by=threads&fit=power"
NO_SHARED = "No fit through figures of different Macs: it needs Macs that measured several."


def measured(
    random: np.random.Generator, threads: Array, machines: int, noise: float
) -> tuple[Owners, list[Array]]:
    """Each machine measures three adjacent points; faster ones those with more threads."""
    owners: list[list[int]] = [[] for _ in threads]
    values: list[list[float]] = [[] for _ in threads]
    for machine in range(machines):
        first = machine * (len(threads) - 2) // machines
        speed = 1 + machine / machines
        for index in range(first, first + 3):
            owners[index].append(machine)
            true = speed * threads[index] ** 0.9
            values[index].append(true * float(np.exp(random.normal(0, noise))))
    return [np.array(part) for part in owners], [np.array(part) for part in values]


def test_an_exponent_is_that_of_each_machine() -> None:
    threads = np.arange(1.0, 11.0)
    owners, values = measured(np.random.default_rng(1), threads, 12, noise=0)
    medians = np.array([np.median(part) for part in values])
    crude = fit("power", threads, medians)
    within = points_within(owners, values, medians)
    assert within is not None
    curve = fit("power", threads, within)
    assert crude is not None
    assert curve is not None
    assert crude.coefficients[1] > 1.1
    assert curve.coefficients[1] == pytest.approx(0.9, abs=1e-9)
    assert np.log(within).mean() == pytest.approx(np.log(medians).mean())


def test_exponents_of_noisy_machines_lie_about_the_true_one() -> None:
    random, threads = np.random.default_rng(2), np.arange(1.0, 11.0)
    exponents = []
    for _ in range(200):
        owners, values = measured(random, threads, 16, noise=0.02)
        medians = np.array([np.median(part) for part in values])
        within = points_within(owners, values, medians)
        assert within is not None
        curve = fit("power", threads, within)
        assert curve is not None
        exponents.append(curve.coefficients[1])
    error = np.std(exponents) / np.sqrt(len(exponents))
    assert abs(np.mean(exponents) - 0.9) < 4 * error
    assert np.std(exponents) < 0.1


@pytest.mark.parametrize("level", [0.0, 100.0])
def test_effects_are_those_of_least_squares(level: float) -> None:
    random = np.random.default_rng(3)
    owners = [random.choice(30, size=random.integers(3, 9), replace=False) for _ in range(14)]
    values = [level + random.normal(size=len(part)) ** 2 * (part > 3) for part in owners]
    medians = np.array([np.median(part) for part in values])
    points_found = points_within(owners, values, medians)
    assert points_found is not None
    points = np.repeat(np.arange(14), [len(part) for part in owners])
    scale = np.log if level else np.asarray
    design = np.hstack([np.eye(14)[points], np.eye(30)[np.concatenate(owners)]])
    effects = np.linalg.lstsq(design, scale(np.concatenate(values)))[0][:14]
    expected = effects - effects.mean() + scale(medians).mean()
    np.testing.assert_allclose(scale(points_found), expected, atol=1e-9)


def test_points_that_no_machine_connects_are_no_curve() -> None:
    owners = [np.array([1, 2]), np.array([2, 3]), np.array([4]), np.array([4, 5])]
    values = [np.ones(len(part)) for part in owners]
    assert points_within(owners, values, np.ones(4)) is None
    assert points_within(owners[:2], values[:2], np.ones(2)) is not None


def test_the_same_machines_in_any_order_are_the_same() -> None:
    assert are_of_the_same([np.array([3, 1]), np.array([1, 3])])
    assert not are_of_the_same([np.array([3, 1]), np.array([1, 3, 4])])


def test_thousands_of_points_in_a_chain_are_solved() -> None:
    owners = [np.array([at, at + 1]) for at in range(1_500)]
    effects = np.linspace(1, 3, 1_500)
    speeds = 1 + np.arange(1_501) % 7
    values = [effect * speeds[owner] for effect, owner in zip(effects, owners, strict=True)]
    points_found = points_within(owners, values, effects)
    assert points_found is not None
    np.testing.assert_allclose(points_found, effects, rtol=1e-6)


def sweep(threads: int, rate: float, machine: str) -> Document:
    series = [{"metric": "compression.speed", "parameters": {"threads": threads}, "values": [rate]}]
    return disk_run(suite="compression", series=series, target=None, machine=machine)


async def test_a_fit_over_different_macs_is_within_them_or_absent(server: Server) -> None:
    slow, fast, shared = (str(uuid.uuid4()) for _ in range(3))
    counts = {slow: (1, 2), fast: (3, 4), shared: (2, 3)}
    speeds = {slow: 1e8, fast: 3e8, shared: 2e8}
    await server.stored(
        *(sweep(n, speeds[mac] * n**0.9, mac) for mac, ns in counts.items() for n in ns)
    )
    (result,) = (await server.answer(POWER))["results"]
    (curve,) = result["fits"]
    assert curve["within_machines"]
    assert curve["coefficients"][1] == pytest.approx(0.9, abs=1e-6)
    assert "fit_within_machines" in {note["code"] for note in result["notes"]}
    without = "&".join(f"where=machine:{machine}" for machine in (slow, fast))
    (result,) = (await server.answer(f"{POWER}&{without}"))["results"]
    assert result["fits"] == []
    assert {"code": "no_fit_of_machines", "text": NO_SHARED} in result["notes"]


async def test_a_fit_over_the_same_macs_is_through_their_medians(server: Server) -> None:
    machines = [str(uuid.uuid4()) for _ in range(3)]
    speeds = zip(machines, (1e8, 2e8, 5e8), strict=True)
    await server.stored(*(sweep(n, speed * n, mac) for mac, speed in speeds for n in (1, 2, 3)))
    (result,) = (await server.answer(POWER))["results"]
    (curve,) = result["fits"]
    assert not curve["within_machines"]
    assert curve["coefficients"] == pytest.approx([2e8, 1])
