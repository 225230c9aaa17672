"""Bad documents: each a 4xx problem+json naming the field, nothing stored, the server unharmed."""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from macmeter.embedded import EmbeddedPostgres
from support.databases import fresh_database
from support.documents import disk_run, encoded
from support.server import Server, serving

Case = tuple[str, bytes, int, str | None]


def changed(path: str, value: Any) -> bytes:
    """A good document with one place changed; the path is a JSON pointer."""
    document: Any = disk_run(write=[5e9, 6e9], labels={"iops": "8000"})
    *parents, last = path.removeprefix("/").split("/")
    container = document
    for step in parents:
        container = container[int(step)] if isinstance(container, list) else container[step]
    if isinstance(container, list):
        container[int(last)] = value
    else:
        container[last] = value
    return encoded(document)


def replaced(old: bytes, new: bytes) -> bytes:
    content = encoded(disk_run(write=[5000000000.0]))
    assert old in content
    return content.replace(old, new, 1)


def clock(ahead: timedelta) -> str:
    return (datetime.now(UTC) + ahead).isoformat()


SPEED = b"5000000000.0"
FIRST = "/series/0/values/0"
many = {"metric": "disk.write_average", "values": [1e9] * 200_000}
sized = {"metric": "disk.write_speed", "parameters": {"file_size": 1}, "values": [1e9]}

