"""Servers that share a data set harm nothing; short form of `make bench ONLY=shared`."""

from __future__ import annotations

from pathlib import Path

import pytest

from load import shared_dataset


@pytest.mark.thorough
def test_whoever_writes_may_be_killed_or_paused(tmp_path: Path) -> None:
    harm, lags = shared_dataset.measured(tmp_path, 2)
    assert harm == 0
    assert lags
