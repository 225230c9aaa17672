"""A private fleet leaves no trace at any address, for anybody without rights to it.

Its runs, machines, labels, drives and figures are unlike any other's: a trace of one in a response
is a leak. And no status and no word shows what exists and what doesn't.

Longer than our other files: one world, which takes long to create, is checked from all sides.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from macmeter import catalog
from macmeter.accounts.tokens import secret_hash
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Alert, Machine, Membership, Token
from macmeter.server import answer_cache as cache
from sqlalchemy import delete, insert, update
from support import people
from support.data_set import one_duckdb
from support.documents import Document, by_file_size, disk_run
from support.leaks import addresses, all_told, both_told, observed, told_by
from support.server import InThisProcess, Server, serving
from support.statements import files_of
from support.thorough import some

FLEET = "quokka-holdings"
LABEL, LABELLED = "wombatkey", "wombatvalue"
CALLED = "Bettong at reception"
DRIVE, MODEL, CHIP = "Bilby Portable X9", "Numbat9,9", "Apple M4 Potoroo"
FIGURE = 4_321_987_654.125
METRIC, SIZED = "disk.write_average", "disk.write_speed"
OWN = "its own uploader"
ROLES = ("anybody", "other device", "other fleet", "other admin", "other token", "ended session")


@dataclass
class World:
    """The private fleet, and the headers of everybody without rights to it."""

    server: Server
    secret: list[str]
    """Texts that no response may contain."""
    ids: dict[str, str]
    public: dict[str, str]
    """Ids of public things, by the same names."""
    roles: dict[str, dict[str, str]]
    admin: dict[str, str]
    before: dict[str, int]

    async def get(self, path: str, role: str) -> Any:
        return await self.server.client.get(path, headers=self.roles[role])


def private_run(**changes: Any) -> Document:
    run = disk_run(
        write=FIGURE,
        chip=CHIP,
        storage="usb4",
        labels={LABEL: LABELLED},
        **changes,
    )
    run["machine"] |= {"model": MODEL, "model_name": MODEL}
    run["target"] |= {"device": DRIVE}
    run["series"] += by_file_size({2_000_000: [FIGURE, FIGURE + 1]}, SIZED)
    return run


@pytest.fixture(scope="module")
async def world(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """One world for all tests, which only read."""
    async with observed(cluster, tmp_path_factory.mktemp("dataset")) as server:
        yield await made(server)


async def made(server: Server) -> World:
    url = server.database_url
    commons = [disk_run(write=3e9 + n * 1e8, chip="Apple M4") for n in range(3)]
    await server.stored(*commons)
    before = {path: (await server.client.get(path)).json()["total"] for path in COUNTED}
    fleet_id, elsewhere = people.make_fleet(url, FLEET), people.make_fleet(url, "elsewhere")
    uploader = people.uploader_of(url, fleet_id)
    runs = [private_run() for _ in range(6)]
    for run in runs:
        assert (await server.put(run, uploader)).status_code == 201
    alert_id = uuid.uuid4()
    with people.writing(url) as connection:
        rename = update(Machine).where(Machine.fleet_id == fleet_id)
        connection.execute(rename.values(name=CALLED))
        connection.execute(insert(Alert).values(**alert(alert_id, fleet_id)))
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    sam = people.make_person(url, "Sam", roles={elsewhere: "admin"})
    ended = await people.sign_in(url, people.make_person(url, "Eve", roles={fleet_id: "admin"}))
    await server.client.delete("/api/v1/session", headers=ended)
    saved = await server.client.post(
        "/api/v1/comparisons",
        json={"question": f"metric={METRIC}&where=fleet:{FLEET}", "shares_fleet": True},
        headers=(admin := await people.sign_in(url, ada)),
    )
    assert saved.status_code == 201, saved.text
    return World(
        server,
        [
            *(
                FLEET,
                LABEL,
                LABELLED,
                DRIVE,
                MODEL,
                CHIP,
                CALLED,
                "4321987654",
                str(fleet_id),
                str(alert_id),
            ),
            *(str(run["id"]) for run in runs),
            *(str(run["machine"]["id"]) for run in runs),
        ],
        {
            "run_id": str(runs[0]["id"]),
            "machine_id": str(runs[0]["machine"]["id"]),
            "alert_id": str(alert_id),
            "fleet": str(fleet_id),
        },
        {"run_id": str(commons[0]["id"]), "machine_id": str(commons[0]["machine"]["id"])},
        {
            "anybody": {},
            "other device": bearer(server.token()),
            "other fleet": bearer(people.uploader_of(url, elsewhere)),
            "other admin": await people.sign_in(url, sam),
            "other token": people.token_of(url, sam, "manage"),
            "ended session": ended,
            OWN: bearer(uploader),
        },
        admin,
        before,
    )


def alert(alert_id: uuid.UUID, fleet_id: uuid.UUID) -> dict[str, Any]:
    now = datetime.now(UTC)
    fields = {"kind": "silent", "cause": FLEET, "detail": {"machines": 1}}
    return {"alert_id": alert_id, "fleet_id": fleet_id, "opened_at": now, "seen_at": now, **fields}


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


COUNTED = ("/api/v1/runs", "/api/v1/machines", "/api/v1/facets")


def questions() -> Iterator[str]:
    """Every question that doesn't name anything private."""
    names = [name for name in catalog.DIMENSIONS if not catalog.is_of_sample(name)]
    for name in names:
        by = f"label:{LABEL[:3]}" if name == "label" else name
        yield f"/api/v1/answer?metric={METRIC}&by={quote(by)}"
        yield f"/api/v1/answer?metric={METRIC}&by={quote(by)}&where=chip:Apple%20M4&flagged=include"
    query = f"metric={METRIC}&by=chip&by=storage"
    for path in (
        "answer",
        "answer.csv",
        "answer.sql",
        "answer.atom",
        "starting-point",
        "chart.svg",
        "doubted",
        "facets",
    ):
        yield f"/api/v1/{path}?{query if path not in ('doubted', 'facets') else f'metric={METRIC}'}"
    sides = f"metric={METRIC}&side=1:storage:internal&side=2:storage:usb4&side=3:"
    for path in ("compare", "compare.csv", "compare.atom", "chart.svg"):
        yield f"/api/v1/{path}?{sides}"
    yield f"/api/v1/answer?metric={SIZED}&by=file_size&by=storage"
    yield f"/api/v1/answer?metric={METRIC}&by=encryption&relative_to=encryption:none&weight=run"
    yield from ("/metrics", "/healthz", "/readyz", "/api/v1/runs?limit=200")
    yield from ("/api/v1/machines?limit=200", "/api/v1/corpus", "/api/v1/corpus.csv")
    yield from ("/api/v1/facets", "/api/v1/facets?where=fleet!:elsewhere", "/api/v1/residency")
    yield from ("/api/v1/alerts", "/api/v1/session", "/api/v1/comparisons", "/api/v1/fleets")
    yield from ("/", "/storage", "/machines", "/runs", "/sitemap.xml", "/robots.txt")


