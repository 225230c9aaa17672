"""`macmeter-server export`: imported elsewhere, its runs are unchanged."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from backports import zstd
from macmeter.accounts.tokens import Visibility
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Demo, Document, Fleet, Run
from macmeter.platform import database
from macmeter.questions.question import parse_run_terms
from macmeter.runs.transfer.exporting import ExportSelection, export
from macmeter.schemas.runs import WithdrawnBy
from macmeter.server.cli import main
from sqlalchemy import create_engine, insert, select, update
from support import people
from support.commands import command
from support.databases import fresh_database
from support.documents import by_file_size, disk_run
from support.server import Server, serving

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
QUESTIONS = [
    "answer?metric=disk.write_average&metric=disk.read_average&by=storage&by=encryption",
    "answer?metric=disk.write_average&by=month&by=chip&flagged=include",
    "answer?metric=disk.write_speed&by=file_size",
    "facets?metric=disk.write_average",
    "runs?limit=200",
    "machines?limit=200",
]


@pytest.fixture
def elsewhere(cluster: EmbeddedPostgres) -> Iterator[str]:
    """Another database, as empty as a new server's."""
    with fresh_database(cluster) as name:
        yield cluster.url(name)


async def story(server: Server) -> None:
    """Upload public, fleet, withdrawn, reported and doubtful runs, and one over several lines."""
    withdrawn, doubted = disk_run(write=1e9), disk_run(write=2e9)
    await server.stored(withdrawn, doubted, disk_run(warnings=[{"code": "flush_failed"}]))
    await server.stored(disk_run(series=by_file_size({2_000_000: [3e9, 4e9], 4_000_000: [5e9]})))
    fleet = server.token("fleet")
    for storage in ("usb4", "internal"):
        assert (await server.put(disk_run(storage=storage), fleet)).status_code == 201
    pretty = disk_run(labels={"rack": 'B","document":{ ü'})
    content = json.dumps(pretty, indent=2, ensure_ascii=False).encode()
    assert (await server.put(content, run_id=str(pretty["id"]))).status_code == 201
    command(server.database_url, "withdraw", str(withdrawn["id"]), "--reason", 'A "mistake",\nmine')
    reason = {"reason": 'too fast ","document":{'}
    response = await server.client.post(f"/api/v1/runs/{doubted['id']}/doubts", json=reason)
    assert response.status_code == 201, response.text


async def answers(database_url: str) -> list[object]:
    async with serving(database_url) as server:
        responses: list[object] = []
        for question in QUESTIONS:
            response = await server.client.get(f"/api/v1/{question}")
            assert response.status_code == 200, response.text
            responses.append({k: v for k, v in response.json().items() if k != "as_of"})
        return responses


def rows(database_url: str) -> list[object]:
    """Data about runs, without values that a server assigns: the ids of tokens and fleets."""
    engine = create_engine(database.normalise(database_url))
    skipped = {"token_id", "fleet_id"}
    columns = [column for column in Run.__table__.columns if column.name not in skipped]
    with engine.connect() as connection:
        rows_found = [
            *connection.execute(select(*columns).order_by(Run.run_id)),
            *connection.execute(select(Document.__table__).order_by(Document.run_id)),
        ]
    engine.dispose()
    return [tuple(row) for row in rows_found]


async def test_runs_come_back_equal_and_are_exported_as_the_same_bytes(
    server: Server, elsewhere: str, tmp_path: Path
) -> None:
    await story(server)
    first, second = tmp_path / "first.ndjson.zst", tmp_path / "second.ndjson.zst"
    process = command(server.database_url, "export", str(first))
    assert (process.returncode, process.stderr) == (0, "export: 7 runs written\n")
    assert first.stat().st_mode & 0o777 == 0o600
    brought = command(elsewhere, "import", str(first))
    assert brought.returncode == 0, brought.stderr
    assert "import: 7 runs stored" in brought.stderr
    assert rows(elsewhere) == rows(server.database_url)
    assert await answers(elsewhere) == await answers(server.database_url)
    assert export(elsewhere, str(second), None, ExportSelection()) == 0
    assert second.read_bytes() == first.read_bytes()


async def test_what_is_exported_can_be_chosen(server: Server, tmp_path: Path) -> None:
    await story(server)
    file = tmp_path / "runs"

    def ids(*where: str, **options: Any) -> set[str]:
        selection = ExportSelection(parse_run_terms(list(where)), **options)
        assert export(server.database_url, str(file), None, selection) == 0
        lines = [json.loads(line) for line in file.read_bytes().splitlines()]
        return {(line.get("document") or json.loads(line["text"]))["id"] for line in lines}

    all_ids, public, fleet = ids(), ids(public=True), ids(fleet="local")
    assert (len(all_ids), len(public), len(fleet)) == (7, 5, 2)
    assert public | fleet == all_ids
    assert len(ids("storage:usb4")) == 1
    assert ids("storage:usb4", public=True) == set()
    for kind, unpacked in (("gzip", gzip.decompress), ("zstd", zstd.decompress)):
        export(server.database_url, str(file), kind, ExportSelection())
        assert len(unpacked(file.read_bytes()).splitlines()) == 7


