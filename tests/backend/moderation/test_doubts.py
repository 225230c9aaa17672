"""Readers' reports, withdrawn runs in answers and comparisons, and quotas without an account."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from macmeter.accounts.quota import spend
from macmeter.models import QuotaKey, QuotaUse
from macmeter.platform import database
from sqlalchemy import select
from support.commands import command
from support.documents import Document, disk_run
from support.server import Server, serving

WRITE = "metric=disk.write_average"
REASON = {"reason": "The drive was in a dock, whatever it says."}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def stored(server: Server, **changes: object) -> tuple[Document, str]:
    run, token = disk_run(**changes), server.token()  # type: ignore[arg-type]
    assert (await server.put(run, token)).status_code == 201
    return run, token


async def test_a_doubt_is_counted_for_all_and_read_by_the_owner(server: Server) -> None:
    run, token = await stored(server)
    address = f"/api/v1/runs/{run['id']}"
    assert (await server.client.get(address)).json()["doubts"] == 0
    reported = await server.client.post(f"{address}/doubts", json=REASON)
    assert (reported.status_code, reported.json()["doubts"]) == (201, 1)
    assert (await server.client.get(address)).json()["doubts"] == 1
    response = await server.client.get(f"{address}/doubts", headers=bearer(token))
    assert [item["reason"] for item in response.json()["items"]] == [REASON["reason"]]
    # A report alone changes nothing.
    assert len(await server.groups(WRITE)) == 1


@pytest.mark.parametrize(
    "reason", ["", "short", "x" * 2001, "a NUL \0 in a sentence", "\u200b" * 12, None]
)
async def test_a_doubt_needs_a_reason(server: Server, reason: str | None) -> None:
    run, _ = await stored(server)
    address = f"/api/v1/runs/{run['id']}/doubts"
    refused = await server.client.post(address, json={"reason": reason})
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/reason")


async def test_a_private_run_is_as_if_it_were_not_there(server: Server) -> None:
    run, fleet = disk_run(), server.token("fleet")
    assert (await server.put(run, fleet)).status_code == 201
    response = await server.client.post(f"/api/v1/runs/{run['id']}/doubts", json=REASON)
    assert response.status_code == 404


async def test_a_withdrawn_run_leaves_answers_and_keeps_its_page(server: Server) -> None:
    run, token = await stored(server, write=9e9)
    await server.stored(disk_run(write=5e9))
    address = f"/api/v1/runs/{run['id']}"
    response = await server.client.put(f"{address}/withdrawal", json=REASON, headers=bearer(token))
    assert response.status_code == 204
    for flagged in ("", "&flagged=include"):
        (result,) = (await server.answer(f"{WRITE}{flagged}"))["results"]
        assert [group["median"] for group in result["groups"]] == [5e9]
        assert result["excluded"] == [{"reason": "withdrawn", "severity": "doubt", "runs": 1}]
    page = (await server.client.get(address)).json()
    assert (page["withdrawn"]["by"], page["withdrawn"]["reason"]) == ("owner", REASON["reason"])
    listed = (await server.client.get("/api/v1/runs")).json()["items"]
    assert [item["withdrawn"] is not None for item in listed] == [False, True]
    facets = (await server.client.get(f"/api/v1/facets?{WRITE}")).json()
    assert facets["total"] == 1
    assert "9000000000" not in (await server.client.get("/api/v1/corpus.csv")).text
    machine = f"/api/v1/machines/{run['machine']['id']}/timeline?{WRITE}"
    assert (await server.client.get(machine)).json()["lines"] == []
    again = await server.client.delete(f"{address}/withdrawal", headers=bearer(token))
    assert again.status_code == 204
    assert (await server.groups(WRITE))[0]["machines"] == 2


@pytest.mark.parametrize("by", ["", "&by=storage", "&by=storage&relative_to=storage:usb4"])
async def test_nothing_is_left_where_all_runs_are_withdrawn(server: Server, by: str) -> None:
    run, token = await stored(server)
    await server.client.put(
        f"/api/v1/runs/{run['id']}/withdrawal", json=REASON, headers=bearer(token)
    )
    for path in ("answer", "facets", "starting-point", "answer.csv", "chart.svg"):
        response = await server.client.get(f"/api/v1/{path}?{WRITE}&flagged=include{by}")
        assert response.status_code in (200, 422), (path, response.text)
    (result,) = (await server.answer(f"{WRITE}&flagged=include{by}"))["results"]
    assert (result["groups"], result["excluded"][0]["runs"]) == ([], 1)


async def test_a_frozen_comparison_keeps_its_figures_and_marks_the_run(server: Server) -> None:
    run, token = await stored(server, write=9e9)
    await server.stored(disk_run(write=5e9))
    saved = (await server.client.post("/api/v1/comparisons", json={"question": WRITE})).json()
    assert saved["withdrawn"] == []
    address = f"/api/v1/runs/{run['id']}/withdrawal"
    await server.client.put(address, json=REASON, headers=bearer(token))
    opened = (await server.client.get(f"/api/v1/comparisons/{saved['slug']}")).json()
    assert opened["answer"] == saved["answer"]
    assert opened["changed"] is True
    (marked,) = opened["withdrawn"]
    assert (marked["run_id"], marked["reason"]) == (run["id"], REASON["reason"])
    for path in (f"/api/v1/comparisons/{saved['slug']}/chart.svg", f"/embed/c/{saved['slug']}"):
        assert ", 1 run withdrawn since" in (await server.client.get(path)).text


async def test_only_its_owner_withdraws_a_run(server: Server) -> None:
    run, _ = await stored(server)
    address = f"/api/v1/runs/{run['id']}/withdrawal"
    for headers, status in (({}, 401), (bearer(server.token()), 403)):
        assert (
            await server.client.put(address, json=REASON, headers=headers)
        ).status_code == status
        assert (await server.client.delete(address, headers=headers)).status_code == status


async def test_the_servers_admin_withdraws_at_the_command_line(server: Server) -> None:
    run, token = await stored(server)
    await server.client.post(
        f"/api/v1/runs/{run['id']}/doubts", json={"reason": "Line\nand \x85 more"}
    )
    url, path = server.database_url, f"/api/v1/runs/{run['id']}"
    doubts = command(url, "doubts").stdout
    assert run["id"] in doubts
    assert len(doubts.splitlines()) == 1
    process = command(url, "withdraw", run["id"], "--reason", "A doubtful drive.")
    assert process.returncode == 0, process.stderr
    page = (await server.client.get(path)).json()
    assert (page["withdrawn"]["by"], page["withdrawn"]["reason"]) == ("server", "A doubtful drive.")
    # It overrides the owner.
    refused = await server.client.delete(f"{path}/withdrawal", headers=bearer(token))
    assert (refused.status_code, refused.json()["code"]) == (403, "withdrawn_by_server")
    assert command(url, "reinstate", run["id"]).returncode == 0
    assert (await server.client.get(path)).json()["withdrawn"] is None
    absent = command(url, "withdraw", str(uuid.uuid4()), "--reason", "None such.")
    assert absent.returncode != 0
    assert "This run doesn't exist" in absent.stderr
    assert "Traceback" not in absent.stderr
    assert command(url, "withdraw", run["id"]).returncode == 2


async def test_what_needs_no_account_has_a_quota(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUOTA_COMPARISONS", "3")
    monkeypatch.setenv("QUOTA_DOUBTS", "2")
    async with serving(database_url) as server:
        run, _ = await stored(server)
        doubted = f"/api/v1/runs/{run['id']}/doubts"
        for address, body, quota in (
            ("/api/v1/comparisons", {"question": WRITE}, 3),
            (doubted, REASON, 2),
        ):
            responses = [await server.client.post(address, json=body) for _ in range(quota + 2)]
            assert [response.status_code for response in responses] == [201] * quota + [429] * 2
            assert 1 <= int(responses[-1].headers["retry-after"]) <= 3600
            assert responses[-1].json()["code"] == "quota"
            remaining = [int(response.headers["ratelimit-remaining"]) for response in responses]
            assert remaining == [*reversed(range(quota)), 0, 0]
            assert responses[0].headers["ratelimit-policy"] == f"{quota};w=3600"


async def test_addresses_count_apart_and_none_is_stored(database_url: str) -> None:
    engine = database.engine(database_url)
    now = datetime(2026, 11, 20, 10, 30, tzinfo=UTC)
    addresses = ["192.0.2.7", "192.0.2.8", "2001:db8:1:2::1", "2001:db8:1:3::1", "not an address"]
    async with engine.begin() as connection:
        for address in addresses:
            await spend(connection, "doubts", address, 1, now)
        for address in ("::ffff:192.0.2.7", "2001:db8:1:2::ffff", "another"):
            refusal = (await spend(connection, "doubts", address, 1, now)).refusal
            assert refusal is not None
            assert refusal.headers["Retry-After"] == "1801"
        await spend(connection, "comparisons", addresses[0], 1, now)
        uses = (await connection.execute(select(QuotaUse.client))).scalars().all()
        assert not any(b"192" in client or b"\xc0\x00\x02\x07" in client for client in uses)
        # An hour later all may write again; a day later there is another key.
        await spend(connection, "doubts", addresses[0], 1, now + timedelta(hours=1))
        assert len((await connection.execute(select(QuotaUse))).all()) == 1
        (key,) = (await connection.execute(select(QuotaKey.key))).scalars()
        await spend(connection, "doubts", addresses[0], 1, now + timedelta(days=1))
        assert (await connection.execute(select(QuotaKey.key))).scalars().all() != [key]
    await engine.dispose()


async def test_a_header_of_a_proxy_counts_only_behind_one(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def save(server: Server, forwarded: str) -> int:
        headers = {"X-Forwarded-For": forwarded}
        body = {"question": WRITE}
        saved = await server.client.post("/api/v1/comparisons", json=body, headers=headers)
        return saved.status_code

    monkeypatch.setenv("QUOTA_COMPARISONS", "1")
    async with serving(database_url) as server:
        await server.stored(disk_run())
        assert [await save(server, "192.0.2.1"), await save(server, "192.0.2.2")] == [201, 429]
    monkeypatch.setenv("PROXIES", "1")
    async with serving(database_url) as server:
        forged = ["1.1.1.1, 192.0.2.3", "2.2.2.2, 192.0.2.3"]
        assert [await save(server, forwarded) for forwarded in forged] == [201, 429]
