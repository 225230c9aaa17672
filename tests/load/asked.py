"""Three hundred different questions, as pages ask them about a fleet."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from load.fleet import CHIPS, STORAGE, VERSIONS, Fleet
from load.generated import FILE_SIZES

SPEEDS = ("disk.write_speed", "disk.read_speed")
AVERAGES = ("disk.write_average", "disk.read_average", "disk.write_flushed_average")
_GROUPS = (
    *((name,) for name in ("chip", "storage", "encryption", "os_version", "month", "model")),
    *(("chip", "storage"), ("storage", "encryption"), ("chip_family", "os_major")),
    ("chip", "storage", "encryption"),
)


class Asked(NamedTuple):
    """One address below /api/v1, and the figure that its time counts towards."""

    kind: str
    path: str


def questions(fleet: Fleet) -> list[Asked]:
    """Questions in a fixed random order, so that no kind repeats for long."""
    chance = random.Random(fleet.runs)
    requests = [
        *_some(120, "answer", lambda: _answer(chance)),
        *_some(50, "answer.file_size", lambda: _by_size(chance)),
        *_some(40, "facets", lambda: "facets?" + _filtered(chance, _metric(chance))),
        *_some(20, "compare", lambda: _compare(chance)),
        *_lists(fleet, chance),
        *_some(10, "picture", lambda: "chart.png?" + _answer(chance).removeprefix("answer?")),
    ]
    chance.shuffle(requests)
    return requests


def _some(count: int, kind: str, make: object) -> list[Asked]:
    assert callable(make)
    different: dict[str, None] = {}
    while len(different) < count:
        different[make()] = None
    return [Asked(kind, path) for path in different]


def _metric(chance: random.Random) -> str:
    return f"metric={chance.choice((*AVERAGES, SPEEDS[0]))}"


def _answer(chance: random.Random) -> str:
    groups = chance.choice(_GROUPS)
    query = f"metric={chance.choice(AVERAGES)}" + "".join(f"&by={name}" for name in groups)
    if "encryption" in groups and chance.random() < 0.2:
        return "answer?" + query + "&relative_to=encryption:none"
    weight = "&weight=run" if chance.random() < 0.05 else ""
    return "answer?" + _filtered(chance, query, without=groups) + weight


def _by_size(chance: random.Random) -> str:
    groups = chance.choice(((), (), ("storage",), ("encryption",), ("chip_family",)))
    query = f"metric={chance.choice(SPEEDS)}&by=file_size"
    query += "".join(f"&by={name}" for name in groups)
    return "answer?" + _filtered(chance, query, without=groups)


def _filtered(chance: random.Random, query: str, without: Sequence[str] = ()) -> str:
    """Add no filter, or one or two."""
    values = {
        "chip": CHIPS,
        "storage": list(STORAGE),
        "encryption": ["none", "apfs_encrypted", "filevault"],
        "os_version": list(VERSIONS),
        "power_source": ["ac", "battery"],
    }
    names = [name for name in values if name not in without]
    for name in chance.sample(names, chance.choice((0, 1, 1, 2))):
        query += f"&where={name}:{chance.choice(values[name])}"
    return query


def _compare(chance: random.Random) -> str:
    """Compare two sides by six metrics."""
    sides = chance.sample(CHIPS, 2)
    storage_filter = f"&where=storage:{chance.choice(list(STORAGE))}"
    sizes = (FILE_SIZES[0], FILE_SIZES[8], FILE_SIZES[-1])
    metrics = [*AVERAGES, *(f"disk.write_speed@file_size:{size}" for size in sizes)]
    query = "&".join(f"metric={name}" for name in metrics)
    return f"compare?{query}{storage_filter}&side=1:chip:{sides[0]}&side=2:chip:{sides[1]}"


def _lists(fleet: Fleet, chance: random.Random) -> Iterator[Asked]:
    """Runs, machines, a machine's page and its timeline."""
    yield from (
        Asked("lists", f"{name}?limit={limit}")
        for name in ("runs", "machines")
        for limit in (20, 50)
    )
    for chip in CHIPS[:8]:
        yield Asked("lists", f"runs?where=chip:{chip}")
        yield Asked("lists", f"machines?where=chip:{chip}")
    for _ in range(20):
        machine = fleet.machine_id(chance.randrange(fleet.machines))
        yield Asked("lists", f"machines/{machine}")
        yield Asked("lists", f"machines/{machine}/timeline?metric=disk.write_average")
