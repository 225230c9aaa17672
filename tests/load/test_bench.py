"""`make bench` keeps what it has measured, whatever happens to the rest."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from load import bench


def measured(name: str) -> SimpleNamespace:
    figure = {"name": name, "value": 1, "unit": "s", "reference": 1, "ratio": 1.0, "n": 1}
    return SimpleNamespace(figures=lambda: [figure])


def stopped_by(error: BaseException) -> SimpleNamespace:
    def figures() -> Any:
        raise error

    return SimpleNamespace(figures=figures)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "TARGET", tmp_path / "bench.json")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, **modules: SimpleNamespace) -> int:
    monkeypatch.setattr(bench, "MEASURED_BY", {name: [name] for name in modules})
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, f"load.{name}", module)
    return bench.main()


def kept(root: Path) -> list[str]:
    return [figure["name"] for figure in json.loads((root / "bench.json").read_text())]


def test_a_measurement_that_fails_loses_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = stopped_by(ValueError("no such disk"))
    assert run(monkeypatch, a=measured("a"), b=failing, c=measured("c")) == 1
    assert kept(root) == ["a", "c"]


def test_a_bench_that_is_stopped_keeps_what_it_has(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, a=measured("a"), b=stopped_by(SystemExit(143)))
    assert kept(root) == ["a"]


def test_what_a_killed_bench_left_is_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".bench-disk-x" / "files").mkdir(parents=True)
    assert run(monkeypatch, a=measured("a")) == 0
    assert not list(root.glob(".bench-*"))


def test_what_takes_long_is_measured_by_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "BY_NAME", {"b"})
    assert run(monkeypatch, a=measured("a"), b=measured("b")) == 0
    assert kept(root) == ["a"]
    assert bench.main("b") == 0
    assert kept(root) == ["b"]
    measuring = measured("a")
    measuring.thorough_figures = measured("thorough").figures
    monkeypatch.setitem(sys.modules, "load.a", measuring)
    assert bench.main("a") == 0
    assert kept(root) == ["thorough"]
