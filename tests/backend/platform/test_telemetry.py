"""Tools for operators: metrics of all workers, slow questions, readiness, logs and traces."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from macmeter.embedded.cluster import Account, find_binaries
from macmeter.platform.database import reading_engine
from macmeter.platform.errors import ServeError
from macmeter.platform.settings import CHECKOUT
from macmeter.platform.telemetry import traces
from macmeter.platform.telemetry.counters import KINDS, Counters, kind_of
from macmeter.results.dataset import files
from macmeter.results.dataset.writer import write_down
from macmeter.server.cli import main
from macmeter.server.prepare import check_replica
from support import people
from support.documents import disk_run, encoded
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded
from support.server import Server, serving
from support.server_kills import workers
from support.spans import Receiver, receiving

PATIENCE = 120.0
QUESTION = "/api/v1/answer?metric=disk.write_average&by=chip&where=storage:internal"
DASHBOARD = CHECKOUT / "docs/grafana.json"
RUNBOOK = CHECKOUT / "docs/RUNBOOK.md"


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory, receiver: Receiver) -> Iterator[LiveServer]:
    """Two workers that log every question and send traces."""
    settings = {
        "WORKERS": "2",
        "SLOW_SECONDS": "0",
        "LOG_FORMAT": "json",
        "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
    }
    with ForkedServer(seeded(tmp_path_factory.mktemp("observed")), **settings) as server:
        document = disk_run()
        stored = server.ask(
            f"/api/v1/runs/{document['id']}",
            "PUT",
            content=encoded(document),
            headers={
                "Authorization": f"Bearer {server.token()}",
                "Content-Type": "application/json",
            },
        )
        assert stored.status_code == 201, stored.text
        yield server


def figures(text: str) -> dict[str, float]:
    """Samples of /metrics by name and labels."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


async def measured(server: Server, name: str) -> float:
    """One figure of its /metrics."""
    return figures((await server.client.get("/metrics")).text)[name]


def logged(server: LiveServer) -> list[dict[str, Any]]:
    lines = server.log.read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.mark.thorough
def test_all_workers_count_together_and_a_killed_one_loses_nothing(observed: LiveServer) -> None:
    answers = 'macmeter_requests_total{kind="answer",status="2xx"}'
    cached, worked_out = (f'macmeter_answers_total{{kept="{kept}"}}' for kept in ("yes", "no"))
    then = figures(observed.ask("/metrics").text)
    before, was_cached, was_worked_out = (then[name] for name in (answers, cached, worked_out))
    for _ in range(6):
        # Each on its own connection, which the kernel assigns to any worker.
        assert observed.ask(QUESTION).status_code == 200
    killed = workers(observed)[0]
    killed.kill()
    assert eventually(lambda: _serves(observed, but=killed))
    after = figures(observed.ask("/metrics").text)
    assert after[answers] == before + 6
    # Each of the two workers computes it once, and again if checks of the upload end meanwhile.
    assert after[cached] + after[worked_out] == was_cached + was_worked_out + 6
    assert after[cached] >= was_cached + 2
    assert after['macmeter_request_seconds_count{kind="answer"}'] == before + 6
    assert after['macmeter_requests_total{kind="upload",status="2xx"}'] == 1
    assert after['macmeter_queue_length{queue="questions"}'] == 0


def _serves(server: LiveServer, but: psutil.Process) -> bool:
    """Return whether both workers are back, and respond."""
    try:
        running = workers(server)
        is_serving = all(server.ask("/healthz").status_code == 200 for _ in range(4))
    except (httpx.TransportError, psutil.NoSuchProcess):
        return False
    return is_serving and len(running) == 2 and but.pid not in [worker.pid for worker in running]


def test_a_slow_question_is_logged_with_its_cost_and_nobodys_values(observed: LiveServer) -> None:
    machine = disk_run()["machine"]["id"]
    response = observed.ask(f"{QUESTION}&where=machine:{machine}&by=nothing", headers={"X": "y"})
    assert response.status_code == 422
    response = observed.ask(f"{QUESTION}&where=machine:{machine}")
    assert response.status_code == 200
    identity = response.headers["X-Request-ID"]
    assert eventually(lambda: any(e.get("request_id") == identity for e in logged(observed)))
    (line,) = [e for e in logged(observed) if e.get("request_id") == identity]
    assert line["message"].endswith("slow question: answer")
    assert line["level"] == "warning"
    assert (line["metric"], line["by"]) == ("disk.write_average", "chip")
    assert line["where"] == "storage,machine"
    assert 0 < line["database"] <= line["worked"] <= line["seconds"]
    assert line["statements"] > 0
    assert machine not in observed.log.read_text()


