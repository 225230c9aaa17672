"""Stops in every way that servers are stopped: single, doubled and tripled."""

from __future__ import annotations

import signal
import tempfile
from pathlib import Path
from typing import Any

from support.live_server import LiveServer
from support.stops import STOP_SECONDS, plans, stop

STOPS = 25
# By name: `make bench ONLY=stops`.
THOROUGH_STOPS = 100
SEED = 29


def figures() -> list[dict[str, Any]]:
    """`stops.hung`: stops that took over 10 s, left a process, or ended PostgreSQL uncleanly."""
    return _figures(STOPS)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more stops."""
    return _figures(THOROUGH_STOPS)


def _figures(number: int) -> list[dict[str, Any]]:
    # A shell makes its background processes ignore these signals, and the server would too until it
    # installs its own handlers: a lost signal would not be the server's fault.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as directory:
        with LiveServer(Path(directory)):
            pass
        stops = [
            stop(LiveServer(Path(directory), WORKERS=""), *plan) for plan in plans(number, SEED)
        ]
    slowest = max(stops, key=lambda item: item.seconds)
    print(f"  slowest: {slowest.seconds:.1f} s ({slowest.way}), limit {STOP_SECONDS:.0f} s")
    for item in stops:
        if not item.in_order:
            print(f"  {item}")
    hung = sum(not item.in_order for item in stops)
    return [
        {
            "name": "stops.hung",
            "value": hung,
            "unit": "",
            "reference": 0,
            "ratio": float(hung),
            "n": number,
        }
    ]
