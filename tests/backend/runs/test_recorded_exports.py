"""An export of 0.1: its runs can be imported again, and its data set keeps its columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
from support import recorded
from support.commands import command
from support.live_server import LiveServer

Json = dict[str, Any]


def lines(path: Path) -> dict[str, Json]:
    """Lines of an export by run, without each line's checksum, which covers all of it."""
    texts = [json.loads(line) for line in recorded.opened(path).splitlines()]
    return {
        line["document"]["id"]: {n: v for n, v in line.items() if n != "sha256"} for line in texts
    }


def test_an_export_of_0_1_is_imported_and_exported_again(database_url: str, tmp_path: Path) -> None:
    before = recorded.FOLDER / "export.ndjson.gz"
    imported = command(database_url, "import", str(before), ACCEPT_SIMULATED="1")
    assert imported.returncode == 0, imported.stderr
    after = tmp_path / "again.ndjson.gz"
    exported = command(database_url, "export", str(after))
    assert exported.returncode == 0, exported.stderr
    then, now = lines(before), lines(after)
    assert now.keys() == then.keys()
    for run_id, line in then.items():
        assert {name: now[run_id].get(name) for name in line} == line


def test_the_data_set_keeps_its_columns_and_its_rows(
    upgraded_server: LiveServer, tmp_path: Path
) -> None:
    now = tmp_path / "corpus.parquet"
    now.write_bytes(upgraded_server.ask("/api/v1/corpus.parquet").raise_for_status().content)
    then = recorded.FOLDER / "corpus.parquet"
    assert columns(now)[: len(columns(then))] == columns(then)
    assert rows(then) <= rows(now)


def columns(path: Path) -> list[tuple[str, str]]:
    with duckdb.connect() as connection:
        read = connection.read_parquet(str(path))
        return list(zip(read.columns, map(str, read.types), strict=True))


def rows(path: Path) -> set[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        read = connection.read_parquet(str(path))
        return {*read.project("run_id, metric, file_size, threads").fetchall()}
