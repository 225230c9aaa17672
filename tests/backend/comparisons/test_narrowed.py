"""Content of links once a fleet behind them is no longer public, in every way that happens."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Comparison, ComparisonMachines
from sqlalchemy import delete, update
from support import people
from support.databases import fresh_database
from support.documents import Document, disk_run
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

ASKED = "metric=disk.write_average&by=storage"
SIDES = (
    "metric=disk.write_average&side=1:storage:internal&side=2:storage:usb4"
    "&side=3:storage:sd_card&baseline=1"
)
COMPARISONS = "/api/v1/comparisons"
# Macs of the fleet and of others, by storage.
MACS = {"internal": (6, 6), "usb4": (3, 4), "thunderbolt5": (6, 0), "sd_card": (0, 2)}
ALL, LEFT = {*MACS}, {"internal", "sd_card"}


class World(NamedTuple):
    """A public fleet among others' Macs, and its admin."""

    server: Server
    fleet_id: uuid.UUID
    admin: dict[str, str]
    own: list[Document]

    @property
    def secret(self) -> list[str]:
        """Texts that must not appear any more."""
        return ["quokka", *(str(run["id"]) for run in self.own), *self.machines]

    @property
    def machines(self) -> list[str]:
        return [str(run["machine"]["id"]) for run in self.own]

    async def saved(self, question: str = ASKED, **more: Any) -> str:
        body = {"question": question, "private": False} | more
        response = await self.server.client.post(COMPARISONS, json=body)
        assert response.status_code == 201, response.text
        slug: str = response.json()["slug"]
        return slug

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        response = await self.server.client.request(
            method, f"/api/v1{path}", headers=self.admin, **more
        )
        assert response.status_code < 300, response.text
        return response

    async def become(self, visibility: str) -> None:
        body = {"visibility": visibility, "consent": True}
        await self.ask("PATCH", f"/fleets/{self.fleet_id}", json=body)

    async def opened(self, slug: str) -> Any:
        response = await self.server.client.get(f"{COMPARISONS}/{slug}")
        assert response.status_code == 200, response.text
        return response.json()

    async def storages(self, slug: str) -> set[str]:
        """The storage of the groups that it shows."""
        (result,) = (await self.opened(slug))["answer"]["results"]
        return {group["key"]["storage"] for group in result["groups"]}

    async def everywhere(self, slug: str) -> list[httpx.Response]:
        paths = [f"{COMPARISONS}/{slug}{part}" for part in ("", "/answer.csv", "/changes")]
        paths += [f"{COMPARISONS}/{slug}/{name}" for name in ("chart.svg", "chart.png", "citation")]
        paths += [f"/embed/c/{slug}", f"/api/v1/oembed?url=http://test/c/{slug}"]
        return [await self.server.client.get(path) for path in paths]

    async def refusal(self, slug: str) -> tuple[int, str]:
        response = await self.server.client.get(f"{COMPARISONS}/{slug}")
        return response.status_code, response.json().get("code", "")


CLOSED = (410, "comparison_private")


class Planted(NamedTuple):
    """Content of a World's database before a test."""

    database: str
    fleet_id: uuid.UUID
    admin: dict[str, str]
    own: list[Document]


@pytest.fixture(scope="module")
async def planted(cluster: EmbeddedPostgres) -> AsyncIterator[Planted]:
    """Created once; each test gets a copy."""
    with fresh_database(cluster) as name:
        url, runs_planted = cluster.url(name), list[Document]()
        fleet_id = people.make_fleet(url, "quokka", "public")
        uploader = people.uploader_of(url, fleet_id)
        async with serving(url) as server:
            for storage, (own, other_count) in MACS.items():
                runs_planted += (
                    runs := [disk_run(write=5e9 + n * 1e8, storage=storage) for n in range(own)]
                )
                for run in runs:
                    assert (await server.put(run, uploader)).status_code == 201
                await server.stored(
                    *(disk_run(write=4e9 + n * 1e7, storage=storage) for n in range(other_count))
                )
        ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
        yield Planted(name, fleet_id, await people.sign_in(url, ada), runs_planted)


@pytest.fixture
def database_url(cluster: EmbeddedPostgres, planted: Planted) -> Iterator[str]:
    with fresh_database(cluster, template=planted.database) as name:
        yield cluster.url(name)


