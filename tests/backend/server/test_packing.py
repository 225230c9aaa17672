"""Cached answers are compressed once, and the same with and without compression."""

from __future__ import annotations

import gzip

import pytest
from starlette.middleware.gzip import GZipResponder
from support.documents import disk_run
from support.server import Server

QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip"


async def test_a_kept_answer_is_packed_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(disk_run())
    plain = await server.client.get(QUESTION, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers

    def again(*_: object, **__: object) -> bytes:
        raise AssertionError("it was packed where it was made")

    monkeypatch.setattr(GZipResponder, "apply_compression", again)
    for _ in range(2):
        async with server.client.stream("GET", QUESTION) as response:
            raw = b"".join([part async for part in response.aiter_raw()])
        assert response.headers["content-encoding"] == "gzip"
        assert int(response.headers["content-length"]) == len(raw) < len(plain.content)
        assert gzip.decompress(raw) == plain.content
        assert response.headers["etag"] == plain.headers["etag"]


async def test_an_export_has_one_tag_for_whoever_takes_it_packed_or_not(server: Server) -> None:
    await server.stored(*(disk_run() for _ in range(6)))
    table = QUESTION.replace("answer?", "answer.csv?") + "&by=machine"
    packed = await server.client.get(table)
    plain = await server.client.get(table, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"]
    assert packed.text == plain.text
    assert packed.headers["etag"] == plain.headers["etag"]
    headers = {"If-None-Match": packed.headers["etag"], "Accept-Encoding": "identity"}
    assert (await server.client.get(table, headers=headers)).status_code == 304
