"""Backups: restored databases are equal to the digit; errors are reported and change nothing."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from demo.documents import document
from demo.fleet import fleet
from macmeter.embedded import EmbeddedPostgres
from macmeter.embedded.cluster import Account, find_binaries
from macmeter.models import Run
from macmeter.platform import database
from macmeter.platform.demo import Scale
from macmeter.runs import published
from macmeter.runs.transfer.files import InputError, Interrupted
from macmeter.server.backup.archive import Backup
from macmeter.server.backup.making import backup
from macmeter.server.backup.restoring import restore
from macmeter.server.backup.verifying import verify_backup, verify_database
from macmeter.server.cli import main
from sqlalchemy import create_engine, func, select, text
from support.commands import begun, command, ndjson
from support.databases import fresh_database
from support.documents import disk_run
from support.server import serving

RUNS = 11
WRITE = "metric=disk.write_average"
QUESTIONS = [
    f"answer?{WRITE}&metric=disk.read_average&by=storage&by=encryption&by=chip",
    f"answer?{WRITE}&by=month&flagged=include&weight=run",
    f"answer?{WRITE}&by=encryption&relative_to=encryption:none",
    "answer?metric=disk.read_speed&by=file_size&by=storage",
    "answer?metric=cores.loop_rate&by=kernel&by=threads&by=core_context",
    f"answer.csv?{WRITE}&by=article&by=os_version",
    f"facets?{WRITE}",
    f"compare?{WRITE}&side=1:storage:internal&side=2:storage:usb4",
    "runs?limit=200",
    "machines?limit=200",
    "doubted?metric=disk.read_average",
    "comparisons/SLUG",
    "corpus.csv",
]


@pytest.fixture
def elsewhere(cluster: EmbeddedPostgres) -> Iterator[str]:
    """An empty database, without a schema."""
    with fresh_database(cluster, "template0") as name:
        yield cluster.url(name)


@pytest.fixture(scope="module")
def source(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """A database of RUNS runs, and a backup of it."""
    folder = tmp_path_factory.mktemp("source")
    with fresh_database(cluster) as name:
        url = cluster.url(name)
        file = ndjson(folder / "runs", [disk_run() for _ in range(RUNS)])
        assert command(url, "import", "--public", str(file)).returncode == 0
        yield name, backup(url, folder / "made.backup")


@pytest.fixture
def made(source: tuple[str, Path], tmp_path: Path) -> Path:
    """A backup of RUNS runs."""
    return Path(shutil.copy(source[1], tmp_path))


@pytest.fixture
def filled(source: tuple[str, Path], cluster: EmbeddedPostgres) -> Iterator[str]:
    """A separate database with those runs."""
    with fresh_database(cluster, source[0]) as name:
        yield cluster.url(name)


def execute(url: str, statement: str) -> None:
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def runs_in(url: str) -> int:
    engine = create_engine(database.normalise(url))
    with engine.connect() as connection:
        count = connection.scalar(select(func.count()).select_from(Run))
    engine.dispose()
    return count or 0


async def answers(url: str, slug: str) -> list[Any]:
    async with serving(url) as server:
        contents: list[Any] = []
        for question in QUESTIONS:
            response = await server.client.get(f"/api/v1/{question.replace('SLUG', slug)}")
            assert response.status_code == 200, (question, response.text)
            if "json" not in response.headers["content-type"]:
                contents.append(response.text)
                continue
            contents.append({k: v for k, v in response.json().items() if k != "as_of"})
        return contents


@pytest.mark.thorough
async def test_a_restored_server_answers_to_the_digit(
    database_url: str, elsewhere: str, tmp_path: Path
) -> None:
    demo = fleet(Scale(machines=24, every=10), datetime(2026, 11, 16, tzinfo=UTC))
    file = ndjson(tmp_path / "demo", (orjson.dumps(document(run)) for run in demo.runs[::3]))
    assert (
        command(database_url, "import", "--fleet", "local", "--public", str(file)).returncode == 0
    )
    await asyncio.to_thread(published.load, database_url)
    async with serving(database_url) as server:
        await server.put(disk_run(), server.token())
        body = {"question": f"{WRITE}&by=storage", "title": "Before"}
        slug = (await server.client.post("/api/v1/comparisons", json=body)).json()["slug"]
        reason = {"reason": "too fast"}
        doubted = demo.runs[0].id
        await server.client.post(f"/api/v1/runs/{doubted}/doubts", json=reason)
    command(database_url, "withdraw", str(demo.runs[3].id), "--reason", "mistaken")
    before = await answers(database_url, slug)
    archive = await asyncio.to_thread(backup, database_url, tmp_path)
    assert archive.parent == tmp_path
    assert archive.stat().st_mode & 0o777 == 0o600
    assert await asyncio.to_thread(verify_backup, archive) == []
    await asyncio.to_thread(restore, elsewhere, archive, replace=False, confirmed=False)
    assert await answers(elsewhere, slug) == before
    assert await asyncio.to_thread(verify_database, elsewhere) == []


def test_an_older_schema_comes_back_and_is_brought_up_to_date(
    cluster: EmbeddedPostgres, elsewhere: str, tmp_path: Path
) -> None:
    with fresh_database(cluster, "template0") as name:
        old = cluster.url(name)
        database.migrate(old, "0001")
        execute(old, "INSERT INTO machines (machine_id) VALUES (gen_random_uuid())")
        execute(
            old,
            "INSERT INTO runs (machine_id, run_id, visibility, derivation_version, suite, source,"
            " method, method_version, unspecified, flags, virtual, labels) SELECT machine_id,"
            " gen_random_uuid(), 'public', 1, 'disk', 'measured', 'm', 1, false, '{}', false, '{}'"
            " FROM machines",
        )
        archive = backup(old, tmp_path / "old.backup")
    assert Backup(archive).manifest.revision == "0001"
    restore(elsewhere, archive, replace=False, confirmed=False)
    assert runs_in(elsewhere) == 1
    engine = create_engine(database.normalise(elsewhere))
    with engine.connect() as connection:
        assert database.current_revision(connection) == database.newest_revision()
    engine.dispose()


def test_what_a_database_holds_is_only_deleted_when_told(
    made: Path, elsewhere: str, tmp_path: Path
) -> None:
    database.migrate(elsewhere)
    published.load(elsewhere)
    # A freshly started server without anybody's runs.
    restore(elsewhere, made, replace=False, confirmed=False)
    more = ndjson(tmp_path / "more", [disk_run()])
    assert command(elsewhere, "import", "--public", str(more)).returncode == 0
    for replace, words in ((False, "holds 12 runs: --replace"), (True, "--yes answers")):
        with pytest.raises(InputError, match=words):
            restore(elsewhere, made, replace=replace, confirmed=False)
        assert runs_in(elsewhere) == RUNS + 1
    restore(elsewhere, made, replace=True, confirmed=True)
    assert runs_in(elsewhere) == RUNS


def test_followers_of_changes_begin_anew(made: Path, filled: str) -> None:
    execute(filled, "UPDATE change_log SET cluster = 'this one'")
    restore(filled, made, replace=True, confirmed=True)
    engine = create_engine(database.normalise(filled))
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT cluster FROM change_log")) is None
    engine.dispose()


def test_a_restore_beside_a_server_is_refused(made: Path, filled: str) -> None:
    engine = create_engine(database.normalise(filled))
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
        with pytest.raises(InputError, match="in use: stop the servers on it"):
            restore(filled, made, replace=True, confirmed=True)
    engine.dispose()


def programs(folder: Path, pg_restore: str) -> Path:
    """PostgreSQL's programs with a broken pg_restore, whose first half is the real one's."""
    real = find_binaries(Account(os.geteuid(), os.getegid(), switch=False))
    folder.mkdir()
    for name in ("postgres", "psql"):
        (folder / name).symlink_to(real / name)
    script = folder / "pg_restore"
    script.write_text(f'#!/bin/sh\n{real}/pg_restore "$@" | head -c 30000\n{pg_restore}\n')
    script.chmod(0o755)
    return folder


def test_a_restore_that_breaks_off_changes_nothing(
    made: Path, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(filled, "UPDATE runs SET chip = 'Apple M0'")
    with monkeypatch.context() as patched:
        broken = programs(tmp_path / "broken", "echo it broke >&2; exit 1")
        patched.setenv("MACMETER_PG_BIN", str(broken))
        with pytest.raises(Interrupted, match="pg_restore failed: it broke"):
            restore(filled, made, replace=True, confirmed=True)
    assert chips_in(filled) == {"Apple M0"}


def test_a_restore_that_is_killed_changes_nothing(made: Path, filled: str, tmp_path: Path) -> None:
    execute(filled, "UPDATE runs SET chip = 'Apple M0'")
    half = tmp_path / "half"
    slow = programs(tmp_path / "slow", f"touch {half}; cat > /dev/null; exec sleep 300")
    restoring = begun(filled, "restore", "--replace", "--yes", str(made), MACMETER_PG_BIN=str(slow))
    while not half.exists() and restoring.poll() is None:
        time.sleep(0.02)
    restoring.kill()
    restoring.communicate()
    # Its psql notices, and then PostgreSQL does: the tables can be locked again.
    assert chips_in(filled) == {"Apple M0"}


def chips_in(url: str) -> set[str]:
    engine = create_engine(database.normalise(url))
    with engine.connect() as connection:
        names = set(connection.scalars(select(Run.chip)))
    engine.dispose()
    return {str(chip) for chip in names}


def test_a_backup_that_was_cut_or_changed_is_refused(
    made: Path, filled: str, tmp_path: Path
) -> None:
    execute(filled, "UPDATE runs SET chip = 'Apple M0'")
    content = made.read_bytes()
    damaged = tmp_path / "damaged.backup"
    for changed, words in (
        (content[:2_000], "complete Macmeter backup: it has no manifest at its end"),
        (content[:1_000] + b"\0" + content[1_001:], "its dump is not what its manifest says"),
        (content[:700], "complete Macmeter backup"),
        (b"", "complete Macmeter backup"),
    ):
        damaged.write_bytes(changed)
        for refuse in (
            lambda: restore(filled, damaged, replace=True, confirmed=True),
            lambda: verify_backup(damaged),
        ):
            with pytest.raises(InputError, match=words):
                refuse()
    assert chips_in(filled) == {"Apple M0"}


def rewritten(archive: Path, **changes: Any) -> Path:
    """The backup with another manifest."""
    target = archive.with_name("rewritten.backup")
    with tarfile.open(archive) as old, tarfile.open(target, "w") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            data = content.read()
            if member.name == "manifest.json":
                data = orjson.dumps(orjson.loads(data) | changes)
                member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return target


def test_a_manifest_that_does_not_fit_is_noticed(made: Path, filled: str) -> None:
    tables = Backup(made).manifest.tables
    wrong = verify_backup(rewritten(made, tables={**tables, "runs": 13, "ghosts": 1}))
    assert wrong == ["ghosts: 0 rows, 1 by the manifest", "runs: 11 rows, 13 by the manifest"]
    newer = rewritten(made, revision="9999", made_by="macmeter 9.0")
    with pytest.raises(InputError, match=r"made by a newer version \(macmeter 9.0, schema 9999\)"):
        restore(filled, newer, replace=True, confirmed=True)


# Each change to a run, and the error reported.
CORRUPTION = {
    "UPDATE documents SET sha256 = sha256('x')": "its document is not the one that was received",
    "UPDATE documents SET compressed = 'x'": "its document can't be unpacked",
    "UPDATE runs SET chip = 'Apple M0'": "chip is 'Apple M0', by its document 'Apple M4 Pro'",
    "UPDATE run_results SET medians = '{7,7}'": "disk.read_average: median is 7.0, by its docu",
    "UPDATE run_results SET steps = 'four'": "disk.read_average: its samples are not those",
    "DELETE FROM run_results": "disk.write_average: the result is missing",
    "UPDATE run_results SET series = '{-1,-2}'": "a series without a name: a result that its",
    "DELETE FROM run_ids": "its id is not taken: it could be stored twice",
    "DELETE FROM documents": "it has no document",
    "DELETE FROM runs": "its id is taken, and it is not stored",
    "UPDATE runs SET derivation_version = 99": "its results are of a newer version",
}


def test_whatever_is_wrong_with_a_run_is_found_and_named(filled: str) -> None:
    assert verify_database(filled) == []
    engine = create_engine(database.normalise(filled))
    with engine.begin() as connection:
        runs = list(connection.scalars(select(Run.run_id)))
        for run_id, statement in zip(runs, CORRUPTION, strict=True):
            connection.execute(text(f"{statement} WHERE run_id = :run_id"), {"run_id": run_id})
    engine.dispose()
    wrong = verify_database(filled)
    for run_id, words in zip(runs, CORRUPTION.values(), strict=True):
        faults = [line.removeprefix(f"run {run_id}: ") for line in wrong if str(run_id) in line]
        assert any(line.startswith(words) for line in faults), (words, faults)
    assert len({line.split(":")[0] for line in wrong}) == RUNS


def test_results_of_an_older_version_are_not_wrong(
    filled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(filled, "UPDATE runs SET derivation_version = 1, chip = 'Apple M0'")
    assert verify_database(filled) == []
    assert "results of 11 runs are of an older version" in capsys.readouterr().err


BAD_INPUT = {
    "backup without a place": (["backup"], 2, "the following arguments are required: DIR|FILE"),
    "backup to no folder": (["backup", "no/where"], 2, "no/where: there is no directory no."),
    "backup of nothing": (["backup", "x"], 2, "the database holds nothing of Macmeter's."),
    "restore of no file": (["restore", "none"], 2, "none: there is no such file."),
    "restore of a folder": (["restore", "."], 2, ". is a directory: name a backup in it."),
    "restore of a text": (["restore", "TEXT"], 2, "TEXT isn't a complete Macmeter backup"),
    "restore of a tar": (["restore", "TAR"], 2, "TAR isn't a complete Macmeter backup"),
    "verify of no file": (["verify", "none"], 2, "none: there is no such file."),
    "verify of a text": (["verify", "TEXT"], 2, "TEXT isn't a complete Macmeter backup"),
    "verify of nothing": (["verify"], 2, "the database holds nothing of Macmeter's; this version"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_told_with_what_to_do(
    case: str,
    elsewhere: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments, status, words = BAD_INPUT[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", elsewhere)
    Path("TEXT").write_text("hello")
    with tarfile.open("TAR", "w") as tar:
        tar.add("TEXT")
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    errors = capsys.readouterr().err
    assert (exit_info.value.code, words in errors) == (status, True), errors
    assert {file.name for file in tmp_path.iterdir()} == {"TEXT", "TAR"}


def test_tables_of_another_program_are_never_dropped(made: Path, elsewhere: str) -> None:
    execute(elsewhere, "CREATE TABLE orders (id int)")
    with pytest.raises(InputError, match=r"tables that are not Macmeter's \(orders\)"):
        restore(elsewhere, made, replace=True, confirmed=True)
