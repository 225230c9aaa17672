"""Who may do what: every endpoint by every role, in one table."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from macmeter import database
from macmeter.access.tokens import FLEET, secret_hash
from macmeter.database import normalise
from macmeter.embedded import EmbeddedPostgres
from macmeter.ingest.published import load_into
from macmeter.main import create_app
from macmeter.models import Fleet, Token
from macmeter.settings import Settings
from sqlalchemy import create_engine, insert, update
from support.databases import fresh_database
from support.documents import disk_run, encoded
from support.server import Server, serving

NOBODY = "anybody"
# The columns of the table.
ROLES = (
    NOBODY,
    "device",
    "other device",
    "fleet",
    "other fleet",
    "owner secret",
    "unknown secret",
    "expired token",
    "revoked token",
    "not a bearer",
)
QUESTION = "metric=disk.write_average"
ASKED = (
    "/api/v1/answer",
    "/api/v1/answer.csv",
    "/api/v1/doubted",
    "/api/v1/chart.png",
    "/api/v1/chart.svg",
    "/api/v1/facets",
    "/api/v1/starting-point",
    "/api/v1/machines/{machine_id}/timeline",
)
# How two of the roles lost what they had.
ENDED = {"expired token": "expires_at", "revoked token": "revoked_at"}


@dataclass(frozen=True)
class Row:
    """One request, and the status each role gets, in the order of ROLES."""

    method: str
    path: str
    statuses: tuple[int, ...]
    on: dict[str, str] = field(default_factory=dict)
    """What the path's parameters stand for: names of things in the World."""
    body: Any = None
    """JSON to send; of a PUT, whose machine the document is of."""

    def __str__(self) -> str:
        return " ".join([self.method, self.path, *self.on.values(), str(self.body or "")])


def everybody(status: int) -> tuple[int, ...]:
    return (status,) * len(ROLES)


# An address that reads runs does not fall back to the public for a token that is none.
READS = (200, 200, 200, 200, 200, 401, 401, 401, 401, 401)
READS_PRIVATE = (404, 404, 404, 200, 404, 401, 401, 401, 401, 401)
# Comparisons know owner secrets only; whatever else is sent reads as the public.
READS_COMPARISON = (200,) * 9 + (401,)
OWNS_COMPARISON = (401, 403, 403, 403, 403, 200, 403, 403, 403, 401)
READS_PAUSED = (410,) * 5 + (200,) + (410,) * 3 + (401,)

RUN, RUNS = "/api/v1/runs/{run_id}", "/api/v1/runs"
DOCUMENT = "/api/v1/runs/{run_id}/document"
COMPARISON = "/api/v1/comparisons/{slug}"
PUBLIC, PRIVATE = {"run_id": "public"}, {"run_id": "private"}
OPEN, PAUSED = {"slug": "open"}, {"slug": "paused"}
SHOWN = (
    f"{COMPARISON}/chart.svg",
    f"{COMPARISON}/chart.png",
    f"{COMPARISON}/citation",
    "/embed/c/{slug}",
    "/embed/c/{slug}/",
)
OEMBED = "/api/v1/oembed"
EVENTS = "/api/v1/events"
REASON = {"reason": "Somebody has a reason to doubt this."}
COMPARED = ("/api/v1/compare", "/api/v1/compare.csv")
MACHINE, PERCENTILE = "/api/v1/machines/{machine_id}", "/api/v1/percentile"