@pytest.fixture
def world(server: Server, planted: Planted) -> World:
    return World(server, planted.fleet_id, dict(planted.admin), planted.own)


@pytest.mark.parametrize("visibility", ["private", "members"])
async def test_aggregates_stay_and_the_rest_goes_everywhere(world: World, visibility: str) -> None:
    slug = await world.saved()
    before = await world.opened(slug)
    assert before["withheld"] == 0
    assert any(run_id in str(before) for run_id in world.secret)
    assert await world.storages(slug) == ALL
    await world.become(visibility)
    comparison = await world.opened(slug)
    assert await world.storages(slug) == LEFT
    (result,), (former,) = comparison["answer"]["results"], before["answer"]["results"]
    remaining = [group for group in former["groups"] if group["key"]["storage"] in LEFT]
    for group, was in zip(result["groups"], remaining, strict=True):
        assert {**group, "run_ids": []} == {**was, "run_ids": []}
    assert (comparison["withheld"], comparison["content_hash"]) == (2, before["content_hash"])
    # Internal storage has fewer Macs now; USB4 still has figures, which aren't new.
    assert comparison["change"]["groups"] == 1
    assert result["notes"][-1]["code"] == "narrowed"
    assert "2 figures are hidden" in str(comparison["figure"])
    for response in await world.everywhere(slug):
        assert response.status_code == 200, response.text
        found = [secret for secret in world.secret if secret in response.text]
        assert found == [], response.url
    # Its author sees no more than others.
    await world.become("public")
    again = await world.opened(slug)
    assert (again["answer"], again["withheld"]) == (before["answer"], 0)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "question",
    [
        f"{ASKED}&where=storage:thunderbolt5",
        f"{ASKED}&where=fleet:quokka",
        f"{ASKED}&by=fleet&where=storage:usb4&where=fleet:quokka",
        "metric=disk.write_average&where=machine:{machine}",
        f"{ASKED}&where=fleet!:quokka",
        f"{ASKED}&where=machine!:{{machine}}",
        f"{ASKED}&where=storage:internal&relative_to=machine:{{machine}}",
        f"{ASKED}&by=fleet&where=storage:internal&relative_to=fleet:quokka",
        "metric=disk.write_average&side=1:fleet:quokka&side=2:storage:internal",
        "metric=disk.write_average&side=1:machine:{machine}&side=2:storage:internal",
        "metric=disk.write_average&side=1:storage:usb4&side=2:storage:internal"
        "&where=machine!:{machine}",
    ],
)
async def test_what_rests_on_it_alone_or_names_it_is_closed(world: World, question: str) -> None:
    slug = await world.saved(question.format(machine=world.machines[0]))
    await world.become("private")
    for response in await world.everywhere(slug):
        assert response.status_code in (404, 410), response.url
        assert not [secret for secret in world.secret if secret in response.text]
    assert await world.refusal(slug) == CLOSED
    problem = (await world.server.client.get(f"{COMPARISONS}/{slug}")).json()
    assert problem["detail"] == "It showed Macs of a fleet that is no longer public."
    await world.become("public")
    assert (await world.opened(slug))["withheld"] == 0


async def test_a_question_still_names_a_fleet_that_is_called_otherwise_now(world: World) -> None:
    slug = await world.saved(f"{ASKED}&where=fleet!:quokka")
    await world.ask("PATCH", f"/fleets/{world.fleet_id}", json={"name": "wombat"})
    assert (await world.opened(slug))["withheld"] == 0
    await world.become("private")
    assert await world.refusal(slug) == CLOSED


async def test_a_question_tells_nobody_which_fleets_there_are(world: World) -> None:
    """A link that names an unreadable fleet stays open like one that names none."""
    people.make_fleet(world.server.database_url, "numbat", "private")
    for name in ("numbat", "nothing"):
        slug = await world.saved(f"{ASKED}&where=fleet!:{name}")
        assert (await world.opened(slug))["withheld"] == 0


async def test_single_macs_and_fleets_go_from_groups_by_them(world: World) -> None:
    by_machine = await world.saved("metric=disk.write_average&by=machine")
    by_fleet = await world.saved("metric=disk.write_average&by=fleet")
    await world.become("private")
    for slug, count in ((by_machine, 12), (by_fleet, 1)):
        (result,) = (await world.opened(slug))["answer"]["results"]
        assert len(result["groups"]) == count
        for response in await world.everywhere(slug):
            assert not [secret for secret in world.secret if secret in response.text]


