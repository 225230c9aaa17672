"""Links to a private fleet's figures: with consent, of several machines, closed with the access."""

from __future__ import annotations

import json
import uuid
from typing import Any, NamedTuple

import pytest
from macmeter.models import Fleet, Membership, Person
from sqlalchemy import delete, update
from support import people
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

ACME = "metric=disk.write_average&by=storage&where=fleet:acme"
SIDES = "metric=disk.write_average&side=1:fleet:acme&side=2:chip:Apple%20M4"
COMPARISONS = "/api/v1/comparisons"


class World(NamedTuple):
    """A private fleet with six internal drives and two others, its admin, and a viewer."""

    server: Server
    fleet_id: uuid.UUID
    ada: uuid.UUID
    admin: dict[str, str]
    viewer: dict[str, str]
    ids: list[str]

    async def save(self, headers: dict[str, str], question: str = ACME, **body: Any) -> Any:
        request = {"question": question, **body}
        return await self.server.client.post(COMPARISONS, json=request, headers=headers)

    async def saved(self, question: str = ACME, **body: Any) -> dict[str, Any]:
        response = await self.save(self.admin, question, shares_fleet=True, **body)
        assert response.status_code == 201, response.text
        comparison: dict[str, Any] = response.json()
        return comparison

    async def status(self, slug: str, path: str = "") -> int:
        return (await self.server.client.get(f"{COMPARISONS}/{slug}{path}")).status_code


@pytest.fixture
async def world(server: Server) -> World:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    uploader = people.uploader_of(url, fleet_id)
    runs = [disk_run(write=5e9 + n * 1e8) for n in range(6)]
    runs += [disk_run(write=3e9, storage="usb4") for _ in range(2)]
    for run in runs:
        assert (await server.put(run, uploader)).status_code == 201
    await server.stored(*(disk_run(chip="Apple M4") for _ in range(6)))
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    vera = people.make_person(url, "Vera", roles={fleet_id: "viewer"})
    ids = [run["id"] for run in runs] + [run["machine"]["id"] for run in runs]
    admin, viewer = await people.sign_in(url, ada), await people.sign_in(url, vera)
    return World(server, fleet_id, ada, admin, viewer, ids)


async def test_nothing_private_is_saved_without_a_yes(world: World) -> None:
    refused = await world.save(world.admin)
    assert (refused.status_code, refused.json()["code"]) == (422, "needs_consent")
    assert "acme" in refused.json()["detail"]
    refused = await world.save(world.viewer, shares_fleet=True)
    assert (refused.status_code, refused.json()["code"]) == (422, "not_fleet_admin")
    # For anybody else the fleet doesn't exist, whatever they agree to.
    refused = await world.save({}, shares_fleet=True)
    assert (refused.status_code, refused.json()["code"]) == (422, "empty_answer")
    cross = {"Cookie": world.admin["Cookie"], "Sec-Fetch-Site": "cross-site"}
    refused = await world.save(cross, shares_fleet=True)
    assert (refused.status_code, refused.json()["code"]) == (403, "other_site")


async def test_it_shows_figures_of_several_machines_and_names_none(world: World) -> None:
    saved = await world.saved()
    response = await world.server.client.get(f"{COMPARISONS}/{saved['slug']}")
    assert response.json()["fewest_machines"] == 5
    (group,) = response.json()["answer"]["results"][0]["groups"]
    assert (group["key"], group["machines"]) == ({"storage": "internal"}, 6)
    assert "run_ids" not in group
    assert not [machine_id for machine_id in world.ids if machine_id in response.text]
    assert (response.json()["changed"], response.json()["withdrawn"]) == (False, [])


async def test_its_owner_may_say_otherwise(world: World) -> None:
    saved = await world.saved(fewest_machines=2)
    groups = saved["answer"]["results"][0]["groups"]
    assert {group["key"]["storage"] for group in groups} == {"internal", "usb4"}
    refused = await world.save(world.admin, shares_fleet=True, fewest_machines=7)
    assert (refused.status_code, refused.json()["code"]) == (422, "empty_answer")