TABLE = [
    # Writing: a device for its own machine, a fleet for any machine of its own and for new ones.
    Row("PUT", RUN, (401, 201, 403, 403, 403, 401, 401, 401, 401, 401), body="device"),
    Row("PUT", RUN, (401, 403, 201, 403, 403, 401, 401, 401, 401, 401), body="other device"),
    Row("PUT", RUN, (401, 403, 403, 201, 403, 401, 401, 401, 401, 401), body="fleet"),
    Row("PUT", RUN, (401, 403, 403, 201, 201, 401, 401, 401, 401, 401), body="new"),
    Row("PUT", RUN, (401, 403, 403, 403, 403, 401, 401, 401, 401, 401), body="reserved"),
    Row("POST", f"{RUNS}/batch", (401, 200, 200, 200, 200, 401, 401, 401, 401, 401), body=b""),
    Row("DELETE", RUN, (401, 204, 403, 403, 403, 401, 401, 401, 401, 401), PUBLIC),
    Row("DELETE", RUN, (401, 404, 404, 204, 404, 401, 401, 401, 401, 401), PRIVATE),
    Row("DELETE", RUN, (401, 403, 403, 403, 403, 401, 401, 401, 401, 401), {"run_id": "published"}),
    # Doubting needs no account; withdrawing is its owner's.
    Row("POST", f"{RUN}/doubts", everybody(201), PUBLIC, body=REASON),
    Row("POST", f"{RUN}/doubts", everybody(404), PRIVATE, body=REASON),
    Row("GET", f"{RUN}/doubts", (401, 200, 403, 403, 403, 401, 401, 401, 401, 401), PUBLIC),
    Row("GET", f"{RUN}/doubts", (401, 404, 404, 200, 404, 401, 401, 401, 401, 401), PRIVATE),
    *(
        Row(method, f"{RUN}/withdrawal", statuses, on, body)
        for method, body in (("PUT", REASON), ("DELETE", None))
        for on, statuses in (
            (PUBLIC, (401, 204, 403, 403, 403, 401, 401, 401, 401, 401)),
            (PRIVATE, (401, 404, 404, 204, 404, 401, 401, 401, 401, 401)),
            ({"run_id": "published"}, (401, 403, 403, 403, 403, 401, 401, 401, 401, 401)),
        )
    ),
    # Reading.
    Row("GET", RUNS, READS),
    Row("GET", RUN, READS, PUBLIC),
    Row("GET", RUN, READS_PRIVATE, PRIVATE),
    Row("GET", DOCUMENT, READS, PUBLIC),
    Row("GET", DOCUMENT, READS_PRIVATE, PRIVATE),
    Row("GET", "/api/v1/answer", READS),
    Row("GET", "/api/v1/answer.csv", READS),
    Row("GET", "/api/v1/doubted", READS),
    Row("GET", "/api/v1/chart.svg", READS),
    Row("GET", "/api/v1/chart.png", READS),
    Row("GET", "/api/v1/facets", READS),
    Row("GET", "/api/v1/starting-point", READS),
    Row("GET", "/api/v1/residency", READS),
    Row("GET", EVENTS, READS),
    *(Row("GET", path, READS) for path in COMPARED),
    Row("GET", "/api/v1/machines", READS),
    Row("GET", MACHINE, READS, {"machine_id": "machine"}),
    Row("GET", MACHINE, READS_PRIVATE, {"machine_id": "private machine"}),
    Row("GET", f"{MACHINE}/timeline", READS, {"machine_id": "machine"}),
    Row("GET", f"{MACHINE}/timeline", READS_PRIVATE, {"machine_id": "private machine"}),
    Row("GET", PERCENTILE, READS, PUBLIC),
    Row("GET", PERCENTILE, READS_PRIVATE, PRIVATE),
    Row("GET", "/api/v1/tokens/self", (401, 200, 200, 200, 200, 401, 401, 401, 401, 401)),
    # Comparisons: anybody makes one, its owner secret changes it.
    Row("POST", "/api/v1/comparisons", everybody(201), body={"question": QUESTION}),
    Row("GET", COMPARISON, READS_COMPARISON, OPEN),
    Row("GET", COMPARISON, READS_PAUSED, PAUSED),
    Row("GET", COMPARISON + "/answer.csv", READS_COMPARISON, OPEN),
    Row("GET", COMPARISON + "/answer.csv", READS_PAUSED, PAUSED),
    Row("PATCH", COMPARISON, OWNS_COMPARISON, OPEN, body={"title": "Changed"}),
    Row("DELETE", COMPARISON, (401, 403, 403, 403, 403, 204, 403, 403, 403, 401), OPEN),
    # The same for all: what is no secret, and pages, which read as the public.
    Row("GET", "/api/v1/catalog", everybody(200)),
    Row("GET", "/api/v1/chips", everybody(200)),
    Row("GET", "/api/v1/sources", everybody(200)),
    Row("GET", "/api/v1/openapi.json", everybody(200)),
    Row("GET", "/api/v1/run.v1.schema.json", everybody(200)),
    Row("GET", "/healthz", everybody(200)),
    Row("GET", "/readyz", everybody(200)),
    Row("GET", "/metrics", everybody(200)),
    Row("GET", "/api/v1/corpus", everybody(200)),
    Row("GET", "/api/v1/corpus.csv", everybody(200)),
    Row("GET", "/api/v1/corpus.parquet", everybody(200)),
    # What others show of a comparison is the public's: its owner's secret opens no picture.
    *(Row("GET", path, everybody(200), OPEN) for path in SHOWN),
    *(Row("GET", path, everybody(410), PAUSED) for path in SHOWN),
    Row("GET", OEMBED, everybody(200), OPEN),
    Row("GET", OEMBED, everybody(410), PAUSED),
    Row("GET", "/c/{slug}", everybody(200), OPEN),
    Row("GET", "/c/{slug}/", everybody(200), OPEN),
    Row("GET", "/c/{slug}", everybody(410), PAUSED),
    Row("GET", "/runs/{run_id}", everybody(200), PUBLIC),
    # A page is the same for everybody: no token opens one.
    Row("GET", "/runs/{run_id}", everybody(404), PRIVATE),
    Row("GET", "/machines/{machine_id}", everybody(200), {"machine_id": "machine"}),
    Row("GET", "/machines/{machine_id}", everybody(404), {"machine_id": "private machine"}),
    Row("GET", "/robots.txt", everybody(200)),
    Row("GET", "/{path:path}", everybody(200), {"path": ""}),
]


