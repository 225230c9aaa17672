"""Sends a demo's runs to its server like any upload: batches, and a token of a fleet.

What is stored already is not sent again, so that a second start finds nothing to do and one that
was interrupted goes on where it ended.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import orjson
from macmeter import database
from macmeter.access import tokens
from macmeter.access.visibility import PUBLIC
from macmeter.demo import Mark
from macmeter.models import Fleet as FleetRow
from macmeter.models import Run, Token
from macmeter.untyped import Json
from sqlalchemy import Connection, Engine, create_engine, select, update
from sqlalchemy.dialects import postgresql

from demo.documents import document
from demo.fleet import Fleet, Planned, fleet
from demo.truth import WITHDRAWAL, truth, withdrawn

FLEET_NAME = "demo"
TRUTH_FILE = "truth.json"
BATCH = 25
SENDERS = 3
TRIES = 8
PAUSE_SECONDS = 1.0
TOLD_EVERY_SECONDS = 5.0


class LoadError(Exception):
    """The server refused what the demo sent, or went away."""


def load(url: str, address: str, mark: Mark, data_dir: Path) -> None:
    """Bring the server at `address`, over the database at `url`, to all of the demo's runs."""
    whole = fleet(mark.scale, mark.base)
    data_dir.mkdir(parents=True, exist_ok=True)
    told = json.dumps(truth(whole), indent=1, ensure_ascii=False)
    (data_dir / TRUTH_FILE).write_text(told + "\n", encoding="utf-8")
    engine = create_engine(database.normalise(url))
    try:
        with engine.begin() as connection:
            stored = _stored(connection)
        missing = [run for run in whole.runs if uuid.UUID(run.id) not in stored]
        mistaken = [run for run in withdrawn(whole) if not stored.get(uuid.UUID(run.id), False)]
        if missing or mistaken:
            _send_all(engine, address, whole, missing, mistaken)
    finally:
        engine.dispose()
    print(
        f"demo: {len(whole.runs):,} runs of {len(whole.macs):,} machines; "
        f"what is true of them: {data_dir / TRUTH_FILE}",
        file=sys.stderr,
        flush=True,
    )


def _stored(connection: Connection) -> dict[uuid.UUID, bool]:
    """Run -> whether it is withdrawn."""
    rows = connection.execute(
        select(Run.run_id, Run.withdrawn_at.is_not(None).label("withdrawn"))
        .join(FleetRow, FleetRow.fleet_id == Run.fleet_id)
        .where(FleetRow.name == FLEET_NAME)
    )
    return {row.run_id: row.withdrawn for row in rows}


def _send_all(
    engine: Engine, address: str, whole: Fleet, missing: list[Planned], mistaken: list[Planned]
) -> None:
    """Everything under one token, which is good for nothing afterwards."""
    with engine.begin() as connection:
        secret = tokens.issue(connection, tokens.FLEET, _public_fleet(connection))
    try:
        progress = _Progress(len(whole.runs), len(whole.runs) - len(missing))
        _Senders(address, secret, progress).send(missing)
        for run in mistaken:
            _withdraw(address, secret, run)
    finally:
        with engine.begin() as connection:
            connection.execute(
                update(Token)
                .where(Token.secret_sha256 == tokens.secret_hash(secret))
                .values(revoked_at=datetime.now(UTC))
            )


def _public_fleet(connection: Connection) -> uuid.UUID:
    """A fleet whose runs everybody reads, as an organisation shows that has said so."""
    connection.execute(
        postgresql.insert(FleetRow)
        .values(fleet_id=uuid.uuid4(), name=FLEET_NAME, visibility=PUBLIC)
        .on_conflict_do_nothing()
    )
    return connection.execute(
        select(FleetRow.fleet_id).where(FleetRow.name == FLEET_NAME)
    ).scalar_one()


class _Progress:
    """Runs, their share and the seconds left: on a terminal in one line, else now and then."""

    def __init__(self, whole: int, done: int) -> None:
        self._whole, self._done, self._before = whole, done, done
        self._began = time.monotonic()
        self._told = 0.0
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self._done += count
            now = time.monotonic()
            on_terminal = sys.stderr.isatty()
            if self._done < self._whole and now - self._told < (
                0.2 if on_terminal else TOLD_EVERY_SECONDS
            ):
                return
            self._told = now
            rate = (self._done - self._before) / max(1e-3, now - self._began)
            left = (self._whole - self._done) / max(1e-3, rate)
            line = (
                f"demo: {self._done:,} of {self._whole:,} runs, "
                f"{100 * self._done // self._whole} %, {left:.0f} s left"
            )
            end = "\n" if not on_terminal or self._done == self._whole else ""
            print(f"\r\x1b[K{line}" if on_terminal else line, end=end, file=sys.stderr, flush=True)


class _Senders:
    """Some connections that take batches in turn; the first failure ends all of them."""

    def __init__(self, address: str, secret: str, progress: _Progress) -> None:
        self._address, self._secret, self._progress = address, secret, progress
        self._lock = threading.Lock()
        self._failure: Exception | None = None

    def send(self, runs: list[Planned]) -> None:
        batches = iter([runs[i : i + BATCH] for i in range(0, len(runs), BATCH)])
        threads = [
            threading.Thread(target=self._work, args=[batches], name="demo-sender", daemon=True)
            for _ in range(SENDERS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _work(self, batches: Iterator[list[Planned]]) -> None:
        connection = _connect(self._address)
        try:
            while self._failure is None:
                with self._lock:
                    batch = next(batches, None)
                if batch is None:
                    return
                self._store(connection, batch)
                self._progress.add(len(batch))
        except (LoadError, OSError, http.client.HTTPException) as error:
            self._failure = error
        finally:
            connection.close()

    def _store(self, connection: http.client.HTTPConnection, batch: list[Planned]) -> None:
        lines = [orjson.dumps(document(run)) for run in batch]
        for _ in range(TRIES):
            answers = _ask(
                connection,
                "POST",
                "/api/v1/runs/batch",
                b"\n".join(lines),
                {"Authorization": f"Bearer {self._secret}", "Content-Type": "application/x-ndjson"},
            )
            results = [orjson.loads(line) for line in answers.splitlines() if line]
            refused = [r for r in results if r["status"] not in (200, 201)]
            if len(results) == len(lines) and not refused:
                return
            if any(r["status"] not in (429, 503) for r in refused):
                raise LoadError(f"a run was refused: {refused[0]['problem']['detail']}")
            time.sleep(PAUSE_SECONDS)
        raise LoadError("the server is busy")


def _withdraw(address: str, secret: str, run: Planned) -> None:
    connection = _connect(address)
    try:
        _ask(
            connection,
            "PUT",
            f"/api/v1/runs/{run.id}/withdrawal",
            orjson.dumps({"reason": WITHDRAWAL}),
            {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
        )
    finally:
        connection.close()


def _connect(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    assert parts.hostname is not None
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)


def _ask(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes,
    headers: dict[str, str],
) -> bytes:
    """The answer's body; a busy server is asked again, LoadError for what it refuses."""
    for _ in range(TRIES):
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        if response.status < 300:
            return content
        if response.status not in (429, 503):
            problem: Json = json.loads(content)
            raise LoadError(f"{method} {path}: {response.status} {problem.get('detail')}")
        time.sleep(float(response.headers.get("Retry-After", PAUSE_SECONDS)))
    raise LoadError("the server is busy")
