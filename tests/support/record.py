"""Record what a release does, to check later ones against: `python -m support.record DIR AGENT`.

Run once, with the release's own checkout, server and agent: tests/recorded/README.md. Longer than
our other files: it is one story, most of it a list of requests.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import os
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from macmeter.accounts.tokens import LOCAL_FLEET
from macmeter.embedded.cluster import Account, find_binaries
from macmeter.models import Fleet
from sqlalchemy import select

from support import people
from support.agent import ROOT, Agent
from support.contract import Contract, openapi
from support.databases import token
from support.derived import derived
from support.documents import by_file_size, disk_run, encoded, sampled_run
from support.live_server import NO_TLS, LiveServer

Json = dict[str, Any]
MACS = ROOT / "tests" / "documents" / "macs"
TOOLS = ROOT / "agent" / "Tests" / "Fixtures" / "mac"
QUICK = ("--quick", "--allow-low-space")
COPY = ("--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=500")
# Commands on this machine, and on simulated Macs.
MEASURED = (
    ("disk", "TARGET", *QUICK),
    ("disk", "TARGET", "--method", "latency", *QUICK),
    ("disk", "TARGET", "--method", "stream-read", "--size", "64MiB"),
    ("disk", "TARGET", "--method", "sustained-write", "--size", "3GB", "--allow-low-space"),
    ("disk", "TARGET", "OTHER", "--size", "64MiB", "--sets", "2"),
    ("hash", "TARGET", *QUICK),
    ("compress", "TARGET", "--threads", "1,2", *QUICK),
    ("cores", "--quick", "--threads", "1,2"),
    ("cores", "--staggered"),
    ("workload", "--name", "copy", "--repeat", "3", *COPY),
)
SIMULATED = (
    ("macbook-pro-m5-max", ("disk", "TARGET", *QUICK)),
    ("mac-studio-m1-max-encrypted-image", ("disk", "TARGET", "--method", "latency", *QUICK)),
    ("mac-mini-m4-pro", ("power", "--quick")),
    ("mac-mini-m4-pro", ("import", *sorted(map(str, TOOLS.glob("sysbench*"))))),
    ("mac-mini-m4-pro", ("import", *sorted(map(str, TOOLS.glob("hyperfine*"))))),
    ("mac-mini-m4-pro", ("import", *sorted(map(str, TOOLS.glob("geekbench*"))))),
    ("mac-mini-m4-pro", ("import", *sorted(map(str, TOOLS.glob("diskmark*"))))),
    ("mac-mini-m4-pro", ("import", *sorted(map(str, TOOLS.glob("powermetrics*"))))),
    (
        "mac-mini-m4-pro-thunderbolt3",
        ("import", str(TOOLS / "fio_groups.json"), "--path", "TARGET"),
    ),
)
WRITE = "metric=disk.write_average"
BOTH = f"{WRITE}&metric=disk.read_average"
SIDES = f"{BOTH}&side=1:storage:internal&side=2:storage:usb4&side=3:chip:none&label=1:Inside"
# Comparisons to save, by name: a question, or sides.
COMPARISONS = {
    "groups": f"{BOTH}&by=encryption&by=storage&by=chip",
    "paired": f"{WRITE}&by=storage&by=encryption&relative_to=encryption:none",
    "months": f"{WRITE}&by=month&where=source:measured",
    "curve": "metric=disk.write_speed&by=file_size&fit=power",
    "flagged": "metric=disk.write_speed&by=file_size&by=storage&flagged=include&weight=run",
    "published": "metric=disk.read_average&by=encryption&by=storage&where=source:published",
    "sides": SIDES,
    "sides of one drive": f"{BOTH}&where=storage:usb4&side=1:encryption:none"
    "&side=2:encryption:apfs_encrypted",
}


def packed(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def written(path: Path, content: object) -> None:
    packed(path, json.dumps(content, ensure_ascii=False, indent=1).encode())


def body_of(content: bytes) -> Json:
    """Text as text, anything else in Base64."""
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def response_of(response: httpx.Response) -> Json:
    """Status, headers, and the content unless it is a picture: those may be drawn differently
    later.
    """
    is_picture = response.headers.get("content-type", "").startswith("image/")
    content = {} if is_picture else body_of(response.content)
    return {"status": response.status_code, "headers": dict(response.headers), **content}


class Recorder:
    """Proxy that keeps each request with its response."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.exchanges: list[Json] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Exchange, self))
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()


