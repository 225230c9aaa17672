"""Groups of an answer and their memory."""

from __future__ import annotations

import gc
import uuid

import numpy as np
import pytest
from macmeter.questions.groups import Group, Groups
from macmeter.results.dataset.snapshot import Series
from support.made_up import METRIC, groups, run, snapshot_of


def test_groups_are_gone_as_soon_as_nobody_has_them() -> None:
    """A reference cycle would keep megabytes until garbage is collected."""
    runs = [
        run(
            uuid.UUID(int=number % 9 + 1),
            uuid.UUID(int=number + 1),
            {1: [float(number + 1), float(number + 2)]},
        )
        for number in range(30)
    ]
    data = snapshot_of({1: Series(METRIC, {})}, runs)
    _ask_everything(groups(data, METRIC))  # caches of views are filled from now on
    gc.collect()
    gc.disable()
    try:
        _ask_everything(groups(data, METRIC))
        remaining = [item for item in gc.get_objects() if isinstance(item, Group)]
    finally:
        gc.enable()
    assert remaining == []


def _ask_everything(groups: Groups) -> None:
    for group in groups.values():
        assert len(group.named) == len(group)
        for weight in ("machine", "run"):
            group.figures(weight)
        assert np.isfinite(group.clusters.values).all()
        assert group.spread is not None
        assert group.run_count == 30


@pytest.mark.parametrize("unspecified", [True, False])
def test_known_groups_leave_out_machines_that_nobody_named(unspecified: bool) -> None:
    runs = [
        run(
            uuid.UUID(int=number + 1),
            uuid.UUID(int=number + 1),
            {1: [1.0]},
            unspecified=unspecified and number == 0,
        )
        for number in range(4)
    ]
    (group,) = groups(snapshot_of({1: Series(METRIC, {})}, runs), METRIC).values()
    assert len(group.named) == 4 - unspecified
