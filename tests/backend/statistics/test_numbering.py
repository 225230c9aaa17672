"""Numbers of distinct values and combinations."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.statistics.numbering import combination_ranks, distinct, ranks

_CHANCE = np.random.default_rng(1)
COLUMNS = {
    "empty": np.zeros(0, dtype=np.int64),
    "one value": np.full(5, 7),
    "small": _CHANCE.integers(0, 9, 500),
    "negative": _CHANCE.integers(-70, -60, 500).astype(np.int16),
    "far apart": _CHANCE.choice(np.array([-(2**62), 3, 2**62]), 500),
    "truth": _CHANCE.random(500) < 0.5,
    "one hash": np.full(500, 2**64 - 1, dtype=np.uint64),
    "near hashes": _CHANCE.integers(2**63, 2**63 + 9, 500, dtype=np.uint64),
    "hashes": _CHANCE.choice(_CHANCE.integers(2**63, 2**64 - 1, 40, dtype=np.uint64), 500),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_ranks_are_those_of_sorting(name: str) -> None:
    column = COLUMNS[name]
    values, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    assert np.array_equal(ranks(column), inverse)
    examples, numbers = distinct(column)
    assert np.array_equal(examples, first)
    assert np.array_equal(column[examples], values)
    assert np.array_equal(numbers, inverse)


def test_combinations_are_numbered_in_their_order() -> None:
    columns = [column for column in COLUMNS.values() if len(column) == 500]
    rows = [*zip(*(column.tolist() for column in columns), strict=True)]
    numbers = {row: number for number, row in enumerate(sorted({*rows}))}
    assert combination_ranks(columns).tolist() == [numbers[row] for row in rows]
