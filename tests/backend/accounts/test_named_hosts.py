"""Nobody takes over a Mac by the host id that a guest stated before the Mac enrolled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import people
from support.documents import disk_run
from support.server import Server
from support.takeover import Lost, Scene, attempts, returned

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture
def scene(server: Server, tmp_path: Path) -> Scene:
    return Scene(server, tmp_path, lambda: "")


def guest_of(host: str, **more: Any) -> Any:
    """A run of a virtual machine that names its host."""
    return disk_run(environment={"virtual_machine": {"host_machine_id": host}}, **more)


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_a_host_is_the_fleets_whose_guest_named_it_first(
    scene: Scene, visibility: str
) -> None:
    """The guest's document names the id before the host's first request."""
    fleet_id = people.make_fleet(scene.url, "acme", visibility)
    guest = guest_of(scene.machine)
    uploader = people.uploader_of(scene.url, fleet_id)
    assert (await scene.server.put(guest, uploader)).status_code == 201
    # Strangers name it as well: in their own fleet, and outside any.
    evil = people.uploader_of(scene.url, people.make_fleet(scene.url, "envy"))
    for token in (evil, scene.server.token()):
        assert (await scene.server.put(guest_of(scene.machine), token)).status_code == 201
    outcomes = await attempts(scene.server, scene.machine, guest["id"])
    assert [outcome for outcome in outcomes if outcome[1] not in (401, 403, 404, 409, 429)] == []
    assert (await scene.server.put(disk_run(machine=scene.machine), evil)).status_code == 403
    await scene.uploaded(await scene.enrolled(people.make_secret(scene.url, fleet_id)))


async def test_a_host_that_a_public_guest_names_enrols_by_the_servers_admin(scene: Scene) -> None:
    guest = guest_of(scene.machine)
    assert (await scene.server.put(guest, scene.server.token())).status_code == 201
    outcomes = await attempts(scene.server, scene.machine, guest["id"])
    assert [outcome for outcome in outcomes if outcome[1] not in (401, 403, 404, 409, 429)] == []
    await scene.uploaded(await returned(scene, Lost(scene.url)))


async def test_a_fleets_host_comes_by_its_uploader_too(scene: Scene) -> None:
    uploader = people.uploader_of(scene.url, people.make_fleet(scene.url, "acme"))
    assert (await scene.server.put(guest_of(scene.machine), uploader)).status_code == 201
    await scene.uploaded(uploader)
