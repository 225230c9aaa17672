"""Every suite of the agent's real binary: its documents on a real server, and what remains after a
stop, a kill and a full disk.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from macmeter.documents.methods import counted_as
from support.agent import Agent
from support.live_server import LiveServer

INTERRUPTED, FAILED = 130, 1
KEPT = ("--no-upload", "--allow-low-space")
NEXT = ("cores", "--quick", "--threads", "1", "--kernels", "int64", "--no-upload")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
needs_no_root = pytest.mark.skipif(os.geteuid() == 0, reason="shown with a suite that fails")

COPY = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=2000"]
QUICK = ("--quick", "--allow-low-space")
# Methods of each command line's documents, in order.
ALL = ["graded-files-quick", "latency-quick", "stream-sha256", "thread-sweep", "thread-sweep-files"]
SUITES = [
    # With the right to mount, a test below measures everything, including a suite that fails.
    pytest.param(["all", "TARGET", *QUICK], [*ALL, "in-core"], marks=needs_no_root),
    (["disk", "TARGET", *QUICK], ["graded-files-quick"]),
    (["disk", "TARGET", "--method", "latency", *QUICK], ["latency-quick"]),
    (["hash", "TARGET", *QUICK], ["stream-sha256"]),
    (["compress", "--memory-only", "--threads", "2", "--quick"], ["thread-sweep"]),
    pytest.param(
        ["compress", "TARGET", "--files-only", "--threads", "2", *QUICK],
        ["thread-sweep-files"],
        marks=pytest.mark.thorough,
    ),
    (["disk", "TARGET", "--method", "stream-read", "--size", "64MiB"], ["stream-read"]),
    (["disk", "TARGET", "--method", "sustained-write", "--size", "3GB"], ["sustained-write"]),
    (["disk", "TARGET", "OTHER", "--size", "64MiB", "--sets", "2"], ["simultaneous"] * 2),
    (["cores", "--staggered"], ["staggered"]),
    (["workload", "--name", "copy", "--repeat", "3", "--", *COPY], ["repeat-command"]),
]
# Suites whose files are on the target for long enough to be stopped there.
WRITING = [
    ["disk", "TARGET", "--method", "stream-read"],
    ["disk", "TARGET", "--method", "sustained-write"],
    ["disk", "TARGET", "--method", "latency", "--size", "8GB"],
    ["disk", "TARGET", "OTHER", "--method", "simultaneous"],
    ["hash", "TARGET"],
    ["compress", "TARGET", "--quick", "--files-only", "--threads", "2"],
]


@pytest.fixture(scope="module")
def enrolled(
    agent_command: str, live_server: LiveServer, tmp_path_factory: pytest.TempPathFactory
) -> Agent:
    agent = Agent(agent_command, tmp_path_factory.mktemp("suites"))
    agent.run("enroll", "--server", live_server.url, "--token", live_server.token(), "--yes")
    return agent


@pytest.fixture
def agent(agent_command: str, tmp_path: Path) -> Agent:
    return Agent(agent_command, tmp_path / "home")


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """TARGET, with a file of its owner's, and OTHER."""
    places = {name: tmp_path / name.lower() for name in ("TARGET", "OTHER")}
    for place in places.values():
        place.mkdir()
    (places["TARGET"] / "thesis.txt").write_text("precious")
    return places


def on(places: dict[str, Path], arguments: list[str]) -> list[str]:
    return [str(places.get(argument, argument)) for argument in arguments]


def untouched(places: dict[str, Path]) -> bool:
    left = [path.name for place in places.values() for path in place.iterdir()]
    return left == ["thesis.txt"]


@pytest.mark.parametrize(("arguments", "methods"), SUITES, ids=lambda value: str(value[:4]))
def test_a_server_takes_and_derives_every_figure(
    enrolled: Agent,
    live_server: LiveServer,
    places: dict[str, Path],
    arguments: list[str],
    methods: list[str],
) -> None:
    own, command = arguments, []
    if "--" in arguments:
        own, command = arguments[: arguments.index("--")], arguments[arguments.index("--") :]
    done = enrolled.run(*on(places, own), "--json", *command)
    assert untouched(places)
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(documents) == len(methods)
    for document, method in zip(documents, methods, strict=True):
        assert document["method"]["name"].startswith(method)
        assert document["state"] == "complete"
        check_stored(live_server, document)
    assert done.stderr.splitlines()[-1].endswith(documents[-1]["id"]), (
        "the link is not the last word"
    )
    assert str(places["TARGET"]) not in done.stdout


