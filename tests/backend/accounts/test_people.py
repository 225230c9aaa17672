"""People's rights to see fleets and change their runs: by session and by token."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

import pytest
from support import people
from support.documents import disk_run
from support.server import Server

WRITE = "metric=disk.write_average"
ACME = "where=fleet:acme"


class Cast(NamedTuple):
    """A private fleet with one run, a public run outside it, and people."""

    server: Server
    fleet_id: uuid.UUID
    private: dict[str, Any]
    public: dict[str, Any]
    viewer: dict[str, str]
    admin: dict[str, str]
    stranger: dict[str, str]
    server_admin: dict[str, str]


@pytest.fixture
async def cast(server: Server) -> Cast:
    url = server.database_url
    fleet_id, elsewhere = people.make_fleet(url, "acme"), people.make_fleet(url, "elsewhere")
    private, public = disk_run(), disk_run()
    stored = await server.put(private, people.uploader_of(url, fleet_id))
    assert stored.status_code == 201, stored.text
    await server.stored(public)

    async def of(name: str, **more: Any) -> dict[str, str]:
        return await people.sign_in(url, people.make_person(url, name, **more))

    return Cast(
        server,
        fleet_id,
        private,
        public,
        await of("Vera", roles={fleet_id: "viewer"}),
        await of("Ada", roles={fleet_id: "admin"}),
        await of("Sam", roles={elsewhere: "admin"}),
        await of("Root", server_admin=True),
    )


async def runs(cast: Cast, query: str, headers: dict[str, str]) -> int:
    answer = await cast.server.answer(query, **headers)
    return sum(group["runs"] for group in answer["results"][0]["groups"])


async def test_a_fleets_runs_count_where_a_member_names_it(cast: Cast) -> None:
    for reader in (cast.viewer, cast.admin, cast.server_admin):
        assert await runs(cast, WRITE, reader) == 1  # the public run, as for everybody
        assert await runs(cast, f"{WRITE}&{ACME}", reader) == 1
        assert await runs(cast, f"{WRITE}&where=fleet!:acme", reader) == 1
    for headers in (cast.stranger, {}):
        assert await runs(cast, WRITE, headers) == 1
        assert await runs(cast, f"{WRITE}&{ACME}", headers) == 0


async def test_one_side_of_a_comparison_is_the_fleet_and_the_other_the_public(cast: Cast) -> None:
    query = f"{WRITE}&side=1:fleet:acme&side=2:"
    comparison = await cast.server.client.get(f"/api/v1/compare?{query}", headers=cast.viewer)
    assert [cell.get("runs", 0) for cell in comparison.json()["rows"][0]["cells"]] == [1, 1]
    comparison = await cast.server.client.get(f"/api/v1/compare?{query}", headers=cast.stranger)
    assert [cell.get("runs", 0) for cell in comparison.json()["rows"][0]["cells"]] == [0, 1]


async def test_a_single_run_is_shown_to_whoever_may_read_it(cast: Cast) -> None:
    path = f"/api/v1/runs/{cast.private['id']}"
    for headers, status in (
        (cast.viewer, 200),
        (cast.admin, 200),
        (cast.server_admin, 200),
        (cast.stranger, 404),
        ({}, 404),
        ({"Cookie": "macmeter=ended"}, 404),
    ):
        assert (await cast.server.client.get(path, headers=headers)).status_code == status


async def test_admins_delete_their_fleets_runs_and_viewers_do_not(cast: Cast) -> None:
    path, ask = f"/api/v1/runs/{cast.private['id']}", cast.server.client.delete
    assert (await ask(path, headers=cast.stranger)).status_code == 404
    assert (await ask(path, headers=cast.viewer)).status_code == 403
    public = f"/api/v1/runs/{cast.public['id']}"
    assert (await ask(public, headers=cast.admin)).status_code == 403
    assert (await ask(path, headers=cast.admin)).status_code == 204
    assert (await ask(public, headers=cast.server_admin)).status_code == 204


@pytest.mark.every(4)
@pytest.mark.parametrize(
    "said",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://test"},
        {"Origin": "http://test:8080"},
        {"Origin": "http://test.evil.example"},
        {"Origin": "http://evil.example@test:1"},
        {"Origin": "http://[test"},
        {"Origin": "test"},
        {},
    ],
)
async def test_another_sites_page_changes_nothing(cast: Cast, said: dict[str, str]) -> None:
    headers = {"Cookie": cast.admin["Cookie"], **said}
    path = f"/api/v1/runs/{cast.private['id']}"
    refused = await cast.server.client.delete(path, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "other_site")
    assert (await cast.server.client.get(path, headers=cast.admin)).status_code == 200


async def test_plain_http_is_told_by_its_origin(cast: Cast) -> None:
    path = f"/api/v1/runs/{cast.private['id']}/withdrawal"
    for origin in ("http://test", "http://TEST:80"):
        headers = {"Cookie": cast.admin["Cookie"], "Origin": origin}
        reason = {"reason": "Measured beside another task."}
        response = await cast.server.client.put(path, json=reason, headers=headers)
        assert response.status_code == 204, origin


async def test_a_persons_token_may_what_it_was_made_for(cast: Cast) -> None:
    url, fleet_id = cast.server.database_url, cast.fleet_id
    other = people.make_fleet(url, "other")
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin", other: "admin"})
    path = f"/api/v1/runs/{cast.private['id']}"
    ask = cast.server.client
    elsewhere = people.token_of(url, ada, "manage", other)
    assert (await ask.get(path, headers=elsewhere)).status_code == 404
    reads = people.token_of(url, ada, "read")
    assert (await ask.get(path, headers=reads)).status_code == 200
    refused = await ask.delete(path, headers=reads)
    assert (refused.status_code, refused.json()["code"]) == (403, "read_only")
    uploaded = await cast.server.put(disk_run(), reads["Authorization"].split()[1])
    assert (uploaded.status_code, uploaded.json()["code"]) == (403, "token_of_person")
    manages = people.token_of(url, ada, "manage", fleet_id)
    assert (await ask.delete(path, headers=manages)).status_code == 204