async def test_a_side_of_too_few_goes_with_the_means(world: World) -> None:
    slug = await world.saved(SIDES)
    assert (await world.opened(slug))["answer"]["geometric_mean"]["sides"]
    await world.become("private")
    comparison = await world.opened(slug)
    cells = comparison["answer"]["rows"][0]["cells"]
    assert [cell.get("missing", {}).get("code") for cell in cells] == [None, "narrowed", None]
    assert "ratio" in cells[2]
    assert (comparison["withheld"], comparison["answer"]["geometric_mean"]["sides"]) == (1, [])
    for response in await world.everywhere(slug):
        assert not [secret for secret in world.secret if secret in response.text]


async def test_no_ratio_is_to_something_hidden(world: World) -> None:
    """References that only the fleet measured are hidden, whether or not they are a group here."""
    for where in ("", "&where=storage:internal"):
        slug = await world.saved(f"{ASKED}&relative_to=storage:thunderbolt5{where}")
        groups = (await world.opened(slug))["answer"]["results"][0]["groups"]
        assert any("ratio" in group for group in groups)
        await world.become("private")
        groups = (await world.opened(slug))["answer"]["results"][0]["groups"]
        assert groups
        assert not any("ratio" in group for group in groups)
        await world.become("public")


async def test_what_was_shared_on_purpose_stays(world: World) -> None:
    await world.become("private")
    body = {"question": f"{ASKED}&where=fleet:quokka", "shares_fleet": True}
    saved = await world.ask("POST", "/comparisons", json=body)
    slug = saved.json()["slug"]
    await world.become("members")
    assert (await world.opened(slug))["withheld"] == 0
    await world.become("private")
    assert await world.storages(slug) == {"internal", "thunderbolt5"}


async def test_another_private_fleet_changes_nothing(world: World) -> None:
    """A link must not reveal a fleet that never was public."""
    url = world.server.database_url
    uploader = people.uploader_of(url, people.make_fleet(url, "never"))
    for _ in range(3):
        assert (await world.server.put(disk_run(storage="sd_card"), uploader)).status_code == 201
    question = f"{ASKED}&where=storage:sd_card"
    slugs = [await world.saved(question)]
    sides = "metric=disk.write_average&side=1:storage:sd_card&side=2:fleet:{}"
    slugs += [await world.saved(sides.format(name)) for name in ("never", "made-up")]
    for slug in slugs:
        assert (await world.opened(slug))["withheld"] == 0


Way = Callable[[World], Awaitable[None]]


async def moved_as_a_whole(world: World) -> None:
    other = people.make_fleet(world.server.database_url, "elsewhere")
    await join(world, other)
    await world.ask("DELETE", "/fleets/quokka?name=quokka&runs=move&to=elsewhere")


async def moved_mac_by_mac(world: World) -> None:
    other = people.make_fleet(world.server.database_url, "elsewhere")
    await join(world, other)
    for machine in world.machines:
        await world.ask("PATCH", f"/machines/{machine}", json={"fleet": "elsewhere"})


async def private_and_then_deleted(world: World) -> None:
    await world.become("private")
    await world.ask("DELETE", "/fleets/quokka?name=quokka&runs=delete")


async def join(world: World, fleet_id: uuid.UUID) -> None:
    """Make its admin one of the other fleet, too."""
    ada = people.make_person(
        world.server.database_url, "Eva", roles={world.fleet_id: "admin", fleet_id: "admin"}
    )
    world.admin.clear()
    world.admin.update(await people.sign_in(world.server.database_url, ada))


WAYS: list[Way] = [moved_as_a_whole, moved_mac_by_mac, private_and_then_deleted]


@pytest.mark.every(3)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_it_does_not_matter_how_runs_came_to_be_private(world: World, way: Way) -> None:
    alone, slug = await world.saved(f"{ASKED}&where=storage:thunderbolt5"), await world.saved()
    await way(world)
    assert await world.refusal(alone) == CLOSED
    assert await world.storages(slug) == LEFT
    for response in await world.everywhere(slug):
        assert not [secret for secret in world.secret if secret in response.text]


