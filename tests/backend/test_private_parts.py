"""Libraries are used only through their public parts: any version may remove private ones."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [*ROOT.glob("backend/macmeter/**/*.py"), *ROOT.glob("tools/**/*.py")]
OWN = {"macmeter", *(path.stem for path in ROOT.glob("tools/*"))}
# Named with an underscore, but documented: by `os`, by `collections.namedtuple`, by SQLAlchemy. The
# last one is the only name of what argparse's documentation calls "a special action object".
DOCUMENTED = {"_exit", "_make", "_fields", "_replace", "_asdict", "_mapping", "_SubParsersAction"}
# Named without one, but documented as internals.
INTERNAL = re.compile(r"psycopg\.(generators|waiting|_\w+)|multiprocessing\.(context|reduction)")
BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller", "patch"}
DOTTED = re.compile(r"[a-z]\w*(\.\w+)*\._[a-z]\w*(\.\w+)*")


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def named_here(trees: list[ast.Module]) -> set[str]:
    """Private names that these files define themselves."""
    names = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            # Attributes of other objects may be a library's.
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "own"):
                names.add(node.attr)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(target.id for target in targets if isinstance(target, ast.Name))
    return {name for name in names if is_private(name)}


def foreign(tree: ast.Module) -> dict[str, str]:
    """Imports from libraries, by their names here."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or path] = path
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return {name: path for name, path in names.items() if path.partition(".")[0] not in OWN}


def private_parts(tree: ast.Module, own: set[str]) -> Iterator[str]:
    """Uses of libraries' private parts, each with its line."""
    names = foreign(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for use in (*_imported(node, names), *_used(node, names, own), *_overridden(node, names)):
            yield f"{line}: {use}"


def _imported(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        full_names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        full_names = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return
    for name in full_names:
        parts = name.split(".")
        if parts[0] not in (*OWN, "__future__") and (
            any(map(is_private, parts)) or INTERNAL.match(name)
        ):
            yield f"imports {name}"


def _used(node: ast.AST, names: dict[str, str], own_names: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in DOCUMENTED:
        is_of_library = isinstance(node.value, ast.Name) and node.value.id in names
        if is_of_library or node.attr not in own_names:
            yield f"uses .{node.attr}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if DOTTED.fullmatch(node.value) and node.value.partition(".")[0] not in OWN:
            yield f"names {node.value!r}"
    elif isinstance(node, ast.Call):
        called = node.func
        by = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        for argument in node.args if by in BY_NAME else ():
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                last = argument.value.rpartition(".")[2]
                if is_private(last) and last not in own_names | DOCUMENTED:
                    yield f"{by} of {argument.value!r}"


def _overridden(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    """A class's overrides of private parts of its library base classes."""
    if not isinstance(node, ast.ClassDef):
        return
    bases = [base for b in node.bases if (base := _library_class(b, names)) is not None]
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            name = part.name
        elif isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "self":
            name = part.attr
        else:
            continue
        if is_private(name) and name not in DOCUMENTED and any(hasattr(b, name) for b in bases):
            yield f"overrides {node.name}.{name}"


def _library_class(base: ast.expr, names: dict[str, str]) -> object | None:
    dotted = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
    first, _, attributes = dotted.partition(".")
    if first not in names:
        return None
    module, _, name = f"{names[first]}.{attributes}".rstrip(".").rpartition(".")
    member: object | None = getattr(importlib.import_module(module), name, None) if module else None
    return member


def test_no_private_part_of_a_library_is_used() -> None:
    trees = {path: ast.parse(path.read_text()) for path in FILES}
    own_names = named_here([*trees.values()])
    faults = [
        f"{path.relative_to(ROOT)}:{part}"
        for path, tree in trees.items()
        for part in private_parts(tree, own_names)
    ]
    assert faults == []


@pytest.mark.parametrize(
    "code",
    [
        "from fastapi._compat import ModelField",
        "from asyncio import _enter_task",
        "import granian._loops",
        "from psycopg.generators import send",
        "import psycopg.waiting as w",
        "import atexit\natexit._clear()",
        "def stop(worker): worker.inner._target()",
        "def stop(worker): worker._popen = None",
        "class Own:\n    def __init__(self, given): given._args = ()",
        "MODULES = ['uvloop.loop._noop']",
        "getattr(given, '_identity')",
        "from operator import attrgetter\nattrgetter('inner._identity')(given)",
        "from logging import Handler\nclass Own(Handler):\n    def _at_fork_reinit(self): ...",
        "import logging\nclass Own(logging.Formatter):\n    def f(self): return self._style",
        "import queue\nclass Own(queue.Queue[int]):\n    def _put(self, item): ...",
    ],
)
def test_every_way_to_a_private_part_is_seen(code: str) -> None:
    tree = ast.parse(code)
    assert [*private_parts(tree, named_here([tree]))] != []


@pytest.mark.parametrize(
    "code",
    [
        "from __future__ import annotations",
        "import os\nos._exit(1)",
        "from macmeter.access import _own",
        "class Own:\n    def __init__(self, o): self._own = o\n    def f(self, o): return o._own",
        "import logging\nclass Own(logging.Formatter):\n    def _mine(self): return self._mine",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nP._make([1])._asdict()",
    ],
)
def test_what_is_published_or_our_own_is_not(code: str) -> None:
    tree = ast.parse(code)
    assert [*private_parts(tree, named_here([tree]))] == []
