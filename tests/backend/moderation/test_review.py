"""Runs that nobody can have measured are reviewed, and authors of reports learn the outcome."""

from __future__ import annotations

from typing import Any

import pytest
from support import people
from support.documents import Document, by_file_size, disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

WRITE = "metric=disk.write_average"
REASON = {"reason": "Twice as fast as the same drive anywhere else."}
WITHDRAWN = {"decision": "withdrawn", "answer": "The drive was not the one that it names."}
STANDS = {"decision": "stands", "answer": "The owner has shown how it was measured."}


def frequency(hertz: float, chip: str = "Apple M4 Pro") -> Document:
    parameters = {"tier": "Performance", "active_cores": 1}
    series = [{"metric": "cores.frequency", "parameters": parameters, "values": [hertz]}]
    return disk_run(suite="cores", chip=chip, series=series, target=None)


def alike(samples: int) -> Document:
    return disk_run(series=by_file_size({2_000_000: [4.2e9] * samples}))


IMPLAUSIBLE = {
    "5,100 MHz, but no core of an Apple M4 Pro goes beyond 4,512 MHz.": frequency(5.1e9),
    "16 GB/s, but its link carries 10 GB/s at most.": disk_run(storage="thunderbolt5", write=16e9),
    "17 GB/s, but no storage beside an Apple M4 Pro is known to exceed 7.69 GB/s.": disk_run(
        write=17e9
    ),
    "all 10 samples are the same to the last digit.": alike(10),
}
PLAUSIBLE = [
    frequency(4.52e9),
    frequency(5.1e9, "Apple M9 Ultra"),
    disk_run(storage="thunderbolt5", write=11e9),  # faster than its link, which is only a doubt
    disk_run(storage="internal", write=15e9),
    alike(9),
    {**frequency(5.1e9), "source": "imported", "tool": {"name": "powermetrics"}},
]


async def withdrawal(server: Server, run: Document, **headers: str) -> Any:
    response = await server.client.get(f"/api/v1/runs/{run['id']}", headers=headers)
    assert response.status_code == 200, response.text
    return response.json()["withdrawn"]


async def admin_of(server: Server) -> dict[str, str]:
    url = server.database_url
    return await people.sign_in(url, people.make_person(url, "Root", server_admin=True))


@pytest.mark.parametrize("reason", IMPLAUSIBLE)
async def test_what_no_mac_can_measure_is_put_aside(server: Server, reason: str) -> None:
    run = IMPLAUSIBLE[reason]
    await server.stored(run)
    judgement = await withdrawal(server, run)
    assert judgement["by"] == "quarantine"
    assert judgement["reason"].split(": ", 1)[1] == reason
    assert await server.groups(WRITE) == []


@pytest.mark.parametrize("run", PLAUSIBLE)
async def test_the_rest_is_not(server: Server, run: Document) -> None:
    await server.stored(run)
    assert await withdrawal(server, run) is None


async def test_a_private_fleets_runs_are_its_own_affair(server: Server) -> None:
    token, run = server.token("fleet"), alike(12)
    assert (await server.put(run, token)).status_code == 201
    assert await withdrawal(server, run, Authorization=f"Bearer {token}") is None


async def test_its_owner_cannot_bring_it_back_and_an_admin_can(server: Server) -> None:
    token, run = server.token(), disk_run(storage="thunderbolt5", write=16e9)
    assert (await server.put(run, token)).status_code == 201
    path, headers = f"/api/v1/runs/{run['id']}/withdrawal", {"Authorization": f"Bearer {token}"}
    assert (await server.client.delete(path, headers=headers)).status_code == 403
    admin = await admin_of(server)
    (item,) = (await server.client.get("/api/v1/review", headers=admin)).json()["items"]
    assert item["run"]["id"] == run["id"]
    assert "but its link carries 10 GB/s at most" in item["quarantined"]
    judged = await server.client.put(f"/api/v1/review/{run['id']}", json=STANDS, headers=admin)
    assert judged.status_code == 204
    assert await withdrawal(server, run) is None
    assert (await server.client.get("/api/v1/review", headers=admin)).json()["total"] == 0


