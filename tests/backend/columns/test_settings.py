"""Machines by setting, counted once for series of the same runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from macmeter.columns.settings import MachinesBySetting


def test_what_was_counted_serves_only_a_table_of_as_many_rows() -> None:
    """Series of the same runs share a segment's table, unless another segment adds settings."""
    runs = SimpleNamespace(setup=np.array([0, 1]), owner=np.array([0, 2], dtype=np.uint32))
    part = SimpleNamespace(
        segment=SimpleNamespace(runs=type("Runs", (), {**vars(runs), "__len__": lambda _: 2})()),
        names=SimpleNamespace(machines=["one", "two"]),
        setups=np.array([0, 1]),
        having=np.array([True, True]),
    )
    some: Any = SimpleNamespace(part=part, at=None, by_setup=np.array([0, 0]))
    counting, rows = MachinesBySetting(), np.array([0, 1])
    two = counting._bits(some, rows, 2)
    three = counting._bits(some, rows, 3)
    assert [np.unpackbits(of)[:2].tolist() for of in two] == [[1, 0], [0, 1]]
    assert [np.unpackbits(of)[:2].tolist() for of in three] == [[1, 0], [0, 1], [0, 0]]