class _Exchange(BaseHTTPRequestHandler):
    def __init__(self, recorder: Recorder, *arguments: Any) -> None:
        self._recorder = recorder
        super().__init__(*arguments)

    def _pass(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with httpx.Client(verify=NO_TLS, timeout=300) as client:
            request = client.build_request(
                self.command,
                self._recorder.server + self.path,
                headers=dict(self.headers),
                content=content,
            )
            request.headers.pop("accept-encoding", None)
            response = client.send(request)
        self._recorder.exchanges.append(
            {
                "method": self.command,
                "path": self.path,
                "headers": dict(self.headers),
                **body_of(content),
                "response": response_of(response),
            }
        )
        self.send_response(response.status_code)
        for name in ("Content-Type", "Retry-After", "Date"):
            if name in response.headers:
                self.send_header(name, response.headers[name])
        self.send_header("Content-Length", str(len(response.content)))
        self.end_headers()
        self.wfile.write(response.content)

    do_GET = do_POST = do_PUT = do_DELETE = _pass  # noqa: N815 - names of http.server

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def measured(command: str, recorder: Recorder, server: LiveServer, homes: Path) -> list[bytes]:
    """The documents of every suite, as the agent prints them, uploaded through the recorder."""
    folders = {name: homes / name.lower() for name in ("TARGET", "OTHER")}
    for folder in folders.values():
        folder.mkdir()
    documents: list[bytes] = []
    agents: dict[str, Agent] = {}
    for mac, arguments in [("", words) for words in MEASURED] + [*SIMULATED]:
        if mac not in agents:
            agents[mac] = agent = Agent(command, homes / f"home-{mac}")
            if mac:
                agent.environment["MACMETER_REPLAY"] = str(MACS / mac)
            agent.run("enroll", "--server", recorder.url, "--token", server.token(), "--yes")
        words = [str(folders.get(word, word)) for word in arguments]
        at = words.index("--") if "--" in words else len(words)
        process = agents[mac].run(*words[:at], "--json", *words[at:])
        documents += process.stdout.encode().splitlines()
        print(mac, *arguments[:4], len(documents), file=sys.stderr)
    return documents


def flags_of(documents: list[bytes]) -> dict[str, list[str]]:
    """The flags of each run and its results, by the run's id."""
    flags = {}
    for content in documents:
        run = derived(content)
        result_flags = {flag for result in run["results"] for flag in result["flags"] or ()}
        flags[json.loads(content)["id"]] = sorted({*run["columns"]["flags"], *result_flags})
    return flags


def send_batch(url: str, secret: str) -> None:
    """Upload a run and a line that can't be read."""
    run = disk_run(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, "of a batch")),
        machine=str(uuid.uuid5(uuid.NAMESPACE_OID, "batch machine")),
        agent={"version": "0.1.0"},
    )
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/x-ndjson"}
    content = encoded(run) + b"\n{\n"
    httpx.post(f"{url}/api/v1/runs/batch", content=content, headers=headers).raise_for_status()


