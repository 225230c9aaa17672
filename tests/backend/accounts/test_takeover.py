"""Nobody takes over a Mac by its id, however it lost its token, and its owner can return."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Machine, Run, Token
from sqlalchemy import select, update
from support import people
from support.commands import command
from support.databases import fresh_database
from support.documents import disk_run
from support.server import Server, serving
from support.takeover import Lost, Scene, attempts, returned

pytestmark = pytest.mark.usefixtures("held")

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
    """The Mac was public before an admin moved it into the fleet."""
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
        process = command(url, name, file)
        assert process.returncode == 0, process.stderr
    return Lost(elsewhere)


async def merged_and_taken_back(scene: Scene) -> Lost:
    scene_lost = await uploader_published(scene)
    assert scene_lost.owner is not None
    first, scene.machine = scene.machine, str(uuid.uuid4())
    scene.imported()
    headers = await people.sign_in(
        scene.url, people.make_person(scene.url, "Root", server_admin=True)
    )
    with people.writing(scene.url) as connection:
        connection.execute(update(Machine).values(claimed_by=scene_lost.owner))
    merge = f"/machines/{scene.machine}/merge"
    assert (await scene.ask("PUT", merge, headers, json={"into": first})).status_code == 200
    assert (await scene.ask("DELETE", merge, headers)).status_code == 200
    return scene_lost


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
    """The person who published its fleet has no account any more."""
    return await owner_gone(scene, "/account?erase=true")


async def owner_released(scene: Scene) -> Lost:
    return await owner_gone(scene, f"/machines/{scene.machine}/claim")


async def owner_gone(scene: Scene, path: str) -> Lost:
    scene_lost = await uploader_published(scene)
    assert scene_lost.owner is not None
    response = await scene.ask("DELETE", path, await people.sign_in(scene.url, scene_lost.owner))
    assert response.status_code == 204, response.text
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
    """The owners of each machine, and all runs."""
    verify_sign_in = (
        Machine.machine_id,
        Machine.bound_token_id,
        Machine.fleet_id,
        Machine.claimed_by,
    )
    runs = (Run.machine_id, Run.run_id, Run.visibility, Run.fleet_id, Run.withdrawn_at)
    with people.writing(url) as connection:
        return [
            connection.execute(select(*columns).order_by(*columns[:2])).all()
            for columns in (verify_sign_in, runs)
        ]


@pytest.mark.every(4)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_a_stranger_gets_nothing_and_the_owner_comes_back(scene: Scene, way: Way) -> None:
    scene_lost = await way(scene)
    async with serving(scene_lost.url) as server:
        scene.server = server
        before = state(scene_lost.url)
        run_id = next(str(row.run_id) for row in before[1] if str(row.machine_id) == scene.machine)
        outcomes = await attempts(server, scene.machine, run_id)
        successes = [outcome for outcome in outcomes if outcome[1] not in (401, 403, 404, 409, 429)]
        assert successes == []
        machine_ids = {row.machine_id for row in before[0]}
        after = state(scene_lost.url)
        assert [row for row in after[0] if row.machine_id in machine_ids] == before[0]
        assert after[1] == before[1]
        refused = await scene.enrol(None, None)
        assert (refused.status_code, refused.json()["code"]) == (403, "machine_bound")
        assert "its owner or an admin of this server" in refused.json()["detail"]
        token = await returned(scene, scene_lost)
        await scene.uploaded(token)


async def test_a_secret_ends_with_its_owners_right_and_with_the_next_one(scene: Scene) -> None:
    scene_lost = await uploader_published(scene)
    assert scene_lost.owner is not None
    headers = await people.sign_in(scene.url, scene_lost.owner)
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
    """A thief may have it: its old token stays invalid."""
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
    """Outside any fleet. In a fleet, copies have the same key: their enrolments are counted."""
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
    # Only an uploader uploaded for this machine: there is no proof, and a stranger's is refused.
    scene.machine = str(uuid.uuid4())
    scene.imported()
    assert (await enrol(proof)).status_code == 403
    # Copies in a fleet are counted, whatever proof they have.
    fleet_id, scene.machine = people.make_fleet(scene.url, "acme"), str(uuid.uuid4())
    secret = people.make_secret(scene.url, fleet_id)
    statuses = [(await enrol(proof, secret)).status_code for _ in range(5)]
    assert statuses == [201, 201, 201, 201, 409]
