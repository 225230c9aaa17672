"""Three servers on one data set and one PostgreSQL; whoever writes is killed or paused.

Clients upload to each server, together at most 50 runs a second, and every server is asked
meanwhile. As many as they can would keep all cores busy, and the lag would show just that. A
follower with its writer is killed (its server starts another), paused for longer than a lease may
be silent, or a whole server is killed and started again. `shared.harm` counts runs that are lost or
doubled, and answers without runs that were acknowledged; in the end files must be as the tables.
`shared.lag.p95` is how far the data set was behind after kills; after a pause that is a lease's
silence more.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.database import migrate, reading_engine
from macmeter.results.dataset.files import lag_of
from macmeter.results.dataset.lease import SILENCE_SECONDS
from support.data_set import assert_as_tables, written
from support.live_server import ForkedServer, LiveServer
from support.server_kills import (
    GIVE_UP_SECONDS,
    Client,
    Inquirer,
    follower,
    stored_runs,
    wait_for_uploads,
)

from load.figure import Figure, figure

KILLS = 50
LAG_SECONDS = 5.0
UPLOADS_A_SECOND = 50
_SAMPLES_APART = 0.25
_PAUSE_EVERY = 10


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="shared-dataset") as directory:
        harm, lags = measured(Path(directory), KILLS)
    p95 = sorted(lags)[int(len(lags) * 0.95)]
    base = {"reference": 0, "ratio": float(harm)}
    return [
        figure("shared.harm", harm, "", 1, KILLS) | base,
        figure("shared.lag.p95", p95, "s", LAG_SECONDS, len(lags)),
    ]


def measured(directory: Path, kills: int) -> tuple[int, list[float]]:
    """Return the harm of so many kills, and samples of the data set's lag in seconds meanwhile."""
    with ExitStack() as stack:
        (directory / "postgres").mkdir()
        postgres = stack.enter_context(EmbeddedPostgres(directory / "postgres"))
        migrate(postgres.url())
        dataset = directory / "dataset"
        shared = {"DATABASE_URL": postgres.url(), "DATASET_DIR": str(dataset)}
        servers = list[LiveServer]()
        for name in ("one", "two", "three"):
            (directory / name).mkdir()
            servers.append(stack.enter_context(ForkedServer(directory / name, **shared)))
        interval = len(servers) / UPLOADS_A_SECOND
        clients = [
            Client(server, server.token(), seed, interval) for seed, server in enumerate(servers)
        ]
        asking = [Inquirer(server, clients) for server in servers]
        threads: list[Client | Inquirer] = [*clients, *asking]
        for thread in threads:
            thread.start()
        with sampled(postgres.url(), dataset) as lags:
            chance, kill_lags = random.Random(kills), list[float]()
            for number in range(kills):
                wait_for_uploads(clients, servers[0], chance.randint(1, 30))
                lags.clear()
                kind = "pause" if number % _PAUSE_EVERY == 1 else chance.choice(("kill", "server"))
                harm_one(chance.choice(servers), kind)
                time.sleep(chance.uniform(0, SILENCE_SECONDS / 2))
                end = time.monotonic() + GIVE_UP_SECONDS
                while not lags or lags[-1] > LAG_SECONDS:
                    assert time.monotonic() < end, f"{kind}: nobody writes"
                    time.sleep(_SAMPLES_APART)
                kill_lags += lags if kind != "pause" else []
            wait_for_uploads(clients, servers[0])
            for reader in asking:
                reader.wait()
        for thread in threads:
            thread.ending.set()
        for thread in threads:
            thread.join(GIVE_UP_SECONDS)
        acknowledged = {run_id for client in clients for run_id in client.acknowledged}
        stored = stored_runs(servers[0])
        harm = len(acknowledged - {*stored}) + len(stored) - len({*stored})
        harm += sum(one.missed for one in asking)
        for server in servers:
            server.stop()
        assert_as_tables(postgres.url(), asyncio.run(written(postgres.url(), dataset)))
        print(f"  {len(stored):,} runs, {sum(one.asked for one in asking):,} answers", flush=True)
        return harm, kill_lags


def harm_one(server: LiveServer, kind: str) -> None:
    """Kill or pause a server's follower with its writer, or kill the server."""
    if kind == "server":
        server.kill()
        server.start()
        return
    processes = [*follower(server), *server.processes("macmeter-writer")]
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill() if kind == "kill" else process.suspend()
    if kind == "pause":
        threading.Timer(1.5 * SILENCE_SECONDS, _go_on, [processes]).start()


def _go_on(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.resume()


@contextlib.contextmanager
def sampled(url: str, dataset: Path) -> Iterator[list[float]]:
    """Sample how far the files are behind the tables."""
    lags, ending = list[float](), threading.Event()

    async def sample() -> None:
        engine = reading_engine(url, pool_size=1)
        while not ending.is_set():
            async with engine.connect() as connection:
                lag = await lag_of(connection, dataset)
            if lag.seconds is not None:
                lags.append(lag.seconds)
            await asyncio.sleep(_SAMPLES_APART)
        await engine.dispose()

    thread = threading.Thread(target=asyncio.run, args=[sample()])
    thread.start()
    try:
        yield lags
    finally:
        ending.set()
        thread.join(GIVE_UP_SECONDS)
