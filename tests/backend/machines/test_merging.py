"""Two ids of one Mac become one machine, and two again: no upload changes."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.models import Doubt, Machine, Run
from macmeter.platform import database
from macmeter.runs.rederive import rederive_runs
from macmeter.server.backup.comparing import compare
from sqlalchemy import select, update
from support import people
from support.comparisons import opened, save
from support.documents import Document, disk_run, encoded
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

QUESTION = "metric=disk.write_average&by=storage&by=virtual"


class Owner(NamedTuple):
    """A person who has claimed Macs, and each Mac's token."""

    server: Server
    person: uuid.UUID
    headers: dict[str, str]
    tokens: dict[str, str]

    async def mac(self, *runs: Document) -> str:
        machine_id = str(runs[0]["machine"]["id"])
        self.tokens[machine_id] = self.server.token()
        for run in runs:
            stored = await self.server.put(run, self.tokens[machine_id])
            assert stored.status_code == 201, stored.text
        self._claim(machine_id)
        return machine_id

    def _claim(self, machine_id: str) -> None:
        with people.writing(self.server.database_url) as connection:
            this = update(Machine).where(Machine.machine_id == uuid.UUID(machine_id))
            connection.execute(this.values(claimed_by=self.person))

    async def merge(self, machine_id: str, into: str, **more: Any) -> httpx.Response:
        return await self.ask("PUT", f"/{machine_id}/merge", json={"into": into}, **more)

    async def take_back(self, machine_id: str, **more: Any) -> httpx.Response:
        return await self.ask("DELETE", f"/{machine_id}/merge", **more)

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return await self.server.client.request(
            method, f"/api/v1/machines{path}", **({"headers": self.headers} | more)
        )

    def runs_of(self, *machine_ids: str) -> list[int]:
        with people.writing(self.server.database_url) as connection:
            ids = [str(machine_id) for machine_id in connection.scalars(select(Run.machine_id))]
        return [ids.count(machine_id) for machine_id in machine_ids]

    async def answer(self) -> Any:
        return (await self.server.answer(QUESTION))["results"]


@pytest.fixture
async def owner(server: Server) -> Owner:
    person = people.make_person(server.database_url)
    headers = people.token_of(server.database_url, person, "manage")
    return Owner(server, person, headers, {})


def two_runs(machine_id: str | None = None, **facts: Any) -> list[Document]:
    machine_id = machine_id or str(uuid.uuid4())
    return [disk_run(machine=machine_id, write=write, **facts) for write in (4e9, 5e9)]


