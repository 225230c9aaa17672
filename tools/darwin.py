#!/usr/bin/env python3
"""Compile the agent's C and assembly for macOS, and check its stubs against Apple's headers.

Zig brings macOS's own headers. The stubs in agent/Tests/DarwinStubs replace them where Swift is
checked without a Mac: a wrong constant there would otherwise only be found on one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "agent" / "Sources"
STUBS = ROOT / "agent" / "Tests" / "DarwinStubs"
# Compiled only on Linux: Package.swift says so.
LINUX_ONLY = {"SocketPolling"}
CONSTANT = re.compile(r"^public let (\w+): \w+ = (\d+)$", re.MULTILINE)
COMPILER = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-macos"]
OPTIONS = ["-std=c11", "-Wall", "-Wextra", "-Werror", '-DMACMETER_COMMIT=""', "-c"]


def sources(folder: Path = SOURCES) -> Iterator[Path]:
    """All C and assembly files that are compiled on a Mac."""
    for path in sorted([*folder.glob("*/*.c"), *folder.glob("*/*.S")]):
        if path.parent.name not in LINUX_ONLY:
            yield path


def assertions(stubs: str) -> str:
    """Return C that compiles if the headers have the constants of these stubs."""
    return "".join(
        f'_Static_assert({name} == {value}, "{name} is not {value}");\n'
        for name, value in CONSTANT.findall(stubs)
    )


def compile_for_macos(source: Path, build: Path, *options: str) -> str:
    """Return the compiler's complaints; empty if there are none."""
    include = source.parent / "include"
    process = subprocess.run(
        [*COMPILER, *OPTIONS, *options, "-I", include, source, "-o", build / f"{source.name}.o"],
        capture_output=True,
        text=True,
        check=False,
    )
    return process.stderr if process.returncode else ""


def complaints(stubs: Path = STUBS) -> list[str]:
    """Return everything that a Mac's compiler would reject."""
    with tempfile.TemporaryDirectory() as directory:
        build = Path(directory)
        constants = assertions((stubs / "Darwin.swift").read_text(encoding="utf-8"))
        (build / "constants.h").write_text(constants)
        headers = compile_for_macos(stubs / "headers.c", build, "-I", directory)
        outputs = [compile_for_macos(source, build) for source in sources()]
    return [complaint for complaint in [headers, *outputs] if complaint]


if __name__ == "__main__":
    errors = complaints()
    print("\n".join(errors), end="")
    sys.exit(1 if errors else 0)
