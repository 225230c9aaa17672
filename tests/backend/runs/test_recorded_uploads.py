"""An agent of 0.1 and today's server: its uploads are accepted, flagged, and answered."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.release import VERSION
from support import recorded
from support.databases import fresh_database
from support.server import Server, serving

Json = dict[str, Any]
# New flags on runs of 0.1, each with the reason why its method was wrong. None is removed: figures
# without doubtful runs stay without them.
ADDED: dict[str, str] = {
    "host_cache_unknown": "small transfers read in a VM are reads as well",
    "cache_state_unstated": "on macOS `direct` leaves pages that are cached in use",
    "writes_may_be_cached": "macOS lets no write under 16 KiB past its cache",
}
# Fields with this server's own address.
OF_ITS_OWN = {"url"}


@pytest.fixture(scope="module")
async def server(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """A server that accepts simulated Macs, like that of the recording."""
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name), accept_simulated=True) as server:
            yield server


def uploads() -> list[Json]:
    return [exchange for exchange in recorded.exchanges() if exchange["method"] == "PUT"]


async def sent(server: Server, upload: Json, tokens: dict[str, str]) -> Any:
    """Send the request as recorded, with a token of this server in place of the old one."""
    before = upload["headers"].get("Authorization")
    secret = tokens.get(before) or tokens.setdefault(before, server.token())
    names = ("Content-Type", "Content-Encoding", "Accept", "User-Agent")
    headers = {name: upload["headers"][name] for name in names if name in upload["headers"]}
    return await server.client.request(
        upload["method"],
        upload["path"],
        content=recorded.content_of(upload),
        headers={**headers, "Authorization": f"Bearer {secret}"},
    )


async def test_every_upload_is_taken_and_told_of_a_newer_agent(server: Server) -> None:
    tokens: dict[str, str] = {}
    assert len(uploads()) == len(recorded.documents())
    for again in (False, True):
        for upload in uploads():
            response = await sent(server, upload, tokens)
            before = json.loads(recorded.content_of(upload["response"]))
            after = response.json()
            assert response.status_code == (200 if again else 201), after
            assert after.keys() >= before.keys()
            same = before.keys() - OF_ITS_OWN - {"created"}
            assert {n: after[n] for n in same} == {n: before[n] for n in same}
            assert after["newer_agent"] == VERSION


async def test_runs_keep_their_flags_and_get_those_that_are_named_here(server: Server) -> None:
    tokens: dict[str, str] = {}
    before = recorded.flags()
    for upload in uploads():
        await sent(server, upload, tokens)
        run_id = upload["path"].rpartition("/")[2]
        run = (await server.client.get(f"/api/v1/runs/{run_id}")).json()
        flags = {flag["code"] for flag in run["flags"]}
        flags |= {flag["code"] for result in run["results"] for flag in result["flags"]}
        assert flags >= before[run_id]
        assert flags - before[run_id] <= ADDED.keys()


async def test_a_line_of_a_batch_names_a_newer_agent_too(server: Server) -> None:
    (batch,) = (item for item in recorded.exchanges() if item["path"].endswith("/batch"))
    response = await sent(server, batch, {})
    before = [json.loads(line) for line in recorded.content_of(batch["response"]).splitlines()]
    stored, refused = [json.loads(line) for line in response.text.splitlines()]
    assert (stored["status"], refused["status"]) == (201, 400)
    for then, now in zip(before, (stored, refused), strict=True):
        assert recorded.missing(then, now) == {}
    assert stored["newer_agent"] == VERSION
    assert "newer_agent" not in refused


async def test_other_requests_of_the_agent_get_what_it_reads(server: Server) -> None:
    """Enrolment and the rights of its token have the same fields as before."""
    tokens: dict[str, str] = {}
    others = [item for item in recorded.exchanges() if item not in uploads()]
    # The disk status in /readyz depends on the moment.
    others = [item for item in others if item["path"] not in ("/readyz", "/api/v1/runs/batch")]
    assert others
    for item in others:
        response = await sent(server, item, tokens)
        assert response.status_code == item["response"]["status"], response.text
        before = json.loads(recorded.content_of(item["response"]))
        assert recorded.missing(before, response.json()) == {}
