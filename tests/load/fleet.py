"""A fleet measured for a year and a half: runs by the million, as documents or as rows.

The same fleet always has the same runs, whichever is generated first: `python -m load.fleet RUNS
[FIRST LAST]` writes them as NDJSON under zstd. All are marked synthetic. A run has 334 values in 46
series: 16 file sizes, written and read, 10 sets each, and 14 single figures.
"""

from __future__ import annotations

import itertools
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
import orjson
from macmeter.runs.transfer.compressed import written
from macmeter.runs.transfer.files import STDOUT, created
from numpy.typing import NDArray

from load.generated import FILE_SIZES, SETS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MACHINES = 20_000
_FEWEST_MACHINES = 40
_RUNS_OF_A_MACHINE = 50
# Runs generated together, with one seed: a run can be generated without those before it.
BLOCK = 1_000
_SEED = 20261122

CHIPS = [
    f"Apple {family}{variant}"
    for family in ("M1", "M2", "M3", "M4", "M5")
    for variant in ("", " Pro", " Max", " Ultra")
    if (family, variant) not in (("M4", " Ultra"), ("M5", " Ultra"))
]
_FAMILY_FACTOR = {"M1": 0.72, "M2": 0.78, "M3": 0.85, "M4": 0.93, "M5": 1.0}
# Maximum B/s, and the share of drives of that kind.
STORAGE = {
    "internal": (2.8e9, 0.55),
    "usb4": (3.4e9, 0.15),
    "thunderbolt3": (2.6e9, 0.12),
    "thunderbolt5": (5.6e9, 0.10),
    "usb_3.2_gen2": (1.0e9, 0.08),
}
_ENCRYPTION = {"internal": ("filevault", "hardware")}
_EXTERNAL_ENCRYPTION = ("none", "apfs_encrypted")
VERSIONS = ("15.5", "15.6", "15.7", "26.0", "26.1", "26.2", "26.3", "26.4", "26.5", "26.6")
_DEVICES = ("Samsung X5", "SanDisk Pro-G40")
_MODELS = {"": "MacBook Air", " Pro": "MacBook Pro", " Max": "MacBook Pro", " Ultra": "Mac Studio"}
_FIRST, _LAST = datetime(2025, 6, 1, tzinfo=UTC), datetime(2026, 11, 15, tzinfo=UTC)
_SINGLE = ("write", "read", "write_flushed")
_ELAPSED = range(1, 12)


def series() -> list[tuple[str, dict[str, int]]]:
    """Metric and parameters of each series of a run; those by file size first."""
    return [
        *(
            (metric, {"file_size": size})
            for metric in ("disk.write_speed", "disk.read_speed")
            for size in FILE_SIZES
        ),
        *((f"disk.{name}_average", {}) for name in _SINGLE),
        *(("disk.sustained_write_speed", {"elapsed": second}) for second in _ELAPSED),
    ]


_GRADED = 2 * len(FILE_SIZES)
COUNTS = [SETS] * _GRADED + [1] * (len(series()) - _GRADED)


@dataclass(frozen=True)
class Drive:
    storage: str
    encryption: str
    device: str | None


@dataclass(frozen=True)
class Block:
    """Some runs: N of each array."""

    machine: Ints
    drive: Ints
    """Index among its machine's drives."""
    version: Ints
    battery: NDArray[np.bool_]
    incomplete: NDArray[np.bool_]
    ids: bytes
    """16 bytes each."""
    started: list[datetime]
    graded: Floats
    """N runs, series by file size, sets; whole B/s."""
    single: Floats
    """N runs, series of one value."""


