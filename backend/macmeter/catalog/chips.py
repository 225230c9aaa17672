"""Apple's chips as data: ordered core tiers under Apple's own names, fastest first.

`chips.json` holds what published articles state about M1 to M4, each entry with its articles. Other
chips are accepted everywhere and shown by name. A chip has frequencies only if they were read on
that chip; what an article says of a whole family is in `FACTS`, with its source row.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from macmeter import Json

T = TypeVar("T", "ChipTier", "Chip", "ChipFact")

_DATA = json.loads(Path(__file__).with_name("chips.json").read_text(encoding="utf-8"))

# "Apple M4 Pro", also inside a VM; an unknown suffix is a variant like any other.
_NAME = re.compile(r"Apple ([A-Z]\d{1,3})(?: ([A-Z][A-Za-z]{1,31}))?(?: \(Virtual\))?", re.ASCII)

BASE = "base"


@dataclass(frozen=True)
class ChipName:
    """`family` M4; `variant` Pro, Max, Ultra ..., or "base" where the name has no variant."""

    family: str
    variant: str


def parse_chip(name: str) -> ChipName | None:
    """Parse the family and variant of an Apple chip's name; None for any other name."""
    match = _NAME.fullmatch(name)
    return ChipName(match[1], match[2] or BASE) if match else None


@dataclass(frozen=True)
class ChipTier:
    """One kind of core: number, sizes of clusters, frequencies in hertz."""

    name: str
    cores: int
    clusters: tuple[int, ...] | None
    min_frequency: int | None
    max_frequency: int | None


@dataclass(frozen=True)
class Chip:
    """One configuration of a chip; `binned` ones have cores disabled by Apple.

    `tiers` are ordered, fastest first. `cycles` is the sum of all cores' maximum frequencies, in
    hertz. What no source states is null.
    """

    chip: str
    family: str
    variant: str
    tiers: tuple[ChipTier, ...]
    cores: int
    cycles: int | None
    binned: bool | None
    gpu_cores: int | None
    memory_max_bytes: int | None
    thunderbolt: tuple[str, ...] | None
    note: str | None
    sources: tuple[str, ...]


@dataclass(frozen=True)
class ChipFact:
    """A frequency that an article states for a chip family without naming the variant.

    In hertz; `low` equals `high` for a single one. Never part of an answer.
    """

    row: str
    article: str
    family: str
    what: str
    low: int
    high: int
    printed: str
    tier: str | None
    active_cores: str | None
    qualifier: str | None
    caution: str | None


def _from_entry(kind: type[T], entry: Json, **extra: object) -> T:
    """Build an object of this kind from an entry of `chips.json`, with None for missing fields."""
    values: Json = {field.name: entry.get(field.name) for field in fields(kind)}
    return kind(**values | extra)


def _tier(entry: Json) -> ChipTier:
    clusters = entry.get("clusters")
    return _from_entry(ChipTier, entry, clusters=tuple(clusters) if clusters else None)


def _chip(entry: Json) -> Chip:
    name = parse_chip(entry["chip"])
    if name is None:
        raise ValueError(f"chips.json: {entry['chip']!r} isn't the name of an Apple chip")
    tiers = tuple(map(_tier, entry["tiers"]))
    thunderbolt = entry.get("thunderbolt")
    return _from_entry(
        Chip,
        entry,
        family=name.family,
        variant=name.variant,
        tiers=tiers,
        cores=sum(tier.cores for tier in tiers),
        cycles=_cycles(tiers),
        sources=tuple(entry["sources"]),
        thunderbolt=tuple(thunderbolt) if thunderbolt else None,
    )


def _cycles(tiers: Iterable[ChipTier]) -> int | None:
    """Return the sum of all cores' maximum frequencies; None if one is unknown."""
    total = 0
    for tier in tiers:
        if tier.max_frequency is None:
            return None
        total += tier.cores * tier.max_frequency
    return total


CHIPS: tuple[Chip, ...] = tuple(map(_chip, _DATA["chips"]))
FACTS: tuple[ChipFact, ...] = tuple(_from_entry(ChipFact, entry) for entry in _DATA["facts"])


# Published figures are rarely for a chip's largest storage, which is the fastest; tools also round.
STORAGE_TOLERANCE = 1.25
# Highest published speed of the internal storage by chip, read or written, in B/s.
MAX_STORAGE_SPEEDS: dict[str, float] = {
    chip: entry["max_speed"] for entry in _DATA["storage"] for chip in entry["chips"]
}


def fastest_storage(chip: str | None) -> float | None:
    """Return the highest published speed of a chip's internal storage; None if there isn't one."""
    return MAX_STORAGE_SPEEDS.get(chip or "")


def configurations(chip: str) -> tuple[Chip, ...]:
    """Return every known configuration of a chip by Apple's name; none for an unknown chip."""
    return tuple(configuration for configuration in CHIPS if configuration.chip == chip)
