"""Point-in-time recovery, with the very commands of docs/operating.md."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from macmeter.embedded import EmbeddedError, EmbeddedPostgres
from macmeter.embedded.cluster import Account, find_binaries
from macmeter.platform.database import migrate
from macmeter.platform.settings import CHECKOUT
from support.commands import command, ndjson
from support.documents import disk_run

GUIDE = CHECKOUT / "docs/operating.md"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Folder for archives that PostgreSQL's account can enter."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


def blocks() -> list[str]:
    """Archive, base backup and recovery, as in the guide."""
    section = GUIDE.read_text().split("## Point-in-time recovery")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


def run(script: str, folder: Path, **more: str) -> None:
    programs = find_binaries(Account(os.geteuid(), os.getegid(), switch=False))
    paths = {"DATA_DIR": str(folder / "data"), "BACKUPS": str(folder / "backups"), **more}
    environment = os.environ | paths | {"PATH": f"{programs}:{os.environ['PATH']}"}
    process = subprocess.run(
        ["sh", "-eu", "-c", script],
        env=environment,
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


def asked(postgres: EmbeddedPostgres, query: str) -> str:
    with postgres.running.connect("macmeter") as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return str(row[0])


def imported(postgres: EmbeddedPostgres, folder: Path, count: int) -> None:
    file = ndjson(folder / "runs", [disk_run() for _ in range(count)])
    process = command(postgres.url(), "import", "--public", str(file))
    assert process.returncode == 0, process.stderr


@pytest.mark.thorough
def test_a_moment_between_two_imports_comes_back(folder: Path) -> None:
    archive, base, recover = blocks()
    with EmbeddedPostgres(folder / "data") as postgres:
        migrate(postgres.url())
        run(archive, folder)
    with EmbeddedPostgres(folder / "data") as postgres:
        run(base, folder)
        imported(postgres, folder, 3)
        when = asked(postgres, "SELECT clock_timestamp()")
        imported(postgres, folder, 4)
        segment = asked(postgres, "SELECT pg_walfile_name(pg_switch_wal())")
        end = time.monotonic() + 60
        while not (folder / "backups/wal" / segment).exists() and time.monotonic() < end:
            time.sleep(0.05)
    (started,) = (folder / "backups").glob("base-*")
    moments = {"BASE": str(started), "WHEN": when, "NEW": str(folder / "new")}
    waiting = recover.replace("recovery_target_action = 'promote'\n", "")
    run(waiting.rsplit("\n", 2)[0], folder, **moments | {"NEW": str(folder / "waiting")})
    with (
        pytest.raises(EmbeddedError, match="recovery_target_action = 'promote'"),
        EmbeddedPostgres(folder / "waiting"),
    ):
        pass
    run(recover, folder, **moments)
    with EmbeddedPostgres(folder / "new") as postgres:
        assert asked(postgres, "SELECT count(*) FROM runs") == "3"
        assert asked(postgres, "UPDATE machines SET reserved = false RETURNING reserved") == "False"
