"""Dependencies between rooms of the backend: imports go down, and every room has its floor."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import macmeter
import pytest
from macmeter.platform.processes.memory import exempt_from_gc

ROOT = Path(macmeter.__file__).parent

# From the top: seven floors. A room imports those of lower floors, never one beside it.
FLOORS = (
    ("server",),
    ("machines", "fleets", "moderation", "alerts", "comparisons", "runs"),
    ("questions", "charts"),
    ("results",),
    ("accounts", "documents", "schemas", "embedded"),
    ("platform",),
    ("catalog", "statistics", "models"),
)
# The one floor whose rooms use one another, from left to right: deleting a Mac deletes its runs.
SUBJECTS = FLOORS[1]
LEVELS = {room: -floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def room_of(path: Path) -> str:
    """The folder of a module. A room's routers are the server's: nothing below imports them."""
    room = path.relative_to(ROOT).parts[0]
    return "server" if path.stem.endswith("router") else room


def imported(tree: ast.Module) -> Iterator[str]:
    """Rooms that a module imports, including within functions and for types."""
    for name in chain.from_iterable(map(named_by, ast.walk(tree))):
        package, *parts = name.split(".")
        if package == "macmeter" and parts and parts != ["Json"]:
            yield "server" if any(part.endswith("router") for part in parts) else parts[0]


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


def below(room: str, other: str) -> bool:
    if room in SUBJECTS and other in SUBJECTS:
        return SUBJECTS.index(other) > SUBJECTS.index(room)
    return LEVELS[other] < LEVELS[room]


def wrong(room: str, tree: ast.Module) -> set[tuple[str, str]]:
    return {(room, other) for other in imported(tree) if other != room and not below(room, other)}


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    with exempt_from_gc():
        return [
            (path, ast.parse(path.read_text(encoding="utf-8")))
            for path in sorted(ROOT.rglob("*.py"))
            if path.name != "__init__.py" or path.parent != ROOT
        ]


def test_every_room_has_its_floor() -> None:
    assert {room_of(path) for path, _ in modules()} == LEVELS.keys()
    assert len(FLOORS) <= 7


def test_imports_name_their_module_in_full() -> None:
    relative = {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    }
    assert not relative, f"write these imports from macmeter on: {relative}"


def test_imports_go_down() -> None:
    found = {path: wrong(room_of(path), tree) for path, tree in modules()}
    upwards = {path.relative_to(ROOT).as_posix(): sorted(bad) for path, bad in found.items() if bad}
    assert not upwards, f"these rooms lie above, or beside: {upwards}"


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("questions", "from macmeter.runs.store import remove"),
        ("results", "import macmeter.questions.answer"),
        ("documents", "from macmeter import results"),
        ("questions", "from macmeter.charts.words import title"),
        ("statistics", "def fit():\n    from macmeter.models import Run"),
        ("runs", "if TYPE_CHECKING:\n    from macmeter.fleets.retention import due"),
        ("fleets", "from macmeter.fleets import router"),
        ("statistics", "__import__('macmeter.questions.answer')"),
        ("results", "def late():\n    importlib.import_module('macmeter.questions.answer', None)"),
    ],
)
def test_a_wrong_import_is_found_wherever_it_is(room: str, source: str) -> None:
    assert wrong(room, ast.parse(source))


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("questions", "from macmeter.results.context import Reading"),
        ("server", "from macmeter import catalog, Json"),
        ("fleets", "from macmeter.comparisons.deleting import delete"),
        ("questions", "from macmeter.questions.question import Question"),
        ("statistics", "import numpy"),
    ],
)
def test_a_lower_floor_may_be_imported(room: str, source: str) -> None:
    assert not wrong(room, ast.parse(source))


def test_one_function_decides_whose_a_run_is() -> None:
    deciding = {
        path.relative_to(ROOT).as_posix()
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "is_own"
        and isinstance(node.value, ast.Name)
        and node.value.id == "run"
    }
    assert deciding == {"results/ownership.py"}
