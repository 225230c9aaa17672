"""tools/words.py finds its phrases in each language, and nothing in code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from macmeter.platform.settings import CHECKOUT

TOOL = CHECKOUT / "tools" / "words.py"


def found(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, TOOL, path], capture_output=True, text=True, check=False)
    assert not done.stderr
    lines = done.stdout.splitlines()
    assert done.returncode == bool(lines)
    return lines[::2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "Figures stand\nbeside it.\n"),
        ("a.py", '"""A run is no\nmachine."""\n'),
        ("a.py", "# What became\n# of it.\n"),
        ("a.py", 'error = "It shall "\nmore = "not pass."\n'),
        ("a.ts", 'const note = "Among its like";\n'),
        ("a.tsx", "const page = <p>Its maker\nhas paused it.</p>;\n"),
        ("a.tsx", "// What is told\n// of a run.\n"),
        ("a.swift", "/// Nothing is asked of\n/// the server.\n"),
        ("a.swift", 'let text = "a secure connection comes about"\n'),
        ("a.ts", 'const label = "What was told";\n'),
        ("a.py", "# It is made\n# anew.\n"),
        ("a.swift", "/// All of them, but for\n/// the first, for now.\n"),
        ("a.py", "def told_runs() -> None: ...\n"),
        ("a.py", "class FleetTold: ...\n"),
    ],
)
def test_a_tic_is_found_over_line_ends(tmp_path: Path, name: str, text: str) -> None:
    assert len(found(tmp_path / name, text)) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "There is no run.\n\n`told` and\n\n```\nshall\n```\n\nIt is no longer here.\n"),
        ("a.py", 'told = 1  # a name\nstands = f"{told}"\n'),
        ("a.ts", "const told = [...stands].map((maker) => maker);\n"),
        ("a.ts", "const found = list.map((one) => one > told ? 1 : 0); if (a < told) {}\n"),
        ("a.ts", 'const names = ["told", "stands"];\n'),
        ("a.py", 'names = ["told", "stands"]\n'),
        ("a.swift", 'let told = shall(maker) // a name\nlet text = "\\(told) runs"\n'),
        ("a.txt", "What shall become of it?\n"),
    ],
)
def test_names_and_code_are_left_alone(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path / name, text) == []
