"""Access rights: every endpoint by every role, in one table."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from macmeter.accounts.tokens import FLEET, LOCAL_FLEET, secret_hash
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import EnrolmentSecret, Fleet, Machine, Membership, Token
from macmeter.platform.database import normalise
from macmeter.platform.settings import Settings
from macmeter.runs.published import documents
from macmeter.server.main import create_app
from sqlalchemy import create_engine, insert, literal, select, update
from support import people
from support.access_table import (
    A_FLEET,
    ASKED,
    AUDIT,
    COMPARED,
    ENDED,
    ENROL_ALONE,
    EVENTS,
    MERGE,
    NOBODY,
    OEMBED,
    PERCENTILE,
    QUESTION,
    RANK,
    ROLES,
    RUN,
    TABLE,
    Row,
)
from support.contract import of_api
from support.databases import fresh_database
from support.documents import disk_run, encoded
from support.published import store_published
from support.server import Server, serving
from support.strangers import state, strangers

Names = dict[str, str]
# Role that uploaded each run.
RUNS_OF = {"public": "device", "other": "other device", "private": "fleet"}
COMPARISONS = {"open", "paused"}
OF_FLEET = {"doomed", "member", "secret", "token", "enrolled"}
# Enough to fill lists and files, which every role reads.
PUBLISHED = 12
EVERYTHING = RUNS_OF.keys() | COMPARISONS | OF_FLEET | {"invitation"}


@dataclass
class World:
    """Two devices and two fleets, each with its own machine, and some published figures."""

    server: Server
    secrets: dict[str, str]
    machines: dict[str, str]
    published: str
    published_deleted: str
    people: dict[str, dict[str, str]]
    """Headers by role."""
    alert: str
    shared: tuple[Names, Names] = ({}, {})
    """Objects for requests that change nothing."""

    async def things(self, named: Set[str], **labels: str) -> tuple[Names, Names]:
        """Ids of existing objects and of a new one of each `named` kind, and the owner secrets."""
        names, owners = {"published": self.published, "unknown": str(uuid.uuid4())}, {}
        names |= {name: name for name in ("", "chips", "machines", "m9", "mac99-1")}
        names["another published"] = self.published_deleted
        names |= {"local fleet": "local", "local": "local", "alert": self.alert}
        names |= {"machine": self.machines["device"], "private machine": self.machines["fleet"]}
        if "invitation" in named:
            names["invitation"] = people.make_invitation(self.server.database_url, LOCAL_FLEET)
        for name in RUNS_OF.keys() & named:
            role = RUNS_OF[name]
            run = disk_run(machine=self.machines[role], labels=labels)
            names[name] = run["id"]
            assert (await self.server.put(run, self.secrets[role])).status_code == 201
        for name in COMPARISONS & named:
            names[name], owners[name] = await save(self.server)
        if "paused" in named:
            paused = await self.server.client.patch(
                f"/api/v1/comparisons/{names['paused']}",
                json={"state": "paused"},
                headers=bearer(owners["paused"]),
            )
            assert paused.status_code == 200
        if "doomed" in named:
            names["doomed"] = self.doomed_fleet()
        if "member" in named:
            url, local = self.server.database_url, self.local()
            names["member"] = str(people.make_person(url, roles={local: "viewer"}))
        if named & {"secret", "token", "enrolled"}:
            names |= await self.enrolled()
        return names, owners

    async def things_for(self, row: Row) -> tuple[Names, Names]:
        """Objects for a row's addresses: new ones if it may change them, shared ones for reads."""
        shared, owners = self.shared
        if row.method == "GET":
            return shared, owners
        own_names, own_owners = await self.things({*row.on.values()})
        return own_names, owners | own_owners

    def local(self) -> uuid.UUID:
        return fleets_of(self.server.database_url)["local"]

    def doomed_fleet(self) -> str:
        """Create a fleet that may be deleted, with the people of the local one."""
        name = f"doomed {uuid.uuid4()}"
        fleet_id, local = people.make_fleet(self.server.database_url, name), self.local()
        members = select(literal(fleet_id), Membership.person_id, Membership.role).where(
            Membership.fleet_id == local
        )
        columns = [Membership.fleet_id, Membership.person_id, Membership.role]
        with people.writing(self.server.database_url) as connection:
            connection.execute(insert(Membership).from_select(columns, members))
        return name

    async def enrolled(self) -> Names:
        """A secret of the fleet, and a machine that enrolled with it twice and has a run."""
        url, machine = self.server.database_url, str(uuid.uuid4())
        secret = people.make_secret(url, self.local())
        for _ in range(2):
            enrolled = await self.server.client.post(
                "/api/v1/enroll", json={"secret": secret, "machine_id": machine}
            )
        await self.server.put(disk_run(machine=machine), enrolled.json()["token"])
        with people.writing(url) as connection:
            is_secret = EnrolmentSecret.secret_sha256 == secret_hash(secret)
            (secret_id,) = connection.execute(
                select(EnrolmentSecret.secret_id).where(is_secret)
            ).one()
            bound = Machine.machine_id == uuid.UUID(machine)
            (token_id,) = connection.execute(select(Machine.bound_token_id).where(bound)).one()
        return {"secret": str(secret_id), "token": str(token_id), "enrolled": machine}

    def headers(self, role: str, owner_secret: str = "") -> dict[str, str]:
        if role == NOBODY:
            return {}
        if role in self.people:
            return dict(self.people[role])
        if role == "not a bearer":
            return {"Authorization": "Basic bWFjOm1ldGVy"}
        return bearer(owner_secret if role == "owner secret" else self.secrets[role])


