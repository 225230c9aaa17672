"""Apple's chips as data: ordered core tiers under Apple's own names, fastest first.

Chips are data, not code: `chips.json` holds what published articles state about M1 to M4,
each entry with the articles it comes from. A chip that is not in it is accepted everywhere
and shown by its name. A chip has frequencies only if they were read on that chip;
what an article says of a whole family is in `FACTS`, with the row it was taken from.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DATA = json.loads(Path(__file__).with_name("chips.json").read_text(encoding="utf-8"))

# "Apple M4 Pro", also inside a VM; a word Apple has not used yet is a variant like any other.
_NAME = re.compile(r"Apple ([A-Z]\d{1,3})(?: ([A-Z][A-Za-z]{1,31}))?(?: \(Virtual\))?", re.ASCII)

BASE = "base"


@dataclass(frozen=True)
class ChipName:
    """`family` M4; `variant` Pro, Max, Ultra ..., or "base" where the name has no variant."""

    family: str
    variant: str


def parse_chip(name: str) -> ChipName | None:
    """Family and variant of an Apple chip's name; None for any other name."""
    match = _NAME.fullmatch(name)
    return ChipName(match[1], match[2] or BASE) if match else None


@dataclass(frozen=True)
class CoreTier:
    """One kind of core: how many, in clusters of how many, frequencies in hertz."""

    name: str
    cores: int
    clusters: tuple[int, ...] | None = None
    min_frequency: int | None = None
    max_frequency: int | None = None


@dataclass(frozen=True)
class Chip:
    """One configuration of a chip; `binned` ones have cores disabled by Apple.

    `tiers` are ordered, fastest first. What no source states is None.
    """

    chip: str
    family: str
    variant: str
    tiers: tuple[CoreTier, ...]
    sources: tuple[str, ...]
    binned: bool | None = None
    gpu_cores: int | None = None
    memory_max_bytes: int | None = None
    thunderbolt: tuple[str, ...] | None = None
    note: str | None = None

    @property
    def cores(self) -> int:
        return sum(tier.cores for tier in self.tiers)


@dataclass(frozen=True)
class Fact:
    """A frequency that an article states of a chip family without saying which variant.

    In hertz; `low` equals `high` for a single one. Never part of an answer.
    """

    row: str
    article: str
    family: str
    what: str
    low: int
    high: int
    printed: str
    tier: str | None = None
    active_cores: str | None = None
    qualifier: str | None = None
    caution: str | None = None


def _tier(entry: dict[str, Any]) -> CoreTier:
    clusters = entry.get("clusters")
    return CoreTier(**{**entry, "clusters": tuple(clusters) if clusters else None})


def _chip(entry: dict[str, Any]) -> Chip:
    name = parse_chip(entry["chip"])
    if name is None:
        raise ValueError(f"chips.json: {entry['chip']!r} isn't the name of an Apple chip")
    thunderbolt = entry.get("thunderbolt")
    return Chip(
        **{
            **entry,
            "family": name.family,
            "variant": name.variant,
            "tiers": tuple(map(_tier, entry["tiers"])),
            "sources": tuple(entry["sources"]),
            "thunderbolt": tuple(thunderbolt) if thunderbolt else None,
        }
    )


CHIPS: tuple[Chip, ...] = tuple(map(_chip, _DATA["chips"]))
FACTS: tuple[Fact, ...] = tuple(Fact(**entry) for entry in _DATA["facts"])


def configurations(chip: str) -> tuple[Chip, ...]:
    """Every known configuration of a chip by Apple's name; none for a chip unknown here."""
    return tuple(known for known in CHIPS if known.chip == chip)
