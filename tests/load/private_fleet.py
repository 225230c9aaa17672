"""A private fleet of 3,000 Macs with enrolled tokens, as its people use it: time and outliers.

The fleet is that of the browser's tests (tests/e2e/planted_fleet.py): kinds of Macs, labels, an
update and 20 slow Macs planted, uploaded as an importer does. `private.page.p95` is the slowest of
the requests of the fleet's page, `private.list.p95` a page of all its Macs, `private.answer.p95` a
question; none was asked before. Each `.late` is the share of them that took the server itself more
than 50 ms, by its metrics. `private.limited.p95` and `.late` are of the slowest of all these for a
viewer whose role is limited to a group of all Macs. `private.change` and `private.undo` are the
slowest naming, retirement or labelling of 500 Macs and the slowest undoing. Planted Macs that the
fleet's page doesn't name are `private.missed`, others that it does are `private.false`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import psutil
from macmeter import models
from macmeter.models import Machine, Token
from sqlalchemy import insert, select, update
from support.live_server import NO_TLS, LiveServer
from support.people import OWN_PAGE, make_person, sign_in, writing

from load.figure import Figure, figure

MACS, WEEKS, CHANGED, TIMES = 3000, 6, 500, 5
READ_SECONDS, CHANGE_SECONDS, MOST_LATE = 0.050, 5.0, 0.05
MOST_FALSE = 3
# Share of a processor that a server works while nobody asks anything.
_IDLE = 0.05
# A refresh of the page may begin before the last upload, and the next one waits.
PATIENCE_SECONDS = 300.0
_PLANTING = Path(__file__).parents[1] / "e2e" / "planted_fleet.py"
_PAGE = 50
_SORTS = ("last_upload", "os_version", "agent_version", "model")
_QUESTIONS = ("chip", "model", "os_version", "label:edr", "label:rack", "label:site", "storage")


class Fleet(NamedTuple):
    """Planted fleet, and clients of a viewer and an admin."""

    planted: dict[str, Any]
    viewer: httpx.Client
    """Whoever reads: a viewer of the whole fleet, or a limited one."""
    admin: httpx.Client
    server: LiveServer

    @property
    def address(self) -> str:
        return f"/api/v1/fleets/{quote(self.planted['name'])}"

    @property
    def filtered(self) -> str:
        return f"where=fleet:{quote(self.planted['name'])}"


def figures() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="private-fleet") as directory,
        LiveServer(Path(directory), WORKERS="") as server,
    ):
        Path(directory).chmod(0o755)
        start = time.perf_counter()
        planted = _planted(server)
        print(f"  {MACS * WEEKS:,} runs stored in {time.perf_counter() - start:.0f} s", flush=True)
        viewer, admin = (_client(server, planted, role) for role in ("viewer", "admin"))
        fleet = Fleet(planted, viewer, admin, server)
        with fleet.viewer, fleet.admin:
            slow_names = _slow_macs(fleet)
            _enrol(server.database_url)
            _settle(server)
            figures_read = [*_figures("page", *_page(fleet)), *_figures("list", _list(fleet))]
            figures_read += _figures("answer", _answers(fleet))
            with _limited(fleet) as limited:
                timings = [*_page(limited), _list(limited), _answers(limited)]
            figures_read += _figures("limited", *timings)
            return [*figures_read, *_changes(fleet), *_outliers(planted["slow"], slow_names)]


def _client(server: LiveServer, planted: dict[str, Any], role: str) -> httpx.Client:
    headers = {"Cookie": planted["cookies"][role], **OWN_PAGE}
    return httpx.Client(base_url=server.url, headers=headers, timeout=300, verify=NO_TLS)


def _planted(server: LiveServer) -> dict[str, Any]:
    process = subprocess.run(
        [sys.executable, str(_PLANTING), server.url, str(MACS)],
        env=os.environ | {"DATA_DIR": str(server.data_dir)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    planted: dict[str, Any] = json.loads(process.stdout)
    return planted


def _slow_macs(fleet: Fleet) -> list[str]:
    """Names of the Macs that the page calls slow once it has all runs; one Mac is retired."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        page = _get(fleet.viewer, f"{fleet.address}/dashboard")
        if page["runs"] == (MACS - 1) * WEEKS:
            # Names are isolated from the text around them.
            return [mac["words"]["machine"].strip("\u2068\u2069") for mac in page["outliers"]]
        time.sleep(2)
    raise AssertionError(f"the page doesn't have all runs after {PATIENCE_SECONDS:.0f} s")


