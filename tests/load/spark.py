"""Large questions on a real Spark cluster: a master, two workers and Spark Connect.

Two servers answer 300 questions over the same data set, one with DuckDB alone and one with every
statement on the cluster; `spark.equal` counts equal answers. Then a worker is killed during a
question, and at last the cluster: `spark.harm` counts questions that were wrong or late.
`spark.history` is the test of random histories, which has runs that are newer than the files.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.database import RECENT_SECONDS
from support.live_server import LiveServer, free_port

from load.asked import Asked, questions
from load.figure import Figure, figure
from load.fleet import Fleet
from load.million import filled, until_answered

ROOT = Path(__file__).resolve().parents[2]
RUNS = int(os.environ.get("RUNS") or 2_000)
HISTORY = "tests/backend/results/test_on_cluster.py::test_statements_for_a_cluster_find_the_same"
START_SECONDS = 120.0
# The longest that a question may take, and the wait for another process's answer.
_LIMIT_SECONDS = 20.0
# Results in one series of all runs: an average is below, all file sizes are above.
_BETWEEN = 5 * RUNS
_LARGE = "/api/v1/answer?metric=disk.write_speed&by=file_size&by=chip"
_SMALL = "/api/v1/answer?metric=disk.write_average&by=chip"
# Spark compiles each statement by default, which takes longer than reading so few rows.
_OPTIONS = {
    "spark.executor.memory": "768m",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.connect.grpc.binding.address": "127.0.0.1",
}


class Cluster:
    """A standalone cluster on this machine. Entering waits until it has two workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (self._home,) = ROOT.glob("build/spark/lib/python*/site-packages/pyspark")
        self._processes = ExitStack()
        self.workers: list[subprocess.Popen[bytes]] = []
        self.remote = ""

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self.end()
            raise
        return self

    def _begin(self) -> None:
        port, connect = free_port(), free_port()
        master = f"spark://127.0.0.1:{port}"
        binding = ["--host", "127.0.0.1", "--webui-port", str(free_port())]
        self._start("master", *_java("master.Master"), *binding, "--port", str(port))
        _wait_for("master", self._log("master"), "elected leader")
        for name in ("one", "two"):
            limits = ["--cores", "1", "--memory", "1g", "--work-dir", str(self._folder / name)]
            binding = ["--host", "127.0.0.1", "--webui-port", str(free_port()), *limits]
            self.workers.append(self._start(name, *_java("worker.Worker"), *binding, master))
        options = _OPTIONS | {"spark.connect.grpc.binding.port": str(connect)}
        configured = [part for name, v in options.items() for part in ("--conf", f"{name}={v}")]
        server = "org.apache.spark.sql.connect.service.SparkConnectServer"
        submit = ["bin/spark-submit", "--class", server, "--master", master]
        self._start("connect", *submit, "--driver-memory", "1g", *configured, "spark-internal")
        _wait_for("Spark Connect", self._log("connect"), "server started", "Registered executor")
        self.remote = f"sc://127.0.0.1:{connect}"

    def __exit__(self, *_of_error: object) -> None:
        self.end()

    def end(self) -> None:
        """Kill all of it."""
        self._processes.close()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _start(self, name: str, *line: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {
            "SPARK_HOME": str(self._home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_SCALA_VERSION": "2.13",
        }
        with self._log(name).open("wb") as log:
            process = subprocess.Popen(
                line, cwd=self._home, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        self._processes.callback(process.wait)
        self._processes.callback(process.kill)
        return process


def _java(name: str) -> list[str]:
    return ["java", "-Xmx256m", "-cp", "jars/*", f"org.apache.spark.deploy.{name}"]


def _wait_for(name: str, log: Path, *lines: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not all(re.search(line, log.read_text()) for line in lines):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name} did not start:\n{log.read_text()[-3000:]}")
        time.sleep(0.2)


def figures() -> Iterator[Figure]:
    """Yield each figure as soon as it is known."""
    with (
        tempfile.TemporaryDirectory(prefix=".bench-spark-", dir=ROOT) as name,
        ExitStack() as stack,
    ):
        folder = Path(name)
        for _ in filled(folder / "data", RUNS):
            pass
        cluster = stack.enter_context(Cluster(folder))
        postgres = stack.enter_context(EmbeddedPostgres(folder / "data"))
        shared = {
            "DATABASE_URL": postgres.url(),
            "DATASET_DIR": str(folder / "dataset"),
            "PUBLIC_URL": "https://macmeter.example",  # is in pictures
        }
        large = {"SPARK_REMOTE": cluster.remote, "SPARK_RESULTS": "0"}
        local = stack.enter_context(_server(folder / "here", **shared))
        until_answered(local, RUNS)
        remote = stack.enter_context(_server(folder / "there", **shared, **large))
        until_answered(remote, RUNS)
        requests = questions(Fleet(RUNS))
        equal = sum(_is_equal(request, local, remote) for request in requests)
        yield _all_of("spark.equal", equal, len(requests))
        process = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", HISTORY],
            env=os.environ | {"SPARK_REMOTE": cluster.remote},
            cwd=ROOT,
            check=False,
        )
        yield _all_of("spark.history", int(process.returncode == 0), 1)
        harm = _worker_killed(cluster, local, remote)
        cluster.end()
        harm += _gone(remote)
        large["SPARK_RESULTS"] = str(_BETWEEN)
        with _server(folder / "between", **shared, PATIENCE="1", **large) as between:
            harm += between.ask(_SMALL).json()["results"] != local.ask(_SMALL).json()["results"]
            # Its first transaction may be older than the files; then it reads all few runs itself.
            time.sleep(2 * RECENT_SECONDS)
            harm += _gone(between)
        yield figure("spark.harm", harm, "questions", 1, 5) | {"reference": 0, "ratio": float(harm)}


def _all_of(name: str, count: int, total: int) -> Figure:
    return figure(name, count, "answers", total, total)


def _server(data: Path, **environment: str) -> LiveServer:
    data.mkdir()
    return LiveServer(data, **environment)


def _is_equal(request: Asked, local: LiveServer, remote: LiveServer) -> bool:
    path = f"/api/v1/{request.path}"
    answers = [_content(server, path) for server in (local, remote)]
    is_equal = answers[0] is not None and bool(answers[0] == answers[1])
    if not is_equal:
        print(f"  differs: {path}", flush=True)
    return is_equal


def _content(server: LiveServer, path: str) -> Any:
    response = server.ask(path)
    if response.status_code != 200:
        print(f"  {path}: {response.text}\n{server.log.read_text()[-1000:]}", flush=True)
        return None
    if "json" not in response.headers["content-type"]:
        return response.content
    return response.json() | {"as_of": None}


def _worker_killed(cluster: Cluster, local: LiveServer, remote: LiveServer) -> int:
    """Kill a worker with its executor in the middle of questions; count what differs."""
    paths = [f"{_LARGE}&where=chip!:Apple%20M{number}" for number in range(3)]
    killing = threading.Timer(0.5, cluster.workers[0].kill)
    killing.start()
    harm = 0
    for path in paths:
        harm += _content(local, path) != _content(remote, path)
    killing.join()
    return harm


def _gone(server: LiveServer) -> int:
    """Whether a large question isn't refused in time, with what to do."""
    start = time.monotonic()
    response = server.ask(f"{_LARGE}&where=chip!:Apple%20M4")
    seconds = time.monotonic() - start
    is_clear = response.status_code == 503 and response.json()["code"] == "cluster_unavailable"
    print(f"  without a cluster: {response.status_code} after {seconds:.1f} s", flush=True)
    return int(not is_clear or seconds > _LIMIT_SECONDS)
