"""The compiled loops are made from their source, by whatever compiler there is."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from macmeter.compiled import build as building
from macmeter.compiled.build import NoCompilerError, build, compiler, library


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One of the sources, in a folder with copies of all."""
    for path in building.FOLDER.glob("*.[ch]"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(building, "FOLDER", tmp_path)
    return tmp_path / "rows.c"


def test_another_source_is_another_library(source: Path) -> None:
    first = build()
    assert first.exists()
    source.write_text(source.read_text() + "\n/* Changed. */\n")
    assert library() != first
    second = build()
    assert [*source.parent.glob("loops-*")] == [second]


def test_a_source_with_a_fault_leaves_nothing(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    source.write_text("int unfinished(")
    with pytest.raises(subprocess.CalledProcessError):
        build()
    assert not [*source.parent.glob("loops-*.so")]


def test_a_compiler_is_named_by_cc_or_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", "ccache my-cc")
    assert compiler() == ["ccache", "my-cc"]
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NoCompilerError, match="install gcc or clang"):
        compiler()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    assert compiler() == [sys.executable, "-m", "ziglang", "cc"]
    (tmp_path / "clang").touch(mode=0o755)
    assert compiler() == ["clang"]


def test_a_server_without_its_loops_says_what_to_run(tmp_path: Path) -> None:
    """What is imported is a copy without a library."""
    package = tmp_path / "macmeter"
    ignored = shutil.ignore_patterns("loops-*", "__pycache__")
    shutil.copytree(Path(building.__file__).parents[1], package, ignore=ignored)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    line = shlex.join([sys.executable, "-c", "import macmeter.columns.view"])
    failed = subprocess.run(
        shlex.split(line), env=environment, capture_output=True, text=True, check=False
    )
    assert failed.returncode != 0
    assert "run `python -m macmeter.compiled.build`" in failed.stderr
