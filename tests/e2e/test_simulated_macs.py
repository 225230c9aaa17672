"""Macs replayed from files by the agent's real binary: from their tools' output to a real server's
answers, and their runs on a server that refuses them.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from macmeter.documents.methods import counted_as
from support.agent import ROOT, Agent
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded

MACS = ROOT / "tests" / "documents" / "macs"
OUTPUTS = ROOT / "agent" / "Tests" / "Fixtures" / "mac"
IMPORTED = OUTPUTS / "fio_groups.json"
REFUSED = 65


@pytest.fixture(scope="module")
def accepting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A contributor's own server."""
    with ForkedServer(seeded(tmp_path_factory.mktemp("accepting")), ACCEPT_SIMULATED="1") as server:
        yield server


def replayed(command: str, home: Path, name: str) -> Agent:
    agent = Agent(command, home)
    agent.environment["MACMETER_REPLAY"] = str(MACS / name)
    return agent


def enrol(agent: Agent, server: LiveServer) -> None:
    agent.run("enroll", "--server", server.url, "--token", server.token(), "--yes")


def documents(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("macbook-pro-m5-max", ["disk", "TARGET", "--quick"]),
        ("mac-studio-m1-max-encrypted-image", ["disk", "TARGET", "--quick", "--method", "latency"]),
        ("mac-mini-m4-pro", ["power", "--quick"]),
        ("mac-mini-m4-pro-thunderbolt3", ["import", str(IMPORTED), "--path", "TARGET"]),
    ],
)
def test_a_run_of_a_simulated_mac_reaches_an_answer(
    agent_command: str, accepting: LiveServer, tmp_path: Path, name: str, arguments: list[str]
) -> None:
    agent = replayed(agent_command, tmp_path / "home", name)
    enrol(agent, accepting)
    target = tmp_path / "target"
    target.mkdir()
    words = [str(target) if word == "TARGET" else word for word in arguments]
    runs = documents(agent.run(*words, "--json").stdout)
    expected = json.loads((MACS / name / "document.json").read_text())
    assert runs
    for run in runs:
        assert run["simulated"] is True
        assert run["machine"] | {"id": ""} == expected["machine"] | {"id": ""}
        stored = accepting.ask(f"/api/v1/runs/{run['id']}").raise_for_status().json()
        assert stored["simulated"] is True
        assert stored["machine"]["chip"] == expected["machine"]["chip"]
        if "target" in run:
            assert stored["storage"] == run["target"]["storage"] == expected["target"]["storage"]
            assert run["target"]["encryption"] == expected["target"]["encryption"]
    method = runs[0]["method"]
    metric = counted_as(method["name"], method["version"]).metric("disk.write_average")
    question: dict[str, str | list[str]] = {"metric": metric, "by": "storage"}
    if runs[0]["suite"] == "power":
        question = {"metric": "cores.frequency", "by": ["tier", "active_cores"]}
    question["where"] = f"source:{runs[0]['source']}"

    def groups(**more: str) -> list[dict[str, Any]]:
        answer = accepting.ask("/api/v1/answer", params={**question, **more})
        return list(answer.raise_for_status().json()["results"][0]["groups"])

    assert groups() == []
    assert groups(flagged="include") or "latency" in runs[0]["method"]["name"]


def test_every_tools_results_are_taken(
    agent_command: str, accepting: LiveServer, tmp_path: Path
) -> None:
    agent = replayed(agent_command, tmp_path / "home", "mac-mini-m4-pro")
    enrol(agent, accepting)
    kinds = ("sysbench*", "fio*", "hyperfine*", "geekbench*", "diskmark*", "powermetrics*")
    files = [str(path) for kind in kinds for path in sorted(OUTPUTS.glob(kind))]
    runs = documents(agent.run("import", *files, "--json").stdout)
    suites = {"disk", "workload", "score", "power"}
    assert {run["suite"] for run in runs} == suites
    for run in runs:
        stored = accepting.ask(f"/api/v1/runs/{run['id']}").raise_for_status().json()
        assert stored["source"] == "imported"
        assert stored["tool"] == run["tool"]
        assert len(stored["results"]) == len(run["series"])
        assert stored["traces"] == [trace["kind"] for trace in run.get("traces", [])]
        assert "unknown_warning" not in json.dumps(stored)
    # The same files again are the same runs.
    assert documents(agent.run("import", *files, "--json", "--no-upload").stdout) == []


@pytest.mark.thorough
def test_a_thousand_damaged_answers_say_nothing_false() -> None:
    """The longer form of one of the agent's own tests."""
    done = subprocess.run(
        [ROOT / "tools" / "swift", "test", "--filter", "MacAnswersTests"],
        env=os.environ | {"THOROUGH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_a_server_that_takes_none_says_so_and_the_run_is_kept_aside(
    agent_command: str, live_server: LiveServer, tmp_path: Path
) -> None:
    agent = replayed(agent_command, tmp_path / "home", "macbook-air-m1")
    enrol(agent, live_server)
    target = tmp_path / "target"
    target.mkdir()
    done = subprocess.run(
        [agent.command, "import", str(IMPORTED)],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == REFUSED
    assert "accept simulated runs" in done.stderr
    runs = json.loads(agent.run("runs", "--json").stdout)
    assert [run["state"] for run in runs] == ["quarantined"] * 3
    assert all("accept simulated runs" in run["reason"] for run in runs)
    found = json.loads(agent.run("doctor", "--json").stdout)["checks"]
    checks = {check["name"]: check for check in found}
    assert checks["token"]["state"] == "works"
    assert "accept simulated runs" in checks["runs"]["fix"]
