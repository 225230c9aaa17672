"""The embedded PostgreSQL: one owner, no orphans, nothing lost, closed to other accounts."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from macmeter.embedded import EmbeddedError, EmbeddedPostgres, InUseError, find_running
from macmeter.embedded.cluster import LONGEST_SOCKET_PATH, SOCKET_NAME, Layout
from macmeter.embedded.locks import Lock
from macmeter.embedded.tuning import memory_settings, server_settings
from support.seeds import seeded

ANOTHER_UID = 1
OWNER = """
    import sys, time
    from pathlib import Path
    from macmeter.embedded import EmbeddedPostgres
    with EmbeddedPostgres(Path(sys.argv[1]), purpose="the test's owner"):
        print("ready", flush=True)
        time.sleep(600)
"""


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Folder of a server that ran before: a first start would be most of a test's time."""
    (tmp_path / "data").mkdir()
    return seeded(tmp_path / "data")


@contextlib.contextmanager
def owner(data_dir: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that owns the server of `data_dir`, durable as in production."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(OWNER), str(data_dir)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def postmaster(data_dir: Path) -> int:
    """Process id of the server that runs in `data_dir`."""
    pid_file = Layout.of(data_dir).cluster / "postmaster.pid"
    return int(pid_file.read_text().split("\n", 1)[0])


def ended_within(seconds: float, data_dir: Path) -> bool:
    """Return whether every PostgreSQL process of `data_dir` ends in time, which releases a lock."""
    lock = Lock(Layout.of(data_dir).running_lock)
    try:
        return lock.take(seconds)
    finally:
        lock.close()


def test_killed_owner_leaves_no_server_and_loses_nothing(data_dir: Path) -> None:
    with owner(data_dir) as process:
        running = find_running(data_dir)
        assert running is not None
        with running.connect("macmeter") as connection:
            connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 100000) AS n")
        server = postmaster(data_dir)
        process.kill()
        process.wait()
        assert ended_within(10, data_dir)
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    assert find_running(data_dir) is None
    with (
        EmbeddedPostgres(data_dir) as again,
        again.running.connect("macmeter") as connection,
    ):
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (100000,)


def test_restart_right_after_the_owner_was_killed(data_dir: Path) -> None:
    with owner(data_dir) as process:
        process.kill()
        process.wait()
        # The old server is still shutting down: the new owner waits for its last process.
        with EmbeddedPostgres(data_dir) as again:
            again.running.connect().close()


def test_killed_server_is_started_again_with_what_was_committed(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as embedded:
        with embedded.running.connect() as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        assert not embedded.wait(0)
        os.kill(postmaster(data_dir), signal.SIGKILL)
        assert embedded.wait(10)
        embedded.restart()
        with embedded.running.connect() as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
    assert ended_within(0, data_dir)


def test_killed_watcher_does_not_leave_two_servers(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as embedded:
        first = psutil.Process(postmaster(data_dir))
        os.kill(first.ppid(), signal.SIGKILL)
        assert embedded.wait(10)
        embedded.restart()
        assert postmaster(data_dir) != first.pid
        assert not first.is_running() or first.status() == psutil.STATUS_ZOMBIE
    assert ended_within(0, data_dir)


def test_one_that_nobody_stopped_is_stopped_by_the_next_owner(data_dir: Path) -> None:
    with owner(data_dir) as process:
        server = psutil.Process(postmaster(data_dir))
        shell = psutil.Process(server.ppid())
        for member in [*shell.children(), shell]:
            if member != server:
                member.kill()
        process.kill()
        process.wait()
        assert server.is_running()
        with EmbeddedPostgres(data_dir) as again:
            again.running.connect().close()
        assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE


def test_second_owner_is_told_who_the_first_is(data_dir: Path) -> None:
    with owner(data_dir) as process, pytest.raises(InUseError) as refused:
        EmbeddedPostgres(data_dir).start()
    assert f"process {process.pid} (the test's owner)" in str(refused.value)


def test_brief_owner_is_waited_for(data_dir: Path) -> None:
    brief = EmbeddedPostgres(data_dir, "test", brief=True)
    brief.start()
    script = textwrap.dedent(OWNER).replace("time.sleep(600)", "pass")
    waiting = subprocess.Popen(
        [sys.executable, "-c", script, str(data_dir)], stdout=subprocess.PIPE, text=True
    )
    time.sleep(0.5)
    assert waiting.poll() is None
    brief.stop()
    assert waiting.communicate(timeout=300)[0] == "ready\n"
    assert waiting.returncode == 0


def test_application_is_no_superuser_and_owns_its_database(
    cluster: EmbeddedPostgres,
) -> None:
    address = f"host={cluster.running.socket} user=macmeter dbname=macmeter"
    with psycopg.connect(address, autocommit=True) as application:
        assert application.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'macmeter'"
        ).fetchone() == (False, False, False)
        application.execute("CREATE TABLE own (n int)")
        application.execute("DROP TABLE own")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            application.execute("COPY (SELECT 1) TO '/tmp/never'")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")
def test_other_accounts_cannot_connect(cluster: EmbeddedPostgres) -> None:
    attempt = """
        import psycopg, sys
        try:
            psycopg.connect(host=sys.argv[1], user="postgres", dbname="postgres")
        except psycopg.OperationalError as error:
            sys.exit("Permission denied" not in str(error))
        sys.exit("connected")
    """
    # Imported as root: the other account may not even be able to read the packages.
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(ANOTHER_UID)
        os.setuid(ANOTHER_UID)
        sys.argv = ["attempt", str(cluster.running.socket)]
        try:
            exec(textwrap.dedent(attempt), {})  # noqa: S102 - our own text, in a child of ours
        except SystemExit as end:
            os._exit(0 if not end.code else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert cluster.running.socket.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="anybody else reaches their own directories")
def test_data_below_a_directory_that_only_root_may_enter(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    for _ in range(2):  # created, then found
        with EmbeddedPostgres(closed / "data", "test") as embedded:
            embedded.running.connect().close()
    assert closed.stat().st_mode & 0o777 == 0o700


def test_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 25)
    with EmbeddedPostgres(data_dir, "test") as embedded:
        assert len(str(embedded.running.socket / SOCKET_NAME)) <= LONGEST_SOCKET_PATH
        assert embedded.running.socket.stat().st_mode & 0o777 == 0o700
        embedded.running.connect().close()
    assert not embedded.running.socket.exists()


def test_interrupted_initdb_is_not_mistaken_for_a_cluster(tmp_path: Path) -> None:
    half_made = Layout.of(tmp_path).directory / "cluster.new"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path, "test") as embedded:
        embedded.running.connect().close()
    assert not half_made.exists()