async def test_sides_leave_few_machines_out(world: World) -> None:
    saved = await world.saved(SIDES)
    cells = saved["answer"]["rows"][0]["cells"]
    assert [cell["machines"] for cell in cells] == [8, 6]
    saved = await world.saved(f"{SIDES}&side=3:fleet:acme&side=3:storage:usb4")
    cells = saved["answer"]["rows"][0]["cells"]
    assert cells[2]["missing"]["code"] == "few_machines"
    assert not [machine_id for machine_id in world.ids if machine_id in json.dumps(saved)]


@pytest.mark.parametrize(
    "question", [f"{ACME}&by=machine", f"{ACME}&where=machine:{uuid.uuid4()}", f"{ACME}&by=device"]
)
async def test_machines_are_not_asked_for(world: World, question: str) -> None:
    refused = await world.save(world.admin, question, shares_fleet=True)
    assert (refused.status_code, refused.json()["code"]) == (422, "names_machines")


@pytest.mark.parametrize("gone", ["membership", "account"])
async def test_it_dies_with_its_owners_access(world: World, gone: str) -> None:
    slug = (await world.saved())["slug"]
    paths = ("", "/answer.csv", "/chart.png", "/chart.svg", "/citation")
    assert [await world.status(slug, path) for path in paths] == [200] * 5
    private = (Membership.fleet_id == world.fleet_id) & (Membership.person_id == world.ada)
    with people.writing(world.server.database_url) as connection:
        if gone == "account":
            connection.execute(delete(Person).where(Person.person_id == world.ada))
        connection.execute(delete(Membership).where(private))
    assert [await world.status(slug, path) for path in paths] == [410] * 5
    embedded = await world.server.client.get(f"/embed/c/{slug}")
    assert embedded.status_code == 410


async def test_a_public_fleet_needs_no_yes(world: World) -> None:
    with people.writing(world.server.database_url) as connection:
        connection.execute(update(Fleet).values(visibility="public"))
    saved = await world.save(world.admin)
    assert saved.status_code == 201, saved.text
    assert saved.json()["fewest_machines"] is None


async def test_an_account_adopts_what_a_secret_owns(world: World) -> None:
    question = "metric=disk.write_average&by=chip"
    saved = (await world.save({}, question)).json()
    path = f"{COMPARISONS}/{saved['slug']}"
    ask = world.server.client
    paused = {"state": "paused"}
    assert (await ask.patch(path, json=paused, headers=world.viewer)).status_code == 403
    wrong = await ask.put(f"{path}/owner", json={"owner_secret": "mmo_no"}, headers=world.viewer)
    assert (wrong.status_code, wrong.json()["code"]) == (403, "not_owner")
    body = {"owner_secret": saved["owner_secret"]}
    assert (await ask.put(f"{path}/owner", json=body)).status_code in (401, 403)
    assert (await ask.put(f"{path}/owner", json=body, headers=world.viewer)).status_code == 204
    (link,) = (await ask.get(COMPARISONS, headers=world.viewer)).json()["items"]
    assert (link["slug"], link["of_fleet"], link["state"]) == (saved["slug"], False, "active")
    assert (await ask.get(COMPARISONS, headers=world.admin)).json()["items"] == []
    assert (await ask.patch(path, json=paused, headers=world.viewer)).status_code == 200
    assert (await ask.get(path)).status_code == 410
    assert (await ask.get(path, headers=world.viewer)).status_code == 200
    assert (await ask.get(path, headers=world.admin)).status_code == 410


async def test_a_fleets_link_stays_with_whoever_made_it(world: World) -> None:
    saved = await world.saved()
    (link,) = (await world.server.client.get(COMPARISONS, headers=world.admin)).json()["items"]
    assert (link["slug"], link["of_fleet"]) == (saved["slug"], True)
    refused = await world.server.client.put(
        f"{COMPARISONS}/{saved['slug']}/owner",
        json={"owner_secret": saved["owner_secret"]},
        headers=world.viewer,
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "of_a_fleet")
