"""The agent's own files without space, damaged, or incomplete. No measurement is lost, and no
damaged file is silently replaced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agent import Agent
from support.live_server import LiveServer

FAILED, PROBLEMS, NOT_ENROLLED, REFUSED = 1, 2, 78, 65
KEPT = ("--no-upload", "--allow-low-space")
COMMAND = ["sh", "-c", "sleep 0.5; echo done > /dev/null"]
# Every suite, at the moment when it has something to keep.
SUITES = [
    ["disk", "TARGET", "--method", "stream-read", "--size", "256MiB"],
    ["cores", "--quick", "--threads", "1", "--kernels", "int64"],
    ["disk", "TARGET", "--quick"],
    ["disk", "TARGET", "--method", "latency", "--size", "64MiB"],
    ["disk", "TARGET", "--method", "sustained-write", "--size", "1GB"],
    ["disk", "TARGET", "OTHER", "--method", "simultaneous", "--size", "128MiB"],
    ["hash", "TARGET", "--quick"],
    ["compress", "TARGET", "--quick", "--files-only", "--threads", "2"],
    ["workload", "--name", "wait", "--repeat", "2", "--", *COMMAND],
]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    places = {name: tmp_path / name.lower() for name in ("TARGET", "OTHER", "TMPDIR")}
    for place in places.values():
        place.mkdir()
    return places


@pytest.fixture
def agent(agent_command: str, tmp_path: Path, places: dict[str, Path]) -> Agent:
    agent = Agent(agent_command, tmp_path / "home")
    agent.environment["TMPDIR"] = str(places["TMPDIR"])
    return agent


@pytest.fixture
def small_home(tmp_path: Path) -> Iterator[Path]:
    """The agent's directory on a volume of 1 MB."""
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", home], check=True)
    yield home
    subprocess.run(["umount", home], check=True)


def attempt(agent: Agent, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may fail."""
    return subprocess.run(
        [agent.command, *arguments],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def fill(volume: Path) -> Path:
    """Fill the volume, so that deleting the run's note of its files frees nothing either."""
    filler = volume / "filler"
    for note in (volume / "scratch").iterdir():
        (volume / f"held-{note.name}").hardlink_to(note)
    with filler.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def begun(process: subprocess.Popen[str], places: dict[str, Path], arguments: list[str]) -> bool:
    """Wait until the run measures: its files exist, or it has said what it will do."""
    if "TARGET" not in arguments:
        assert process.stderr is not None
        return any("takes about" in line or "Runs the command" in line for line in process.stderr)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if any(places["TARGET"].glob(".macmeter-*/*")):
            return True
        time.sleep(0.005)
    return False


def with_full_state(
    agent: Agent, home: Path, places: dict[str, Path], arguments: list[str]
) -> tuple[int, str, str, Path]:
    """Measure while the state's volume fills up; return exit code, output, errors, the filler."""
    before, after = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        before, after = arguments[:at], arguments[at:]
    command = [str(places.get(word, word)) for word in before]
    process = subprocess.Popen(
        [agent.command, *command, *KEPT, *after],
        env=agent.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert begun(process, places, arguments)
    process.send_signal(signal.SIGSTOP)
    filler = fill(home)
    process.send_signal(signal.SIGCONT)
    printed, said = process.communicate(timeout=600)
    return process.returncode, printed, said, filler


def full_state() -> Iterator[Any]:
    """Every suite; the first two, with and without files, are the short form."""
    for at, arguments in enumerate(SUITES):
        marks = [pytest.mark.thorough] * (at > 1)
        yield pytest.param(arguments, marks=marks, id="-".join(arguments[:4]))


@needs_root
@pytest.mark.parametrize("arguments", [*full_state()])
def test_figures_survive_a_full_state_volume(
    agent: Agent, small_home: Path, places: dict[str, Path], arguments: list[str]
) -> None:
    agent.run("info")
    code, printed, said, filler = with_full_state(agent, small_home, places, arguments)
    assert code == FAILED, said
    assert printed.strip(), "the figures were not shown"
    files = [file for place in places.values() for file in place.iterdir()]
    assert files, said
    assert all(file.name.startswith("macmeter-run-") for file in files)
    filler.unlink()
    for file in files:
        document = json.loads(file.read_bytes())
        assert document["series"]
        assert f"macmeter upload {file}" in said
        adopted = attempt(agent, "upload", str(file))
        assert adopted.returncode == NOT_ENROLLED, adopted.stderr
        assert not file.exists()
        assert json.loads((small_home / "pending" / f"{document['id']}.json").read_bytes()) == (
            document
        )


@needs_root
def test_without_room_anywhere_the_run_is_printed(
    agent: Agent, small_home: Path, places: dict[str, Path]
) -> None:
    agent.environment["TMPDIR"] = str(small_home)
    agent.run("info")
    code, printed, said, _ = with_full_state(agent, small_home, places, SUITES[1])
    assert code == FAILED
    assert "no room anywhere else" in said
    document = json.loads(printed.splitlines()[-1])
    assert document["method"]["name"].startswith("in-core")
    assert document["series"]


def test_a_run_of_another_machine_is_not_taken_in(
    agent: Agent, agent_command: str, tmp_path: Path
) -> None:
    other = Agent(agent_command, tmp_path / "other")
    other.run("workload", "--name", "x", "--repeat", "3", "--no-upload", "--", "true")
    [file] = (tmp_path / "other" / "pending").glob("*.json")
    refused = attempt(agent, "upload", str(file))
    assert refused.returncode == FAILED
    assert "another machine" in refused.stderr
    assert file.exists()


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"machine_id": "x", "key": "", "seal": {}}', b"null"]
)
def test_a_damaged_identity_is_refused_and_never_replaced(
    agent: Agent, tmp_path: Path, content: bytes
) -> None:
    agent.run("info")
    identity = tmp_path / "home" / "identity.json"
    whole = identity.read_bytes()
    identity.write_bytes(content)
    for command in (["info"], ["runs"], ["upload"], ["cores", "--quick", "--no-upload"]):
        done = attempt(agent, *command)
        assert done.returncode == FAILED, done.stdout
        assert str(identity) in done.stderr
        assert "Restore it from a backup" in done.stderr
        assert identity.read_bytes() == content
    doctor = attempt(agent, "doctor")
    assert doctor.returncode == PROBLEMS
    assert "PROBLEM" in doctor.stdout
    assert str(identity) in doctor.stdout
    identity.write_bytes(whole)
    assert json.loads(whole)["machine_id"] in agent.run("info").stdout