def data_set() -> Iterator[Json]:
    """Small data set besides the measurements: several chips, drives, months and macOS."""
    for number in range(30):
        chip = ("Apple M1", "Apple M3 Max", "Apple M4 Pro")[number % 3]
        machine = str(uuid.uuid5(uuid.NAMESPACE_OID, f"machine {number % 15}"))
        storage = ("internal", "usb4")[number % 2]
        encryption = (
            "filevault" if storage == "internal" else ("none", "apfs_encrypted")[number // 15]
        )
        speed = (3e9 if storage == "usb4" else 5e9) * (1 + number / 100)
        yield disk_run(
            id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"run {number}")),
            machine=machine,
            chip=chip,
            storage=storage,
            encryption=encryption,
            write=[speed, speed * 1.01, speed * 0.98],
            read=speed * 1.1,
            started_at=f"2026-{9 + number % 3:02}-10T10:00:00Z",
            environment={"os_version": ("26.1", "26.4")[number % 2], "power_mode": "automatic"},
            labels={"iops": "12000"} if number % 5 == 0 else {},
            agent={"version": "0.1.0", "commit": "a350b351", "platform": "macos-arm64"},
        )
    for number in range(8):
        sizes = {
            10**6 * 2**power: [speed * (power + 1) for speed in (1e9, 1.1e9)]
            for power in range(1, 8)
        }
        yield disk_run(
            id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"sizes {number}")),
            machine=str(uuid.uuid5(uuid.NAMESPACE_OID, f"machine {number}")),
            series=by_file_size(
                {size: [v * (1 + number / 50) for v in values] for size, values in sizes.items()}
            ),
            state="incomplete" if number == 7 else "complete",
        )
    steady = str(uuid.uuid5(uuid.NAMESPACE_OID, "steady"))
    for day in range(1, 21):
        run = disk_run(
            id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"day {day}")),
            machine=steady,
            write=(5e9 if day < 11 else 4e9) + day * 1e6,
            started_at=f"2026-10-{day:02}T10:00:00Z",
        )
        run["environment"]["os_version"] = "26.1" if day < 11 else "26.2"
        yield run
    host = str(uuid.uuid5(uuid.NAMESPACE_OID, "machine 0"))
    guest = {"vcpus": 4, "host_machine_id": host}
    yield disk_run(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, "guest")),
        machine=str(uuid.uuid5(uuid.NAMESPACE_OID, "guest machine")),
        write=4e9,
        environment={"os_version": "26.1", "busy": ["spotlight"], "virtual_machine": guest},
        warnings=[{"code": "gremlins", "detail": "two"}, {"code": "reads_may_be_cached"}],
    )
    yield sampled_run(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, "sampled")),
        machine=str(uuid.uuid5(uuid.NAMESPACE_OID, "machine 1")),
    )


class Story:
    """A server with people, a fleet, reports and comparisons, and what each of them reads."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.url = server.database_url
        self.who: dict[str, dict[str, str]] = {"anybody": {}}
        self.known: Json = {}
        self.reads: list[Json] = []

    def ask(self, method: str, path: str, who: str = "anybody", **options: Any) -> httpx.Response:
        headers = self.who[who] | options.pop("headers", {})
        response = self.server.ask(path, method, headers=headers, **options)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text[:500]}"
        return response

    def read(self, path: str, who: str = "anybody") -> Any:
        """Read a path as `who`, and keep the response."""
        response = self.ask("GET", f"/api/v1{path}", who)
        self.reads.append({"path": f"/api/v1{path}", "as": who, "response": response_of(response)})
        is_json = response.headers["content-type"].startswith("application/json")
        return response.json() if is_json else response.content

    def act(self) -> None:
        self.fill()
        self.fleet()
        self.compare()

    def fill(self) -> None:
        tokens: dict[str, str] = {}
        for document in data_set():
            machine = document["machine"]["id"]
            secret = tokens.setdefault(machine, token(self.url))
            self._put(document, secret)
        self.who["device"] = {"Authorization": f"Bearer {secret}"}
        self.known["device run"] = document["id"]
        reason = {"reason": "Measured while the lid was closed."}
        withdrawn = uuid.uuid5(uuid.NAMESPACE_OID, "run 14")
        owner = tokens[str(uuid.uuid5(uuid.NAMESPACE_OID, "machine 14"))]
        headers = {"Authorization": f"Bearer {owner}"}
        self.ask("PUT", f"/api/v1/runs/{withdrawn}/withdrawal", json=reason, headers=headers)
        doubted = self.ask("POST", f"/api/v1/runs/{document['id']}/doubts", json=reason).json()
        self.who["reporter"] = {"Authorization": f"Bearer {doubted['status_secret']}"}

    def _put(self, document: Json, secret: str) -> None:
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        path = f"/api/v1/runs/{document['id']}"
        self.ask("PUT", path, content=encoded(document), headers=headers)

    def fleet(self) -> None:
        """Create a private fleet with Macs, a viewer, and an admin who is also the server's."""
        uploader = token(self.url, "fleet")
        with people.writing(self.url) as connection:
            fleet_ids = select(Fleet.fleet_id).filter_by(name=LOCAL_FLEET)
            local = connection.execute(fleet_ids).scalar_one()
        admin = people.make_person(self.url, "Ada", server_admin=True, roles={local: "admin"})
        people.make_person(self.url, "Vera", roles={local: "viewer"})
        self.known["admin"] = str(admin)
        self.who["admin"] = asyncio.run(people.sign_in(self.url, admin))
        secret = people.make_secret(self.url, local)
        for number in range(6):
            run = disk_run(
                id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"fleet run {number}")),
                machine=str(uuid.uuid5(uuid.NAMESPACE_OID, f"fleet machine {number}")),
                write=5e9 + number * 1e7,
            )
            self._put(run, uploader)
        clone = str(uuid.uuid5(uuid.NAMESPACE_OID, "clone"))
        enrol = {"secret": secret, "machine_id": clone}
        for _ in range(2):
            self.ask("POST", "/api/v1/enroll", json=enrol)
        self.ask(
            "PUT",
            f"/api/v1/fleets/{LOCAL_FLEET}/retention",
            "admin",
            json={"days": 9000, "runs": 0},
        )
        merged, into = (str(uuid.uuid5(uuid.NAMESPACE_OID, f"fleet machine {n}")) for n in (4, 5))
        self.ask("PUT", f"/api/v1/machines/{merged}/merge", "admin", json={"into": into})
        self.ask("PATCH", f"/api/v1/machines/{into}", "admin", json={"name": "Front desk"})
        invited = {"fleet": LOCAL_FLEET, "role": "viewer"}
        self.ask("POST", "/api/v1/invitations", "admin", json=invited)
        self.ask(
            "POST", "/api/v1/tokens", "admin", json={"name": "A program", "permission": "read"}
        )
        self.known["fleet machine"] = into
        self.known["alert"] = str(people.make_alert(self.url, local))

    def compare(self) -> None:
        saved: dict[str, Json] = {}
        body: Json
        for name, question in COMPARISONS.items():
            body = {"question": question, "title": name, "note": "As of 0.1.\nTwo lines."}
            saved[name] = self.ask("POST", "/api/v1/comparisons", json=body).json()
        request = {"question": f"{WRITE}&where=fleet:{LOCAL_FLEET}", "shares_fleet": True}
        request |= {"private": True, "title": "of a fleet", "fewest_machines": 5}
        saved["of a fleet"] = self.ask("POST", "/api/v1/comparisons", "admin", json=request).json()
        self.known["comparisons"] = saved


