"""Results and runs are read in one package, and there only within a scope."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import macmeter
import pytest
from macmeter.platform.processes.memory import exempt_from_gc

ROOT = Path(macmeter.__file__).parent
PACKAGE = "results"
MODELS = {"Run", "Result", "RunResults", "Document", "PublishedFigure"}
RELATIONS = "runs|results|run_results|documents|published_figures"
SQL = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE|COPY|TABLE)\s+(?:ONLY\s+)?(?:{RELATIONS})\b")

# Other modules that touch them, and why that doesn't read on anybody's behalf.
OTHERS = {
    "models": "they are defined here",
    "accounts/rights.py": "says in SQL whose runs are somebody's to delete",
    "accounts/audit.py": "changes runs and writes down by whom",
    "accounts/visibility.py": "says what a scope is in SQL",
    "accounts/binding.py": "asks whether a machine has runs that its id would take over",
    "server/operation_router.py": "asks whether the relation is there, and reads no row of it",
    "results/dataset": "what answers come from is made of all runs; what asks it takes a scope",
    "runs/store.py": "writes",
    "runs/rederive.py": "writes what follows from documents again",
    "runs/published": "writes published figures",
    "alerts/dashboard.py": "joins the labels of a run that its fleet's page shows",
    "alerts/groups.py": "counts labels of machines' newest runs, and finds those of a group",
    "alerts/machines.py": "joins a machine's newest run to the list of its fleet",
    "fleets/service.py": "moves a fleet's runs to another, or makes them public",
    "fleets/machines.py": "moves a machine's runs with it",
    "fleets/merging.py": "gives a machine's runs to the id that the same Mac has now",
    "fleets/retention.py": "puts a fleet's old runs aside and deletes them, for its admins",
    "comparisons/deleting.py": "deletes runs, and what was shared of them",
    "moderation": "writes who has withdrawn a run",
    "server/backup": "copies and verifies the whole database, as whoever owns it",
    "runs/transfer": "import and export as the server's admin, who owns the database",
    "platform/demo.py": "asks whether a database holds an invented fleet, or anything else",
}
# Functions of the package that read data which no scope restricts.
UNSCOPED = {
    "filters.column": "the name of the fleet of a run that a query is of",
    "machines.hosts_of": "whose machines are, to judge whether a guest's word counts",
    "runs.how_many_exist": "whether runs are there at all, and nothing about them",
    "runs.now_of": "the clock",
    "machines.documents_of": "of a machine, for whoever may delete it",
    "machines.current_id_of": "the id that another was merged into, of which a run may be read",
    "fleets._built_in_encryption": "of a fleet's runs that were chosen within its scope",
    "fleets.machines_by_fleet": "which fleets need recomputing, which shows nobody anything",
    "ownership.count_open_reports": "of a run that whoever asks was shown, or whose owner they are",
    "ownership.last_upload": "of the devices of a fleet, for its members",
    "ownership.chips_and_models": "of a machine, for its owner or its fleet's admin",
    "ownership.last_chip": "of the devices of a fleet, for its members",
    "ownership.runs_passed_on": "how many, of a fleet's machines, for its admins",
    "ownership.doubts_of_each": "of such a run, or of those that an admin is to judge",
}
# A function that uses one of these has the scope in its condition, or in its whole query.
CONDITIONS = {"visible", "_in_fleet", "_readable"}
SCOPED = CONDITIONS | {"of_id", "results_of"}


@cache
def modules(folder: Path = ROOT) -> list[tuple[str, ast.Module]]:
    with exempt_from_gc():
        return [
            (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
            for path in sorted(folder.rglob("*.py"))
        ]


def reads(tree: ast.Module) -> Iterator[str]:
    """Names of results or runs in a module, as models or in SQL."""
    described = {id(text) for node in ast.walk(tree) if (text := docstring(node)) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("macmeter.models"):
            yield from (name.name for name in node.names if name.name in MODELS | {"*"})
        elif isinstance(node, ast.ImportFrom) and node.module == "macmeter":
            yield from (name.name for name in node.names if name.name == "models")
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name == "macmeter.models")
        elif isinstance(node, ast.ImportFrom) and node.module == "macmeter.accounts.visibility":
            yield from (name.name for name in node.names if name.name == "visible")
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in described
        ):
            yield from SQL.findall(node.value)


def docstring(node: ast.AST) -> ast.Constant | None:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
        value = body[0].value
        return value if isinstance(value, ast.Constant) else None
    return None


def other_of(path: str) -> str | None:
    """The entry of OTHERS that covers a module."""
    matching = (name for name in OTHERS if path == name or path.startswith(f"{name}/"))
    return next(matching, None)


@cache
def readers() -> dict[str, set[str]]:
    """Results and runs that each module reads, without modules that read none."""
    return {path: read for path, tree in modules() if (read := {*reads(tree)})}


def test_nothing_else_reads_results_or_runs() -> None:
    reading = {
        path: sorted(names)
        for path, names in readers().items()
        if not path.startswith(f"{PACKAGE}/") and other_of(path) is None
    }
    assert not reading, f"ask backend/macmeter/{PACKAGE} instead: {reading}"


def test_whoever_is_excused_needs_it() -> None:
    excused = {other_of(path) for path in readers()}
    assert set(OTHERS) <= excused


Modules = Iterable[tuple[str, ast.Module]]


def unscoped(parsed: Modules) -> Iterator[str]:
    """Each function of the package that reads without a scope, as MODULE.FUNCTION.

    A function that others take their scope from must have one, whether it reads itself or not.
    """
    for path, tree in parsed:
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                node_names = names(node)
                if (node.name in SCOPED or "select" in node_names) and not node_names & SCOPED:
                    yield f"{Path(path).stem}.{node.name}"


def package() -> list[tuple[str, ast.Module]]:
    all_modules = modules(ROOT / PACKAGE)
    return [(path, tree) for path, tree in all_modules if other_of(path) is None]


def names(node: ast.AST) -> set[str]:
    return {name_node.id for name_node in ast.walk(node) if isinstance(name_node, ast.Name)}


def test_each_query_of_the_reader_has_a_scope() -> None:
    without = {*unscoped(package())}
    assert without - UNSCOPED.keys() == set(), "add visible(scope), or say why not in UNSCOPED"
    assert UNSCOPED.keys() - without == set(), "these have a scope, or are gone"


class Without(ast.NodeTransformer):
    """Transformer that removes one of a module's scopes."""

    def __init__(self, position: int) -> None:
        self._left = position

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in CONDITIONS:
            if not self._left:
                self._left -= 1
                return ast.Constant(True)
            self._left -= 1
        return self.generic_visit(node)


