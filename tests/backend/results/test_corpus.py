"""Downloads from the data set agree with the tables line by line, and leave nothing behind."""

from __future__ import annotations

import asyncio
import csv
import io
import multiprocessing
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from macmeter import catalog
from macmeter.accounts.scope import COMMONS
from macmeter.documents.stored import series_key, stored_samples
from macmeter.platform.plain_text import DISARMED, FORMULA
from macmeter.questions.export import cell
from macmeter.results.dataset import corpus, downloads, mirror, writer
from macmeter.results.dataset.corpus import COLUMNS, rows_statement
from macmeter.results.dataset.downloads import CSV_OPTIONS, stream
from macmeter.results.dataset.files import OutrunError
from macmeter.results.dataset.mirror import snapshot_of
from macmeter.statistics.summary import summarise
from sqlalchemy import text
from support.data_set import directory_below, written
from support.databases import transaction
from support.documents import disk_run
from support.random_runs import Random, snapshot
from support.server import Server
from support.thorough import some

Line = dict[str, Any]
Key = tuple[Any, ...]
FIGURES = ("mean", "min", "p10", "p25", "p75", "p90", "max")
# Independent of the data set's own queries.
_TABLES = text("""
    SELECT runs.*, result.median, result.n, result.doubtful, result.flags AS of_result,
        result.printed, result.qualifier, series.metric, series.parameters, documents.compressed
    FROM runs JOIN results AS result USING (machine_id, run_id)
        JOIN series USING (series_id) JOIN documents USING (machine_id, run_id)
        LEFT JOIN fleets ON fleets.fleet_id = runs.fleet_id
    WHERE withdrawn_at IS NULL AND (runs.visibility = 'public' OR fleets.visibility = 'public')
""")


async def put_by(server: Server, directory: Path, root: Path | None) -> None:
    """Write everything public, from the files in `root` and later changes."""
    directory.mkdir()
    async with snapshot(server, root) as connection:
        downloads.freeze(await snapshot_of(connection), COMMONS, (), directory)


def found_in(directory: Path) -> dict[Key, Line]:
    with downloads.open_copy(directory) as connection:
        times = ", ".join(f"epoch_us({name}) AS {name}" for name in ("started_at", "received_at"))
        query = rows_statement(as_csv=False)
        rows = connection.execute(f"SELECT * REPLACE ({times}) FROM ({query})")  # noqa: S608
        names = [column.name for column in COLUMNS]
        lines_read = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
    key_names = ("run_id", "metric", *corpus.OF_SAMPLES)
    by_key = {tuple(line[name] for name in key_names): line for line in lines_read}
    assert len(by_key) == len(lines_read)
    return by_key


def expected_of(url: str) -> dict[Key, Line]:
    with transaction(url) as connection:
        rows = [row._mapping for row in connection.execute(_TABLES)]
    return {_key(row): _line(row) for row in rows}


def _key(row: Any) -> Key:
    parameters = (row["parameters"].get(name) for name in corpus.OF_SAMPLES)
    return (str(row["run_id"]), row["metric"], *parameters)


def _line(row: Any) -> Line:
    samples = stored_samples(row["compressed"])[series_key(row["metric"], row["parameters"])]
    citation = row["citation"] or {}
    run_names = (n for n, d in catalog.DIMENSIONS.items() if d.of == "run")
    return {
        **{name: row[name] for name in run_names if name not in ("fleet", "machine")},
        "machine_id": None if row["unspecified"] else str(row["machine_id"]),
        "started_at": _microseconds(row["started_at"]),
        "received_at": _microseconds(row["received_at"]),
        "method_version": row["method_version"],
        "unit": catalog.METRICS[row["metric"]].unit.value,
        "run_flags": " ".join(row["flags"]),
        "flags": " ".join(row["of_result"] or ()),
        "p50": row["median"],
        "samples": row["n"],
        "citation_title": citation.get("title"),
        "citation_row": citation.get("row"),
        **{name: row[name] for name in ("doubtful", "printed", "qualifier")},
        **{name: pytest.approx(getattr(summarise(samples), name), rel=2e-3) for name in FIGURES},
    }