@dataclass(frozen=True)
class Fleet:
    """Runs of machines with about fifty each, of at most MOST_MACHINES."""

    runs: int

    @property
    def machines(self) -> int:
        return min(max(self.runs // _RUNS_OF_A_MACHINE, _FEWEST_MACHINES), MOST_MACHINES)

    def machine_id(self, machine: int) -> uuid.UUID:
        return uuid.UUID(int=(_SEED << 96) + (4 << 76) + (8 << 60) + machine)

    def chip(self, machine: int) -> str:
        return str(CHIPS[self._chips[machine]])

    @cached_property
    def _chips(self) -> Ints:
        # Base chips are as frequent as all others together.
        weights = np.array([1.0 if chip.count(" ") == 2 else 3.0 for chip in CHIPS])
        chance = np.random.default_rng([_SEED, 1])
        return chance.choice(len(CHIPS), self.machines, p=weights / weights.sum())

    @cached_property
    def _own_factors(self) -> Floats:
        """Factor of each machine."""
        return np.random.default_rng([_SEED, 2]).normal(1.0, 0.03, self.machines).clip(0.85, 1.12)

    @cached_property
    def _drives(self) -> list[tuple[Drive, ...]]:
        chance = np.random.default_rng([_SEED, 3])
        kinds = list(STORAGE)
        often = np.array([share for _, share in STORAGE.values()])
        choices = chance.choice(len(kinds), (self.machines, 2), p=often)
        dice = chance.integers(0, 4, (self.machines, 3))
        drives = []
        for kind_numbers, thrown in zip(choices.tolist(), dice.tolist(), strict=True):
            named = dict.fromkeys(["internal", *(kinds[number] for number in kind_numbers)])
            drives.append(
                tuple(
                    _drive(storage, number) for storage, number in zip(named, thrown, strict=False)
                )
            )
        return drives

    def drive(self, machine: int, number: int) -> Drive:
        drives = self._drives[machine]
        return drives[number % len(drives)]

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[Block]:
        """The runs from `first`, a multiple of BLOCK, up to `last`."""
        last = self.runs if last is None else min(last, self.runs)
        for start in range(first, last, BLOCK):
            yield self._block(start, min(BLOCK, last - start))

    def _block(self, start: int, count: int) -> Block:
        chance = np.random.default_rng([_SEED, 4, self.runs, start])
        numbers = start + np.arange(BLOCK)
        machine = chance.integers(0, self.machines, BLOCK)
        drive = chance.integers(0, 6, BLOCK)
        share = numbers / max(self.runs, BLOCK)
        late = chance.uniform(0, 3, BLOCK)
        version = (share * (len(VERSIONS) + 2) - late).clip(0, len(VERSIONS) - 1).astype(np.int64)
        most = np.array(
            [
                _most(self.chip(index), self.drive(index, number))
                for index, number in zip(machine.tolist(), drive.tolist(), strict=True)
            ]
        )
        # Above a link's limit a run would be flagged and excluded from what is measured.
        speed = most * self._own_factors[machine] * (1 + 0.004 * version) * 0.8
        speed *= chance.normal(1.0, 0.02, BLOCK).clip(0.9, 1.1)
        noise = chance.normal(1.0, 0.03, (BLOCK, _GRADED, SETS)).clip(0.8, 1.1)
        graded = speed[:, None, None] * _CURVE[:, None] * noise
        single = speed[:, None] * chance.normal(0.97, 0.02, (BLOCK, len(COUNTS) - _GRADED))
        battery, incomplete = chance.random(BLOCK) < 0.2, chance.random(BLOCK) < 0.01
        length = (_LAST - _FIRST) / timedelta(seconds=1)
        started = [
            _FIRST + timedelta(seconds=round(length * number / max(self.runs, 1)))
            for number in numbers[:count].tolist()
        ]
        return Block(
            machine[:count],
            drive[:count],
            version[:count],
            battery[:count],
            incomplete[:count],
            chance.bytes(16 * BLOCK)[: 16 * count],
            started,
            np.round(graded[:count]),
            np.round(single[:count]),
        )

    def documents(self, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """The runs of `blocks` as documents, as agents write them."""
        for block in self.blocks(first, last):
            yield from self._encoded(block)

    def _encoded(self, block: Block) -> Iterator[bytes]:
        graded, single = block.graded.tolist(), block.single.tolist()
        parts = [{"metric": metric, "parameters": parameters} for metric, parameters in series()]
        for index, run_id in enumerate(run_ids(block)):
            values = itertools.chain(graded[index], ([value] for value in single[index]))
            yield orjson.dumps(
                {
                    **self._head(block, index, run_id),
                    "series": [
                        {**part, "values": part_values}
                        for part, part_values in zip(parts, values, strict=True)
                    ],
                }
            )

    def _head(self, block: Block, index: int, run_id: uuid.UUID) -> dict[str, Any]:
        machine = int(block.machine[index])
        drive = self.drive(machine, int(block.drive[index]))
        chip = self.chip(machine)
        target = {
            "storage": drive.storage,
            "encryption": drive.encryption,
            "file_system": "apfs",
        }
        if drive.device is not None:
            target |= {"device": drive.device, "device_id": device_id(machine, drive)}
        started = block.started[index].isoformat().replace("+00:00", "Z")
        return {
            "schema": "macmeter.run/1",
            "id": str(run_id),
            "suite": "disk",
            "source": "measured",
            "state": "incomplete" if block.incomplete[index] else "complete",
            "method": {"name": "graded-files", "version": 1, "parameters": {"sets": SETS}},
            "started_at": started,
            "agent": {"version": "0.1.0", "platform": "macos"},
            "machine": {
                "id": str(self.machine_id(machine)),
                "model_name": model(chip),
                "chip": chip,
                "memory_bytes": 16 * 2**30,
            },
            "environment": {
                "os_version": VERSIONS[block.version[index]],
                "power_source": "battery" if block.battery[index] else "ac",
            },
            "target": target,
            "labels": {"synthetic": "load"},
        }


def _drive(storage: str, thrown: int) -> Drive:
    encryption = _ENCRYPTION.get(storage, _EXTERNAL_ENCRYPTION)[thrown % 2]
    return Drive(storage, encryption, None if storage == "internal" else _DEVICES[thrown // 2])


def _most(chip: str, drive: Drive) -> float:
    most = STORAGE[drive.storage][0]
    if drive.storage == "internal":
        most *= _FAMILY_FACTOR[chip.split()[1]]
    return most * (0.9 if drive.encryption == "apfs_encrypted" else 1.0)


def _of_sizes() -> Floats:
    """Share of the speed that each size reaches, written and then read: small files, less."""
    sizes = np.array(FILE_SIZES, dtype=np.float64)
    share = sizes / (sizes + 3e6)
    return np.concatenate([share, 0.5 + 0.5 * share])


_CURVE = _of_sizes()


def model(chip: str) -> str:
    family, variant = chip.split()[1], chip.removeprefix("Apple ")[2:]
    return f"{_MODELS[variant]} ({family})"


def device_id(machine: int, drive: Drive) -> str:
    return f"{drive.storage}-{machine}"


def run_ids(block: Block) -> Iterator[uuid.UUID]:
    for start in range(0, len(block.ids), 16):
        yield uuid.UUID(bytes=block.ids[start : start + 16], version=4)


def main(runs: int, first: int = 0, last: int | None = None) -> None:
    with created(STDOUT) as output, written(output, "zstd") as file:
        for document in Fleet(runs).documents(first, last):
            file.write(document + b"\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
