"""Nobody takes over a Mac by its id, however it lost its token, and its owner comes back."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Machine, Run, Token
from sqlalchemy import select, update
from support import people
from support.commands import command, ndjson
from support.databases import fresh_database
from support.documents import disk_run
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

Headers = dict[str, str]


def bearer(secret: str) -> Headers:
    return {"Authorization": f"Bearer {secret}"}


@dataclass
class Scene:
    """A server on which a Mac is going to lose its token."""

    server: Server
    folder: Path
    fresh: Callable[[], str]
    """The address of another, empty database."""
    machine: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def url(self) -> str:
        return self.server.database_url

    async def ask(self, method: str, path: str, headers: Headers, **more: Any) -> httpx.Response:
        return await self.server.client.request(method, f"/api/v1{path}", headers=headers, **more)

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
        """Have an admin of it delete it; who that is."""
        admin = people.make_person(self.url, roles={fleet_id: "admin"})
        deleted = await self.ask(
            "DELETE",
            f"/fleets/{fleet_id}?name=acme&runs={runs}&consent=true",
            await people.sign_in(self.url, admin),
        )
        assert deleted.status_code == 200, deleted.text
        return admin

    def imported(self) -> None:
        """A run of its own, by the server's operator."""
        file = ndjson(self.folder / "document.ndjson", [disk_run(machine=self.machine)])
        imported = command(self.url, "import", "--public", str(file))
        assert imported.returncode == 0, imported.stderr

    def moved(self, *export: str) -> str:
        """The address of a database into which this one's runs were moved."""
        file, elsewhere = str(self.folder / "runs.ndjson"), self.fresh()
        exported = command(self.url, "export", *export, file)
        assert exported.returncode == 0, exported.stderr
        imported = command(elsewhere, "import", file)
        assert imported.returncode == 0, imported.stderr
        return elsewhere


@dataclass
class Lost:
    """What came of it: the server to ask from now on, and what its owner still has."""

    url: str
    old_token: str | None = None
    owner: uuid.UUID | None = None


Way = Callable[[Scene], Awaitable[Lost]]


async def uploader_published(scene: Scene) -> Lost:
    fleet_id = people.make_fleet(scene.url, "acme")
    await scene.uploaded(people.uploader_of(scene.url, fleet_id))
    return Lost(scene.url, owner=await scene.delete_fleet(fleet_id))


async def device_published(scene: Scene) -> Lost:
    fleet_id = people.make_fleet(scene.url, "acme")
    token = await scene.enrolled(people.make_secret(scene.url, fleet_id))
    await scene.uploaded(token)
    await scene.delete_fleet(fleet_id)
    return Lost(scene.url, token)


async def fleet_deleted_beside_public_runs(scene: Scene) -> Lost:
    """The Mac was everybody's to read before an admin moved it into the fleet."""
    token = await scene.enrolled()
    await scene.uploaded(token)
    fleet_id = people.make_fleet(scene.url, "acme")
    with people.writing(scene.url) as connection:
        connection.execute(update(Machine).values(fleet_id=fleet_id, bound_token_id=None))
    await scene.delete_fleet(fleet_id, "delete")
    return Lost(scene.url)


async def imported_public(scene: Scene) -> Lost:
    scene.imported()
    return Lost(scene.url)


async def moved_with_its_token(scene: Scene) -> Lost:
    token = await scene.enrolled()
    await scene.uploaded(token)
    return Lost(scene.moved(), token)


async def moved_after_its_fleet_was_published(scene: Scene) -> Lost:
    await uploader_published(scene)
    return Lost(scene.moved())


async def moved_by_a_public_export(scene: Scene) -> Lost:
    await scene.uploaded(await scene.enrolled())
    return Lost(scene.moved("--public"))


async def restored(scene: Scene) -> Lost:
    await uploader_published(scene)
    file, elsewhere = str(scene.folder / "backup.macmeter"), scene.fresh()
    for url, name in ((scene.url, "backup"), (elsewhere, "restore")):
        done = command(url, name, file)
        assert done.returncode == 0, done.stderr
    return Lost(elsewhere)


