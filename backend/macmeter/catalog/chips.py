"""Apple's chips as data: ordered core tiers under Apple's own names, fastest first.

Chips are data, not code: `chips.json` holds what published articles state about M1 to M4,
each entry with the articles it comes from. A chip that is not in it is accepted everywhere
and shown by its name. A chip has frequencies only if they were read on that chip;
what an article says of a whole family is in `FACTS`, with the row it was taken from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from macmeter import Json

T = TypeVar("T", "ChipTier", "Chip", "ChipFact")

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
class ChipTier:
    """One kind of core: how many, in clusters of how many, frequencies in hertz."""

    name: str
    cores: int
    clusters: tuple[int, ...] | None
    min_frequency: int | None
    max_frequency: int | None


@dataclass(frozen=True)
class Chip:
    """One configuration of a chip; `binned` ones have cores disabled by Apple.

    `tiers` are ordered, fastest first. `cycles` are the highest frequencies of all cores added up,
    in hertz. What no source states is null.
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
    tier: str | None
    active_cores: str | None
    qualifier: str | None
    caution: str | None


def _stated(kind: type[T], entry: Json, **more: object) -> T:
    """What an entry states, as this kind; what it doesn't state is None."""
    given: Json = {field.name: entry.get(field.name) for field in fields(kind)}
    return kind(**given | more)


def _tier(entry: Json) -> ChipTier:
    clusters = entry.get("clusters")
    return _stated(ChipTier, entry, clusters=tuple(clusters) if clusters else None)


def _chip(entry: Json) -> Chip:
    name = parse_chip(entry["chip"])
    if name is None:
        raise ValueError(f"chips.json: {entry['chip']!r} isn't the name of an Apple chip")
    tiers = tuple(map(_tier, entry["tiers"]))
    thunderbolt = entry.get("thunderbolt")
    return _stated(
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
    """None where a frequency is not known."""
    total = 0
    for tier in tiers:
        if tier.max_frequency is None:
            return None
        total += tier.cores * tier.max_frequency
    return total


CHIPS: tuple[Chip, ...] = tuple(map(_chip, _DATA["chips"]))
FACTS: tuple[ChipFact, ...] = tuple(_stated(ChipFact, entry) for entry in _DATA["facts"])


# What is published of a chip is rarely of its largest storage, which is the fastest; tools round.
STORAGE_TOLERANCE = 1.25
# B/s by chip: the highest speed, read or written, that a source prints of its internal storage.
STORAGE: dict[str, float] = {
    chip: entry["max_speed"] for entry in _DATA["storage"] for chip in entry["chips"]
}


def fastest_storage(chip: str | None) -> float | None:
    """The highest speed published of the storage beside a chip; None where there is none."""
    return STORAGE.get(chip or "")


def configurations(chip: str) -> tuple[Chip, ...]:
    """Every known configuration of a chip by Apple's name; none for a chip unknown here."""
    return tuple(known for known in CHIPS if known.chip == chip)
