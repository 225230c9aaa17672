"""kill -9 of PostgreSQL, workers, the supervisor and everything at once, under four uploaders."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from support.server_kills import kill_under_load

KILLS = 25


def figures() -> list[dict[str, Any]]:
    """`kills.lost`: acknowledged runs that are gone, or stored twice."""
    with tempfile.TemporaryDirectory() as directory:
        outcome = kill_under_load(Path(directory), KILLS)
    print(
        f"  {outcome.kills} kills, {outcome.acknowledged:,} runs acknowledged, "
        f"{outcome.lost} lost, {outcome.doubled} doubled"
    )
    harm = outcome.lost + outcome.doubled
    return [
        {
            "name": "kills.lost",
            "value": harm,
            "unit": "",
            "reference": 0,
            "ratio": float(harm),
            "n": outcome.acknowledged,
        }
    ]