# Thorough: every role, every question.
FEW_OR_ALL = some([True, False])
# Otherwise each role asks every third question, and each question is asked by two roles.
APART = 3


@pytest.mark.parametrize("few", FEW_OR_ALL)
async def test_nothing_private_is_in_any_response(world: World, few: bool) -> None:
    paths = [*questions()]
    for number, role in enumerate(ROLES):
        for path in paths[number % APART :: APART] if few else paths:
            response = await world.get(path, role)
            assert response.status_code < 500, (role, path, response.text)
            leaked = [text for text in world.secret if text.lower() in response.text.lower()]
            assert not leaked, (role, path, leaked)


async def test_nothing_private_is_in_a_version_of_the_data_set(world: World) -> None:
    sql = (await world.get(f"/api/v1/answer.sql?metric={METRIC}", ROLES[0])).text
    (path,) = files_of(sql)
    content = (await world.get(path, ROLES[0])).content
    file = world.server.app.state.server.settings.dataset_dir / "downloaded.parquet"
    file.write_bytes(content)
    query = "SELECT columns(*)::VARCHAR FROM read_parquet(?)"
    rows = str(one_duckdb().execute(query, [str(file)]).fetchall())
    assert rows.count(METRIC) == 3
    assert not [text for text in world.secret if text.lower() in rows.lower()]


async def test_the_fleet_itself_finds_it(world: World) -> None:
    secrets_found = set()
    for path in questions():
        response = await world.get(path, OWN)
        assert response.status_code < 500, (path, response.text)
        secrets_found |= {text for text in world.secret if text in response.text}
    fleet_id, alert_id = world.ids["fleet"], world.ids["alert_id"]
    # Not among these questions: pages that name the fleet or its labels. Names are for people.
    assert set(world.secret) - secrets_found <= {fleet_id, alert_id, LABEL, LABELLED, CALLED}


async def test_what_is_private_counts_nowhere(world: World) -> None:
    for role in ROLES:
        for path, total in world.before.items():
            assert (await world.get(path, role)).json()["total"] == total, (role, path)
        answer = (await world.get(f"/api/v1/answer?metric={METRIC}", role)).json()
        assert "4.3" not in json.dumps([g["median"] for g in answer["results"][0]["groups"]])
        assert sum(g["runs"] for g in answer["results"][0]["groups"]) == 3
        assert answer["results"][0]["excluded"] == []


