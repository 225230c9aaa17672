"""The corpus as a data set, queried with Spark: the server's digits."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from macmeter.embedded import find_running
from macmeter.runs.transfer.dataset import write_dataset
from support.commands import command, ndjson
from support.dataset import QUESTIONS, Answered, of_rows, of_server, runs
from support.live_server import LiveServer

RUNS = 4_000
PYTHON = Path(__file__).resolve().parents[2] / "build/spark/bin/python"
JOB = Path(__file__).with_name("spark_session.py")


def figures() -> list[dict[str, Any]]:
    """Count the groups of several questions, and those that Spark gives with the same digits."""
    with tempfile.TemporaryDirectory() as name, LiveServer(Path(name)) as server:
        folder = Path(name)
        running = find_running(folder)
        assert running is not None
        file = ndjson(folder / "runs.ndjson", runs(RUNS))
        done = command(running.url(), "import", "--public", str(file))
        assert done.returncode == 0, done.stderr
        write_dataset(running.url(), folder / "corpus")
        answered = [
            of_server(asked, server.ask(f"/api/v1/answer?{asked.address}").json())
            for asked in QUESTIONS
        ]
        found = of_spark(folder / "corpus")
    groups = [(asked, key) for asked, one in enumerate(answered) for key in {*one, *found[asked]}]
    equal = sum(found[asked].get(key) == answered[asked].get(key) for asked, key in groups)
    print(f"  {RUNS:,} runs, {len(QUESTIONS)} questions: {equal} of {len(groups)} groups equal")
    return [
        {
            "name": "spark.equal",
            "value": equal,
            "unit": "groups",
            "reference": len(groups),
            "ratio": equal / len(groups),
            "n": RUNS,
        }
    ]


def of_spark(directory: Path) -> list[Answered]:
    """Spark's answers to the questions."""
    queries = [asked.sql("corpus") for asked in QUESTIONS]
    done = subprocess.run(
        [str(PYTHON), str(JOB)],
        input=json.dumps({"directory": str(directory), "queries": queries}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [of_rows([tuple(row) for row in rows]) for rows in json.loads(done.stdout)]
