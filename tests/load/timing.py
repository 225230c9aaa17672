"""Test whether the time of a 404 reveals what exists: a private fleet, machine or run.

Both are requested in pairs, in random order, by somebody signed out and by a viewer of another
fleet. If the id made no difference, each pair could as well have come out the other way round: a
permutation test compares the ranks with those under random signs. `timing.tells` is how many
addresses differ, with a chance of 1 % that any does by accident (Holm). The fleet's own uploader,
who may read what exists, has to come out as different.

PostgreSQL finds runs and machines before it sees that they may not be read: that takes it a
hundredth of a millisecond, which enough requests reveal on a fast and quiet machine. Their ids have
122 random bits, so nobody can try them; `timing.ids` is the largest share of a request that this
takes.
"""

from __future__ import annotations

import asyncio
import http.client
import random
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
from macmeter.embedded import find_running
from numpy.typing import NDArray
from support import people
from support.documents import disk_run, encoded
from support.live_server import LiveServer

from load.figure import Figure, figure

PAIRS, PERMUTATIONS, CHANCE = 300, 20_000, 0.01
FLEET, MADE_UP = "quokka-holdings", "quolla-holdings"
MOST_OF_IDS = 0.05
STRANGERS, OWN = ("anybody", "another fleet's viewer"), "its own uploader"
# Addresses with a name that somebody can guess; and an alert.
NAMED = (
    "/api/v1/fleets/{fleet}",
    "/api/v1/fleets/{fleet}/dashboard",
    "/api/v1/fleets/{fleet}/machines",
    "/api/v1/fleets/{name}",
    "/api/v1/fleets/{name}/dashboard",
    "/api/v1/fleets/{name}/machines",
    "/api/v1/alerts?fleet={name}",
    "/api/v1/alerts/{alert}",
)
# Addresses with only an id.
OF_IDS = (
    "/api/v1/machines/{machine}",
    "/api/v1/machines/{machine}/timeline?metric=disk.write_average",
    "/api/v1/things/machines/{machine}",
    "/api/v1/runs/{run}",
    "/api/v1/runs/{run}/document",
    "/machines/{machine}",
    "/runs/{run}",
)
Seconds = NDArray[np.float64]


class World(NamedTuple):
    """Requesters with their headers, ids that exist, and ids that never existed."""

    roles: dict[str, dict[str, str]]
    there: dict[str, str]
    nowhere: dict[str, str]


class Cell(NamedTuple):
    """One address for one role: paired seconds for what exists and what does not."""

    role: str
    address: str
    there: Seconds
    nowhere: Seconds
    p: float

    @property
    def longer(self) -> float:
        """Relative time added if the id exists."""
        return float(np.median(self.there) / np.median(self.nowhere)) - 1


def figures() -> list[Figure]:
    """Run a third of the pairs of `thorough_figures`."""
    return _figures(PAIRS)


def thorough_figures() -> list[Figure]:
    """Run all pairs, if asked for by name: `make bench ONLY=timing`."""
    return _figures(3 * PAIRS)


def _figures(pairs: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory), QUOTA_GUESSES="0") as server:
            world = asyncio.run(_made(server))
            cells = [*_cells(server, world, STRANGERS, NAMED, pairs)]
            id_cells = [*_cells(server, world, STRANGERS, OF_IDS, pairs)]
            control = [*_cells(server, world, (OWN,), ("/api/v1/runs/{run}",), pairs)]
    if differing(control) != control:
        raise RuntimeError("the test tells nothing: it doesn't even see whether a run is shown")
    telling = differing(cells)
    telling_cells = [*telling, *differing(id_cells), *control]
    for cell in [*cells, *id_cells, *control]:
        _print(cell, tells=cell in telling_cells)
    value = len(telling)
    base = {"unit": "addresses", "reference": 0, "ratio": float(value), "n": len(cells) * pairs}
    longest = max(cell.longer for cell in id_cells)
    return [
        {"name": "timing.tells", "value": value, **base},
        figure("timing.ids", longest, "", MOST_OF_IDS, len(id_cells) * pairs),
    ]


async def _made(server: LiveServer) -> World:
    running = find_running(server.data_dir)
    assert running is not None
    url = running.url()
    fleet_id, elsewhere = people.make_fleet(url, FLEET), people.make_fleet(url, "elsewhere")
    uploader = {"Authorization": f"Bearer {people.uploader_of(url, fleet_id)}"}
    runs = [disk_run(chip="Apple M4") for _ in range(20)]
    for run in runs:
        headers = uploader | {"Content-Type": "application/json"}
        path = f"{server.url}/api/v1/runs/{run['id']}"
        httpx.put(path, content=encoded(run), headers=headers, timeout=300).raise_for_status()
    viewer = people.make_person(url, "Vera", roles={elsewhere: "viewer"})
    ids = ("fleet", "machine", "run", "alert")
    values = [fleet_id, runs[7]["machine"]["id"], runs[7]["id"], people.make_alert(url, fleet_id)]
    return World(
        {"anybody": {}, STRANGERS[1]: await people.sign_in(url, viewer), OWN: uploader},
        {"name": FLEET, **dict(zip(ids, map(str, values), strict=True))},
        {"name": MADE_UP, **{name: str(uuid.uuid4()) for name in ids}},
    )


def _cells(
    server: LiveServer,
    world: World,
    roles: tuple[str, ...],
    addresses: tuple[str, ...],
    pairs: int,
) -> Iterator[Cell]:
    dice = random.Random(2026)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    for role in roles:
        for address in addresses:
            paths = [address.format(**ids) for ids in (world.there, world.nowhere)]
            seconds = np.zeros((pairs, 2))
            for _ in range(10):  # both are warm before either is timed
                for path in paths:
                    _asked(connection, path, world.roles[role])
            for pair in seconds:
                for which in dice.sample((0, 1), 2):
                    pair[which] = _asked(connection, paths[which], world.roles[role])
            real, nowhere = seconds.T
            yield Cell(role, address, real, nowhere, permuted(np.log(real / nowhere)))
    connection.close()


def _asked(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> float:
    start = time.perf_counter()
    connection.request("GET", path, headers=headers)
    connection.getresponse().read()
    return time.perf_counter() - start


def permuted(differences: Seconds, seed: int = 2026) -> float:
    """Two-sided p-value: how often random signs give these ranks as large a sum."""
    ranks = np.empty(len(differences))
    ranks[np.argsort(np.abs(differences))] = np.arange(1, len(differences) + 1)
    rank_sum = abs(float(np.sign(differences) @ ranks))
    dice = np.random.default_rng(seed)
    larger = 0
    for _ in range(0, PERMUTATIONS, 1000):
        signs = dice.choice((-1.0, 1.0), size=(1000, len(ranks)))
        larger += int(np.count_nonzero(np.abs(signs @ ranks) >= rank_sum))
    return (larger + 1) / (PERMUTATIONS + 1)


def differing(cells: list[Cell]) -> list[Cell]:
    """Cells that differ, with a chance of CHANCE that any is among them by accident."""
    different: list[Cell] = []
    for index, cell in enumerate(sorted(cells, key=lambda item: item.p)):
        if cell.p > CHANCE / (len(cells) - index):
            break
        different.append(cell)
    return different


def _print(cell: Cell, *, tells: bool) -> None:
    real, nowhere = (float(np.median(times)) * 1e3 for times in (cell.there, cell.nowhere))
    print(
        f"  {cell.role:<22} {cell.address:<45} {real:7.3f} ms there, {nowhere:7.3f} ms nowhere, "
        f"p {cell.p:.4f}{'  tells' if tells else ''}",
        flush=True,
    )
