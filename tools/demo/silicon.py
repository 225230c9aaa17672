"""The chips of the demo's machines: invented figures under Apple's names, orders of size kept.

`chips.json` has frequencies in MHz and memory in GiB.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from macmeter import Json

GB = 10**9
MHZ = 10**6


@dataclass(frozen=True)
class Tier:
    """Cores of one kind. `clusters` says how many stand in each, frequencies are in hertz."""

    name: str
    clusters: tuple[int, ...]
    low: int
    high: int

    @property
    def cores(self) -> int:
        return sum(self.clusters)


@dataclass(frozen=True)
class Chip:
    """`write` and `read` are what its internal SSD does over a whole run, FileVault off, in B/s."""

    name: str
    tiers: tuple[Tier, ...]
    write: float
    read: float
    ssd: str
    capacity: int
    gpu_cores: int
    memory: int
    # Identifier, name, and whether it runs on a battery.
    models: tuple[tuple[str, str, bool], ...]
    # Of a hundred Macs.
    share: float
    links: tuple[str, ...]

    @property
    def family(self) -> str:
        return self.name.split()[1]

    @property
    def cores(self) -> int:
        return sum(tier.cores for tier in self.tiers)


def _chip(row: Json) -> Chip:
    tiers = [
        Tier(one["name"], tuple(one["clusters"]), one["low"] * MHZ, one["high"] * MHZ)
        for one in row.pop("tiers")
    ]
    models = tuple((identifier, name, battery) for identifier, name, battery in row.pop("models"))
    memory, links = row.pop("memory") << 30, tuple(row.pop("links"))
    return Chip(**row, tiers=tuple(tiers), models=models, memory=memory, links=links)


CHIPS = tuple(map(_chip, json.loads(Path(__file__).with_name("chips.json").read_text())))