async def test_what_was_published_is_shown_again(world: World) -> None:
    alone = await world.saved(f"{ASKED}&where=storage:thunderbolt5")
    await world.become("private")
    await world.ask("DELETE", "/fleets/quokka?name=quokka&runs=publish&consent=true")
    assert (await world.opened(alone))["withheld"] == 0


async def test_links_saved_by_an_older_version_go_by_the_runs_that_they_name(
    world: World,
) -> None:
    alone, slug = await world.saved(f"{ASKED}&where=storage:thunderbolt5"), await world.saved()
    with people.writing(world.server.database_url) as connection:
        connection.execute(delete(ComparisonMachines))
        connection.execute(update(Comparison).values(knows_fleets=False))
    assert await world.storages(slug) == ALL
    await world.become("private")
    assert await world.refusal(alone) == CLOSED
    assert await world.storages(slug) == LEFT
    for response in await world.everywhere(slug):
        assert not [secret for secret in world.secret if secret in response.text]


@pytest.mark.parametrize("left_out", ["fleet!:quokka", "machine!:{}"])
async def test_links_of_an_older_version_close_where_they_leave_it_out(
    world: World, left_out: str
) -> None:
    """None of its runs is behind a figure, but its name or an id is in the question."""
    question = f"{ASKED}&where={left_out.format(world.machines[0])}"
    slug, other = await world.saved(question), await world.saved(f"{ASKED}&where=fleet!:quoll")
    with people.writing(world.server.database_url) as connection:
        connection.execute(delete(ComparisonMachines))
        connection.execute(update(Comparison).values(knows_fleets=False, told_of=[]))
    assert (await world.opened(slug))["withheld"] == 0
    await world.become("private")
    assert await world.refusal(slug) == CLOSED
    await world.opened(other)
    await world.become("public")
    assert (await world.opened(slug))["withheld"] == 0


async def links(world: World) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (await world.ask("GET", "/fleets/quokka/links")).json()["items"]
    return items


async def test_its_admins_see_links_with_its_runs_and_take_ids_out(world: World) -> None:
    slug = await world.saved(title="Storage")
    await world.saved(f"{ASKED}&where=storage:sd_card", title="Of others")
    secret = await world.saved(f"{ASKED}&where=storage:thunderbolt5", title="Mine", private=True)
    hidden, link = await links(world)
    assert (link["title"], link["url"]) == ("Storage", f"http://test/c/{slug}")
    assert (link["figures"], link["shows"]) == (3, "everything")
    assert link["run_ids"] > 0
    # The owner of another private link, and how to open it, stay hidden.
    assert (hidden["title"], hidden["url"], hidden["figures"]) == (None, None, 1)
    assert secret not in str(hidden)
    path = f"/fleets/quokka/links/{link['id']}/ids"
    for _ in "ab":
        await world.ask("DELETE", path)
    assert people.acts(world.server.database_url)[-1] == "link.take_ids_out"
    assert (await links(world))[1]["run_ids"] == 0
    opened = await world.opened(slug)
    assert opened["withheld"] == 0
    assert await world.storages(slug) == ALL
    assert not [secret for secret in world.secret if secret in str(opened)]
    await world.become("private")
    assert [link["shows"] for link in await links(world)] == ["nothing", "some"]


async def test_nobody_else_sees_or_changes_them(world: World) -> None:
    slug = await world.saved()
    (link,) = await links(world)
    url = world.server.database_url
    elsewhere = people.make_fleet(url, "elsewhere")
    other = await people.sign_in(url, people.make_person(url, roles={elsewhere: "admin"}))
    viewer = await people.sign_in(url, people.make_person(url, roles={world.fleet_id: "viewer"}))
    before = await world.opened(slug)
    for headers, status in ((other, 404), (viewer, 403), ({}, 401)):
        client = world.server.client
        listed = await client.get("/api/v1/fleets/quokka/links", headers=headers)
        path = f"/api/v1/fleets/quokka/links/{link['id']}/ids"
        changed = await client.delete(path, headers=headers)
        assert (listed.status_code, changed.status_code) == (status, status)
    # Nor through a fleet of their own, which has nothing to do with the link.
    path = f"/api/v1/fleets/elsewhere/links/{link['id']}/ids"
    assert (await world.server.client.delete(path, headers=other)).status_code == 404
    assert (await world.opened(slug))["answer"] == before["answer"]
