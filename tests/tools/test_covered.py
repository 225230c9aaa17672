"""tools/covered.py, on reports in the formats of pytest-cov, Vitest and Swift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import covered
import pytest

SWIFT = {
    "data": [
        {
            "files": [
                {
                    "filename": "/x/agent/Sources/Base/A.swift",
                    "summary": {"lines": {"count": 1000, "covered": 900}},
                },
                {
                    "filename": "/x/agent/Tests/BaseTests/ATests.swift",
                    "summary": {"lines": {"count": 500, "covered": 500}},
                },
            ]
        }
    ]
}
REPORTS: dict[str, Any] = {
    "build/coverage.json": {"totals": {"covered_lines": 30, "num_statements": 40}},
    "build/coverage-frontend/coverage-summary.json": {
        "total": {"lines": {"covered": 1, "total": 4}}
    },
    "agent/.build/x86_64-unknown-linux-gnu/debug/codecov/macmeter.json": SWIFT,
}


def test_each_part_that_was_tested_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(covered, "ROOT", tmp_path)
    covered.main()
    assert len(capsys.readouterr().out.splitlines()) == 2, "nothing was tested"
    for name, report in REPORTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(report))
    covered.main()
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| Server | 30 | 40 | 75% |",
        "| Dashboard | 1 | 4 | 25% |",
        "| Agent | 900 | 1,000 | 90% |",
    ]
