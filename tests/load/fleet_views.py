"""Every view as it opens on three fleets that it wasn't written for, beside their documents."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from macmeter.embedded import EmbeddedPostgres
from support import recomputed
from support.databases import fresh_database, make_template
from support.openings import VIEWS, Opened, opened
from support.server import serving
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS
from support.unlike.loading import store


def figures() -> list[dict[str, Any]]:
    """Count wrong figures by fleet, views that lose a case or mix, and views that are empty."""
    with (
        tempfile.TemporaryDirectory(prefix="fleet-views") as directory,
        EmbeddedPostgres(Path(directory), durability="test") as cluster,
    ):
        make_template(cluster)
        found = asyncio.run(_opened(cluster))
    told = []
    for number, (name, design) in enumerate(FLEETS.items(), start=2):
        known = recomputed.results(documents(design))
        wrong = [text for one in found[name] for text in one.differences(known)]
        print("\n".join([f"  {name}: {len(wrong)} wrong", *wrong]), flush=True)
        groups = sum(one.measured for one in found[name])
        told.append(_figure(f"fleet{number}.views.wrong", len(wrong), "figures", groups))
    every = [one for views in found.values() for one in views]
    hidden = sum(not one.keeps_cases or bool(one.mixes) for one in every)
    return [
        *told,
        _figure("views.hidden", hidden, "views", len(every)),
        _figure("views.empty", sum(one.is_empty for one in every), "views", len(every)),
    ]


async def _opened(cluster: EmbeddedPostgres) -> dict[str, list[Opened]]:
    found = {}
    for name, design in FLEETS.items():
        with fresh_database(cluster) as database:
            async with serving(cluster.url(database)) as server:
                await store(server.client, server.database_url, design)
                found[name] = [await opened(server, question) for question in VIEWS.values()]
    return found


def _figure(name: str, value: int, unit: str, n: int) -> dict[str, Any]:
    ratio = float(value)
    return {"name": name, "value": value, "unit": unit, "reference": 0, "ratio": ratio, "n": n}
