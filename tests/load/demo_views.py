"""Every view's default question about a whole demo, compared with what was planted in it."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from demo.fleet import fleet
from demo.loading import load
from macmeter.embedded import find_running
from macmeter.platform import demo as mark
from macmeter.platform.demo import Scale, monday
from support.live_server import LiveServer
from support.planted import Planted
from support.views import Asking, rows_of_questions, table
from support.views_beside import rows_beside_questions


def figures() -> list[dict[str, Any]]:
    """Count figures, groups and ratios that differ from the planted ones or pool unlike things."""
    with tempfile.TemporaryDirectory() as name, LiveServer(Path(name)) as server:
        running = find_running(Path(name))
        assert running is not None
        made = mark.claim(running.url(), Scale(), monday(datetime.now(UTC)))
        load(running.url(), server.url, made, Path(name))
        asking, planted = Asking(server.url), Planted(fleet(made.scale, made.base))
        rows = rows_of_questions(asking, planted) + rows_beside_questions(asking, planted)
    print(table(rows), flush=True)
    wrong = sum(len(row.wrong) for row in rows)
    groups = sum(row.groups for row in rows)
    return [
        {
            "name": "demo.views.wrong",
            "value": wrong,
            "unit": "figures",
            "reference": 0,
            "ratio": float(wrong),
            "n": groups,
        }
    ]
