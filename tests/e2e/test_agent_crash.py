"""kill -9 of the real agent at any moment, against the real server: no run lost, none doubled.

The short form of `make bench ONLY=agent.kills`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.agent import Agent
from support.kills import Harm, Machine, kill
from support.live_server import LiveServer

KILLS = 6
SEED = 20261120


@pytest.fixture
def machine(agent_command: str, live_server: LiveServer, tmp_path: Path) -> Machine:
    home, target = tmp_path / "home", tmp_path / "target"
    target.mkdir()
    return Machine(Agent(agent_command, home), home, target, live_server)


def test_killed_at_random_moments(machine: Machine) -> None:
    assert kill(machine, KILLS, SEED) == Harm()
    sent = machine.spooled("sent")
    assert len(sent) >= 3
    assert machine.kept() == sent.keys()


def test_the_answer_is_lost_on_the_way(machine: Machine) -> None:
    """A run whose response was lost, as by a kill after the server's commit, is stored once."""
    machine.agent.run("disk", str(machine.target), "--quick", "--allow-low-space")
    [run_id] = machine.spooled("sent")
    (machine.home / "sent" / f"{run_id}.json").rename(machine.home / "pending" / f"{run_id}.json")
    machine.agent.run("upload")
    assert set(machine.spooled("sent")) == {run_id}
    assert machine.lost({run_id}) == set()
    assert machine.count_on_server() == 1