def read_everything(story: Story) -> None:
    """Call every operation that reads, some of them with several questions."""
    read, known = story.read, story.known
    for path in ("/catalog", "/chips", "/sources", "/corpus", "/residency?fit=linear", "/facets"):
        read(path)
    for kind in ("chips", "models"):
        for thing in read(f"/things/{kind}")["items"][:3]:
            read(f"/things/{kind}/{thing['slug']}")
    questions = [*COMPARISONS.values()]
    for question in [question for question in questions if "side=" not in question]:
        for path in ("answer", "answer.csv", "chart.svg", "starting-point"):
            read(f"/{path}?{question}")
    for question in (
        f"{WRITE}&by=virtual&relative_to=virtual:false",
        f"{WRITE}&by=label:iops",
        f"{WRITE}&by=machine",
    ):
        read(f"/answer?{question}")
    for question in [question for question in questions if "side=" in question]:
        for path in ("compare", "compare.csv", "chart.svg"):
            read(f"/{path}?{question}")
    read(f"/chart.png?{WRITE}")
    read(f"/answer.atom?{WRITE}")
    read(f"/compare.atom?{SIDES}")
    read(f"/facets?{WRITE}&where=storage:usb4")
    read("/filters?where=storage:usb4&where=file_size:..2e6")
    read(f"/doubted?{WRITE}")
    read("/runs?limit=40&where=source:measured")
    read("/runs?limit=3&where=source:published")
    for source in ("measured", "imported"):
        for suite in ("disk", "hash", "compression", "cores", "power", "workload", "score"):
            for run in read(f"/runs?limit=2&where=source:{source}&where=suite:{suite}")["items"]:
                read(f"/runs/{run['id']}")
    for name in ("run 0", "run 14", "guest", "sampled", "sizes 7"):
        read(f"/runs/{uuid.uuid5(uuid.NAMESPACE_OID, name)}")
    run = uuid.uuid5(uuid.NAMESPACE_OID, "run 0")
    read(f"/runs/{run}/document")
    read("/machines?limit=5")
    read("/machines?limit=5&q=apple+m4")
    for name in ("machine 0", "steady", "guest machine"):
        machine = uuid.uuid5(uuid.NAMESPACE_OID, name)
        read(f"/machines/{machine}")
        read(f"/things/machines/{machine}")
        read(f"/machines/{machine}/timeline?{WRITE}&flagged=include")
    read(f"/percentile?{WRITE}&run={run}")
    read(f"/percentile?{WRITE}&machine={uuid.uuid5(uuid.NAMESPACE_OID, 'machine 2')}")
    for saved in known["comparisons"].values():
        for path in (
            "",
            "/answer.csv",
            "/changes",
            "/chart.svg",
            "/citation",
            "/citation?format=bibtex",
        ):
            read(f"/comparisons/{saved['slug']}{path}")
        read(f"/oembed?url={saved['url']}")
    read(f"/comparisons/{saved['slug']}/chart.png")
    read("/corpus.csv")
    read("/tokens/self", "device")
    read("/doubts/self", "reporter")
    read(f"/runs/{known['device run']}/doubts", "device")
    for path in (
        "session",
        "sessions",
        "tokens",
        "account/export",
        "account/passkeys",
        "account/machines",
    ):
        read(f"/{path}", "admin")
    for path in ("invitations", "fleets", "people", "review", "comparisons"):
        read(f"/{path}", "admin")
    fleet = f"/fleets/{LOCAL_FLEET}"
    for path in ("", "/dashboard", "/machines", "/webhooks", "/alert-mail", "/members", "/secrets"):
        read(fleet + path, "admin")
    for path in ("devices", "clones", "merges", "retention", "retention/preview?days=30"):
        read(f"{fleet}/{path}", "admin")
    read("/alerts", "admin")
    read("/alerts.atom", "admin")
    read(f"/alerts/{known['alert']}", "admin")
    read(f"/machines/{known['fleet machine']}/export.ndjson", "admin")
    for kind in ("", ".csv", ".ndjson"):
        read(f"/audit{kind}?fleet={LOCAL_FLEET}", "admin")


