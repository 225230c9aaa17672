"""kill -9 of the real agent at random moments, against the real server, and the damage found."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from support.agent import Agent
from support.live_server import LiveServer

# Number of small runs waiting for upload.
WAITING = 3


@dataclass
class Harm:
    """Damage; each field must stay empty, however often an agent is killed."""

    lost: set[str] = field(default_factory=set)
    """Runs that were announced or kept, but are not on the server unchanged."""
    doubled: int = 0
    """Number of runs on the server that this machine never kept."""
    left: list[str] = field(default_factory=list)
    """Files, mounts and loop devices that remain after the next start."""


class Machine:
    """An enrolled agent with a directory to measure."""

    def __init__(self, agent: Agent, home: Path, target: Path, server: LiveServer) -> None:
        self.agent, self.home, self.target, self.server = agent, home, target, server
        agent.run("enroll", "--server", server.url, "--token", server.token(), "--yes")

    def spooled(self, state: str) -> dict[str, bytes]:
        """The documents in one state of the spool, by run id."""
        return {path.stem: path.read_bytes() for path in (self.home / state).glob("*.json")}

    def kept(self) -> set[str]:
        """The ids of all runs in the spool."""
        return {path.stem for path in self.home.glob("*/*.json")}

    def killed(self, after: float, *arguments: str) -> set[str]:
        """Run a command, kill it after that many seconds, and return the runs announced by then."""
        process = subprocess.Popen(
            [self.agent.command, *arguments],
            env=self.agent.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(after)
        process.kill()
        printed, errors = process.communicate()
        lines = printed.splitlines(keepends=True)
        run_ids = {json.loads(line)["id"] for line in lines if line.endswith(b"\n")}
        words = [line.split() for line in errors.decode().splitlines()]
        return run_ids | {line[1] for line in words if line[:1] == ["Uploaded"] and len(line) > 1}

    def left(self) -> list[str]:
        """Remains of a killed run that its next start did not remove."""
        left = [str(path) for path in self.target.rglob("*")]
        left += [str(path) for path in self.home.rglob("*") if path.parent.name == "scratch"]
        mounts = Path("/proc/self/mountinfo")
        if mounts.exists():
            left += [line for line in mounts.read_text().splitlines() if str(self.target) in line]
        for backing in Path("/sys/block").glob("loop*/loop/backing_file"):
            if str(self.target) in backing.read_text():
                left.append(str(backing))
        return left

    def stored(self, run_id: str) -> bytes | None:
        """The document as the server returns it; None if it has none."""
        address = f"{self.server.url}/api/v1/runs/{run_id}/document"
        try:
            with urllib.request.urlopen(address) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError:
            return None

    def count_on_server(self) -> int:
        """Number of this machine's runs on the server."""
        machine_id = json.loads((self.home / "identity.json").read_bytes())["machine_id"]
        address = f"{self.server.url}/api/v1/runs?where=machine:{machine_id}"
        with urllib.request.urlopen(address) as answer:
            return int(json.load(answer)["total"])

    def lost(self, run_ids: set[str]) -> set[str]:
        """Runs of `run_ids` that were not sent, or are not on the server byte for byte."""
        documents = self.spooled("sent")
        return {run_id for run_id in run_ids if self.stored(run_id) != documents.get(run_id, b"")}


def commands(target: Path) -> list[tuple[str, ...]]:
    """Commands to kill in turn. On Linux, only root mounts images."""
    disk = ("disk", str(target), "--quick", "--json", "--allow-low-space")
    able = os.geteuid() == 0 and shutil.which("losetup") and Path("/dev/loop-control").exists()
    images = [(*disk, "--image", "raw")] if able else []
    return [disk, ("upload",), *images]


def kill(machine: Machine, times: int, seed: int) -> Harm:
    """Kill commands in turn, each at a random moment; then upload everything."""
    moments, harm, run_ids = random.Random(seed), Harm(), set[str]()
    durations = {command: seconds(machine, command) for command in commands(machine.target)}
    for command in itertools.islice(itertools.cycle(durations), times):
        if command == ("upload",):
            wait_for_upload(machine)
            run_ids |= machine.kept()
        run_ids |= machine.killed(moments.uniform(0, durations[command] * 1.1), *command)
        run_ids |= machine.kept()
        machine.agent.run("runs")
        harm.left += machine.left()
    machine.agent.run("upload")
    run_ids |= machine.kept()
    harm.lost = machine.lost(run_ids)
    harm.doubled = machine.count_on_server() - len(machine.spooled("sent"))
    return harm


def seconds(machine: Machine, command: tuple[str, ...]) -> float:
    """Seconds that a command takes uninterrupted."""
    if command == ("upload",):
        wait_for_upload(machine)
    start = time.monotonic()
    machine.agent.run(*command)
    return time.monotonic() - start


def wait_for_upload(machine: Machine) -> None:
    """Make runs that wait for upload."""
    small = ("disk", str(machine.target), "--method", "stream-read", "--size", "2MB")
    while len(machine.spooled("pending")) < WAITING:
        machine.agent.run(*small, "--repetitions", "1", "--no-upload", "--allow-low-space")
