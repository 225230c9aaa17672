"""Silent or incomplete connections end; other clients are answered meanwhile."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import pytest
from macmeter.server import worker
from support.live_server import ForkedServer
from support.seeds import seeded
from support.slow_clients import Kind, slow_clients

NUMBER = 200
PATIENCE_SECONDS = 300.0
QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedServer]:
    with ForkedServer(seeded(tmp_path_factory.mktemp("connections"))) as server:
        yield server


@pytest.mark.thorough
def test_whoever_sends_no_whole_request_is_cut(server: ForkedServer) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    kinds: tuple[Kind, ...] = ("silent", "half sent", "slow header", "idle", "half a second")
    with slow_clients(server.port, NUMBER, *kinds) as clients:
        while len(clients.cut) < NUMBER:
            assert server.ask(QUESTION).status_code == 200
            assert time.monotonic() < end, f"{NUMBER - len(clients.cut)} are still there"
        assert (clients.opened, clients.refused) == (NUMBER, 0)
    assert min(clients.cut) > worker.HEADER_SECONDS / 2, "they were given time"


@pytest.mark.thorough
def test_slow_bodies_and_readers_leave_others_served(server: ForkedServer) -> None:
    with slow_clients(server.port, NUMBER, "slow body", "slow reader") as clients:
        for _ in range(20):
            assert server.ask(QUESTION).status_code == 200
        assert clients.refused == 0


def test_more_connections_than_descriptors_are_never_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = {"now": (1024, 20_000)}
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.update(now=limit))
    for limit, connections_then in (
        ((1024, 20_000), 4096),
        ((256, resource.RLIM_INFINITY), 4096),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), 4096),
        ((1024, 2048), 1536),
        ((100_000, 100_000), 4096),
        ((256, 256), 128),
    ):
        limits["now"] = limit
        worker.allow_descriptors()
        assert worker.connections_of_worker() == connections_then, limit
        assert limits["now"][1] == limit[1], "the operator's limit stays"
