"""`macmeter-server serve`: ready when it says so, and gone without a trace however it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from load.beside import memory_of
from macmeter.embedded import EmbeddedPostgres, find_running
from macmeter.platform.processes import template
from support.commands import COMMAND, run_command
from support.live_server import ForkedServer, LiveServer, free_port
from support.seeds import seeded
from support.server_kills import QUESTION, TARGETS, kill_under_load
from support.stops import stop
from support.thorough import some

GONE_SECONDS = 120.0
# Anonymous and shared memory of a server with two workers: its limit with a million runs.
MOST_BYTES = 400_000_000
OUTDATED = "SELECT 1 FROM runs WHERE derivation_version = 0"
WAITING_PARENT = "import subprocess, sys; subprocess.run(sys.argv[1:])"


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedServer]:
    """One server for this file: starting it takes most of a test's time."""
    with ForkedServer(seeded(tmp_path_factory.mktemp("served")), WORKERS="2") as server:
        yield server


@pytest.fixture
def server(standing: ForkedServer) -> ForkedServer:
    """The running server, restarted if the previous test ended it; tests may end it."""
    if standing.process is not None and standing.process.poll() is not None:
        standing.kill()
    if standing.process is None:
        standing.start()
    assert eventually(lambda: ready(standing))
    return standing


def family(pid: int) -> list[psutil.Process]:
    """The process and its descendants."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def eventually(condition: Callable[[], bool], seconds: float = GONE_SECONDS) -> bool:
    """Return whether the condition became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def all_gone(processes: list[psutil.Process]) -> bool:
    return not any(
        process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes
    )


def ready(server: LiveServer) -> bool:
    """Return whether the server and its database respond."""
    with contextlib.suppress(OSError):
        return bool(urllib.request.urlopen(f"{server.url}/readyz", timeout=5).status == 200)
    return False


def tokens(server: LiveServer) -> int:
    """Number of tokens in the running server's database."""
    running = find_running(server.data_dir)
    assert running is not None
    with running.connect("macmeter") as connection:
        row = connection.execute("SELECT count(*) FROM tokens").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_leaves_nothing_and_loses_nothing(
    server: LiveServer, how: signal.Signals
) -> None:
    before = tokens(server)
    server.token()
    assert server.process is not None
    processes = family(server.process.pid)
    assert len(processes) > 5  # PostgreSQL is many
    if how is signal.SIGINT:  # Ctrl-C reaches every process of the terminal's foreground group
        os.killpg(server.process.pid, how)
        assert server.wait(GONE_SECONDS) == 0
    else:
        assert server.stop(how) == 0
    # At once, except for Python's own resource tracker, which ends after its process.
    assert eventually(
        lambda: all_gone(processes),
    )
    server.start()
    assert eventually(lambda: ready(server))
    assert tokens(server) == before + 1


# Every way, once to three times: `make bench ONLY=stops`.
@pytest.mark.parametrize(("way", "times"), [("terminal closed", 2), ("group", 3)])
def test_signals_that_come_again_stop_it_in_order(server: LiveServer, way: str, times: int) -> None:
    outcome = stop(server, way, times, starting=False, between=0.001, limit=GONE_SECONDS)
    assert outcome.in_order, outcome


def test_signals_while_it_starts_end_it_too(server: ForkedServer) -> None:
    server.stop()
    with server.executed():
        outcome = stop(server, "control group", 2, starting=True, between=0.02, limit=GONE_SECONDS)
    assert outcome.in_order, outcome


@pytest.mark.thorough
@pytest.mark.parametrize("kills", some([3, len(TARGETS)]))
def test_killed_under_load_it_loses_nothing_acknowledged(tmp_path: Path, kills: int) -> None:
    outcome = kill_under_load(ForkedServer(seeded(tmp_path), WORKERS="2"), kills)
    assert outcome.acknowledged > 0
    assert outcome.asked > 0
    assert outcome.harm == 0, outcome


@pytest.mark.thorough
def test_killed_it_leaves_nothing_and_loses_nothing(server: LiveServer) -> None:
    before = tokens(server)
    server.token()
    assert server.process is not None
    processes = family(server.process.pid)
    server.kill()
    assert eventually(lambda: all_gone(processes))
    server.start()
    assert tokens(server) == before + 1


@pytest.mark.thorough
def test_killed_and_started_again_at_once(server: ForkedServer) -> None:
    server.kill()
    with server.executed():
        server.start()
    assert eventually(lambda: ready(server))


def test_several_workers_end_with_it(server: LiveServer) -> None:
    assert eventually(lambda: len(server.workers()) == 2)
    workers = server.workers()
    server.kill()
    assert eventually(lambda: all_gone(workers))


def test_a_killed_follower_of_the_log_is_replaced(server: LiveServer) -> None:
    def followers() -> list[psutil.Process]:
        return server.processes("macmeter-follow")

    assert eventually(lambda: len(followers()) == 1)
    (first,) = followers()
    first.kill()
    assert eventually(lambda: [process.pid for process in followers()] not in ([], [first.pid]))
    (second,) = followers()
    server.kill()
    assert eventually(lambda: all_gone([second]))


