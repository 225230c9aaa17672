"""New runs as server-sent events, from the real server over a real connection."""

from __future__ import annotations

import asyncio
import json
import signal
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from macmeter.results.matching_runs import ListPosition
from macmeter.runs import events_router
from macmeter.runs.queries import cursor_of
from macmeter.server.dependencies import Credential
from starlette.types import Message
from support.documents import Document, by_file_size, disk_run, encoded
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded
from support.server import Server, serving

Json = dict[str, Any]
TOO_LONG = 300.0


class Page:
    """An open page, which reads the stream of a live server line by line."""

    def __init__(self, response: httpx.Response) -> None:
        self.lines = response.iter_lines()
        self.last_id = ""

    def connected(self) -> None:
        """Wait until the server has said that new runs follow."""
        assert next(line for line in self.lines if line.startswith(":")) == ": new runs follow"

    def next_run(self) -> Json:
        event = ""
        for line in self.lines:
            name, _, value = line.partition(": ")
            if name == "id":
                self.last_id = value
            elif name == "event":
                event = value
            elif name == "data":
                assert event == "run"
                run: Json = json.loads(value)
                return run
        raise AssertionError("the stream ended")


@contextmanager
def page(server: LiveServer, query: str = "", **headers: str) -> Iterator[Page]:
    with server.stream(f"/api/v1/events{query}", **headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        opened = Page(response)
        opened.connected()
        yield opened


def store(server: LiveServer, document: Document, token: str) -> str:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"/api/v1/runs/{document['id']}"
    response = server.ask(address, "PUT", content=encoded(document), headers=headers)
    assert response.status_code == 201, response.text
    return str(document["id"])


def labelled(story: str, **changes: Any) -> Document:
    return disk_run(labels={"story": story}, **changes)


def test_a_run_is_told_of_when_it_is_stored(live_server: LiveServer) -> None:
    with page(live_server, "?where=label:story:arrived") as opened:
        run_id = store(live_server, labelled("arrived"), live_server.token())
        event = opened.next_run()
    listed = live_server.ask("/api/v1/runs?where=label:story:arrived").json()
    assert event == listed["items"][0]
    assert event["id"] == run_id


def test_filters_are_those_of_a_question(live_server: LiveServer) -> None:
    query = "?metric=disk.write_speed&where=file_size:2000000&where=label:story:filters"
    token, machine = live_server.token(), str(uuid.uuid4())
    other = labelled("filters", machine=machine, series=by_file_size({1_000_000: [1e9]}))
    matching = labelled("filters", machine=machine, series=by_file_size({2_000_000: [1e9]}))
    doubted = {"state": "incomplete", "series": by_file_size({2_000_000: [1e9]})}
    with page(live_server, query) as opened:
        store(live_server, other, token)
        store(live_server, labelled("filters", machine=machine, **doubted), token)
        store(live_server, matching, token)
        assert opened.next_run()["id"] == matching["id"]


def test_a_comparison_is_told_of_runs_of_any_side(live_server: LiveServer) -> None:
    query = (
        "?metric=disk.write_average&metric=disk.write_speed@file_size:2000000"
        "&where=label:story:sides&side=1:storage:usb4&side=2:storage:thunderbolt5"
    )
    token, machine = live_server.token(), str(uuid.uuid4())

    def put(storage: str, **changes: Any) -> str:
        target = {"storage": storage, "encryption": "none"}
        run = labelled("sides", machine=machine, target=target, **changes)
        return store(live_server, run, token)

    with page(live_server, query) as opened:
        put("internal")
        put("usb4", series=by_file_size({1_000_000: [1e9]}))
        second = put("thunderbolt5")
        first = put("usb4", series=by_file_size({2_000_000: [1e9]}))
        assert [opened.next_run()["id"], opened.next_run()["id"]] == [second, first]
    refused = live_server.ask("/api/v1/events?metric=disk.write_average&side=1:")
    assert refused.json()["pointer"] == "?side"


def test_a_clock_that_was_set_back_hides_nothing(live_server: LiveServer) -> None:
    query, token = "?where=label:story:clock", live_server.token()
    ahead = ListPosition(datetime.now(UTC) + timedelta(hours=1), uuid.uuid4())
    with page(live_server, query, **{"Last-Event-ID": cursor_of(ahead)}) as opened:
        run_id = store(live_server, labelled("clock"), token)
        assert opened.next_run()["id"] == run_id


def test_a_look_that_comes_late_sees_what_came_since_the_clock_was_set_back() -> None:
    """Its time must not advance with each poll: a run in between would be missed for good."""
    now = datetime.now(UTC)
    ahead = now + timedelta(hours=1)
    follower = events_router.Follower((), Credential(), ahead, {"told": ahead}, None)
    follower.adjust_to_clock(now)
    first = follower.since
    follower.adjust_to_clock(now + timedelta(minutes=1))
    assert follower.since == first
    assert first is not None
    assert first < now


def test_after_a_break_nothing_is_missing(live_server: LiveServer) -> None:
    query, token, machine = "?where=label:story:break", live_server.token(), str(uuid.uuid4())
    with page(live_server, query) as opened:
        store(live_server, labelled("break", machine=machine), token)
        opened.next_run()
        last = opened.last_id
    run_ids = [store(live_server, labelled("break", machine=machine), token) for _ in range(3)]
    with page(live_server, query, **{"Last-Event-ID": last}) as opened:
        assert [opened.next_run()["id"] for _ in run_ids] == run_ids


def test_a_private_run_is_told_to_its_fleet_alone(live_server: LiveServer) -> None:
    fleet, device = live_server.token("fleet"), live_server.token()
    query = "?where=label:story:private"
    with (
        page(live_server, query) as public,
        page(live_server, query, Authorization=f"Bearer {device}") as other,
        page(live_server, query, Authorization=f"Bearer {fleet}") as members,
    ):
        private = store(live_server, labelled("private"), fleet)
        last = store(live_server, labelled("private"), device)
        assert [members.next_run()["id"], members.next_run()["id"]] == [private, last]
        assert public.next_run()["id"] == last
        assert other.next_run()["id"] == last


async def test_what_others_upload_puts_no_heartbeat_off(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events_router, "HEARTBEAT_SECONDS", 2.0)
    token, received, finished = server.token("fleet"), bytearray(), asyncio.Event()

    async def receive() -> Message:
        await finished.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        received.extend(message.get("body", b""))

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/v1/events",
        "scheme": "http",
        "query_string": b"",
        "root_path": "",
        "http_version": "1.1",
        "server": ("test", 80),
        "headers": [(b"host", b"test")],
        "client": ("127.0.0.1", 1),
    }
    opened = asyncio.create_task(server.app(scope, receive, send))
    async with asyncio.timeout(TOO_LONG):
        while b"still here" not in received:
            assert (await server.put(disk_run(), token)).status_code == 201
            await asyncio.sleep(0.05)
        finished.set()
        await opened
    assert b"event: run" not in received


