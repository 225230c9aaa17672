"""PUT /api/v1/runs/{id}: stored runs, and repeated uploads of an id."""

from __future__ import annotations

import asyncio
import gzip
import json
import uuid
from typing import Any

from macmeter.documents.derive import DerivedResult
from macmeter.platform import database
from macmeter.runs.series_numbers import SeriesNumbers
from sqlalchemy import event
from support.documents import disk_run, encoded
from support.server import Server


async def test_without_a_token_nothing_is_stored(server: Server) -> None:
    document = disk_run()
    response = await server.client.put(
        f"/api/v1/runs/{document['id']}",
        content=encoded(document),
        headers={"Content-Type": "application/json"},
    )
    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert (await server.client.get("/api/v1/runs")).json()["total"] == 0


async def test_an_unknown_token_is_refused(server: Server) -> None:
    response = await server.put(disk_run(), "mmd_nobody")
    assert (response.status_code, response.json()["code"]) == (401, "token_unknown")


async def test_a_new_run_is_created_and_its_bytes_come_back_as_they_were(
    server: Server,
) -> None:
    document = disk_run(write=[5e9, 5.5e9], read=[6e9])
    content = encoded(document) + b"\n  "
    response = await server.put(content, run_id=document["id"])
    assert response.status_code == 201, response.text
    assert response.json()["url"] == f"http://test/runs/{document['id']}"
    raw = await server.client.get(f"/api/v1/runs/{document['id']}/document")
    assert raw.content == content
    detail = (await server.client.get(f"/api/v1/runs/{document['id']}")).json()
    write, read = detail["results"]
    assert (write["metric"], write["n"], write["p50"]) == (
        "disk.write_average",
        2,
        5.25e9,
    )
    assert read["values"] == [6e9]


async def test_identical_bytes_again_are_200_and_stored_once(server: Server) -> None:
    document, token = disk_run(), server.token()
    assert (await server.put(document, token)).status_code == 201
    assert (await server.put(document, token)).status_code == 200
    zipped = await server.client.put(
        f"/api/v1/runs/{document['id']}",
        content=gzip.compress(encoded(document)),
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json; charset=utf-8",
            "Content-Encoding": "gzip",
        },
    )
    assert zipped.status_code == 200, zipped.text
    assert (await server.client.get("/api/v1/runs")).json()["total"] == 1


async def test_other_content_under_the_same_id_is_409_and_names_the_run(
    server: Server,
) -> None:
    document, token = disk_run(write=5e9), server.token()
    await server.put(document, token)
    changed = disk_run(write=9e9, id=document["id"], machine=document["machine"]["id"])
    response = await server.put(changed, token)
    assert response.status_code == 409
    assert response.json()["existing"] == f"http://test/runs/{document['id']}"
    (group,) = await server.groups("metric=disk.write_average")
    assert group["median"] == 5e9


async def test_a_409_does_not_tell_of_a_private_run(server: Server) -> None:
    document = disk_run()
    await server.put(document, server.token("fleet"))
    response = await server.put(disk_run(id=document["id"]))
    assert response.status_code == 409
    assert "existing" not in response.json()


async def test_the_same_new_run_from_eight_clients_at_once_is_stored_once(
    server: Server,
) -> None:
    document, token = disk_run(), server.token()
    responses = await asyncio.gather(*(server.put(document, token) for _ in range(8)))
    assert sorted(r.status_code for r in responses) == [200] * 7 + [201]
    assert (await server.client.get("/api/v1/runs")).json()["total"] == 1


async def test_new_series_from_many_clients_at_once_do_not_deadlock(
    server: Server,
) -> None:
    def run() -> dict[str, object]:
        sizes = [
            {
                "metric": "disk.write_speed",
                "parameters": {"file_size": s},
                "values": [1e9],
            }
            for s in range(1, 30)
        ]
        return disk_run(series=sizes)

    responses = await asyncio.gather(*(server.put(run()) for _ in range(8)))
    assert {r.status_code for r in responses} == {201}


async def test_a_machine_bound_to_another_token_is_refused(server: Server) -> None:
    document = disk_run()
    await server.put(document)
    response = await server.put(disk_run(machine=document["machine"]["id"]))
    assert (response.status_code, response.json()["code"]) == (403, "machine_bound")
    assert response.json()["pointer"] == "/machine/id"


async def test_a_device_token_speaks_for_one_machine_only(server: Server) -> None:
    token = server.token()
    await server.put(disk_run(), token)
    response = await server.put(disk_run(), token)
    assert (response.status_code, response.json()["code"]) == (403, "token_bound")


async def test_a_refused_machine_is_not_bound_by_the_attempt(server: Server) -> None:
    token, free = server.token(), str(uuid.uuid4())
    await server.put(disk_run(), token)
    await server.put(disk_run(machine=free), token)
    assert (await server.put(disk_run(machine=free))).status_code == 201


