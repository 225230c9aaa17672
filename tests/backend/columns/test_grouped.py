"""A lot that is taken apart at once says of each group what its rows say one by one."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from macmeter.columns import merging
from macmeter.columns.batch import Series
from macmeter.columns.building import build
from macmeter.columns.coded import places_among
from macmeter.columns.first_runs import LINKED_RUNS
from macmeter.columns.merging import merged
from macmeter.columns.names import Names
from macmeter.columns.segment import Segment
from macmeter.columns.tallies import machines_by_group
from macmeter.columns.view import View
from macmeter.compiled import beside
from macmeter.queries.groups import look_ahead
from support.columns import METRIC, groups, run

SERIES = {1: Series(METRIC, {})}
MACHINES = [uuid.UUID(int=number) for number in range(1, 9)]


def some_run(chance: Random, number: int) -> Any:
    """Of few machines and drives, so that values fall together and drives change hands."""
    machine = chance.choice(MACHINES)
    storage = chance.choice(("internal", "usb4"))
    drive = chance.choice((None, "a", "b")) if storage == "usb4" else None
    samples = [float(chance.randint(1, 9)) for _ in range(chance.choice((1, 1, 2, 3)))]
    made = run(
        machine,
        uuid.UUID(int=number),
        {1: samples},
        device_id=drive,
        storage=storage,
        chip=f"Apple M{machine.int % 3 + 1}",
        power_source=chance.choice(("ac", "battery")),
        unspecified=False,
    )
    made.month = chance.choice(("2026-01", "2026-02", "2026-03"))
    made.flags = ["on_battery"] if made._mapping["power_source"] == "battery" else []
    made.samples, made.drive = samples, drive
    return made


def view_of(segments: list[list[Any]]) -> View:
    names = Names()
    built = tuple(build(names, runs) for runs in segments)
    alive = tuple(np.ones(len(one.runs), dtype=bool) for one in built)
    return View(names, SERIES, {}, built, alive)


def key_of(made: Any, by: tuple[str, ...]) -> tuple[Any, ...]:
    own = {"month": made.month, "machine": str(made.machine_id)}
    return tuple(own.get(name) or made._mapping[name] for name in by)


@pytest.mark.parametrize("sizes", [(60,), (60, 9, 1, 1), (3, 1, 60), (0, 5, 5)])
@pytest.mark.parametrize(
    "by",
    [(), ("chip",), ("storage",), ("chip", "storage"), ("month",), ("machine", "power_source")],
)
@pytest.mark.parametrize(
    "seeds", [(0, 1, 4, 5), pytest.param((2, 3, 6, 7), marks=pytest.mark.thorough)]
)
def test_groups_say_what_their_rows_say(
    sizes: tuple[int, ...],
    by: tuple[str, ...],
    seeds: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in seeds:
        # Of the last ones the loops run in threads, as over many rows.
        monkeypatch.setattr(beside, "_MANY", 0 if seed > 3 else 10**9)
        chance = Random(seed)
        runs = iter(range(1, 1000))
        segments = [[some_run(chance, next(runs)) for _ in range(size)] for size in sizes if size]
        expected: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
        for made in (made for segment in segments for made in segment):
            expected[key_of(made, by)].append(made)
        found = groups(view_of(segments), METRIC, by)
        assert {key.by for key in found} == expected.keys()
        if seed % 2:
            look_ahead(found.values())
        for key, group in found.items():
            _compare(group, expected[key.by])


def _compare(group: Any, runs: list[Any]) -> None:
    of_machine = defaultdict(list)
    for made in runs:
        of_machine[made.machine_id].append(made)
    machines = [group.view.machine_id(number) for number in group.machine_numbers.tolist()]
    assert sorted(machines) == sorted(of_machine)
    values = {
        machine: sorted(float(np.median(made.samples)) for made in of_machine[machine])
        for machine in machines
    }
    assert group.grouped.kept(machines_by_group)[group.number] == len(machines)
    assert group.machine_values.tolist() == [np.median(values[machine]) for machine in machines]
    assert group.values.tolist() == [value for machine in machines for value in values[machine]]
    assert group.clusters.sizes.tolist() == [len(values[machine]) for machine in machines]
    ascending, numbers = group.clusters.ascending
    # In the order of values, and equal ones in that of their machines.
    assert [*zip(ascending.tolist(), numbers.tolist(), strict=True)] == sorted(
        (value, number) for number, machine in enumerate(machines) for value in values[machine]
    )
    several = {
        machine
        for machine in machines
        if len({made.drive for made in of_machine[machine]} - {None}) > 1
    }
    pooled = group.machines_of_several_drives.tolist()
    assert {group.view.machine_id(number) for number in pooled} == several
    samples = [sample for made in runs for sample in made.samples]
    assert (group.run_count, group.sample_count) == (len(runs), len(samples))
    assert group.flags["on_battery"] == sum(bool(made.flags) for made in runs)
    spread = group.spread
    assert (spread.samples if spread else 1) == len(samples)
    if spread:
        assert spread.p90 == pytest.approx(np.percentile(samples, 90), rel=0.002)
    assert group.first_run_ids == sorted(made.run_id.bytes for made in runs)[:LINKED_RUNS]


def test_fleets_of_one_name_are_one_group() -> None:
    fleets = [uuid.UUID(int=1), uuid.UUID(int=2)]
    runs = [
        run(machine, uuid.UUID(int=number), {1: [1.0 + number]}, fleet_id=fleet)
        for number, (machine, fleet) in enumerate(zip(MACHINES, [*fleets, *fleets], strict=False))
    ]
    view = view_of([runs])
    view.fleets.update(dict.fromkeys(fleets, "Studio"))
    (group,) = groups(view, METRIC, ("fleet",)).values()
    assert group.machine_count == 4


@pytest.mark.parametrize("by", [(), ("chip",), ("storage",), ("power_source", "storage")])
def test_steps_that_were_counted_say_what_samples_say(
    by: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "_CELLS_FROM", 1)
    monkeypatch.setattr(merging, "_SAMPLES_A_STEP", 0)
    for seed in range(8):
        chance = Random(seed)
        # One group that has most of them, and groups of which none has.
        runs = [some_run(chance, number) for number in range(60 if seed % 2 else 9)]
        plain = view_of([runs])
        found = merged([(plain.segments[0], plain.alive[0])])
        column = found.columns[1]
        assert column.cells is not None
        assert len(column.cells.steps)
        # As files keep them.
        narrow = replace(column.cells, counts=column.cells.counts.astype(np.uint8))
        segment = Segment(found.runs, {1: replace(column, cells=narrow)})
        counted = View(plain.names, SERIES, {}, (segment,), plain.alive)
        expected = groups(plain, METRIC, by)
        assert {key: group.spread for key, group in groups(counted, METRIC, by).items()} == {
            key: group.spread for key, group in expected.items()
        }


def test_what_is_nowhere_has_no_place() -> None:
    """Nor the place of the next one, which may be wanted as well."""
    known = np.array([2, 5, 9], dtype=np.uint16)
    wanted = np.array([1, 2, 4, 5, 7, 9, 10])
    assert places_among(known, wanted).tolist() == [0, 1, 2]
    assert places_among(known[:0], wanted).tolist() == []
