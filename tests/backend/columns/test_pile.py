"""A pile has a column for each series, as if each had been arranged by itself."""

from __future__ import annotations

import numpy as np
import pytest
from macmeter.columns.pile import kinds_of, piled
from macmeter.columns.segment import Rows

OWNER = np.array([4, 4, 6], dtype=np.int32)
# Of two series by run: values, and whether they are set aside.
SERIES = np.array([9, 2, 9, 2, 9])
ASIDE = np.array([False, False, True, False, False])
ROWS = Rows(
    run=np.array([2, 1, 0, 0, 1], dtype=np.int32),
    values=np.array([1.0, 7.0, 5.0, 3.0, 8.0]),
    flags=np.zeros(5, dtype=np.int32),
    counts=np.array([1, 2, 3, 2, 1], dtype=np.uint16),
    samples=np.array([1, 7, 70, 5, 50, 500, 3, 30, 8], dtype=np.int16),
)


def test_each_series_has_its_rows_by_owner_and_value() -> None:
    found = piled(OWNER, kinds_of(SERIES, ASIDE), ROWS)
    assert [*found] == [2, 9]
    first, second = found[2], found[9]
    assert first.clean.values.tolist() == [3, 7]
    assert first.clean.run.tolist() == [0, 1]
    assert first.clean.samples.tolist() == [3, 30, 7, 70]
    assert first.clean.count == 2
    assert not len(first.aside)
    # Of the second machine, whose value is less.
    assert second.clean.values.tolist() == [8, 1]
    assert second.clean.samples_of(np.array([1])).tolist() == [1]
    assert second.aside.values.tolist() == [5]
    assert second.aside.samples.tolist() == [5, 50, 500]


def test_a_column_is_made_once_and_others_are_not_there() -> None:
    found = piled(OWNER, kinds_of(SERIES, ASIDE), ROWS)
    assert found[2] is found[2]
    assert 3 not in found
    with pytest.raises(KeyError):
        found[3]