CASES: list[Case] = [
    ("empty body", b"", 400, ""),
    ("truncated JSON", encoded(disk_run())[:-40], 400, ""),
    ("not JSON", b"hello", 400, ""),
    ("not UTF-8", b'{"schema": "\xff\xfe"}', 400, ""),
    ("an array", b"[]", 422, ""),
    ("a number", b"1", 422, ""),
    ("nested without end", b"[" * 100_000, 422, "/0" * 33),
    ("nested deep", b'{"a":' * 40 + b"1" + b"}" * 40, 422, None),
    ("NaN", replaced(SPEED, b"NaN"), 422, FIRST),
    ("Infinity", replaced(SPEED, b"-Infinity"), 422, FIRST),
    ("1e999", replaced(SPEED, b"1e999"), 422, FIRST),
    ("1e300", replaced(SPEED, b"1e300"), 422, FIRST),
    ("an integer of 5,000 digits", replaced(SPEED, b"9" * 5000), 422, FIRST),
    ("a negative speed", changed(FIRST, -1), 422, FIRST),
    ("a speed of zero", changed(FIRST, 0), 422, FIRST),
    ("a petabyte a second", changed(FIRST, 1e15), 422, FIRST),
    ("text for a number", changed(FIRST, "5e9"), 422, FIRST),
    ("true for a number", changed(FIRST, True), 422, FIRST),
    ("null for a number", changed(FIRST, None), 422, FIRST),
    ("an object for a number", changed(FIRST, {}), 422, FIRST),
    ("no values", changed("/series/0/values", []), 422, "/series/0/values"),
    (
        "unknown metric",
        changed("/series/0/metric", "disk.speed"),
        422,
        "/series/0/metric",
    ),
    (
        "unknown parameter",
        changed("/series/0/parameters", {"colour": "red"}),
        422,
        "/series/0/parameters/colour",
    ),
    (
        "text for a numeric parameter",
        changed("/series", [{**sized, "parameters": {"file_size": "big"}}]),
        422,
        "/series/0/parameters/file_size",
    ),
    (
        "missing parameter",
        changed("/series", [{**sized, "parameters": {}}]),
        422,
        "/series/0/parameters",
    ),
    ("the same series twice", changed("/series", [sized, sized]), 422, "/series/1"),
    (
        "positions of another length",
        changed("/series/0/positions", [1]),
        422,
        "/series/0/positions",
    ),
    ("200,000 samples", changed("/series", [many]), 422, "/series/0/values"),
    (
        "60,000 samples in two series",
        changed(
            "/series",
            [
                {**many, "values": [1e9] * 30_000},
                {**many, "metric": "disk.read_average", "values": [1e9] * 30_000},
            ],
        ),
        422,
        "/series",
    ),
    (
        "a day ahead",
        changed("/started_at", clock(timedelta(days=1))),
        422,
        "/started_at",
    ),
    (
        "the year 9999",
        changed("/started_at", "9999-12-31T23:59:59Z"),
        422,
        "/started_at",
    ),
    ("no time zone", changed("/started_at", "2026-11-20T10:00:00"), 422, "/started_at"),
    ("a time as digits", changed("/started_at", "1700000000"), 422, "/started_at"),
    ("a speed that is next to nothing", changed(FIRST, 5e-324), 422, FIRST),
    ("a time of words", changed("/started_at", "yesterday"), 422, "/started_at"),
    ("a time as a number", changed("/started_at", 1_700_000_000), 422, "/started_at"),
    (
        "before any Mac",
        changed("/started_at", "1970-01-01T00:00:00Z"),
        422,
        "/started_at",
    ),
    (
        "finished before it started",
        changed("/finished_at", "2026-11-20T09:00:00Z"),
        422,
        "/finished_at",
    ),
    ("no start", encoded(disk_run(started_at=None)), 422, "/started_at"),
    (
        "a duplicate key",
        replaced(b'"suite":', b'"suite": "hash", "suite":'),
        422,
        "/suite",
    ),
    (
        "a duplicate key far in",
        replaced(b'"values":', b'"values": [1], "values":'),
        422,
        "/series/0/values",
    ),
    ("an unknown top-level key", changed("/comment", "hi"), 422, "/comment"),
    ("another schema", changed("/schema", "macmeter.run/2"), 422, "/schema"),
    ("no schema", encoded(disk_run(schema=None)), 422, "/schema"),
    ("no machine", changed("/machine", {}), 422, "/machine/id"),
    ("NUL in a string", changed("/machine/chip", "M4\x00Pro"), 422, "/machine/chip"),
    ("NUL in a label", changed("/labels/iops", "\x00"), 422, "/labels/iops"),
    (
        "a control character",
        changed("/target/device", "a\x1b[31m"),
        422,
        "/target/device",
    ),
    ("a lone surrogate", changed("/machine/chip", "\ud800"), 422, "/machine/chip"),
    (
        "a string of 257 characters",
        changed("/target/device", "x" * 257),
        422,
        "/target/device",
    ),
    ("an empty string", changed("/target/device", ""), 422, "/target/device"),
    (
        "65 labels",
        changed("/labels", {f"k{i}": "v" for i in range(65)}),
        422,
        "/labels",
    ),
    ("a number for a label", changed("/labels/iops", 8000), 422, "/labels/iops"),
    ("an id that is none", changed("/machine/id", "mine"), 422, "/machine/id"),
    (
        "negative memory",
        changed("/machine/memory_bytes", -1),
        422,
        "/machine/memory_bytes",
    ),
    (
        "memory beyond exact numbers",
        changed("/machine/memory_bytes", 2**60),
        422,
        "/machine/memory_bytes",
    ),
    (
        "a fraction of a core",
        changed("/machine/gpu_cores", 1.5),
        422,
        "/machine/gpu_cores",
    ),
    ("source published", changed("/source", "published"), 422, "/citation"),
    (
        "a citation of its own",
        changed(
            "/citation",
            {"article": "a", "title": "t", "author": "b", "publisher": "c", "row": "r"},
        ),
        422,
        "/citation",
    ),
    (
        "ratios of its own",
        changed(
            "/published_ratios",
            [
                {
                    "metric": "disk.write_average",
                    "value": 0.5,
                    "of": {},
                    "to": {},
                    "printed": "50%",
                }
            ],
        ),
        422,
        "/published_ratios",
    ),
    ("simulated", changed("/simulated", True), 422, "/simulated"),
    ("imported without a tool", changed("/source", "imported"), 422, "/tool"),
    (
        "a trace of ragged rows",
        changed("/traces", [{"kind": "cpu", "columns": ["t", "f"], "rows": [[1, 2], [3]]}]),
        422,
        "/traces/0/rows/1",
    ),
]