async def merged_and_taken_back(scene: Scene) -> Lost:
    lost = await uploader_published(scene)
    assert lost.owner is not None
    first, scene.machine = scene.machine, str(uuid.uuid4())
    scene.imported()
    headers = await people.sign_in(
        scene.url, people.make_person(scene.url, "Root", server_admin=True)
    )
    with people.writing(scene.url) as connection:
        connection.execute(update(Machine).values(claimed_by=lost.owner))
    merge = f"/machines/{scene.machine}/merge"
    assert (await scene.ask("PUT", merge, headers, json={"into": first})).status_code == 200
    assert (await scene.ask("DELETE", merge, headers)).status_code == 200
    return lost


async def token_revoked(scene: Scene) -> Lost:
    return await token_ended(scene, revoked_at=datetime.now(UTC))


async def token_expired(scene: Scene) -> Lost:
    return await token_ended(scene, expires_at=datetime.now(UTC) - timedelta(seconds=1))


async def token_ended(scene: Scene, **values: datetime) -> Lost:
    token = await scene.enrolled()
    await scene.uploaded(token)
    with people.writing(scene.url) as connection:
        connection.execute(update(Token).values(**values))
    return Lost(scene.url, token)


async def owner_erased(scene: Scene) -> Lost:
    """Whoever published its fleet has no account any more."""
    return await owner_gone(scene, "/account?erase=true")


async def owner_released(scene: Scene) -> Lost:
    return await owner_gone(scene, f"/machines/{scene.machine}/claim")


async def owner_gone(scene: Scene, path: str) -> Lost:
    lost = await uploader_published(scene)
    assert lost.owner is not None
    gone = await scene.ask("DELETE", path, await people.sign_in(scene.url, lost.owner))
    assert gone.status_code == 204, gone.text
    return Lost(scene.url)


WAYS: list[Way] = [
    uploader_published,
    device_published,
    fleet_deleted_beside_public_runs,
    imported_public,
    moved_with_its_token,
    moved_by_a_public_export,
    moved_after_its_fleet_was_published,
    restored,
    merged_and_taken_back,
    token_revoked,
    token_expired,
    owner_erased,
    owner_released,
]


@pytest.fixture
def scene(server: Server, tmp_path: Path, cluster: EmbeddedPostgres) -> Any:
    with ExitStack() as databases:

        def fresh() -> str:
            return cluster.url(databases.enter_context(fresh_database(cluster)))

        yield Scene(server, tmp_path, fresh)


def state(url: str) -> list[Any]:
    """Whose each machine is, and all runs."""
    whose = (Machine.machine_id, Machine.bound_token_id, Machine.fleet_id, Machine.claimed_by)
    runs = (Run.machine_id, Run.run_id, Run.visibility, Run.fleet_id, Run.withdrawn_at)
    with people.writing(url) as connection:
        return [
            connection.execute(select(*columns).order_by(*columns[:2])).all()
            for columns in (whose, runs)
        ]