@dataclass
class World:
    """Two devices and two fleets, each with a machine of its own, and the published figures."""

    server: Server
    secrets: dict[str, str]
    machines: dict[str, str]
    published: str

    async def things(self, **labels: str) -> tuple[dict[str, str], dict[str, str]]:
        """A run of each machine, an open and a paused comparison: their ids, and who owns them."""
        names, owners = {"published": self.published, "": ""}, {}
        names |= {"machine": self.machines["device"], "private machine": self.machines["fleet"]}
        for role, name in (("device", "public"), ("other device", "other"), ("fleet", "private")):
            run = disk_run(machine=self.machines[role], labels=labels)
            names[name] = run["id"]
            assert (await self.server.put(run, self.secrets[role])).status_code == 201
        for name in ("open", "paused"):
            names[name], owners[name] = await save(self.server)
        paused = await self.server.client.patch(
            f"/api/v1/comparisons/{names['paused']}",
            json={"state": "paused"},
            headers=bearer(owners["paused"]),
        )
        assert paused.status_code == 200
        return names, owners

    def headers(self, role: str, owner_secret: str = "") -> dict[str, str]:
        if role == NOBODY:
            return {}
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
        loading = database.engine(cluster.url(name))
        await load_into(loading)
        await loading.dispose()
        async with serving(cluster.url(name), frontend) as server:
            secrets = {role: server.token() for role in ("device", "other device", *ENDED)}
            secrets["fleet"] = server.token("fleet")
            secrets["unknown secret"] = "mmd_unknown"
            secrets["other fleet"] = end_tokens_and_found_a_fleet(server, secrets)
            (published,) = await items(server, "?where=source:published&limit=1")
            machines = {role: str(uuid.uuid4()) for role in ("device", "other device", "fleet")}
            machines["reserved"] = published["machine"]["id"]
            yield World(server, secrets, machines, published["id"])


def end_tokens_and_found_a_fleet(server: Server, secrets: dict[str, str]) -> str:
    """Ends the tokens that are to be ended; the secret of a token of a second fleet."""
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
    found: list[dict[str, Any]] = response.json()["items"]
    return found


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def save(server: Server) -> tuple[str, str]:
    response = await server.client.post("/api/v1/comparisons", json={"question": QUESTION})
    return response.json()["slug"], response.json()["owner_secret"]