@pytest.fixture(scope="module")
async def standing(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """One server for all refusals, which stores good documents in between."""
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            yield server


async def stored(server: Server) -> int:
    total: int = (await server.client.get("/api/v1/runs")).json()["total"]
    return total


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("content", "status", "pointer"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
async def test_a_bad_document_is_refused_with_a_pointer(
    standing: Server, content: bytes, status: int, pointer: str | None
) -> None:
    before = await stored(standing)
    run_id = str(uuid.uuid4())
    # The document's own id if it has one, so that only the fault is refused.
    start = content.find(b'"id": "')
    if 0 <= start < 60:
        run_id = content[start + 7 : start + 43].decode()
    response = await standing.put(content, run_id=run_id)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["detail"]
    if pointer is not None:
        assert body["pointer"] == pointer
    assert await stored(standing) == before
    assert (await standing.put(disk_run())).status_code == 201


async def test_the_servers_time_comes_with_clock_ahead(server: Server) -> None:
    response = await server.put(disk_run(started_at=clock(timedelta(minutes=11))))
    body = response.json()
    assert body["code"] == "clock_ahead"
    assert abs(datetime.fromisoformat(body["server_time"]) - datetime.now(UTC)) < timedelta(
        minutes=1
    )
    assert (await server.put(disk_run(started_at=clock(timedelta(minutes=9))))).status_code == 201


@pytest.mark.parametrize("offset", ["-23:59", "+16:00", "+2330", "-00:00"])
async def test_a_time_with_any_offset_is_stored_as_the_moment_it_is(
    server: Server, offset: str
) -> None:
    """PostgreSQL accepts no offset of 16 hours or more."""
    run = disk_run(started_at=f"2026-11-20T10:00:00{offset}", finished_at=None)
    response = await server.put(run)
    assert response.status_code == 201, response.text
    page = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    stored_at = datetime.fromisoformat(page["started_at"])
    assert stored_at == datetime.fromisoformat(run["started_at"])


async def test_the_id_in_the_address_must_be_the_documents(server: Server) -> None:
    response = await server.put(encoded(disk_run()), run_id=str(uuid.uuid4()))
    assert (response.status_code, response.json()["pointer"]) == (422, "/id")


async def test_an_address_that_is_no_id(server: Server) -> None:
    response = await server.put(encoded(disk_run()), run_id="latest")
    assert (response.status_code, response.json()["pointer"]) == (422, "{run_id}")


async def _send(server: Server, content: bytes, **headers: str) -> Any:
    return await server.client.put(
        f"/api/v1/runs/{uuid.uuid4()}",
        content=content,
        headers={
            "Authorization": f"Bearer {server.token()}",
            "Content-Type": "application/json",
            **headers,
        },
    )


@pytest.mark.parametrize("media_type", ["text/plain", "application/xml", ""])
async def test_another_media_type_is_415(empty_server: Server, media_type: str) -> None:
    response = await _send(empty_server, encoded(disk_run()), **{"Content-Type": media_type})
    assert response.status_code == 415


async def test_another_encoding_is_415(server: Server) -> None:
    response = await _send(server, b"x", **{"Content-Encoding": "br"})
    assert (response.status_code, response.json()["code"]) == (415, "content_encoding")


async def test_a_body_over_the_limit_is_413(server: Server) -> None:
    padded = encoded(disk_run()) + b" " * (8 * 1024 * 1024)
    assert (await _send(server, padded)).status_code == 413


async def test_a_gzip_bomb_is_413_before_it_is_unpacked(server: Server) -> None:
    bomb = gzip.compress(b" " * (200 * 1024 * 1024))
    assert len(bomb) < 1024 * 1024
    response = await _send(server, bomb, **{"Content-Encoding": "gzip"})
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "body",
    [b"not gzip", gzip.compress(b"{}")[:-4], gzip.compress(b"{}") + b"more", b""],
    ids=["not gzip", "truncated", "trailing bytes", "empty"],
)
async def test_broken_gzip_is_400(empty_server: Server, body: bytes) -> None:
    response = await _send(empty_server, body, **{"Content-Encoding": "gzip"})
    assert (response.status_code, response.json()["code"]) == (400, "bad_gzip")


async def test_nested_unknown_keys_and_unknown_values_are_kept(server: Server) -> None:
    document = disk_run(storage="thunderbolt9", encryption="quantum", chip="Apple M9 Hyper")
    document["machine"]["colour"] = "indigo"
    document["warnings"] = [{"code": "moon_phase"}]
    assert (await server.put(document)).status_code == 201
    (group,) = await server.groups("metric=disk.write_average&by=storage&by=encryption&by=chip")
    assert group["key"] == {
        "storage": "thunderbolt9",
        "encryption": "quantum",
        "chip": "Apple M9 Hyper",
    }
    assert group["flags"] == [{"code": "moon_phase", "severity": "caution", "runs": 1}]
    raw = await server.client.get(f"/api/v1/runs/{document['id']}/document")
    assert json.loads(raw.content)["machine"]["colour"] == "indigo"


async def test_null_is_the_same_as_leaving_out(server: Server) -> None:
    document = disk_run()
    document["target"]["link_speed"] = None
    document["machine"]["model"] = None
    document["finished_at"] = None
    document["traces"] = None
    assert (await server.put(document)).status_code == 201