def _enrol(url: str) -> None:
    """Bind a token to each Mac, as if it had uploaded its runs itself."""
    with writing(url) as connection:
        macs = select(Machine.machine_id, Machine.fleet_id).where(Machine.fleet_id.is_not(None))
        for machine_id, fleet_id in connection.execute(macs).all():
            token_id = uuid.uuid4()
            values = {"token_id": token_id, "secret_sha256": token_id.bytes * 2, "scope": "device"}
            connection.execute(insert(Token).values(fleet_id=fleet_id, **values))
            bound = update(Machine).where(Machine.machine_id == machine_id)
            connection.execute(bound.values(bound_token_id=token_id))


def _settle(server: LiveServer) -> None:
    """Wait until what follows uploads is done."""
    end, worked = time.monotonic() + PATIENCE_SECONDS, -1.0
    while _processor(server) - worked > _IDLE and time.monotonic() < end:
        worked = _processor(server)
        time.sleep(1)


class Asked(NamedTuple):
    """Seconds of requests for their client, and the share that was late at the server."""

    seconds: list[float]
    late: float

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[int(0.95 * len(self.seconds))]


def _figures(name: str, *timings: Asked) -> Iterator[Figure]:
    """Yield the figures of the slowest."""
    slowest = max(timings, key=lambda timing: timing.p95)
    n = len(slowest.seconds)
    yield figure(f"private.{name}.p95", slowest.p95, "s", READ_SECONDS, n)
    yield figure(f"private.{name}.late", max(timing.late for timing in timings), "", MOST_LATE, n)


def _page(fleet: Fleet) -> list[Asked]:
    offsets = range(0, MACS, _PAGE)
    pages = [
        f"{fleet.address}/machines?sort={sort}&descending=true&limit={_PAGE}&offset={offset}"
        for sort, offset in product(_SORTS, offsets)
    ]
    dashboards = [f"{fleet.address}/dashboard"] * len(offsets)
    alerts = [f"/api/v1/alerts?fleet={quote(fleet.planted['name'])}"] * len(offsets)
    requests = (("dashboard", dashboards), ("its Macs", pages), ("its alerts", alerts))
    return [_timed(fleet, name, paths) for name, paths in requests]


def _list(fleet: Fleet) -> Asked:
    return _timed(fleet, "Macs", [*_lists(fleet)])


def _answers(fleet: Fleet) -> Asked:
    answers = [
        f"/api/v1/answer?metric=disk.{kind}_average&by={by}&{fleet.filtered}{extra}"
        for kind, by, extra in product(
            ("read", "write"), _QUESTIONS, ("", "&weight=run", "&where=os_version:26.3")
        )
    ]
    return _timed(fleet, "answers", answers)


@contextlib.contextmanager
def _limited(fleet: Fleet) -> Iterator[Fleet]:
    """Read the fleet as a viewer who is limited to a group of all its Macs."""
    ids = _ids(fleet, MACS - 1)
    for start in range(0, len(ids), 1000):
        machines = [{"id": mac, "labels": {"all": "yes"}} for mac in ids[start : start + 1000]]
        _change(fleet, {"machines": machines}, [])
    url = fleet.server.database_url
    with writing(url) as connection:
        query = select(models.Fleet.fleet_id).where(models.Fleet.name == fleet.planted["name"])
        fleet_id = connection.execute(query).scalar_one()
    person = make_person(url, "Lim", roles={fleet_id: "viewer"})
    limit = {"role": "viewer", "where": "label:all:yes"}
    response = fleet.admin.put(f"{fleet.address}/members/{person}", json=limit)
    assert response.status_code < 300, response.text
    _settle(fleet.server)
    cookies = fleet.planted["cookies"] | {"limited": asyncio.run(sign_in(url, person))["Cookie"]}
    with _client(fleet.server, {"cookies": cookies}, "limited") as viewer:
        yield fleet._replace(viewer=viewer)