NAMED = {
    "fleet": (FLEET, "quoll-holdings"),
    "device": (DRIVE, "Quoll Portable X9"),
    "model": (MODEL, "Quoll9,9"),
    "chip": (CHIP, "Apple M4 Quolls"),
    f"label:{LABEL}": (LABELLED, "quollvalue"),
}


@pytest.mark.parametrize("few", FEW_OR_ALL)
async def test_naming_it_finds_as_little_as_naming_nothing(world: World, few: bool) -> None:
    paths = ("answer", "facets", "runs", "machines", "filters", "compare")
    requests = [(name, path) for path in paths for name in NAMED]
    for number, role in enumerate(ROLES):
        for name, path in requests[number % APART :: APART] if few else requests:
            pair = NAMED[name]
            real, made_up = [
                await world.get(asked_about(path, name, value), role) for value in pair
            ]
            texts = [
                told_by(response, value, quote(value), quote_plus(value))
                for response, value in zip((real, made_up), pair, strict=True)
            ]
            assert (real.status_code, texts[0]) == (made_up.status_code, texts[1]), (role, path)


def asked_about(path: str, name: str, value: str) -> str:
    term = f"{name}:{quote(value)}"
    if path == "compare":
        return f"/api/v1/compare?metric={METRIC}&side=1:{term}&side=2:"
    metric = f"&metric={METRIC}" if path in ("answer", "facets") else ""
    return f"/api/v1/{path}?where={term}{metric}"


# Parts of addresses that name nothing of a fleet's Macs: the access table has who reaches them.
ELSEWHERE = {
    "address_id",
    "kind",
    "link_id",
    "metric",
    "passkey_id",
    "person_id",
    "secret_id",
    "session_id",
    "slug",
    "sweep_id",
    "token_id",
    "version",
    "webhook_id",
}
# Pages, which the contract doesn't describe.
PAGES = ("/runs/{run_id}", "/machines/{machine_id}", "/fleets/{fleet}", "/fleets/{fleet}/settings")


@pytest.mark.parametrize("few", FEW_OR_ALL)
async def test_its_addresses_are_as_if_nothing_were_there(world: World, few: bool) -> None:
    """Same status, headers and words, after the same queries and the same function calls.

    Timing is checked by `make bench ONLY=timing`.
    """
    count = 0
    for method, path in [*addresses(), *(("GET", page) for page in PAGES)]:
        names = re.findall(r"{(\w+)}", path)
        assert set(names) <= world.ids.keys() | ELSEWHERE, path
        if not ELSEWHERE.isdisjoint(names):
            continue
        made_up = dict.fromkeys(names, str(uuid.uuid4()))
        pairs = [(world.ids, made_up)]
        if "fleet" in names:
            fleets = ({"fleet": FLEET}, {"fleet": "quolla-holdings"})
            pairs.append((world.ids | fleets[0], made_up | fleets[1]))
        for role in ROLES[count % APART :: APART] if few else ROLES:
            for pair in pairs:
                client, headers = world.server.client, world.roles[role]
                asking = [
                    partial(all_told, client, method, path.format(**ids), headers, {})
                    for ids in pair
                ]
                real, nowhere = await both_told(*asking)
                assert real == nowhere, (role, method, path)
                count += 1
    assert count > (100 if few else 300)


@pytest.fixture
async def changing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A separate world for a test that changes it. Answers don't expire meanwhile."""
    monkeypatch.setattr(cache, "_MAX_AGE", 3600.0)
    async with serving(database_url, questions=InThisProcess(), quota_guesses=1_000_000) as server:
        yield await made(server)


