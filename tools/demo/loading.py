"""Upload a demo's runs to its server in batches, with a token of each of its fleets.

Stored runs are not sent again: a second start finds nothing to do, and an interrupted one resumes.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import orjson
from macmeter import Json
from macmeter.accounts import tokens
from macmeter.accounts.visibility import PRIVATE, PUBLIC
from macmeter.models import Fleet as FleetRow
from macmeter.models import Run, Token
from macmeter.platform import database
from macmeter.platform.demo import Mark
from macmeter.platform.progress import Progress
from sqlalchemy import Connection, Engine, create_engine, select, update
from sqlalchemy.dialects import postgresql

from demo.documents import document
from demo.fleet import Fleet, Planned, fleet
from demo.studio import NAME as STUDIO
from demo.studio import Studio, planted, studio
from demo.truth import WITHDRAWAL, truth, withdrawn

FLEET_NAME = "demo"
TRUTH_FILE = "truth.json"
BATCH = 25
SENDERS = 3
TRIES = 8
PAUSE_SECONDS = 1.0
BUSY = (429, 503)


class LoadError(Exception):
    """The server refused an upload or went away."""


def load(url: str, address: str, mark: Mark, data_dir: Path) -> None:
    """Bring the server at `address`, over the database at `url`, to all of the demo's runs."""
    public, private = fleet(mark.scale, mark.base), studio(mark.scale, mark.base)
    data_dir.mkdir(parents=True, exist_ok=True)
    facts = json.dumps(truth(public) | {"studio": planted(private)}, indent=1, ensure_ascii=False)
    (data_dir / TRUTH_FILE).write_text(facts + "\n", encoding="utf-8")
    engine = create_engine(database.normalise(url))
    try:
        with engine.begin() as connection:
            stored = _stored(connection)
        missing = [run for run in public.runs if uuid.UUID(run.id) not in stored]
        mistaken = [run for run in withdrawn(public) if not stored.get(uuid.UUID(run.id), False)]
        if missing or mistaken:
            _send_all(engine, address, public, missing, mistaken)
        if unsent := [run for run in private.runs if uuid.UUID(run.id) not in stored]:
            _send_private(engine, address, private, unsent)
    finally:
        engine.dispose()
    print(
        f"demo: {len(public.runs):,} runs of {len(public.macs):,} machines; "
        f"what is true of them: {data_dir / TRUTH_FILE}",
        file=sys.stderr,
        flush=True,
    )


def _stored(connection: Connection) -> dict[uuid.UUID, bool]:
    """Map each stored run to whether it is withdrawn."""
    rows = connection.execute(
        select(Run.run_id, Run.withdrawn_at.is_not(None).label("withdrawn"))
        .join(FleetRow, FleetRow.fleet_id == Run.fleet_id)
        .where(FleetRow.name.in_([FLEET_NAME, STUDIO]))
    )
    return {row.run_id: row.withdrawn for row in rows}


def _send_all(
    engine: Engine, address: str, public: Fleet, missing: list[Planned], mistaken: list[Planned]
) -> None:
    """Send everything of the public fleet, and withdraw what was a mistake."""
    with _uploading(engine, address, FLEET_NAME, PUBLIC) as server:
        progress = Progress("demo", "runs")
        batches = [missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]

        def store(batch: list[Planned]) -> int:
            return server.store([document(run) for run in batch])

        stored_count = len(public.runs) - len(missing)
        with ThreadPoolExecutor(SENDERS) as senders:
            # The first failure cancels the batches that have not begun.
            for stored in senders.map(store, batches):
                stored_count += stored
                progress.show(stored_count, stored_count / len(public.runs))
        progress.clear()
        for run in mistaken:
            server.withdraw(run)


def _send_private(engine: Engine, address: str, private: Studio, missing: list[Planned]) -> None:
    """Send the private fleet's runs, and one that is refused."""
    with _uploading(engine, address, STUDIO, PRIVATE) as server:
        for at in range(0, len(missing), BATCH):
            server.store([private.document(run) for run in missing[at : at + BATCH]])
        server.refused(private.refused)
    # All runs are uploaded today, by which nobody is silent: this Mac's are as old as they say.
    silent = Run.machine_id == uuid.UUID(private.silent.id)
    with engine.begin() as connection:
        connection.execute(update(Run).where(silent).values(received_at=Run.started_at))


@contextmanager
def _uploading(engine: Engine, address: str, name: str, visibility: str) -> Iterator[_Server]:
    """The server as a fleet's uploader sees it, whose token is revoked afterwards."""
    with engine.begin() as connection:
        secret = tokens.issue(connection, tokens.FLEET, _fleet(connection, name, visibility))
    try:
        yield _Server(address, secret)
    finally:
        with engine.begin() as connection:
            connection.execute(
                update(Token)
                .where(Token.secret_sha256 == tokens.secret_hash(secret))
                .values(revoked_at=datetime.now(UTC))
            )


def _fleet(connection: Connection, name: str, visibility: str) -> uuid.UUID:
    connection.execute(
        postgresql.insert(FleetRow)
        .values(fleet_id=uuid.uuid4(), name=name, visibility=visibility)
        .on_conflict_do_nothing()
    )
    return connection.execute(select(FleetRow.fleet_id).where(FleetRow.name == name)).scalar_one()


class _Server:
    """The demo's server, from an uploader's point of view."""

    def __init__(self, address: str, secret: str) -> None:
        self._address, self._secret = address, secret
        # The server is on this machine: use no proxy.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def store(self, batch: list[Json]) -> int:
        """Store some documents and return their number. LoadError if the server refuses one."""
        body = b"\n".join(map(orjson.dumps, batch))
        for _ in range(TRIES):
            answers = self._send("POST", "runs/batch", "application/x-ndjson", body)
            results = [orjson.loads(line) for line in answers.splitlines() if line]
            refused = [result for result in results if result["status"] not in (200, 201)]
            if len(results) == len(batch) and not refused:
                return len(batch)
            if any(result["status"] not in BUSY for result in refused):
                raise LoadError(f"a run was refused: {refused[0]['problem']['detail']}")
            time.sleep(PAUSE_SECONDS)
        raise LoadError("the server is busy")

    def refused(self, document: Json) -> None:
        """Send a run that the server refuses. LoadError if it takes it."""
        answer = self._send("POST", "runs/batch", "application/x-ndjson", orjson.dumps(document))
        if orjson.loads(answer.splitlines()[0])["status"] in (200, 201):
            raise LoadError("the server took a run whose clock is ahead")

    def withdraw(self, run: Planned) -> None:
        body = orjson.dumps({"reason": WITHDRAWAL})
        self._send("PUT", f"runs/{run.id}/withdrawal", "application/json", body)

    def _send(self, method: str, path: str, kind: str, body: bytes) -> bytes:
        """Body of the response; retries while the server is busy, LoadError if it refuses."""
        headers = {"Authorization": f"Bearer {self._secret}", "Content-Type": kind}
        address = f"{self._address}/api/v1/{path}"
        request = urllib.request.Request(address, body, headers, method=method)
        for _ in range(TRIES):
            try:
                with self._opener.open(request, timeout=120) as response:
                    content: bytes = response.read()
                    return content
            except urllib.error.HTTPError as error:
                if error.code not in BUSY:
                    detail = json.loads(error.read()).get("detail")
                    raise LoadError(f"{method} {path}: {error.code} {detail}") from None
                time.sleep(float(error.headers.get("Retry-After", PAUSE_SECONDS)))
        raise LoadError("the server is busy")