def _ids(fleet: Fleet, count: int) -> list[str]:
    pages = [f"{fleet.address}/machines?limit=100&offset={at}" for at in range(0, count, 100)]
    return [mac["id"] for page in pages for mac in _get(fleet.viewer, page)["items"]]


def _lists(fleet: Fleet) -> Iterator[str]:
    """Addresses of all pages of the list of Macs. Each was asked for with another limit."""
    path, cursor = f"/api/v1/machines?{fleet.filtered}", ""
    while cursor is not None:
        yield f"{path}&limit={_PAGE}{cursor}"
        following = _get(fleet.viewer, f"{path}&limit={_PAGE + 1}{cursor}")["next"]
        cursor = following and f"&cursor={following}"


def _changes(fleet: Fleet) -> Iterator[Figure]:
    ids = _ids(fleet, CHANGED)
    changes: list[float] = []
    undone: list[float] = []
    for number in range(TIMES):
        renamed = [{"id": mac, "name": f"Mac {number}.{n}"} for n, mac in enumerate(ids)]
        retired = [{"id": mac, "retired": True} for mac in ids]
        labelled = [{"id": mac, "labels": {"floor": str(number)}} for mac in ids]
        for machines in (renamed, retired, labelled):
            changed = _change(fleet, {"machines": machines}, changes)
            assert changed["changed"] == CHANGED, changed["changed"]
            _change(fleet, changed["undo"], undone)
    for name, seconds in (("private.change", changes), ("private.undo", undone)):
        print(f"  {name}: median {median(seconds):.3f} s, slowest {max(seconds):.3f} s", flush=True)
        yield figure(name, max(seconds), "s", CHANGE_SECONDS, len(seconds))


def _change(fleet: Fleet, body: Any, seconds: list[float]) -> Any:
    start = time.perf_counter()
    response = fleet.admin.patch(f"{fleet.address}/machines", json=body)
    seconds.append(time.perf_counter() - start)
    assert response.status_code == 200, response.text
    return response.json()


def _outliers(planted: Iterable[str], slow_names: Sequence[str]) -> Iterator[Figure]:
    slow = set(planted)
    unnamed, false = slow - set(slow_names), set(slow_names) - slow
    print(f"  missed {sorted(unnamed)}, false {sorted(false)}", flush=True)
    base = {"reference": 0, "ratio": float(len(unnamed))}
    yield figure("private.missed", len(unnamed), "Macs", 1, len(slow)) | base
    yield figure("private.false", len(false), "Macs", MOST_FALSE, MACS - len(slow))


def _timed(fleet: Fleet, name: str, paths: Sequence[str]) -> Asked:
    _get(fleet.viewer, paths[0])
    seconds: list[float] = []
    worked, late = _processor(fleet.server), _late(fleet)
    for path in paths:
        start = time.perf_counter()
        _get(fleet.viewer, path)
        seconds.append(time.perf_counter() - start)
    worked = (_processor(fleet.server) - worked) / len(paths)
    timing = Asked(seconds, (_late(fleet) - late) / len(paths))
    milliseconds = [f"{1000 * duration:.1f}" for duration in (median(seconds), timing.p95, worked)]
    print(
        "  {}: p50 {} ms, p95 {} ms, {} ms of processor".format(name, *milliseconds)
        + f"; {timing.late:.0%} took the server over 50 ms",
        flush=True,
    )
    return timing


def _processor(server: LiveServer) -> float:
    """Seconds that the server's processes have worked, PostgreSQL's included."""
    assert server.process is not None
    server_itself = psutil.Process(server.process.pid)
    times = []
    for process in (server_itself, *server_itself.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended since
            times.append(process.cpu_times())
    return float(sum(time.user + time.system for time in times))


def _late(fleet: Fleet) -> float:
    """Number of API responses until now for which the server needed more than 50 ms."""
    text = fleet.viewer.get("/metrics").text
    pattern = r'macmeter_request_seconds_{}{{kind="(?:api|list|answer)"{}}} (\S+)'
    total, in_time = (
        sum(map(float, re.findall(pattern.format(*labels), text)))
        for labels in (("count", ""), ("bucket", f',le="{READ_SECONDS:g}"'))
    )
    return total - in_time


def _get(client: httpx.Client, path: str) -> Any:
    response = client.get(path)
    assert response.status_code == 200, response.text
    return response.json()
