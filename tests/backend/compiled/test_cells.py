"""Cells are what a few slow lines say, in one thread and in two."""

from __future__ import annotations

import itertools
from collections import defaultdict
from statistics import median

import numpy as np
import pytest
from macmeter.compiled import beside
from macmeter.compiled import cells as compiled
from macmeter.compiled.cells import Part
from support.parts import GROUPS, drives_of, owner_of_rows, some_part


@pytest.fixture(autouse=True, params=[1, 2], ids=["whole", "halved"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows there are."""
    monkeypatch.setattr(beside, "_MANY", 0)
    monkeypatch.setattr(beside, "_CORES", request.param)


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("sizes", [(200,), (200, 30, 5), (0, 3), (1_500, 1_500), (900, 70)])
@pytest.mark.parametrize("alike", [False, True])
def test_cells_are_the_rows_of_an_owner_with_a_label(
    groups: int, sizes: tuple[int, ...], alike: bool
) -> None:
    chance = np.random.default_rng([groups, *sizes])
    owners = 2 if min(sizes) > 1_000 else 40
    parts = [some_part(chance, groups, owners, rows, alike) for rows in sizes]
    wanted: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for part in parts:
        for owner, run, value in zip(owner_of_rows(part), part.run, part.values, strict=True):
            if part.labels[run] < groups:
                drive = 0 if part.drives is None else int(part.drives[run])
                wanted[int(part.labels[run]), int(owner)].append((float(value), drive))
    cells = compiled.cells_of(parts, groups)
    label = np.repeat(np.arange(groups), np.diff(cells.ends))
    told = zip(label.tolist(), *(array.tolist() for array in cells[1:6]), strict=True)
    assert [*told] == [
        (
            *(label, median(value for value, _ in rows), owner, len(rows)),
            *drives_of([drive for _, drive in rows]),
        )
        for (label, owner), rows in sorted(wanted.items())
    ]


@pytest.mark.parametrize("groups", GROUPS)
def test_machines_are_counted_by_label_without_what_is_unspecified(groups: int) -> None:
    chance = np.random.default_rng([2, groups])
    parts = [some_part(chance, groups, 40, rows) for rows in (200, 30)]
    machines = defaultdict(set)
    for part in parts:
        for owner, run in zip(owner_of_rows(part).tolist(), part.run, strict=True):
            if owner % 2 == 0:
                machines[int(part.labels[run])].add(owner)
    counted = compiled.count_machines(parts, groups)
    assert counted.tolist() == [len(machines[label]) for label in range(groups)]


def measured_again(chance: np.random.Generator, part: Part) -> Part:
    """The same runs with other values, whose order is another one."""
    run, values = part.run.copy(), chance.integers(1, 9, len(part.run)).astype(np.float64)
    stretches = [slice(first, last) for first, last in itertools.pairwise(part.owners.starts)]
    for at in stretches:
        run[at], values[at] = chance.permutation(run[at]), np.sort(values[at])
    medians = np.array([np.median(values[at]) for at in stretches])
    return part._replace(run=run, values=values, medians=medians)


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("sizes", [(900,), (150, 9), (900, 150, 9)])
@pytest.mark.parametrize("alike", [False, True])
def test_cells_of_the_same_runs_differ_in_medians_alone(
    groups: int, sizes: tuple[int, ...], alike: bool
) -> None:
    chance = np.random.default_rng([groups, *sizes])
    parts = [some_part(chance, groups, 40, rows, alike) for rows in sizes]
    others = [measured_again(chance, part) for part in parts]
    cells = compiled.cells_of(parts, groups)
    again = compiled.cells_of(others, groups, cells)
    assert again.medians.tolist() == compiled.cells_of(others, groups).medians.tolist()
    assert again.medians.tolist() != cells.medians.tolist()
    assert again.owner is cells.owner
    assert again.greatest is cells.greatest