async def attempts(server: Server, machine: str, run_id: str) -> list[tuple[str, int]]:
    """What a stranger with every kind of credential of their own tries, and what they get."""
    url = server.database_url
    evil = people.make_fleet(url, "evil")
    mallory = people.make_person(url, "Mallory", roles={evil: "admin"})
    person = await people.sign_in(url, mallory)
    uploader, device = people.uploader_of(url, evil), server.token()
    own = str(uuid.uuid4())
    enrolled = await server.client.post("/api/v1/enroll", json={"machine_id": own})
    other = enrolled.json()["token"]
    with people.writing(url) as connection:
        is_own = Machine.machine_id == uuid.UUID(own)
        connection.execute(update(Machine).where(is_own).values(claimed_by=mallory))
    secret = await server.client.post(f"/api/v1/machines/{own}/secret", headers=person)
    assert (enrolled.status_code, secret.status_code) == (201, 201)
    path, one = f"/machines/{machine}", f"/runs/{run_id}"
    enrol: Any = {"machine_id": machine}
    doors: list[tuple[str, str, Headers, Any]] = [
        ("POST", "/enroll", {}, enrol),
        *(("POST", "/enroll", bearer(t), enrol) for t in (device, other, uploader, "mmd_guess")),
        ("POST", "/enroll", {}, enrol | {"secret": people.make_secret(url, evil)}),
        ("POST", "/enroll", {}, enrol | {"secret": secret.json()["secret"]}),
        ("POST", "/enroll", {}, enrol | {"secret": "mme_guessed"}),
    ]
    for credential in (bearer(device), bearer(other), bearer(uploader), person, {}):
        doors += [
            *(("POST", f"{path}/{what}", credential, None) for what in ("claim", "secret")),
            ("DELETE", f"{path}/claim", credential, None),
            *(("PATCH", path, credential, to) for to in ({"fleet": "evil"}, {"name": "Mine"})),
            ("PUT", f"{path}/merge", credential, {"into": own}),
            ("PUT", f"/machines/{own}/merge", credential, {"into": machine}),
            ("DELETE", path, credential, None),
            ("GET", f"{path}/export.ndjson", credential, None),
            ("DELETE", one, credential, None),
            ("PUT", f"{one}/withdrawal", credential, {"reason": "It is mine, I should say."}),
            ("DELETE", f"{one}/withdrawal", credential, None),
        ]
    got = []
    for method, door, credential, body in doors:
        response = await server.client.request(
            method, f"/api/v1{door}", headers=credential, json=body
        )
        got.append((f"{method} {door}", response.status_code))
    for token in (device, other, uploader):
        stored = await server.put(disk_run(machine=machine), token)
        got.append(("PUT /runs", stored.status_code))
    return got


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_a_stranger_gets_nothing_and_the_owner_comes_back(scene: Scene, way: Way) -> None:
    lost = await way(scene)
    async with serving(lost.url) as server:
        scene.server = server
        before = state(lost.url)
        run_id = next(str(row.run_id) for row in before[1] if str(row.machine_id) == scene.machine)
        got = await attempts(server, scene.machine, run_id)
        taken = [one for one in got if one[1] not in (401, 403, 404, 409, 429)]
        assert taken == []
        known = {row.machine_id for row in before[0]}
        after = state(lost.url)
        assert [row for row in after[0] if row.machine_id in known] == before[0]
        assert after[1] == before[1]
        refused = await scene.enrol(None, None)
        assert (refused.status_code, refused.json()["code"]) == (403, "machine_bound")
        assert "its owner or an admin of this server" in refused.json()["detail"]
        token = await returned(scene, lost)
        await scene.uploaded(token)


async def returned(scene: Scene, lost: Lost) -> str:
    """The token of the Mac that comes back: by its old one, or by its owner's or admin's secret."""
    if lost.old_token is not None:
        return await scene.enrolled(present=lost.old_token)
    by = lost.owner or people.make_person(lost.url, "Root", server_admin=True)
    headers = await people.sign_in(lost.url, by)
    made = await scene.ask("POST", f"/machines/{scene.machine}/secret", headers)
    assert made.status_code == 201, made.text
    secret = made.json()["secret"]
    assert made.json()["command"].endswith(f"--secret {secret}")
    token = await scene.enrolled(secret)
    # Once, and then never again.
    again = await scene.enrol(secret, None)
    assert (again.status_code, again.json()["code"]) == (403, "secret_unknown")
    return token


def guest_of(host: str, **more: Any) -> Any:
    """A run of a virtual machine that names its host."""
    return disk_run(environment={"virtual_machine": {"host_machine_id": host}}, **more)


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_a_host_is_the_fleets_whose_guest_named_it_first(
    scene: Scene, visibility: str
) -> None:
    """The guest's document names the id before the host itself has come."""
    fleet_id = people.make_fleet(scene.url, "acme", visibility)
    guest = guest_of(scene.machine)
    uploader = people.uploader_of(scene.url, fleet_id)
    assert (await scene.server.put(guest, uploader)).status_code == 201
    # Strangers name it as well: in a fleet of theirs, and outside any.
    evil = people.uploader_of(scene.url, people.make_fleet(scene.url, "envy"))
    for token in (evil, scene.server.token()):
        assert (await scene.server.put(guest_of(scene.machine), token)).status_code == 201
    got = await attempts(scene.server, scene.machine, guest["id"])
    assert [one for one in got if one[1] not in (401, 403, 404, 409, 429)] == []
    assert (await scene.server.put(disk_run(machine=scene.machine), evil)).status_code == 403
    await scene.uploaded(await scene.enrolled(people.make_secret(scene.url, fleet_id)))


