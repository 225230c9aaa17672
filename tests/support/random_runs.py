"""Random runs of every kind, to compare answers, facets and lists of data set and tables."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from macmeter.machines.queries import list_machines
from macmeter.platform.database import reading_engine
from macmeter.questions.answer import answer
from macmeter.questions.facets import facets
from macmeter.questions.question import Question, parse_query, parse_run_terms
from macmeter.results.dataset import mirror
from macmeter.runs.queries import Page, doubted_runs, list_runs
from macmeter.schemas.answer import Group
from macmeter.schemas.runs import RunSummary
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from support import oracle
from support.databases import transaction
from support.documents import Document, by_file_size, disk_run
from support.server import Server

QUESTIONS = (
    "metric=disk.write_average",
    "metric=disk.write_average&by=storage",
    "metric=disk.write_average&by=chip&by=encryption&where=storage:usb4&where=storage:internal",
    "metric=disk.write_average&by=storage&where=chip!:Apple M1&weight=run",
    "metric=disk.write_average&by=os_version&flagged=include",
    "metric=disk.write_average&by=machine&where=month:2026-11",
    "metric=disk.write_average&by=month&by=label:rack",
    "metric=disk.write_average&by=fleet&by=power_source",
    "metric=disk.write_average&by=storage&by=encryption&relative_to=encryption:none",
    "metric=disk.write_average&by=chip&where=storage:&where=storage:internal",
    "metric=disk.write_speed&by=file_size&by=storage",
    "metric=disk.write_speed&by=chip&where=file_size:2000000",
    "metric=disk.write_speed&by=file_size&by=encryption&relative_to=encryption:none",
    "metric=disk.read_average&by=virtual&by=via&where=os_major:26..27",
)
FACETS: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), "where=storage:usb4&where=chip!:Apple M1"),
    (("disk.write_average",), "where=storage:usb4&where=chip!:Apple M1"),
    (("disk.write_speed",), "where=file_size:2000000&where=month!:2026-11&where=fleet:"),
    ((), f"where=machine:{uuid.UUID(int=1)}&where=storage:usb4&where=storage:internal"),
)
MACHINES = [str(uuid.UUID(int=number)) for number in range(1, 13)]


def made_up(dice: random.Random) -> Document:
    """A run of one of a dozen machines, in one of many setups."""
    sizes = dice.sample([2_000_000, 20_000_000, 2_000_000_000], dice.randint(0, 3))
    series = [
        {
            "metric": "disk.write_average",
            "values": [dice.choice([1e9, 2e9, dice.uniform(1e9, 9e9)])],
        },
        {"metric": "disk.read_average", "values": [dice.uniform(1e9, 9e9) for _ in range(3)]},
        *by_file_size({size: [dice.uniform(1e9, 9e9)] for size in sizes}),
    ]
    storage = dice.choice(["internal", "usb4", "thunderbolt3"])
    target = {"storage": storage, "encryption": dice.choice(["none", "filevault"])}
    if storage != "internal" and dice.random() < 0.5:
        target |= {"device_id": dice.choice("ab"), "via": dice.choice(["a dock", "a hub"])}
    environment: Document = {
        "os_version": dice.choice(["15.6", "26.3", "26.4"]),
        "power_source": dice.choice(["ac", "battery"]),
    }
    if dice.random() < 0.2:
        environment["virtual_machine"] = {"vcpus": 4, "host_machine_id": MACHINES[0]}
    return disk_run(
        machine=dice.choice(MACHINES),
        chip=dice.choice(["Apple M1", "Apple M4", "Apple M4 Pro"]),
        target=target,
        environment=environment,
        labels={"rack": dice.choice("xyz")} if dice.random() < 0.3 else None,
        series=series,
        state=dice.choice(["complete", "complete", "complete", "incomplete"]),
        started_at=dice.choice(["2026-10-05T10:00:00Z", "2026-11-20T10:00:00Z"]),
    )


class Random:
    """Random changes of runs, by every way in which they can change."""

    def __init__(self, server: Server, seed: int) -> None:
        self._server, self._dice = server, random.Random(seed)
        self._token = server.token("fleet")
        self._runs: list[str] = []
        self._withdrawn: set[str] = set()
        server_fleets = "UPDATE fleets SET visibility = 'public'"
        self.execute(server_fleets)

    def execute(self, statement: str, **values: Any) -> None:
        with transaction(self._server.database_url) as connection:
            connection.execute(text(statement), values)

    async def step(self) -> None:
        kinds = [self._store] * 8 + [self._delete, self._withdraw, self._reinstate]
        kinds += [self._move, self._open_or_close]
        await self._dice.choice(kinds)()

    async def _store(self) -> None:
        run = made_up(self._dice)
        response = await self._server.put(run, self._token)
        assert response.status_code == 201, response.text
        self._runs.append(run["id"])

    async def _delete(self) -> None:
        if self._runs:
            run_id = self._runs.pop(self._dice.randrange(len(self._runs)))
            self._withdrawn.discard(run_id)
            await self._ask("DELETE", f"runs/{run_id}")

    async def _withdraw(self) -> None:
        if self._runs:
            run_id = self._dice.choice(self._runs)
            self._withdrawn.add(run_id)
            await self._ask("PUT", f"runs/{run_id}/withdrawal", json={"reason": "it was failing"})

    async def _reinstate(self) -> None:
        if self._withdrawn:
            await self._ask("DELETE", f"runs/{self._withdrawn.pop()}/withdrawal")

    async def _move(self) -> None:
        """Make a run public by itself, or its fleet's."""
        if self._runs:
            visibility = self._dice.choice(["private", "public"])
            run_id = self._dice.choice(self._runs)
            statement = "UPDATE runs SET visibility = :visibility WHERE run_id = :run_id"
            self.execute(statement, visibility=visibility, run_id=run_id)

    async def _open_or_close(self) -> None:
        """Make the fleet's runs public or private."""
        visibility = self._dice.choice(["private", "public"])
        self.execute("UPDATE fleets SET visibility = :visibility", visibility=visibility)

    async def _ask(self, method: str, path: str, **options: Any) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        address = f"/api/v1/{path}"
        response = await self._server.client.request(method, address, headers=headers, **options)
        assert response.status_code in (200, 204), response.text


