"""Each compiled loop does what a few slow lines say."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from macmeter.compiled import loops
from macmeter.compiled.loops import Owners
from support.parts import GROUPS, some_part


@pytest.mark.parametrize("groups", GROUPS)
def test_rows_are_counted_and_ordered_by_label(groups: int) -> None:
    part = some_part(np.random.default_rng(groups), groups, 30, 400)
    own = part.labels[part.run]
    sizes = loops.count_rows(part.labels, part.run, groups)
    assert sizes.tolist() == np.bincount(own, minlength=groups)[:groups].tolist()
    order, ends = loops.order_rows(part.labels, part.run, sizes)
    assert order.tolist() == np.argsort(own, kind="stable")[: len(order)].tolist()
    assert np.diff(ends).tolist() == sizes.tolist()


@pytest.mark.parametrize("groups", [3, 300, 70_000])
def test_the_first_runs_of_labels_are_found_in_their_order(groups: int) -> None:
    chance = np.random.default_rng(groups)
    labels = chance.integers(0, groups + 1, 2_000).astype(np.min_scalar_type(groups + 1))
    order = chance.permutation(2_000).astype(np.int32)
    having = chance.random(2_000) < 0.7
    wanted = [
        [run for run in order.tolist() if labels[run] == label and having[run]][:8]
        for label in range(min(1000, groups))
    ]
    sizes = np.zeros(groups, dtype=np.int64)
    sizes[: len(wanted)] = [len(of_label) for of_label in wanted]
    found = loops.first_runs(labels, order, np.packbits(having), sizes)
    assert found.tolist() == [run for of_label in wanted for run in of_label]
    with pytest.raises(ValueError, match="fewer runs"):
        loops.first_runs(labels, order, np.packbits(having), sizes + 2_000)


def test_an_owner_has_the_label_of_all_its_runs_or_none() -> None:
    owners = Owners(np.array([2, 5, 6], dtype=np.int32), np.array([0, 2, 4, 6]))
    codes = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    mask = np.array([True, True, True, True, False, False])
    labels, of_owners = loops.label_runs((codes, np.array([1, 0], np.uint32)), mask, 2, owners)
    assert labels.tolist() == [1, 1, 1, 0, 2, 2]
    assert of_owners[[2, 5, 6]].tolist() == [1, 3, 2]
    labels, of_owners = loops.label_runs(None, None, 1, owners)
    assert labels.tolist() == [0] * 6
    assert of_owners[[2, 5, 6]].tolist() == [0] * 3


@pytest.mark.parametrize("kind", [bool, np.int16, np.int32, np.float64])
@pytest.mark.parametrize("of_places", [np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("count", [77, 3_000])
def test_elements_are_gathered(kind: type, of_places: type, count: int) -> None:
    chance = np.random.default_rng(1)
    array: Any = chance.integers(0, 99, 200).astype(kind)
    at: Any = chance.integers(0, 200, count).astype(of_places)
    assert loops.gather(array, at).tolist() == array[at].tolist()
    assert loops.gather(np.broadcast_to(array[:1], 200), at).tolist() == [array[0]] * count


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32])
def test_steps_are_counted_where_their_stretch_says(kind: type) -> None:
    table = np.zeros(8, dtype=np.int64)
    steps = np.array([3, 4, 3, 5], dtype=np.int16)
    counts: Any = np.array([2, 1, 7, np.iinfo(np.uint8).max], dtype=kind)
    bases = np.array([-3, loops.NOWHERE, 1])
    loops.add_counts(table, bases, np.array([0, 2, 3, 4]), steps, counts)
    assert table.tolist() == [2, 1, 0, 0, 0, 0, 255, 0]


@pytest.mark.parametrize("starts", [2, np.array([0, 2, 4, 6])])
@pytest.mark.parametrize("places", [None, np.array([0, 2])])
def test_samples_are_counted_where_their_label_says(starts: Any, places: Any) -> None:
    table = np.zeros(8, dtype=np.int64)
    labels = np.array([0, 1, 1], dtype=np.uint8)
    run = np.array([2, 1, 0], dtype=np.int32)
    steps = np.array([3, 4, 3, 3, 6, 6], dtype=np.int16)
    bases = np.array([-3, 1])
    some = loops.Some(labels, run, places)
    loops.add_samples(table, bases, some, loops.Sampled(starts, steps))
    expected = np.zeros(8, dtype=np.int64)
    for row in range(3) if places is None else places.tolist():
        for step in steps[2 * row : 2 * row + 2]:
            expected[bases[labels[run[row]]] + step] += 1
    assert table.tolist() == expected.tolist()


@pytest.mark.parametrize("places", [None, np.array([0, 3, 4])])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32])
def test_codes_and_counts_of_rows_are_counted_by_label(kind: type, places: Any) -> None:
    labels = np.array([0, 2, 1, 0], dtype=np.uint8)
    run = np.array([3, 2, 0, 1, 1], dtype=np.int32)
    some = loops.Some(labels, run, places)
    rows = range(5) if places is None else places.tolist()
    of_rows: Any = np.array([0, 3, 3, 1, 1]).astype(kind)
    of_runs: Any = np.array([1, 0, 2, 2]).astype(kind)
    counts = np.array([5, 1, 2, 60_000, 60_000], dtype=np.uint16)
    table, having = np.zeros((3, 4), dtype=np.int64), np.zeros((3, 3), dtype=np.uint8)
    sums = np.zeros(3, dtype=np.int64)
    wanted, wanted_having, wanted_sums = table.copy(), having.copy(), sums.copy()
    for row in rows:
        label = labels[run[row]]
        wanted[label, of_rows[row]] += 1
        wanted_having[label, of_runs[run[row]]] = 1
        wanted_sums[label] += counts[row]
    loops.count_codes(some, of_rows, table)
    loops.mark_codes(some, of_runs, having)
    loops.sum_counts(some, counts, sums)
    assert table.tolist() == wanted.tolist()
    assert having.tolist() == wanted_having.tolist()
    assert sums.tolist() == wanted_sums.tolist()
    with pytest.raises(TypeError, match="8 bytes"):
        loops.count_codes(some, np.zeros(5, dtype=np.int64), table)


@pytest.mark.parametrize("count", [0, 1, 5_000])
@pytest.mark.parametrize("ascending", [True, False])
def test_pairs_are_sorted_by_value_and_number(count: int, ascending: bool) -> None:
    chance = np.random.default_rng(count)
    numbers = chance.integers(0, 5_000_000, count).astype(np.int32)
    numbers = np.sort(numbers) if ascending else numbers
    values = np.concatenate(
        [chance.normal(0, 1, count // 2), chance.integers(-3, 3, count - count // 2) * 1.0]
    )
    order = np.lexsort((numbers, values))
    found = loops.sort_pairs(values, numbers)
    assert found[0].tolist() == values[order].tolist()
    assert found[1].tolist() == numbers[order].tolist()


@pytest.mark.parametrize("count", [0, 1, 5, 2_500, 40_000])
def test_values_are_sorted_where_they_lie(count: int) -> None:
    chance = np.random.default_rng(count)
    several = [chance.normal(0, 1e9, count // 2), chance.integers(-3, 3, count - count // 2)]
    values = np.concatenate([[7.0], *several, [-7.0]])
    wanted = [7.0, *np.sort(values[1:-1]).tolist(), -7.0]
    loops.sort_values(values[1:-1])
    assert values.tolist() == wanted


def test_chosen_runs_are_counted_by_stretch() -> None:
    mask = np.array([True, False, True, True, False])
    assert loops.count_chosen(mask, np.array([0, 2, 2])).tolist() == [1, 0, 2]
    assert loops.count_chosen(mask[:0], np.zeros(0, dtype=np.int64)).tolist() == []
    chance = np.random.default_rng(3)
    mask = chance.random(4_000) < 0.6
    starts = np.cumsum(chance.integers(0, 12, 600))
    ends = np.append(starts[1:], len(mask))
    wanted = [int(mask[a:b].sum()) for a, b in zip(starts, ends, strict=True)]
    assert loops.count_chosen(mask, starts).tolist() == wanted


@pytest.mark.parametrize("mask", [None, np.array([True, True, False, True])])
def test_machines_are_marked_where_they_are_named(mask: Any) -> None:
    codes = np.array([1, 1, 0, 2], dtype=np.int32)
    owners = np.array([0, 5, 2, 4], dtype=np.int32)  # 5: machine 2, which its source did not name
    runs, machines = np.zeros(3, dtype=np.int64), np.zeros((3, 3), dtype=np.uint8)
    loops.mark_machines(codes, owners, mask, runs, machines)
    assert runs.tolist() == [1 if mask is None else 0, 2, 1]
    assert machines.tolist() == [[0, 1 if mask is None else 0, 0], [1, 0, 0], [0, 0, 1]]


def test_an_array_of_another_kind_is_refused() -> None:
    labels = np.zeros(3, dtype=np.uint8)
    with pytest.raises(TypeError, match="an array of int64, where int32 is read"):
        loops.count_rows(labels, np.arange(3), 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not contiguous"):
        loops.count_rows(labels, np.arange(6, dtype=np.int32)[::2], 1)
    with pytest.raises(TypeError, match="ids of 16 and 8 bytes"):
        loops.find_ids(np.zeros(3, "V16"), np.arange(3, dtype=np.int32), np.zeros(1, "V8"))


@pytest.mark.parametrize("parts", [loops.FEWEST_PARTS, 40, 3_000])
@pytest.mark.parametrize("sizes", [(1, 2), (5, 6), (1, 60), (4, 5), (0, 1)])
def test_a_surplus_is_as_great_as_often_as_numpy_says(parts: int, sizes: tuple[int, int]) -> None:
    chance = np.random.default_rng([parts, *sizes])
    of_parts = chance.integers(*sizes, parts) * 2
    of_parts[: parts - 8] *= sizes != (5, 6)  # nothing is left beside the largest
    counts = chance.binomial(of_parts, 0.47)
    surplus = of_parts - 2 * counts
    ordered = np.sort(np.abs(surplus))[::-1]
    signs = np.array([*itertools.product([1, -1], repeat=8)])[:, ::-1]
    singly, rest = signs @ ordered[:8], ordered[8:]
    deviations = np.linspace(-8, 8, 1601)
    tails = np.array([math.erfc(one / math.sqrt(2)) / 2 for one in deviations])
    if rest.any():
        spread = math.sqrt((rest * rest).sum())
        short = (surplus.sum() - np.gcd.reduce(rest) - singly) / spread
        wanted = np.interp(short, deviations, tails).mean()
    else:
        wanted = (singly >= surplus.sum()).mean()
    found = loops.chance_of_surplus(of_parts, counts, loops.Tails(deviations, tails))
    assert found == wanted


def test_too_few_parts_are_refused() -> None:
    few = np.ones(loops.FEWEST_PARTS - 1, dtype=np.int64)
    with pytest.raises(ValueError, match="at least 9"):
        loops.chance_of_surplus(few, few, loops.Tails(np.zeros(2), np.zeros(2)))


def test_spreads_are_numpys() -> None:
    chance = np.random.default_rng(3)
    values = np.sort(chance.random(50))
    counts = chance.poisson(0.4, (30, 50))
    counts[:3] = 0
    counts[1, 7], counts[2, 9] = 1, 5
    found = loops.spread_counts(counts, values)
    for group, of_group in enumerate(counts):
        samples = np.repeat(values, of_group)
        assert found.samples[group] == len(samples)
        told = [of[group] for of in (found.low, found.high, found.deviation)]
        if len(samples) < 2:
            assert told == [0, 0, 0]
            continue
        wanted = [*np.percentile(samples, [10, 90]), np.std(samples, ddof=1)]
        assert told == pytest.approx(wanted, rel=1e-12, abs=1e-15)
    assert found.deviation[2] == 0
