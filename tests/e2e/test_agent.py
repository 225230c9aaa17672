"""The agent's real binary where it could leave something behind or do harm."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.agent import Agent
from support.spent import spent

QUICK = ("--quick", "--no-upload", "--allow-low-space")
SPACE_SHORT, ALREADY_RUNNING, KEPT_FOR_LATER, INTERRUPTED = 4, 73, 75, 130

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")


@pytest.fixture
def agent(agent_command: str, tmp_path: Path) -> Agent:
    return Agent(agent_command, tmp_path / "home")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    target = tmp_path / "target"
    target.mkdir()
    (target / "thesis.txt").write_text("precious")
    return target


@pytest.fixture
def small_volume(tmp_path: Path) -> Iterator[Path]:
    """A volume of 300 MB in memory: too small for a quick run."""
    point = tmp_path / "small"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", point], check=True)
    yield point
    subprocess.run(["umount", point], check=True)


def untouched(target: Path) -> bool:
    return [path.name for path in target.iterdir()] == ["thesis.txt"]


def attempt(agent: Agent, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may fail."""
    return subprocess.run(
        [agent.command, *arguments],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("how", "image"),
    [
        (signal.SIGINT, False),
        pytest.param(signal.SIGTERM, True, marks=needs_root),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.thorough),
        pytest.param(signal.SIGHUP, False, marks=pytest.mark.thorough),
        pytest.param(signal.SIGINT, True, marks=[needs_root, pytest.mark.thorough]),
        pytest.param(signal.SIGHUP, True, marks=[needs_root, pytest.mark.thorough]),
    ],
)
def test_a_signal_leaves_nothing_behind(
    agent: Agent, target: Path, how: signal.Signals, image: bool
) -> None:
    if image and shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    arguments = ["disk", str(target), "--sets", "2", "--no-upload", "--allow-low-space", "--json"]
    arguments += ["--image", "raw"] if image else []
    process = subprocess.Popen(
        [agent.command, *arguments],
        env=agent.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    began = wait_for_files(target)
    process.send_signal(how)
    output, complaint = process.communicate(timeout=300)
    assert began
    assert process.returncode == INTERRUPTED, complaint
    assert untouched(target)
    assert str(target) not in Path("/proc/self/mountinfo").read_text()
    if output:
        assert json.loads(output)["state"] == "incomplete"


@needs_root
def test_a_killed_run_on_an_image_is_cleaned_up_at_the_next_start(
    agent: Agent, target: Path
) -> None:
    if shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    process = subprocess.Popen(
        [agent.command, "disk", str(target), "--sets", "2", "--image", "raw", "--allow-low-space"],
        env=agent.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert wait_for_files(target)
    process.kill()
    process.wait()
    assert not untouched(target)
    agent.run("disk", str(target), *QUICK)
    assert untouched(target)
    assert str(target) not in Path("/proc/self/mountinfo").read_text()
    assert str(target) not in subprocess.run(["losetup"], capture_output=True, text=True).stdout


@needs_root
def test_an_image_is_remounted_between_writing_and_reading(agent: Agent, target: Path) -> None:
    if shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    document = json.loads(agent.run("disk", str(target), *QUICK, "--image", "raw", "--json").stdout)
    assert document["method"]["parameters"]["cache"] == "remounted"
    assert document["target"]["storage"] == "disk_image"
    assert document["target"]["image"]["format"] == "raw"
    assert document["target"]["image"]["host"]["storage"]
    assert document["target"]["encryption"] == "none"
    assert untouched(target)


@needs_root
def test_a_full_disk_ends_the_run_in_words_and_leaves_nothing(
    agent: Agent, small_volume: Path
) -> None:
    done = attempt(agent, "disk", str(small_volume), *QUICK, "--json")
    assert done.returncode == 1
    assert "the volume is full" in done.stderr
    assert list(small_volume.iterdir()) == []
    document = json.loads(done.stdout)
    assert document["state"] == "incomplete"
    assert not any(series["metric"] == "disk.write_average" for series in document["series"])


@needs_root
def test_memory_is_never_told_as_a_disk(agent: Agent, tmp_path: Path) -> None:
    point = tmp_path / "memory"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", point], check=True)
    try:
        document = json.loads(agent.run("disk", str(point), *QUICK, "--json").stdout)
    finally:
        subprocess.run(["umount", point], check=True)
    codes = {warning["code"] for warning in document["warnings"]}
    assert {"cache_not_bypassed", "reads_may_be_cached"} <= codes
    assert document["method"]["parameters"]["direct"] is False


@needs_root
def test_nothing_is_written_where_space_is_short(agent: Agent, small_volume: Path) -> None:
    done = attempt(agent, "disk", str(small_volume), "--quick", "--no-upload")
    assert done.returncode == SPACE_SHORT
    assert "should leave" in done.stderr
    assert list(small_volume.iterdir()) == []


def test_two_at_once_do_not_measure(agent: Agent, target: Path) -> None:
    first = subprocess.Popen(
        [agent.command, "disk", str(target), "--sets", "1", "--no-upload", "--allow-low-space"],
        env=agent.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert wait_for_files(target)
    second = attempt(agent, "disk", str(target), *QUICK)
    first.send_signal(signal.SIGINT)
    first.wait(300)
    assert second.returncode == ALREADY_RUNNING
    assert untouched(target)


@pytest.mark.parametrize("asked", [["uninstall"], ["import", "-"]])
def test_ctrl_c_ends_a_wait_for_somebody_to_type(agent: Agent, asked: list[str]) -> None:
    identity = Path(agent.environment["MACMETER_HOME"]) / "identity.json"
    if asked == ["uninstall"]:
        agent.run("runs")  # creates what there is to remove
    terminal, typed = pty.openpty()
    process = subprocess.Popen(
        [agent.command, *asked], env=agent.environment, stdin=typed, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    if asked == ["uninstall"]:
        said = b""
        while b"[y/N]" not in said:
            said += os.read(process.stderr.fileno(), 4096)
    else:
        assert wait_until(identity.exists)  # created before it asks for the file
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=300)
    os.close(typed)
    os.close(terminal)
    assert process.returncode == INTERRUPTED, complaint
    assert complaint.endswith(b"Stopped.\n")
    assert identity.exists()


RECORDED = """*** Sampled system activity (Thu Jul 16 {clock} 2026 +0530) (1000.00ms elapsed) ***

E-Cluster HW active frequency: 1020 MHz
E-Cluster HW active residency:  50.00% (1020 MHz:  50%)
CPU 0 frequency: 1020 MHz
CPU 0 active residency:  25.00% (1020 MHz:  25%{states})
CPU Power: {power} mW

"""


def recording(size: int) -> bytes:
    """A powermetrics recording of about that many bytes."""
    states = " 1020 MHz: 1.0%" * 40
    samples = []
    for second in range(size // (len(RECORDED) + len(states))):
        clock = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        samples.append(RECORDED.format(clock=clock, power=second % 5000, states=states))
    return "".join(samples).encode()


@pytest.mark.parametrize("piped", [False, True])
def test_a_long_recording_is_read_in_pieces_and_says_how_far_it_is(
    agent: Agent, tmp_path: Path, piped: bool
) -> None:
    file = tmp_path / "recording.txt"
    file.write_bytes(recording(20_000_000))
    line = [agent.command, "import", "-" if piped else str(file), "--no-upload"]
    with file.open("rb") as whole, (tmp_path / "said").open("w+b") as said:
        done = spent(line, tmp_path / "spent", agent.environment, whole, said, said)
        said.seek(0)
        text = said.read().decode()
    assert done.code == 0, text
    assert done.peak_memory < 64 * 1024 * 1024
    assert ("Reading standard input\n" if piped else f"Reading {file} 19.8 MB\n") in text
    assert "Machine: unspecified (" in text
    kept = list((Path(agent.environment["MACMETER_HOME"]) / "pending").glob("*.json"))
    (run,) = [json.loads(path.read_bytes()) for path in kept]
    assert run["machine"]["unspecified"] is True
    assert run["method"]["parameters"]["samples"] == 20_000_000 // (len(RECORDED) + 600)
    assert sum(len(trace["rows"]) for trace in run["traces"]) <= 80_000
    assert "warnings" not in run


def test_an_absent_server_costs_no_run(agent: Agent, target: Path, tmp_path: Path) -> None:
    home = Path(agent.environment["MACMETER_HOME"])
    agent.run("runs")
    identity = json.loads((home / "identity.json").read_bytes())
    (home / "enrolment.json").write_text(
        json.dumps(
            {
                "server": "http://127.0.0.1:9",
                "token": "none",
                "machine_id": identity["machine_id"],
            }
        )
    )
    agent.run("disk", str(target), *QUICK)
    done = attempt(agent, "upload", "--attempts", "2", "--json")
    assert done.returncode == KEPT_FOR_LATER
    assert len(json.loads(done.stdout)["pending"]) == 1
    assert len(list((home / "pending").glob("*.json"))) == 1


def wait_until(true: Callable[[], bool], seconds: float = 300) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False


def wait_for_files(target: Path) -> bool:
    """Wait until a run has test files in `target`, or in an image mounted there."""
    places = (".macmeter-*/*.macmeter", ".macmeter-*/mounted/*.macmeter")
    return wait_until(lambda: any(any(target.glob(place)) for place in places))
