"""docs/published.md is what the data says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from macmeter.ingest.published import table


def test_it_is_not_stale() -> None:
    assert table.main(["--check"]) == 0, "docs/published.md is stale: make generate"


def test_it_has_every_row_once() -> None:
    rows = re.findall(r"^\| (m\d{3}) \|", table.table(), flags=re.MULTILINE)
    assert sorted(rows) == [f"m{number:03}" for number in range(1, 303)]


def test_every_row_says_where_or_why() -> None:
    for line in table.table().splitlines():
        if re.match(r"\| m\d{3} \|", line):
            assert len(line.split(" | ")[-1]) > 5, line


def test_a_stale_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(table, "DOCUMENT", tmp_path / "docs" / "published.md")
    assert table.main(["--check"]) == 1
    assert "stale" in capsys.readouterr().err
    assert table.main([]) == 0
    assert table.main(["--check"]) == 0
