"""A day of a server's life, with every response checked against openapi.json."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from macmeter import catalog
from macmeter.documents.methods import RANKED_SIZES
from macmeter.results.dataset import versions
from support.access_table import TABLE
from support.contract import Contract, openapi
from support.documents import by_file_size, disk_run, encoded, sampled_run
from support.server import Server, serving
from support.statements import files_of

WRITE = "metric=disk.write_average"
BOTH = f"{WRITE}&metric=disk.read_average"
HOST = str(uuid.uuid4())
# Operations that need a longer story, by the test file that checks them with `held`.
_STORIES = {
    "accounts/test_session.py": [
        ("POST", "/session/passkey/options", 200),
        ("POST", "/session/passkey", 201),
        ("DELETE", "/sessions/{session_id}", 204),
        ("POST", "/account/passkeys/options", 200),
        ("POST", "/account/passkeys", 201),
        ("PATCH", "/account/passkeys/{passkey_id}", 204),
        ("DELETE", "/account/passkeys/{passkey_id}", 204),
        ("DELETE", "/tokens/{token_id}", 204),
    ],
    "accounts/test_passwords.py": [
        ("POST", "/session/password", 201),
        ("PUT", "/account/password", 204),
        ("DELETE", "/account/password", 204),
    ],
    "machines/test_claims.py": [("DELETE", "/machines/{machine_id}/claim", 204)],
    "machines/test_merging.py": [("DELETE", "/machines/{machine_id}/merge", 200)],
    "fleets/test_retention.py": [("DELETE", "/fleets/{fleet}/retention/sweeps/{sweep_id}", 204)],
    "fleets/test_invitations.py": [
        ("POST", "/invitations/open", 200),
        ("POST", "/invitations/passkey/options", 200),
        ("POST", "/invitations/accept", 201),
    ],
    "accounts/test_oidc.py": [("POST", "/session/oidc", 200)],
    "fleets/test_enrolment.py": [("POST", "/enroll", 201)],
    "fleets/test_names.py": [
        ("PATCH", "/fleets/{fleet}/machines", 200),
        ("POST", "/fleets/{fleet}/machines/deletion", 200),
    ],
    "fleets/test_fleet_pages.py": [("PUT", "/alerts/{alert_id}/owner", 204)],
    "alerts/test_sending.py": [
        ("POST", "/fleets/{fleet}/webhooks", 201),
        ("POST", "/fleets/{fleet}/webhooks/{webhook_id}/test", 200),
        ("DELETE", "/fleets/{fleet}/webhooks/{webhook_id}", 204),
        ("POST", "/fleets/{fleet}/alert-addresses", 201),
        ("POST", "/alert-addresses/confirmation", 200),
        ("DELETE", "/fleets/{fleet}/alert-addresses/{address_id}", 204),
    ],
    "moderation/test_review.py": [
        ("GET", "/doubts/self", 200),
        ("GET", "/doubts/self", 304),
    ],
    "comparisons/test_narrowed.py": [("DELETE", "/fleets/{fleet}/links/{link_id}/ids", 204)],
    "comparisons/test_shared_fleets.py": [("PUT", "/comparisons/{slug}/owner", 204)],
}
SEEN_ELSEWHERE = {
    (method, f"/api/v1{path}", status)
    for story in _STORIES.values()
    for method, path, status in story
}


@pytest.fixture
def contract() -> Contract:
    return Contract(openapi())


@pytest.fixture
async def client(
    published_database_url: str, contract: Contract, tmp_path: Path
) -> AsyncIterator[Server]:
    """A server with the published figures and a few runs, whose every response is checked."""
    async with serving(published_database_url, dataset_dir=tmp_path / "dataset") as server:
        yield await filled(server, contract)


async def filled(server: Server, contract: Contract) -> Server:
    """The same server, with runs, its responses checked from now on."""

    async def ask_again(response: httpx.Response) -> None:
        """Repeat each operation with the tag that it returned."""
        request, tag = response.request, response.headers.get("etag")
        if request.method == "GET" and tag and request.url.path not in asked_again:
            asked_again.add(request.url.path)
            request.headers["If-None-Match"] = tag
            assert (await server.client.send(request)).status_code == 304

    asked_again: set[str] = set()
    server.client.event_hooks = {"response": [contract.hook, ask_again]}
    await server.stored(
        *(
            disk_run(write=[5e9 + i, 6e9], storage="thunderbolt5", encryption="none")
            for i in range(7)
        ),
        disk_run(machine=HOST, write=7e9, read=None),
        disk_run(
            write=5e9,
            environment={
                "os_version": "26.1",
                "busy": ["spotlight"],
                "virtual_machine": {"vcpus": 4, "host_machine_id": HOST},
            },
        ),
        disk_run(
            series=by_file_size({10**6 * 2**i: [1e9 * (i + 1), 2e9] for i in range(6)}),
            traces=[{"kind": "cpu", "columns": ["t", "p"], "rows": [[0, None], [1, 2.5]]}],
            warnings=[{"code": "gremlins", "detail": "two"}, {"code": "reads_may_be_cached"}],
            agent={"version": "0.1.0", "commit": None},
            labels={"iops": "12000"},
            state="incomplete",
        ),
        disk_run(source="imported", tool={"name": "fio", "version": "3.33"}, started_at=None),
    )
    return server


async def test_every_response_is_as_promised(client: Server, contract: Contract) -> None:
    await reads(client)
    await machines(client)
    await things(client)
    await compared(client)
    await questions(client)
    await writes(client)
    await comparisons(client)
    await pictures_and_files(client)
    # Every success in the contract was seen here, or is in the access table.
    of_people = {(row.method, row.path, status) for row in TABLE for status in row.statuses}
    # Returned tags are compared in one place for all of them.
    of_people |= {(method, path, 304) for method, path, status in of_people if status == 200}
    missing = contract.promised - contract.seen - of_people
    assert missing == SEEN_ELSEWHERE


async def reads(client: Server) -> None:
    get = client.client.get
    for path in (
        "/healthz",
        "/readyz",
        "/metrics",
        "/api/v1/catalog",
        "/api/v1/chips",
        "/api/v1/agent",
    ):
        await get(path)
    await get("/api/v1/sources")
    runs: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        after = f"&cursor={page['next']}" if page["next"] else ""
        page = (await get(f"/api/v1/runs?limit=60{after}")).json()
        runs += page["items"]
    assert len(runs) == page["total"] > 160
    for run in runs:
        await get(f"/api/v1/runs/{run['id']}")
    await get(f"/api/v1/runs/{runs[0]['id']}/document")
    for path in ("", "/document"):
        await get(f"/api/v1/runs/{uuid.uuid4()}{path}")
    for bad in ("runs/x", "runs?limit=0", "runs?where=x", "runs?cursor=x", "runs?where=threads:1"):
        assert (await get(f"/api/v1/{bad}")).status_code == 422
    wrong = {"Authorization": "Bearer mmd_wrong"}
    for path in ("runs", f"runs/{runs[0]['id']}", f"answer?{WRITE}", "facets", "tokens/self"):
        assert (await get(f"/api/v1/{path}", headers=wrong)).status_code == 401
    for asked in ("since=2026-01-01T00:00:00Z&limit=2", "since=x", "where=x"):
        await get(f"/api/v1/events?{asked}")
    await client.stored(sampled_run())
    assert (await get("/api/v1/residency?fit=linear")).json()["groups"][0]["fit"]
    for bad in ("active=5", "active=5..1", "fit=power", "where=threads:1", "by=chip"):
        assert (await get(f"/api/v1/residency?{bad}")).status_code == 422
    own = {"Authorization": f"Bearer {client.token()}"}
    await get("/api/v1/tokens/self", headers=own)
    fleet = {"Authorization": f"Bearer {client.token('fleet')}"}
    await get("/api/v1/tokens/self", headers=fleet)
    assert (
        await client.client.post("/api/v1/tokens/self/rotation", headers=own)
    ).status_code == 403


async def machines(client: Server) -> None:
    get = client.client.get
    page = (await get("/api/v1/machines?limit=5")).json()
    await get(f"/api/v1/machines?limit=5&q=apple+m4&cursor={page['next']}")
    for bad in ("machines?limit=0", "machines?where=threads:1", "machines?q=%00", "machines/x"):
        assert (await get(f"/api/v1/{bad}")).status_code == 422
    for machine in [*(machine["id"] for machine in page["items"]), HOST, uuid.uuid4()]:
        await get(f"/api/v1/machines/{machine}")
        await get(f"/api/v1/things/machines/{machine}")
        for metric in catalog.METRICS:
            asked = f"metric={metric}&flagged=include"
            await get(f"/api/v1/machines/{machine}/timeline?{asked}")
    assert (await get(f"/api/v1/machines/{HOST}/timeline")).status_code == 422
    steady = str(uuid.uuid4())
    token = client.token()
    for day in range(1, 21):
        speed = (5e9 if day < 11 else 4e9) + day * 1e6
        run = disk_run(machine=steady, write=speed, started_at=f"2026-10-{day:02}T10:00:00Z")
        run["environment"]["os_version"] = "26.1" if day < 11 else "26.2"
        assert (await client.put(run, token)).status_code == 201
    found = (await get(f"/api/v1/machines/{steady}/timeline?{WRITE}")).json()
    assert found["lines"][0]["changes"]
    assert found["lines"][0]["os_updates"]
    few = f"{WRITE}&where=os_version:26.2"
    placed = (await get(f"/api/v1/percentile?{few}&machine={steady}")).json()
    assert placed["place"] is None
    await client.stored(*(disk_run(write=5e9 + 1e6 * i) for i in range(10)))
    placed = (await get(f"/api/v1/percentile?{WRITE}&run={run['id']}")).json()
    assert placed["place"] is not None
    for bad in ("", WRITE, f"{BOTH}&run={uuid.uuid4()}", f"{WRITE}&machine={uuid.uuid4()}"):
        assert (await get(f"/api/v1/percentile?{bad}")).status_code == 422
    assert (await get(f"/api/v1/percentile?{WRITE}&run={uuid.uuid4()}")).status_code == 404
    sized = [
        disk_run(series=by_file_size({size: [(4 + i / 10) * 1e9] for size in RANKED_SIZES}))
        for i in range(11)
    ]
    await client.stored(*sized)
    ranks = (await get(f"/api/v1/rank?run={sized[3]['id']}")).json()["ranks"]
    assert [rank["percentile"] for rank in ranks] == [30]
    assert (await get(f"/api/v1/rank?run={run['id']}")).json()["ranks"] == []
    assert (await get(f"/api/v1/rank?run={uuid.uuid4()}")).status_code == 404


async def things(client: Server) -> None:
    get = client.client.get
    for kind in ("chips", "models"):
        for thing in (await get(f"/api/v1/things/{kind}")).json()["items"]:
            found = await get(f"/api/v1/things/{kind}/{thing['slug']}")
            assert found.status_code == 200
        assert (await get(f"/api/v1/things/{kind}/none-such")).status_code == 404


async def compared(client: Server) -> None:
    sized = "metric=disk.write_speed@file_size:2000000"
    for asked in (
        f"{BOTH}&side=1:storage:internal&side=2:storage:thunderbolt5&side=3:chip:none",
        f"{BOTH}&{sized}&side=1:virtual:false&side=2:virtual:true&label=2:VM&baseline=2",
        f"{WRITE}&side=1:image_format:asif&side=2:image_format:raw&side=3:storage:disk_image",
        f"{WRITE}&side=1:&side=2:storage:internal&weight=run&flagged=include",
        f"{WRITE}&side=1:",
        "side=1:&side=2:",
        f"{WRITE}&side=x",
    ):
        found = await client.client.get(f"/api/v1/compare?{asked}")
        lines = await client.client.get(f"/api/v1/compare.csv?{asked}")
        assert found.status_code == lines.status_code


async def questions(client: Server) -> None:
    every_metric = [
        f"metric={name}" + "".join(f"&by={parameter}" for parameter in metric.required)
        for name, metric in catalog.METRICS.items()
    ]
    every_dimension = [
        f"{WRITE}&by={name}" for name, d in catalog.DIMENSIONS.items() if d.of == "run"
    ]
    for query in [
        *every_metric,
        *every_dimension,
        f"{BOTH}&by=storage&by=encryption&by=image_format",
        f"{BOTH}&by=storage&by=encryption&relative_to=encryption:none",
        f"{WRITE}&by=virtual&relative_to=virtual:false",
        f"{WRITE}&by=label:iops&flagged=include&weight=run",
        "metric=disk.write_speed&by=file_size&flagged=include&fit=power",
        f"{WRITE}&where=link_speed:1..2&where=os_major!:..26&where=device:&where=virtual:false",
        f"{WRITE}&where=source:nobody",
        "metric=speed",
        f"{WRITE}&by=x",
    ]:
        answer = await client.client.get(f"/api/v1/answer?{query}")
        lines = await client.client.get(f"/api/v1/answer.csv?{query}")
        begin = await client.client.get(f"/api/v1/starting-point?{query}")
        assert answer.status_code == lines.status_code == begin.status_code
    await client.client.get(f"/api/v1/doubted?{WRITE}")
    for query in (*every_metric[:8], BOTH, "", "where=storage:usb4", "flagged=include", "where=x"):
        await client.client.get(f"/api/v1/facets?{query.split('&by')[0]}")
    for where in ("where=storage:usb4&where=file_size:..2e6", "", "where=x"):
        await client.client.get(f"/api/v1/filters?{where}")


async def writes(client: Server) -> None:
    document, token = disk_run(), client.token()
    address = f"/api/v1/runs/{document['id']}"
    own = {"Authorization": f"Bearer {token}"}
    other = {"Authorization": f"Bearer {client.token()}"}
    statuses = [
        (await client.put(document, token)).status_code,
        (await client.put(document, token)).status_code,
        (await client.put(encoded(document) + b" ", token, document["id"])).status_code,
        (await client.put(document, "mmd_wrong")).status_code,
        (await client.put(document)).status_code,
        (await client.put(b"{", token, document["id"])).status_code,
        (await client.put(b"{}", token, document["id"])).status_code,
        (await client.put(b" " * (8 * 2**20 + 1), token, document["id"])).status_code,
        (await client.client.put(address, content=b"{}", headers=own)).status_code,
    ]
    assert statuses == [201, 200, 409, 401, 403, 400, 422, 413, 415]
    reason = {"reason": "Somebody has a reason to doubt this."}
    assert (await client.client.post(f"{address}/doubts", json=reason)).status_code == 201
    for headers in ({}, other, own):
        await client.client.get(f"{address}/doubts", headers=headers)
        await client.client.put(f"{address}/withdrawal", json=reason, headers=headers)
        await client.client.get(address)
        await client.client.delete(f"{address}/withdrawal", headers=headers)
    for odd in ({}, {"reason": ""}):
        await client.client.post(f"{address}/doubts", json=odd)
        await client.client.put(f"{address}/withdrawal", json=odd, headers=own)
    lines = {**own, "Content-Type": "application/x-ndjson"}
    batch = await client.client.post("/api/v1/runs/batch", content=b"{}\n{\n", headers=lines)
    assert [json.loads(line)["status"] for line in batch.text.splitlines()] == [422, 400]
    for headers, status in (({}, 401), (other, 403), (own, 204), (own, 404)):
        assert (await client.client.delete(address, headers=headers)).status_code == status


async def comparisons(client: Server) -> None:
    post, saved = client.client.post, []
    for query in (f"{BOTH}&by=storage&by=encryption&relative_to=encryption:none", WRITE):
        body = {"question": query, "title": "T", "note": "N\nN"}
        saved.append((await post("/api/v1/comparisons", json=body)).json())
    sides = f"{BOTH}&side=1:storage:internal&side=2:storage:usb4&side=3:chip:none"
    of_sides = (await post("/api/v1/comparisons", json={"question": sides})).json()
    assert (saved[0]["kind"], of_sides["kind"]) == ("question", "sides")
    for path in ("", "/answer.csv", "/changes", "/chart.svg", "/citation"):
        found = await client.client.get(f"/api/v1/comparisons/{of_sides['slug']}{path}")
        assert found.status_code == 200
    assert (await client.client.get(f"/api/v1/chart.svg?{sides}")).status_code == 200
    for question in ("", "x", f"{WRITE}&where=source:nobody", f"{WRITE}&side=1:"):
        refused = await post("/api/v1/comparisons", json={"question": question})
        assert refused.status_code == 422
    json_type = {"Content-Type": "application/json"}
    unreadable = await post("/api/v1/comparisons", content=b'{"a": "\xff"}', headers=json_type)
    assert unreadable.status_code == 400
    address = f"/api/v1/comparisons/{saved[0]['slug']}"
    owner = {"Authorization": f"Bearer {saved[0]['owner_secret']}"}
    await client.stored(disk_run(write=9e9))
    for path in ("", "/answer.csv", "/changes", "x", "x/answer.csv", "x/changes"):
        await client.client.get(address + path)
    changes: list[Any] = [{"title": None}, {"state": "paused"}, {"state": None}, {"expires_at": 1}]
    for change in changes:
        await client.client.patch(address, json=change, headers=owner)
    await client.client.patch(address, json={})
    await client.client.patch(address, json={}, headers={"Authorization": "Bearer x"})
    assert (await client.client.get(address)).status_code == 410
    assert (await client.client.get(address, headers=owner)).status_code == 200
    assert (await client.client.get(f"{address}/answer.csv")).status_code == 410
    await client.client.delete(address)
    assert (await client.client.delete(address, headers=owner)).status_code == 204
    assert (await client.client.delete(address, headers=owner)).status_code == 410


async def pictures_and_files(client: Server) -> None:
    get = client.client.get
    saved = await client.client.post("/api/v1/comparisons", json={"question": WRITE})
    of_saved = f"/api/v1/comparisons/{saved.json()['slug']}"
    for kind in ("svg", "png"):
        for address in (f"/api/v1/chart.{kind}?{WRITE}", f"{of_saved}/chart.{kind}?theme=dark"):
            drawn = await get(address)
            again = await get(address, headers={"If-None-Match": drawn.headers["etag"]})
            assert (drawn.status_code, again.status_code) == (200, 304)
        for address in (f"chart.{kind}", f"chart.{kind}?{WRITE}&width=1"):
            assert (await get(f"/api/v1/{address}")).status_code == 422
        assert (await get(f"/api/v1/comparisons/none/chart.{kind}")).status_code == 404
    for wanted in ("", "?format=bibtex", "?format=none"):
        await get(f"{of_saved}/citation{wanted}")
    for asked in ({"url": saved.json()["url"]}, {"url": "http://["}, {"url": "http://x/c/y"}, {}):
        await get("/api/v1/oembed", params=asked)
    for files in ("", ".csv", ".parquet"):
        assert (await get(f"/api/v1/corpus{files}")).status_code == 200
    await versions_of_files(client, of_saved)
    assert (await get("/api/v1/fleets/none/results.parquet")).status_code == 404


async def versions_of_files(client: Server, saved: str) -> None:
    get, root = client.client.get, client.app.state.server.settings.dataset_dir
    assert (await get("/api/v1/answer.sql")).status_code == 422
    assert (await get(f"/api/v1/answer.sql?{WRITE}&by=fleet")).status_code == 403
    (path,) = files_of((await get(f"/api/v1/answer.sql?{WRITE}")).text)
    version = path.rpartition("/")[0]
    for address in (version, path, f"{saved}/answer.sql"):
        assert (await get(address)).status_code == 200
    assert (await get(path, headers={"Range": "bytes=0-3"})).status_code == 206
    for address in (f"{version}x", f"{version}/x.parquet", "/api/v1/comparisons/none/answer.sql"):
        assert (await get(address)).status_code == 404
    versions._remove(versions.path_of(root, version.rpartition("/")[2], "disk.write_average"))
    assert (await get(path)).status_code == 410