@pytest.mark.parametrize("name", ["enrolment.json", "written.json", "template.json"])
def test_doctor_names_every_damaged_file(agent: Agent, tmp_path: Path, name: str) -> None:
    agent.run("info")
    (tmp_path / "home" / name).write_bytes(b'{"server": "https://macs.exa')
    doctor = attempt(agent, "doctor")
    assert doctor.returncode == PROBLEMS
    assert f"{tmp_path / 'home' / name} is damaged" in doctor.stdout


def test_a_damaged_enrolment_loses_no_run(agent: Agent, tmp_path: Path) -> None:
    agent.run("info")
    damaged = tmp_path / "home" / "enrolment.json"
    damaged.write_bytes(b"")
    measured = attempt(agent, "workload", "--name", "x", "--repeat", "3", "--", "true")
    assert "enrolment.json is empty" in measured.stderr
    assert "macmeter enroll" in measured.stderr
    assert len(list((tmp_path / "home" / "pending").glob("*.json"))) == 1
    assert damaged.read_bytes() == b""


@pytest.mark.parametrize("length", [0, 100])
def test_half_a_run_is_reported_and_does_not_stop_the_others(
    agent_command: str, live_server: LiveServer, tmp_path: Path, length: int
) -> None:
    home = tmp_path / "home"
    agent = Agent(agent_command, home)
    agent.run("enroll", "--server", live_server.url, "--token", live_server.token(), "--yes")
    for _ in range(2):
        agent.run("workload", "--name", "x", "--repeat", "3", "--no-upload", "--", "true")
    first, second = sorted((home / "pending").glob("*.json"))
    first.write_bytes(first.read_bytes()[:length])
    doctor = attempt(agent, "doctor")
    assert doctor.returncode == PROBLEMS
    assert str(first) in doctor.stdout
    listed = {
        run["id"]: run.get("reason") for run in json.loads(agent.run("runs", "--json").stdout)
    }
    assert str(first) in listed[first.stem]
    assert listed[second.stem] is None
    uploaded = attempt(agent, "upload")
    assert uploaded.returncode == REFUSED
    assert f"Put aside, not uploaded: {first.stem}" in uploaded.stderr
    assert (home / "sent" / second.name).exists()
    assert (home / "quarantined" / first.name).read_bytes() == (
        b"" if length == 0 else (home / "quarantined" / first.name).read_bytes()
    )
