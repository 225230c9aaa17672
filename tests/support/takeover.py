"""Macs that have lost their tokens, and strangers' attempts to take them over."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from macmeter.models import Machine
from sqlalchemy import update

from support import people
from support.commands import command, ndjson
from support.documents import disk_run
from support.server import Server

Headers = dict[str, str]


def bearer(secret: str) -> Headers:
    return {"Authorization": f"Bearer {secret}"}


@dataclass
class Scene:
    """A server on which a Mac is going to lose its token."""

    server: Server
    folder: Path
    fresh: Callable[[], str]
    """Function that returns the address of another, empty database."""
    machine: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def url(self) -> str:
        return self.server.database_url

    async def ask(self, method: str, path: str, headers: Headers, **extra: Any) -> httpx.Response:
        return await self.server.client.request(method, f"/api/v1{path}", headers=headers, **extra)

    async def uploaded(self, token: str) -> None:
        stored = await self.server.put(disk_run(machine=self.machine), token)
        assert stored.status_code == 201, stored.text

    async def enrolled(self, secret: str | None = None, present: str | None = None) -> str:
        response = await self.enrol(secret, present)
        assert response.status_code == 201, response.text
        token: str = response.json()["token"]
        return token

    async def enrol(
        self, secret: str | None, present: str | None, **headers: str
    ) -> httpx.Response:
        body = {"machine_id": self.machine, "secret": secret}
        headers |= bearer(present) if present else {}
        return await self.ask("POST", "/enroll", headers, json=body)

    async def delete_fleet(self, fleet_id: uuid.UUID, runs: str = "publish") -> uuid.UUID:
        """Have one of its admins delete the fleet; return that person."""
        admin = people.make_person(self.url, roles={fleet_id: "admin"})
        deleted = await self.ask(
            "DELETE",
            f"/fleets/{fleet_id}?name=acme&runs={runs}&consent=true",
            await people.sign_in(self.url, admin),
        )
        assert deleted.status_code == 200, deleted.text
        return admin

    def imported(self) -> None:
        """Import a run of this machine, as the server's operator."""
        file = ndjson(self.folder / "document.ndjson", [disk_run(machine=self.machine)])
        imported = command(self.url, "import", "--public", str(file))
        assert imported.returncode == 0, imported.stderr

    def moved(self, *export: str) -> str:
        """Move the runs to another database and return its address."""
        file, elsewhere = str(self.folder / "runs.ndjson"), self.fresh()
        exported = command(self.url, "export", *export, file)
        assert exported.returncode == 0, exported.stderr
        imported = command(elsewhere, "import", file)
        assert imported.returncode == 0, imported.stderr
        return elsewhere


@dataclass
class Lost:
    """The situation afterwards: the server's database, and what the owner still has."""

    url: str
    old_token: str | None = None
    owner: uuid.UUID | None = None


async def attempts(server: Server, machine: str, run_id: str) -> list[tuple[str, int]]:
    """Requests of a stranger with every kind of credential of their own, and the responses."""
    url = server.database_url
    evil = people.make_fleet(url, "evil")
    mallory = people.make_person(url, "Mallory", roles={evil: "admin"})
    person = await people.sign_in(url, mallory)
    uploader, device = people.uploader_of(url, evil), server.token()
    own_machine = str(uuid.uuid4())
    enrolled = await server.client.post("/api/v1/enroll", json={"machine_id": own_machine})
    second = enrolled.json()["token"]
    with people.writing(url) as connection:
        is_own = Machine.machine_id == uuid.UUID(own_machine)
        connection.execute(update(Machine).where(is_own).values(claimed_by=mallory))
    secret = await server.client.post(f"/api/v1/machines/{own_machine}/secret", headers=person)
    assert (enrolled.status_code, secret.status_code) == (201, 201)
    path, run_path = f"/machines/{machine}", f"/runs/{run_id}"
    enrol: Any = {"machine_id": machine}
    doors: list[tuple[str, str, Headers, Any]] = [
        ("POST", "/enroll", {}, enrol),
        *(("POST", "/enroll", bearer(t), enrol) for t in (device, second, uploader, "mmd_guess")),
        ("POST", "/enroll", {}, enrol | {"secret": people.make_secret(url, evil)}),
        ("POST", "/enroll", {}, enrol | {"secret": secret.json()["secret"]}),
        ("POST", "/enroll", {}, enrol | {"secret": "mme_guessed"}),
    ]
    for credential in (bearer(device), bearer(second), bearer(uploader), person, {}):
        doors += [
            *(("POST", f"{path}/{action}", credential, None) for action in ("claim", "secret")),
            ("DELETE", f"{path}/claim", credential, None),
            *(("PATCH", path, credential, to) for to in ({"fleet": "evil"}, {"name": "Mine"})),
            ("PUT", f"{path}/merge", credential, {"into": own_machine}),
            ("PUT", f"/machines/{own_machine}/merge", credential, {"into": machine}),
            ("DELETE", path, credential, None),
            ("GET", f"{path}/export.ndjson", credential, None),
            ("DELETE", run_path, credential, None),
            ("PUT", f"{run_path}/withdrawal", credential, {"reason": "It is mine, I should say."}),
            ("DELETE", f"{run_path}/withdrawal", credential, None),
        ]
    outcomes = []
    for method, door, credential, body in doors:
        response = await server.client.request(
            method, f"/api/v1{door}", headers=credential, json=body
        )
        outcomes.append((f"{method} {door}", response.status_code))
    for token in (device, second, uploader):
        stored = await server.put(disk_run(machine=machine), token)
        outcomes.append(("PUT /runs", stored.status_code))
    return outcomes


async def returned(scene: Scene, lost: Lost) -> str:
    """Return the Mac's new token: by its old one, or by a secret from its owner or an
    administrator.
    """
    if lost.old_token is not None:
        return await scene.enrolled(present=lost.old_token)
    by = lost.owner or people.make_person(lost.url, "Root", server_admin=True)
    headers = await people.sign_in(lost.url, by)
    response = await scene.ask("POST", f"/machines/{scene.machine}/secret", headers)
    assert response.status_code == 201, response.text
    secret = response.json()["secret"]
    assert response.json()["command"].endswith(f"--secret {secret}")
    token = await scene.enrolled(secret)
    # A secret works only once.
    again = await scene.enrol(secret, None)
    assert (again.status_code, again.json()["code"]) == (403, "secret_unknown")
    return token