@pytest.fixture(scope="module")
async def world(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    frontend = tmp_path_factory.mktemp("frontend")
    (frontend / "index.html").write_text("<head><title>Macmeter</title></head>")
    with fresh_database(cluster) as name:
        limits: dict[str, Any] = {"quota_comparisons": 100_000, "quota_guesses": 100_000}
        limits["dataset_dir"] = tmp_path_factory.mktemp("dataset")
        async with serving(cluster.url(name), frontend, **limits) as server:
            await store_published(server, *islice(documents(), PUBLISHED))
            # Successful responses are what the contract promises.
            server.client.event_hooks = {"response": [of_api().hook_of_successes]}
            secrets = {role: server.token() for role in ("device", "other device", *ENDED)}
            secrets["fleet"] = server.token("fleet")
            secrets["unknown secret"] = "mmd_unknown"
            secrets["other fleet"] = end_tokens_and_found_a_fleet(server, secrets)
            published, deleted = await items(server, "?where=source:published&limit=2")
            machines = {role: str(uuid.uuid4()) for role in ("device", "other device", "fleet")}
            machines["reserved"] = published["machine"]["id"]
            people_ = await make_people(server.database_url)
            fleet_id = fleets_of(server.database_url)["local"]
            alert = str(people.make_alert(server.database_url, fleet_id))
            run_ids = (published["id"], deleted["id"])
            world = World(server, secrets, machines, *run_ids, people_, alert)
            world.shared = await world.things(EVERYTHING)
            yield world


def fleets_of(url: str) -> dict[str, uuid.UUID]:
    with people.writing(url) as connection:
        rows = connection.execute(select(Fleet.name, Fleet.fleet_id))
        return {row.name: row.fleet_id for row in rows}


async def make_people(url: str) -> dict[str, dict[str, str]]:
    """Headers of each role that is a person's."""
    fleets = fleets_of(url)
    local, elsewhere = fleets["local"], fleets["elsewhere"]
    admin = people.make_person(url, roles={local: "admin"})
    return {
        "viewer": await people.sign_in(url, people.make_person(url, roles={local: "viewer"})),
        "limited viewer": await people.sign_in(
            url, people.make_person(url, roles={local: "viewer"}, limited_to={"rack": "B"})
        ),
        "other viewer": await people.sign_in(
            url, people.make_person(url, roles={elsewhere: "viewer"})
        ),
        "admin": await people.sign_in(url, admin),
        "server admin": await people.sign_in(url, people.make_person(url, server_admin=True)),
        "reading token": people.token_of(url, admin, "read"),
        "managing token": people.token_of(url, admin, "manage"),
        "ended session": {"Cookie": "macmeter=ended", **people.OWN_PAGE},
    }


def end_tokens_and_found_a_fleet(server: Server, secrets: dict[str, str]) -> str:
    """End the tokens of `ENDED` roles; return the secret of a second fleet's token."""
    secret, fleet_id = "mmf_elsewhere", uuid.uuid4()
    engine = create_engine(normalise(server.database_url))
    with engine.begin() as connection:
        for role, column in ENDED.items():
            connection.execute(
                update(Token)
                .where(Token.secret_sha256 == secret_hash(secrets[role]))
                .values({column: datetime.now(UTC) - timedelta(seconds=1)})
            )
        connection.execute(
            insert(Fleet).values(fleet_id=fleet_id, name="elsewhere", visibility="private")
        )
        connection.execute(
            insert(Token).values(
                token_id=uuid.uuid4(),
                secret_sha256=secret_hash(secret),
                scope=FLEET,
                fleet_id=fleet_id,
            )
        )
    engine.dispose()
    return secret


async def items(server: Server, query: str, **headers: str) -> list[dict[str, Any]]:
    response = await server.client.get(f"/api/v1/runs{query}", headers=headers)
    entries: list[dict[str, Any]] = response.json()["items"]
    return entries


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def save(server: Server) -> tuple[str, str]:
    response = await server.client.post("/api/v1/comparisons", json={"question": QUESTION})
    return response.json()["slug"], response.json()["owner_secret"]


@pytest.mark.every(3)
@pytest.mark.parametrize("row", TABLE, ids=str)
async def test_each_role_gets_what_the_table_says(world: World, row: Row) -> None:
    names, owners = await world.things_for(row)
    names_of_row = {name: names[key] for name, key in row.on.items()}
    secret = owners.get(row.on.get("slug", ""), owners["open"])
    # Roles that may do it come last: after a deletion the others would find nothing.
    expected = sorted(zip(ROLES, row.statuses, strict=True), key=lambda cell: cell[1] < 300)
    statuses: list[tuple[str, int]] = []
    url, refused = world.server.database_url, sum(status >= 300 for status in row.statuses)
    before = state(url) if row.method != "GET" else []
    for role, status in expected:
        if row.on and row.method != "GET" and status < 300:
            # Each of them changes its own object.
            names, owners = await world.things_for(row)
            names_of_row = {name: names[key] for name, key in row.on.items()}
            secret = owners.get(row.on.get("slug", ""), owners["open"])
        if row.alone and status < 300:
            world.people = await make_people(world.server.database_url)
        response = await ask(world, row, names_of_row, world.headers(role, secret))
        world.server.client.cookies.clear()
        statuses.append((role, response.status_code))
        if row.method != "GET" and len(statuses) == refused:
            assert state(url) == before, "whoever was refused has changed something"
        assert "unsafe-" not in response.headers["content-security-policy"]
        if response.status_code >= 400 and row.path.startswith("/api"):
            is_drawn = response.status_code == 410 and "/chart." in row.path
            media_type = "image/" if is_drawn else "application/problem+json"
            assert response.headers["content-type"].startswith(media_type)
        if response.status_code == 401:
            assert response.headers["www-authenticate"].startswith("Bearer")
    if row.alone:
        world.people = await make_people(world.server.database_url)
    assert statuses == expected


# Requests that anybody may make, or that affect only one's own data.
_ANYBODYS = ("account", "comparisons", "enroll", "runs/batch", "runs/{run_id}/doubts", "session")
_OWN = ("sessions", "tokens", "tokens/self/rotation")
ANYBODYS = {f"/api/v1/{path}" for path in (*_ANYBODYS, *_OWN)}


@pytest.mark.thorough
async def test_more_kinds_of_strangers_write_nothing(world: World) -> None:
    url, count = world.server.database_url, 0
    fleets = fleets_of(url)
    askers = await strangers(world.server, fleets["local"], fleets["elsewhere"])
    for row in TABLE:
        if row.method == "GET" or row.path in ANYBODYS or (row.path == RUN and row.body == "new"):
            continue
        names, _ = await world.things_for(row)
        names_of_row = {name: names[key] for name, key in row.on.items()}
        before = state(url)
        for asker, headers in askers.items():
            response = await ask(world, row, names_of_row, dict(headers))
            world.server.client.cookies.clear()
            assert response.status_code >= 400, (asker, str(row))
            count += 1
        assert state(url) == before, str(row)
    assert count > 400


async def ask(
    world: World, row: Row, fields: dict[str, str], headers: dict[str, str]
) -> httpx.Response:
    """The response for one cell of the table."""
    content = None
    if row.method == "PUT" and row.path == RUN:
        document = disk_run(machine=world.machines.get(row.body) or str(uuid.uuid4()))
        fields = {"run_id": document["id"]}
        headers["Content-Type"], content = "application/json", encoded(document)
    elif isinstance(row.body, dict):
        body = row.body
        if body == ENROL_ALONE:
            body = {"machine_id": world.machines["reserved"]}
        elif body == MERGE:
            body = {"into": world.machines["fleet"]}
        headers["Content-Type"], content = "application/json", json.dumps(body).encode()
    elif row.body is not None:
        headers["Content-Type"], content = "application/x-ndjson", row.body
    path = row.path.replace(":path", "").format(**fields)
    query = f"?{QUESTION}" if row.path in ASKED else ""
    if row.path == EVENTS:
        query = "?since=2026-01-01T00:00:00Z&limit=1"
    if row.path in AUDIT:
        query = f"?fleet={fields['fleet']}"
    if row.path == A_FLEET and row.method == "DELETE":
        query = f"?name={fields['fleet']}&runs=delete"
    if row.path == PERCENTILE:
        query = f"?{QUESTION}&run={fields['run_id']}"
    if row.path == RANK:
        query = f"?run={fields['run_id']}"
    if row.path.endswith("/oidc/return"):
        query = "?state=made-up&code=x"
    if row.path in COMPARED:
        query = f"?{QUESTION}&side=1:&side=2:chip:Apple M1"
    if row.path == OEMBED:
        query = f"?url=http://test/c/{fields['slug']}"
    return await world.server.client.request(
        row.method, path + query, content=content, headers=headers
    )


def test_no_endpoint_is_missing_from_the_table() -> None:
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    served = {
        (method, route.path)
        for route in iter_route_contexts(app.routes)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert served == {(row.method, row.path) for row in TABLE}


async def test_a_private_run_is_seen_by_its_fleet_alone_whatever_is_asked(world: World) -> None:
    """A private run is missing from lists, counts and figures too, which the table doesn't show."""
    names, _ = await world.things(RUNS_OF.keys(), story="seen")
    client, query = world.server.client, f"{QUESTION}&where=label:story:seen"
    for role in ("fleet", NOBODY, "device", "other device", "other fleet"):
        headers = world.headers(role)
        sees = role == "fleet"
        listed = await items(world.server, "?where=label:story:seen", **headers)
        assert (names["private"] in {item["id"] for item in listed}) is sees
        assert len(listed) == 2 + sees
        (group,) = (await world.server.answer(query, **headers))["results"][0]["groups"]
        assert group["machines"] == 2 + sees
        lines = (await client.get(f"/api/v1/answer.csv?{query}", headers=headers)).text
        assert f",{2 + sees},{2 + sees}," in lines
        facets = (await client.get(f"/api/v1/facets?{query}", headers=headers)).json()
        assert facets["total"] == 2 + sees
        assert ("fleet" in {facet["name"] for facet in facets["dimensions"]}) is sees


async def test_a_comparison_shows_what_the_public_reads_whoever_saves_it(world: World) -> None:
    await world.things(RUNS_OF.keys(), story="saved")
    saved = await world.server.client.post(
        "/api/v1/comparisons",
        json={"question": f"{QUESTION}&where=label:story:saved"},
        headers=world.headers("fleet"),
    )
    (group,) = saved.json()["answer"]["results"][0]["groups"]
    assert group["machines"] == 2


async def test_the_secret_of_one_comparison_opens_no_other(world: World) -> None:
    names, owners = await world.things(COMPARISONS)
    headers = world.headers("owner secret", owners["open"])
    paused = f"/api/v1/comparisons/{names['paused']}"
    assert (await world.server.client.get(paused, headers=headers)).status_code == 410
    assert (await world.server.client.delete(paused, headers=headers)).status_code == 403