def test_a_span_for_every_request_in_the_trace_of_who_asked(
    observed: LiveServer, receiver: Receiver
) -> None:
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    response = observed.ask(QUESTION, headers={"traceparent": f"00-{trace}-{parent}-01"})
    assert eventually(lambda: any(span["trace"] == trace for span in receiver.spans))
    (span,) = [span for span in receiver.spans if span["trace"] == trace]
    assert (span["service"], span["name"], span["parent"]) == ("macmeter", "answer", parent)
    assert span["macmeter.request_id"] == response.headers["X-Request-ID"]
    assert span["http.response.status_code"] == 200
    assert span["macmeter.worked"] <= span["seconds"]


def test_metrics_tell_how_far_the_data_set_is_and_readiness_does_not(observed: LiveServer) -> None:
    ready = observed.ask("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
    assert eventually(lambda: figures(observed.ask("/metrics").text)["macmeter_dataset_built"] == 1)
    metrics = figures(observed.ask("/metrics").text)
    names = {f"macmeter_dataset_{name}" for name in ("lag_changes", "lag_seconds")}
    assert names | {"macmeter_dataset_disk_free_bytes"} <= metrics.keys()


async def test_strangers_read_no_metrics(server: Server) -> None:
    url = server.database_url
    admin = people.token_of(url, people.make_person(url, server_admin=True), "read")
    person = people.token_of(url, people.make_person(url, "Eve"), "read")
    ways: tuple[dict[str, str], ...] = (
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=10.0.0.1"},
        {"X-Real-IP": "10.0.0.1"},
        {"Via": "1.1 proxy"},
    )
    unknown = {"Authorization": "Bearer mmp_unknown"}
    readers: tuple[tuple[dict[str, str], int], ...]
    readers = (({}, 403), (person, 403), (admin, 200), (unknown, 401))
    for credential in ways:
        for reader, status in readers:
            response = await server.client.get("/metrics", headers={**credential, **reader})
            assert response.status_code == status, (credential, reader)
            assert ("macmeter_runs" in response.text) == (status == 200)
    for address, status in (
        ("127.0.0.1", 200),
        ("::1", 200),
        ("172.18.0.5", 200),
        ("fd00::5", 200),
        ("fe80::1%eth0", 200),
        ("93.184.215.14", 403),
        ("2606:4700::1111", 403),
    ):
        transport = httpx.ASGITransport(app=server.app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            assert (await client.get("/metrics")).status_code == status, address


def test_every_metric_of_the_dashboard_exists(observed: LiveServer) -> None:
    assert eventually(lambda: figures(observed.ask("/metrics").text)["macmeter_dataset_built"] == 1)
    dashboard = json.loads(DASHBOARD.read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names_asked = {name for query in queries for name in re.findall(r"macmeter_\w+", query)}
    samples = figures(observed.ask("/metrics").text)
    series = {re.split(r"[{ ]", name)[0] for name in samples}
    # Only with a replica.
    assert names_asked - series == {"macmeter_replica_lag_bytes", "macmeter_replica_lag_seconds"}
    labelled = {label for query in queries for label in re.findall(r'(\w+="[\w-]+")', query)}
    assert all(any(label in name for name in samples) for label in labelled)
    # And the dashboard shows every metric.
    measured = {name for name in series if not name.startswith("macmeter_columns_")}  # former names
    plain = {re.sub(r"_(bucket|sum|count)$", "", name) for name in measured | names_asked}
    assert plain == {re.sub(r"_(bucket|sum|count)$", "", name) for name in names_asked}


@pytest.mark.thorough
def test_every_command_of_the_runbook_runs(observed: LiveServer, tmp_path: Path) -> None:
    data, account = observed.data_dir, Account(os.geteuid(), os.getegid(), switch=False)
    environment = observed.environment | {
        "URL": observed.url,
        "BACKUPS": str(tmp_path / "backups"),
        "DB": f"host={data}/postgres/socket user=postgres dbname=macmeter",
        "PATH": f"{Path(sys.executable).parent}:{find_binaries(account)}:{os.environ['PATH']}",
    }
    blocks = re.findall(r"^```sh\n(.*?)^```$", RUNBOOK.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    for command in (line for block in blocks for line in block.splitlines()):
        process = subprocess.run(
            ["sh", "-euc", command],
            env=environment,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, (command, process.stdout, process.stderr)
    assert observed.ask("/readyz").status_code == 200


@pytest.mark.parametrize(("limit", "status"), [(None, 200), (3600, 200), (0.001, 503)])
async def test_lag_is_fatal_only_beyond_what_is_set(
    database_url: str, tmp_path: Path, limit: float | None, status: int
) -> None:
    engine = reading_engine(database_url)
    async with serving(database_url, dataset_dir=tmp_path, dataset_lag_seconds=limit) as server:
        unwritten = await server.client.get("/readyz")
        assert await measured(server, "macmeter_dataset_built") == 0
        assert unwritten.status_code == (200 if limit is None else 503)
        await server.stored(disk_run())
        await write_down(engine, tmp_path)
        assert await measured(server, "macmeter_dataset_lag_changes") == 0
        await server.stored(disk_run())
        behind = await server.client.get("/readyz")
        assert behind.status_code == status
        assert await measured(server, "macmeter_dataset_lag_changes") == 1
        if status == 503:
            assert "too far behind" in behind.json()["detail"]
            assert behind.json()["code"] == "not_ready"
        await write_down(engine, tmp_path)
        assert (await server.client.get("/readyz")).status_code == 200
        (directory,) = [path for path in tmp_path.iterdir() if path.is_dir()]
        (directory / files.MANIFEST).write_text("{")
        damaged = await server.client.get("/readyz")
        assert damaged.status_code == (200 if limit is None else 503)
    await engine.dispose()


async def test_metrics_are_there_without_a_database(server: Server) -> None:
    async with serving("postgresql://nobody@127.0.0.1:1/none") as away:
        response = await away.client.get("/metrics")
        assert response.status_code == 200
        assert figures(response.text)["macmeter_database_up"] == 0
        assert (await away.client.get("/readyz")).status_code == 503
    assert figures((await server.client.get("/metrics")).text)["macmeter_database_up"] == 1


async def test_quick_questions_are_not_logged(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(database_url, slow_seconds=3600) as server:
        with caplog.at_level(logging.INFO, "macmeter"):
            assert (await server.client.get(QUESTION)).status_code == 200
    assert [record.message for record in caplog.records if record.name == "macmeter"] == []


def test_histograms_add_up(tmp_path: Path) -> None:
    counts = tmp_path / "counts"
    counts.touch()
    tallies = [Counters(2, counts, number) for number in range(2)]
    for worker, runs in ((0, 1), (0, 3), (1, 16), (1, 40)):
        tallies[worker].observe("macmeter_commit_runs", runs)
    tallies[1].add("macmeter_queue_length", 'queue="uploads"', 5)
    tallies[1].begin()
    tally = figures("\n".join(tallies[0].lines()))
    buckets = [tally[f'macmeter_commit_runs_bucket{{le="{le}"}}'] for le in (1, 2, 4, 16, "+Inf")]
    assert buckets == [1, 1, 2, 3, 4]
    assert (tally["macmeter_commit_runs_sum"], tally["macmeter_commit_runs_count"]) == (60, 4)
    assert tally['macmeter_queue_length{queue="uploads"}'] == 0


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("PUT", "/api/v1/runs/x", "upload"),
        ("POST", "/api/v1/runs/batch", "batch"),
        ("POST", "/api/v1/runs/x/doubts", "writing"),
        ("GET", "/api/v1/answer.csv", "answer"),
        ("GET", "/api/v1/comparisons/x/chart.png", "picture"),
        ("GET", "/api/v1/comparisons/x", "compare"),
        ("GET", "/api/v1/runs", "list"),
        ("GET", "/api/v1/machines/x/timeline", "machine"),
        ("GET", "/api/v1/events", "live"),
        ("GET", "/readyz", "operation"),
        ("GET", "/api/v2", "api"),
        ("GET", "/chips/\n", "page"),
        ("*", "nothing", "other"),
    ],
)
def test_kinds(method: str, path: str, kind: str) -> None:
    assert kind_of(method, path) == kind
    assert kind in KINDS


BAD_SETTINGS = {
    "SLOW_SECONDS": ("-1", "SLOW_SECONDS: Must be greater than or equal to 0, not '-1'"),
    "LOG_FORMAT": ("xml", "LOG_FORMAT: Must be 'text' or 'json', not 'xml'"),
    "DATASET_LAG_SECONDS": ("0", "DATASET_LAG_SECONDS: Must be greater than 0, not '0'"),
    "DATABASE_URL": (
        "mysql://u:secret@h/db",
        "DATABASE_URL: Write postgresql://USER:PASSWORD@HOST/NAME",
    ),
    "DATABASE_READ_URL": (
        "postgresql://u:secret@h:port/db",
        "DATABASE_READ_URL: Write postgresql://USER:PASSWORD@HOST/NAME",
    ),
}


@pytest.mark.parametrize("name", BAD_SETTINGS)
def test_a_setting_that_is_wrong_is_named_with_what_it_should_be(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value, words = BAD_SETTINGS[name]
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    with pytest.raises(SystemExit) as exit_info:
        main(["serve"])
    assert words in str(exit_info.value.code)
    assert "secret" not in str(exit_info.value.code)
    assert not (tmp_path / "data").exists()


def test_a_database_that_is_no_replica_is_refused(
    database_url: str, empty_database_url: str
) -> None:
    with pytest.raises(ServeError, match="DATABASE_READ_URL is another database"):
        check_replica(database_url, empty_database_url)
    check_replica(database_url, database_url)
    check_replica(database_url, "postgresql://nobody@127.0.0.1:1/away")


def test_traces_without_their_package_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    traces.require()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    with pytest.raises(ServeError, match="requirements-otel"):
        traces.require()
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    traces.require()