@pytest.mark.thorough
def test_a_killed_template_has_a_successor_and_harms_nobody(server: LiveServer) -> None:
    assert eventually(lambda: len(server.workers()) == 2)
    before = {process.pid for process in server.workers()}
    for _ in range(2):
        assert eventually(lambda: len(server.processes("macmeter-templ")) == 1)
        (forking,) = server.processes("macmeter-templ")
        forking.kill()
        assert eventually(lambda: ready(server))
        for process in server.processes("macmeter-answer"):
            process.kill()
        assert eventually(lambda: server.ask(QUESTION).status_code == 200)
    assert {process.pid for process in server.workers()} == before
    for worker in server.workers():
        worker.kill()

    def replaced() -> bool:
        now = {process.pid for process in server.workers()}
        return len(now) == 2 and not now & before and ready(server)

    assert eventually(replaced)
    processes = [*server.workers(), *server.processes("macmeter-answer")]
    server.kill()
    assert eventually(lambda: all_gone(processes))


@pytest.mark.thorough
@pytest.mark.skipif(not template.CAN_FORK, reason="forking is unsound here")
def test_processes_share_what_they_have_imported(server: ForkedServer) -> None:
    server.stop()
    with server.executed():
        server.start()
    assert server.ask(QUESTION).status_code == 200
    assert memory_of(server) < MOST_BYTES


@pytest.mark.thorough
def test_it_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    # Like make: a process that has started the server, waits for it, and is killed.
    parent = subprocess.Popen(
        [sys.executable, "-c", WAITING_PARENT, COMMAND, "serve", "--with-parent"],
        env=LiveServer(seeded(tmp_path)).environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    assert "ready" in parent.stdout.readline()
    processes = family(parent.pid)
    parent.kill()
    parent.communicate()
    assert eventually(lambda: all_gone(processes))


def test_a_killed_worker_is_replaced(server: LiveServer) -> None:
    for worker in server.workers():
        worker.kill()
    assert eventually(lambda: ready(server))


def test_workers_that_are_killed_again_and_again_are_replaced(server: LiveServer) -> None:
    for _ in range(4):
        assert eventually(lambda: server.workers() != [])
        for worker in server.workers():
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()
    assert eventually(lambda: ready(server))
    assert server.process is not None
    assert server.process.poll() is None


def test_a_killed_postgres_is_started_again(server: LiveServer) -> None:
    before = tokens(server)
    server.token()
    pid_file = server.data_dir / "postgres" / "cluster" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split("\n")[0]), signal.SIGKILL)

    def back() -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            return ready(server) and tokens(server) == before + 1
        return False

    assert eventually(back)


@pytest.mark.thorough
def test_runs_of_an_older_version_are_rederived_while_it_answers(server: LiveServer) -> None:
    def outdated() -> int:
        running = find_running(server.data_dir)
        assert running is not None
        with running.connect("macmeter") as connection:
            return len(connection.execute(OUTDATED).fetchall())

    with EmbeddedPostgres(stopped(server)) as postgres, postgres.running.connect("macmeter") as db:
        db.execute("UPDATE runs SET derivation_version = 0")
    server.start()
    assert eventually(lambda: ready(server))
    assert eventually(lambda: outdated() == 0)
    assert "rederived" in server.log.read_text()
    assert b"macmeter_runs_outdated 0" in urllib.request.urlopen(f"{server.url}/metrics").read()


def stopped(server: LiveServer) -> Path:
    """Stop the server and return its data directory."""
    server.stop()
    return server.data_dir


def test_tokens_with_and_without_a_running_server(server: LiveServer) -> None:
    before = tokens(server)
    beside = server.printed_token()
    server.stop()
    alone = server.printed_token("fleet")
    assert alone != beside
    assert find_running(server.data_dir) is None
    server.start()
    assert tokens(server) == before + 2


def refusal(**environment: str) -> str:
    """Error message of `serve` when it refuses to start."""
    process = run_command(os.environ | environment, "serve")
    assert process.returncode == 1
    assert process.stdout == ""
    assert "Traceback" not in process.stderr
    return process.stderr


def test_second_server_on_the_same_data_is_told_whose_it_is(server: LiveServer) -> None:
    assert server.process is not None
    errors = refusal(DATA_DIR=str(server.data_dir), PORT=str(free_port()))
    assert f"in use by process {server.process.pid} (macmeter-server serve)" in errors
    assert eventually(lambda: ready(server))


def test_second_server_on_the_same_port_is_refused(server: LiveServer, tmp_path: Path) -> None:
    errors = refusal(DATA_DIR=str(tmp_path / "other"), PORT=str(server.port))
    assert f"127.0.0.1:{server.port} is in use" in errors
    assert not (tmp_path / "other").exists()


def test_settings_that_make_no_sense_are_named() -> None:
    errors = refusal(PORT="http", PUBLIC_URL="nowhere")
    assert "PORT: " in errors
    assert "PUBLIC_URL: " in errors


def test_a_database_of_ones_own(empty_database_url: str, tmp_path: Path) -> None:
    with ForkedServer(tmp_path, DATABASE_URL=empty_database_url) as server:
        assert eventually(lambda: ready(server))
        assert server.printed_token()
        assert not (tmp_path / "postgres").exists()


def test_the_embedded_server_is_shared_by_name_only(cluster: EmbeddedPostgres) -> None:
    assert find_running(cluster.layout.directory.parent) == cluster.running
