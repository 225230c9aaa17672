"""A fleet's token reads its fleet's runs wherever runs are read, and is never limited."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from macmeter.accounts.tokens import FLEET, secret_hash
from macmeter.models import Fleet, Token
from macmeter.platform.database import normalise
from sqlalchemy import create_engine, insert
from support import people
from support.documents import disk_run, encoded
from support.server import Server, serving

WRITE = "metric=disk.write_average"
CLIENTS, RUNS_EACH = 8, 4


@pytest.fixture
async def strict(database_url: str) -> AsyncIterator[Server]:
    """A server that allows almost nothing without a token."""
    limits: dict[str, Any] = {
        "quota_comparisons": 0,
        "quota_doubts": 0,
        "downloads_per_address": 0,
        "live_pages_per_address": 0,
    }
    async with serving(database_url, **limits) as server:
        yield server


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def other_fleets_token(server: Server) -> str:
    secret, fleet_id = "mmf_elsewhere", uuid.uuid4()
    engine = create_engine(normalise(server.database_url))
    with engine.begin() as connection:
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


def told(path: str, run: dict[str, Any]) -> str:
    """Fill in the ids of a run that the path's response contains."""
    names = {"run": run["id"], "machine": run["machine"]["id"]}
    return path.format(**names)


# Addresses, and a count of the runs in each response.
READS: dict[str, Callable[[Any], int]] = {
    f"answer?{WRITE}": lambda r: sum(g["runs"] for g in r.json()["results"][0]["groups"]),
    f"answer.csv?{WRITE}": lambda r: len(r.text.splitlines()) - 1,
    f"compare?{WRITE}&side=1:storage:internal&side=2:storage:usb4": lambda r: sum(
        cell.get("runs", 0) for row in r.json()["rows"] for cell in row["cells"]
    ),
    f"facets?{WRITE}": lambda r: r.json()["total"],
    "facets": lambda r: r.json()["total"],
    "runs": lambda r: r.json()["total"],
    "machines": lambda r: r.json()["total"],
    "machines/{machine}": lambda r: r.json().get("runs", 0),
    f"machines/{{machine}}/timeline?{WRITE}": lambda r: len(r.json().get("lines", ())),
    "runs/{run}": lambda r: int(r.is_success),
    "runs/{run}/document": lambda r: int(r.is_success),
    f"percentile?{WRITE}&run={{run}}": lambda r: int(r.is_success),
    f"percentile?{WRITE}&machine={{machine}}": lambda r: int(r.is_success),
}


async def test_a_fleets_token_reads_its_fleets_runs_and_nobody_else_does(server: Server) -> None:
    token, same, other = (server.token("fleet"), server.token("fleet"), other_fleets_token(server))
    run = disk_run()
    assert (await server.put(run, token)).status_code == 201
    for path, runs in READS.items():
        counts = {}
        for name, headers in (
            ("own", bearer(token)),
            ("same fleet", bearer(same)),
            ("other fleet", bearer(other)),
            ("a device", bearer(server.token())),
            ("public", {}),
        ):
            response = await server.client.get(f"/api/v1/{told(path, run)}", headers=headers)
            counts[name] = runs(response)
        public = {"other fleet": 0, "a device": 0, "public": 0}
        assert counts == {"own": 1, "same fleet": 1, **public}, path


async def test_pictures_and_live_pages_show_a_fleet_its_runs(server: Server) -> None:
    token = server.token("fleet")
    assert (await server.put(disk_run(), token)).status_code == 201
    pictures = [
        (await server.client.get(f"/api/v1/chart.svg?{WRITE}", headers=headers)).text
        for headers in (bearer(token), {})
    ]
    assert pictures[0] != pictures[1]
    address = "/api/v1/events?since=2026-01-01T00:00:00Z&limit=1"
    live = await server.client.get(address, headers=bearer(token))
    assert "event: run" in live.text


@pytest.mark.thorough
async def test_uploaders_meet_no_limit(strict: Server) -> None:
    """Eight clients with one address and one token are not limited."""
    token = strict.token("fleet")

    async def client(number: int) -> list[httpx.Response]:
        machine = str(uuid.UUID(int=number + 1, version=4))
        done = []
        for _ in range(RUNS_EACH):
            run = disk_run(machine=machine)
            done += [
                await strict.put(run, token),
                await strict.client.get(f"/api/v1/runs/{run['id']}", headers=bearer(token)),
            ]
        batch = b"".join(encoded(disk_run(machine=machine)) + b"\n" for _ in range(3))
        headers = {**bearer(token), "Content-Type": "application/x-ndjson"}
        done.append(await strict.client.post("/api/v1/runs/batch", content=batch, headers=headers))
        statuses = [json.loads(line)["status"] for line in done[-1].text.splitlines()]
        assert statuses == [201] * 3
        return done

    all_responses = await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    refused = [r for responses in all_responses for r in responses if not r.is_success]
    assert [(response.status_code, response.text) for response in refused] == []
    downloaded = await strict.client.get("/api/v1/corpus.csv", headers=bearer(token))
    assert downloaded.status_code == 200
    live = "/api/v1/events?since=2026-01-01T00:00:00Z&limit=1"
    assert (await strict.client.get(live, headers=bearer(token))).status_code == 200
    assert (await strict.client.get("/api/v1/corpus.csv")).status_code == 429


async def test_people_read_what_their_fleets_uploader_reads_where_they_name_it(
    server: Server,
) -> None:
    """Every page works inside a fleet, for a person as for a program."""
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    uploader = people.uploader_of(url, fleet_id)
    runs = [disk_run(write=5e9 + number) for number in range(3)]
    for run in runs:
        assert (await server.put(run, uploader)).status_code == 201
    vera = people.make_person(url, "Vera", roles={fleet_id: "viewer"})
    session, token = await people.sign_in(url, vera), people.token_of(url, vera, "read")
    for path, count in READS.items():
        path_of_run = told(path, runs[0])
        address = f"/api/v1/{path_of_run}{'&' if '?' in path_of_run else '?'}where=fleet:acme"
        read = await server.client.get(address, headers=bearer(uploader))
        if read.status_code == 422:
            continue  # asked about sides, or about one thing
        for headers in (session, token):
            response = await server.client.get(address, headers=headers)
            assert response.status_code == 200, (address, response.text)
            assert count(response) == count(read) > 0, address
