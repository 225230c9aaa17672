"""Machines measured twice without a true difference, through the product's own pairing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
from macmeter.questions.pairs import ratio_of_groups
from macmeter.questions.relative import described
from macmeter.results.dataset.snapshot import Series

from support.made_up import groups, run, snapshot_of

# Numbers of machines and of series of each: file sizes, devices, threads.
CELLS = ((1, 7), (2, 4), (3, 3), (6, 4), (6, 1), (6, 16), (7, 3), (12, 4), (30, 2))
# Noise between a machine's two runs, shared by all of its series, and noise of each series.
_OF_MACHINE, _OF_SERIES = 0.05, 0.01
_METRIC = "disk.write_speed"
# Simulations per data set, which costs more than its questions. More than a few hundred of the
# largest would not fit into DuckDB's memory.
_AT_ONCE = 200


def falsely_different(machines: int, series: int, simulations: int, seed: int) -> float:
    """Share of comparisons of equals that are called different."""
    random = np.random.default_rng(seed)
    different = 0
    for start in range(0, simulations, _AT_ONCE):
        count = min(_AT_ONCE, simulations - start)
        different += sum(_are_different(random, machines, series, count))
    return different / simulations


def _are_different(
    random: np.random.Generator, machines: int, series: int, simulations: int
) -> Iterator[bool]:
    """Run all simulations in one data set, each with its own model; yield whether they differ."""
    models = [f"Mac{number},1" for number in range(simulations)]
    runs = [measured for model in models for measured in _measured(random, model, machines, series)]
    series_by_id = {number: Series(_METRIC, {"file_size": number}) for number in range(series)}
    groups_found = groups(snapshot_of(series_by_id, runs), _METRIC, ("encryption", "model"))
    groups_by_key = {key.by: group for key, group in groups_found.items()}
    for model in models:
        encrypted, plain = (groups_by_key[kind, model] for kind in ("apfs_encrypted", "none"))
        ratio = described(ratio_of_groups(encrypted, plain, "machine", {"encryption"}))
        assert (ratio["pairing"], ratio["pairs"]) == ("paired", machines)
        yield bool(ratio["verdict"]["answer"] == "different")


def _measured(random: np.random.Generator, model: str, machines: int, series: int) -> Iterator[Any]:
    """Yield two runs of each machine."""
    for _ in range(machines):
        machine_id = uuid.UUID(bytes=random.bytes(16))
        level = 3e9 * np.exp(random.normal(0, 0.3))
        factor = np.exp(random.normal(0, _OF_MACHINE))
        plain, encrypted = level * np.exp(random.normal(0, _OF_SERIES, (2, series)))
        for encryption, values in (("none", plain), ("apfs_encrypted", factor * encrypted)):
            run_id = uuid.UUID(bytes=random.bytes(16))
            results = {number: [value] for number, value in enumerate(values)}
            states = {"encryption": encryption, "model": model}
            yield run(machine_id, run_id, results, "one", **states)
