"""A ratio within strata, compared with its definition written out in loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from macmeter.statistics import strata
from macmeter.statistics.strata import chance_of_association, chance_of_disjoint, ratio_in_strata

Z = 1.959963984540054


def some(random: np.random.Generator, sizes: list[tuple[int, int]]) -> dict[str, Any]:
    """Values of that many machines on each side of each stratum; each machine is in one stratum."""
    members = [(s, side) for s, n in enumerate(sizes) for side in (0, 1) for _ in range(n[side])]
    count = len(members)
    return {
        "values": random.lognormal(1, 0.2, count) * [1 + s for s, _ in members],
        "strata": np.array([s for s, _ in members]),
        "is_numerator": np.array([side == 0 for _, side in members]),
        "machines": np.arange(count),
        "kinds": np.zeros(count, dtype=np.int64),
    }


def by_definition(values: Any, strata: Any, is_over: Any) -> tuple[float, float, float]:
    """The ratio and its limits, if no machine and no kind is in several strata."""
    quotients: list[tuple[float, float]] = []
    variance, estimated = 0.0, 0.0
    for s in set(strata.tolist()):
        over = values[(strata == s) & is_over]
        under = values[(strata == s) & ~is_over]
        n, m = len(over), len(under)
        weight = 1 / (n + m + 1)
        quotients += [(float(x / y), weight) for x in over for y in under]
        variance += weight**2 * n * m * (n + m + 1) / 12
    quotients.sort()
    total = sum(weight for _, weight in quotients)

    def at(share: float) -> float:
        passed = 0.0
        for quotient, weight in quotients:
            passed += weight
            if passed >= share - 1e-9:
                return quotient
        return quotients[-1][0]

    value = math.sqrt(at(total / 2) * at(total / 2 + 2e-9))
    for s in set(strata.tolist()):
        over = values[(strata == s) & is_over]
        under = values[(strata == s) & ~is_over]
        weight = 1 / (len(over) + len(under) + 1)
        shares = [[np.sign(x - value * y) / 2 * weight for y in under] for x in over]
        for share_sums in (np.sum(shares, axis=1), np.sum(shares, axis=0)):
            if len(share_sums) > 2:
                estimated += len(share_sums) * float(np.var(share_sums, ddof=1))
            else:
                other = len(under) if len(share_sums) == len(over) else len(over)
                estimated += len(share_sums) * weight**2 * other * (len(over) + len(under) + 1) / 24
    reach = total / 2 - Z * math.sqrt(max(variance, estimated))
    return value, at(reach), at(total - reach + 2e-9)


@pytest.mark.parametrize(
    "sizes", [[(25, 5), (5, 25)], [(3, 3)] * 4, [(6, 2), (3, 7), (1, 4)], [(12, 9)], [(40, 31)] * 3]
)
def test_it_is_as_defined(sizes: list[tuple[int, int]]) -> None:
    random = np.random.default_rng(1)
    for _ in range(5):
        sides = some(random, sizes)
        ratio = ratio_in_strata(**sides)
        value, low, high = by_definition(
            *(sides[name] for name in ("values", "strata", "is_numerator"))
        )
        assert ratio.value == pytest.approx(value, rel=1e-12)
        assert ratio.limits(Z) == pytest.approx((low, high), rel=1e-12)


def test_turned_round_it_is_the_reciprocal() -> None:
    sides = some(np.random.default_rng(2), [(7, 4), (2, 9), (6, 6)])
    ratio, turned_ratio = (
        ratio_in_strata(**sides),
        ratio_in_strata(**sides | {"is_numerator": ~sides["is_numerator"]}),
    )
    turned, limits = turned_ratio.limits(Z), ratio.limits(Z)
    assert turned is not None
    assert 1 / turned_ratio.value == pytest.approx(ratio.value, rel=1e-14)
    assert (1 / turned[1], 1 / turned[0]) == pytest.approx(limits, rel=1e-14)


def test_of_many_machines_only_quotients_near_a_limit_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides = some(np.random.default_rng(3), [(90, 120), (60, 70)])
    expected = ratio_in_strata(**sides)
    limits = expected.limits(Z)
    monkeypatch.setattr(strata, "_MAX_LISTED", 50)
    ratio = ratio_in_strata(**sides)
    assert (ratio.value, ratio.limits(Z)) == (expected.value, limits)


def test_one_machine_in_many_strata_is_not_many_machines() -> None:
    """Six machines per side measured under eight macOS versions, with almost no other noise."""
    random = np.random.default_rng(4)
    machines = np.tile(np.arange(12), 8)
    is_over = machines < 6
    misses = 0
    for _ in range(200):
        machine_effects = random.normal(0, 0.05, 12)
        versions = np.repeat(np.arange(8), 12)
        values = np.exp(machine_effects[machines] + 0.1 * versions + random.normal(0, 0.001, 96))
        ratio = ratio_in_strata(values, versions, is_over, machines, machines)
        limits = ratio.limits(Z)
        assert limits is not None
        misses += not limits[0] <= 1 <= limits[1]
    assert misses <= 0.07 * 200 + 2 * math.sqrt(200 * 0.05 * 0.95)


def test_chance_seldom_divides_few_values_of_many_machines() -> None:
    assert chance_of_disjoint(np.array([6, 6]), 0.5) < 0.005
    assert chance_of_disjoint(np.ones(12, dtype=np.int64), 0.5) == 1


def test_association_is_called_chance_as_often_as_it_is() -> None:
    random = np.random.default_rng(5)
    chances = [
        chance_of_association(
            random.integers(4, size=60), random.integers(3, size=60), random.random(60) < 0.5
        )
        for _ in range(400)
    ]
    assert np.mean(np.array(chances) < 0.05) == pytest.approx(0.05, abs=0.03)
    values = np.repeat([0, 1], 30)
    strata = np.tile([0, 1, 2], 20)
    assert chance_of_association(values, strata, values == 0) < 1e-9


def test_one_value_in_each_stratum_tells_nothing() -> None:
    for seed in range(2000):
        random = np.random.default_rng(seed)
        strata = np.repeat(np.arange(4), random.integers(2, 40, 4))
        is_over = random.random(len(strata)) < 0.4
        assert chance_of_association(strata % 3, strata, is_over) == 1


def test_a_machine_alone_is_compared_with_each_other_once_and_not_with_itself() -> None:
    """Machine 1 against itself, 2 (slower in both strata) and 3 (faster in its only one)."""
    machines = np.array([1, 1, 1, 2, 2, 3])
    ratio = ratio_in_strata(
        np.array([10.0, 20.0, 10.0, 8.0, 15.0, 30.0]),
        np.array([0, 1, 0, 0, 1, 1]),
        np.array([True, True, False, False, False, False]),
        machines,
        machines,
    )
    assert ratio.value > 1
    assert ratio.agreement == (1, 2)