@pytest.mark.parametrize(("judgement", "state"), [(WITHDRAWN, "upheld"), (STANDS, "dismissed")])
async def test_whoever_doubts_hears_what_became_of_it(
    server: Server, judgement: dict[str, str], state: str
) -> None:
    run = disk_run()
    await server.stored(run)
    reported = await server.client.post(f"/api/v1/runs/{run['id']}/doubts", json=REASON)
    secret = reported.json()["status_secret"]
    assert reported.json()["status_url"] == f"http://test/reports#{secret}"
    asks = {"Authorization": f"Bearer {secret}"}
    doubt = await server.client.get("/api/v1/doubts/self", headers=asks)
    assert (doubt.json()["state"], doubt.json()["answer"]) == ("open", None)

    admin = await admin_of(server)
    (item,) = (await server.client.get("/api/v1/review", headers=admin)).json()["items"]
    assert [doubt_shown["reason"] for doubt_shown in item["doubts"]] == [REASON["reason"]]
    path = f"/api/v1/review/{run['id']}"
    assert (await server.client.put(path, json=judgement, headers=admin)).status_code == 204
    doubt = await server.client.get("/api/v1/doubts/self", headers=asks)
    assert (doubt.json()["state"], doubt.json()["answer"]) == (state, judgement["answer"])
    assert len(await server.groups(WRITE)) == (0 if state == "upheld" else 1)
    # Decided runs are no longer in the queue, nor are their reports counted.
    assert (await server.client.get("/api/v1/review", headers=admin)).json()["items"] == []
    assert (await server.client.get(f"/api/v1/runs/{run['id']}")).json()["doubts"] == 0


async def test_a_later_judgement_changes_an_earlier_one(server: Server) -> None:
    run = disk_run()
    await server.stored(run)
    admin, path = await admin_of(server), f"/api/v1/review/{run['id']}"
    for judgement, groups in ((WITHDRAWN, 0), (STANDS, 1), (WITHDRAWN, 0)):
        assert (await server.client.put(path, json=judgement, headers=admin)).status_code == 204
        assert len(await server.groups(WRITE)) == groups


async def test_what_its_owner_has_withdrawn_stays_withdrawn(server: Server) -> None:
    token, run = server.token(), disk_run()
    assert (await server.put(run, token)).status_code == 201
    path, headers = f"/api/v1/runs/{run['id']}/withdrawal", {"Authorization": f"Bearer {token}"}
    assert (await server.client.put(path, json=REASON, headers=headers)).status_code == 204
    admin = await admin_of(server)
    judged = await server.client.put(f"/api/v1/review/{run['id']}", json=STANDS, headers=admin)
    assert judged.status_code == 204
    assert (await withdrawal(server, run))["by"] == "owner"


@pytest.mark.parametrize("secret", ["mmq_unknown", "", "x" * 5000])
async def test_an_unknown_report_is_not_found(server: Server, secret: str) -> None:
    asks = {"Authorization": f"Bearer {secret}"}
    refused = await server.client.get("/api/v1/doubts/self", headers=asks)
    assert refused.status_code == (404 if secret else 401)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**STANDS, "decision": "maybe"}, "/decision"),
        ({**STANDS, "answer": "no"}, "/answer"),
        ({**STANDS, "more": 1}, "/more"),
        ({"decision": "stands"}, "/answer"),
    ],
)
async def test_a_judgement_says_what_is_decided_and_why(
    server: Server, body: dict[str, Any], pointer: str
) -> None:
    run = disk_run()
    await server.stored(run)
    admin = await admin_of(server)
    refused = await server.client.put(f"/api/v1/review/{run['id']}", json=body, headers=admin)
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer)


async def test_only_the_servers_admins_judge(server: Server) -> None:
    run, url = disk_run(), server.database_url
    await server.stored(run)
    fleet_id = people.make_fleet(url, "acme")
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    root = people.make_person(url, "Root", server_admin=True)
    path = f"/api/v1/review/{run['id']}"
    for headers, status in (
        ({}, 401),
        ({"Authorization": f"Bearer {server.token()}"}, 403),
        (await people.sign_in(url, ada), 403),
        (people.token_of(url, ada, "manage"), 403),
        (people.token_of(url, root, "read"), 403),
        (people.token_of(url, root, "manage"), 204),
    ):
        judged = await server.client.put(path, json=STANDS, headers=headers)
        assert judged.status_code == status, headers
