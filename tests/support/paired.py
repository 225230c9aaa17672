"""Machines measured twice without a true difference, through the product's own pairing."""

from __future__ import annotations

import uuid

import numpy as np
from macmeter.dataset.snapshot import Series
from macmeter.queries.pairs import ratio_of_groups
from macmeter.queries.relative import described

from support.made_up import groups, run, snapshot_of

# Machines, and what each of them measured: file sizes, devices, threads.
CELLS = ((1, 7), (2, 4), (3, 3), (6, 4), (6, 1), (6, 16), (7, 3), (12, 4), (30, 2))
# A machine is a little faster under one of the two for reasons of its own, which all of its
# series share; each series adds what one measurement varies by.
_OF_MACHINE, _OF_SERIES = 0.05, 0.01


def falsely_different(machines: int, series: int, simulations: int, seed: int) -> float:
    """The share of comparisons of equals that are called different."""
    random = np.random.default_rng(seed)
    return sum(_is_different(random, machines, series) for _ in range(simulations)) / simulations


def _is_different(random: np.random.Generator, machines: int, series: int) -> bool:
    runs = []
    for _ in range(machines):
        machine_id = uuid.UUID(bytes=random.bytes(16))
        level = 3e9 * np.exp(random.normal(0, 0.3))
        own = np.exp(random.normal(0, _OF_MACHINE))
        one, other = level * np.exp(random.normal(0, _OF_SERIES, (2, series)))
        for encryption, values in (("none", one), ("apfs_encrypted", own * other)):
            run_id = uuid.UUID(bytes=random.bytes(16))
            results = {place: [value] for place, value in enumerate(values)}
            runs.append(run(machine_id, run_id, results, "one", encryption=encryption))
    of_sizes = {place: Series("disk.write_speed", {"file_size": place}) for place in range(series)}
    found = groups(snapshot_of(of_sizes, runs), "disk.write_speed", ("encryption",))
    plain, encrypted = (
        next(group for key, group in found.items() if key.by == (encryption,))
        for encryption in ("none", "apfs_encrypted")
    )
    ratio = described(ratio_of_groups(encrypted, plain, "machine", {"encryption"}))
    assert (ratio["pairing"], ratio["pairs"]) == ("paired", machines)
    return bool(ratio["verdict"]["answer"] == "different")
