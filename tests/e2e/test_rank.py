"""The agent's real binary measures quickly, and its last lines say where its drive ranks."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from macmeter.documents.methods import RANKED_SIZES
from support.agent import Agent
from support.documents import by_file_size
from support.live_server import LiveServer

OTHERS = 12
FULL = {"name": "graded-files", "version": 1}


def similar(document: dict[str, Any], speed: float) -> dict[str, Any]:
    """A full run of another Mac like this one, whose files were all written at this speed."""
    return {
        **{name: document[name] for name in ("schema", "suite", "source", "state", "target")},
        "environment": document["environment"],
        "started_at": "2026-11-20T10:00:00Z",
        "id": str(uuid.uuid4()),
        "method": FULL,
        "machine": {**document["machine"], "id": str(uuid.uuid4())},
        "series": by_file_size({size: [speed] for size in RANKED_SIZES}),
    }


def test_a_quick_run_ends_with_its_rank_and_offers_the_full_test(
    agent_command: str, live_server: LiveServer, tmp_path: Path
) -> None:
    agent = Agent(agent_command, tmp_path / "home")
    agent.run("enroll", "--server", live_server.url, "--token", live_server.token(), "--yes")
    target = tmp_path / "target"
    target.mkdir()
    preview = json.loads(agent.run("preview", str(target)).stdout)
    # Half are slower than any drive, half are faster.
    for number in range(OTHERS):
        document = similar(preview, 1e5 if number % 2 else 1e12)
        stored = live_server.ask(
            f"/api/v1/runs/{document['id']}",
            "PUT",
            json=document,
            headers={"Authorization": f"Bearer {live_server.token()}"},
        )
        assert stored.status_code == 201, stored.text
    done = agent.run("disk", str(target), "--quick", "--json", "--allow-low-space")
    (line,) = done.stdout.splitlines()
    run = json.loads(line)["id"]
    found = live_server.ask(f"/api/v1/rank?run={run}").json()
    (rank, *_) = found["ranks"]
    # Other tests may have measured this machine too.
    assert rank["macs"] >= OTHERS
    assert 0 < rank["percentile"] < 100
    assert rank["among"] == "chip"
    *said, offer, link = done.stderr.splitlines()
    assert said[-len(found["lines"]) :] == found["lines"]
    assert "faster than" in found["lines"][0]
    assert offer.startswith("For files up to 2 GB")
    assert "`macmeter disk`" in offer
    assert link.endswith(run)