async def test_a_fleet_token_writes_for_all_its_machines_and_their_runs_are_private(
    server: Server,
) -> None:
    token = server.token("fleet")
    runs = [disk_run(), disk_run()]
    for run in runs:
        assert (await server.put(run, token)).status_code == 201
    assert await server.groups("metric=disk.write_average") == []
    answer = await server.answer("metric=disk.write_average", Authorization=f"Bearer {token}")
    assert answer["results"][0]["groups"][0]["machines"] == 2
    assert (await server.client.get(f"/api/v1/runs/{runs[0]['id']}")).status_code == 404


async def test_a_fleet_token_does_not_take_a_machine_that_enrolled_itself(
    server: Server,
) -> None:
    document = disk_run()
    await server.put(document)
    response = await server.put(disk_run(machine=document["machine"]["id"]), server.token("fleet"))
    assert response.json()["code"] == "machine_bound"


async def test_a_run_can_be_deleted_by_its_owner_only(server: Server) -> None:
    document, token = disk_run(), server.token()
    await server.put(document, token)
    address = f"/api/v1/runs/{document['id']}"
    other = {"Authorization": f"Bearer {server.token()}"}
    assert (await server.client.delete(address)).status_code == 401
    assert (await server.client.delete(address, headers=other)).status_code == 403
    headers = {"Authorization": f"Bearer {token}"}
    assert (await server.client.delete(address, headers=headers)).status_code == 204
    assert (await server.client.get(address)).status_code == 404
    assert (await server.put(document, token)).status_code == 201


async def test_a_batch_answers_each_line_and_one_bad_line_harms_no_other(
    server: Server,
) -> None:
    good, token = [disk_run(), disk_run()], server.token("fleet")
    lines = [
        encoded(good[0]),
        b'{"schema": "macmeter.run/1"',
        encoded(good[1]),
        encoded(good[0]),
    ]
    response = await server.client.post(
        "/api/v1/runs/batch",
        content=b"\n".join(lines) + b"\n",
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-ndjson",
        },
    )
    results = [json.loads(line) for line in response.text.splitlines()]
    assert [(r["line"], r["status"]) for r in results] == [
        (1, 201),
        (2, 400),
        (3, 201),
        (4, 200),
    ]
    assert results[1]["problem"]["code"] == "bad_json"


async def test_of_machines_that_come_at_once_with_a_fresh_token_one_is_bound(
    server: Server,
) -> None:
    token = server.token()
    machines = [str(uuid.uuid4()) for _ in range(4)]
    runs = [disk_run(machine=machine) for _ in range(6) for machine in machines]
    answers = await asyncio.gather(*(server.put(run, token) for run in runs))
    stored = {
        run["machine"]["id"]
        for run, answer in zip(runs, answers, strict=True)
        if answer.status_code == 201
    }
    assert len(stored) == 1
    refused_answers = [answer for answer in answers if answer.status_code != 201]
    assert len(refused_answers) == 18
    for refused in refused_answers:
        assert (refused.status_code, refused.json()["code"]) == (403, "token_bound")


def of_sizes(sizes: range) -> list[DerivedResult]:
    """One result per file size."""
    return [
        DerivedResult("disk.write_speed", {"file_size": size}, False, 1.0, [1.0], None, None, None)
        for size in sizes
    ]


async def test_new_series_are_named_in_a_few_statements(database_url: str) -> None:
    engine = database.engine(database_url)
    executed: list[str] = []

    @event.listens_for(engine.sync_engine, "before_cursor_execute")
    def count(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        executed.append(statement)

    numbers = SeriesNumbers(most=100)
    first = await numbers.of(engine, of_sizes(range(1, 900)))
    assert len(executed) == 3
    assert len(set(first)) == 899
    executed.clear()
    # Only the latest are cached; all keep their numbers.
    assert await numbers.of(engine, of_sizes(range(850, 900))) == first[849:]
    assert executed == []
    assert await SeriesNumbers().of(engine, of_sizes(range(1, 901))) == [*first, first[-1] + 1]
    assert len(executed) == 3
    assert await numbers.of(engine, of_sizes(range(1, 900))) == first
    await engine.dispose()


async def test_uploads_that_bring_the_same_new_series_agree(database_url: str) -> None:
    engine = database.engine(database_url)
    sizes = of_sizes(range(50))
    numbers = await asyncio.gather(*(SeriesNumbers().of(engine, sizes[::step]) for step in (1, -1)))
    assert numbers[0] == numbers[1][::-1]
    await engine.dispose()


async def test_a_large_document_is_read_in_another_process(server: Server) -> None:
    rows = [[n / 10, "P0", 1e9 + n] for n in range(4_000)]
    columns = ["t", "cluster", "frequency"]
    run = disk_run(traces=[{"kind": "cpu", "columns": columns, "rows": rows}])
    assert len(encoded(run)) > 64 * 1024
    stored = asyncio.create_task(server.put(run))
    await asyncio.sleep(0)
    assert (await server.client.get("/healthz")).status_code == 200
    assert not stored.done()
    assert (await stored).status_code == 201
    document = await server.client.get(f"/api/v1/runs/{run['id']}/document")
    assert document.content == encoded(run)
    refused = await server.put({**run, "suite": "?"})
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/suite")