def test_cluster_of_another_major_version_is_refused(tmp_path: Path) -> None:
    cluster = Layout.of(tmp_path).cluster
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 17, this is 18"):
        EmbeddedPostgres(tmp_path).start()
    assert find_running(tmp_path) is None


def test_pid_file_left_by_a_crash_and_now_another_process(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, "test"):
        pid_file = Layout.of(data_dir).cluster / "postmaster.pid"
        former = pid_file.read_text()
    # After a restart of the machine the number may belong to any process: here to ourselves.
    pid_file.write_text(str(os.getpid()) + former[former.index("\n") :])
    with EmbeddedPostgres(data_dir, "test") as embedded:
        embedded.running.connect().close()


@contextlib.contextmanager
def called_postgres(directory: Path, program: Path, seconds: float) -> Iterator[int]:
    """A process that `ps` calls postgres, working in `directory`; it isn't reaped when it ends."""
    shutil.copy("/bin/sleep", program)
    process = subprocess.Popen([program, str(seconds)], cwd=directory)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="only Linux tells where it works")
@pytest.mark.parametrize("whose", ["a zombie", "ending", "another cluster's"])
def test_lock_files_of_a_killed_server(tmp_path: Path, data_dir: Path, whose: str) -> None:
    with EmbeddedPostgres(data_dir, "test"):
        pid_file = Layout.of(data_dir).cluster / "postmaster.pid"
        former = pid_file.read_text()
    directory = tmp_path if whose == "another cluster's" else pid_file.parent
    seconds = {"a zombie": 0.0, "ending": 1.0, "another cluster's": 600.0}[whose]
    with called_postgres(directory, tmp_path / "postgres", seconds) as pid:
        pid_file.write_text(str(pid) + former[former.index("\n") :])
        with EmbeddedPostgres(data_dir, "test") as embedded:
            embedded.running.connect().close()


def test_place_that_takes_no_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(EmbeddedError, match=r"file/data.*: .* choose another DATA_DIR"),
        EmbeddedPostgres(tmp_path / "file" / "data", purpose="a test"),
    ):
        pass


def test_start_that_fails_says_what_the_server_said(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, "test") as embedded:
        pass
    (embedded.layout.cluster / "global" / "pg_control").unlink()
    with pytest.raises(EmbeddedError, match="pg_control"):
        EmbeddedPostgres(data_dir, "test").start()
    assert find_running(data_dir) is None


def test_a_new_cluster_keeps_its_name_through_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[Path, bool]] = []
    monkeypatch.setattr(
        "macmeter.embedded.cluster.sync_directory",
        lambda directory: synced.append((directory, (directory / "cluster").exists())),
    )
    with EmbeddedPostgres(tmp_path, "test") as embedded:
        assert synced == [(embedded.layout.directory, True)]


def test_a_mac_flushes_past_the_drives_cache() -> None:
    assert server_settings("durable", "darwin")["wal_sync_method"] == "fsync_writethrough"
    assert "wal_sync_method" not in server_settings("durable", "linux")


def test_durable_settings_are_durable() -> None:
    settings = server_settings("durable")
    assert settings["fsync"] == settings["synchronous_commit"] == "on"
    assert settings["full_page_writes"] == "on"
    assert settings["listen_addresses"] == ""


@pytest.mark.parametrize(
    ("gigabytes", "buffers"),
    [(1, "128MB"), (2, "256MB"), (24, "2048MB"), (512, "2048MB")],
)
def test_buffers_follow_memory(gigabytes: int, buffers: str) -> None:
    assert memory_settings(gigabytes * 2**30)["shared_buffers"] == buffers
