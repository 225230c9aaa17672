"""A real full disk: uploads are refused as such, nothing is lost, and free space helps."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres, find_running
from macmeter.platform.database import migrate, reading_engine
from macmeter.results.dataset import mirror
from macmeter.results.dataset.writer import write_down
from macmeter.runs.transfer.files import Interrupted
from macmeter.server.backup.making import backup
from support.commands import command, ndjson
from support.documents import disk_run
from support.server import Server, serving

SIZE = "160m"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A separate, small file system."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small file system can't be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk: Path) -> Path:
    """Create a file that takes all free space."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(2**16))
        except OSError:
            return filler


def leave_room_in_wal(data: Path) -> None:
    """Begin a new WAL segment of 16 MB on disk: PostgreSQL would stop without space for one."""
    running = find_running(data)
    assert running is not None
    with running.connect() as connection:
        connection.execute("SELECT pg_switch_wal()")
        connection.execute("CHECKPOINT")


def large_run() -> dict[str, Any]:
    """A run whose results need new pages."""
    run = disk_run()
    run["series"] = [
        {
            "metric": "disk.write_speed",
            "parameters": {"file_size": size},
            "values": [5e9 + 1.1 * n for n in range(400)],
        }
        for size in range(1_000_000, 31_000_000, 1_000_000)
    ]
    return run


@pytest.mark.thorough
async def test_a_full_disk_refuses_uploads_and_recovers(
    small_disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddedPostgres(small_disk / "data", durability="test") as cluster:
        migrate(cluster.url())
        async with serving(cluster.url()) as server:
            await server.stored(large_run())
            assert (await server.client.get("/readyz")).status_code == 200
            tokens = [server.token() for _ in range(10)]
            leave_room_in_wal(small_disk / "data")
            filler = fill(small_disk)
            caplog.clear()
            with caplog.at_level(logging.WARNING):
                refused, run, token = await refused_upload(server, tokens)
            assert refused.json()["code"] == "disk_full"
            assert int(refused.headers["Retry-After"]) > 0
            (line,) = caplog.messages
            assert "\n" not in line
            not_ready = await server.client.get("/readyz")
            assert (not_ready.status_code, not_ready.json()["detail"]) == (503, "The disk is full.")
            assert await server.groups("metric=disk.write_speed&by=file_size")
            filler.unlink()
            assert (await server.client.get("/readyz")).status_code == 200
            assert (await server.put(run, token)).status_code == 201


async def refused_upload(server: Server, tokens: list[str]) -> tuple[httpx.Response, Any, str]:
    """Upload until a response isn't 201; pages with free space take a few runs."""
    for token in tokens:
        run = large_run()
        response = await server.put(run, token)
        if response.status_code != 201:
            assert response.status_code == 507, response.text
            return response, run, token
    raise AssertionError("the disk took everything")


def test_an_import_says_that_the_disk_is_full_and_goes_on_later(
    small_disk: Path, tmp_path: Path
) -> None:
    runs = [large_run() for _ in range(10)]
    file = ndjson(tmp_path / "runs.ndjson", runs)
    with EmbeddedPostgres(small_disk / "data", durability="test") as cluster:
        migrate(cluster.url())
        leave_room_in_wal(small_disk / "data")
        filler = fill(small_disk)
        importing = ("import", "--public", str(file))
        refused = command(cluster.url(), *importing)
        assert refused.returncode == 1
        assert "import: the disk of the database is full: make room on it" in refused.stderr
        assert "the same command goes on from here" in refused.stderr
        filler.unlink()
        process = command(cluster.url(), *importing)
        assert (process.returncode, "10 runs stored" in process.stderr) == (0, True), process.stderr


def test_a_backup_without_room_leaves_nothing(small_disk: Path, database_url: str) -> None:
    fill(small_disk)
    with pytest.raises(Interrupted, match="No space left on device"):
        backup(database_url, small_disk / "full.backup")
    assert list(small_disk.glob("full*")) == []


async def test_answers_go_on_when_the_data_set_has_no_room(
    small_disk: Path, database_url: str
) -> None:
    """Answers stay right for everybody, and are written once there is space again."""
    engine = reading_engine(database_url)
    question = "metric=disk.write_average"
    async with serving(database_url, dataset_dir=small_disk) as server:
        await server.stored(disk_run(), disk_run())
        await write_down(engine, small_disk)
        assert [group["runs"] for group in await server.groups(question)] == [2]
        filler = fill(small_disk)
        before = {path for path in small_disk.rglob("*") if path.is_file()}
        await server.stored(disk_run())
        for _ in range(2):
            with pytest.raises((OSError, duckdb.IOException), match="No space left"):
                await write_down(engine, small_disk)
        # Everything that was complete before is still there.
        assert {path for path in before if path.suffix != ".new"} <= {*small_disk.rglob("*")}
        assert [group["runs"] for group in await server.groups(question)] == [3]
        mirror.forget()  # as a new process
        assert [group["runs"] for group in await server.groups(question)] == [3]
        assert "macmeter_dataset_lag_changes 1\n" in (await server.client.get("/metrics")).text
        filler.unlink()
        await write_down(engine, small_disk)
        assert "macmeter_dataset_lag_changes 0\n" in (await server.client.get("/metrics")).text
        assert list(small_disk.rglob("*.new")) == []
        assert [group["runs"] for group in await server.groups(question)] == [3]
    await engine.dispose()


async def test_a_full_disk_holds_up_no_start(small_disk: Path, database_url: str) -> None:
    """The data set was never written: answers are read from the tables, or wait for space."""
    fill(small_disk)
    engine = reading_engine(database_url)
    async with serving(database_url, dataset_dir=small_disk) as server:
        await server.stored(disk_run())
        with pytest.raises((OSError, duckdb.IOException), match="No space left"):
            await write_down(engine, small_disk)
        assert [group["runs"] for group in await server.groups("metric=disk.write_average")] == [1]
    await engine.dispose()
