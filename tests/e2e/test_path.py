"""The whole path on this machine, with nothing mocked.

The agent is built, measures this machine's own disk and uploads to a server started as `make serve`
starts it; a real Chromium then finds that run's averages in the Storage table and chart, saves a
comparison and opens its link in a second, signed-out context.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.agent import Agent
from support.browser_spec import run_spec
from support.live_server import LiveServer


@pytest.fixture(scope="module")
def measured(
    agent_command: str, live_server: LiveServer, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Document of a short run on this machine's disk, uploaded by the agent."""
    agent = Agent(agent_command, tmp_path_factory.mktemp("agent"))
    agent.run("enroll", "--server", live_server.url, "--token", live_server.token(), "--yes")
    target = tmp_path_factory.mktemp("disk")
    # One set of the full method: a quick run has averages of its own, in no view of averages.
    done = agent.run("disk", str(target), "--sets", "1", "--json", "--allow-low-space")
    assert list(target.iterdir()) == [], "test files were left behind"
    document = tmp_path_factory.mktemp("document") / "run.json"
    document.write_text(done.stdout)
    return document


def test_the_run_is_stored_byte_for_byte(measured: Path, live_server: LiveServer) -> None:
    document = json.loads(measured.read_text())
    stored = live_server.ask(f"/api/v1/runs/{document['id']}/document")
    assert stored.status_code == 200
    assert stored.json() == document


def test_a_reader_finds_compares_and_shares_it(
    measured: Path, live_server: LiveServer, tmp_path: Path
) -> None:
    document = json.loads(measured.read_text())
    run_spec(
        "path.spec.ts",
        tmp_path,
        BASE_URL=live_server.url,
        RUN_ID=document["id"],
        RUN_DOCUMENT=str(measured),
    )
