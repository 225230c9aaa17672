"""The schema and the queries follow docs/citus.md: all data of a machine is in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from macmeter.platform.database import normalise
from macmeter.platform.settings import CHECKOUT
from sqlalchemy import Column, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.elements import BinaryExpression, TextClause
from support.documents import disk_run, sampled_run
from support.server import InThisProcess, Server, serving

GUIDE = (CHECKOUT / "docs/citus.md").read_text()
DISTRIBUTED = dict(re.findall(r"create_distributed_table\('(\w+)', '(\w+)'", GUIDE))
REFERENCE = set(re.findall(r"create_reference_table\('(\w+)'", GUIDE))
LOCAL = set(re.findall(r"^--   (.+)$", GUIDE, re.MULTILINE)[0].split())
OF_MACHINES = {table for table, column in DISTRIBUTED.items() if column == "machine_id"}
# Views and the table that they read.
VIEWS = {"results": "run_results"}
# Foreign keys that the coordinator's tables can't have, as the guide explains.
KNOWN_KEYS = {("doubts", "runs"), ("runs", "sweeps")}


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = create_engine(normalise(database_url))
    yield engine
    engine.dispose()


def test_every_table_has_its_place(engine: Engine) -> None:
    tables = set(inspect(engine).get_table_names()) - {"alembic_version"}
    assert DISTRIBUTED.keys() | REFERENCE | LOCAL == tables
    assert len(DISTRIBUTED) + len(REFERENCE) + len(LOCAL) == len(tables)


def test_unique_keys_have_the_distribution_column(engine: Engine) -> None:
    found = inspect(engine)
    for table, column in DISTRIBUTED.items():
        keys: list[Any] = [found.get_pk_constraint(table)["constrained_columns"]]
        keys += [key["column_names"] for key in found.get_unique_constraints(table)]
        keys += [index["column_names"] for index in found.get_indexes(table) if index["unique"]]
        assert keys[0], table
        assert all(column in key for key in keys), (table, keys)
        (nullable,) = [one["nullable"] for one in found.get_columns(table) if one["name"] == column]
        assert not nullable


def test_foreign_keys_stay_on_a_node(engine: Engine) -> None:
    found = inspect(engine)
    keys = [(t, key) for t in found.get_table_names() for key in found.get_foreign_keys(t)]
    assert keys
    for table, key in keys:
        target = key["referred_table"]
        if target in REFERENCE or (table, target) in KNOWN_KEYS:
            continue
        if table in LOCAL and target in LOCAL:
            continue
        by = DISTRIBUTED[table]
        assert DISTRIBUTED.get(target) == by, (table, target)
        pairs = zip(key["constrained_columns"], key["referred_columns"], strict=True)
        assert (by, by) in pairs, (table, target)


async def test_queries_join_what_is_of_a_machine_by_the_machine(database_url: str) -> None:
    with listening() as statements:
        async with serving(database_url, questions=InThisProcess()) as server:
            await ask_everything(server)
    several = [s for s in statements if len(tables_of(s)) > 1]
    assert len(several) > 3
    for statement in several:
        assert is_joined(statement), str(statement)


async def ask_everything(server: Server) -> None:
    run, token = disk_run(), server.token()
    assert (await server.put(run, token)).status_code == 201
    again = disk_run(machine=run["machine"]["id"])
    assert (await server.put(again, token)).status_code == 201
    await server.stored(sampled_run())
    paths = [
        *("facets", "runs", "machines", "sources", "chips", "residency", "corpus", "corpus.csv"),
        "answer?metric=disk.write_average&by=chip&flagged=include",
        "answer?metric=disk.write_average&relative_to=storage:internal",
        "doubted?metric=disk.write_average",
        "runs?where=chip:Apple+M4+Pro",
        "percentile?run=" + run["id"] + "&metric=disk.write_average",
        f"runs/{run['id']}",
        f"runs/{run['id']}/document",
        f"machines/{run['machine']['id']}",
        f"machines/{run['machine']['id']}/timeline?metric=disk.write_average",
        "compare?metric=disk.write_average&side=chip:Apple+M4+Pro&side=chip:Apple+M1",
    ]
    for path in paths:
        response = await server.client.get(f"/api/v1/{path}")
        assert response.status_code in (200, 404, 422), (path, response.text)
    saved = await server.client.post(
        "/api/v1/comparisons", json={"question": "metric=disk.write_average"}
    )
    assert saved.status_code == 201
    opened = await server.client.get(f"/api/v1/comparisons/{saved.json()['slug']}")
    assert opened.status_code == 200
    bearer = {"Authorization": f"Bearer {token}"}
    reason = {"reason": "Measured while it was a test."}
    address = f"/api/v1/runs/{run['id']}"
    assert (await server.client.post(f"{address}/doubts", json=reason)).status_code == 201
    withdrawn = await server.client.put(f"{address}/withdrawal", json=reason, headers=bearer)
    assert withdrawn.is_success
    assert (await server.client.delete(address, headers=bearer)).status_code == 204


@contextmanager
def listening() -> Iterator[list[Any]]:
    """Record every statement that SQLAlchemy executes."""
    statements: list[Any] = []

    def keep(_connection: Any, statement: Any, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_execute", keep)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_execute", keep)


def tables_of(statement: Any) -> set[str]:
    """The tables with machines' data that the statement reads."""
    if isinstance(statement, TextClause):
        names = set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", statement.text, re.IGNORECASE))
    else:
        names = {str(one.name) for one in visitors.iterate(statement) if isinstance(one, Table)}
    return {VIEWS.get(name, name) for name in names} & OF_MACHINES


def is_joined(statement: Any) -> bool:
    """Return whether all of them are joined by machine."""
    if isinstance(statement, TextClause):
        return bool(
            re.search(r"USING \(machine_id|machine_id = \w+\.machine_id", statement.text)
            or re.search(r"\(\w+\.machine_id, \w+\.run_id\) = ", statement.text)
        )
    together = [{table} for table in tables_of(statement)]
    for one in visitors.iterate(statement):
        if isinstance(one, BinaryExpression) and one.operator is operators.eq:
            sides = [side for side in (one.left, one.right) if isinstance(side, Column)]
            if len(sides) == 2 and {side.name for side in sides} == {"machine_id"}:
                names = {str(side.table.name) for side in sides}
                joined = [some for some in together if some & _real(names)]
                together = [some for some in together if some not in joined]
                together.append(set().union(*joined))
    return len([some for some in together if some]) == 1


def _real(names: set[str]) -> set[str]:
    return {VIEWS.get(name, name) for name in names}


def test_a_join_without_the_machine_is_found() -> None:
    wrong = text("SELECT count(*) FROM runs JOIN documents ON documents.run_id = runs.run_id")
    assert tables_of(wrong) == {"runs", "documents"}
    assert not is_joined(wrong)
    assert is_joined(text("SELECT 1 FROM runs JOIN documents USING (machine_id, run_id)"))
