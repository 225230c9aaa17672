"""The agent's C compiles with macOS's own headers, and its stubs agree with them."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from macmeter.platform.settings import CHECKOUT

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

darwin: Any = importlib.import_module("darwin")

STUBS = CHECKOUT / "agent" / "Tests" / "DarwinStubs"


@pytest.fixture
def stubs(tmp_path: Path) -> Path:
    copy = tmp_path / "stubs"
    shutil.copytree(STUBS, copy)
    return copy


def test_every_source_for_a_mac_is_compiled() -> None:
    names = {path.name for path in darwin.sources()}
    assert {"loops_arm64.S", "command_spawn.c", "direct_io.c", "own_threads.c"} <= names
    assert "socket_polling.c" not in names


def test_another_constant_than_apples_is_found(stubs: Path) -> None:
    assert darwin.complaints(stubs) == []
    darwin_stubs = stubs / "Darwin.swift"
    text = darwin_stubs.read_text()
    for name, value in darwin.CONSTANT.findall(text):
        darwin_stubs.write_text(text.replace(f"{name}: Int32 = {value}", f"{name}: Int32 = 7"))
        if name == "F_NOCACHE":
            [complaint] = darwin.complaints(stubs)
            assert f"{name} is not 7" in complaint
    assert {"F_NOCACHE", "F_FULLFSYNC"} <= {name for name, _ in darwin.CONSTANT.findall(text)}


def test_another_type_than_apples_is_found(stubs: Path) -> None:
    headers = stubs / "headers.c"
    headers.write_text(
        headers.read_text().replace("size_t, char *));", "size_t, unsigned char *));")
    )
    [complaint] = darwin.complaints(stubs)
    assert "mincore has another type" in complaint


def test_what_a_mac_does_not_compile_is_found(tmp_path: Path) -> None:
    source = tmp_path / "faulty.c"
    source.write_text("#include <sys/epoll.h>\n")
    assert "sys/epoll.h" in darwin.compile_for_macos(source, tmp_path)
    source.write_text("int sum(int one) { int unused; return one; }\n")
    assert "unused" in darwin.compile_for_macos(source, tmp_path)