def _microseconds(at: Any) -> int | None:
    return None if at is None else round(at.timestamp() * 1e6)


def assert_as_tables(url: str, directory: Path) -> int:
    stored, expected = found_in(directory), expected_of(url)
    assert stored.keys() == expected.keys()
    for key, line in expected.items():
        assert {name: stored[key][name] for name in line} == line, key
        ordered = [stored[key][name] for name in ("min", "p10", "p25", "p50", "p75", "p90", "max")]
        assert ordered == sorted(ordered)
    return len(expected)


@pytest.mark.parametrize("seed", some(range(2)))
async def test_lines_are_as_the_tables_say_whatever_happened_to_runs(
    server: Server, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines come from files, with runs that have changed since, and from PostgreSQL alone."""
    monkeypatch.setattr(writer, "_SMALL_RUNS", 0)
    happening, root, most = Random(server, seed), tmp_path / "files", 0
    for step in range(6):
        for _ in range(8):
            await happening.step()
        if step % 2 == 0:
            await written(server.database_url, root)
        for name, files in (("followed", root), ("read", None)):
            directory = tmp_path / f"{name}-{step}"
            mirror.forget()
            await put_by(server, directory, files)
            most = max(most, assert_as_tables(server.database_url, directory))
    assert most > 20


async def test_what_an_article_prints_is_a_line_as_it_prints_it(
    published_server: Server, tmp_path: Path
) -> None:
    await put_by(published_server, tmp_path / "rows", None)
    assert assert_as_tables(published_server.database_url, tmp_path / "rows") > 100
    lines_found = found_in(tmp_path / "rows").values()
    assert any(line["printed"] and line["citation_author"] for line in lines_found)


async def test_where_a_fleet_keeps_medians_alone_nothing_is_said_of_samples(
    server: Server, tmp_path: Path
) -> None:
    run = disk_run(write=[5e9, 6e9, 7e9], read=[4e9])
    await server.stored(run)
    with transaction(server.database_url) as connection:
        connection.execute(text("UPDATE documents SET compressed = NULL"))
    await put_by(server, tmp_path / "rows", None)
    pooled, single = sorted(found_in(tmp_path / "rows").values(), key=lambda line: -line["samples"])
    assert (pooled["p50"], {pooled[name] for name in FIGURES}) == (6e9, {None})
    assert (single["p50"], {single[name] for name in FIGURES}) == (4e9, {4e9})


async def test_files_that_are_gone_are_not_left_out(server: Server, tmp_path: Path) -> None:
    await server.stored(disk_run())
    await written(server.database_url, tmp_path / "files")
    (tmp_path / "rows").mkdir()
    async with snapshot(server, tmp_path / "files") as connection:
        data = await snapshot_of(connection)
        next(directory_below(tmp_path / "files").glob("public/results-*")).unlink()
        with pytest.raises(OutrunError):
            downloads.freeze(data, COMMONS, (), tmp_path / "rows")
    mirror.forget()


async def test_a_download_goes_on_when_the_files_are_replaced(
    server: Server, tmp_path: Path
) -> None:
    await server.stored(*(disk_run() for _ in range(3)))
    await written(server.database_url, tmp_path / "files")
    await put_by(server, tmp_path / "rows", tmp_path / "files")
    for path in directory_below(tmp_path / "files").glob("public/*"):
        path.unlink()
    assert assert_as_tables(server.database_url, tmp_path / "rows") == 6


# --- sending


async def test_lines_end_as_rfc_4180_says_and_cells_keep_theirs(
    server: Server, tmp_path: Path
) -> None:
    device = 'a "drive",\nof two lines'
    await server.stored(disk_run())
    with transaction(server.database_url) as connection:
        connection.execute(text("UPDATE runs SET device = :device"), {"device": device})
    await put_by(server, tmp_path / "rows", None)
    content = b"".join([chunk async for chunk in stream(tmp_path / "rows", CSV_OPTIONS)]).decode()
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    assert {row["device"] for row in rows} == {device}
    assert content.count("\r\n") == 3
    assert content.replace("\r\n", "").count("\n") == 2


async def test_a_reader_that_goes_ends_the_writer(server: Server, tmp_path: Path) -> None:
    await server.stored(*(disk_run(labels={"x": "y" * 200}) for _ in range(60)))
    await put_by(server, tmp_path / "rows", None)
    with downloads.open_copy(tmp_path / "rows") as connection:  # more than a pipe holds
        more = "SELECT found.* FROM results AS found, range(100)"
        path = tmp_path / "rows" / "results.parquet"
        connection.execute(f"COPY ({more}) TO '{path}.new' (FORMAT parquet)")
    Path(f"{path}.new").replace(path)
    chunks = stream(tmp_path / "rows", CSV_OPTIONS)
    assert (await anext(chunks)).startswith(b"run_id,")
    await chunks.aclose()
    async with asyncio.timeout(20):
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0.05)


HOSTILE = (
    *('=HYPERLINK("x")', "+1", "-1", "@x", "\u2007=1", "\u200b=1", "\ufeff+1", "\x1c=1", "\tx"),
    *("\t=1", "a;=1", "a; =1;+2", ";;=1", "＝1", "a＝1", "", "plain", "a\n=1", "\x85@", "\u3000-"),
)


def test_duckdb_disarms_the_same_cells() -> None:
    with duckdb.connect() as connection:
        query = "SELECT regexp_replace(?, ?, ?, 'g')"
        for value in HOSTILE:
            ((disarmed,),) = connection.execute(query, [value, FORMULA, DISARMED]).fetchall()
            assert disarmed == cell(value), repr(value)
    assert re.sub(FORMULA, DISARMED, "=1") == "'=1"


# --- directories


@contextmanager
def abandoned(root: Path) -> Iterator[Path]:
    """Create a directory in a process that is then killed."""
    context = multiprocessing.get_context("fork")
    receiving, sending_end = context.Pipe(duplex=False)
    process = context.Process(target=_hold, args=(root, sending_end))
    process.start()
    path = receiving.recv()
    try:
        yield path
    finally:
        process.kill()
        process.join()


def _hold(root: Path, connection: Any) -> None:
    with downloads.new_directory(root) as path:
        (path / "rows").touch()
        connection.send(path)
        os.read(os.pipe()[0], 1)


def test_what_is_in_use_stays_and_what_was_left_is_removed(tmp_path: Path) -> None:
    with downloads.new_directory(tmp_path) as directory:
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        with abandoned(tmp_path) as other:
            for path in (directory, other):
                os.utime(path, (0, 0))
            downloads.remove_abandoned(tmp_path)
            assert (directory.exists(), other.exists()) == (True, True)
        downloads.remove_abandoned(tmp_path)
        assert (directory.exists(), other.exists()) == (True, False)
    assert not directory.exists()


async def test_whoever_writes_files_removes_what_was_left(server: Server, tmp_path: Path) -> None:
    with abandoned(tmp_path) as old, abandoned(tmp_path) as new:
        os.utime(old, (0, 0))
    await server.stored(disk_run())
    await written(server.database_url, tmp_path)
    # Whoever has just made one may not have locked it yet.
    assert (old.exists(), new.exists()) == (False, True)


async def test_only_the_owner_reads_what_is_put_by(server: Server, tmp_path: Path) -> None:
    await server.stored(disk_run())
    await written(server.database_url, tmp_path / "files")
    await server.stored(disk_run())
    await put_by(server, tmp_path / "rows", tmp_path / "files")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "rows").iterdir()}
    assert modes == {0o600}
