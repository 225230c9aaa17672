"""The chips of the demo's machines: Apple's names, invented figures of realistic size.

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
    """Cores of one kind. `clusters` has the cores of each cluster; frequencies are in hertz."""

    name: str
    clusters: tuple[int, ...]
    low: int
    high: int

    @property
    def cores(self) -> int:
        return sum(self.clusters)


@dataclass(frozen=True)
class Chip:
    """`write` and `read` are its internal SSD's B/s over a whole run with FileVault off."""

    name: str
    tiers: tuple[Tier, ...]
    write: float
    read: float
    ssd: str
    capacity: int
    gpu_cores: int
    memory: int
    # Identifier, name, and whether it has a battery.
    models: tuple[tuple[str, str, bool], ...]
    # Macs with this chip, per hundred.
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
        Tier(tier["name"], tuple(tier["clusters"]), tier["low"] * MHZ, tier["high"] * MHZ)
        for tier in row.pop("tiers")
    ]
    models = tuple((identifier, name, battery) for identifier, name, battery in row.pop("models"))
    memory, links = row.pop("memory") << 30, tuple(row.pop("links"))
    return Chip(**row, tiers=tuple(tiers), models=models, memory=memory, links=links)


CHIPS = tuple(map(_chip, json.loads(Path(__file__).with_name("chips.json").read_text())))
