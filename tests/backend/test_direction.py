"""Dependencies in the backend: imports go down, and every part has its place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import macmeter
import pytest
from macmeter.processes.memory import staying

ROOT = Path(macmeter.__file__).parent

# From the top. A part imports those of lower lines; parts of one line don't import each other.
LAYERS = (
    "cli",
    "commands",
    "backup serving",
    "main",
    "api",
    "fleets",
    "alerts pictures sharing transfer",
    "figures ingest moderation queries demo",
    "reading",
    "answer_cache arrivals installing",
    "dataset",
    "answers documents access embedded mail offload",
    "isolation settings",
    "changelog database models processes stats terms",
    "atom chips database_errors observing outward progress",
    "catalog content_security errors identifiers licence mail_address plain_text release"
    " standard_output",
    "untyped",
)
LEVELS = {part: -line for line, parts in enumerate(LAYERS) for part in parts.split()}


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(tree: ast.Module) -> Iterator[str]:
    """Parts that a module imports, including within functions and for types."""
    for name in chain.from_iterable(map(named_by, ast.walk(tree))):
        package, *rest = name.split(".")
        if package == "macmeter" and rest:
            yield rest[0]


def named_by(node: ast.AST) -> Iterable[str]:
    """Modules that a statement, or a call of the import system, names."""
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=module, names=names, level=0):
            return [f"{module}.{name.name}" for name in names]
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module")
            | ast.Attribute(attr="__import__" | "import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return [name]
    return []


def wrong(part: str, tree: ast.Module) -> set[tuple[str, str]]:
    return {
        (part, other) for other in imported(tree) if other != part and LEVELS[other] >= LEVELS[part]
    }


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    with staying():
        return [
            (path, ast.parse(path.read_text(encoding="utf-8")))
            for path in sorted(ROOT.rglob("*.py"))
            if path.name != "__init__.py" or path.parent != ROOT
        ]


def test_every_part_has_its_place() -> None:
    assert {part_of(path) for path, _ in modules()} == LEVELS.keys()


def test_imports_name_their_module_in_full() -> None:
    relative = {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    }
    assert not relative, f"write these imports from macmeter on: {relative}"


def test_imports_go_down() -> None:
    found = {path: wrong(part_of(path), tree) for path, tree in modules()}
    upwards = {path.relative_to(ROOT).as_posix(): sorted(bad) for path, bad in found.items() if bad}
    assert not upwards, f"these parts lie above, or beside: {upwards}"


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("queries", "from macmeter.ingest.store import remove"),
        ("reading", "import macmeter.queries.answer"),
        ("dataset", "from macmeter import reading"),
        ("stats", "def fit():\n    from macmeter.models import Run"),
        ("ingest", "if TYPE_CHECKING:\n    from macmeter.moderation.withdraw import withdraw"),
        ("stats", "__import__('macmeter.queries.answer')"),
        ("dataset", "def late():\n    importlib.import_module('macmeter.queries.answer', None)"),
    ],
)
def test_a_wrong_import_is_found_wherever_it_stands(part: str, source: str) -> None:
    assert wrong(part, ast.parse(source))


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("queries", "from macmeter.reading.moment import Reading"),
        ("api", "from macmeter import catalog, database"),
        ("queries", "from macmeter.queries.question import Question"),
        ("stats", "import numpy"),
    ],
)
def test_what_lies_below_may_be_imported(part: str, source: str) -> None:
    assert not wrong(part, ast.parse(source))


def test_one_function_decides_whose_a_run_is() -> None:
    deciding = {
        path.relative_to(ROOT).as_posix()
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "own"
        and isinstance(node.value, ast.Name)
        and node.value.id == "run"
    }
    assert deciding == {"reading/owning.py"}
