"""Three servers on one database, behind a proxy that distributes requests in turn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from support.databases import fresh_database, token
from support.documents import Document, disk_run, encoded
from support.live_server import ANSWER_SECONDS, NO_TLS, ForkedServer, LiveServer
from support.proxy import RoundRobin, proxied
from support.server_kills import counted

PATIENCE = 120.0
QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip&where=source:measured"
DOUBTS = 3


@dataclass
class Group:
    """The servers, their public address, and the database for issuing tokens."""

    servers: Sequence[LiveServer]
    proxy: RoundRobin
    database_url: str

    def ask(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        """Send a request to whichever server's turn it is."""
        address = f"{self.proxy.url}{path}"
        return httpx.request(method, address, timeout=ANSWER_SECONDS, verify=NO_TLS, **options)

    def store(self, document: Document, secret: str) -> None:
        response = self.ask(
            f"/api/v1/runs/{document['id']}",
            "PUT",
            content=encoded(document),
            headers=bearer(secret) | {"Content-Type": "application/json"},
        )
        assert response.status_code == 201, response.text

    def all_count(self, runs: int) -> list[Any]:
        """Every server's answer without its `as_of`, once all count that many runs."""
        end = time.monotonic() + PATIENCE
        while True:
            responses = [server.ask(QUESTION) for server in self.servers]
            answers = [response.json() for response in responses if response.status_code == 200]
            if [counted(answer) for answer in answers] == [runs] * len(self.servers):
                return [{**answer, "as_of": None} for answer in answers]
            assert time.monotonic() < end, [response.text for response in responses]
            time.sleep(0.1)


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
def group(cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Group]:
    with fresh_database(cluster) as name, ExitStack() as stack:
        url = cluster.url(name)
        settings = {
            "DATABASE_URL": url,
            "PROXIES": "1",
            "QUOTA_DOUBTS": str(DOUBTS),
            "LIVE_PAGES_PER_ADDRESS": "1",
        }
        servers = [ForkedServer(tmp_path_factory.mktemp("one"), **settings) for _ in range(3)]
        # All at once, as after a power cut: they take turns if one must come first.
        with ThreadPoolExecutor() as threads:
            for server in servers:
                stack.callback(server.stop)
            list(threads.map(LiveServer.start, servers))
        yield Group(servers, stack.enter_context(proxied([s.port for s in servers])), url)


@pytest.mark.thorough
def test_every_server_answers_alike_whatever_happens_where(group: Group) -> None:
    secret, fleet = token(group.database_url), token(group.database_url)
    machine = disk_run()["machine"]["id"]
    runs = [disk_run(machine=machine, write=5e9 + 1e8 / 3 * n) for n in range(7)]
    for run in runs:
        group.store(run, secret)
    other = disk_run(chip="Apple M1")
    group.store(other, fleet)
    first, *rest = group.all_count(8)
    assert rest == [first, first]
    # Each of these goes to another server than the one before.
    address = f"/api/v1/runs/{runs[0]['id']}"
    reason = {"reason": "Measured while it was a test."}
    withdrawn = group.ask(f"{address}/withdrawal", "PUT", json=reason, headers=bearer(secret))
    assert withdrawn.is_success, withdrawn.text
    without, *rest = group.all_count(7)
    assert rest == [without, without]
    deleted = group.ask(f"/api/v1/runs/{other['id']}", "DELETE", headers=bearer(fleet))
    assert deleted.status_code == 204
    group.all_count(6)
    back = group.ask(f"{address}/withdrawal", "DELETE", headers=bearer(secret))
    assert back.is_success, back.text
    last, *rest = group.all_count(7)
    assert rest == [last, last]
    for server in group.servers:
        assert server.ask(f"/api/v1/runs/{other['id']}").status_code == 404


def test_an_open_page_hears_of_what_another_server_stored(group: Group) -> None:
    secret = token(group.database_url)
    with ExitStack() as stack:
        # Each server has its own limit, and three pages go to three servers.
        pages = [stack.enter_context(opened(group)) for _ in group.servers]
        assert group.ask("/api/v1/events").status_code == 429
        run = disk_run()
        group.store(run, secret)
        for page in pages:
            assert any(run["id"] in line for line in page if line.startswith("data: "))


class opened:  # noqa: N801 - reads as the statement it is used in
    """A live page through the proxy; yields its lines once it is connected."""

    def __init__(self, group: Group) -> None:
        self._stream = httpx.stream("GET", f"{group.proxy.url}/api/v1/events", timeout=PATIENCE)

    def __enter__(self) -> Iterator[str]:
        response = self._stream.__enter__()
        assert response.status_code == 200
        lines = response.iter_lines()
        assert next(line for line in lines if line.startswith(":")) == ": new runs follow"
        return lines

    def __exit__(self, *error: Any) -> None:
        self._stream.__exit__(*error)


def test_a_quota_is_one_for_all_servers(group: Group) -> None:
    run = disk_run()
    group.store(run, token(group.database_url))
    reason = {"reason": "Too fast for a drive of this kind."}
    statuses = [
        group.ask(f"/api/v1/runs/{run['id']}/doubts", "POST", json=reason).status_code
        for _ in range(DOUBTS + 2)
    ]
    assert statuses == [201] * DOUBTS + [429, 429]
