"""kill -9 of any process of the server, and of all at once, while clients upload and ask."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from support.live_server import LiveServer
from support.server_kills import kill_under_load

KILLS, CLIENTS = 25, 4
# By name: `make bench ONLY=kills`.
THOROUGH_KILLS, THOROUGH_CLIENTS = 200, 8


def figures() -> list[dict[str, Any]]:
    """`kills.lost`: everything lost, doubled, half stored or left out of an answer."""
    return _figures(KILLS, CLIENTS)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more kills."""
    return _figures(THOROUGH_KILLS, THOROUGH_CLIENTS)


def _figures(kills: int, clients: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as directory:
        outcome = kill_under_load(
            LiveServer(Path(directory), WORKERS="2"), kills, clients, thorough=True
        )
    print(
        f"  {outcome.kills} kills, {outcome.acknowledged:,} runs acknowledged, "
        f"{outcome.lost} lost, {outcome.doubled} doubled, {len(outcome.unsound)} unsound, "
        f"{outcome.asked:,} answers, {outcome.missed} of them behind, the data set as rebuilt: "
        f"{outcome.is_as_rebuilt}"
    )
    return [
        {
            "name": "kills.lost",
            "value": outcome.harm,
            "unit": "",
            "reference": 0,
            "ratio": float(outcome.harm),
            "n": outcome.acknowledged,
        }
    ]
