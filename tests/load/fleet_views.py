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
        opened_views = asyncio.run(_opened(cluster))
    shown = []
    for number, (name, design) in enumerate(FLEETS.items(), start=2):
        expected = recomputed.results(documents(design))
        wrong = [text for view in opened_views[name] for text in view.differences(expected)]
        print("\n".join([f"  {name}: {len(wrong)} wrong", *wrong]), flush=True)
        groups = sum(view.measured for view in opened_views[name])
        shown.append(_figure(f"fleet{number}.views.wrong", len(wrong), "figures", groups))
    all_views = [view for views in opened_views.values() for view in views]
    hidden = sum(not view.keeps_cases or bool(view.mixes) for view in all_views)
    return [
        *shown,
        _figure("views.hidden", hidden, "views", len(all_views)),
        _figure("views.empty", sum(view.is_empty for view in all_views), "views", len(all_views)),
    ]


async def _opened(cluster: EmbeddedPostgres) -> dict[str, list[Opened]]:
    opened_views = {}
    for name, design in FLEETS.items():
        with fresh_database(cluster) as database:
            async with serving(cluster.url(database)) as server:
                await store(server.client, server.database_url, design)
                opened_views[name] = [await opened(server, question) for question in VIEWS.values()]
    return opened_views


def _figure(name: str, value: int, unit: str, n: int) -> dict[str, Any]:
    ratio = float(value)
    return {"name": name, "value": value, "unit": unit, "reference": 0, "ratio": ratio, "n": n}
