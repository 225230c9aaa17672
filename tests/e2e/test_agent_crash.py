"""kill -9 of the real agent at any moment, against the real server: no run lost, none doubled."""

from __future__ import annotations

import json
import random
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from support.agent import Agent, build
from support.live_server import LiveServer

KILLS = 20
SEED = 20261120


class Machine:
    """An enrolled agent with a directory to measure."""

    def __init__(self, agent: Agent, home: Path, target: Path, server: LiveServer) -> None:
        self.agent, self.home, self.target, self.server = agent, home, target, server

    def spooled(self, state: str) -> dict[str, bytes]:
        """The documents in one state of the spool, by run id."""
        return {path.stem: path.read_bytes() for path in (self.home / state).glob("*.json")}

    def killed(self, after: float, *arguments: str) -> bytes:
        """Runs a command and kills it after so many seconds; what it had printed by then."""
        process = subprocess.Popen(
            [self.agent.command, *arguments],
            env=self.agent.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(after)
        process.kill()
        return process.communicate()[0]

    def stored(self, run_id: str) -> bytes:
        """The document as the server gives it back."""
        with urllib.request.urlopen(f"{self.server.url}/api/v1/runs/{run_id}/document") as answer:
            return bytes(answer.read())

    def count_on_server(self) -> int:
        machine_id = json.loads((self.home / "identity.json").read_bytes())["machine_id"]
        address = f"{self.server.url}/api/v1/runs?where=machine:{machine_id}"
        with urllib.request.urlopen(address) as answer:
            return int(json.load(answer)["total"])

    def check(self) -> None:
        """Everything kept is on the server, byte for byte and once; nothing of a run is left."""
        sent = self.spooled("sent")
        assert self.spooled("pending") == {}
        assert self.spooled("quarantined") == {}
        assert {run_id: self.stored(run_id) for run_id in sent} == sent
        assert self.count_on_server() == len(sent)
        assert list(self.target.iterdir()) == []


@pytest.fixture(scope="module")
def command() -> str:
    return build()


@pytest.fixture
def machine(
    command: str, live_server: LiveServer, tmp_path: Path, request: pytest.FixtureRequest
) -> Machine:
    home, target = tmp_path / "home", tmp_path / "target"
    target.mkdir()
    agent = Agent(command, home)
    agent.run("enroll", "--server", live_server.url, "--token", live_server.token(), "--yes")
    return Machine(agent, home, target, live_server)


def test_killed_while_it_measures_and_uploads(machine: Machine) -> None:
    moments = random.Random(SEED)
    measuring = ("disk", str(machine.target), "--quick", "--json", "--allow-low-space")
    begun = time.monotonic()
    machine.agent.run(*measuring)
    whole = time.monotonic() - begun
    printed = [machine.killed(moments.uniform(0, whole * 1.2), *measuring) for _ in range(KILLS)]
    machine.agent.run(*measuring)
    machine.agent.run("upload")
    machine.check()
    # What was shown as measured had been kept before.
    shown = {json.loads(line)["id"] for line in printed if line.endswith(b"\n")}
    assert shown <= machine.spooled("sent").keys()
    assert len(machine.spooled("sent")) >= 2


def test_killed_while_it_uploads(machine: Machine) -> None:
    moments = random.Random(SEED)
    for _ in range(6):
        machine.agent.run(
            "disk", str(machine.target), "--quick", "--no-upload", "--allow-low-space"
        )
    kept = machine.spooled("pending")
    assert len(kept) == 6
    begun = time.monotonic()
    machine.agent.run("runs")
    start = time.monotonic() - begun
    for _ in range(KILLS):
        machine.killed(start * 0.5 + moments.uniform(0, 0.15), "upload")
    machine.agent.run("upload")
    assert machine.spooled("sent") == kept
    machine.check()


def test_the_answer_is_lost_on_the_way(machine: Machine) -> None:
    """As if killed between the server's commit and the agent's note of it."""
    machine.agent.run("disk", str(machine.target), "--quick", "--allow-low-space")
    [run_id] = machine.spooled("sent")
    (machine.home / "sent" / f"{run_id}.json").rename(machine.home / "pending" / f"{run_id}.json")
    machine.agent.run("upload")
    assert set(machine.spooled("sent")) == {run_id}
    machine.check()
