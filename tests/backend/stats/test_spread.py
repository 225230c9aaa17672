"""Spreads have four digits, as Python prints them."""

from __future__ import annotations

import numpy as np
from macmeter.stats.spread import _rounded, samples_of, spreads_of, steps_of


def test_digits_are_those_that_are_printed() -> None:
    chance = np.random.default_rng(4)
    # Two samples each, of all sizes that steps reach; and numbers that lie halfway.
    samples = 10 ** chance.uniform(-18, 18, (300, 2))
    steps = np.sort(steps_of(samples), axis=1)
    for low, high in steps.tolist():
        counts = np.zeros((1, high - low + 1), dtype=np.int64)
        counts[0, [0, -1]] += 1
        (spread,) = spreads_of(low, counts)
        assert spread is not None
        one, other = samples_of(np.array([low, high])).tolist()
        wanted = (one + (other - one) * 0.1, one + (other - one) * 0.9)
        assert (spread.p10, spread.p90) == tuple(float(f"{of:.4g}") for of in wanted)


def test_what_lies_halfway_is_rounded_as_printed() -> None:
    for halfway in (1234.5, 1235.5, 0.00012345, 99995.0, 1.0005, 2.0005, 1000.0, 0.0):
        assert _rounded(np.array([halfway])).tolist() == [float(f"{halfway:.4g}")]