@asynccontextmanager
async def snapshot(server: Server, dataset: Path | None = None) -> AsyncIterator[AsyncConnection]:
    engine = reading_engine(server.database_url, pool_size=1)
    snapshots = engine.execution_options(isolation_level="REPEATABLE READ", dataset=dataset)
    async with snapshots.connect() as connection:
        yield connection
    await engine.dispose()


async def compare_with_tables(connection: AsyncConnection) -> None:
    """Compare the answers to all questions, figure by figure."""
    for query in QUESTIONS:
        question = parse_query(query)
        response = await answer(connection, question, None, datetime.now(UTC))
        (metric,) = question.metrics
        expected = await oracle.groups(connection, question, metric, None)
        (result,) = response["results"]
        keys = [_key(question, group) for group in result["groups"]]
        assert sorted(keys, key=repr) == sorted(expected, key=repr), query
        for key, group in zip(keys, result["groups"], strict=True):
            _compare(query, {**group}, expected[key])
        excluded = await oracle.excluded(connection, question, metric, None)
        counts = {item["reason"]: item["runs"] for item in result["excluded"]}
        counts.pop("machine_unstated", None)
        assert counts == excluded, query


def _key(question: Question, group: Group) -> oracle.Key:
    by = (group["key"][name] for name in question.by)
    return (*by, group["published"], group["method"], group["method_version"])


def _compare(query: str, group: dict[str, Any], expected: dict[str, Any]) -> None:
    for name in ("machines", "runs", "samples"):
        assert group[name] == expected[name], (query, name)
    for name in ("min", "max", *(name for name, _ in oracle.SHARES)):
        assert group[name] == pytest.approx(expected[name], rel=1e-12), (query, name)
    assert {flag["code"]: flag["runs"] for flag in group["flags"]} == expected["flags"], query
    assert {mix["dimension"]: mix["count"] for mix in group["mixes"]} == expected["mixes"], query
    if "pairs" in expected:
        assert group["ratio"]["pairs"] == expected["pairs"], query
        assert group["ratio"]["value"] == pytest.approx(expected["ratio"], rel=1e-12), query


async def compare_facets(connection: AsyncConnection) -> None:
    for metrics, where in FACETS:
        terms = parse_query(f"metric={(*metrics, 'disk.write_average')[0]}&{where}").where
        response = await facets(connection, metrics, terms, "exclude", None)
        for dimension in response.dimensions:
            name = dimension.name
            other_terms = tuple(term for term in terms if term.dimension != name)
            expected = await oracle.facet(connection, name, other_terms, next(iter(metrics), None))
            counts = {value.value: (value.runs, value.machines) for value in dimension.values}
            assert counts == expected, name


async def compare_lists(connection: AsyncConnection) -> None:
    """Compare the lists page by page."""
    for terms in ((), parse_run_terms(["storage:usb4", "chip!:Apple M1"])):
        listed: list[RunSummary] = []
        cursor, total = None, 0
        while not listed or cursor is not None:
            page = await list_runs(connection, terms, None, Page(7, cursor))
            listed, cursor, total = listed + page["items"], page["next"], page["total"]
            if not page["items"]:
                break
        expected = await oracle.runs(connection, terms, None)
        assert ([run["id"] for run in listed], total) == (expected, len(expected))
        machines = await list_machines(connection, terms, "", None, Page(50))
        counts = [(machine["id"], machine["runs"]) for machine in machines["items"]]
        assert counts == await oracle.machines(connection, terms, None)
        metric = "disk.write_average"
        left_out = await doubted_runs(connection, (metric,), terms, None, 50)
        ids = {run["id"] for run in left_out["items"]}
        assert ids == await oracle.doubted(connection, metric, terms, None)


def forget() -> None:
    """Forget everything, like a process that has just started."""
    mirror.forget()
