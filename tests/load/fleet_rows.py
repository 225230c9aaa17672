"""The runs of a fleet as they would be read from PostgreSQL, without one."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from macmeter.catalog.chips import parse_chip
from macmeter.documents.derive import DERIVATION_VERSION, os_major
from macmeter.results.dataset.relations import OF_RUN
from macmeter.results.dataset.snapshot import Series
from macmeter.statistics.summary import STORED, steps_of
from support.made_up import FLOAT8, INT4, elements

from load import fleet
from load.fleet import COUNTS, Block, Fleet

NUMBERS = list(range(1, len(COUNTS) + 1))
_NUMBERS, _COUNTS = elements(INT4, NUMBERS), elements(INT4, COUNTS)


def series() -> dict[int, Series]:
    """The rows' series by number."""
    return {
        number: Series(metric, dict(parameters))
        for number, (metric, parameters) in zip(NUMBERS, fleet.series(), strict=True)
    }


def batches(source: Fleet, first: int = 0, last: int | None = None) -> Iterator[list[Any]]:
    """Yield batches of rows, as `reading.read_after` returns them."""
    setups: dict[Any, dict[str, Any]] = {}
    for block in source.blocks(first, last):
        yield list(_rows(source, block, setups))


def _rows(source: Fleet, block: Block, setups: dict[Any, dict[str, Any]]) -> Iterator[Any]:
    graded = np.sort(block.graded, axis=2)
    medians = np.concatenate([np.median(graded, axis=2), block.single], axis=1)
    samples = np.concatenate([graded.reshape(len(graded), -1), block.single], axis=1)
    steps = steps_of(samples).astype(STORED)
    for index, run_id in enumerate(fleet.run_ids(block)):
        machine = int(block.machine[index])
        drive = source.drive(machine, int(block.drive[index]))
        chip, version = source.chip(machine), fleet.VERSIONS[block.version[index]]
        battery, incomplete = bool(block.battery[index]), bool(block.incomplete[index])
        flags = ["incomplete"] * incomplete + ["on_battery"] * battery
        key = (chip, drive, version, battery)
        if key not in setups:
            setups[key] = _setup(*key)
        started = block.started[index]
        yield SimpleNamespace(
            _mapping=setups[key],
            machine_id=source.machine_id(machine),
            run_id=run_id,
            received_at=started,
            started_at=started,
            citation=None,
            has_samples=True,
            month=started.strftime("%Y-%m"),
            device_id=fleet.device_id(machine, drive) if drive.device else None,
            holder=None,
            host_machine_id=None,
            token_id=None,
            flags=flags,
            withdrawn=False,
            series=_NUMBERS,
            medians=elements(FLOAT8, medians[index]),
            counts=_COUNTS,
            doubtful=[True] * len(NUMBERS) if incomplete else None,
            steps=steps[index].tobytes(),
            said=None,
        )


def _setup(chip: str, drive: fleet.Drive, version: str, battery: bool) -> dict[str, Any]:
    parsed = parse_chip(chip)
    assert parsed is not None
    return dict.fromkeys(OF_RUN) | {
        "visibility": "public",
        "source": "measured",
        "suite": "disk",
        "method": "graded-files",
        "method_version": 1,
        "unspecified": False,
        "derivation_version": DERIVATION_VERSION,
        "labels": {"synthetic": "load"},
        "chip": chip,
        "chip_family": parsed.family,
        "chip_variant": parsed.variant,
        "model": fleet.model(chip),
        "storage": drive.storage,
        "device": drive.device,
        "encryption": drive.encryption,
        "file_system": "apfs",
        "virtual": False,
        "os_version": version,
        "os_major": os_major(version),
        "power_source": "battery" if battery else "ac",
    }