async def test_fleets_of_each_visibility_and_withdrawals_by_anybody_come_back(
    server: Server, elsewhere: str, tmp_path: Path
) -> None:
    """Except what retention withdrew, which its fleet doesn't keep."""
    url, visibilities, by = server.database_url, get_args(Visibility), get_args(WithdrawnBy)
    for visibility in visibilities:
        uploader = people.uploader_of(url, people.make_fleet(url, f"f {visibility}", visibility))
        assert (await server.put(disk_run(), uploader)).status_code == 201
    for whoever in by:
        run = disk_run()
        await server.stored(run)
        withdrawn = {"withdrawn_at": NOW, "withdrawn_by": whoever, "withdrawn_reason": "Busy."}
        with people.writing(url) as connection:
            connection.execute(update(Run).where(Run.run_id == run["id"]).values(withdrawn))
    first, second = tmp_path / "first", tmp_path / "second"
    process = command(url, "export", str(first))
    count = len(visibilities) + len(by) - 1
    assert (process.returncode, process.stderr) == (0, f"export: {count} runs written\n")
    brought = command(elsewhere, "import", str(first))
    assert brought.returncode == 0, brought.stderr
    for database_url in (url, elsewhere):
        with people.writing(database_url) as connection:
            fleet_rows = connection.execute(select(Fleet.name, Fleet.visibility))
            fleets = {row.name: row.visibility for row in fleet_rows}
        assert {f"f {v}": v for v in visibilities}.items() <= fleets.items()
    assert export(elsewhere, str(second), None, ExportSelection()) == 0
    assert second.read_bytes() == first.read_bytes()


async def test_a_line_that_was_changed_is_refused(
    server: Server, elsewhere: str, tmp_path: Path
) -> None:
    await server.stored(disk_run(write=1e9), disk_run(write=1e9))
    line, other = command(server.database_url, "export", "-").stdout.splitlines()
    file = tmp_path / "runs.ndjson"
    changed = [
        line.replace("1000000000.0", "9000000000.0"),
        json.dumps(json.loads(line)),
        line.replace('"visibility":"public"', '"visibility":"everybody"'),
        line.split(',"document"')[0] + "}",
        other,
    ]
    file.write_text("\n".join(changed))
    process = command(elsewhere, "import", str(file))
    assert process.returncode == 1
    refused = [line.removeprefix(f"{file}:") for line in process.stderr.splitlines()[:-1]]
    assert refused == [
        "1: /sha256: The document is not the one that was exported: its SHA-256 is another.",
        "2: The line was changed after its export.",
        "3: /visibility: Must be 'public' or 'private'.",
        "4: /document: The line has no document.",
    ]
    assert "1 run stored, 4 lines refused" in process.stderr


async def test_a_demos_runs_stay_with_demos(server: Server, elsewhere: str, tmp_path: Path) -> None:
    await server.stored(disk_run())
    engine = create_engine(database.normalise(server.database_url))
    values = {"machines": 20, "every": 1, "seed": 1, "base": "2026-11-16T00:00:00Z"}
    with engine.begin() as connection:
        connection.execute(insert(Demo).values(values))
    engine.dispose()
    file = tmp_path / "demo.ndjson"
    assert export(server.database_url, str(file), None, ExportSelection()) == 0
    process = command(elsewhere, "import", str(file))
    assert f"{file}:1: /demo: A demo's run is invented" in process.stderr
    assert command(server.database_url, "import", str(file)).returncode == 0


async def test_a_damaged_document_is_named_and_the_others_are_written(
    server: Server, tmp_path: Path
) -> None:
    good, bad = disk_run(), disk_run()
    await server.stored(good, bad)
    engine = create_engine(database.normalise(server.database_url))
    with engine.begin() as connection:
        is_it = Document.run_id == bad["id"]
        connection.execute(update(Document).where(is_it).values(sha256=b"\0" * 32))
    engine.dispose()
    process = command(server.database_url, "export", "-")
    assert (process.returncode, len(process.stdout.splitlines())) == (1, 1)
    assert f"run {bad['id']}: its document is damaged; left out" in process.stderr


BAD_INPUT = {
    "no FILE": ([], "name a FILE, or a directory with --parquet DIR"),
    "no folder": (["there/is/none"], "there/is/none: No such file or directory."),
    "a folder": (["."], ". is a directory: name a file in it."),
    "unknown fleet": (["--fleet", "x", "-"], "--fleet x: there is no such fleet. Fleets here:"),
    "a filter": (["--where", "colour:red", "-"], '--where: Unknown dimension "colour"'),
    "of samples": (
        ["--where", "file_size:1", "-"],
        "--where: Runs can't be filtered by file_size, a property of single samples.",
    ),
    "compression": (["--compress", "xz", "-"], "argument --compress: invalid choice: 'xz'"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_told_with_what_to_do(
    case: str,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments, words = BAD_INPUT[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)
    with pytest.raises(SystemExit) as exit_info:
        main(["export", *arguments])
    errors = capsys.readouterr().err
    assert (bool(exit_info.value.code), words in errors) == (True, True), errors
    assert list(tmp_path.iterdir()) == []
