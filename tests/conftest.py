"""Fixtures of the Python tests: one embedded cluster per worker, one database per test."""

from __future__ import annotations

import atexit
import gc
import os
from collections import Counter
from collections.abc import AsyncIterator, Generator, Iterator

import hypothesis
import pytest
from argon2 import PasswordHasher
from macmeter.accounts import passwords
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.processes.memory import exempt_from_gc
from macmeter.runs.published import documents
from support import agent, commands, recorded
from support.contract import of_api
from support.databases import PUBLISHED, fresh_database
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded
from support.server import Server, serving

# Slowness on a shared machine must not fail a test.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Tests and their imports stay frozen to the end, when DuckDB complains about leftovers."""
    atexit.register(gc.unfreeze)
    # By default Python collects every 700 objects: ten times a test, with next to no garbage.
    gc.set_threshold(20_000)
    with exempt_from_gc():
        return (yield)


# Files that mostly wait, for up to two minutes.
LONGEST = {"test_poison.py", "test_serve.py", "test_point_in_time.py", "test_demo_views.py"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of tests marked `every` to the long form, and run the longest files first:
    at the end the other processes would wait for them.
    """
    places: Counter[str] = Counter()
    for item in items:
        if (mark := item.get_closest_marker("every")) is not None:
            test = item.nodeid.partition("[")[0]
            if places[test] % mark.args[0]:
                item.add_marker(pytest.mark.thorough)
            places[test] += 1
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="session", autouse=True)
def forks() -> Iterator[None]:
    """Stop the process that commands are forked from, if there is one."""
    yield
    commands.end_forking()


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Restore the umask: commands restrict it to their own account."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Make hashing cheap, which is slow on purpose. Servers in other processes hash as usual."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", PasswordHasher(1, 8, 1))
        yield


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """This worker's PostgreSQL. Nothing in it outlives the tests, so it never syncs."""
    directory = seeded(tmp_path_factory.mktemp("cluster"))
    with EmbeddedPostgres(directory, durability="test") as cluster:
        yield cluster


@pytest.fixture
def database_url(cluster: EmbeddedPostgres) -> Iterator[str]:
    """A fresh, migrated database for this test, with the application's role."""
    with fresh_database(cluster) as name:
        yield cluster.url(name)


@pytest.fixture
def published_database_url(cluster: EmbeddedPostgres) -> Iterator[str]:
    """A fresh database with the published results, as after a server's first start."""
    with fresh_database(cluster, template=PUBLISHED) as name:
        yield cluster.url(name)


@pytest.fixture
def empty_database_url(cluster: EmbeddedPostgres) -> Iterator[str]:
    """An empty database without tables, for tests of migrations."""
    with fresh_database(cluster, template="template0") as name:
        yield cluster.url(name)


@pytest.fixture(scope="session")
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """The server as `make serve` runs it, with its own DATA_DIR and port."""
    directory = seeded(tmp_path_factory.mktemp("live"))
    # All tests share one client address.
    with ForkedServer(directory, QUOTA_COMPARISONS="100000") as server:
        yield server


@pytest.fixture(scope="session")
def upgraded_server(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveServer]:
    """A server upgraded from release 0.1, with the runs, people and comparisons of that time."""
    directory = tmp_path_factory.mktemp("upgraded")
    with (
        recorded.upgraded_database(cluster) as url,
        ForkedServer(directory, DATABASE_URL=url, ACCEPT_SIMULATED="1") as server,
    ):
        yield server


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[Server]:
    """The application in this process, over this test's own database."""
    async with serving(database_url) as server:
        yield server


@pytest.fixture(scope="module")
async def empty_server(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """One server for all tests of a file whose requests store nothing."""
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            yield server
            assert (await server.client.get("/api/v1/runs")).json()["total"] == 0


@pytest.fixture(scope="module")
async def published_server(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """One server with the published results, for all tests of a file that store no runs."""
    with fresh_database(cluster, template=PUBLISHED) as name:
        async with serving(cluster.url(name)) as server:
            yield server
            listed = (await server.client.get("/api/v1/runs")).json()
            assert listed["total"] == sum(1 for _ in documents())


@pytest.fixture
def held(server: Server) -> None:
    """Check every successful response in a test against openapi.json."""
    server.client.event_hooks = {"response": [of_api().hook_of_successes]}


@pytest.fixture(scope="session")
def agent_command() -> str:
    """Command of the agent, built as `make agent` builds it."""
    return agent.build()
