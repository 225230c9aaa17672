"""`macmeter-server`: behaviour common to every command."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from macmeter.platform.settings import Settings
from macmeter.server.addresses import is_local, note_address, noted_address
from support.commands import run_command
from support.documents import disk_run
from support.live_server import ForkedServer
from support.seeds import seeded

QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip"


def readable(root: Path) -> Iterator[str]:
    """Paths below `root` that other accounts may read, enter or write."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield f"{path} {mode:o}"


def wait_for_dataset(data_dir: Path) -> None:
    """Wait until it is written."""
    assert eventually(lambda: [*data_dir.glob("dataset/*/manifest*.json")] != [])


def eventually(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_nothing_that_a_server_writes_is_readable_to_other_accounts(tmp_path: Path) -> None:
    data_dir, opened = tmp_path / "data", tmp_path / "opened"
    for directory in (data_dir, opened):
        directory.mkdir(mode=0o700)
    seeded(data_dir)
    with ForkedServer(data_dir) as server:
        run = disk_run()
        headers = {"Authorization": f"Bearer {server.token('fleet')}"}
        stored = server.ask(f"/api/v1/runs/{run['id']}", "PUT", json=run, headers=headers)
        assert stored.status_code == 201
        for path in (QUESTION, QUESTION.replace("answer", "chart.png"), "/api/v1/corpus.parquet"):
            assert server.ask(path).status_code == 200
        wait_for_dataset(data_dir)
        environment = server.environment
        targets = opened / "backup", opened / "runs.gz", opened / "dataset"
        for command in (
            ("backup", str(targets[0])),
            ("export", str(targets[1])),
            ("export", "--parquet", str(targets[2])),
        ):
            process = run_command(environment, *command)
            assert process.returncode == 0, process.stderr
        assert all(path.exists() for path in targets)
    again = tmp_path / "again"
    restored = run_command(
        environment | {"DATA_DIR": str(again)}, "restore", str(targets[0]), "--yes"
    )
    assert restored.returncode == 0, restored.stderr
    assert len([*again.rglob("*")]) > 100
    for root in (data_dir, again, opened):
        log = root / "server.log"  # the test's own
        assert [path for path in readable(root) if str(log) not in path] == []


def printed(environment: dict[str, str], *command: str) -> tuple[str, str]:
    """Last line of a command's standard output, and its standard error."""
    process = run_command(environment, *command)
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()[-1], process.stderr


@pytest.mark.thorough
def test_links_lead_to_the_server_that_runs_whatever_the_shell_knows(tmp_path: Path) -> None:
    seeded(tmp_path)
    # A shell that knows the data alone.
    shell = {name: value for name, value in os.environ.items() if name not in ("PORT", "HOST")}
    shell["DATA_DIR"] = str(tmp_path)
    enrol = f"macmeter enroll --server http://localhost:{Settings().port} --secret "
    command, errors = printed(shell, "fleet", "Studio")
    assert command.startswith(enrol)
    assert f"No server has noted its address in DATA_DIR={tmp_path}: " in errors
    with ForkedServer(tmp_path) as server:
        site = f"http://localhost:{server.port}"
        link, errors = printed(shell, "admin-link")
        assert link.startswith(f"{site}/invitations#mml_")
        assert errors == "Open this link within a day; it works once:\n"
        command, errors = printed(shell, "fleet", "Studio")
        assert command.startswith(f"macmeter enroll --server {site} --secret ")
        assert f"Only this machine reaches {site}: set HOST and PUBLIC_URL for others." in errors
        public = shell | {"PUBLIC_URL": "https://macs.example.org"}
        command, errors = printed(public, "fleet", "Studio")
        assert command.startswith("macmeter enroll --server https://macs.example.org --secret ")
        assert "Only this machine" not in errors


def test_settings_are_believed_before_what_a_server_noted(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert noted_address(settings) is None
    note_address(Settings(data_dir=tmp_path / "new", public_url="https://macs.example.org"))
    assert noted_address(Settings(data_dir=tmp_path / "new")) == "https://macs.example.org"
    note_address(Settings(data_dir=tmp_path, host="::", port=8123))
    assert noted_address(settings) == "http://localhost:8123"
    moved = Settings(data_dir=tmp_path, port=8124)
    assert noted_address(moved) == "http://localhost:8124"
    elsewhere = Settings(data_dir=tmp_path, database_url="postgresql://macmeter@db/macmeter")
    assert noted_address(elsewhere) is None, "another database's server"
    note_address(elsewhere.model_copy(update={"port": 8125}))
    assert noted_address(elsewhere) == "http://localhost:8125"
    assert noted_address(settings) == "http://localhost:8123"
    (tmp_path / "address").write_bytes(b"\xff")
    assert noted_address(settings) is None


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8000", True),
        ("http://localhost", True),
        ("http://localhost.example.org", False),
        ("https://macs.example.org", False),
        ("http://10.0.0.7:8000", False),
    ],
)
def test_an_address_that_only_this_machine_reaches(address: str, *, local: bool) -> None:
    assert is_local(address) is local