@pytest.mark.parametrize("row", TABLE, ids=str)
async def test_each_role_gets_what_the_table_says(world: World, row: Row) -> None:
    names, owners = await world.things()
    place = {name: names[of] for name, of in row.on.items()}
    secret = owners[row.on.get("slug", "open")]
    # Those who may do it come last: after a deletion nobody would find what was deleted.
    expected = sorted(zip(ROLES, row.statuses, strict=True), key=lambda cell: cell[1] < 300)
    got = []
    for role, _ in expected:
        response = await ask(world, row, place, world.headers(role, secret))
        got.append((role, response.status_code))
        if response.status_code >= 400 and row.path.startswith("/api"):
            assert response.headers["content-type"] == "application/problem+json"
        if response.status_code == 401:
            assert response.headers["www-authenticate"].startswith("Bearer")
    assert got == expected


async def ask(
    world: World, row: Row, place: dict[str, str], headers: dict[str, str]
) -> httpx.Response:
    """The response in one cell of the table."""
    content = None
    if row.method == "PUT" and row.path == RUN:
        document = disk_run(machine=world.machines.get(row.body) or str(uuid.uuid4()))
        place = {"run_id": document["id"]}
        headers["Content-Type"], content = "application/json", encoded(document)
    elif isinstance(row.body, dict):
        headers["Content-Type"], content = "application/json", json.dumps(row.body).encode()
    elif row.body is not None:
        headers["Content-Type"], content = "application/x-ndjson", row.body
    path = row.path.replace(":path", "").format(**place)
    query = f"?{QUESTION}" if row.path in ASKED else ""
    if row.path == EVENTS:
        query = "?since=2026-01-01T00:00:00Z&limit=1"
    if row.path == PERCENTILE:
        query = f"?{QUESTION}&run={place['run_id']}"
    if row.path in COMPARED:
        query = f"?{QUESTION}&side=1:&side=2:chip:Apple M1"
    if row.path == OEMBED:
        query = f"?url=http://test/c/{place['slug']}"
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
    """Not in lists, counts or figures either: the table only shows that something came back."""
    names, _ = await world.things(story="seen")
    client, asked = world.server.client, f"{QUESTION}&where=label:story:seen"
    for role in ("fleet", NOBODY, "device", "other device", "other fleet"):
        headers = world.headers(role)
        sees = role == "fleet"
        listed = await items(world.server, "?where=label:story:seen", **headers)
        assert (names["private"] in {item["id"] for item in listed}) is sees
        assert len(listed) == 2 + sees
        (group,) = (await world.server.answer(asked, **headers))["results"][0]["groups"]
        assert group["machines"] == 2 + sees
        lines = (await client.get(f"/api/v1/answer.csv?{asked}", headers=headers)).text
        assert f",{2 + sees},{2 + sees}," in lines
        counted = (await client.get(f"/api/v1/facets?{asked}", headers=headers)).json()
        assert counted["total"] == 2 + sees
        assert ("fleet" in {facet["name"] for facet in counted["dimensions"]}) is sees


async def test_a_comparison_shows_what_the_public_reads_whoever_saves_it(world: World) -> None:
    await world.things(story="saved")
    saved = await world.server.client.post(
        "/api/v1/comparisons",
        json={"question": f"{QUESTION}&where=label:story:saved"},
        headers=world.headers("fleet"),
    )
    (group,) = saved.json()["answer"]["results"][0]["groups"]
    assert group["machines"] == 2


async def test_the_secret_of_one_comparison_opens_no_other(world: World) -> None:
    names, owners = await world.things()
    headers = world.headers("owner secret", owners["open"])
    paused = f"/api/v1/comparisons/{names['paused']}"
    assert (await world.server.client.get(paused, headers=headers)).status_code == 410
    assert (await world.server.client.delete(paused, headers=headers)).status_code == 403
