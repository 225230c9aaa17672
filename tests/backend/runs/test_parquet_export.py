"""The corpus as a data set: DuckDB gives the server's digits, and only changes are written."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import duckdb
import pytest
from macmeter.models import Fleet
from macmeter.platform import database
from macmeter.platform.settings import CHECKOUT
from macmeter.runs.transfer.dataset import write_dataset
from macmeter.runs.transfer.files import Interrupted
from macmeter.server.cli import main
from sqlalchemy import update
from support.commands import command, ndjson
from support.dataset import MONTHS, QUESTIONS, Answered, Asked, of_rows, of_server, runs
from support.documents import disk_run
from support.server import Server

GUIDE = CHECKOUT / "docs/dataset.md"


async def exported(server: Server, target: Path) -> None:
    await asyncio.to_thread(write_dataset, server.database_url, target)


def asked(target: Path, asked: Asked) -> Answered:
    """DuckDB's answer."""
    table = f"read_parquet('{target}/*/*/*.parquet', hive_partitioning = true)"
    return of_rows(duckdb.execute(asked.sql(table)).fetchall())


async def assert_equal(server: Server, target: Path) -> None:
    for question in QUESTIONS:
        expected = of_server(question, await server.answer(question.address))
        assert expected, question
        assert asked(target, question) == expected, question


def files(target: Path) -> dict[str, int]:
    """Each file's inode, which changes if it is rewritten."""
    return {str(path.relative_to(target)): path.stat().st_ino for path in target.rglob("*.parquet")}


@pytest.mark.thorough
async def test_duckdb_answers_with_the_servers_digits(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "corpus"
    file = ndjson(tmp_path / "runs.ndjson", runs(160))
    assert command(server.database_url, "import", "--public", str(file)).returncode == 0
    private = server.token("fleet")
    assert (await server.put(disk_run(write=9e9), private)).status_code == 201
    await exported(server, target)
    await assert_equal(server, target)
    first = files(target)
    assert {f"month={month}/suite=disk/results.parquet" for month in MONTHS} <= first.keys()

    # Only what changes is rewritten.
    late = disk_run(started_at="2026-10-05T10:00:00Z")
    other = disk_run(started_at="2026-07-05T10:00:00Z")
    tokens = {run["id"]: server.token() for run in (late, other)}
    for run in (late, other):
        assert (await server.put(run, tokens[run["id"]])).status_code == 201
    await exported(server, target)
    assert "2 files of" in capsys.readouterr().err
    changed = {path for path, inode in files(target).items() if first.get(path) != inode}
    assert changed == {f"month=2026-{month}/suite=disk/results.parquet" for month in ("07", 10)}
    await assert_equal(server, target)
    await exported(server, target)
    assert "0 files of" in capsys.readouterr().err

    # Removed from the corpus is removed from the files, with the month that had nothing else.
    for run in (late, other):
        withdrawn = await server.client.put(
            f"/api/v1/runs/{run['id']}/withdrawal",
            json={"reason": "Measured while it was a test."},
            headers={"Authorization": f"Bearer {tokens[run['id']]}"},
        )
        assert withdrawn.is_success, withdrawn.text
    await exported(server, target)
    assert "month=2026-07/suite=disk/results.parquet" not in files(target)
    assert not (target / "month=2026-07").exists()
    await assert_equal(server, target)


async def test_a_fleet_that_opens_comes_in_and_goes_when_it_closes(
    server: Server, tmp_path: Path
) -> None:
    target = tmp_path / "corpus"
    run = disk_run()
    assert (await server.put(run, server.token("fleet"))).status_code == 201
    counts = []
    engine = database.engine(server.database_url)
    for visibility in ("private", "public", "private"):
        async with engine.begin() as connection:
            await connection.execute(update(Fleet).values(visibility=visibility))
        await exported(server, target)
        counts.append(len(files(target)))
    await engine.dispose()
    assert counts == [0, 1, 0]


async def test_an_interrupted_export_goes_on(server: Server, tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    await server.stored(disk_run())
    (target / "month=2026-11/suite=disk/results.parquet").mkdir(parents=True)
    (target / "_macmeter.json").write_text(
        '{"version": "macmeter.corpus/1", "log": "00000000-0000-0000-0000-000000000000",'
        ' "snapshot": "1:1:", "public_fleets": [], "parts": []}'
    )
    with pytest.raises(Interrupted, match="goes on from here"):
        await exported(server, target)
    (target / "month=2026-11/suite=disk/results.parquet").rmdir()
    await exported(server, target)
    assert list(files(target)) == ["month=2026-11/suite=disk/results.parquet"]
    assert list(target.rglob("*.part")) == []


BAD_INPUT = {
    "no file": ([], "name a FILE, or a directory with --parquet DIR"),
    "both": (["x.ndjson", "--parquet", "new"], "FILE does not go with --parquet"),
    "filter": (["--parquet", "new", "--where", "chip:M4"], "--where does not go with --parquet"),
    "fleet": (["--parquet", "new", "--fleet", "local"], "--fleet does not go with --parquet"),
    "file": (["--parquet", "file"], "file isn't a directory"),
    "used": (["--parquet", "used"], "used holds something else"),
    "damaged": (["--parquet", "damaged"], "is damaged: delete it"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_told_and_changes_nothing(
    case: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments, words = BAD_INPUT[case]
    (tmp_path / "file").write_text("mine")
    for name, content in (("used/mine", "mine"), ("damaged/_macmeter.json", "{")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    # Refused before any database is opened.
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(SystemExit) as exit_info:
        main(["export", *arguments])
    errors = capsys.readouterr().err
    assert (exit_info.value.code, words in errors) == (2, True), errors
    assert sorted(tmp_path.rglob("*")) == before


async def test_the_guides_examples_run(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(*runs(8))
    await exported(server, tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```sql\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    assert examples
    for example in examples:
        query = f"SELECT count(*) FROM ({example.strip().removesuffix(';')})"  # noqa: S608
        assert duckdb.execute(query).fetchall() > [(0,)], example