def check_stored(live_server: LiveServer, document: dict[str, Any]) -> None:
    """Check that the server has each series with all its samples, and answers with them."""
    counted = counted_as(document["method"]["name"], document["method"]["version"])
    run = live_server.ask(f"/api/v1/runs/{document['id']}").json()
    stored = {
        (each["metric"], json.dumps(each["parameters"], sort_keys=True)): each["n"]
        for each in run["results"]
    }
    sent = {
        (counted.metric(each["metric"]), json.dumps(each.get("parameters", {}), sort_keys=True)): (
            len(each["values"])
        )
        for each in document["series"]
    }
    assert sent
    assert stored == sent
    assert "unknown_warning" not in {flag["code"] for flag in run["flags"]}
    catalogue = live_server.ask("/api/v1/catalog").json()["metrics"]
    required = {metric["name"]: metric["required"] for metric in catalogue}
    for metric in {metric for metric, _ in sent}:
        question = [("metric", metric), ("where", f"method:{counted.method}")]
        question += [("by", name) for name in required[metric]]
        answer = live_server.ask("/api/v1/answer", params=[*question, ("flagged", "include")])
        assert answer.status_code == 200, answer.text
        assert answer.json()["results"][0]["groups"], metric


def stopped_or_killed() -> Iterator[Any]:
    """Each suite both ways; alternately one of them is the short form."""
    for at, arguments in enumerate(WRITING):
        for other, how in enumerate((signal.SIGKILL, signal.SIGINT)):
            marks = [pytest.mark.thorough] * (at % 2 != other)
            yield pytest.param(arguments, how, marks=marks, id="-".join([how.name, *arguments[:4]]))


@pytest.mark.parametrize(("arguments", "how"), [*stopped_or_killed()])
def test_a_stopped_or_killed_suite_leaves_nothing(
    agent: Agent, places: dict[str, Path], arguments: list[str], how: signal.Signals
) -> None:
    process = subprocess.Popen(
        [agent.command, *on(places, arguments), *KEPT],
        env=agent.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    began = wait_for_files(places["TARGET"])
    process.send_signal(how)
    _, complaint = process.communicate(timeout=300)
    assert began, complaint
    if how == signal.SIGINT:
        assert process.returncode == INTERRUPTED, complaint
    else:
        assert not untouched(places)
        agent.run(*NEXT)
    assert untouched(places)


def on_a_full_disk() -> Iterator[Any]:
    """Every suite; the first and the last two, which write in other ways, are the short form."""
    for at, arguments in enumerate(WRITING):
        marks = [pytest.mark.thorough] * (0 < at < len(WRITING) - 2)
        yield pytest.param(arguments, marks=marks, id="-".join(arguments[:4]))


@needs_root
@pytest.mark.parametrize("arguments", [*on_a_full_disk()])
def test_a_full_disk_ends_a_suite_in_words(
    agent: Agent, places: dict[str, Path], small_volume: Path, arguments: list[str]
) -> None:
    done = subprocess.run(
        [agent.command, *on(places | {"TARGET": small_volume}, arguments), *KEPT],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == FAILED, done.stderr
    assert "the volume is full" in done.stderr or "No space left" in done.stderr
    assert list(small_volume.iterdir()) == []


@pytest.fixture
def small_volume(tmp_path: Path) -> Iterator[Path]:
    """A volume of 60 MB in memory."""
    point = tmp_path / "small"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", point], check=True)
    yield point
    subprocess.run(["umount", point], check=True)


@needs_root
@pytest.mark.parametrize("suite", [["disk"], ["hash"], ["compress"], ["all"]])
def test_a_volume_that_cannot_be_written_is_told_at_once(
    agent: Agent, tmp_path: Path, suite: list[str]
) -> None:
    point = tmp_path / "read only, größer 日本"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", point], check=True)
    try:
        done = subprocess.run(
            [agent.command, *suite, str(point), "--quick", "--json", *KEPT],
            env=agent.environment,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        subprocess.run(["umount", point], check=True)
    assert done.returncode == FAILED
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"{point}: Read-only file system" in done.stderr


@needs_root
@pytest.mark.parametrize("direct", [False, True])
def test_an_image_in_a_file_that_is_cached_is_doubted(
    agent: Agent, tmp_path: Path, direct: bool
) -> None:
    """A loop device may use the page cache of the file system below: then no transfer into the
    image is direct, however it was requested.
    """
    if shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    image, point = tmp_path / "image", tmp_path / "mounted"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(64_000_000)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    way = "on" if direct else "off"
    attach = ["losetup", "--find", "--show", f"--direct-io={way}", str(image)]
    device = subprocess.run(attach, check=True, capture_output=True, text=True).stdout.strip()
    try:
        subprocess.run(["mount", device, point], check=True)
        done = agent.run(
            "disk", str(point), "--method", "stream-read", "--size", "20MB", "--json", *KEPT
        )
        subprocess.run(["umount", point], check=True)
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)
    document = json.loads(done.stdout)
    codes = {warning["code"] for warning in document["warnings"]}
    assert document["target"]["storage"] == "disk_image"
    assert ("cache_not_bypassed" in codes) is not direct
    assert document["method"]["parameters"]["direct"] is direct
    assert "reads_may_be_cached" not in codes, "the image's own file was not emptied"
    assert str(image) not in done.stdout


@needs_root
def test_free_space_is_trimmed(agent: Agent, tmp_path: Path) -> None:
    if shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    image, point = tmp_path / "image", tmp_path / "mounted"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(64_000_000)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, point], check=True)
    try:
        arguments = ("--method", "trim", "--size", "20MB", "--repetitions", "2", "--json")
        done = agent.run("disk", str(point), *arguments, *KEPT)
    finally:
        subprocess.run(["umount", point], check=True)
    document = json.loads(done.stdout)
    (series,) = document["series"]
    assert (series["metric"], series["positions"]) == ("disk.trim_speed", [1, 2])
    assert all(speed > 0 for speed in series["values"])
    assert document["method"]["name"] == "trim"