async def test_a_host_that_a_public_guest_names_enrols_by_the_servers_admin(scene: Scene) -> None:
    guest = guest_of(scene.machine)
    assert (await scene.server.put(guest, scene.server.token())).status_code == 201
    got = await attempts(scene.server, scene.machine, guest["id"])
    assert [one for one in got if one[1] not in (401, 403, 404, 409, 429)] == []
    await scene.uploaded(await returned(scene, Lost(scene.url)))


async def test_a_fleets_host_comes_by_its_uploader_too(scene: Scene) -> None:
    uploader = people.uploader_of(scene.url, people.make_fleet(scene.url, "acme"))
    assert (await scene.server.put(guest_of(scene.machine), uploader)).status_code == 201
    await scene.uploaded(uploader)


async def test_a_secret_ends_with_its_owners_right_and_with_the_next_one(scene: Scene) -> None:
    lost = await uploader_published(scene)
    assert lost.owner is not None
    headers = await people.sign_in(scene.url, lost.owner)
    made = [await scene.ask("POST", f"/machines/{scene.machine}/secret", headers) for _ in "ab"]
    first, second = (response.json()["secret"] for response in made)
    assert (await scene.enrol(first, None)).status_code == 403
    await scene.ask("DELETE", f"/machines/{scene.machine}/claim", headers)
    assert (await scene.enrol(second, None)).status_code == 403
    assert people.acts(scene.url)[-2:] == ["machine.secret", "machine.unclaim"]


async def test_a_mac_of_a_fleet_enrols_with_the_fleets_secret(scene: Scene) -> None:
    fleet_id = people.make_fleet(scene.url, "acme")
    await scene.uploaded(people.uploader_of(scene.url, fleet_id))
    admin = people.make_person(scene.url, roles={fleet_id: "admin"})
    headers = await people.sign_in(scene.url, admin)
    refused = await scene.ask("POST", f"/machines/{scene.machine}/secret", headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "machine_of_fleet")
    await scene.uploaded(await scene.enrolled(people.make_secret(scene.url, fleet_id)))


async def test_a_mac_that_was_shut_out_stays_out_when_its_fleet_is_published(scene: Scene) -> None:
    """Whoever has it may have stolen it: its old token is good for nothing."""
    fleet_id = people.make_fleet(scene.url, "acme")
    token = await scene.enrolled(people.make_secret(scene.url, fleet_id))
    await scene.uploaded(token)
    with people.writing(scene.url) as connection:
        connection.execute(update(Machine).values(barred_at=datetime.now(UTC)))
    owner = await scene.delete_fleet(fleet_id)
    refused = await scene.enrol(None, token)
    assert (refused.status_code, refused.json()["code"]) == (403, "machine_barred")
    headers = await people.sign_in(scene.url, owner)
    allowed = await scene.ask(
        "PATCH", f"/machines/{scene.machine}", headers, json={"barred": False}
    )
    assert allowed.status_code == 204, allowed.text
    await scene.uploaded(await scene.enrolled(present=token))


async def test_the_agents_key_proves_a_mac_that_lost_its_token(scene: Scene) -> None:
    """Outside any fleet. In one, copies have the same key: their enrolments are counted."""
    proof, other = "ab" * 32, "cd" * 32

    async def enrol(proof: str | None, secret: str | None = None) -> httpx.Response:
        return await scene.enrol(secret, None, **{"Macmeter-Proof": proof} if proof else {})

    first = await enrol(proof)
    await scene.uploaded(first.json()["token"])
    for wrong in (None, other):
        assert (await enrol(wrong)).status_code == 403
    malformed = await enrol("no proof")
    assert (malformed.status_code, malformed.json()["code"]) == (422, "invalid_request")
    again = await enrol(proof)
    assert again.status_code == 201, again.text
    await scene.uploaded(again.json()["token"])
    assert (await scene.server.put(disk_run(machine=scene.machine), first.json()["token"])).is_error
    # A fleet's uploader never was the Mac: there is no proof, and none is taken from a stranger.
    scene.machine = str(uuid.uuid4())
    scene.imported()
    assert (await enrol(proof)).status_code == 403
    # Copies in a fleet are counted, whatever they prove.
    fleet_id, scene.machine = people.make_fleet(scene.url, "acme"), str(uuid.uuid4())
    secret = people.make_secret(scene.url, fleet_id)
    got = [(await enrol(proof, secret)).status_code for _ in range(5)]
    assert got == [201, 201, 201, 201, 409]