async def outsiders(world: World) -> dict[str, dict[str, str]]:
    """Headers of everybody who has no rights to the fleet, or no longer."""
    url, fleet_id = world.server.database_url, uuid.UUID(world.ids["fleet"])
    elsewhere = people.make_fleet(url, "far away")
    viewer = people.make_person(url, "Vic", roles={elsewhere: "viewer"})
    alone = people.make_person(url, "Zoe")
    former = people.make_person(url, "Ned", roles={fleet_id: "admin"})
    revoked, expired = (people.uploader_of(url, fleet_id) for _ in range(2))
    with people.writing(url) as connection:
        connection.execute(delete(Membership).where(Membership.person_id == former))
        for secret, column in ((revoked, "revoked_at"), (expired, "expires_at")):
            its = Token.secret_sha256 == secret_hash(secret)
            connection.execute(update(Token).where(its).values({column: datetime.now(UTC)}))
    return {role: world.roles[role] for role in ROLES} | {
        "viewer elsewhere": await people.sign_in(url, viewer),
        "reading token elsewhere": people.token_of(url, viewer, "read"),
        "token of another fleet": people.token_of(url, viewer, "manage", elsewhere),
        "person in no fleet": await people.sign_in(url, alone),
        "token of a person in no fleet": people.token_of(url, alone, "manage"),
        "former admin": await people.sign_in(url, former),
        "former admin's token": people.token_of(url, former, "manage"),
        "revoked token": bearer(revoked),
        "expired token": bearer(expired),
        "unknown token": bearer("mmf_" + "x" * 43),
        "unknown owner secret": bearer("mmo_" + "x" * 43),
        "unknown personal token": bearer("mmp_" + "x" * 43),
        "token beside an ended session": people.token_of(url, alone, "read")
        | {"Cookie": world.roles["ended session"]["Cookie"]},
        "behind a proxy": {"X-Forwarded-For": "10.0.0.8", "X-Forwarded-Proto": "https"},
        "who takes CSV": {"Accept": "text/csv", "Accept-Language": "de"},
        "unknown session": {"Cookie": "macmeter=" + "x" * 43},
        "not a bearer": {"Authorization": "Basic QTpC"},
        "with If-None-Match": {"If-None-Match": '"x"'},
        "with If-Modified-Since": {"If-Modified-Since": "Mon, 01 Jan 2035 00:00:00 GMT"},
        "who takes gzip": {"Accept-Encoding": "gzip"},
        "other site": {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"},
    }


# Server metrics for its operators, which count requests too.
WATCHED = ("/metrics",)


def everything(world: World, few: bool) -> Iterator[str]:
    """Every readable address, of public, private and missing things. `few`: not every question."""
    paths = [path for path in questions() if path not in WATCHED]
    yield from paths[::APART] if few else paths
    for method, path in [*addresses(), *(("GET", page) for page in PAGES)]:
        names = re.findall(r"{(\w+)}", path)
        if method == "GET":
            for ids in (world.ids, world.public, defaultdict(lambda: str(uuid.UUID(int=7)))):
                if {*names} <= ids.keys() or isinstance(ids, defaultdict):
                    yield path.format_map(ids)


async def responses(world: World, readers: dict[str, dict[str, str]], few: bool) -> dict[Any, Any]:
    """Status, headers and bytes of everything, by reader and address."""
    responses_by_path = {}
    for path in everything(world, few):
        for role, headers in readers.items():
            response = await world.server.client.get(path, headers=headers)
            lines = [pair for pair in response.headers.raw if pair[0].lower() != b"x-request-id"]
            identity = response.headers["x-request-id"].encode()
            responses_by_path[role, path] = (
                response.status_code,
                sorted(lines),
                response.content.replace(identity, b"REQUEST"),
            )
    return responses_by_path


FEW = ("anybody", "other admin", "former admin")


@pytest.mark.parametrize("few", FEW_OR_ALL)
async def test_no_byte_and_no_header_shows_what_happens_in_private(
    changing: World, few: bool
) -> None:
    """Before and after a member looks, uploads, withdraws, renames, shares and is alerted."""
    world, url = changing, changing.server.database_url
    readers = await outsiders(world)
    if few:
        readers = {role: readers[role] for role in FEW}
    first = await responses(world, readers, few)
    assert len(first) > (80 if few else 140) * len(readers)
    await responses(world, {"a member": world.roles[OWN], "an admin": world.admin}, few)
    await different(first, await responses(world, readers, few), "a member looked")
    client, fleet = world.server.client, world.ids["fleet"]
    uploader = world.roles[OWN]["Authorization"].removeprefix("Bearer ")
    for run in (private_run(), private_run(machine=world.ids["machine_id"])):
        assert (await world.server.put(run, uploader)).status_code == 201
    with people.writing(url) as connection:
        another = alert(uuid.uuid4(), uuid.UUID(fleet)) | {"cause": "another"}
        connection.execute(insert(Alert).values(**another))
    reason, run_id = {"reason": "Measured beside another task."}, world.ids["run_id"]
    shared = {"question": f"metric={METRIC}&where=fleet:{FLEET}", "shares_fleet": True}
    changes = (
        ("POST", "/api/v1/comparisons", shared),
        ("PUT", f"/api/v1/runs/{run_id}/withdrawal", reason),
        ("PATCH", f"/api/v1/fleets/{fleet}", {"name": "quokka-and-sons"}),
        ("POST", "/api/v1/invitations", {"fleet": fleet, "role": "viewer"}),
    )
    for method, path, body in changes:
        response = await client.request(method, path, json=body, headers=world.admin)
        assert response.status_code < 300, (path, response.text)
    await different(first, await responses(world, readers, few), "the fleet changed")


async def different(before: dict[Any, Any], after: dict[Any, Any], when: str) -> None:
    unlike = [key for key in before if before[key] != after[key]]
    assert not unlike, (when, len(unlike), unlike[:5], before[unlike[0]], after[unlike[0]])
