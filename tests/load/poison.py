"""Poison that a stranger plants in every possible way, which must not harm anybody else.

A real server with its follower, a mail server and a webhook. Poisonous items come in one after
another, as requests, files and rows that an older version may have stored. After each group (or, in
the short form, after all) the others fetch their data: their run in the downloads, in exports and
on pages, and an alert by mail and by webhook.

Over 400 lines: half of it is the list of items, which is easier to check in one place.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import httpx
from aiosmtpd.controller import Controller
from macmeter.models import (
    Alert,
    AlertDelivery,
    AlertMail,
    AlertWebhook,
    Comparison,
    Doubt,
    Failure,
    Fleet,
    FleetState,
    Person,
)
from sqlalchemy import insert, select, update
from support import people
from support.commands import run_command
from support.databases import transaction
from support.documents import Document, disk_run, encoded
from support.listener import Listener, listening
from support.live_server import ANSWER_SECONDS, NO_TLS, LiveServer, free_port
from support.poison import DOCUMENTS, READABLE, ROWS, UNREADABLE, poison, spoil

LATEST = 30.0
WRITE = "metric=disk.write_average"
# Minimum interval between computations of one fleet: earlier changes wait.
_APART = 21.0
WORDS = {
    "a formula": '=HYPERLINK("http://example.org")',
    "markup": "<script>alert(1)</script>",
    "an encoded word": "=?utf-8?q?x=0d=0aBcc:_eve@example.org?=",
    "a turned text": "\u202egnp.exe",
    "256 letters": "\u00e9" * 256,
}
ADDRESSES = ("=?utf-8?q?x=0ay?=@example.org", "=?utf-8?q??=@b", "x@a..b", "x@" + "l" * 64 + ".org")
URLS = ("http://a..b/x", f"http://{'l' * 64}.org/", "http://.org/", "http://[::1/", "http://a%00b/")
# Addresses where the server's administrators see everybody's data.
OF_THE_SERVER = (
    *("/api/v1/fleets", "/api/v1/alerts", "/api/v1/alerts.atom", "/api/v1/people"),
    *("/api/v1/review", "/api/v1/audit", "/api/v1/audit.csv", "/api/v1/failures", "/metrics"),
)
Plant = Callable[["World"], None]


class Inbox:
    """Mail handler that collects mails."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], str, str]] = []

    async def handle_DATA(  # noqa: N802 - its own name
        self, server: Any, session: Any, envelope: Any
    ) -> str:
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append((envelope.rcpt_tos, str(mail["Subject"]), mail.get_content()))
        return "250 OK"


