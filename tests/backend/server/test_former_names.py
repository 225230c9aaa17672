"""An upgrade from 0.1: its columns are removed, and their former names work for one version."""

from __future__ import annotations

from pathlib import Path

import pytest
from macmeter.platform.settings import FORMER_NAMES, Settings
from macmeter.server.prepare import remove_obsolete_files


def test_columns_of_an_older_version_are_removed_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "141e9e1a-249b-4451-90cc-efbae078145c-5"
    database.mkdir()
    columns = [database / name for name in ("1.segment", "12.names", "building.json")]
    other_files = [database / "manifest.json", tmp_path / "1.segment", tmp_path / "a-b.txt"]
    for path in (*columns, *other_files):
        path.write_text("")
    remove_obsolete_files(tmp_path / "none", tmp_path)
    assert [path.exists() for path in (*columns, *other_files)] == [False] * 3 + [True] * 3
    assert "Removing the columns of an older version" in capfd.readouterr().err
    remove_obsolete_files(tmp_path)
    assert capfd.readouterr().err == ""


def test_former_names_of_settings_work_and_the_log_names_the_new_ones(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS_DIR", "/var/cache/macmeter")
    monkeypatch.setenv("COLUMNS_LAG_SECONDS", "60")
    settings = Settings()
    assert settings.dataset_dir == Path("/var/cache/macmeter")
    assert settings.dataset_lag_seconds == 60
    remove_obsolete_files(tmp_path)
    errors = capfd.readouterr().err
    for former, name in FORMER_NAMES.items():
        assert f"{former} is called {name} now" in errors
    monkeypatch.setenv("DATASET_DIR", "/new")
    assert Settings().dataset_dir == Path("/new")


def test_the_data_set_has_a_short_name_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATASET", "/shared")
    assert Settings().dataset_dir == Path("/shared")
    monkeypatch.setenv("DATASET_DIR", "/new")
    assert Settings().dataset_dir == Path("/new")
