"""Each change to runs is in the audit log, whoever made it in whatever way."""

from __future__ import annotations

import ast
import uuid
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import macmeter
import pytest
from macmeter.fleets import retention
from macmeter.models import Act, Change, Run
from macmeter.platform.database import engine as make_engine
from sqlalchemy import func, select, update
from support import people
from support.commands import command
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

ROOT = Path(macmeter.__file__).parent
# Modules that write rows of runs, and where the change is recorded.
WRITERS = {
    "accounts/audit.py": "writes it down",
    "comparisons/deleting.py": "writes it down",
    "fleets/merging.py": "machine.merge and machine.part, with the number of runs",
    "runs/store.py": "published figures that have changed: runs/published/loading.py",
    "runs/rederive.py": "computes them again from their documents, which stay",
}


def writers() -> Iterator[str]:
    """Modules that change or delete rows of runs."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("update", "delete"):
                names = [getattr(argument, "id", "") for argument in node.args]
                if "Run" in names:
                    yield path.relative_to(ROOT).as_posix()


def test_nothing_else_changes_runs() -> None:
    assert {*writers()} == WRITERS.keys()


class Scene:
    """A fleet with a Mac that has two runs, and its admin."""

    def __init__(self, server: Server) -> None:
        self.server, self.url = server, server.database_url
        self.fleet_id = people.make_fleet(self.url, "acme")
        self.other = people.make_fleet(self.url, "other")
        roles = {self.fleet_id: "admin", self.other: "admin"}
        self.ada = people.make_person(self.url, roles=roles)
        self.machine, self.uploader = str(uuid.uuid4()), people.uploader_of(self.url, self.fleet_id)
        self.run_id = ""
        self.headers: dict[str, str] = {}

    async def fill(self) -> None:
        for _ in "ab":
            self.run_id = await self.upload(self.machine, self.uploader)
        self.headers = await people.sign_in(self.url, self.ada)

    async def upload(self, machine: str, token: str, **facts: Any) -> str:
        document = disk_run(machine=machine, **facts)
        stored = await self.server.put(document, token)
        assert stored.status_code == 201, stored.text
        return str(document["id"])

    async def ask(self, method: str, path: str, **more: Any) -> None:
        more = {"headers": self.headers} | more
        response = await self.server.client.request(method, f"/api/v1{path}", **more)
        assert response.status_code < 300, response.text

    def logged(self) -> int:
        """Number of logged changes to runs, without new ones."""
        with people.writing(self.url) as connection:
            changed = select(func.count()).select_from(Change).where(Change.kind != "stored")
            return connection.scalar(changed) or 0

    def acts(self) -> list[tuple[str, Any, str]]:
        with people.writing(self.url) as connection:
            rows = connection.execute(
                select(Act.action, Act.details, Act.by, Act.fleet_id).order_by(Act.act_id)
            )
            return [(row.action, row.details.get("runs"), row.by) for row in rows]

    async def retain(self) -> None:
        with people.writing(self.url) as connection:
            long_ago = datetime.now(UTC) - timedelta(days=900)
            connection.execute(update(Run).values(started_at=long_ago))
        await self.ask("PUT", "/fleets/acme/retention", json={"days": 400, "runs": 2})


Way = Callable[[Scene], Awaitable[None]]
REASON = {"reason": "It was measured while indexing."}


async def deleted(scene: Scene) -> None:
    await scene.ask("DELETE", f"/runs/{scene.run_id}")


async def deleted_by_a_program(scene: Scene) -> None:
    headers = {"Authorization": f"Bearer {scene.uploader}"}
    await scene.ask("DELETE", f"/runs/{scene.run_id}", headers=headers)


async def withdrawn(scene: Scene) -> None:
    await scene.ask("PUT", f"/runs/{scene.run_id}/withdrawal", json=REASON)


async def reinstated(scene: Scene) -> None:
    await withdrawn(scene)
    await scene.ask("DELETE", f"/runs/{scene.run_id}/withdrawal")


async def withdrawn_by_the_operator(scene: Scene) -> None:
    reason = ("--reason", REASON["reason"])
    assert command(scene.url, "withdraw", scene.run_id, *reason).returncode == 0


async def reinstated_by_the_operator(scene: Scene) -> None:
    await withdrawn_by_the_operator(scene)
    assert command(scene.url, "reinstate", scene.run_id).returncode == 0


async def judged(scene: Scene) -> None:
    root = people.make_person(scene.url, "Root", server_admin=True)
    await scene.ask(
        "PUT",
        f"/review/{scene.run_id}",
        json={"decision": "withdrawn", "answer": REASON["reason"]},
        headers=await people.sign_in(scene.url, root),
    )


async def set_aside_on_arrival(scene: Scene) -> None:
    await scene.upload(str(uuid.uuid4()), scene.server.token(), write=9e12, storage="usb4")


async def machine_deleted(scene: Scene) -> None:
    await scene.ask("DELETE", f"/machines/{scene.machine}")


async def machine_moved(scene: Scene) -> None:
    await scene.ask("PATCH", f"/machines/{scene.machine}", json={"fleet": "other"})


async def machine_merged(scene: Scene) -> None:
    second = str(uuid.uuid4())
    await scene.upload(second, scene.uploader)
    await scene.ask("PUT", f"/machines/{second}/merge", json={"into": scene.machine})


async def merge_taken_back(scene: Scene) -> None:
    await machine_merged(scene)
    with people.writing(scene.url) as connection:
        merged = connection.scalar(select(Run.uploaded_as).where(Run.uploaded_as.is_not(None)))
    await scene.ask("DELETE", f"/machines/{merged}/merge")


async def fleet_deleted(scene: Scene) -> None:
    await scene.ask("DELETE", "/fleets/acme?name=acme&runs=delete")


async def fleet_published(scene: Scene) -> None:
    await scene.ask("DELETE", "/fleets/acme?name=acme&runs=publish&consent=true")


async def fleet_moved(scene: Scene) -> None:
    await scene.ask("DELETE", "/fleets/acme?name=acme&runs=move&to=other")


async def put_aside_by_retention(scene: Scene) -> None:
    await scene.retain()


async def retention_undone(scene: Scene) -> None:
    await scene.retain()
    with people.writing(scene.url) as connection:
        sweep_id = connection.scalar(select(Run.sweep_id))
    await scene.ask("DELETE", f"/fleets/acme/retention/sweeps/{sweep_id}")


async def deleted_by_retention(scene: Scene) -> None:
    await scene.retain()
    engine = make_engine(scene.url, pool_size=1)
    later = datetime.now(UTC) + timedelta(days=8)
    async with engine.begin() as connection:
        await retention.act(connection, scene.fleet_id, later)
    await engine.dispose()


ADA, SERVER, CONSOLE = "Ada", "the server", "the command line"
WAYS: dict[Way, tuple[str, int, str]] = {
    deleted: ("run.delete", 1, ADA),
    deleted_by_a_program: ("run.delete", 1, "fleet token of acme"),
    withdrawn: ("run.withdraw", 1, ADA),
    reinstated: ("run.reinstate", 1, ADA),
    withdrawn_by_the_operator: ("run.withdraw", 1, CONSOLE),
    reinstated_by_the_operator: ("run.reinstate", 1, CONSOLE),
    judged: ("run.withdraw", 1, "Root"),
    set_aside_on_arrival: ("run.quarantine", 1, SERVER),
    machine_deleted: ("run.delete", 2, ADA),
    machine_moved: ("run.move", 2, ADA),
    machine_merged: ("machine.merge", 1, ADA),
    merge_taken_back: ("machine.part", 1, ADA),
    fleet_deleted: ("run.delete", 2, ADA),
    fleet_published: ("run.publish", 2, ADA),
    fleet_moved: ("run.move", 2, ADA),
    put_aside_by_retention: ("retention.sweep", 2, ADA),
    retention_undone: ("retention.undo", 2, ADA),
    deleted_by_retention: ("retention.delete", 2, SERVER),
}


@pytest.mark.every(4)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_a_change_is_written_down_with_its_runs_and_by_whom(server: Server, way: Way) -> None:
    scene = Scene(server)
    await scene.fill()
    before = scene.logged()
    await way(scene)
    assert scene.logged() > before
    assert WAYS[way] in scene.acts()


async def test_what_was_refused_is_not_written_down(server: Server) -> None:
    scene = Scene(server)
    await scene.fill()
    stranger = people.make_person(scene.url, "Sam")
    before = scene.acts()
    refused = await server.client.delete(
        f"/api/v1/runs/{scene.run_id}", headers=await people.sign_in(scene.url, stranger)
    )
    assert refused.status_code == 404
    assert scene.acts() == before


async def test_the_log_of_a_fleet_shows_what_happened_to_its_runs(server: Server) -> None:
    scene = Scene(server)
    await scene.fill()
    await withdrawn(scene)
    await deleted(scene)
    log = await server.client.get("/api/v1/audit?fleet=acme", headers=scene.headers)
    entries = [(entry["action"], entry["details"]) for entry in log.json()["items"][:2]]
    assert entries == [
        ("run.delete", {"run": scene.run_id, "runs": 1}),
        ("run.withdraw", {"run": scene.run_id, "runs": 1}),
    ]