@needs_root
def test_an_image_is_measured_in_each_of_its_states(agent: Agent, places: dict[str, Path]) -> None:
    if shutil.which("losetup") is None:
        pytest.skip("losetup is not installed")
    arguments = [
        "disk",
        "TARGET",
        "--quick",
        "--image",
        "raw",
        "--image-states",
        "emptied,part_filled",
    ]
    done = agent.run(*on(places, arguments), *KEPT, "--json")
    images = [json.loads(line)["target"]["image"] for line in done.stdout.splitlines()]
    assert [image["state"] for image in images] == ["part_filled", "emptied"]
    assert untouched(places)
    assert str(places["TARGET"]) not in Path("/proc/self/mountinfo").read_text()


@needs_root
@pytest.mark.thorough  # all that still run keep every core busy for minutes
def test_a_suite_that_fails_does_not_end_all_of_them(
    enrolled: Agent, live_server: LiveServer, tmp_path: Path
) -> None:
    """The target is on a volume that the disk suites fill; memory and cores need no space."""
    point = tmp_path / "tiny"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", point], check=True)
    try:
        done = subprocess.run(
            [enrolled.command, "all", str(point), "--json", *QUICK],
            env=enrolled.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert list(point.iterdir()) == []
    finally:
        subprocess.run(["umount", point], check=True)
    assert done.returncode == FAILED
    assert "Not completed: disk graded-files-quick" in done.stderr
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    complete = [each for each in documents if each["state"] == "complete"]
    assert [each["suite"] for each in complete] == ["compression", "cores"]
    for document in complete:
        check_stored(live_server, document)


def test_a_command_that_fails_ends_its_workload(agent: Agent) -> None:
    done = subprocess.run(
        [agent.command, "workload", "--name", "broken", "--no-upload", "--", "sh", "-c", "exit 7"],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == FAILED
    assert "exit code 7" in done.stderr


def test_a_command_line_is_never_in_its_document(agent: Agent) -> None:
    done = agent.run(
        "workload", "--name", "secret", "--repeat", "2", "--warm-up", "0", "--json", "--no-upload",
        "--", "sh", "-c", "echo hunter2 >&2; cat /etc/hostname",
    )  # fmt: skip
    assert "hunter2" not in done.stdout + done.stderr
    assert "echo" not in done.stdout
    document = json.loads(done.stdout)
    wall = next(each for each in document["series"] if each["metric"] == "workload.duration")
    assert len(wall["values"]) == 2


def test_a_stopped_workload_stops_its_command(agent: Agent, tmp_path: Path) -> None:
    mark = tmp_path / "went-on"
    process = subprocess.Popen(
        [agent.command, "workload", "--name", "long", "--no-upload", "--",
         "sh", "-c", f"sleep 30; touch {mark}"],
        env=agent.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    its_command = f"\nsh -c sleep 30; touch {mark}\n"
    while its_command not in processes():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == INTERRUPTED
    assert str(mark) not in processes()
    assert not mark.exists()


def processes() -> str:
    """The command lines of all processes."""
    return subprocess.run(
        ["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True
    ).stdout


def wait_for_files(target: Path, seconds: float = 300) -> bool:
    """Wait until a run has test files in `target`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(target.glob(".macmeter-*/*.macmeter")):
            return True
        time.sleep(0.01)
    return False
