"""What is kept of a question's choice is small, and says the same."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.columns.chosen import Chosen, Kept


@pytest.mark.parametrize("runs", [0, 1, 8, 1_001])
def test_what_nobody_uses_is_kept_in_a_bit_a_run(runs: int) -> None:
    mask = np.random.default_rng(runs).random(runs) < 0.5
    by_setup = np.ones(3, dtype=bool)
    chosen = Chosen(mask.copy(), by_setup, by_setup)
    kept = Kept(chosen, runs)
    assert kept.chosen is chosen  # while somebody uses it there is one
    del chosen
    found = kept.chosen.mask
    assert found is not None
    assert np.array_equal(found, mask)
    assert kept._bits is not None
    assert kept._bits.nbytes == (runs + 7) // 8


def test_all_runs_take_nothing() -> None:
    by_setup = np.ones(3, dtype=bool)
    assert Kept(Chosen(None, by_setup, by_setup), 5).chosen.mask is None
