"""Machines measured twice without a true difference, through the product's own pairing."""

from __future__ import annotations

import uuid

import numpy as np
from macmeter.queries.groups import Cell, Unit
from macmeter.queries.pairs import ratio_of_units
from macmeter.queries.relative import described

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
    plain, encrypted = [], []
    for _ in range(machines):
        machine_id = uuid.UUID(bytes=random.bytes(16))
        level = 3e9 * np.exp(random.normal(0, 0.3))
        own = np.exp(random.normal(0, _OF_MACHINE))
        values = level * np.exp(random.normal(0, _OF_SERIES, (2, series)))
        plain.append(_unit(random, machine_id, values[0]))
        encrypted.append(_unit(random, machine_id, own * values[1]))
    ratio = described(ratio_of_units(encrypted, plain, "machine", {"encryption"}))
    assert (ratio["pairing"], ratio["pairs"]) == ("paired", machines)
    return bool(ratio["verdict"]["answer"] == "different")


def _unit(random: np.random.Generator, machine_id: uuid.UUID, values: np.ndarray) -> Unit:
    """One run of the machine, a result for each series."""
    run_id = random.bytes(16)
    return Unit(
        machine_id,
        unspecified=False,
        cells=tuple(
            Cell(
                setting={"chip": "Apple M4", "file_size": float(place)},
                device_id="one",
                holder=None,
                host_machine_id=None,
                run_ids=(run_id,),
                run_values=np.array([value]),
                samples=np.array([value]),
                flags=(),
                printed=(),
                citations=(),
                derivations=(1, 1),
            )
            for place, value in enumerate(values)
        ),
    )