def require_all_read(story: Story) -> None:
    """Fail if an operation that reads is missing, except streams and the return from single
    sign-on.
    """
    operations = openapi()["paths"]
    reading = {path for path, methods in operations.items() if "get" in methods}
    reading -= {"/api/v1/events", "/api/v1/session/oidc/return"}
    reading -= {"/api/v1/corpus.parquet"}  # recorded in its own file
    contract = Contract(openapi())
    called = {contract.operation("GET", item["path"].partition("?")[0]) for item in story.reads}
    missing = {path for path in reading if path.startswith("/api/")} - {path for _, path in called}
    assert not missing, missing


def program(name: str, *arguments: str, url: str, path: Path) -> None:
    """Run one of PostgreSQL's programs and pack its output into the file."""
    binaries = find_binaries(Account(os.geteuid(), os.getegid(), switch=False))
    process = subprocess.run(
        [str(binaries / name), *arguments, url.replace("+psycopg", "")],
        capture_output=True,
        check=True,
    )
    packed(path, process.stdout)


def main(folder: Path, agent: str) -> None:
    folder.mkdir(parents=True)
    with (
        tempfile.TemporaryDirectory() as homes,
        tempfile.TemporaryDirectory() as data,
        LiveServer(Path(data), ACCEPT_SIMULATED="1") as server,
    ):
        recorder = Recorder(server.url)
        documents = measured(agent, recorder, server, Path(homes))
        packed(folder / "documents.ndjson.gz", b"".join(line + b"\n" for line in documents))
        written(folder / "flags.json.gz", flags_of(documents))
        send_batch(recorder.url, server.token("fleet"))
        written(folder / "uploads.json.gz", recorder.exchanges)
        story = Story(server)
        story.act()
        read_everything(story)
        require_all_read(story)
        written(
            folder / "reads.json.gz",
            {"known": story.known, "who": story.who, "reads": story.reads},
        )
        corpus = server.ask("/api/v1/corpus.parquet")
        (folder / "corpus.parquet").write_bytes(corpus.raise_for_status().content)
        url = server.database_url
        export = folder / "export.ndjson.gz"
        subprocess.run(
            [str(Path(sys.executable).with_name("macmeter-server")), "export", str(export)],
            env=os.environ | {"DATABASE_URL": url},
            check=True,
        )
        options = ("--no-owner", "--no-privileges", "--format=plain")
        program("pg_dump", *options, url=url, path=folder / "database.sql.gz")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