def refusal(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def test_answers_count_one_machine_and_nothing_that_was_uploaded_changes(
    owner: Owner,
) -> None:
    server, former, now = owner.server, two_runs(), two_runs()
    old, new = await owner.mac(*former), await owner.mac(*now)
    saved = await save(server)
    doubt = {
        "reason": "This Mac was erased in between, I think.",
    }
    doubted = await server.client.post(f"/api/v1/runs/{former[0]['id']}/doubts", json=doubt)
    assert doubted.status_code == 201, doubted.text
    two = await owner.answer()
    assert two[0]["groups"][0]["machines"] == 2
    merged = await owner.merge(old, new)
    assert (merged.status_code, merged.json()) == (200, {"runs": 2})
    single = await owner.answer()
    assert (single[0]["groups"][0]["machines"], single[0]["groups"][0]["runs"]) == (1, 4)
    assert owner.runs_of(old, new) == [0, 4]
    assert (await owner.ask("GET", f"/{new}")).json()["runs"] == 4
    assert (await owner.ask("GET", f"/{old}")).status_code == 404
    page = await server.client.get(f"/machines/{old}?metric=disk.write_average")
    assert page.status_code == 307
    assert page.headers["Location"].endswith(f"/machines/{new}?metric=disk.write_average")
    for run in former:
        document = await server.client.get(f"/api/v1/runs/{run['id']}/document")
        assert document.content == encoded(run)
        page_of_run = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
        assert page_of_run["machine"]["id"] == new
    again = await opened(server, saved["slug"])
    assert (again["answer"], again["content_hash"]) == (saved["answer"], saved["content_hash"])
    with people.writing(server.database_url) as connection:
        assert connection.scalar(select(Doubt.machine_id)) == uuid.UUID(new)
    # Rederived and verified, a run belongs to the merged Mac.
    engine = database.engine(server.database_url)
    assert (await rederive_runs(engine, all_runs=True)).rebuilt == 4
    await engine.dispose()
    assert await owner.answer() == single
    keys = [(uuid.UUID(new), uuid.UUID(run["id"])) for run in (*former, *now)]
    verified = await compare(server.database_url, keys)
    assert (verified.runs, verified.differences) == (4, [])
    back = await owner.take_back(old)
    assert (back.status_code, back.json()) == (200, {"runs": 2})
    assert owner.runs_of(old, new) == [2, 2]
    assert await owner.answer() == two
    assert people.acts(server.database_url)[-2:] == ["machine.merge", "machine.part"]
    assert people.acts(server.database_url).count("machine.merge") == 1


async def test_the_id_that_went_uploads_and_enrols_no_more_until_it_is_taken_back(
    server: Server, owner: Owner
) -> None:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    admin = people.token_of(url, people.make_person(url, roles={fleet_id: "admin"}), "manage")
    secret, uploader = people.make_secret(url, fleet_id), people.uploader_of(url, fleet_id)
    ids = [str(uuid.uuid4()) for _ in range(2)]

    async def enrol(machine_id: str) -> httpx.Response:
        body = {"secret": secret, "machine_id": machine_id}
        return await server.client.post("/api/v1/enroll", json=body)

    tokens = [(await enrol(machine_id)).json()["token"] for machine_id in ids]
    for machine_id, token in zip(ids, tokens, strict=True):
        assert (await server.put(disk_run(machine=machine_id), token)).status_code == 201
    assert (await owner.merge(*ids, headers=admin)).json() == {"runs": 1}
    document = disk_run(machine=ids[0])
    assert refusal(await server.put(document, tokens[0])) == (401, "token_revoked")
    assert refusal(await server.put(document, uploader)) == (403, "machine_merged")
    assert refusal(await enrol(ids[0])) == (403, "machine_merged")
    assert (await server.put(disk_run(machine=ids[1]), tokens[1])).status_code == 201
    assert (await owner.take_back(ids[0], headers=admin)).json() == {"runs": 1}
    token = (await enrol(ids[0])).json()["token"]
    assert (await server.put(document, token)).status_code == 201
    assert owner.runs_of(*ids) == [2, 2]


async def test_runs_that_are_uploaded_meanwhile_are_merged_or_refused(owner: Owner) -> None:
    former, now = await owner.mac(*two_runs()), await owner.mac(*two_runs())
    waiting = [disk_run(machine=former) for _ in range(8)]
    merged, *answers = await asyncio.gather(
        owner.merge(former, now),
        *(owner.server.put(run, owner.tokens[former]) for run in waiting),
    )
    assert merged.status_code == 200
    stored = [response.status_code for response in answers]
    assert set(stored) <= {201, 401, 403}
    assert owner.runs_of(former, now) == [0, 4 + stored.count(201)]


async def test_each_of_several_ids_is_taken_back_by_itself(owner: Owner) -> None:
    first, second, third = [await owner.mac(*two_runs()) for _ in range(3)]
    assert (await owner.merge(first, second)).json() == {"runs": 2}
    assert (await owner.merge(second, third)).json() == {"runs": 4}
    assert refusal(await owner.merge(third, second)) == (409, "merged_itself")
    assert (await owner.take_back(second)).json() == {"runs": 2}
    assert owner.runs_of(first, second, third) == [0, 2, 4]
    assert refusal(await owner.merge(first, second)) == (409, "machine_merged")
    assert (await owner.take_back(first)).json() == {"runs": 2}
    assert owner.runs_of(first, second, third) == [2, 2, 2]
    assert (await owner.take_back(first)).status_code == 404


async def test_former_ids_go_with_the_machine_that_is_moved_or_deleted(
    server: Server, owner: Owner
) -> None:
    url = server.database_url
    acme, annex = people.make_fleet(url, "acme"), people.make_fleet(url, "annex")
    roles = {acme: "admin", annex: "admin"}
    admin = people.token_of(url, people.make_person(url, roles=roles), "manage")
    annex_token = people.token_of(url, people.make_person(url, roles={annex: "admin"}), "manage")
    uploader = people.uploader_of(url, acme)
    former, now = two_runs(), two_runs()
    for run in (*former, *now):
        assert (await server.put(run, uploader)).status_code == 201
    old, new = (str(runs[0]["machine"]["id"]) for runs in (former, now))
    assert (await owner.merge(old, new, headers=admin)).json() == {"runs": 2}
    moved = await owner.ask("PATCH", f"/{new}", headers=admin, json={"fleet": "annex"})
    assert moved.status_code == 204
    # The Mac's new owner can undo the merge, and then owns both.
    assert (await owner.take_back(old, headers=annex_token)).json() == {"runs": 2}
    assert owner.runs_of(old, new) == [2, 2]
    assert (await owner.merge(old, new, headers=annex_token)).json() == {"runs": 2}
    deleted = await owner.ask("DELETE", f"/{new}", headers=annex_token)
    assert deleted.json() == {"outcome": "deleted", "runs": 4}
    with people.writing(url) as connection:
        ids = Machine.machine_id.in_([uuid.UUID(old), uuid.UUID(new)])
        rows = connection.execute(select(Machine.fleet_id, Machine.merged_into).where(ids))
        assert {tuple(row) for row in rows} == {(None, None)}


async def test_a_guest_stays_with_its_host(owner: Owner) -> None:
    server, url = owner.server, owner.server.database_url
    fleet_id = people.make_fleet(url, "acme", "public")
    admin = people.token_of(url, people.make_person(url, roles={fleet_id: "admin"}), "manage")
    uploader = people.uploader_of(url, fleet_id)
    (former, _), (now, _) = two_runs(), two_runs()
    host, merged = former["machine"]["id"], now["machine"]["id"]
    guest = disk_run(
        environment={"os_version": "26.4", "virtual_machine": {"host_machine_id": host}}
    )
    for run in (former, now, guest):
        assert (await server.put(run, uploader)).status_code == 201
    assert (await owner.merge(host, merged, headers=admin)).status_code == 200
    guest_page = await owner.ask("GET", f"/{guest['machine']['id']}")
    assert guest_page.status_code == 200, guest_page.text
    assert guest_page.json()["host_machine_id"] == merged
    host_page = await owner.ask("GET", f"/{merged}")
    assert host_page.json()["guests"] == [guest["machine"]["id"]]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"chip": "Apple M1"}, "the chip of one is Apple M1, of the other Apple M4 Pro"),
        ({"model": "Mac16,10"}, "the model of one is Mac16,10, of the other Mac16,11"),
    ],
)
async def test_different_macs_are_not_merged(
    owner: Owner, facts: dict[str, str], said: str
) -> None:
    first, second = two_runs(), two_runs()
    for run in first:
        run["machine"] |= {"model": "Mac16,11"} | facts
    for run in second:
        run["machine"]["model"] = "Mac16,11"
    ids = await owner.mac(*first), await owner.mac(*second)
    refused = await owner.merge(*ids)
    assert refusal(refused) == (409, "different_macs")
    assert said in refused.json()["detail"]
    assert owner.runs_of(*ids) == [2, 2]


async def test_nobody_merges_what_is_not_theirs(owner: Owner) -> None:
    url = owner.server.database_url
    own, other = await owner.mac(*two_runs()), await owner.mac(*two_runs())
    somebody = people.token_of(url, people.make_person(url), "manage")
    reading = people.token_of(url, owner.person, "read")
    assert refusal(await owner.merge(own, own)) == (422, "invalid_value")
    assert (await owner.merge(own, str(uuid.uuid4()))).status_code == 404
    assert refusal(await owner.merge(own, other, headers=somebody)) == (403, "not_owner")
    assert refusal(await owner.merge(own, other, headers=reading)) == (403, "read_only")
    root = people.make_person(url, "Root", server_admin=True)
    root_token = people.token_of(url, root, "manage")
    (loose, *_) = two_runs()
    assert (await owner.server.put(loose)).status_code == 201
    unlike = await owner.merge(own, loose["machine"]["id"], headers=root_token)
    assert refusal(unlike) == (409, "other_owner")
    assert (await owner.merge(own, other)).status_code == 200
    assert refusal(await owner.take_back(own, headers=somebody))[0] in (403, 404)
    assert (await owner.take_back(own, headers=root_token)).status_code == 200
    assert owner.runs_of(own, other) == [2, 2]
