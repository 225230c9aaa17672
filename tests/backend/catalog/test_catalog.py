"""The catalogue's traits, and that no code keeps its own list of dimensions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import macmeter
import pytest
from macmeter import catalog
from macmeter.catalog import Dimension, FilteredPage, Page, Trait
from macmeter.documents.document import RunDocument
from macmeter.models import Run
from macmeter.platform.settings import CHECKOUT
from macmeter.questions.pairs import settles
from macmeter.results.results import CONFIGURATION
from macmeter.results.runs import StoredRun
from macmeter.schemas.machines import MachineFacts
from msgspec import Struct

ROOT = Path(macmeter.__file__).parent
# Three or more named dimensions are a list that a new dimension has to be added to.
MOST = 2
# Modules where a forgotten dimension makes no figure wrong: tables of articles, the fields of a
# list of machines, and the meaning of colours.
APART = (
    *("catalog/__init__.py", "runs/published", "results/machines.py", "charts/colours.py"),
    "documents/meanings.py",  # of the document's fields, some of which are dimensions
)


def test_whoever_adds_a_dimension_says_to_whom_it_matters() -> None:
    with pytest.raises(TypeError, match="traits"):
        Dimension("enclosure", "Enclosure")  # type: ignore[call-arg]


def test_what_a_run_was_measured_on_is_a_column_of_runs() -> None:
    assert set(CONFIGURATION) <= {column.name for column in Run.__table__.columns}


@pytest.mark.parametrize(
    ("name", "path"),
    [(name, found.stated) for name, found in catalog.DIMENSIONS.items() if found.stated],
)
def test_documents_have_what_is_said_to_be_stated_there(name: str, path: str) -> None:
    model: type[Struct] = RunDocument
    *around, last = path.split(".")
    for key in around:
        hint = get_type_hints(model)[key]
        model = next(part for part in get_args(hint) or (hint,) if issubclass(part, Struct))
    assert last in model.__struct_fields__, f"{name} is not at {path}"


@pytest.mark.parametrize(
    "name", [name for name, found in catalog.DIMENSIONS.items() if found.stated]
)
def test_what_documents_state_is_a_column_of_runs(name: str) -> None:
    assert name in Run.__table__.columns, f"add {name} to models/runs.py, and a migration"


def test_what_is_stated_of_a_target_holds_for_a_new_dimension_too() -> None:
    """Target dimensions that determine metrics follow from being a guest, except `simultaneous`."""
    guest_names = {name for name in catalog.DIMENSIONS if settles(name, {"virtual"})}
    determining = {
        name
        for metric in catalog.METRICS.values()
        for name in metric.circumstances
        if (dimension := catalog.dimension(name)) and (dimension.stated or "").startswith("target.")
    }
    assert determining - guest_names <= {"simultaneous"}


def test_every_dimension_that_is_told_apart_is_watched_or_settled() -> None:
    configured = set(catalog.having(Trait.CONFIGURATION))
    watched = set(catalog.having(Trait.WATCHED))
    assert configured - watched == {"device", "vcpus"}


@pytest.mark.parametrize("name", catalog.having(Trait.MAY_BE_LIKE))
def test_pages_know_what_similar_macs_may_have_in_common(name: str) -> None:
    """Each is in a machine's facts or its lines' configuration, and in a run's document."""
    assert name in MachineFacts.__annotations__ or name in CONFIGURATION
    assert name in StoredRun._fields or catalog.DIMENSIONS[name].stated


def test_similar_macs_may_have_in_common_what_they_have_at_first() -> None:
    assert set(catalog.having(Trait.LIKE_WITH_LIKE)) <= set(catalog.having(Trait.MAY_BE_LIKE))


def test_every_page_with_filters_says_which_are_open() -> None:
    assert catalog.OPEN_FILTERS.keys() == set(get_args(FilteredPage))
    assert set(get_args(Page)) < set(get_args(FilteredPage))
    for names in catalog.OPEN_FILTERS.values():
        assert set(names) <= catalog.DIMENSIONS.keys()


def lists(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Tuples, lists, sets and dictionary keys that consist of strings, dimensions among them."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            items = node.elts
        elif isinstance(node, ast.Dict) and all(
            isinstance(value, (ast.Constant, ast.Set, ast.Tuple)) for value in node.values
        ):
            items = [key for key in node.keys if key is not None]
        else:
            continue
        texts = [item.value for item in items if isinstance(item, ast.Constant)]
        names = [text for text in texts if text in catalog.DIMENSIONS]
        if len(texts) == len(items) and len(names) > MOST:
            yield node.lineno, names


def test_nothing_keeps_a_list_of_dimensions() -> None:
    found_lists = {
        f"{path.relative_to(ROOT)}:{line}": names
        for path in sorted(ROOT.rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(APART)
        for line, names in lists(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert not found_lists, f"give them a trait in the catalogue: {found_lists}"


def test_a_list_is_found() -> None:
    assert [*lists(ast.parse('_PAIRS = ("storage", "via", "encryption")'))]
    assert [*lists(ast.parse('_ABSENT = {"via": "a", "image_format": "b", "device": "c"}'))]


# A list of strings, except those of a view's question.
LIST = re.compile(r"(?<!by: )\[((?:\s*\"[a-z_]+\"\s*,?){2,}\s*)\]")


def lists_of_dimensions(text: str) -> list[str]:
    """Lists in TypeScript of which at least half, and at least three, are dimensions."""
    name_lists = []
    for listed in LIST.finditer(text):
        names = re.findall(r"\w+", listed[1])
        count = sum(name in catalog.DIMENSIONS for name in names)
        if count > MOST and 2 * count >= len(names):
            name_lists.append(listed[1])
    return name_lists


def test_the_dashboard_keeps_no_list_of_dimensions() -> None:
    found_lists = {
        f"{path.relative_to(CHECKOUT)}": names
        for path in sorted((CHECKOUT / "frontend/src").rglob("*.ts*"))
        if ".test." not in path.name
        if (names := lists_of_dimensions(path.read_text(encoding="utf-8")))
    }
    assert not found_lists, f"give them a trait, or a list in catalog.toml: {found_lists}"


def test_a_list_of_the_dashboard_is_found() -> None:
    assert lists_of_dimensions('const FIRST = [\n  "chip",\n  "model",\n  "via",\n];')
    assert not lists_of_dimensions('{ by: ["chip", "model", "via"] }; ["disk", "hash", "chip"]')
