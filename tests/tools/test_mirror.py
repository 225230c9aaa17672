"""Tests mirror the source: who changes a part finds its tests under the same name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from macmeter.settings import CHECKOUT

BACKEND = CHECKOUT / "backend" / "macmeter"
TESTS = CHECKOUT / "tests"
AGENT = CHECKOUT / "agent"
FRONTEND = CHECKOUT / "frontend" / "src"

# Tests of no one part, with the reason.
OF_NO_PART = {
    "backend/test_direction.py": "all imports of the backend",
    "tools/test_mirror.py": "all tests",
    "tools/test_swift_parameters.py": "every function of the agent",
}
# Packages of the backend without a folder of their own here, with the reason.
TESTED_ELSEWHERE = {
    "answers": "types alone: tests/contract holds every response to them",
    "processes": "a server's processes are tested where a server runs: tests/backend/serving",
}
# `from "./words"`, `import("./words")` and `vi.mock("./words")` all name a neighbour; a path
# that is put together does not.
NEIGHBOUR = re.compile(r"""["']\./[^"'$]+["']""")


def astray(tests: Path) -> Iterator[str]:
    """The tests of the backend and of tools whose name stands for no source."""
    for test in sorted(tests.glob("backend/*/**/test_*.py")):
        package, *_ = test.relative_to(tests / "backend").parts
        if not (BACKEND / package / "__init__.py").is_file():
            yield test.relative_to(tests).as_posix()
    for folder, source in (("backend", BACKEND), ("tools", CHECKOUT / "tools")):
        for test in sorted(tests.glob(f"{folder}/test_*.py")):
            if not (source / test.name.removeprefix("test_")).is_file():
                yield test.relative_to(tests).as_posix()


def untested(tests: Path) -> set[str]:
    """The packages of the backend without a folder of tests."""
    packages = {path.parent.name for path in BACKEND.glob("*/__init__.py")}
    return {name for name in packages if not any((tests / "backend" / name).rglob("test_*.py"))}


def away_from_source(frontend: Path) -> Iterator[str]:
    """The tests of the frontend beside which nothing is that they import."""
    for pattern in ("*.test.ts", "*.test.tsx"):
        for test in sorted(frontend.rglob(pattern)):
            if not NEIGHBOUR.search(test.read_text(encoding="utf-8")):
                yield test.relative_to(frontend).as_posix()


def test_every_test_of_python_has_its_source() -> None:
    assert set(astray(TESTS)) == OF_NO_PART.keys()


def test_every_package_of_the_backend_has_its_tests() -> None:
    assert untested(TESTS) == TESTED_ELSEWHERE.keys()


def test_every_target_of_tests_is_of_a_target_of_the_agent() -> None:
    targets = {path.name.removesuffix("Tests") for path in AGENT.glob("Tests/*Tests")}
    assert targets
    assert targets <= {path.name for path in AGENT.glob("Sources/*")}


def test_every_test_of_the_frontend_is_beside_what_it_tests() -> None:
    assert any(FRONTEND.rglob("*.test.ts"))
    assert not list(away_from_source(FRONTEND))


@pytest.mark.parametrize("path", ["backend/elsewhere/test_put.py", "tools/test_elsewhere.py"])
def test_a_test_without_its_source_is_found(tmp_path: Path, path: str) -> None:
    planted = tmp_path / path
    planted.parent.mkdir(parents=True)
    planted.touch()
    assert list(astray(tmp_path)) == [path]


def test_a_package_without_its_tests_is_found(tmp_path: Path) -> None:
    (tmp_path / "backend" / "ingest").mkdir(parents=True)
    assert "ingest" in untested(tmp_path)


def test_a_test_of_the_frontend_away_from_its_source_is_found(tmp_path: Path) -> None:
    (tmp_path / "away.test.ts").write_text('import { it } from "../../ui/format";\n')
    (tmp_path / "beside.test.tsx").write_text('import { it } from "./format";\n')
    assert list(away_from_source(tmp_path)) == ["away.test.ts"]
