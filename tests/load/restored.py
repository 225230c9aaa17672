"""A backup of a million runs, restored to an empty place: the same answers, to the digit.

`make bench ONLY=restored`, with MILLION_DIR and RUNS as for the million. Data kept there stays
unchanged: it is only queried and backed up.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
from macmeter.embedded import EmbeddedPostgres
from support.commands import COMMAND, environment
from support.live_server import LiveServer

from load.asked import Asked, questions
from load.figure import Figure, figure
from load.fleet import Fleet
from load.million import MANY, ROOT, filled, running_in, until_answered

# Timestamps differ between two servers with the same data; an answer's etag includes its own.
_MOMENTS = {"as_of", "asked_at", "generated_at"}
# Both have the same public address, which pictures print.
_SETTINGS = {"WORKERS": "", "PUBLIC_URL": "https://macmeter.example"}


def figures() -> Iterator[Figure]:
    """`restore.equal`: the share of equal answers; and the time of each command."""
    runs = int(os.environ.get("RUNS") or MANY)
    requests = questions(Fleet(runs))
    with tempfile.TemporaryDirectory(prefix=".bench-restored-", dir=ROOT) as name:
        folder = Path(name)
        # The database's own account has to reach its directory below this one.
        folder.chmod(0o755)
        folder_kept = os.environ.get("MILLION_DIR")
        source = Path(folder_kept) / str(runs) if folder_kept else folder / "source"
        for _ in filled(source, runs):
            pass
        backup = folder / "made.backup"
        with LiveServer(source, **_SETTINGS) as server:
            until_answered(server, runs)
            before = _answers(server, requests)
            url = running_in(source).url("macmeter")
            yield figure("restore.backup", _timed(url, "backup", str(backup)), "s", 600, 1)
        target = folder / "target"
        target.mkdir(mode=0o755)
        with EmbeddedPostgres(target) as postgres:
            yield figure(
                "restore.restore", _timed(postgres.url(), "restore", str(backup)), "s", 1800, 1
            )
        with LiveServer(target, **_SETTINGS) as server:
            until_answered(server, runs)
            after = _answers(server, requests)
        for (_, path), earlier, later in zip(requests, before, after, strict=True):
            if earlier != later:
                print(f"  differs: {path}", flush=True)
        equal = sum(earlier == later for earlier, later in zip(before, after, strict=True))
        yield figure("restore.equal", equal, "answers", len(requests), len(requests))
        with EmbeddedPostgres(target) as postgres:
            yield figure("restore.verify", _timed(postgres.url(), "verify"), "s", 3600, 1)


def _timed(url: str, *arguments: str) -> float:
    """Seconds that a command took; its error output is shown if it fails."""
    start = time.perf_counter()
    line = [COMMAND, *arguments]
    run = subprocess.run(line, env=environment(url), capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{arguments[0]} ended with {run.returncode}: {run.stderr[-500:]}")
    print(f"  {(run.stderr or run.stdout).strip().splitlines()[-1]}", flush=True)
    return time.perf_counter() - start


def _answers(server: LiveServer, requests: list[Asked]) -> list[str]:
    """Digests of the responses without their timestamps."""
    with httpx.Client(base_url=f"{server.url}/api/v1/", timeout=300) as client:
        return [_digest(client.get(path).raise_for_status()) for _, path in requests]


def _digest(response: httpx.Response) -> str:
    content = response.content
    if response.headers["content-type"].startswith("application/json"):
        content = orjson.dumps(_without_moments(orjson.loads(content)))
    return hashlib.sha256(content).hexdigest()


def _without_moments(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_moments(member) for k, member in value.items() if k not in _MOMENTS}
    if isinstance(value, list):
        return [_without_moments(member) for member in value]
    return value