def scopes() -> Iterator[tuple[str, int]]:
    """Each use of a scope: its module, and its place there."""
    for path, tree in package():
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        hits = [call for call in calls if isinstance(call, ast.Name) and call.id in CONDITIONS]
        yield from ((path, position) for position in range(len(hits)))


@pytest.mark.parametrize(("path", "place"), [*scopes()])
def test_a_scope_that_goes_missing_is_noticed(path: str, place: int) -> None:
    tree = Without(place).visit(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    assert {*unscoped([(path, tree)])} - UNSCOPED.keys()


@pytest.mark.parametrize(
    "source",
    [
        "from macmeter.models import Run",
        "from macmeter.models.runs import Result",
        "from macmeter import models",
        "import macmeter.models",
        "from macmeter.accounts.visibility import visible",
        'text("SELECT count(*) FROM runs")',
        'f"{_HEAD} JOIN results USING (machine_id, run_id)"',
    ],
)
def test_a_read_is_found_however_it_is_written(source: str) -> None:
    assert [*reads(ast.parse(source))]


@pytest.mark.parametrize(
    "source",
    [
        "from macmeter.models import Comparison, Machine",
        "from macmeter.accounts.rights import may_delete",
        '"""What is read FROM runs."""',
        'print("4 runs")',
    ],
)
def test_other_things_are_no_reads(source: str) -> None:
    assert not [*reads(ast.parse(source))]
