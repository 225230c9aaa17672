"""kill -9 of the agent at random moments: disk, images, spool and upload."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from support.agent import Agent
from support.kills import Machine, kill
from support.live_server import LiveServer

from load.agent import built
from load.disk_fio import scratch

KILLS = 60
# By name: `make bench ONLY=agent.kills`.
THOROUGH_KILLS = 200
SEED = int.from_bytes(os.urandom(4))


def figures() -> list[dict[str, Any]]:
    """`agent.kills`: runs lost and doubled, and remains, with the number of kills."""
    return _figures(KILLS)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more kills."""
    return _figures(THOROUGH_KILLS)


def _figures(kills: int) -> list[dict[str, Any]]:
    with scratch() as (target, home), tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            machine = Machine(Agent(built(), home), home, target, server)
            harm = kill(machine, kills, SEED)
            runs = machine.count_on_server()
    print(
        f"  {kills} kills (seed {SEED}), {runs} runs on the server: {len(harm.lost)} lost,"
        f" {harm.doubled} doubled, {len(harm.left)} things left behind"
    )
    for remains in [*sorted(harm.lost), *harm.left]:
        print(f"    {remains}")
    value = len(harm.lost) + abs(harm.doubled) + len(harm.left)
    return [
        {
            "name": "agent.kills",
            "value": value,
            "unit": "1",
            "reference": kills,
            "ratio": value / kills,
            "n": kills,
        }
    ]
