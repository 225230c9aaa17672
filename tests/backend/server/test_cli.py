"""`macmeter-server`: behaviour common to every command."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

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
    assert eventually(lambda: [*data_dir.glob("dataset/*/manifest.json")] != [])


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
        written = opened / "backup", opened / "runs.gz", opened / "dataset"
        for command in (
            ("backup", str(written[0])),
            ("export", str(written[1])),
            ("export", "--parquet", str(written[2])),
        ):
            done = run_command(environment, *command)
            assert done.returncode == 0, done.stderr
        assert all(path.exists() for path in written)
    again = tmp_path / "again"
    restored = run_command(
        environment | {"DATA_DIR": str(again)}, "restore", str(written[0]), "--yes"
    )
    assert restored.returncode == 0, restored.stderr
    assert len([*again.rglob("*")]) > 100
    for root in (data_dir, again, opened):
        log = root / "server.log"  # the test's own
        assert [found for found in readable(root) if str(log) not in found] == []