class World:
    """A server, an innocent fleet, and one that plants."""

    def __init__(self, server: LiveServer, inbox: Inbox, listener: Listener) -> None:
        self.server, self.inbox, self.listener = server, inbox, listener
        self.url = server.database_url
        self.client = httpx.Client(base_url=server.url, timeout=ANSWER_SECONDS, verify=NO_TLS)
        self.faults: list[str] = []
        self.client.event_hooks = {"response": [self._watch]}
        self.good = people.make_fleet(self.url, "good")
        self.bad = people.make_fleet(self.url, "bad")
        self.ada = self._person("ada@example.org", self.good)
        self.eve = self._person("eve@example.org", self.bad)
        self.uploaders = {fleet: people.uploader_of(self.url, fleet) for fleet in self._fleets}
        self.ada_headers = people.token_of(self.url, self.ada, "manage")
        self.eve_headers = people.token_of(self.url, self.eve, "manage")
        root = people.make_person(self.url, "Root", server_admin=True)
        self.root_headers = people.token_of(self.url, root, "manage")
        self.machine = str(uuid.uuid4())
        self._hears(self.good, self.ada, listener.url)
        self._hears(self.bad, self.eve, listener.url)
        self.alerts: list[str] = []

    @property
    def _fleets(self) -> tuple[uuid.UUID, uuid.UUID]:
        return self.good, self.bad

    def _watch(self, response: httpx.Response) -> None:
        if response.status_code >= 500:
            response.read()
            self.faults.append(f"{response.request.method} {response.url}: {response.text[:300]}")

    def _person(self, email: str, fleet: uuid.UUID) -> uuid.UUID:
        person_id = people.make_person(self.url, email, roles={fleet: "admin"})
        with transaction(self.url) as connection:
            people.set_email(connection, person_id, email)
        return person_id

    def _hears(self, fleet: uuid.UUID, person: uuid.UUID, url: str) -> None:
        hook = {"webhook_id": uuid.uuid4(), "fleet_id": fleet, "url": url, "secret": "s"}
        mail = {"fleet_id": fleet, "person_id": person, "how": "at_once"}
        with transaction(self.url) as connection:
            connection.execute(insert(AlertWebhook).values(**hook))
            connection.execute(insert(AlertMail).values(**mail))

    def put(self, content: bytes, run_id: str, secret: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        return self.client.put(f"/api/v1/runs/{run_id}", content=content, headers=headers)

    def upload(self, fleet: uuid.UUID | None, **changes: Any) -> Document:
        """Upload a run that must be accepted."""
        secret = self.server.token() if fleet is None else self.uploaders[fleet]
        run = disk_run(started_at=datetime.now(UTC).isoformat(), **changes)
        assert self.put(encoded(run), run["id"], secret).status_code == 201
        return run

    def alert(self, fleet: uuid.UUID) -> str:
        """Use up an enrolment secret of this name, which alerts its fleet."""
        name = f"secret {uuid.uuid4().hex}"
        people.make_secret(self.url, fleet, name=name, quota=10, used=10)
        self.upload(fleet)
        return name

    def send_again(self) -> None:
        """Retry failed deliveries now instead of in some minutes."""
        with transaction(self.url) as connection:
            failed = AlertDelivery.due_at.is_not(None) & AlertDelivery.problem.is_not(None)
            connection.execute(update(AlertDelivery).where(failed).values(due_at=datetime.now(UTC)))
            connection.execute(update(Failure).values(retry_at=datetime.now(UTC)))


# --- the ways in


def _uploaded(content: Callable[[bytes], bytes]) -> Plant:
    def plant(world: World) -> None:
        run = disk_run(agent={"version": "0.1.0"})
        for secret in (world.uploaders[world.bad], world.server.token()):
            world.put(content(encoded(run)), run["id"], secret)

    return plant


def _stored(kind: str) -> Plant:
    """Store a public run and a fleet's, with documents that an older version may have accepted."""

    def plant(world: World) -> None:
        for fleet in (None, world.bad):
            poison(world.url, world.upload(fleet)["id"], kind)

    return plant


def _lines() -> tuple[list[bytes], list[bytes]]:
    """One line of each kind, and as many good ones."""
    changed = [change(encoded(disk_run())) for change in (READABLE | UNREADABLE).values()]
    lines = [content.replace(b"\n", b" ") for content in changed if content]
    return lines, [encoded(disk_run()) for _ in lines]


def _batch(world: World) -> None:
    lines, good_lines = _lines()
    alternating = [line for pair in zip(lines, good_lines, strict=True) for line in pair]
    content = gzip.compress(b"\n".join(alternating))
    headers = {
        "Authorization": f"Bearer {world.uploaders[world.bad]}",
        "Content-Type": "application/x-ndjson",
        "Content-Encoding": "gzip",
    }
    response = world.client.post("/api/v1/runs/batch", content=content, headers=headers)
    outcomes = [json.loads(line) for line in response.content.splitlines()]
    statuses = [outcome["status"] for outcome in outcomes]
    if len(statuses) != 2 * len(lines) or max(statuses) >= 500:
        problems = {str(outcome["problem"]) for outcome in outcomes if outcome["status"] >= 500}
        world.faults.append(f"batch: {problems} in {statuses}")
    if statuses[1::2] != [201] * len(lines):
        world.faults.append(f"good lines of a batch: {statuses}")


def _import(world: World) -> None:
    lines, good_lines = _lines()
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
        file.write(b"\n".join([*good_lines, *lines]) + b"\n")
        file.flush()
        process = run_command(world.server.environment, "import", "--public", file.name)
    if "Traceback" in process.stderr or process.returncode > 1:
        world.faults.append(f"import: {process.stderr[-500:]}")


def _words(world: World) -> None:
    """Put bad words into labels, devices, names and titles: everything people write."""
    request = world.client.request
    for word in WORDS.values():
        for fleet in (None, world.bad):
            try:
                world.upload(fleet, labels={"rack": word[:256]}, chip=word[:256])
            except AssertionError:
                continue  # refused
        body = {"question": f"{WRITE}&by=storage", "title": word[:100]}
        request("POST", "/api/v1/comparisons", json=body)
        request("PATCH", "/api/v1/account", json={"name": word[:80]}, headers=world.eve_headers)
        renamed = {"name": word[:80]}
        request("PATCH", f"/api/v1/fleets/{world.bad}", json=renamed, headers=world.eve_headers)


def _addresses(world: World) -> None:
    for address in ADDRESSES:
        body: dict[str, Any] = {"email": address}
        world.client.patch("/api/v1/account", json=body, headers=world.eve_headers)
        body |= {"fleet": str(world.bad), "role": "viewer"}
        world.client.post("/api/v1/invitations", json=body, headers=world.eve_headers)
        body = {"email": address, "password": "correct horse battery"}
        world.client.post("/api/v1/session/password", json=body, headers=people.OWN_PAGE)


def _webhooks(world: World) -> None:
    for url in URLS:
        path = f"/api/v1/fleets/{world.bad}/webhooks"
        world.client.post(path, json={"url": url}, headers=world.eve_headers)


def _enrolment(world: World) -> None:
    secret = people.make_secret(world.url, world.bad)
    machine = str(uuid.uuid4())
    for body in (
        *({"machine_id": word} for word in WORDS.values()),
        *({"machine_id": machine, "secret": word[:200]} for word in WORDS.values()),
        {"machine_id": machine, "secret": secret, "profile": {"x": [[[[]]]]}},
        {"machine_id": None, "secret": None},
    ):
        world.client.post("/api/v1/enroll", json=body)
    profile = {"machine_id": machine, "secret": secret}
    assert world.client.post("/api/v1/enroll", json=profile).status_code == 201


def _row(write: Callable[[World, Any], None]) -> Plant:
    def plant(world: World) -> None:
        with transaction(world.url) as connection:
            write(world, connection)

    return plant


def _email_of(address: str) -> Plant:
    def write(world: World, connection: Any) -> None:
        connection.execute(
            update(Person).where(Person.person_id == world.eve).values(email=address)
        )

    return _row(write)


def _webhook_of(url: str) -> Plant:
    def write(world: World, connection: Any) -> None:
        values = {"webhook_id": uuid.uuid4(), "fleet_id": world.bad, "secret": "s"}
        connection.execute(insert(AlertWebhook).values(url=url, **values))

    return _row(write)


def _settings(**settings: Any) -> Plant:
    def write(world: World, connection: Any) -> None:
        statement = update(Fleet).where(Fleet.fleet_id == world.bad)
        connection.execute(statement.values(settings=settings))

    return _row(write)


def _alert_of(kind: str, detail: Any) -> Plant:
    def write(world: World, connection: Any) -> None:
        now, alert_id = datetime.now(UTC), uuid.uuid4()
        cause = f"update {alert_id}"
        values = {"fleet_id": world.bad, "kind": kind, "cause": cause, "detail": detail}
        new = insert(Alert).values(alert_id=alert_id, opened_at=now, seen_at=now, **values)
        connection.execute(new)
        delivery = {"alert_id": alert_id, "due_at": now}
        rows = [
            {"delivery_id": uuid.uuid4(), "webhook_id": None, "person_id": world.eve, **delivery},
            *(
                {"delivery_id": uuid.uuid4(), "webhook_id": hook, "person_id": None, **delivery}
                for hook in connection.scalars(
                    select(AlertWebhook.webhook_id).where(AlertWebhook.fleet_id == world.bad)
                ).all()
            ),
        ]
        connection.execute(insert(AlertDelivery), rows)

    return _row(write)


def _run(kind: str) -> Plant:
    """Store a public run and a fleet's, with rows that no version of ours writes."""

    def plant(world: World) -> None:
        for fleet in (None, world.bad):
            spoil(world.url, world.upload(fleet)["id"], kind)

    return plant


def _state(world: World, connection: Any) -> None:
    statement = update(FleetState).where(FleetState.fleet_id == world.bad)
    connection.execute(statement.values(told={"changes": [None], "outliers": "many"}))


def _doubt(world: World, connection: Any) -> None:
    run = world.upload(None)
    keys = {"machine_id": uuid.UUID(run["machine"]["id"]), "run_id": uuid.UUID(run["id"])}
    times = {"created_at": datetime.now(UTC)}
    connection.execute(
        insert(Doubt).values(doubt_id=uuid.uuid4(), reason="\u202e", decision="no", **keys, **times)
    )


def _comparison(world: World, connection: Any) -> None:
    connection.execute(update(Comparison).values(answer={"results": None}))


PLANTS: dict[str, Plant] = {
    **{f"uploaded: {kind}": _uploaded(change) for kind, change in READABLE.items()},
    **{f"uploaded: {kind}": _uploaded(change) for kind, change in UNREADABLE.items()},
    "lines of a batch": _batch,
    "lines of an import": _import,
    "labels, names and titles": _words,
    "addresses": _addresses,
    "webhooks": _webhooks,
    "enrolments": _enrolment,
    **{f"stored: {kind}": _stored(kind) for kind in DOCUMENTS},
    **{f"stored address {address[:20]}": _email_of(address) for address in ADDRESSES},
    **{f"stored webhook {url[:20]}": _webhook_of(url) for url in URLS},
    **{f"stored: {kind}": _run(kind) for kind in ROWS},
    "an alert of another kind": _alert_of("eclipse", {}),
    "an alert without effects": _alert_of("regression", {}),
    "an alert whose effects are numbers": _alert_of("regression", {"effects": [7]}),
    "an alert whose detail is a text": _alert_of("silent", {"machines": "many"}),
    "a policy of another version": _settings(retention={"years": "two"}),
    "days that are a text": _settings(silent_days="soon"),
    "a state of another version": _row(_state),
    "a doubt of another version": _row(_doubt),
    "a comparison of another version": _row(_comparison),
}
assert len(PLANTS) >= 40


# --- what everybody else asks for


class Round:
    """Results of the others, by the seconds until they had them; infinity for never."""

    def __init__(self, world: World, patience: float) -> None:
        self.world, self.patience = world, patience
        self.seconds: dict[str, float] = {}

    def ask(self) -> dict[str, float]:
        world, start = self.world, time.monotonic()
        name = world.alert(world.good)
        world.alerts.append(name)
        run = world.upload(None)["id"]
        fleet_run = world.upload(world.good, machine=world.machine)["id"]
        for kind, is_there in (
            ("page of a run", lambda: self._page(f"/api/v1/runs/{run}")),
            ("list of runs", lambda: run in world.client.get("/api/v1/runs?limit=50").text),
            ("list of machines", lambda: self._page("/api/v1/machines")),
            ("answer", lambda: self._page(f"/api/v1/answer?{WRITE}&by=storage")),
            (
                "feed of an answer",
                lambda: self._page(f"/api/v1/answer.atom?{WRITE}"),
            ),
            ("residency", lambda: self._page("/api/v1/residency")),
            ("corpus.csv", lambda: run in self._csv()),
            ("corpus.parquet", lambda: run in self._parquet()),
            ("export of a machine", lambda: fleet_run in self._export()),
            ("feed of alerts", lambda: name in self._own("/api/v1/alerts.atom")),
            ("page of a fleet", lambda: self._own(f"/api/v1/fleets/{world.good}") != ""),
            ("mail", lambda: self._mails(name) > 0),
            ("webhook", lambda: self._calls(name) > 0),
        ):
            self._until(kind, start, is_there)
        for path in OF_THE_SERVER:
            self._until(path, start, partial(self._page, path, world.root_headers))
        exported = run_command(world.server.environment, "export", "--fleet", "good", "-")
        self.seconds["export of a fleet"] = (
            time.monotonic() - start if fleet_run in exported.stdout else float("inf")
        )
        return self.seconds

    def doubled(self) -> int:
        return sum(
            max(0, self._mails(name) - 1) + max(0, self._calls(name) - 1)
            for name in self.world.alerts
        )

    def _until(self, name: str, start: float, is_there: Callable[[], bool]) -> None:
        while not is_there():
            if time.monotonic() - start > self.patience:
                self.seconds[name] = float("inf")
                return
            time.sleep(0.2)
        self.seconds[name] = time.monotonic() - start

    def _page(self, path: str, headers: dict[str, str] | None = None) -> bool:
        return self.world.client.get(path, headers=headers).status_code == 200

    def _own(self, path: str) -> str:
        response = self.world.client.get(path, headers=self.world.ada_headers)
        return response.text if response.status_code == 200 else ""

    def _csv(self) -> set[str]:
        content = self.world.client.get("/api/v1/corpus.csv").text
        return {row["run_id"] for row in csv.DictReader(io.StringIO(content, newline=""))}

    def _parquet(self) -> set[str]:
        content = self.world.client.get("/api/v1/corpus.parquet").content
        with tempfile.NamedTemporaryFile() as file, duckdb.connect() as connection:
            Path(file.name).write_bytes(content)
            return {run for (run,) in connection.read_parquet(file.name)["run_id"].fetchall()}

    def _export(self) -> str:
        return self._own(f"/api/v1/machines/{self.world.machine}/export.ndjson")

    def _mails(self, name: str) -> int:
        mails = self.world.inbox.mails
        return sum(to == ["ada@example.org"] and name in s + body for to, s, body in mails)

    def _calls(self, name: str) -> int:
        return sum(
            name in body.decode() and '"fleet":"good"' in body.decode()
            for _, body in self.world.listener.taken
        )


@contextmanager
def world() -> Iterator[World]:
    """Start a server with a mail server and a webhook, empty except for two fleets."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        directory.chmod(0o755)
        inbox = Inbox()
        mails = Controller(inbox, hostname="127.0.0.1", port=free_port())
        mails.start()
        stack.callback(mails.stop)
        listener = stack.enter_context(listening())
        settings = {
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(mails.port),
            "SMTP_SECURITY": "none",
            "SMTP_FROM": "macmeter@example.org",
            "WEBHOOKS_PRIVATE": "1",
            "QUOTA_COMPARISONS": "100000",
            "QUOTA_ENROLMENTS": "100000",
            "PUBLIC_UPLOADS": "1",
        }
        server = stack.enter_context(LiveServer(directory, **settings))
        new_world = World(server, inbox, listener)
        stack.callback(new_world.client.close)
        yield new_world


def measured(each: int, patience: float = 10 * LATEST) -> tuple[dict[str, float], int, list[str]]:
    """The slowest result of each kind in seconds, the number of duplicates, and the failures.

    `each`: number of poisonous items after which the others ask.
    """
    slowest: dict[str, float] = {}
    with world() as poisoned:
        planted = [*PLANTS.items()]
        for start in range(0, len(planted), each):
            for name, plant in planted[start : start + each]:
                plant(poisoned)
                print(f"planted {name}", flush=True)
            poisoned.alert(poisoned.bad)
            round_of_questions = Round(poisoned, patience)
            for kind, seconds in round_of_questions.ask().items():
                slowest[kind] = max(slowest.get(kind, 0.0), seconds)
            poisoned.send_again()
            time.sleep(_APART)
        doubled = Round(poisoned, patience).doubled()
        failed = [*poisoned.faults]
        if "Traceback" in poisoned.server.log.read_text():
            failed.append("a traceback in the log")
    return slowest, doubled, failed


def figures() -> list[dict[str, Any]]:
    return _figures(each=len(PLANTS))


def thorough_figures() -> list[dict[str, Any]]:
    """Check after every few items: slower, run if asked for by name."""
    return _figures(each=4)


def _figures(each: int) -> list[dict[str, Any]]:
    slowest, doubled, failed = measured(each)
    for kind, seconds in sorted(slowest.items(), key=lambda item: -item[1]):
        print(f"{kind}: {seconds:.1f} s", flush=True)
    for fault in failed:
        print(fault, flush=True)
    latest = max(slowest.values())
    late = {"name": "poison.late", "value": latest, "unit": "s", "reference": LATEST}
    return [
        {**late, "ratio": latest / LATEST, "n": len(slowest)},
        _count("poison.doubled", doubled),
        _count("poison.failed", len(failed)),
    ]


def _count(name: str, value: int) -> dict[str, Any]:
    base = {"name": name, "value": value, "unit": "items", "reference": 0}
    return {**base, "ratio": float(value), "n": len(PLANTS)}