def test_an_open_page_does_not_keep_the_server_from_stopping(tmp_path: Path) -> None:
    with ForkedServer(seeded(tmp_path), LIVE_PAGES="1") as server, page(server) as opened:
        assert server.ask("/api/v1/events").json()["code"] == "busy"
        with ThreadPoolExecutor() as pool:
            remaining = pool.submit(list, opened.lines)
            assert server.stop(signal.SIGTERM) == 0
            # If it were killed with its worker, the stream would end in the middle: httpx raises.
            remaining.result(TOO_LONG)


FIRST_YEAR = datetime.min.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "headers", "pointer"),
    [
        ("?where=x", {}, "?where"),
        ("?colour=red", {}, "?colour"),
        ("?since=yesterday", {}, "?since"),
        ("?limit=0", {}, "?limit"),
        ("", {"Last-Event-ID": "x"}, "Last-Event-ID"),
        (
            "",
            {"Last-Event-ID": cursor_of(ListPosition(FIRST_YEAR, uuid.UUID(int=1)))},
            "Last-Event-ID",
        ),
    ],
)
async def test_what_is_not_understood_is_refused(
    empty_server: Server, query: str, headers: dict[str, str], pointer: str
) -> None:
    refused = await empty_server.client.get(f"/api/v1/events{query}", headers=headers)
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer)


async def test_what_was_stored_since_a_time_comes_first(database_url: str) -> None:
    async with serving(database_url) as server:
        runs = [disk_run() for _ in range(3)]
        await server.stored(*runs)
        response = await server.client.get("/api/v1/events?since=0001-01-01T00:00:00Z&limit=3")
        data = [line[6:] for line in response.text.splitlines() if line.startswith("data: ")]
        assert [json.loads(run)["id"] for run in data] == [run["id"] for run in runs]
