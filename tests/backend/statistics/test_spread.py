"""Samples are stored to 0.1 %, and spreads have four digits as Python prints them."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.statistics.summary import rounded, samples_of, steps_of


def test_samples_are_right_to_a_tenth_of_a_per_cent() -> None:
    samples = 10 ** np.random.default_rng(4).uniform(-18, 18, 600)
    assert samples_of(steps_of(samples)) == pytest.approx(samples, rel=1e-3)
    assert samples_of(steps_of(np.zeros(2))).tolist() == [0, 0]


def test_digits_are_those_that_are_printed() -> None:
    for value in (1234.5, 1235.5, 0.00012345, 99995.0, 1.0005, 2.0005, 1000.0, 0.0):
        assert rounded(value) == float(f"{value:.4g}")
