"""The effect on a reader of clients that hold connections: silent, half-sent and slow ones.

Each kind is held against a live server without a proxy, by clients that reconnect when cut off; a
reader opens a connection for each question meanwhile. Before each kind, in the same minute, the
same reader is timed without them.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from support.documents import disk_run
from support.live_server import NO_TLS, LiveServer
from support.seeds import seeded
from support.slow_clients import Kind, slow_clients

LIMIT = 5.0
SECONDS = 20.0
# Time for all of them to connect.
BEGIN_SECONDS = 3.0
KINDS: dict[str, tuple[int, tuple[Kind, ...]]] = {
    "silent": (2_000, ("silent",)),
    "half sent": (2_000, ("half sent",)),
    "slow": (500, ("slow header", "slow body", "slow reader")),
}
QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip"


def figures() -> list[dict[str, Any]]:
    """`connections.p99`: the worst ratio to the reader's 99th percentile without them; and
    `connections.refused`: how many of the reader's questions got no answer.
    """
    ratios, refused, count = [], 0, 0
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(seeded(Path(directory)), WORKERS="") as server:
            run = disk_run()
            token = {"Authorization": f"Bearer {server.token('fleet')}"}
            server.ask(f"/api/v1/runs/{run['id']}", "PUT", json=run, headers=token)
            for name, (number, kinds) in KINDS.items():
                quiet, missed = _read(server)
                with slow_clients(server.port, number, *kinds, again=True) as clients:
                    time.sleep(BEGIN_SECONDS)
                    seconds, missed_beside = _read(server)
                    live = clients.opened - len(clients.cut)
                usual, worst = (float(np.percentile(values, 99)) for values in (quiet, seconds))
                print(
                    f"  {name}: {live} held, {len(clients.cut)} cut; p99 {worst * 1000:.1f} ms, "
                    f"{usual * 1000:.1f} ms without; {clients.refused} of them refused"
                )
                ratios.append(worst / usual)
                refused += missed + missed_beside
                count += len(quiet) + len(seconds)
    return [
        _figure("connections.p99", max(ratios), LIMIT, count),
        _figure("connections.refused", float(refused), 0.0, count),
    ]


def _read(server: LiveServer) -> tuple[list[float], int]:
    """Seconds of each question, one connection each, and the number without an answer."""
    seconds, unanswered = [], 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        start = time.monotonic()
        try:
            with httpx.Client(base_url=server.url, verify=NO_TLS, timeout=30.0) as client:
                unanswered += client.get(QUESTION).status_code != 200
        except httpx.TransportError:
            unanswered += 1
        seconds.append(time.monotonic() - start)
        time.sleep(0.01)
    return seconds, unanswered


def _figure(name: str, value: float, reference: float, n: int) -> dict[str, Any]:
    ratio = value / reference if reference else value
    figure = {"name": name, "value": value, "unit": "", "reference": reference}
    return {**figure, "ratio": ratio, "n": n}
